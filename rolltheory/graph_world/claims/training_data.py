"""Claims about which data a model is trained on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import erf, hypot, isqrt, log, sqrt
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
from rolltheory.graph_world.claims.chains import Decisions
from rolltheory.graph_world.claims.value_bounds import leaking_decisions
from rolltheory.graph_world.training_data import (
    best_replay_window,
    gaussian_pinsker_bound,
    mixture_shift_bound_exact,
    optimal_data_split,
)

__all__ = [
    "Gaussians",
    "SeveralGaussians",
    "Split",
    "Window",
    "deviations_for_variances",
    "mixture_bounds_the_shift",
    "pinsker_by_deviations",
    "pinsker_for_gaussians",
    "split_is_best",
    "window_is_best",
]

PAGE = "docs/theory/graph_world.md#data"
UNIT_REWARDS = "rewards lie in [0, 1]"


def mixture_bound(case: Decisions) -> Fraction:
    """The library's bound on a case."""
    return mixture_shift_bound_exact(
        case.discount,
        case.shares,
        case.policy_shifts,
        mixture_error=case.mixture_error,
        largest_error=case.largest_error,
    )


def with_shift(case: Decisions, shift: Fraction) -> Fraction:
    """The bound for an error that is so much larger under the present policy."""
    on_policy = min(case.mixture_error + shift * case.largest_error, case.largest_error)
    return case.discount / (1 - case.discount) ** 2 * on_policy


def mean_shift(case: Decisions) -> Fraction:
    """The policy shift in the mean over the replay."""
    pairs = zip(case.shares, case.policy_shifts, strict=True)
    return sum((share * shift for share, shift in pairs), Fraction(0))


@claim(
    "graph_world.replay.mixture",
    statement=r"|J - \hat J| \le \frac{\gamma}{(1-\gamma)^2} \Bigl( E_{\mathrm{mix}}[\mathrm{err}]"
    r"+ \frac{\mathrm{err}_{\max}}{1-\gamma} \sum_i w_i \max_s TV(\pi, \pi_i) \Bigr)",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={
        UNIT_REWARDS: lambda case: all(0 <= reward <= 1 for row in case.rewards for reward in row)
    },
    teeth={
        "10 % smaller": lambda case: mixture_bound(case) * 9 / 10,
        "no shift": lambda case: with_shift(case, Fraction(0)),
        "shift of states alone": lambda case: with_shift(
            case, case.discount * mean_shift(case) / (1 - case.discount)
        ),
        "one factor of the horizon": lambda case: mixture_bound(case) * (1 - case.discount),
    },
    breaks={
        UNIT_REWARDS: Counterexample(
            leaking_decisions("1/2", "1/50"), "Rewards within [-1, 1] lose twice as much."
        )
    },
    tight=Tight(leaking_decisions("1/2", "1/1000", worst=0), at_least=0.99),
)
def mixture_bounds_the_shift(
    case: Decisions, bound: Callable[[Decisions], Fraction] = mixture_bound
) -> Sides:
    """A small error on replay of past policies bounds the value error of the present one."""
    return Sides(case.return_gap, bound(case))


@dataclass(frozen=True)
class Window:
    """A replay whose best window is a square, and another window beside it, in its units."""

    drift: Fraction
    root_samples: int
    root_best: Fraction
    other: Fraction

    @property
    def samples(self) -> int:
        """Per policy."""
        return self.root_samples**2

    @property
    def noise(self) -> Fraction:
        """c = delta sqrt(n) m^(3/2)."""
        return self.drift * self.root_samples * self.root_best**3

    def cost(self, window: Fraction) -> Enclosure:
        """delta (m - 1) / 2 + c / sqrt(n m), enclosed."""
        low, high = inverse_root(window)
        shift = self.drift * (window - 1) / 2
        return Enclosure(
            shift + self.noise / self.root_samples * low,
            shift + self.noise / self.root_samples * high,
        )


def inverse_root(value: Fraction) -> tuple[Fraction, Fraction]:
    """1 / sqrt within 2^-96 of it, from both sides."""
    scale = 1 << 96
    below = isqrt(value.denominator * scale * scale // value.numerator)
    return Fraction(below, scale), Fraction(below + 1, scale)


def float_window(drift: Fraction, samples: int, noise: Fraction) -> Fraction:
    """The library's answer, as the rational that it is."""
    return Fraction(float(best_replay_window(float(drift), samples=samples, noise=float(noise))))


@claim(
    "graph_world.replay.window",
    statement=r"m^* = \Bigl(\frac{c}{\delta\sqrt n}\Bigr)^{2/3} \implies \delta\,\frac{m^*-1}{2}"
    r"+ \frac{c}{\sqrt{n m^*}} \le \delta\,\frac{m-1}{2} + \frac{c}{\sqrt{n m}} \quad \forall m",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "10 % longer": lambda *arguments: float_window(*arguments) * 11 / 10,
        "10 % shorter": lambda *arguments: float_window(*arguments) * 9 / 10,
        "one policy": lambda *_: Fraction(1),
        "square root": lambda drift, samples, noise: Fraction(
            sqrt(float(noise / drift) / sqrt(samples))
        ),
    },
    tight=Tight(Window(Fraction(1, 50), 10, Fraction(2), Fraction(101, 100)), at_least=0.9999),
)
def window_is_best(
    case: Window, window: Callable[[Fraction, int, Fraction], Fraction] = float_window
) -> Sides:
    """No other replay window costs less than the stated one, in shift and sampling error."""
    chosen = window(case.drift, case.samples, case.noise)
    other = case.other * case.root_best**2
    return Sides(case.cost(chosen), case.cost(other))


@dataclass(frozen=True)
class Split:
    """A budget, laws of the two errors with whole exponents, and another split beside the best.

    ``other`` is the share of the budget that this one spends on the dynamics.
    """

    budget: Fraction
    scales: tuple[Fraction, Fraction]
    exponents: tuple[int, int]
    costs: tuple[Fraction, Fraction]
    other: Fraction

    def error(self, samples: tuple[Fraction, Fraction]) -> Fraction:
        """C_d n_d^-alpha + C_r n_r^-beta."""
        laws = zip(self.scales, samples, self.exponents, strict=True)
        return sum((scale / count**power for scale, count, power in laws), Fraction(0))

    def samples(self, share: Fraction) -> tuple[Fraction, Fraction]:
        """What a share of the budget buys."""
        return (
            self.budget * share / self.costs[0],
            self.budget * (1 - share) / self.costs[1],
        )


def float_split(case: Split) -> Fraction:
    """The library's share of the budget for the dynamics."""
    dynamics, _ = optimal_data_split(
        float(case.budget),
        error_scales=(float(case.scales[0]), float(case.scales[1])),
        exponents=case.exponents,
        unit_costs=(float(case.costs[0]), float(case.costs[1])),
    )
    return Fraction(dynamics) * case.costs[0] / case.budget


def without_costs(case: Split) -> Fraction:
    """The split as if both kinds of samples cost the same."""
    same = Split(case.budget, case.scales, case.exponents, (case.costs[0],) * 2, case.other)
    return float_split(same)


@claim(
    "graph_world.data.split",
    statement=r"\frac{\alpha C_d n_d^{-\alpha-1}}{k_d} = \frac{\beta C_r n_r^{-\beta-1}}{k_r}"
    r"\implies C_d n_d^{-\alpha} + C_r n_r^{-\beta} \text{ is least for } k_d n_d + k_r n_r = B",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "half each": lambda _: Fraction(1, 2),
        "unit costs ignored": without_costs,
        "the other way round": lambda case: 1 - float_split(case),
        "half of it": lambda case: float_split(case) / 2,
    },
    tight=Tight(
        Split(Fraction(10), (Fraction(1),) * 2, (1, 1), (Fraction(1),) * 2, Fraction(1, 2))
    ),
)
def split_is_best(case: Split, share: Callable[[Split], Fraction] = float_split) -> Sides:
    """Equal marginal returns per cost split a budget between two kinds of data in the best way."""
    return Sides(case.error(case.samples(share(case))), case.error(case.samples(case.other)))


@dataclass(frozen=True)
class Gaussians:
    """Two Gaussians on a line, by their means and standard deviations."""

    mean: Fraction
    other_mean: Fraction
    std: Fraction
    other_std: Fraction

    @property
    def total_variation(self) -> Enclosure:
        """By error functions in ball arithmetic."""
        from flint import arb, ctx, fmpq

        with ctx.workprec(128):
            m, n, s, t = (
                arb(fmpq(x.numerator, x.denominator))
                for x in (self.mean, self.other_mean, self.std, self.other_std)
            )
            alike = self.std == self.other_std
            ball = (abs(m - n) / (s * arb(8).sqrt())).erf() if alike else between(m, n, s, t)
            ends = (ball.lower().man_exp(), ball.upper().man_exp())
        low, high = (Fraction(int(digits)) * Fraction(2) ** int(power) for digits, power in ends)
        return Enclosure(low, min(high, Fraction(1)))


def between(m: Any, n: Any, s: Any, t: Any) -> Any:
    """What two Gaussians of different widths differ by between their densities' two crossings."""
    # a x^2 - 2 b x + c = 0, from equal logarithms of the densities
    a, b = s**-2 - t**-2, m / s**2 - n / t**2
    c = (m / s) ** 2 - (n / t) ** 2 - 2 * (t / s).log()
    root = (b * b - a * c).sqrt()
    first, second = (b - root) / a, (b + root) / a
    scale = (s * 0 + 2).sqrt()
    one, other = (
        ((second - centre) / (width * scale)).erf() - ((first - centre) / (width * scale)).erf()
        for centre, width in ((m, s), (n, t))
    )
    return abs(one - other) / 2


@dataclass(frozen=True)
class SeveralGaussians:
    """Gaussian policies of several independent coordinates with equal widths, in floats."""

    mean: tuple[float, ...]
    other_mean: tuple[float, ...]
    std: tuple[float, ...]

    @property
    def other_std(self) -> tuple[float, ...]:
        """The same."""
        return self.std

    @property
    def total_variation(self) -> float:
        """Along the line between the means."""
        columns = zip(self.mean, self.other_mean, self.std, strict=True)
        return erf(hypot(*((m - n) / s for m, n, s in columns)) / sqrt(8))


AnyGaussians = Gaussians | SeveralGaussians


def pinsker(case: AnyGaussians) -> Fraction:
    """The library's bound."""
    parts = (case.mean, case.other_mean, case.std, case.other_std)
    mean, other_mean, std, other_std = (
        [float(x) for x in (part if isinstance(part, tuple) else (part,))] for part in parts
    )
    return Fraction(float(gaussian_pinsker_bound(mean, other_mean, std=std, other_std=other_std)))


def deviations_for_variances(case: AnyGaussians) -> Fraction:
    """What PDML's code computes: standard deviations where variances belong."""
    columns = (
        part if isinstance(part, tuple) else (part,)
        for part in (case.mean, case.other_mean, case.std, case.other_std)
    )
    divergence = sum(
        float(s / t) + float((m - n) ** 2 / t) - 1 - log(s / t)
        for m, n, s, t in zip(*columns, strict=True)
    )
    return Fraction(min(1.0, sqrt(max(divergence, 0.0) / 4)))


@claim(
    "graph_world.replay.pinsker",
    statement=r"TV \le \min\Bigl(1, \sqrt{\tfrac12 KL}\Bigr), \quad KL = \tfrac12 \sum_i \Bigl("
    r"\frac{s_i^2 + (m_i - n_i)^2}{t_i^2} - 1 - \ln\frac{s_i^2}{t_i^2} \Bigr)",
    relation=Relation.AT_MOST,
    source=Source.known("Pinsker"),
    assumes={},
    teeth={
        "10 % smaller": lambda case: pinsker(case) * 9 / 10,
        "without the root": lambda case: pinsker(case) ** 2,
        "standard deviations": deviations_for_variances,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Gaussians(Fraction(0), Fraction(8), Fraction(1), Fraction(1)), at_least=0.9999),
)
def pinsker_for_gaussians(
    case: AnyGaussians, bound: Callable[[AnyGaussians], Fraction] = pinsker
) -> Sides:
    """Means and variances of two Gaussian policies bound their total variation."""
    return Sides(case.total_variation, bound(case))


@claim(
    "graph_world.replay.pinsker_by_deviations",
    statement=r"TV \le \sqrt{\tfrac12 K}, \quad K = \tfrac12 \sum_i \Bigl("
    r"\frac{s_i + (m_i - n_i)^2}{t_i} - 1 - \ln\frac{s_i}{t_i} \Bigr)",
    relation=Relation.AT_MOST,
    source=Source.paper("2207.12141", "as its code computes the shift"),
    assumes={},
    repairs={"with variances": pinsker},
    declared=Verdict.REFUTED,
    repaired_by="graph_world.replay.pinsker",
)
def pinsker_by_deviations(
    case: AnyGaussians, bound: Callable[[AnyGaussians], Fraction] = deviations_for_variances
) -> Sides:
    """Standard deviations may stand for variances in Pinsker's bound. False unless they are 1.

    For means 0 and 0.05 and standard deviation 0.1 it says 0.079, and the truth is 0.197.
    """
    return Sides(case.total_variation, bound(case))
