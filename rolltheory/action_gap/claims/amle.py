"""Claims about the infinity-harmonic extension itself: what it is, and how it answers to labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from rolltheory.action_gap.claims.labelled import (
    Edges,
    Labelled,
    Values,
    extension,
    search,
)
from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Tooth, claim

__all__ = [
    "Change",
    "Guess",
    "Pair",
    "Split",
    "comparison_principle",
    "is_equivariant",
    "is_invariant_under_subdivision",
    "is_monotone",
    "is_stable",
    "lex_minimiser_is_infinity_harmonic",
    "lower_envelope",
    "middle_of_envelopes",
    "swept",
    "upper_envelope",
]

PAGE = "docs/theory/action_gap.md"
Solver: TypeAlias = Callable[[Labelled], Values]
HALF = Fraction(1, 2)
PATH: Edges = ((0, 1), (1, 2))


def lipschitz(case: Labelled) -> Fraction:
    """The Lipschitz constant of the labels."""
    return max(
        (
            (case.known[b] - case.known[c]) / Fraction(distance)
            for b in case.known
            for c, distance in search(case.links, [b]).items()
            if c in case.known and c != b
        ),
        default=Fraction(0),
    )


def _envelopes(case: Labelled) -> tuple[Values, Values]:
    steepest = lipschitz(case)
    far = {b: search(case.links, [b]) for b in case.known}
    vertices = range(len(case.links))
    lower = tuple(max(f - steepest * far[b][x] for b, f in case.labels) for x in vertices)
    upper = tuple(min(f + steepest * far[b][x] for b, f in case.labels) for x in vertices)
    return lower, upper


def lower_envelope(case: Labelled) -> Values:
    """The least extension with the labels' Lipschitz constant."""
    return _envelopes(case)[0]


def upper_envelope(case: Labelled) -> Values:
    """The greatest extension with the labels' Lipschitz constant."""
    return _envelopes(case)[1]


def middle_of_envelopes(case: Labelled) -> Values:
    """Halfway between both: right on the steepest paths only."""
    return tuple((low + high) / 2 for low, high in zip(*_envelopes(case), strict=True))


def swept(case: Labelled) -> Values:
    """Four sweeps of the midrange from the mean label, as an iteration that is stopped early."""
    mean = Fraction(sum(case.known.values()), len(case.known))
    values = {x: case.known.get(x, mean) for x in range(len(case.links))}
    for _ in range(4):
        around = {x: [values[y] for y, _ in case.links[x]] for x in case.inner}
        values.update({x: (max(near) + min(near)) / 2 for x, near in around.items()})
    return tuple(values[x] for x in range(len(case.links)))


def slope_gaps(case: Labelled, values: Values) -> tuple[Fraction, ...]:
    """At each vertex without a label, the steepest rise minus the steepest fall."""
    gaps = []
    for x in case.inner:
        slopes = [(values[y] - values[x]) / Fraction(length) for y, length in case.links[x]]
        gaps.append(max(slopes) + min(slopes))
    return tuple(gaps)


def without_lengths(case: Labelled) -> Values:
    """Every edge counted as one."""
    return extension(replace(case, lengths=()))


def with_conductances(case: Labelled) -> Values:
    """Lengths taken for conductances."""
    return extension(replace(case, lengths=tuple(1 / Fraction(size) for size in case.lengths)))


@claim(
    "action_gap.amle.infinity_harmonic",
    statement=r"u \text{ lex-minimal} \implies \max_{y \sim x} \frac{u(y) - u(x)}{\ell_{xy}}"
    r" = \max_{y \sim x} \frac{u(x) - u(y)}{\ell_{xy}} \quad (x \notin \Gamma)",
    relation=Relation.EQUAL,
    source=Source("known", "arXiv:1505.00290", "lex-minimisers of graphs"),
    assumes={"every component holds a label": Labelled.is_covered},
    teeth={
        "halfway between the envelopes": middle_of_envelopes,
        "lengths ignored": without_lengths,
        "lengths taken for conductances": with_conductances,
        "iteration stopped early": swept,
    },
    breaks={
        "every component holds a label": Counterexample(
            Labelled(((0, 1), (2, 3)), ((0, Fraction(1)),)),
            "no value of the vertices 2 and 3 is the solution: every constant is one",
            sides=lambda _case, _solver: Sides((Fraction(0),) * 2, (Fraction(1),) * 2),
        )
    },
)
def lex_minimiser_is_infinity_harmonic(case: Labelled, solver: Solver = extension) -> Sides:
    """The lex-minimal extension rises as steeply as it falls at every vertex without a label.

    Defined by edges, it exists on every graph; an extension that is minimal on every subset of a
    finite metric space need not.
    """
    return Sides(slope_gaps(case, solver(case)), (Fraction(0),) * len(case.inner))


@dataclass(frozen=True)
class Guess:
    """Values at all vertices of a graph, some of which count as labels."""

    problem: Labelled
    values: Values

    def is_covered(self) -> bool:
        """Whether every component holds a label."""
        return self.problem.is_covered()

    def is_below(self) -> bool:
        """Whether no value exceeds its label."""
        return all(self.values[b] <= f for b, f in self.problem.labels)


def is_subsolution(guess: Guess) -> bool:
    """Rises at least as steeply as it falls."""
    return min(slope_gaps(guess.problem, guess.values), default=Fraction(0)) >= 0


def has_no_strict_maximum(guess: Guess) -> bool:
    """Some neighbour is at least as high."""
    return all(
        max(guess.values[y] for y, _ in guess.problem.links[x]) >= guess.values[x]
        for x in guess.problem.inner
    )


@claim(
    "action_gap.amle.comparison",
    statement=r"\max_{y \sim x} \frac{v(y) - v(x)}{\ell_{xy}} \ge"
    r" \max_{y \sim x} \frac{v(x) - v(y)}{\ell_{xy}} \quad (x \notin \Gamma),"
    r" \quad v \le f \text{ on } \Gamma \implies v \le u",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#comparison"),
    assumes={
        "every component holds a label": Guess.is_covered,
        "no value exceeds its label": Guess.is_below,
    },
    teeth={
        "no strict maximum": has_no_strict_maximum,
        "supersolutions": lambda guess: is_subsolution(
            Guess(guess.problem, tuple(-v for v in guess.values))
        ),
    },
    breaks={
        "every component holds a label": Counterexample(
            Guess(
                Labelled(((0, 1), (2, 3)), ((0, Fraction(0)),)), (Fraction(0),) * 2 + (HALF,) * 2
            ),
            "the constants 1/2 and 0 on the vertices 2 and 3 both solve the equation",
            sides=lambda _case, _test: Sides(left=True, right=False),
        ),
        "no value exceeds its label": Counterexample(
            Guess(Labelled(PATH, ((0, Fraction(0)), (2, Fraction(2)))), (HALF, HALF, HALF)),
            "a constant above the lower label",
        ),
    },
)
def comparison_principle(
    case: Guess, hypothesis: Callable[[Guess], bool] = is_subsolution
) -> Sides:
    """Values that rise at least as steeply as they fall are nowhere above the extension.

    Turned upside down, so are supersolutions from above; hence there is only one solution.
    """
    solution = extension(case.problem)
    return Sides(hypothesis(case), all(v <= u for v, u in zip(case.values, solution, strict=True)))


@dataclass(frozen=True)
class Pair:
    """Two labellings of the same vertices of one graph."""

    first: Labelled
    second: Labelled

    @property
    def change(self) -> Fraction:
        """The largest change of a label."""
        other = self.second.known
        return max(abs(value - other[b]) for b, value in self.first.labels)


@claim(
    "action_gap.amle.stable",
    statement=r"\|u_f - u_{f'}\|_\infty \le \max_{\Gamma} |f - f'|",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#comparison"),
    assumes={},
    teeth={
        "nine tenths of the change": lambda pair: pair.change * Fraction(9, 10),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(
        Pair(
            Labelled(PATH, ((0, Fraction(0)), (2, Fraction(2)))),
            Labelled(PATH, ((0, Fraction(1)), (2, Fraction(3)))),
        )
    ),
)
def is_stable(case: Pair, bound: Callable[[Pair], Fraction] = lambda pair: pair.change) -> Sides:
    """No value changes by more than the labels do."""
    both = zip(extension(case.first), extension(case.second), strict=True)
    inner = [abs(u - v) for x, (u, v) in enumerate(both) if x in case.first.inner]
    return Sides(max(inner, default=Fraction(0)), bound(case))


@claim(
    "action_gap.amle.monotone",
    statement=r"f \le f' \text{ on } \Gamma \implies u_f \le u_{f'}",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#comparison"),
    assumes={},
    teeth={
        "the lower envelope": lower_envelope,
        "the upper envelope": upper_envelope,
        "direction swapped": lambda case: tuple(-u for u in extension(case)),
    },
)
def is_monotone(case: Pair, solver: Solver = extension) -> Sides:
    """Raising labels lowers no value; of either envelope that is false."""
    second = case.second.known
    raised = all(value <= second[b] for b, value in case.first.labels)
    both = zip(solver(case.first), solver(case.second), strict=True)
    return Sides(raised, all(u <= v for u, v in both))


@dataclass(frozen=True)
class Change:
    """Labels and an affine change of their unit."""

    problem: Labelled
    factor: Fraction
    shift: Fraction


@claim(
    "action_gap.amle.equivariant",
    statement=r"u_{a f + b} = a\, u_f + b \quad (a, b \in \mathbb{R}, a < 0 \text{ included})",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#comparison"),
    assumes={},
    teeth={
        "the lower envelope": lower_envelope,
        "the upper envelope": upper_envelope,
        "clipped at zero": lambda case: tuple(max(u, Fraction(0)) for u in extension(case)),
    },
)
def is_equivariant(case: Change, solver: Solver = extension) -> Sides:
    """A change of the labels' unit, sign and origin changes the values alike.

    Each envelope is so for positive factors only: a negative one exchanges them.
    """
    changed = case.problem.relabelled(lambda value: case.factor * value + case.shift)
    expected = tuple(case.factor * u + case.shift for u in solver(case.problem))
    return Sides(solver(changed), expected)


@dataclass(frozen=True)
class Split:
    """A graph whose edges are all cut into so many equal parts."""

    problem: Labelled
    parts: int


def subdivided(case: Split) -> Labelled:
    """The graph with its edges cut, the old vertices first, labels in the new unit."""
    edges, fresh = [], len(case.problem.links)
    for a, b in case.problem.edges:
        between = range(fresh, fresh + case.parts - 1)
        chain = [a, *between, b]
        edges += list(pairwise(chain))
        fresh += len(between)
    return replace(case.problem.relabelled(lambda f: f * case.parts), edges=tuple(edges))


@claim(
    "action_gap.amle.subdivision",
    statement=r"\tfrac{1}{k}\, u_{G_k, k f} = u_{G, f} \text{ on the vertices of } G,"
    r" \quad G_k = G \text{ with every edge cut into } k",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#comparison"),
    assumes={},
    teeth={
        "labels keep their unit": lambda split: replace(
            subdivided(split), labels=split.problem.labels
        ),
        "the first edge stays whole": lambda split: replace(
            subdivided(split), edges=(split.problem.edges[0], *subdivided(split).edges)
        ),
    },
)
def is_invariant_under_subdivision(
    case: Split, refine: Callable[[Split], Labelled] = subdivided
) -> Sides:
    """Refining every edge alike changes no value at the old vertices, up to the unit.

    So an example of a wrong or a right decision survives every refinement.
    """
    refined = extension(refine(case))[: len(case.problem.links)]
    return Sides(tuple(u / case.parts for u in refined), extension(case.problem))
