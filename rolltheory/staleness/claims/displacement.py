"""Claims about drift whose updates agree in part: between straight lines and diffusion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    Verdict,
    claim,
)
from rolltheory.staleness.claims.arithmetic import FLOATS, Arithmetic
from rolltheory.staleness.displacement import (
    collapse_time_exponent,
    displacement_exponent,
    expected_squared_displacement_exact,
)

__all__ = [
    "CollapseSlope",
    "DivergenceGrowth",
    "MeasuredExponent",
    "MeasuredWalk",
    "OneMoreUpdate",
    "Signs",
    "aligned_collapse_law",
    "closed_form_by_induction",
    "displacement_law",
    "divergence_grows_as_displacement",
]

PAGE = "docs/theory/staleness.md#displacement"
GEOMETRIC = "updates k apart have correlation rho^k"


@dataclass(frozen=True)
class Signs:
    """Unit updates along a line; rho is rational, or a symbol for every value at once.

    The sign flips with probability (1 - rho)/2 at each update; in the ``mixture``, all signs are
    equal with probability rho and independent otherwise, so that rho does not fade with distance.
    """

    horizon: int
    correlation: Any
    mixture: bool = False

    def weighted(self, steps: int | None = None) -> Iterator[tuple[tuple[int, ...], Any]]:
        """Every sequence of signs with its probability."""
        length = self.horizon if steps is None else steps
        for rest in product((1, -1), repeat=length - 1):
            signs = (1, *rest)
            yield signs, self._chance(signs)

    def mean_square(self) -> Any:
        """Mean squared distance, sequence by sequence."""
        return sum((chance * sum(signs) ** 2 for signs, chance in self.weighted()), Fraction(0))

    def _chance(self, signs: tuple[int, ...]) -> Any:
        stay, flip = (1 + self.correlation) / 2, (1 - self.correlation) / 2
        if self.mixture:
            all_equal = self.correlation * (len(set(signs)) == 1)
            return all_equal + (1 - self.correlation) * Fraction(1, 2 ** (len(signs) - 1))
        kept = sum(a == b for a, b in pairwise(signs))
        return stay**kept * flip ** (len(signs) - 1 - kept)


@dataclass(frozen=True)
class MeasuredWalk:
    """Mean squared distance of simulated walks, as an interval."""

    horizon: int
    correlation: Fraction
    interval: Any
    mixture: bool = False

    def mean_square(self) -> Any:
        """Mean squared distance over the walks."""
        return self.interval


def without_the_end(horizon: int, rho: Any) -> Any:
    """The leading term alone, which is right for long runs only."""
    return horizon * (1 + rho) / (1 - rho) if rho != 1 else horizon**2


@claim(
    "staleness.displacement.law",
    statement=r"E|\theta_T - \theta_0|^2 = \eta^2 \Big[ T \frac{1+\rho}{1-\rho}"
    r"- \frac{2 \rho (1 - \rho^T)}{(1-\rho)^2} \Big] = \eta^2 \sum_{s,t<T} \rho^{|s-t|}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={GEOMETRIC: lambda case: not case.mixture},
    teeth={
        "ballistic": lambda horizon, _: horizon**2,
        "diffusive": lambda horizon, _: horizon,
        "without the end": without_the_end,
    },
    breaks={
        GEOMETRIC: Counterexample(
            Signs(4, Fraction(1, 2), mixture=True),
            "With a common direction correlations do not fade, and drift stays ballistic.",
        )
    },
)
def displacement_law(
    case: Signs | MeasuredWalk,
    law: Callable[[int, Any], Any] = expected_squared_displacement_exact,
) -> Sides:
    """Drift lies between diffusive and ballistic, as the correlation of the updates says."""
    return Sides(case.mean_square(), law(case.horizon, case.correlation))


@dataclass(frozen=True)
class OneMoreUpdate:
    """From T to T + 1 updates, at a number or at a symbol for T."""

    horizon: Any
    correlation: Any


def closed_form(horizon: Any, rho: Any) -> Any:
    """The displacement law without sums."""
    return horizon * (1 + rho) / (1 - rho) - 2 * rho * (1 - rho**horizon) / (1 - rho) ** 2


@claim(
    "staleness.displacement.closed_form",
    statement=r"V_{T+1} - V_T = 1 + 2 \sum_{k=1}^{T} \rho^k, \quad V_1 = 1, \quad"
    r"V_T = T \frac{1+\rho}{1-\rho} - \frac{2 \rho (1 - \rho^T)}{(1-\rho)^2}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "without the end": without_the_end,
        "end of the wrong sign": lambda t, rho: 2 * without_the_end(t, rho) - closed_form(t, rho),
    },
)
def closed_form_by_induction(
    case: OneMoreUpdate, form: Callable[[Any, Any], Any] = closed_form
) -> Sides:
    """The closed form of the displacement law holds for every number of updates, by induction."""
    horizon, rho = case.horizon, case.correlation
    added = 1 + 2 * rho * (1 - rho**horizon) / (1 - rho)
    start = form(1, rho) - 1
    return Sides(form(horizon + 1, rho) - form(horizon, rho) + start, added)


@dataclass(frozen=True)
class DivergenceGrowth:
    """Growth of the mean KL(behaviour||current) on two answers as the lag doubles.

    The logit difference moves by a small step along random `Signs`; computed sequence by sequence.
    """

    horizon: int
    correlation: Fraction
    start: Fraction = Fraction(1)
    arithmetic: Arithmetic = field(default=FLOATS, repr=False)
    step: Fraction = Fraction(1, 100)

    def exponent(self) -> Any:
        """log2 of the mean at lag 2T over the mean at lag T."""
        by = self.arithmetic
        growth = self.mean(2 * self.horizon) / self.mean(self.horizon)
        return by.result(by.log(growth) / by.log(by.number(2)))

    def mean(self, lag: int) -> Any:
        """Mean divergence at a lag; walks by the distance that they end at."""
        chances: dict[int, Fraction] = {}
        for signs, chance in Signs(lag, self.correlation).weighted():
            for end in (sum(signs), -sum(signs)):
                chances[end] = chances.get(end, Fraction(0)) + chance / 2
        number = self.arithmetic.number
        return sum(number(c) * self.divergence(end) for end, c in chances.items() if c)

    def divergence(self, end: int) -> Any:
        """KL between the policies with odds w and w x, where x = (1 + step)^end."""
        by, odds, gain = self.arithmetic, self.start, (1 + self.step) ** end
        share = odds / (1 + odds)
        log = by.log(by.number((1 + odds * gain) / (1 + odds)))
        return log - by.number(share) * by.log(by.number(gain))


@dataclass(frozen=True)
class MeasuredExponent:
    """A growth exponent of simulated runs between a horizon and twice that horizon."""

    horizon: int
    correlation: Fraction
    interval: Any
    start: Fraction = Fraction(1)

    def exponent(self) -> Any:
        """The measured exponent."""
        return self.interval


@claim(
    "staleness.displacement.divergence_exponent",
    statement=r"\log_2 \frac{E\,KL(\pi_{\theta_{t-2T}} \| \pi_{\theta_t})}"
    r"{E\,KL(\pi_{\theta_{t-T}} \| \pi_{\theta_t})} \to \log_2 \frac{V_{2T}}{V_T}"
    r"\in [1, 2] \quad (\eta \to 0)",
    relation=Relation.GROWS_AS,
    source=Source.derived(PAGE),
    assumes={},
    teeth={"ballistic": lambda *_: 2.0, "diffusive": lambda *_: 1.0},
)
def divergence_grows_as_displacement(
    case: DivergenceGrowth | MeasuredExponent,
    exponent: Callable[[int, float], Any] = displacement_exponent,
) -> Sides:
    """KL(behaviour||current) grows with lag as the squared distance does.

    To the power 2 in straight-line drift and 1 in diffusion; in between the exponent falls from the
    first towards the second as the lag grows.
    """
    stated = exponent(case.horizon, float(case.correlation))
    return Sides(case.exponent(), Fraction(float(stated)))


@dataclass(frozen=True)
class CollapseSlope:
    """Slope of log T on log eta between collapse times T and 2T, by the law or as measured."""

    horizon: int
    correlation: Fraction
    measured: Any = None
    arithmetic: Arithmetic = field(default=FLOATS, repr=False)

    def slope(self) -> Any:
        """By the law: learning rates at which the root mean square distance is 1 at T and at 2T."""
        if self.measured is not None:
            return self.measured
        by = self.arithmetic
        near, far = (
            by.number(expected_squared_displacement_exact(t, self.correlation))
            for t in (self.horizon, 2 * self.horizon)
        )
        return by.result(-2 * by.log(by.number(2)) / by.log(far / near))


@claim(
    "staleness.collapse_time.aligned",
    statement=r"T_\text{collapse}\, \eta = \text{const}, \quad"
    r"\frac{d \log T}{d \log \eta} = -1",
    relation=Relation.GROWS_AS,
    source=Source.known("the collapse law T eta = const, read as universal"),
    assumes={},
    repairs={"by the correlation": collapse_time_exponent},
    breaks={},
    declared=Verdict.REFUTED,
    repaired_by="staleness.displacement.law",
)
def aligned_collapse_law(
    case: CollapseSlope, slope: Callable[[int, float], Any] = lambda *_: -1.0
) -> Sides:
    """The time to collapse is inversely proportional to the learning rate.

    Only for updates that all point the same way. For unrelated updates T eta^2 is constant, and in
    between the slope is -2 over the displacement exponent.
    """
    stated = slope(case.horizon, float(case.correlation))
    return Sides(case.slope(), Fraction(float(stated)))
