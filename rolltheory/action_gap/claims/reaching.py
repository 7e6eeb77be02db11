"""Claims about values that fall: when every rollout reaches the goal."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rolltheory.action_gap.claims.certificates import Certifier, implies, starts
from rolltheory.action_gap.claims.planned import Planned, Starts
from rolltheory.action_gap.reaching import descent_certificate, sink_free_certificate
from rolltheory.claims import Counterexample, Relation, Sides, Source, Verdict, claim

__all__ = ["descent_suffices_for_argmin_q", "falling_values_reach", "sink_free_reaches"]

PAGE = "docs/theory/action_gap.md"
PAPER = "2605.19185"


def _descending(case: Planned, lower: Callable[[Any, Any], bool]) -> Starts:
    u, ways = case.values, case.ways()
    return case.along(lambda x: any(lower(u[y], u[x]) for y in ways[x]), "steepest_slope")


def _falling(case: Planned) -> Starts:
    return starts(descent_certificate(*case.library(), case.goal).certified)


@claim(
    "action_gap.certificate.descent",
    statement=r"\forall t\ \exists y \in N(x_t): u(y) < u(x_t) \implies"
    r" \text{the rollout of steepest slope reaches } g \text{ in at most } n - 1 \text{ moves}",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#descent"),
    assumes={},
    teeth={
        "lower or equal": lambda case: _descending(case, lambda there, here: there <= here),
        "at the start only": lambda case: frozenset(
            x
            for x in case.vertices
            if x == case.goal or any(case.values[y] < case.values[x] for y in case.ways()[x])
        ),
    },
)
def falling_values_reach(case: Planned, certified: Certifier = _falling) -> Sides:
    """A rollout whose every vertex has a lower neighbour reaches the goal, however ties are broken.

    No distance is needed, and nothing is asked of the values.
    """
    return implies(certified(case), case.safe("steepest_slope"))


def _sink_free(case: Planned) -> Starts:
    graph, u = case.library()
    return starts(sink_free_certificate(graph, u, case.label_pairs(), case.goal).certified)


def _without(case: Planned, is_obstacle: Callable[[int, list[Any]], bool]) -> Starts:
    u, ways = case.values, case.ways()
    return case.along(
        lambda x: not is_obstacle(x, [u[y] - u[x] for y in ways[x]]), "steepest_slope"
    )


HARMONIC = "the values are a p-harmonic extension of the labels, 2 <= p <= infinity"


@claim(
    "action_gap.certificate.sink_free",
    statement=r"u \text{ } p\text{-harmonic}, \ \min_{N(b)} u < u(b) \text{ at labels } b \ne g,"
    r" \text{ no flat vertex beside another} \implies \text{the rollout reaches } g",
    relation=Relation.IMPLIES,
    source=Source.paper(PAPER, "Lemma 3.6 (no interior sinks); the certificate derived here"),
    assumes={HARMONIC: lambda case: _is_harmonic(case)},
    teeth={
        "flat vertices pass": lambda case: _without(
            case, lambda x, rises: x in case.labels and min(rises) >= 0
        ),
        "only strict label sinks count": lambda case: _without(
            case, lambda x, rises: x in case.labels and min(rises) > 0
        ),
        "labels pass": lambda case: _without(
            case, lambda x, rises: x not in case.labels and not any(rises)
        ),
    },
    breaks={
        HARMONIC: Counterexample(
            Planned(((0, 1), (1, 2), (2, 3)), (0, 2, 1, 2), labels=(0,)),
            "an interior sink, which the certificate refuses and the labels do not show",
            lambda case, _: implies(
                _without(case, lambda x, rises: x in case.labels or not any(rises)),
                case.safe("steepest_slope"),
            ),
        )
    },
)
def sink_free_reaches(case: Planned, certified: Certifier = _sink_free) -> Sides:
    """Without label sinks and without flat vertices side by side every rollout reaches the goal.

    For harmonic and infinity-harmonic extensions, labels exact or not, at every start whose
    rollouts meet neither.
    """
    return implies(certified(case), case.safe("steepest_slope"))


def _is_harmonic(case: Planned) -> bool:
    """Whether the values solve the harmonic or the infinity-harmonic equation off the labels."""
    u = case.values
    slopes = {
        x: [Fraction(u[y] - u[x]) / length for y, length in ways.items()]
        for x, ways in enumerate(case.ways())
        if x not in case.labels
    }
    return all(sum(s) == 0 for s in slopes.values()) or all(
        max(s) + min(s) == 0 for s in slopes.values()
    )


@claim(
    "action_gap.certificate.argmin_q_descends",
    statement=r"\forall x \ne g\ \exists y \in N(x): u(y) < u(x) \implies"
    r" \text{the rollout of } \arg\min Q_u \text{ reaches } g",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#weighted-graphs"),
    assumes={},
    repairs={"the steepest slope": "steepest_slope"},
    declared=Verdict.REFUTED,
    repaired_by="action_gap.certificate.descent",
)
def descent_suffices_for_argmin_q(case: Planned, planner: str = "argmin_q") -> Sides:
    """Values that fall everywhere lead an argmin-Q planner to the goal.

    False on graphs with lengths: with exact labels and the infinity-harmonic extension on a ring of
    lengths 1, 4, 1, 4, the planner takes the short edge back and forth. The steepest slope reaches.
    """
    u, ways = case.values, case.ways()
    falls = all(x == case.goal or any(u[y] < u[x] for y in around) for x, around in enumerate(ways))
    return Sides(falls, case.safe(planner) == set(case.vertices))
