"""Claims about edges that change, and about the limits of norms and radii."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Enclosure,
    Relation,
    Sides,
    Source,
    Tight,
    Tooth,
    Verdict,
    claim,
)
from rolltheory.graph_world.claims.matrices import (
    Matrix,
    Vector,
    floats,
    identity,
    matrix,
    norm_squared,
    product,
    radius,
    transposed,
    vector,
)
from rolltheory.graph_world.edges import normalisation_lipschitz, topk_margin_horizon
from rolltheory.graph_world.lipschitz import activation_slope
from rolltheory.graph_world.spectral import kreiss_constant

__all__ = [
    "Activation",
    "Alternation",
    "Directions",
    "Ranking",
    "alternating_radii_bound_a_rollout",
    "edges_hold_while_the_margin_does",
    "kreiss_brackets_the_powers",
    "normalisation_stretches_by_the_root",
    "norms_bound_an_alternating_rollout",
    "slopes_are_the_steepest",
]

EDGES = "docs/theory/graph_world.md#edges"
SYMMETRIC = "messages go both ways, with equal weights"


def upper(value: Any) -> Any:
    return value.high if isinstance(value, Enclosure) else value


@dataclass(frozen=True)
class Alternation:
    """Two message matrices that take turns."""

    first: Matrix
    second: Matrix

    def turn(self) -> Any:
        """The squared norm of both, one after the other, to 64 binary places from below."""
        found = norm_squared(product(self.second, self.first))
        return found.low if isinstance(found, Enclosure) else found


def product_of_norms(case: Alternation) -> Any:
    """|A|^2 |B|^2, from above."""
    return upper(norm_squared(case.first)) * upper(norm_squared(case.second))


def product_of_radii(case: Alternation) -> Any:
    """rho(A)^2 rho(B)^2, from above."""
    return (upper(radius(case.first)) * upper(radius(case.second))) ** 2


NILPOTENT = Alternation(matrix([[0, 2], [0, 0]]), matrix([[0, 0], [2, 0]]))


@claim(
    "graph_world.changing.norms",
    statement=r"\lVert A_2 A_1 \rVert_2 \le \lVert A_2 \rVert_2 \lVert A_1 \rVert_2",
    relation=Relation.AT_MOST,
    source=Source.known("operator norms"),
    assumes={},
    teeth={
        "radii instead of norms": product_of_radii,
        "10 % smaller": lambda case: product_of_norms(case) * 9 / 10,
        "the larger norm once": lambda case: max(
            upper(norm_squared(case.first)), upper(norm_squared(case.second))
        ),
    },
    tight=Tight(NILPOTENT),
)
def norms_bound_an_alternating_rollout(
    case: Alternation, bound: Callable[[Alternation], Any] = product_of_norms
) -> Sides:
    """On edges that change, the product of norms bounds a rollout."""
    return Sides(case.turn(), bound(case))


@claim(
    "graph_world.changing.radii",
    statement=r"\lVert A_2 A_1 \rVert_2 \le \rho(A_2)\,\rho(A_1)",
    relation=Relation.AT_MOST,
    source=Source.known("a popular reading of Jacobians along a rollout"),
    assumes={},
    repairs={"norms": product_of_norms},
    declared=Verdict.REFUTED,
    repaired_by="graph_world.changing.norms",
)
def alternating_radii_bound_a_rollout(
    case: Alternation, bound: Callable[[Alternation], Any] = product_of_radii
) -> Sides:
    """Radii along the way bound a rollout on changing edges. False: nilpotent turns may grow."""
    return Sides(case.turn(), bound(case))


@dataclass(frozen=True)
class Directions:
    """A nonnegative matrix and a direction in which it changes, both zero on the diagonal."""

    matrix: Matrix
    direction: Matrix
    step: Fraction


def degrees(m: Matrix) -> Vector:
    """1 + row sums."""
    return vector(1 + sum(row) for row in m)


def root_bound(case: Directions) -> float:
    """What the library says, with the smallest degree of both matrices."""
    smallest = min(*degrees(case.matrix), *degrees(moved(case)))
    return normalisation_lipschitz(len(case.matrix), smallest_degree=float(smallest))


def moved(case: Directions) -> Matrix:
    """A + step E."""
    return matrix(
        [a + case.step * b for a, b in zip(*rows, strict=True)]
        for rows in zip(case.matrix, case.direction, strict=True)
    )


def normalised_change_squared(case: Directions) -> Enclosure:
    """|N(A + step E) - N(A)|_F^2, each square root enclosed."""
    from flint import arb, fmpq

    def balls(m: Matrix) -> list[list[Any]]:
        degree = [arb(fmpq(d.numerator, d.denominator)) for d in degrees(m)]
        looped = [
            [x + y for x, y in zip(*rows, strict=True)]
            for rows in zip(m, identity(len(m)), strict=True)
        ]
        return [
            [
                arb(fmpq(x.numerator, x.denominator)) / (degree[i] * degree[j]).sqrt()
                for j, x in enumerate(row)
            ]
            for i, row in enumerate(looped)
        ]

    pairs = zip(balls(case.matrix), balls(moved(case)), strict=True)
    changes = [a - b for rows in pairs for a, b in zip(*rows, strict=True)]
    square = sum((change * change for change in changes), arb(0))
    return Enclosure(
        float(square.abs_lower()) * (1 - 1e-15), float(square.abs_upper()) * (1 + 1e-15)
    )


def star(size: int) -> Matrix:
    """Vertex 0 joined to all others."""
    return matrix([int((i == 0) != (j == 0)) for j in range(size)] for i in range(size))


def zeros(size: int) -> Matrix:
    """No edges."""
    return matrix([0] * size for _ in range(size))


@claim(
    "graph_world.edges.normalisation",
    statement=r"\lVert N(A') - N(A) \rVert_F"
    r" \le \frac{1 + \sqrt n}{d_{\min}} \lVert A' - A \rVert_F",
    relation=Relation.AT_MOST,
    source=Source.derived(EDGES),
    assumes={
        SYMMETRIC: lambda case: (
            case.matrix == transposed(case.matrix) and case.direction == transposed(case.direction)
        )
    },
    teeth={
        "a constant of one": lambda _: 1.0,
        "without the root of n": lambda case: (
            2.0 * root_bound(case) / (1 + len(case.matrix) ** 0.5)
        ),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={
        SYMMETRIC: Counterexample(
            Directions(matrix([[0, 0], [100, 0]]), matrix([[1, 0], [0, 0]]), Fraction(1, 1000)),
            "A row of degree 1 meets one of degree 101: the change is stretched fivefold.",
        )
    },
    tight=Tight(Directions(zeros(9), star(9), Fraction(1, 1000)), at_least=0.3),
)
def normalisation_stretches_by_the_root(
    case: Directions, constant: Callable[[Directions], float] = root_bound
) -> Sides:
    """Symmetric normalisation stretches a change of edges by at most (1 + sqrt n) / d_min."""
    change = case.step**2 * sum(x**2 for row in case.direction for x in row)
    return Sides(normalised_change_squared(case), Fraction(constant(case)) ** 2 * change)


@dataclass(frozen=True)
class Ranking:
    """Scores of one vertex's candidates, how many it keeps, and what is added to them."""

    scores: Vector
    kept: int
    errors: Vector

    def chosen(self, scores: Vector) -> set[int]:
        """The candidates kept; ties go to the first."""
        order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
        return set(order[: self.kept])

    @property
    def gap(self) -> Fraction:
        """Between the last kept and the first left out."""
        falling = sorted(self.scores, reverse=True)
        return falling[self.kept - 1] - falling[self.kept]

    @property
    def error(self) -> Fraction:
        """The largest move."""
        return max(map(abs, self.errors))

    def holds(self) -> bool:
        """Whether the choice survives."""
        moved_scores = tuple(a + b for a, b in zip(self.scores, self.errors, strict=True))
        return self.chosen(self.scores) == self.chosen(moved_scores)


def margin_promises(gap: Fraction, error: Fraction) -> bool:
    """What the library says."""
    return topk_margin_horizon([float(gap)], [float(error)], score_lipschitz=1.0) == 1


@claim(
    "graph_world.edges.margin",
    statement=r"2 L_{\mathrm{score}} e^X < \mathrm{gap}"
    r" \implies \text{top-}k \text{ edges are kept}",
    relation=Relation.IMPLIES,
    source=Source.derived(EDGES),
    assumes={},
    teeth={
        "once instead of twice": lambda gap, error: error < gap,
        "up to the gap": lambda gap, error: 2 * error <= gap,
        "always": lambda *_: True,
    },
)
def edges_hold_while_the_margin_does(
    case: Ranking, promised: Callable[[Fraction, Fraction], bool] = margin_promises
) -> Sides:
    """Hard edges do not change while twice the moved scores stay below the gap of the ranking."""
    return Sides(bool(promised(case.gap, case.error)), case.holds())


Kreiss = Callable[[Matrix], tuple[float, float]]


@lru_cache(maxsize=1024)
def kreiss_of(m: Matrix) -> tuple[float, float]:
    """What the library says."""
    found = kreiss_constant(floats(m))
    return found.lower, found.upper


@lru_cache(maxsize=1024)
def largest_power_squared(m: Matrix) -> Any:
    """The largest |A^k|^2, from above; after one below 1 no power is larger than those before."""
    grown, largest = identity(len(m)), Fraction(1)
    for _ in range(60):
        grown = product(grown, m)
        size = Fraction(upper(norm_squared(grown)))
        largest = max(largest, size)
        if size < 1:
            break
    return largest


@claim(
    "graph_world.powers.kreiss",
    statement=r"\mathrm{lower} \le \sup_k \lVert A^k \rVert_2 \le \mathrm{upper},"
    r" \quad \sup_k \lVert A^k \rVert_2 \le e\,N\,\mathrm{lower}",
    relation=Relation.IMPLIES,
    source=Source.known("Kreiss's matrix theorem"),
    assumes={
        "the radius is below one": lambda case: upper(radius(case)) < 1,
    },
    teeth={
        "a tenth of the constant": lambda m: (kreiss_of(m)[0] / 10, kreiss_of(m)[1]),
        "twice the upper end": lambda m: (2 * kreiss_of(m)[1], 2 * kreiss_of(m)[1]),
        "the radius as upper end": lambda m: (kreiss_of(m)[0], float(upper(radius(m)))),
    },
    breaks={
        "the radius is below one": Counterexample(
            matrix([[1, 1], [0, 1]]),
            "Powers grow without end.",
            lambda case, _: Sides(True, bool(largest_power_squared(case) < 1)),
        )
    },
)
def kreiss_brackets_the_powers(case: Matrix, bracket: Kreiss = kreiss_of) -> Sides:
    """The Kreiss constant brackets the largest norm of any power, up to e times the size."""
    low, high = map(Fraction, bracket(case))
    largest = largest_power_squared(case)
    e_n = Fraction(2718281829, 10**9) * len(case)
    slack = 1 + Fraction(1, 10**9)
    good = low**2 <= largest * slack and largest <= high**2 and largest <= (e_n * low) ** 2 * slack
    return Sides(True, bool(good))


@dataclass(frozen=True)
class Activation:
    """Two points on an activation, near together."""

    name: str
    first: float
    second: float

    def secant(self) -> float:
        """|f(x) - f(y)| / |x - y|, in balls."""
        from flint import arb, ctx

        ctx.prec = max(ctx.prec, 128)  # near points, whose difference must keep its digits
        functions: dict[str, Callable[[Any], Any]] = {
            "identity": lambda x: x,
            "relu": lambda x: x if x > 0 else arb(0),
            "leaky_relu": lambda x: x if x > 0 else x / 100,
            "tanh": lambda x: x.tanh(),
            "sigmoid": lambda x: 1 / (1 + (-x).exp()),
            "gelu": lambda x: x * (1 + (x / arb(2).sqrt()).erf()) / 2,
            "silu": lambda x: x / (1 + (-x).exp()),
        }
        f = functions[self.name]
        slope = abs(
            (f(arb(self.first)) - f(arb(self.second))) / (arb(self.first) - arb(self.second))
        )
        return float(slope.abs_lower())


@claim(
    "graph_world.lipschitz.activations",
    statement=r"\frac{|\sigma(x) - \sigma(y)|}{|x - y|} \le L_\sigma",
    relation=Relation.AT_MOST,
    source=Source.known("derivatives of activations"),
    assumes={},
    teeth={
        "one for all": lambda name: 1.0 if name in ("gelu", "silu") else activation_slope(name),
        "a thousandth smaller": lambda name: 0.999 * activation_slope(name),
        "a billionth smaller": lambda name: (1 - 1e-9) * activation_slope(name),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Activation("relu", 1.0, 2.0)),
)
def slopes_are_the_steepest(
    case: Activation, slope: Callable[[str], float] = activation_slope
) -> Sides:
    """No secant of an activation is steeper than its constant."""
    return Sides(Fraction(case.secant()), Fraction(slope(case.name)))
