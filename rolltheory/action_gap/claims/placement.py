"""Claims about labels: plateaus behind them, errors in them, and where they must stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rolltheory.action_gap.claims.certificates import starts
from rolltheory.action_gap.claims.planned import Planned, Starts
from rolltheory.action_gap.claims.planner import by_the_library
from rolltheory.action_gap.exact import amle_exact
from rolltheory.action_gap.noise import label_noise_bound, label_noise_tolerance
from rolltheory.action_gap.placement import exact_recovery_labels
from rolltheory.action_gap.reaching import label_sinks
from rolltheory.claims import Counterexample, Relation, Sides, Source, Verdict, claim

__all__ = [
    "Noisy",
    "exact_labels_never_trap",
    "geodesic_ends_recover_the_distance",
    "leaf_behind_a_wrong_label",
    "noise_below_the_tolerance_makes_no_sink",
    "plateaus_are_left_by_chance",
]

PAGE = "docs/theory/action_gap.md"
GOAL_LABELLED = "the goal is labelled"


def _solved(case: Planned) -> Planned:
    """With the infinity-harmonic extension of the labels that the case has, goal or not."""
    return case.extended(amle_exact, {b: Fraction(case.values[b]) for b in case.labels})


@claim(
    "action_gap.plateau.random_ties",
    statement=r"u = \mathrm{AMLE}(d|_\Gamma), \ g \in \Gamma \implies"
    r" \text{random ties reach } g \text{ almost surely from everywhere}",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#theorem-r"),
    assumes={GOAL_LABELLED: lambda case: case.goal in case.labels},
    teeth={
        "all ties": lambda case: by_the_library(case, "all"),
        "highest index": lambda case: by_the_library(case, "highest_index"),
        "lowest index": lambda case: by_the_library(case, "lowest_index"),
    },
    breaks={
        GOAL_LABELLED: Counterexample(
            Planned(((0, 1), (1, 2), (0, 3), (3, 4)), (0, 1, 2, 1, 2), labels=(1, 4)),
            "the leaf behind a label is lower than the goal before it",
        )
    },
)
def plateaus_are_left_by_chance(
    case: Planned,
    reach: Callable[[Planned], Starts] = lambda case: by_the_library(case, "random"),
) -> Sides:
    """With exact labels, the goal's among them, chance leads every rollout to the goal.

    The labels are the case's values at the labelled vertices, distances to the goal. Only plateaus
    can hold a rollout, and only one that breaks its ties badly.
    """
    return Sides(True, reach(_solved(case)) == set(case.vertices))


@claim(
    "action_gap.plateau.every_tie",
    statement=r"u = \mathrm{AMLE}(d|_\Gamma), \ g \in \Gamma \implies"
    r" \text{the rollout reaches } g \text{ from everywhere, however ties are broken}",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#plateaus"),
    assumes={},
    repairs={"random": "random", "farthest visited": "farthest_visited", "some": "some"},
    declared=Verdict.REFUTED,
    repaired_by="action_gap.plateau.random_ties",
)
def exact_labels_never_trap(case: Planned, ties: Any = "all") -> Sides:
    """With exact labels the infinity-harmonic extension leads every greedy rollout to the goal.

    False on a path of four with its first two vertices labelled: behind the label all values are
    equal, and a planner that prefers the far end stays there.
    """
    return Sides(True, by_the_library(_solved(case), ties) == set(case.vertices))


def _bound(case: Planned) -> Fraction:
    """The library's noise bound in the unit of the case."""
    return Fraction(label_noise_bound(case.graph())) / case.scale


@dataclass(frozen=True)
class Noisy:
    """A graph whose values are exact labels, and the errors of the labels."""

    exact: Planned
    errors: tuple[Fraction, ...]

    def labelled(self) -> Planned:
        """With the infinity-harmonic extension of the wrong labels."""
        labels = self.exact.labels
        given = dict(zip(labels, self.errors, strict=True))
        values = tuple(u + given.get(x, 0) for x, u in enumerate(self.exact.values))
        return _solved(replace(self.exact, values=values))

    @property
    def largest(self) -> Fraction:
        """The largest error."""
        return max(abs(error) for error in self.errors)


@claim(
    "action_gap.noise.sharp",
    statement=r"\text{path } g, b, x \text{ of unit cost, labels } \varepsilon, 1 - \varepsilon:"
    r" \quad \text{every rollout reaches } g \iff \varepsilon < \tfrac12",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#theorem-r"),
    assumes={},
    teeth={
        "one half allowed": lambda error, bound: error <= bound,
        "ten per cent more": lambda error, bound: error < bound * Fraction(11, 10),
        "the whole edge": lambda error, bound: error < 2 * bound,
    },
)
def leaf_behind_a_wrong_label(
    case: Noisy, harmless: Callable[[Fraction, Fraction], bool] = lambda error, bound: error < bound
) -> Sides:
    """Label errors of half an edge are too many: three vertices on a path show it.

    The goal is labelled too high and its neighbour too low, by the same amount.
    """
    noisy = case.labelled()
    reached = noisy.safe() == set(noisy.vertices)
    return Sides(harmless(case.largest, _bound(case.exact)), reached)


def _tolerance(case: Planned) -> Fraction:
    """The library's tolerance of the noiseless extension, in the unit of the case."""
    graph, u = case.library()
    return Fraction(label_noise_tolerance(graph, u, case.label_pairs(), case.goal)) / case.scale


def _sinks(case: Planned) -> Starts:
    graph, u = case.library()
    return starts(label_sinks(graph, u, case.label_pairs(), case.goal))


@claim(
    "action_gap.noise.tolerance",
    statement=r"\max_\Gamma |f - d| < \varepsilon^* = \tfrac12 \min_{b \ne g}"
    r" u(b) - \min_{N(b)} u \implies \text{no label becomes a sink}, \quad"
    r" \varepsilon^* \ge \tfrac12 \ell_{\min}",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#theorem-r"),
    assumes={},
    teeth={
        "the whole drop": lambda case: 2 * _tolerance(case),
        "any noise": lambda _: Fraction(100),
    },
)
def noise_below_the_tolerance_makes_no_sink(
    case: Noisy, tolerance: Callable[[Planned], Fraction] = _tolerance
) -> Sides:
    """Label errors below half the smallest drop at a label turn no label into a sink.

    The drop is read off the extension of the exact labels. It is at least the shortest edge, so the
    tolerance is never less than the bound that needs no extension.
    """
    solved = _solved(case.exact)
    allowed = tolerance(solved)
    bound = _bound(case.exact) * (1 - Fraction(1, 2**40))  # the tolerance is rounded down
    return Sides(case.largest < allowed, allowed >= bound and not _sinks(case.labelled()))


def _recovering(case: Planned) -> Starts:
    distance = case.scaled(case.distance())
    return frozenset(exact_recovery_labels(case.graph(), distance).tolist())


def _without_farther(case: Planned, counted: Callable[[int, int], bool]) -> Starts:
    distance = case.distance()
    return frozenset(
        x
        for x, ways in enumerate(case.ways())
        if x == case.goal or not any(counted(distance[y] - distance[x], d) for y, d in ways.items())
    )


@claim(
    "action_gap.labels.exact_recovery",
    statement=r"\mathrm{AMLE}(d|_\Gamma) = d \iff"
    r" \{g\} \cup \{x : d(y) < d(x) + \ell_{xy} \ \forall y \in N(x)\} \subseteq \Gamma",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#exact-recovery"),
    assumes={},
    teeth={
        "the goal alone": lambda case: frozenset({case.goal}),
        "local maxima": lambda case: _without_farther(case, lambda rise, _: rise > 0),
        "no neighbour as far": lambda case: _without_farther(case, lambda rise, _: rise >= 0),
    },
)
def geodesic_ends_recover_the_distance(
    case: Planned, needed: Callable[[Planned], Starts] = _recovering
) -> Sides:
    """Exact labels recover all distances if and only if no geodesic ends without a label."""
    recovered = _solved(case).values == case.distance()
    return Sides(recovered, needed(case) <= set(case.labels))
