from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.special import log_softmax

from rolltheory.errors import AssumptionError, DomainError, UnsupportedError
from rolltheory.staleness.advantages import group_advantages
from rolltheory.staleness.claims import prompts
from rolltheory.staleness.claims.exact_numbers import enclosed
from rolltheory.staleness.clipping import clip_coefficient
from rolltheory.staleness.masks import one_sided_mask, two_sided_mask
from rolltheory.staleness.objective import behaviour_gradient, curl, surrogate_value
from rolltheory.staleness.prompt_weight import potential
from rolltheory.staleness.surrogate import (
    binary_surrogate_gradient,
    gradient_bias,
    success_gradient,
    surrogate_gradient,
)
from rolltheory.staleness.surrogate_exact import (
    surrogate_gradient_exact,
    token_surrogate_gradient_exact,
)
from rolltheory.staleness.token_surrogate import token_gradient_bias, token_surrogate_gradient

RNG = np.random.default_rng(7)
ONE = [1, 0, 0]
NEAR = ([0.2, -0.1, 0.4], [0.5, -0.3, 0.1])
FAR = ([0.5, -0.3, 0.1], [-0.2, 0.2, 0.3])
STALE_TOKENS = [[0.5, 0.0], [0.3, 0.0], [-0.4, 0.0]]
EQUAL_TOKENS = [1, 0, 0, 1]


def softmax(logits):
    weights = np.exp(np.asarray(logits) - np.max(logits))
    return weights / weights.sum()


def by_every_group(
    logits, behaviour_logits, rewards, n, *, std="population", clip=None, ratio="sequence"
):
    """The definition of the map, group by group and response by response."""
    learner, behaviour = softmax(logits), softmax(behaviour_logits)
    rewards, total = np.asarray(rewards, dtype=float), np.zeros(len(learner))
    for group in product(range(len(learner)), repeat=n):
        picked = list(group)
        for y, advantage in zip(group, group_advantages(rewards[picked], std=std), strict=True):
            r = learner[y] / behaviour[y] if ratio == "sequence" else 1.0
            outside = clip is not None and (
                (advantage > 0 and r > 1 + clip[1]) or (advantage < 0 and r < 1 - clip[0])
            )
            score = np.eye(len(learner))[y] - learner
            total += behaviour[picked].prod() * advantage * r * (not outside) * score / n
    return total


@pytest.mark.parametrize("std", ["population", "sample", None])
@pytest.mark.parametrize("options", [{}, {"clip": (0.2, 0.3)}, {"ratio": "none"}])
def test_the_map_against_every_group(std, options):
    rewards = [1.0, 0.0, 0.3, 1.0]
    learner, behaviour = RNG.normal(size=(2, 4))
    for n in (2, 3, 4):
        expected = by_every_group(learner, behaviour, rewards, n, std=std, **options)
        found = surrogate_gradient(learner, behaviour, rewards, n, std=std, **options)
        assert found == pytest.approx(expected, abs=2e-15)


def test_one_prompt_with_two_actions():
    learner, behaviour = np.zeros(2), np.log([0.75, 0.25])
    bias = gradient_bias(learner, behaviour, [1, 0], 4)
    assert bias == pytest.approx([0.0072515877, -0.0072515877], abs=5e-11)
    assert np.linalg.norm(bias) == pytest.approx(0.0102552937, abs=5e-11)


def test_three_actions_near_by():
    success = np.exp(log_softmax(NEAR, axis=-1))[:, 0]
    assert success == pytest.approx([0.3375845378, 0.4717762211], abs=5e-11)
    assert np.linalg.norm(np.subtract(*NEAR)) == pytest.approx(0.4690415760, abs=5e-11)
    fresh = surrogate_gradient(NEAR[0], NEAR[0], ONE, 4)
    assert fresh == pytest.approx([0.3641152369, -0.1374683100, -0.2266469268], abs=5e-11)
    stale = surrogate_gradient(*NEAR, ONE, 4)
    assert stale == pytest.approx([0.3614602401, -0.1364659408, -0.2249942993], abs=5e-11)
    assert np.linalg.norm(gradient_bias(*NEAR, ONE, 4)) == pytest.approx(0.0032840416, abs=5e-11)
    # Two of three ratios lie outside [0.8, 1.2], but on the side where the sign rule keeps them.
    clipped = surrogate_gradient(*NEAR, ONE, 4, clip=(0.2, 0.2))
    assert (clipped == stale).all()
    none = surrogate_gradient(*NEAR, ONE, 4, ratio="none")
    assert none == pytest.approx([0.4028111839, -0.1616530987, -0.2411580852], abs=5e-11)
    bias = gradient_bias(*NEAR, ONE, 4, ratio="none")
    assert np.linalg.norm(bias) == pytest.approx(0.0478837555, abs=5e-11)


def test_clipping_can_remove_the_whole_gradient():
    unclipped = surrogate_gradient(*FAR, ONE, 4)
    assert unclipped == pytest.approx([0.4104465897, -0.1647172813, -0.2457293084], abs=5e-11)
    assert np.linalg.norm(unclipped) == pytest.approx(0.506, abs=5e-4)
    assert (surrogate_gradient(*FAR, ONE, 4, clip=(0.2, 0.2)) == 0).all()
    bias = gradient_bias(*FAR, ONE, 4, clip=(0.2, 0.2))
    assert np.linalg.norm(bias) == pytest.approx(0.4965337816, abs=5e-11)


def test_two_sided_clipping_drops_what_the_sign_rule_keeps():
    found = surrogate_gradient(*NEAR, ONE, 4, clip=(0.2, 0.2), clip_rule="two_sided")
    learner, behaviour = softmax(NEAR[0]), softmax(NEAR[1])
    inside = np.abs(learner / behaviour - 1) <= 0.2
    assert inside.tolist() == [False, True, False]
    assert np.abs(found).max() < np.abs(surrogate_gradient(*NEAR, ONE, 4)).max()
    assert found[0] == pytest.approx(learner[0] * -found[1] / (1 - learner[1]))


@pytest.mark.parametrize("n", [2, 3, 4, 8, 64])
@pytest.mark.parametrize("std", ["population", "sample"])
def test_closed_form_for_binary_rewards(n, std):
    learner, behaviour = RNG.normal(size=(2, 6, 5))
    correct = np.array([True, False, True, False, False])
    closed = binary_surrogate_gradient(learner, behaviour, correct, n, std=std)
    enumerated = surrogate_gradient(learner, behaviour, correct.astype(int), n, std=std)
    assert closed == pytest.approx(enumerated, abs=1e-14)


def test_closed_form_takes_prompts_with_different_answers_and_sizes():
    learner, behaviour = RNG.normal(size=(2, 3, 4))
    correct = np.eye(4, dtype=bool)[:3]
    found = binary_surrogate_gradient(learner, behaviour, correct, [2, 4, 8])
    for i, n in enumerate((2, 4, 8)):
        alone = surrogate_gradient(learner[i], behaviour[i], correct[i].astype(int), n)
        assert found[i] == pytest.approx(alone, abs=1e-15)


@pytest.mark.parametrize("n", [2, 3])
def test_no_bias_for_two_or_three_binary_responses(n):
    learner, behaviour = RNG.normal(size=(2, 20, 4))
    assert np.abs(gradient_bias(learner, behaviour, [1, 0, 0, 1], n)).max() < 1e-15


def test_no_bias_for_mean_only_advantages():
    learner, behaviour = RNG.normal(size=(2, 20, 4))
    for n in (2, 3, 4, 6):
        bias = gradient_bias(learner, behaviour, [0.0, 1.0, 2.5, -1.0], n, std=None)
        assert np.abs(bias).max() < 1e-15


def test_no_ratio_is_delayed_ascent():
    learner, behaviour = RNG.normal(size=(2, 4))
    rewards = [0.0, 1.0, 2.0, 0.5]
    stale = surrogate_gradient(learner, behaviour, rewards, 4, ratio="none")
    fresh = surrogate_gradient(behaviour, behaviour, rewards, 4)
    assert stale == pytest.approx(fresh, abs=1e-15)


def test_bias_is_of_second_order_at_one_half():
    shifts = np.array([0.01, 0.02, 0.04, 0.08])
    behaviour = np.stack([shifts, np.zeros(4)], axis=-1)
    bias = np.linalg.norm(gradient_bias([0.0, 0.0], behaviour, [1, 0], 8), axis=-1)
    assert bias == pytest.approx([5.7168e-6, 2.2866e-5, 9.1453e-5, 3.6561e-4], rel=1e-4)
    assert _slope(shifts, bias) == pytest.approx(2.000, abs=5e-4)


def test_bias_is_of_first_order_elsewhere():
    shifts = np.array([0.01, 0.02, 0.04, 0.08])
    start = np.log(0.3 / 0.7)
    behaviour = np.stack([start + shifts, np.zeros(4)], axis=-1)
    bias = np.linalg.norm(gradient_bias([start, 0.0], behaviour, [1, 0], 8), axis=-1)
    assert _slope(shifts, bias) == pytest.approx(0.986, abs=5e-4)


def _slope(x, y):
    return np.polyfit(np.log(x), np.log(y), 1)[0]


@pytest.mark.parametrize("clip", [None, (0.2, 0.3)])
@pytest.mark.parametrize("std", ["population", None])
def test_the_map_is_the_first_gradient_of_the_surrogate(std, clip):
    learner, behaviour = RNG.normal(size=(2, 4))
    rewards = [0.0, 1.0, 2.0, 0.5]
    steps = 1e-6 * np.eye(4)
    up, down = (
        surrogate_value(learner + s, behaviour, rewards, 4, std=std, clip=clip)
        for s in (steps, -steps)
    )
    found = surrogate_gradient(learner, behaviour, rewards, 4, std=std, clip=clip)
    assert found == pytest.approx((up - down) / 2e-6, abs=1e-9)


@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.parametrize("std", ["population", "sample", None])
def test_the_total_derivative_is_zero(n, std):
    learner, behaviour = RNG.normal(size=(2, 4))
    rewards = [0.0, 1.0, 2.0, 1.0]
    steps = 1e-6 * np.eye(4)
    up, down = (
        surrogate_value(learner, behaviour + s, rewards, n, std=std) for s in (steps, -steps)
    )
    second = behaviour_gradient(learner, behaviour, rewards, n, std=std)
    assert second == pytest.approx((up - down) / 2e-6, abs=1e-9)
    fresh = surrogate_gradient(learner, learner, rewards, n, std=std)
    assert behaviour_gradient(learner, learner, rewards, n, std=std) == pytest.approx(
        -fresh, abs=1e-15
    )
    assert float(surrogate_value(learner, learner, rewards, n, std=std)) == pytest.approx(
        0, abs=1e-15
    )


def test_the_binary_map_is_the_gradient_of_its_potential():
    logits, h = RNG.normal(size=4), 1e-5
    correct = np.array([True, False, True, False])

    def objective(theta):
        return float(potential(softmax(theta)[correct].sum(), 8))

    steps = h * np.eye(4)
    slope = [(objective(logits + s) - objective(logits - s)) / (2 * h) for s in steps]
    fresh = surrogate_gradient(logits, logits, correct.astype(int), 8)
    assert fresh == pytest.approx(slope, abs=1e-9)
    assert np.abs(curl(logits, correct.astype(int), 8)).max() < 1e-15


@pytest.mark.parametrize("std", ["population", "sample", None])
@pytest.mark.parametrize("n", [2, 3, 5])
def test_curl_is_the_asymmetry_of_the_jacobian(n, std):
    logits, rewards, h = RNG.normal(size=4), [0.0, 1.0, 3.0, 1.0], 1e-5
    up, down = (
        surrogate_gradient(logits + s, logits + s, rewards, n, std=std)
        for s in (h * np.eye(4), -h * np.eye(4))
    )
    jacobian = ((up - down) / (2 * h)).T
    found = curl(logits, rewards, n, std=std)
    assert found == pytest.approx(jacobian - jacobian.T, abs=1e-9)
    assert (np.abs(found).max() > 1e-3) == (std is not None)


def test_curl_of_three_reward_levels():
    logits = np.array([[0.0, 0.0, 0.0], [0.4, -1.0, 0.3]])
    found = curl(logits, [0.0, 0.4, 1.0], 2)
    for each, policy in zip(found, map(softmax, logits), strict=True):
        off_diagonal = np.abs(each[~np.eye(3, dtype=bool)])
        assert off_diagonal == pytest.approx(np.full(6, 2 * policy.prod()), rel=1e-13)
    assert np.abs(found[0]).max() == pytest.approx(2 / 27)


@pytest.mark.parametrize(
    ("ratio", "norm"),
    [
        ("none", 0.0153510398),
        ("token", 0.0154566942),
        ("prefix_product", 0.0021429882),
        ("prefix_geometric_mean", 0.0082109159),
        ("sequence_geometric_mean", 0.0081650415),
        ("sequence", 0.0),
    ],
)
def test_token_ratios(ratio, norm):
    fresh = token_surrogate_gradient(np.zeros((3, 2)), np.zeros((3, 2)), EQUAL_TOKENS, 2, std=None)
    assert fresh * 32 == pytest.approx(np.array([[0, 0], [1, -1], [-1, 1]]), abs=1e-14)
    bias = token_gradient_bias(
        np.zeros((3, 2)), STALE_TOKENS, EQUAL_TOKENS, 2, ratio=ratio, std=None
    )
    assert np.linalg.norm(bias) == pytest.approx(norm, abs=6e-11)


@pytest.mark.parametrize("clip", [None, (0.1, 0.15)])
@pytest.mark.parametrize("ratio", ["token", "prefix_geometric_mean", "sequence_geometric_mean"])
def test_token_map_against_every_group(ratio, clip):
    learner, behaviour = RNG.normal(size=(2, 4, 3))
    rewards = RNG.integers(3, size=9).astype(float)
    sequences = list(product(range(3), repeat=2))
    rows = [[(0, y[0]), (1 + y[0], y[1])] for y in sequences]
    tables = [np.array([softmax(row) for row in table]) for table in (learner, behaviour)]
    total = np.zeros((4, 3))
    for group in product(range(9), repeat=2):
        chance = np.prod([tables[1][cell] for i in group for cell in rows[i]])
        for i, advantage in zip(group, group_advantages(rewards[list(group)]), strict=True):
            ratios = np.array([tables[0][cell] / tables[1][cell] for cell in rows[i]])
            weights = {
                "token": ratios,
                "prefix_geometric_mean": [ratios[0], np.sqrt(ratios.prod())],
                "sequence_geometric_mean": [np.sqrt(ratios.prod())] * 2,
            }[ratio]
            for (row, token), weight in zip(rows[i], weights, strict=True):
                if clip and ((advantage > 0 and weight > 1.15) or (advantage < 0 and weight < 0.9)):
                    continue
                score = np.eye(3)[token] - tables[0][row]
                total[row] += chance * advantage * weight * score / 4
    found = token_surrogate_gradient(learner, behaviour, rewards, 2, ratio=ratio, clip=clip)
    assert found == pytest.approx(total, abs=1e-15)


def test_leading_axes_broadcast():
    learner, behaviour = RNG.normal(size=(5, 1, 4)), RNG.normal(size=(3, 4))
    found = surrogate_gradient(learner, behaviour, [0, 1, 2, 2], 3, clip=(0.2, 0.2))
    assert found.shape == (5, 3, 4)
    alone = surrogate_gradient(learner[2, 0], behaviour[1], [0, 1, 2, 2], 3, clip=(0.2, 0.2))
    assert found[2, 1] == pytest.approx(alone, abs=1e-15)
    assert found.sum(axis=-1) == pytest.approx(np.zeros((5, 3)), abs=1e-15)


def test_extreme_logits_stay_finite():
    with np.errstate(all="raise", under="ignore"):
        found = surrogate_gradient(
            [0.0, 900.0, 5.0], [900.0, 0.0, 5.0], [1, 0, 2], 4, clip=(0.2, 0.2)
        )
    assert np.isfinite(found).all()


THIRDS = (Fraction(1, 3), Fraction(1, 2), Fraction(1, 6))
STALE = (Fraction(1, 5), Fraction(3, 5), Fraction(1, 5))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ratio": "none"},
        {"clip": (Fraction(1, 5), Fraction(1, 5))},
        {"clip": (Fraction(1, 5), Fraction(1, 5)), "clip_rule": "two_sided"},
    ],
)
@pytest.mark.parametrize(("std", "n"), [(None, 2), (None, 4), ("population", 2)])
def test_the_float_route_agrees_with_the_exact_one(options, std, n):
    rewards = (Fraction(1), Fraction(0), Fraction(2, 3))
    exact = surrogate_gradient_exact(THIRDS, STALE, rewards, n, std=std, **options)
    floats = {**options, "clip": (0.2, 0.2)} if "clip" in options else options
    found = surrogate_gradient(
        np.log(np.array(THIRDS, dtype=float)),
        np.log(np.array(STALE, dtype=float)),
        [float(r) for r in rewards],
        n,
        std=std,
        **floats,
    )
    assert found == pytest.approx([float(part) for part in exact], abs=1e-15)


@pytest.mark.parametrize("ratio", ["sequence", "none", "token", "prefix_product"])
def test_the_token_route_agrees_with_the_exact_one(ratio):
    learner = [
        (Fraction(1, 3), Fraction(2, 3)),
        (Fraction(1, 2),) * 2,
        (Fraction(1, 4), Fraction(3, 4)),
    ]
    stale = [
        (Fraction(1, 2),) * 2,
        (Fraction(1, 5), Fraction(4, 5)),
        (Fraction(2, 3), Fraction(1, 3)),
    ]
    exact = token_surrogate_gradient_exact(learner, stale, (1, 0, 0, 2), 3, ratio=ratio)
    found = token_surrogate_gradient(
        np.log(np.array(learner, dtype=float)),
        np.log(np.array(stale, dtype=float)),
        [1, 0, 0, 2],
        3,
        ratio=ratio,
        std=None,
    )
    assert found == pytest.approx(np.array(exact, dtype=float), abs=1e-15)


def test_exact_biases_vanish_exactly():
    fresh = surrogate_gradient_exact(THIRDS, THIRDS, (2, 0, 1), 3)
    assert surrogate_gradient_exact(THIRDS, STALE, (2, 0, 1), 3) == fresh
    binary = surrogate_gradient_exact(THIRDS, THIRDS, (1, 0, 1), 2, std="population")
    assert surrogate_gradient_exact(THIRDS, STALE, (1, 0, 1), 2, std="population") == binary
    assert binary != (0, 0, 0)


@pytest.mark.parametrize("std", ["population", "sample", None])
@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_float_routes_lie_within_the_balls_that_claims_use(n, std):
    case = prompts.Prompt(THIRDS, STALE, (2, 0, 1), n, std=std)
    logits, stale = (np.log(np.array(p, dtype=float)) for p in (THIRDS, STALE))
    options = {"std": std}

    def middles(numbers):
        found = [enclosed(number) for number in numbers]
        return [float(getattr(value, "low", value)) for value in found]

    found = surrogate_gradient(logits, stale, case.rewards, n, **options)
    assert found == pytest.approx(middles(prompts.gradient(case)), abs=1e-14)
    found = behaviour_gradient(logits, stale, case.rewards, n, **options)
    assert found == pytest.approx(middles(prompts.behaviour_gradient(case)), abs=1e-14)
    jacobian = np.array([middles(row) for row in prompts.jacobian(case)])
    found = curl(logits, case.rewards, n, **options)
    assert found == pytest.approx(jacobian - jacobian.T, abs=1e-14)


def test_the_clipped_map_jumps_in_the_behaviour_policy():
    half, band = Fraction(1, 2), (Fraction(1, 5), Fraction(1, 5))

    def first_entry(q):
        behaviour = (q, 1 - q)
        return surrogate_gradient_exact(
            (half, half), behaviour, (1, 0), 2, std="population", clip=band
        )[0]

    edge = Fraction(5, 12)
    assert first_entry(edge) == Fraction(1, 4)
    assert float(first_entry(edge - Fraction(1, 10**9))) == pytest.approx(0.10415, abs=2e-5)
    assert first_entry(Fraction(3, 8) - Fraction(1, 10**9)) == 0
    jump = np.sqrt(2) * float(first_entry(edge) - first_entry(edge - Fraction(1, 10**9)))
    assert jump == pytest.approx(0.206, abs=5e-4)


def test_one_sided_clipping_leaves_huge_ratios():
    # pi_phi = 1e-4 and pi_theta = 0.5: a ratio of 5000 under a negative advantage.
    widths = {"clip_low": 0.2, "clip_high": 0.2}
    assert one_sided_mask(np.log([5000.0]), -1.0, **widths).all()
    assert 1e-4 * 5000.0**2 == 2500
    assert not two_sided_mask(np.log([5000.0]), **widths).any()


def test_clip_coefficient():
    assert clip_coefficient((0.2, 0.2)) == pytest.approx(5)
    assert 2 * clip_coefficient((0.3, 5.0)) == pytest.approx(3.5333, abs=5e-5)
    assert clip_coefficient((0.2, 0.2)) >= 5


def test_success_gradient():
    logits, h = RNG.normal(size=4), 1e-6
    correct = np.array([True, True, False, False])
    slope = [
        (softmax(logits + s)[correct].sum() - softmax(logits - s)[correct].sum()) / (2 * h)
        for s in h * np.eye(4)
    ]
    assert success_gradient(logits, correct) == pytest.approx(slope, abs=1e-9)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: surrogate_gradient([0.0], [0.0], [1], 2), DomainError, "V > 1"),
        (lambda: surrogate_gradient([0, 1], [0, 1], [1, 0], 1), DomainError, "group_size"),
        (lambda: surrogate_gradient([0, 1], [0, 1], [1, 0, 2], 2), DomainError, "rewards"),
        (lambda: surrogate_gradient([0, np.nan], [0, 1], [1, 0], 2), DomainError, "logits"),
        (lambda: surrogate_gradient(*NEAR, ONE, 2, ratio="token"), DomainError, "sequence, none"),
        (lambda: surrogate_gradient(*NEAR, ONE, 2, clip=(1.5, 0.2)), DomainError, "clip"),
        (
            lambda: surrogate_gradient(*NEAR, ONE, 2, clip=(0.2, 0.2), clip_rule="dual"),
            DomainError,
            "one_sided, two_sided",
        ),
        (lambda: token_surrogate_gradient(*NEAR, ONE, 2), DomainError, "rewards"),
        (
            lambda: token_surrogate_gradient(np.zeros((3, 2)), np.zeros((3, 2)), ONE, 2),
            DomainError,
            "3 rows of 2",
        ),
        (
            lambda: surrogate_gradient(np.zeros(12), np.zeros(12), np.arange(12), 40),
            UnsupportedError,
            "12 distinct rewards",
        ),
        (lambda: binary_surrogate_gradient(*NEAR, ONE, 2), DomainError, "booleans"),
        (
            lambda: surrogate_gradient_exact(THIRDS, STALE, ONE, 4, std="population"),
            UnsupportedError,
            "groups of 4",
        ),
        (
            lambda: surrogate_gradient_exact((1, 1), (1, 0), (1, 0), 2),
            AssumptionError,
            "sum to 1",
        ),
        (lambda: surrogate_gradient_exact(THIRDS, STALE, (1, 0), 2), DomainError, "rewards"),
    ],
)
def test_refusals(call, error, message):
    with pytest.raises(error, match=message):
        call()
