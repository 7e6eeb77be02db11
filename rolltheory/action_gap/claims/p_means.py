"""Claims about p-means of the neighbours of one vertex, where everything local is decided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from rolltheory.action_gap.p_laplacian import p_harmonic_extension
from rolltheory.claims import Relation, Sides, Source, Tight, Tooth, Verdict, claim

__all__ = [
    "At",
    "Hub",
    "Raised",
    "Solved",
    "TwoScales",
    "a_mean_lies_strictly_between",
    "local_residual_bounds_the_displacement",
    "plain_residual_bounds_the_displacement",
    "star_has_a_closed_form",
    "star_is_certified",
    "star_values_agree",
]

PAGE = "docs/theory/action_gap.md"
Values: TypeAlias = tuple[Fraction, ...]


@dataclass(frozen=True)
class Hub:
    """Values of the neighbours of one vertex, and an exponent."""

    values: Values
    p: int


def flow(values: Values, m: Fraction, p: int) -> Fraction:
    """What flows into the value m; zero at the p-mean, and decreasing in m."""
    return sum((abs(v - m) ** (p - 2) * (v - m) for v in values), Fraction(0))


def flow_without_sign(values: Values, m: Fraction, p: int) -> Fraction:
    """Powers without the absolute value, right only for even p."""
    return sum(((v - m) ** (p - 1) for v in values), Fraction(0))


def flow_of_the_median(values: Values, m: Fraction, _: int) -> Fraction:
    """The exponent one, at which a majority decides and the others stay."""
    above, below = sum(v > m for v in values), sum(v < m for v in values)
    return Fraction(((above > below) - (above < below)) * (2 * max(above, below) - len(values)))


def _sign(number: Fraction) -> int:
    return (number > 0) - (number < 0)


@claim(
    "action_gap.p_laplacian.no_interior_sink",
    statement=r"\sum_y |v_y - m|^{p-2} (v_y - m) = 0 \implies \min_y v_y < m < \max_y v_y"
    r" \text{ or all } v_y \text{ are equal}",
    relation=Relation.EQUAL,
    source=Source.paper("2605.19185", "Lemma 3.6"),
    assumes={},
    teeth={
        "no absolute value": flow_without_sign,
        "p = 1, the majority": flow_of_the_median,
        "sizes without a sign": lambda values, m, p: sum(
            (abs(v - m) ** (p - 1) for v in values), Fraction(0)
        ),
    },
)
def a_mean_lies_strictly_between(
    case: Hub, into: Callable[[Values, Fraction, int], Fraction] = flow
) -> Sides:
    """An unlabelled vertex of a p-harmonic extension has a strictly lower neighbour, or is flat.

    The left side are the signs of the flow at the least and at the greatest neighbour: as it
    decreases, it vanishes strictly between them. So only labels and plateaus stop a rollout.
    """
    low, high = min(case.values), max(case.values)
    signs = (_sign(into(case.values, low, case.p)), _sign(into(case.values, high, case.p)))
    return Sides(signs, (1, -1) if low < high else (0, 0))


@dataclass(frozen=True)
class Raised:
    """A star with ``ratio ** (p - 1)`` leaves at 0 for each leaf at 1: its p-mean is rational."""

    ratio: int
    ones: int
    p: int

    @property
    def zeros(self) -> int:
        """The number of leaves at 0."""
        return int(self.ones * self.ratio ** (self.p - 1))

    def inflow(self, m: Fraction) -> Fraction:
        """What flows into the hub at value m."""
        size = self.p - 2
        return self.ones * abs(1 - m) ** size * (1 - m) - self.zeros * abs(m) ** size * m

    def throughflow(self, m: Fraction) -> Fraction:
        """The sum of all flows, in and out."""
        size = self.p - 1
        return self.ones * abs(1 - m) ** size + self.zeros * abs(m) ** size


def closed_form(case: Raised) -> Fraction:
    """1 / (1 + (zeros / ones) ** (1 / (p - 1))), here rational."""
    return Fraction(1, 1 + case.ratio)


def game_mean(case: Raised) -> Fraction:
    """Mean and midrange with weights 1 / (p - 1) and (p - 2) / (p - 1)."""
    mean = Fraction(case.ones, case.ones + case.zeros)
    return (mean + (case.p - 2) * Fraction(1, 2)) / (case.p - 1)


@claim(
    "action_gap.p_laplacian.star",
    statement=r"k \text{ leaves at } 0,\ j \text{ at } 1: \quad"
    r" u = \frac{1}{1 + (k / j)^{1/(p-1)}}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#p-laplacians"),
    assumes={},
    teeth={
        "the mean": lambda case: Fraction(case.ones, case.ones + case.zeros),
        "the midrange": lambda _: Fraction(1, 2),
        "the game's value": game_mean,
    },
)
def star_has_a_closed_form(
    case: Raised, value: Callable[[Raised], Fraction] = closed_form
) -> Sides:
    """On a star with two values the variational p-mean has a closed form.

    The left side is what flows into the hub at that value.
    """
    return Sides(case.inflow(value(case)), Fraction(0))


@claim(
    "action_gap.p_laplacian.flavours_agree",
    statement=r"\tfrac{1}{p-1} \operatorname{mean} + \tfrac{p-2}{p-1} \operatorname{midrange}"
    r" \text{ solves } \textstyle\sum_y |v_y - m|^{p-2} (v_y - m) = 0",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#p-laplacians"),
    assumes={},
    repairs={"the variational mean": closed_form},
    declared=Verdict.REFUTED,
    repaired_by="action_gap.p_laplacian.star",
)
def star_values_agree(case: Raised, value: Callable[[Raised], Fraction] = game_mean) -> Sides:
    """The game p-Laplacian and the variational one are the same on graphs.

    False between p = 2 and infinity: with leaves 0, 0, 1 and p = 4 they are .444444 and .442493. A
    third formula in use, weights 1/p and 1 - 2/p with the midrange not halved, gives .466667.
    """
    return Sides(case.inflow(value(case)), Fraction(0))


@dataclass(frozen=True)
class At:
    """A star of `Raised` with its hub held at some value instead of its mean."""

    star: Raised
    hub: Fraction


def relative_residual(case: At) -> Fraction:
    """The flow into the hub over the sum of all flows."""
    return abs(case.star.inflow(case.hub)) / case.star.throughflow(case.hub)


@claim(
    "action_gap.p_laplacian.local_residual",
    statement=r"|m - \bar m| \le \rho \max_y |v_y - m|, \qquad"
    r" \rho = \frac{\big|\sum_y \phi_y\big|}{\sum_y |\phi_y|}, \quad"
    r" \phi_y = |v_y - m|^{p-2} (v_y - m)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#sandwich"),
    assumes={},
    teeth={
        "half of it": lambda case: relative_residual(case) / 2,
        "divided by p - 1": lambda case: relative_residual(case) / (case.star.p - 1),
        "flow per leaf": lambda case: (
            abs(case.star.inflow(case.hub)) / (case.star.ones + case.star.zeros)
        ),
    },
    tight=Tight(At(Raised(2, 1, 2), Fraction(1, 2))),
)
def local_residual_bounds_the_displacement(
    case: At, residual: Callable[[At], Fraction] = relative_residual
) -> Sides:
    r"""The scale-free residual bounds how far a value is from the p-mean of its neighbours.

    With A flowing in and B out, a shift by rho times the largest difference leaves at most
    :math:`A (1 - \rho)^{p-1}` of the one and at least :math:`B (1 + \rho)^{p-1}` of the other,
    and :math:`A / B = (1 + \rho) / (1 - \rho)`.
    """
    reach = max(abs(case.hub), abs(1 - case.hub))
    return Sides(abs(case.hub - closed_form(case.star)), residual(case) * reach)


@dataclass(frozen=True)
class TwoScales:
    """A star with leaves 0 and ``small``, hub off its mean by ``off`` in parts of ``small``.

    Elsewhere in the graph the steepest slope is one.
    """

    star: Raised
    small: Fraction
    off: Fraction

    @property
    def at(self) -> At:
        """The star and its hub, in the unit of its own labels."""
        return At(self.star, closed_form(self.star) + self.off)


SMALL_RESIDUAL = Fraction(1, 10**12)


@claim(
    "action_gap.p_laplacian.plain_residual",
    statement=r"\frac{\big|\sum_y \phi_y\big|}{(\max_e |\nabla_e u|)^{p-1}} \le 10^{-12} \implies"
    r" |m - \bar m| \le \tfrac1{100} \max_y |v_y - m|",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#sandwich"),
    assumes={},
    repairs={"over the flows at the vertex": lambda case: relative_residual(case.at)},
    declared=Verdict.REFUTED,
    repaired_by="action_gap.p_laplacian.local_residual",
)
def plain_residual_bounds_the_displacement(
    case: TwoScales,
    residual: Callable[[TwoScales], Fraction] = lambda case: (
        case.small ** (case.star.p - 1) * abs(case.star.inflow(case.at.hub))
    ),
) -> Sides:
    """A residual over the steepest slope of the graph, once tiny, says that all values are good.

    False in regions of small slopes: their flows are powers of the slopes, so at p = 16 a slope a
    hundredth of the steepest one adds 1e-30, right or wrong. The residual over the flows at the
    vertex itself sees it.
    """
    hub = case.at.hub
    good = abs(case.off) <= Fraction(1, 100) * max(hub, 1 - hub)
    return Sides(residual(case) <= SMALL_RESIDUAL, good)


@dataclass(frozen=True)
class Solved:
    """A star of `Raised`, given to the solver."""

    star: Raised
    flavour: str

    def truth(self) -> Fraction:
        """The exact value of the hub."""
        return closed_form(self.star) if self.flavour == "variational" else game_mean(self.star)


@claim(
    "action_gap.p_laplacian.certified",
    statement=r"|\hat u - u| \le \text{error bound}, \quad \text{both flavours}",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#sandwich"),
    assumes={},
    teeth={
        "no rounding": lambda _: Fraction(0),
        "a ten-thousandth": lambda bound: bound / 10_000,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Solved(Raised(2, 1, 3), "variational"), at_least=Fraction(1, 1000)),
)
def star_is_certified(
    case: Solved, width: Callable[[Fraction], Fraction] = lambda bound: bound
) -> Sides:
    """The p-harmonic solver is within its stated bound where the truth is rational.

    By the comparison principle the bound holds on every graph; here it can be seen to.
    """
    star = case.star
    labels = {x: float(x <= star.ones) for x in range(1, star.ones + star.zeros + 1)}
    edges = [(0, x) for x in labels]
    found = p_harmonic_extension(edges, labels, p=star.p, flavour=case.flavour)
    error = abs(Fraction(float(found.values[0])) - case.truth())
    return Sides(error, width(Fraction(found.error_bound or 0)))
