"""The machinery can fail: a wrong bound is refuted, a blunt check vacuous, unknown no pass."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest
import sympy

from rolltheory.claims import (
    Budget,
    Check,
    Claim,
    ConfidenceInterval,
    Counterexample,
    Enclosure,
    Kind,
    Relation,
    Sides,
    Source,
    Tight,
    Tooth,
    Verdict,
    check,
    claim,
    examine,
    run_check,
)
from rolltheory.errors import DomainError


@dataclass(frozen=True)
class Pair:
    a: int
    b: int


def product_bound(a, b):
    """The inequality of the means, without division."""
    return (a + b) ** 2


def blunt(a, b):
    return (a + b) ** 2 + 1


@claim(
    "toy.means",
    statement=r"4|ab| \le (a+b)^2",
    relation=Relation.AT_MOST,
    source=Source.known("arithmetic-geometric mean"),
    assumes={"a and b have the same sign": lambda case: case.a * case.b >= 0},
    teeth={
        "a constant too small": lambda a, b: (a + b) ** 2 - 1,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={
        "a and b have the same sign": Counterexample(Pair(1, -1)),
    },
    tight=Tight(Pair(1, 1)),
)
def means(case, bound=product_bound):
    """Four times a product is at most the square of the sum."""
    return Sides(4 * abs(case.a * case.b), bound(case.a, case.b))


def pairs(budget: Budget):
    limit = 6 if budget.deep else 4
    return (Pair(a, b) for a in range(limit) for b in range(limit))


def check_of(claimed: Claim, supply=pairs, *, kind=Kind.ENUMERATED, **options) -> Check:
    return check(claimed, kind=kind, domain="small pairs", **options)(supply)


def run(claimed: Claim, supply=pairs, **options):
    return run_check(claimed, check_of(claimed, supply, **options))


def test_a_true_claim_with_sharp_teeth_is_supported():
    evidence = run(means)
    assert evidence.verdict is Verdict.SUPPORTED
    assert evidence.cases == 16
    assert evidence.tightness == 1.0
    assert evidence.worst_margin == 0.0
    assert evidence.teeth_caught == ("a constant too small", "direction swapped")


def test_the_deep_profile_covers_more():
    assert run_check(means, check_of(means), profile="deep").cases == 36


def test_a_wrong_bound_is_refuted_with_its_smallest_counterexample():
    wrong = replace(means, subject=lambda a, b: (a + b) ** 2 - a)
    evidence = run(wrong)
    assert evidence.verdict is Verdict.REFUTED
    assert evidence.counterexample == "Pair(a=1, b=1)"


def test_hypothesis_shrinks_the_counterexample():
    from hypothesis import strategies as st

    wrong = replace(means, subject=lambda a, b: (a + b) ** 2 - (a > 3))

    def any_pair(_: Budget):
        return st.builds(Pair, st.integers(0, 1000), st.integers(0, 1000))

    evidence = run(wrong, any_pair, kind=Kind.PROPERTY_TESTED)
    assert evidence.verdict is Verdict.REFUTED
    assert evidence.counterexample == "Pair(a=4, b=4)"


def test_a_check_that_misses_a_tooth_is_vacuous():
    with_blunt_tooth = replace(means, teeth={"too generous": Tooth(blunt)})
    evidence = run(with_blunt_tooth)
    assert evidence.verdict is Verdict.VACUOUS
    assert evidence.teeth_missed == ("too generous",)


def test_a_check_whose_cases_never_reach_the_tooth_is_vacuous():
    evidence = run(means, lambda _: [Pair(0, 5)])
    assert evidence.verdict is Verdict.VACUOUS
    assert "a constant too small" in evidence.note


@pytest.mark.parametrize("cases", [[], [Pair(1, -1), Pair(-2, 3)]])
def test_a_check_without_an_effective_case_is_vacuous(cases):
    evidence = run(means, lambda _: cases)
    assert evidence.verdict is Verdict.VACUOUS
    assert evidence.cases == 0
    assert evidence.rejected == len(cases)


def test_undecided_is_inconclusive_never_a_pass():
    def vague(case, bound=product_bound):
        right = bound(case.a, case.b)
        return Sides(4 * case.a * case.b, Enclosure(right - 1, right + 1))

    evidence = run(
        means,
        kind=Kind.CERTIFIED,
        route=vague,
        teeth={"a constant too small": lambda a, b: (a + b) ** 2 - 2},
    )
    assert evidence.verdict is Verdict.INCONCLUSIVE
    assert evidence.undecided > 0


def test_a_check_that_breaks_down_is_inconclusive():
    def broken(case, bound=product_bound):
        raise ZeroDivisionError("no")

    evidence = run(means, kind=Kind.CERTIFIED, route=broken, teeth={"a constant too small": blunt})
    assert evidence.verdict is Verdict.INCONCLUSIVE
    assert "ZeroDivisionError" in evidence.note


def test_a_subject_that_refuses_a_case_of_its_claim_is_inconclusive():
    def refusing(a, b):
        raise DomainError("a", a, "nothing")

    assert run(replace(means, subject=refusing)).verdict is Verdict.INCONCLUSIVE


def test_a_tooth_may_refuse_cases_but_must_be_caught_elsewhere():
    def refuses_small(a, b):
        if a + b < 4:
            raise DomainError("a + b", a + b, "at least 4")
        return 0

    def refuses_all(a, b):
        raise DomainError("a", a, "nothing")

    assert run(replace(means, teeth={"t": Tooth(refuses_small)})).verdict is Verdict.SUPPORTED
    assert run(replace(means, teeth={"t": Tooth(refuses_all)})).verdict is Verdict.VACUOUS


def test_a_missing_extra_leaves_the_check_not_run():
    def needs_extra(_: Budget):
        raise ModuleNotFoundError(name="z3")

    evidence = run(means, needs_extra)
    assert evidence.verdict is Verdict.NOT_RUN
    assert "rolltheory[exact]" in evidence.note


@pytest.mark.parametrize("side", [0.5, ConfidenceInterval(0, 1, error_level=0.1)])
def test_an_exact_check_refuses_inexact_sides(side):
    evidence = run(replace(means, subject=lambda a, b: side))
    assert evidence.verdict is Verdict.INCONCLUSIVE
    assert "exact check" in evidence.note


def test_a_route_must_translate_every_tooth():
    evidence = run(means, route=means.function, teeth={})
    assert evidence.verdict is Verdict.VACUOUS
    assert "a constant too small" in evidence.note


def test_implication_counts_only_cases_whose_premise_holds():
    @claim(
        "toy.implies",
        statement="a > b => a != b",
        relation=Relation.IMPLIES,
        source=Source.known("order"),
        assumes={},
        teeth={"weak premise": lambda a, b: a >= b},
    )
    def implies(case, premise=lambda a, b: a > b):
        """A larger number is another number."""
        return Sides(premise(case.a, case.b), case.a != case.b)

    evidence = run(implies)
    assert evidence.verdict is Verdict.SUPPORTED
    assert evidence.cases == 6
    assert evidence.rejected == 10


def false_claim(repair, supply=pairs):
    @claim(
        "toy.false",
        statement="a^2 >= a + 1",
        relation=Relation.AT_LEAST,
        source=Source.known("wishful thinking"),
        assumes={},
        repairs={"repaired": repair},
        declared=Verdict.REFUTED,
        repaired_by="toy.means",
    )
    def squares_win(case, bound=lambda a: a + 1):
        """Squares beat their successors."""
        return Sides(case.a**2, bound(case.a))

    return run(squares_win, supply)


def test_a_claim_declared_false_must_be_refuted_and_its_repair_accepted():
    evidence = false_claim(lambda a: a)
    assert evidence.verdict is Verdict.REFUTED
    assert evidence.counterexample == "Pair(a=0, b=0)"
    assert evidence.teeth_caught == ("repaired",)


def test_a_claim_declared_false_whose_repair_fails_is_vacuous():
    assert false_claim(lambda a: a + 2).verdict is Verdict.VACUOUS


def test_a_claim_declared_false_that_no_case_refutes_is_not_as_declared():
    evidence = false_claim(lambda a: a, lambda _: [Pair(5, 0)])
    assert evidence.verdict is Verdict.SUPPORTED


def test_examine_finds_a_counterexample_that_breaks_nothing():
    assert examine(means) == ()
    assumption = "a and b have the same sign"
    harmless = Counterexample(Pair(1, -1), sides=lambda case, bound: Sides(0, 1))
    assert "does not break" in examine(replace(means, breaks={assumption: harmless}))[0]
    swapped = Counterexample(Pair(1, -1), sides=lambda case, bound: Sides(1, 0))
    assert "no sides of its own" in examine(replace(means, breaks={assumption: swapped}))[0]
    elsewhere = replace(means, breaks={assumption: Counterexample(Pair(1, 1))})
    assert "violates []" in examine(elsewhere)[0]


def test_examine_finds_a_slack_tight_case():
    slack = replace(means, tight=Tight(Pair(1, 3)))
    assert "reaches 0.75" in examine(slack)[0]
    assert examine(replace(means, tight=Tight(Pair(1, 3), at_least=Fraction(3, 4)))) == ()


@pytest.mark.parametrize("at_least", [0, 1.1, float("nan")])
def test_a_tight_case_comes_near_its_bound(at_least):
    with pytest.raises(DomainError, match="at_least"):
        Tight(Pair(1, 3), at_least)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"teeth": {}}, "wrong variant"),
        ({"teeth": {"swapped": Tooth(relation=Relation.AT_LEAST)}}, "wrong variant"),
        ({"breaks": {}}, "one entry for each assumption"),
        ({"tight": None}, "attains the bound"),
        ({"id": "nodot"}, "theory.slug"),
        ({"declared": Verdict.REFUTED}, "repair"),
        ({"declared": Verdict.STALE}, "declared supported"),
        ({"function": lambda case, bound=1: None}, "docstring"),
    ],
)
def test_an_incomplete_record_is_refused(change, complaint):
    with pytest.raises(DomainError, match=complaint):
        replace(means, **change)


@pytest.mark.parametrize("kind", [Kind.PROVED, Kind.ENUMERATED, Kind.CERTIFIED])
def test_an_exact_check_takes_no_tolerance(kind):
    with pytest.raises(DomainError, match="tolerance"):
        check_of(means, kind=kind, tolerance=1e-9)


@pytest.mark.parametrize("kind", [Kind.PROVED, Kind.ENUMERATED])
def test_only_enclosures_have_a_width(kind):
    with pytest.raises(DomainError, match="within"):
        check_of(means, kind=kind, within=1e-9)


def test_a_log_is_no_check():
    with pytest.raises(DomainError, match="no check of a claim"):
        check_of(means, kind=Kind.OBSERVED)


def test_an_exact_check_of_an_inequality_overlooks_nothing():
    evidence = run(means, kind=Kind.CERTIFIED, within=1)
    assert evidence.verdict is Verdict.VACUOUS
    assert "overlooks 1 of an inequality" in evidence.note


def test_a_small_bound_that_is_exceeded_is_refuted():
    from hypothesis import strategies as st

    def small(case, bound=product_bound):
        return Sides(4.004e-12 * case.a * case.b, 1e-12 * bound(case.a, case.b))

    evidence = run(
        means,
        lambda _: st.builds(Pair, st.integers(0, 9), st.integers(0, 9)),
        kind=Kind.PROPERTY_TESTED,
        route=small,
        teeth={"a constant too small": lambda a, b: (a + b) ** 2 - 1},
        tolerance=1e-9,
    )
    assert evidence.verdict is Verdict.REFUTED
    assert evidence.counterexample == "Pair(a=1, b=1)"


def test_numbers_prove_nothing_beyond_themselves():
    evidence = run(means, kind=Kind.PROVED)
    assert evidence.verdict is Verdict.VACUOUS
    assert "no case has symbols" in evidence.note


def test_a_property_test_counts_the_cases_that_pass_the_assumptions():
    from hypothesis import strategies as st

    def any_sign(_: Budget):
        return st.builds(Pair, st.integers(-1000, 1000), st.integers(-1000, 1000))

    evidence = run(means, any_sign, kind=Kind.PROPERTY_TESTED)
    assert evidence.cases == Budget().examples
    assert evidence.rejected > 0


def test_a_property_test_of_no_effective_case_is_vacuous():
    from hypothesis import strategies as st

    evidence = run(means, lambda _: st.just(Pair(1, -1)), kind=Kind.PROPERTY_TESTED)
    assert (evidence.verdict, evidence.cases) == (Verdict.VACUOUS, 0)


def test_a_property_test_leaves_no_file(tmp_path, monkeypatch):
    from hypothesis import configuration
    from hypothesis import strategies as st
    from hypothesis.internal import constants_ast

    constants_ast.constants_from_module.cache_clear()
    monkeypatch.setattr("hypothesis.internal.conjecture.providers._seen_modules", set())
    monkeypatch.setattr("hypothesis.internal.conjecture.providers._sys_modules_len", None)
    configuration.set_hypothesis_home_dir(tmp_path)
    run(means, lambda _: st.builds(Pair, st.integers(), st.integers()), kind=Kind.PROPERTY_TESTED)
    left = configuration.storage_directory(intent_to_write=False).home_directory
    configuration.set_hypothesis_home_dir(None)
    assert (left, list(tmp_path.iterdir())) == (tmp_path, [])


@pytest.mark.parametrize(
    ("kind", "level"),
    [(Kind.SIMULATED, None), (Kind.SIMULATED, 0), (Kind.SIMULATED, 0.5), (Kind.PROVED, 0.005)],
)
def test_only_statistical_checks_state_an_error_level(kind, level):
    with pytest.raises(DomainError, match="error_level"):
        check_of(means, kind=kind, error_level=level)


@pytest.mark.parametrize(("each", "verdict"), [(1e-3, "supported"), (2e-3, "vacuous")])
def test_intervals_may_not_spend_more_than_the_stated_error_level(each, verdict):
    def measured(case, bound=product_bound):
        left = 4 * case.a * case.b
        return Sides(ConfidenceInterval(left - 0.1, left, error_level=each), bound(case.a, case.b))

    evidence = run(
        means,
        lambda _: [Pair(1, 1), Pair(1, 3)],
        kind=Kind.SIMULATED,
        error_level=2e-3,
        route=measured,
        teeth={"a constant too small": lambda a, b: (a + b) ** 2 - 1},
    )
    assert evidence.verdict is Verdict(verdict)


def test_noise_does_not_refute_a_claim_declared_false():
    @claim(
        "toy.noise",
        statement="left = right",
        relation=Relation.EQUAL,
        source=Source.known("wishful thinking"),
        assumes={},
        repairs={"repaired": lambda: 0.52},
        declared=Verdict.REFUTED,
        repaired_by="toy.means",
    )
    def guess(case, right=lambda: 0.6):
        """A vague interval contains the number."""
        return Sides(ConfidenceInterval(0.5, 0.55, error_level=0.5), right())

    evidence = run(guess, lambda _: [0], kind=Kind.SIMULATED, error_level=1e-6)
    assert evidence.verdict is Verdict.VACUOUS


@pytest.mark.parametrize(
    "side", [(1, 0.5), {"a": [0.5]}, {0.5}, 1j, sympy.Symbol("x") / 2.0, (np.float32(1),)]
)
def test_an_exact_check_looks_inside_containers(side):
    evidence = run(replace(means, relation=Relation.EQUAL, subject=lambda a, b: side))
    assert "exact check" in evidence.note


def test_a_run_depends_on_its_seed_alone():
    def drawn(budget: Budget):
        return (Pair(*map(int, row)) for row in budget.generator().integers(0, 9999, (5, 2)))

    def margin(seed):
        found = run_check(means, check_of(means, drawn, kind=Kind.CERTIFIED), seed=seed)
        return found.worst_margin, found.tightness, found.verdict

    assert margin(1) == margin(1)
    assert margin(1) != margin(2)
