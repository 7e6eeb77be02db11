"""Learners on small classes, held to hand counts and to every target and multiset."""

from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import ceil

import numpy as np
import pytest

from rolltheory.dimension.classes import class_from_rows
from rolltheory.dimension.density import max_density
from rolltheory.dimension.exact_risk import (
    exact_failure_probability,
    exact_risk,
    worst_consistent_risk,
)
from rolltheory.dimension.families import all_field_gap, grid, hexagon, star
from rolltheory.dimension.learners import (
    EmpiricalRiskMinimiser,
    OneInclusionLearner,
    PrefixVote,
    leave_one_out_mistakes,
)
from rolltheory.dimension.local_families import (
    four_token_gap,
    markov_tables,
    needle,
    one_hot_tasks,
)
from rolltheory.dimension.rollout import rollout_class
from rolltheory.errors import AssumptionError, DomainError, UnsupportedError

STAR = ["000", "100", "010", "001"]


def traces(family, steps, prompts=None):
    return rollout_class(family.local, prompts or family.prompts, steps=steps)


def worst_leave_one_out(learner, size):
    whole = learner.hypotheses
    return max(
        leave_one_out_mistakes(learner, prompts, [row[whole.points.index(x)] for x in prompts])
        for prompts in combinations_with_replacement(whole.points, size)
        for row in whole.rows
    )


def mean_risk(learner, size):
    rows = learner.hypotheses.rows
    return sum(exact_risk(learner, row, samples=size) for row in rows) / len(rows)


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("hypotheses", [star(3), hexagon(), grid(2, 3), all_field_gap()])
def test_leave_one_out_mistakes_are_within_the_density(hypotheses, size):
    density = max_density(hypotheses).value
    restricted = [
        max_density(
            class_from_rows([[row[i] for i in kept] for row in hypotheses.rows], merge=True)
        )
        for kept in product(range(len(hypotheses.points)), repeat=size)
        if len(set(kept)) == size
    ]
    bound = max([density, *(found.value for found in restricted)])
    assert worst_leave_one_out(OneInclusionLearner(hypotheses), size) <= ceil(bound)
    assert worst_leave_one_out(OneInclusionLearner(hypotheses, randomised=True), size) <= bound


def test_traces_of_ds_dimension_three_cost_two_mistakes():
    learner = OneInclusionLearner(traces(four_token_gap(), 2, ("0", "1", "3", "32")))
    assert [worst_leave_one_out(learner, size) for size in (1, 2, 3, 4)] == [1, 2, 2, 2]


def test_risks_on_the_needle():
    found = traces(needle(4), 15)
    learner, zero = OneInclusionLearner(found), found.rows[0]
    largest = [max(exact_risk(learner, row, samples=m) for row in found.rows) for m in (1, 2, 4)]
    assert largest == [Fraction(1, 4), Fraction(9, 64), Fraction(81, 1024)]
    worst = [worst_consistent_risk(found, zero, samples=m) for m in (1, 2, 4, 8)]
    assert worst == [Fraction(3, 4) ** m for m in (1, 2, 4, 8)]


@pytest.mark.parametrize("steps", [1, 2, 8])
@pytest.mark.parametrize("bits", [2, 3])
def test_risk_on_free_bits_is_known_at_any_length(bits, steps):
    learner = OneInclusionLearner(traces(one_hot_tasks(bits), steps))
    for m in (1, 2, 3):
        assert mean_risk(learner, m) == (1 - Fraction(1, bits)) ** m / 2


@pytest.mark.parametrize(
    ("steps", "risks"),
    [
        (1, (0.3750, 0.2812)),
        (2, (0.3984, 0.2266)),
        (3, (0.3125, 0.1582)),
        (4, (0.2500, 0.1465)),
    ],
)
def test_mean_risks_on_markov_tables(steps, risks):
    learner = OneInclusionLearner(traces(markov_tables(2), steps))
    found = [float(mean_risk(learner, m)) for m in (1, 2)]
    assert found == pytest.approx(risks, abs=5.1e-5)


def test_the_order_of_the_sample_does_not_matter():
    learner = OneInclusionLearner(all_field_gap())
    for row in learner.hypotheses.rows[:6]:
        for prompts in permutations((0, 1)):
            fitted = learner.fit(prompts, [row[x] for x in prompts])
            again = learner.fit(prompts[::-1], [row[x] for x in prompts[::-1]])
            assert fitted.probabilities(2) == again.probabilities(2)


def test_a_seen_prompt_gets_its_label_and_a_forced_one_its_only_label():
    learner = OneInclusionLearner(["01", "12"])
    assert learner.fit([0], ["1"]).predict(0) == "1"
    assert learner.fit([0], ["1"]).predict(1) == "2"
    assert learner.fit([], []).predict(0) in "01"


def test_a_random_answer_needs_a_generator():
    fitted = OneInclusionLearner(["0", "1"], randomised=True).fit([], [])
    half = Fraction(1, 2)
    assert fitted.probabilities(0) == {"0": half, "1": half}
    with pytest.raises(DomainError, match="a generator: the answer is random"):
        fitted.predict(0)
    rng = np.random.default_rng(0)
    assert {fitted.predict(0, rng) for _ in range(20)} == {"0", "1"}


def test_whole_heads_need_no_generator():
    rng = np.random.default_rng(0)
    fitted = OneInclusionLearner(STAR).fit([0], "0")
    assert fitted.predict(1, rng) == fitted.predict(1) == "0"


def test_the_vote_is_that_of_the_second_half():
    vote = PrefixVote(EmpiricalRiskMinimiser(["11", "01", "00"]))
    assert vote.fit([0, 1], "00").predict(1) == "1"  # after one pair: 01 is the first left
    assert vote.fit([1, 0], "00").predict(1) == "0"
    assert vote.ordered


def test_the_vote_needs_an_even_sample_and_an_unordered_learner():
    vote = PrefixVote(OneInclusionLearner(STAR))
    for prompts in ([], [0], [0, 1, 2]):
        with pytest.raises(DomainError, match="an even number, at least 2"):
            vote.fit(prompts, "0" * len(prompts)).predict(0)
    with pytest.raises(DomainError, match="one that ignores the order"):
        PrefixVote(vote)


def test_the_first_consistent_hypothesis():
    erm = EmpiricalRiskMinimiser(["11", "01", "00"])
    assert [erm.fit([0], [label]).predict(1) for label in "10"] == ["1", "1"]


def test_a_sample_that_no_hypothesis_labels_is_refused():
    learner = OneInclusionLearner(STAR)
    with pytest.raises(AssumptionError, match="labels of none"):
        learner.fit([0, 1], "11")
    with pytest.raises(DomainError, match="2 of them, one for each prompt"):
        learner.fit([0, 1], "1")
    with pytest.raises(DomainError, match="one of the 3 points"):
        learner.fit([3], "1")


def test_risks_under_weights():
    learner = OneInclusionLearner(STAR)
    weights = (Fraction(1, 2), Fraction(1, 2), 0)
    assert exact_risk(learner, "100", samples=0, weights=weights) == Fraction(1, 2)
    assert exact_risk(learner, "100", samples=1, weights=weights) == Fraction(1, 4)
    level = Fraction(1, 2)
    assert exact_failure_probability(learner, "100", error=level, samples=1, weights=weights) == 0
    assert (
        exact_failure_probability(
            learner, "100", error=level - Fraction(1, 9), samples=1, weights=weights
        )
        == level
    )


def test_ordered_learners_are_averaged_over_sequences():
    whole = class_from_rows(STAR)
    vote = PrefixVote(OneInclusionLearner(whole))
    pairs = product(range(3), repeat=2)
    wrong = [
        Fraction(
            sum(vote.fit(p, [STAR[1][x] for x in p]).predict(y) != STAR[1][y] for y in range(3)), 3
        )
        for p in pairs
    ]
    assert exact_risk(vote, STAR[1], samples=2) == sum(wrong) / 9


def test_what_no_risk_is_known_of():
    learner = OneInclusionLearner(STAR)
    with pytest.raises(DomainError, match="a hypothesis of the class"):
        exact_risk(learner, "111", samples=1)
    with pytest.raises(DomainError, match="3 probabilities that sum to 1"):
        exact_risk(learner, "000", samples=1, weights=(1, 1, 1))
    with pytest.raises(UnsupportedError, match="at most 1000000 of them"):
        exact_risk(learner, "000", samples=2000)


def test_the_worst_consistent_hypothesis_by_hand():
    """Target 000: after one prompt the worst of 011, 001 and the target that agree there."""
    rows = ["000", "011", "001"]
    assert worst_consistent_risk(rows, "000", samples=0) == Fraction(2, 3)
    assert worst_consistent_risk(rows, "000", samples=1) == Fraction(2 + 1 + 0, 9)
    weights = [Fraction(0), Fraction(1, 4), Fraction(3, 4)]
    assert worst_consistent_risk(rows, "000", samples=1, weights=weights) == Fraction(3, 16)


def test_a_prompt_that_cannot_be_hashed_is_none_of_the_class():
    trained = OneInclusionLearner(["00", "01", "10", "11"]).fit([0], ["1"])
    with pytest.raises(DomainError, match="one of the 2 points"):
        trained.predict([1])
