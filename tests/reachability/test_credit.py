from fractions import Fraction
from itertools import product
from math import inf, log

import numpy as np
import pytest

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.reachability.credit import (
    credit_to_go,
    credit_to_go_exact,
    one_step_credit_gap,
    one_step_credit_gap_exact,
    one_step_credit_scale,
    one_step_credit_scale_exact,
    prefix_credit,
    prefix_credit_exact,
    reachability_credit,
)
from rolltheory.reachability.gradients import pass_at_k_slope

LEAVES = {"left": (0.9, 0.6), "right": (0.1, 0.3)}


class Tree:
    """Two binary decisions; the policy takes the first action with these probabilities."""

    def __init__(self, root, left, right, exact=False):
        convert = (lambda x: Fraction(str(x))) if exact else float
        self.first = {"root": convert(root), "left": convert(left), "right": convert(right)}
        self.leaf = {side: [convert(v) for v in values] for side, values in LEAVES.items()}
        self.value = {
            side: self.first[side] * v[0] + (1 - self.first[side]) * v[1]
            for side, v in self.leaf.items()
        }
        self.value["root"] = (
            self.first["root"] * self.value["left"] + (1 - self.first["root"]) * self.value["right"]
        )

    def trajectories(self):
        """Every trajectory: its probability, passed states, taken actions and outcome."""
        for a, b, outcome in product((0, 1), (0, 1), (1, 0)):
            side = ("left", "right")[a]
            success = self.leaf[side][b]
            chance = self.chance("root", a) * self.chance(side, b)
            chance *= success if outcome else 1 - success
            yield chance, ("root", side), (a, b), outcome

    def chance(self, state, action):
        return self.first[state] if action == 0 else 1 - self.first[state]

    def gradient(self, credit):
        """Expected policy gradient in one logit per decision, for a credit of every step."""
        total = dict.fromkeys(self.first, 0)
        for chance, states, actions, outcome in self.trajectories():
            steps = credit([self.value[s] for s in states], outcome)
            for state, action, step in zip(states, actions, steps, strict=True):
                score = (1 if action == 0 else 0) - self.first[state]
                total[state] = total[state] + chance * score * step
        return [total[state] for state in self.first]


def cosine(a, b):
    a, b = np.array(a, float), np.array(b, float)
    return a @ b / np.linalg.norm(a) / np.linalg.norm(b)


def logistic(x):
    return 1 / (1 + np.exp(-x))


def test_prefix_credit_by_hand():
    credit = prefix_credit([0.2, 0.6, 0.5], 1, 2)
    np.testing.assert_allclose(credit, [0.84 - 0.36, 0.75 - 0.84, 1 - 0.75], rtol=1e-14)
    assert prefix_credit([0.25], 0, 1) == pytest.approx(-0.25, rel=1e-15)


def test_prefix_credit_follows_the_exact_route():
    values = [Fraction(1, 7), Fraction(0), Fraction(1), Fraction(99, 100), Fraction(1, 3)]
    for k in (1, 2, 16, 200):
        exact = prefix_credit_exact(values, Fraction(1), k)
        fast = prefix_credit([float(v) for v in values], 1, k)
        np.testing.assert_allclose(fast, [float(c) for c in exact], atol=1e-15)
        assert sum(exact[2:]) == 1 - (1 - (1 - values[2]) ** k)


def test_credits_to_the_end_telescope():
    generator = np.random.default_rng(1)
    values = generator.random((50, 6))
    outcome = generator.integers(0, 2, 50)
    lengths = generator.integers(1, 7, 50)
    k = generator.integers(1, 40, 50)
    credit = prefix_credit(values, outcome, k, lengths=lengths)
    to_go = credit_to_go(values, outcome, k, lengths=lengths)
    np.testing.assert_allclose(np.cumsum(credit[:, ::-1], axis=1)[:, ::-1], to_go, atol=1e-14)
    expected = outcome - (1 - (1 - values[:, 0]) ** k)
    np.testing.assert_allclose(to_go[:, 0], expected, atol=1e-14)


def test_credit_to_go_follows_the_exact_route():
    values = [Fraction(1, 8), Fraction(0), Fraction(1)]
    exact = credit_to_go_exact(values, Fraction(1), 3)
    assert exact == [Fraction(343, 512), 1, 0]
    assert credit_to_go([float(v) for v in values], 1, 3).tolist() == [float(c) for c in exact]


def test_padding_is_ignored():
    values = np.array([[0.2, 0.6, np.nan], [0.1, 0.4, 0.7]])
    credit = prefix_credit(values, [0, 1], 4, lengths=[2, 3])
    assert credit[0].tolist() == [*prefix_credit([0.2, 0.6], 0, 4), 0.0]
    assert credit[1].tolist() == prefix_credit([0.1, 0.4, 0.7], 1, 4).tolist()
    assert credit_to_go(values, [0, 1], 4, lengths=[2, 3])[0, 2] == 0.0


@pytest.mark.parametrize("k", [1, 4, 16])
def test_reward_to_go_credit_keeps_the_gradient_of_pass_at_1(k):
    tree = Tree(0.3, 0.6, 0.2, exact=True)

    def to_go(values, outcome):
        steps = prefix_credit_exact(values, Fraction(outcome), k)
        return [sum(steps[t:]) for t in range(len(steps))]

    pass_at_1 = tree.gradient(lambda values, outcome: [Fraction(outcome)] * len(values))
    assert tree.gradient(to_go) == pass_at_1
    root = tree.first["root"]
    assert pass_at_1[0] == root * (1 - root) * (tree.value["left"] - tree.value["right"])


@pytest.mark.parametrize("k", [2, 4, 16])
def test_one_step_credit_rescales_each_decision_by_its_own_factor(k):
    tree = Tree(0.3, 0.6, 0.2)
    true = tree.gradient(lambda values, outcome: [outcome] * len(values))
    one_step = tree.gradient(lambda values, outcome: prefix_credit(values, outcome, k))
    factor = float(one_step_credit_scale(tree.value["left"], tree.value["right"], k))
    np.testing.assert_allclose(one_step, [factor * true[0], true[1], true[2]], rtol=1e-12)
    assert factor != pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(
    ("policy", "cosines"),
    [
        ((0.5, 0.5, 0.5), (1.0, 0.994861, 0.454335)),
        (tuple(logistic(x) for x in (0.3, 0.5, -0.7)), (1.0, 0.985, 0.386)),
    ],
)
def test_one_step_credit_turns_the_gradient_away(policy, cosines):
    tree = Tree(*policy)
    true = tree.gradient(lambda values, outcome: [outcome] * len(values))
    for k, expected in zip((1, 4, 16), cosines, strict=True):
        one_step = tree.gradient(lambda values, outcome, k=k: prefix_credit(values, outcome, k))
        assert cosine(one_step, true) == pytest.approx(expected, abs=6e-4)


def test_worked_one_step_gaps():
    gaps = one_step_credit_gap(0.9, 0.1, [1, 8, 64])
    np.testing.assert_allclose(gaps, [0.8, 0.430467, 0.001179], atol=5e-7)
    assert one_step_credit_gap(0.1, 0.9, 8) == -gaps[1]


def test_one_step_gap_follows_the_exact_route():
    values = [Fraction(0), Fraction(1, 10**9), Fraction(1, 3), Fraction(1, 3) + Fraction(1, 2**50)]
    values += [Fraction(99, 100), Fraction(1)]
    for a, b, k in product(values, values, (1, 2, 7, 300)):
        x, y = float(a), float(b)
        exact = float(one_step_credit_gap_exact(Fraction(x), Fraction(y), k))
        assert one_step_credit_gap(x, y, k) == pytest.approx(exact, rel=1e-12, abs=1e-300)


def test_one_step_scale_is_the_divided_difference():
    for a, b, k in ((0.9, 0.1, 5), (0.3, 0.0, 8), (1.0, 0.0, 3), (0.2, 0.2, 6)):
        terms = sum((1 - a) ** j * (1 - b) ** (k - 1 - j) for j in range(k))
        assert one_step_credit_scale(a, b, k) == pytest.approx(terms, rel=1e-13)
    close = one_step_credit_scale(0.3, np.nextafter(0.3, 1), 8)
    assert close == pytest.approx(float(pass_at_k_slope(0.3, 8)), rel=1e-12)


def test_one_step_scale_follows_the_exact_route():
    third = Fraction(1, 3)
    for a, b, k in ((third, Fraction(1), 4), (third, third, 4), (Fraction(0), Fraction(3, 4), 1)):
        exact = one_step_credit_scale_exact(a, b, k)
        assert exact == sum((1 - a) ** j * (1 - b) ** (k - 1 - j) for j in range(k))
        assert one_step_credit_scale(float(a), float(b), k) == pytest.approx(float(exact))


def test_reachability_credit_is_the_limit_of_many_tries():
    values = np.array([[0.3, 0.01, 0.2], [0.3, 0.0, 0.0], [0.5, 0.2, 0.4]])
    outcome = np.array([1, 0, 0])
    limit = reachability_credit(values > 0, outcome)
    assert limit.tolist() == [[0, 0, 0], [-1, 0, 0], [0, 0, -1]]
    many = int(log(1e-9) / log(1 - 0.01)) + 1
    np.testing.assert_allclose(prefix_credit(values, outcome, many), limit, atol=1e-9)
    few = prefix_credit(values, outcome, 16)
    assert np.abs(few - limit).max() > 0.1


def test_reachability_credit_ignores_padding_and_refuses_the_impossible():
    assert reachability_credit([1, 1, 1], 0, lengths=2).tolist() == [0, -1, 0]
    with pytest.raises(AssumptionError, match=r"credit \+1 at index \(0, 0\)"):
        reachability_credit([[False, True]], 1)
    with pytest.raises(AssumptionError, match=r"\(1,\)"):
        reachability_credit([False, False], 1)
    with pytest.raises(DomainError, match="reachable = 2 "):
        reachability_credit([2, 1], 0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: prefix_credit([0.2, 1.5], 0, 2), "values = 1.5 "),
        (lambda: prefix_credit([0.2, np.nan], 0, 2), "values = nan "),
        (lambda: prefix_credit(0.2, 0, 2), "whose last axis is the steps"),
        (lambda: prefix_credit([], 0, 2), "whose last axis is the steps"),
        (lambda: prefix_credit([0.2], inf, 2), "outcome = inf "),
        (lambda: prefix_credit([0.2], 1, 0), "k = 0 "),
        (lambda: prefix_credit([0.2], 1, 1, lengths=2), "lengths = 2 "),
        (lambda: prefix_credit(["0.5"], 1, 1), "need an array of numbers"),
        (lambda: prefix_credit([[0.5], [0.5, 0.6]], 1, 1), "pad the trajectories"),
        (lambda: prefix_credit_exact([Fraction(3, 2)], Fraction(1), 1), "success_probability = "),
        (lambda: one_step_credit_gap(-0.1, 0.1, 1), "value = -0.1 "),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(DomainError, match=message):
        call()
