"""Claims about what positive vectors say of a nonnegative matrix: its radius and its powers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
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
    applied,
    floats,
    matrix,
    norm_squared,
    power,
    radius,
    transposed,
    vector,
)
from rolltheory.graph_world.spectral import is_nilpotent_graph, power_norm_bound
from rolltheory.numerics.perron import collatz_wielandt_bounds_exact, perron_certificate

__all__ = [
    "Powers",
    "Quotients",
    "certificate_encloses",
    "largest_quotient_is_above",
    "nilpotent_iff_acyclic",
    "power_bound_in_floats",
    "powers_follow_the_radius",
    "powers_have_a_transient",
    "smallest_quotient_is_below",
]

PAGE = "docs/theory/graph_world.md#powers"
NONNEGATIVE = "all entries are nonnegative"
POSITIVE = "the vector is positive"


@dataclass(frozen=True)
class Quotients:
    """A matrix and a vector to divide by."""

    matrix: Matrix
    vector: Vector


def quotients(case: Quotients) -> list[Fraction]:
    """(A x)_i / x_i over the support of x."""
    image = applied(case.matrix, case.vector)
    return [y / x for y, x in zip(image, case.vector, strict=True) if x]


SWAP = Quotients(matrix([[0, -1], [-1, 0]]), vector([1, 1]))


def largest_quotient(case: Quotients) -> Fraction:
    """The honest upper bound."""
    return collatz_wielandt_bounds_exact(case.matrix, case.vector)[1]


def smallest_quotient(case: Quotients) -> Fraction:
    """The honest lower bound."""
    return collatz_wielandt_bounds_exact(case.matrix, case.vector)[0]


def is_nonnegative(case: Any) -> bool:
    return bool(min(map(min, case.matrix)) >= 0)


@claim(
    "graph_world.radius.upper",
    statement=r"\rho(A) \le \max_i (A x)_i / x_i \quad \text{for } A \ge 0,\ x > 0",
    relation=Relation.AT_MOST,
    source=Source.known("Collatz and Wielandt"),
    assumes={
        NONNEGATIVE: is_nonnegative,
        POSITIVE: lambda case: min(case.vector) > 0,
    },
    teeth={
        "10 % smaller": lambda case: largest_quotient(case) * 9 / 10,
        "the mean quotient": lambda case: sum(quotients(case)) / len(case.vector),
        "the smallest quotient": smallest_quotient,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={
        NONNEGATIVE: Counterexample(
            SWAP,
            "The quotients are -1.",
            lambda case, _: Sides(Fraction(1), max(quotients(case))),
        ),
        POSITIVE: Counterexample(
            Quotients(matrix([[1, 0], [0, 2]]), vector([1, 0])),
            "The vector does not see the second component.",
            lambda case, _: Sides(radius(case.matrix), max(quotients(case))),
        ),
    },
    tight=Tight(Quotients(matrix([[0, 4], [1, 0]]), vector([2, 1]))),
)
def largest_quotient_is_above(
    case: Quotients, quotient: Callable[[Quotients], Fraction] = largest_quotient
) -> Sides:
    """A positive vector bounds the spectral radius from above by its largest quotient."""
    return Sides(radius(case.matrix), quotient(case))


@claim(
    "graph_world.radius.lower",
    statement=r"\rho(A) \ge \min_i (A x)_i / x_i \quad \text{for } A \ge 0,\ x > 0",
    relation=Relation.AT_LEAST,
    source=Source.known("Collatz and Wielandt"),
    assumes={NONNEGATIVE: is_nonnegative},
    teeth={
        "10 % larger": lambda case: smallest_quotient(case) * 11 / 10,
        "the mean quotient": lambda case: sum(quotients(case)) / len(case.vector),
        "the largest quotient": largest_quotient,
        "direction swapped": Tooth(relation=Relation.AT_MOST),
    },
    breaks={
        NONNEGATIVE: Counterexample(
            Quotients(matrix([[1, -1], [1, -1]]), vector([2, 1])),
            "It is nilpotent, yet both quotients are positive.",
            lambda case, _: Sides(Fraction(0), min(quotients(case))),
        ),
    },
    tight=Tight(Quotients(matrix([[0, 4], [1, 0]]), vector([2, 1]))),
)
def smallest_quotient_is_below(
    case: Quotients, quotient: Callable[[Quotients], Fraction] = smallest_quotient
) -> Sides:
    """A positive vector bounds the spectral radius from below by its smallest quotient."""
    return Sides(radius(case.matrix), quotient(case))


Enclose = Callable[[Matrix], tuple[float, float]]


def certified(m: Matrix) -> tuple[float, float]:
    """What the certificate says."""
    certificate = perron_certificate(floats(m))
    return certificate.lower, certificate.upper


def by_eigenvalues(m: Matrix) -> tuple[float, float]:
    """What an eigenvalue solver says, taken at its word."""
    import numpy as np

    found = float(np.abs(np.linalg.eigvals(floats(m))).max())
    return found, found


@claim(
    "graph_world.radius.certificate",
    statement=r"\mathrm{lower} \le \rho(A) \le \mathrm{upper}, \quad"
    r"\mathrm{upper} - \mathrm{lower} \le 10^{-8} \max(1, \rho(A))",
    relation=Relation.IMPLIES,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "eigenvalues taken at their word": by_eigenvalues,
        "half the lower end twice": lambda m: (certified(m)[0] / 2, certified(m)[0] * (1 - 1e-9)),
        "too wide to say anything": lambda m: (0.0, 2 * certified(m)[1] + 1),
    },
)
def certificate_encloses(case: Matrix, enclose: Enclose = certified) -> Sides:
    """The float certificate contains the exact radius of every matrix of small rationals.

    Reducible, periodic, nilpotent and defective ones included.
    """
    lower, upper = enclose(case)
    true = radius(case)
    low, high = (true.low, true.high) if isinstance(true, Enclosure) else (true, true)
    narrow = upper - lower <= 1e-8 * max(1.0, upper)
    return Sides(True, bool(Fraction(lower) <= high and low <= Fraction(upper) and narrow))


def is_acyclic(m: Matrix) -> bool:
    """What the float function says."""
    return is_nilpotent_graph(floats(m))


@claim(
    "graph_world.radius.zero",
    statement=r"\rho(A) = 0 \iff A^n = 0 \iff \text{the graph of } A \ge 0 \text{ has no cycle}",
    relation=Relation.EQUAL,
    source=Source.known("Perron and Frobenius"),
    assumes={NONNEGATIVE: lambda case: min(map(min, case)) >= 0},
    teeth={
        "no self-loop": lambda m: all(m[i][i] == 0 for i in range(len(m))),
        "no walk of two steps back": lambda m: all(
            power(m, k)[i][i] == 0 for k in (1, 2) for i in range(len(m))
        ),
        "always": lambda _: True,
    },
    breaks={
        NONNEGATIVE: Counterexample(
            matrix([[1, -1], [1, -1]]),
            "Walks cancel although the graph has cycles.",
            lambda case, _: Sides(not any(map(any, power(case, 2))), case[0][0] == 0),
        )
    },
)
def nilpotent_iff_acyclic(case: Matrix, acyclic: Callable[[Matrix], bool] = is_acyclic) -> Sides:
    """The radius is zero exactly if some power vanishes, exactly if there is no cycle."""
    return Sides(not any(map(any, power(case, len(case)))), acyclic(case))


@dataclass(frozen=True)
class Powers:
    """A nonnegative matrix with positive vectors on both sides, and an exponent."""

    matrix: Matrix
    right: Vector
    left: Vector
    exponent: int

    @property
    def rates(self) -> tuple[Fraction, Fraction]:
        """a and b with A r <= a r and l A <= b l."""
        return (
            collatz_wielandt_bounds_exact(self.matrix, self.right)[1],
            collatz_wielandt_bounds_exact(transposed(self.matrix), self.left)[1],
        )


def transient_squared(right: Vector, left: Vector) -> Fraction:
    """kappa^2 = max(l / r) / min(l / r)."""
    ratios = [b / a for a, b in zip(right, left, strict=True)]
    return max(ratios) / min(ratios)


Transient = Callable[[Vector, Vector], Fraction]
TWO = Powers(matrix([[0, 4], [1, 0]]), vector([2, 1]), vector([1, 2]), 1)


@claim(
    "graph_world.powers.transient",
    statement=r"A r \le a\,r,\ l A \le b\,l \implies \lVert A^k \rVert_2^2 \le \kappa^2 (ab)^k,"
    r"\quad \kappa^2 = \frac{\max_i l_i / r_i}{\min_i l_i / r_i}",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "10 % smaller": lambda right, left: transient_squared(right, left) * 9 / 10,
        "no transient": lambda *_: Fraction(1),
        "right vector alone": lambda right, _: max(right) / min(right),
        "product instead of ratio": lambda right, left: transient_squared(
            tuple(1 / x for x in right), left
        ),
    },
    tight=Tight(TWO),
)
def powers_have_a_transient(case: Powers, transient: Transient = transient_squared) -> Sides:
    """Norms of powers follow the rate of any two positive vectors, times one constant.

    With Perron vectors the rate is the spectral radius, and the constant is attained.
    """
    rate = case.rates[0] * case.rates[1]
    bound = transient(case.right, case.left) * rate**case.exponent
    return Sides(norm_squared(power(case.matrix, case.exponent)), bound)


@claim(
    "graph_world.powers.in_floats",
    statement=r"\lVert A^k \rVert_2 \le \mathtt{power\_norm\_bound}(A).\mathtt{at}(k)",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "the radius alone": lambda m, k: perron_certificate(m).upper ** k,
        "10 % smaller": lambda m, k: 0.9 * float(power_norm_bound(m).at(k)),
    },
    tight=Tight(TWO, at_least=1 - 1e-6),
)
def power_bound_in_floats(
    case: Powers,
    bound: Callable[[Any, int], float] = lambda m, k: float(power_norm_bound(m).at(k)),
) -> Sides:
    """The float bound on powers lies above the exact norms."""
    return Sides(
        norm_squared(power(case.matrix, case.exponent)),
        Fraction(bound(floats(case.matrix), case.exponent)) ** 2,
    )


def radius_alone(case: Powers) -> Any:
    """rho^(2k), the popular bound on the square."""
    return (case.rates[0] * case.rates[1]) ** case.exponent


@claim(
    "graph_world.powers.radius_alone",
    statement=r"\lVert A^k \rVert_2 \le \rho(A)^k \quad \text{for } A \ge 0",
    relation=Relation.AT_MOST,
    source=Source.paper("2606.27780", "Theorem 1, as its code states it"),
    assumes={},
    repairs={
        "with the transient constant": lambda case: (
            transient_squared(case.right, case.left) * radius_alone(case)
        ),
    },
    declared=Verdict.REFUTED,
    repaired_by="graph_world.powers.transient",
)
def powers_follow_the_radius(case: Powers, bound: Callable[[Powers], Any] = radius_alone) -> Sides:
    """The spectral radius bounds norms of powers. False unless A is symmetric (or normal).

    [[0, 4], [1, 0]] has radius 2, and its odd powers have twice the norm promised, for ever.
    """
    return Sides(norm_squared(power(case.matrix, case.exponent)), bound(case))
