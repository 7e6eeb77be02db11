"""Claims about the error of computed values as an infinity-harmonic extension."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from rolltheory.action_gap.claims.labelled import Labelled, Values, extension
from rolltheory.action_gap.excess import label_distances
from rolltheory.action_gap.extension import Extension
from rolltheory.action_gap.graph import as_graph
from rolltheory.action_gap.iterative import IterativeMethod, iterative_amle
from rolltheory.action_gap.labels import as_labels
from rolltheory.action_gap.ladder import amle_error_bound, rung_bounds, steepness
from rolltheory.claims import Relation, Sides, Source, Tight, Tooth, Verdict, claim

__all__ = [
    "Approximation",
    "Run",
    "approximated",
    "bent_path",
    "error_is_certified",
    "forked_path",
    "iterates_are_certified",
    "overshot_path",
    "residual_bounds_the_error",
    "smooth_path",
]

PAGE = "docs/theory/action_gap.md"
SOURCE = Source.derived(f"{PAGE}#error-of-computed-values")


@dataclass(frozen=True)
class Approximation:
    """A problem whose labels and lengths are floats, and float values at all vertices."""

    problem: Labelled
    values: tuple[float, ...]

    @property
    def error(self) -> Fraction:
        """The largest error of the values."""
        exact = extension(self.problem)
        return max(abs(Fraction(v) - u) for v, u in zip(self.values, exact, strict=True))

    @property
    def residual(self) -> Fraction:
        """Half the largest difference of the steepest rise and fall, free of rounding."""
        gaps = []
        for x in self.problem.inner:
            slopes = [
                (Fraction(self.values[y]) - Fraction(self.values[x])) / length
                for y, length in self.problem.links[x]
            ]
            gaps.append(abs(max(slopes) + min(slopes)) / 2)
        return max(gaps, default=Fraction(0))


def approximated(problem: Labelled, values: Values) -> Approximation:
    """The values rounded to floats, those of the problem too, and the labels in their places."""
    lengths = tuple(Fraction(float(length)) for length in problem.lengths)
    labels = tuple((b, Fraction(float(f))) for b, f in problem.labels)
    stored = Labelled(problem.edges, labels, lengths)
    known = stored.known
    return Approximation(
        stored, tuple(float(known.get(x, value)) for x, value in enumerate(values))
    )


def bent_path(count: int) -> Approximation:
    """A path between labels 0 and n - 1, values that rise by 3/2 a step, then by 1/2."""
    edges = tuple((x, x + 1) for x in range(count - 1))
    top = Fraction(count - 1)
    values = tuple(min(Fraction(3 * x, 2), top - (top - x) / 2) for x in range(count))
    return approximated(Labelled(edges, ((0, Fraction(0)), (count - 1, top))), values)


def smooth_path(count: int) -> Approximation:
    """The same with values on a parabola: the residual is 1/n, the error about n/4."""
    edges = tuple((x, x + 1) for x in range(count - 1))
    top = count - 1
    values = tuple(x + Fraction(x * (top - x), 2 * top) for x in range(count))
    labels = ((0, Fraction(0)), (top, Fraction(top)))
    return approximated(Labelled(edges, labels), values)


def forked_path(count: int) -> Approximation:
    """A steep path and a flat one that leaves it at vertex 1, of so many edges each.

    Vertex 1 is one too high, the first vertex of the flat path two: each rung adds an error of one.
    """
    steep, flat = range(count + 1), [1, *range(count + 1, 2 * count + 1)]
    edges = tuple(pairwise(steep)) + tuple(pairwise(flat))
    ends = {count: Fraction(-1000 * count), 2 * count: Fraction(-1000 - 10 * count)}
    values = {0: Fraction(0), 1: Fraction(-999), count + 1: Fraction(-1008)}
    for path in (steep[1:], flat[1:]):
        start, end, parts = values[path[0]], ends[path[-1]], len(path) - 1
        values |= {x: start + (end - start) * i / parts for i, x in enumerate(path)}
    problem = Labelled(edges, ((0, Fraction(0)), *ends.items()))
    return approximated(problem, tuple(values[x] for x in range(2 * count + 1)))


def overshot_path(count: int) -> Approximation:
    """A path of so many edges between labels 0 and -n that first rises to 1, then falls evenly."""
    top = Fraction(-count)
    fall = (top - 1) / (count - 1)
    values = (Fraction(0), *(1 + fall * i for i in range(count)))
    labels = ((0, Fraction(0)), (count, top))
    return approximated(Labelled(tuple(pairwise(range(count + 1))), labels), values)


STEP = ((0, Fraction(0)), (1, Fraction(1)))
# Vertex 2 hangs on the label 1 by a short edge and has its value.
NEARLY_LEVEL = Approximation(
    Labelled(((0, 1), (0, 2), (1, 2)), STEP, (1, 64, Fraction(1, 64))), (0.0, 1.0, 1.0)
)
Bound = Callable[[Approximation], Fraction]


def by_the_ladder(case: Approximation) -> Fraction:
    """What the library vouches for."""
    labels, lengths = case.problem.floats()
    bound = amle_error_bound(case.problem.edges, labels, case.values, lengths=lengths)
    return Fraction(bound)


def _rungs(case: Approximation, reach: float) -> list[Fraction]:
    """What the rungs add, with distances to the labels times a factor."""
    labels, lengths = case.problem.floats()
    graph = as_graph(case.problem.edges, lengths=lengths)
    labelled, _ = as_labels(graph, labels)
    values = np.array(case.values)
    away = reach * label_distances(graph, labels)
    found = rung_bounds(graph, labelled, values, steepness(graph, values), away)
    return [Fraction(part) for part in found.tolist()]


def by_the_residual(case: Approximation) -> Fraction:
    """What an iteration that watches its residual would claim."""
    return case.residual


@claim(
    "action_gap.amle.certified",
    statement=r"\|v - u\|_\infty \le \sum_k \max_{x \in C_k} \max(D_k^+(x), D_k^-(x))",
    relation=Relation.AT_MOST,
    source=SOURCE,
    assumes={},
    teeth={
        "the residual": by_the_residual,
        "rounding does not matter": lambda _case: Fraction(0),
        "a third of the bound": lambda case: by_the_ladder(case) / 3,
        "the largest rung": lambda case: max(_rungs(case, 1.0), default=Fraction(0)),
        "one reach": lambda case: sum(_rungs(case, 0.5), Fraction(0)),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(NEARLY_LEVEL, at_least=Fraction(4096, 4097)),
)
def error_is_certified(case: Approximation, bound: Bound = by_the_ladder) -> Sides:
    """Values from any solver are as near to the extension as the library certifies.

    Vertices are ranked by their steepest slope and cut into rungs C of nearly equal slope; D is
    what a path of steepest edges to a rung above, up (+) or down (-), lacks of the rung's slope.
    """
    return Sides(case.error, bound(case))


@claim(
    "action_gap.amle.residual_bounds_the_error",
    statement=r"\|v - u\|_\infty \le \max_{x \notin \Gamma}"
    r" |\tfrac12 (\max_{y \sim x} v(y) + \min_{y \sim x} v(y)) - v(x)|",
    relation=Relation.AT_MOST,
    source=SOURCE,
    assumes={},
    repairs={"by rungs": by_the_ladder},
    declared=Verdict.REFUTED,
    repaired_by="action_gap.amle.certified",
)
def residual_bounds_the_error(case: Approximation, bound: Bound = by_the_residual) -> Sides:
    """Values that nearly satisfy the equation are near to the extension.

    False: along a path of n edges the error can be n^2 / 4 times the residual, so that an iteration
    that stops when a sweep changes little may be anywhere.
    """
    return Sides(case.error, bound(case))


@dataclass(frozen=True)
class Run:
    """So many sweeps of an iterative method."""

    problem: Labelled
    method: IterativeMethod
    sweeps: int


def _found(case: Run) -> Extension:
    labels, lengths = case.problem.floats()
    return iterative_amle(
        case.problem.edges,
        labels,
        method=case.method,
        tolerance=1e-12,
        max_sweeps=case.sweeps,
        lengths=lengths,
    )


@claim(
    "action_gap.amle.sandwich",
    statement=r"v \le u \le w \implies \|\tfrac12 (v + w) - u\|_\infty \le \tfrac12 \max_x"
    r" (w(x) - v(x))",
    relation=Relation.AT_MOST,
    source=SOURCE,
    assumes={},
    teeth={
        "the residual": lambda found: found.residual,
        "a third of the bound": lambda found: (found.error_bound or 0.0) / 3,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Run(Labelled(((0, 1), (0, 2)), STEP), "gauss-seidel", 1)),
)
def iterates_are_certified(
    case: Run,
    bound: Callable[[Extension], float] = lambda found: found.error_bound or 0.0,
) -> Sides:
    """However early an iteration stops, its values are as near as it says."""
    found = _found(case)
    approximation = approximated(case.problem, tuple(map(Fraction, found.values.tolist())))
    return Sides(approximation.error, Fraction(bound(found)))
