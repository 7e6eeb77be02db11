"""Claims about clipping, two-sided masks and second-moment caps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    Tight,
    Tooth,
    Verdict,
    claim,
)
from rolltheory.staleness.claims.policies import Policies
from rolltheory.staleness.masks import (
    masked_mass_bound_exact,
    masked_mass_exact,
    one_sided_gradient_weight_exact,
    two_sided_gradient_weight_exact,
)
from rolltheory.staleness.second_moment import (
    second_moment_cap_exact,
    second_moment_mask_exact,
)

__all__ = [
    "MaskedPolicies",
    "Squares",
    "Token",
    "Update",
    "clamp_meets_the_budget",
    "clip_fraction_is_called_drift",
    "mask_meets_the_budget",
    "masked_mass_is_bounded",
    "two_sided_mask_ignores_sign",
]

PAGE = "docs/theory/staleness.md#masks"
FIFTH = Fraction(1, 5)
Squared = tuple[Fraction, ...]

NORMALISED = "both policies are normalised over the same actions"
HARMFUL_ONLY = "the second moment is taken over the harmful tokens"


@dataclass(frozen=True)
class MaskedPolicies(Policies):
    """Two policies, and the widths of a two-sided mask."""

    clip_low: Fraction = FIFTH
    clip_high: Fraction = FIFTH

    @property
    def total_variation(self) -> Fraction:
        """Half the L1 distance, of what is given."""
        pairs = zip(self.learner, self.sampler, strict=True)
        return sum((abs(p - q) for p, q in pairs), Fraction(0)) / 2

    @property
    def widths(self) -> dict[str, Fraction]:
        """As keyword arguments."""
        return {"clip_low": self.clip_low, "clip_high": self.clip_high}


def one_side_only(distance: Fraction, *, clip_high: Fraction, **_: Fraction) -> Fraction:
    """The mass above the band alone."""
    return (1 + clip_high) / clip_high * distance


def half_of_both(distance: Fraction, *, clip_low: Fraction, clip_high: Fraction) -> Fraction:
    """With the constant that belongs to the L1 distance."""
    return masked_mass_bound_exact(distance, clip_low=clip_low, clip_high=clip_high) / 2


def shrunk_mass(distance: Fraction, **widths: Fraction) -> Fraction:
    """10 % smaller."""
    return masked_mass_bound_exact(distance, **widths) * 9 / 10


@claim(
    "staleness.mask.masked_mass",
    statement=r"P_\theta(r \notin [1-\epsilon_l, 1+\epsilon_h]) \le"
    r" \left[\frac{1+\epsilon_h}{\epsilon_h} + \frac{1-\epsilon_l}{\epsilon_l}\right]"
    r" TV(\pi_\theta, \pi_\phi)",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={NORMALISED: lambda case: sum(case.learner) == sum(case.sampler) == 1},
    teeth={
        "10 % smaller": shrunk_mass,
        "the mass above the band alone": one_side_only,
        "the constant of the L1 distance": half_of_both,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={
        NORMALISED: Counterexample(
            MaskedPolicies(
                (Fraction(1, 2), Fraction(1, 2)),
                (Fraction(1, 4), Fraction(1, 4)),
                Fraction(9, 10),
                Fraction(9, 10),
            ),
            "Log-probabilities that are not normalised (top-p) put every ratio at 2.",
            sides=lambda case, bound: Sides(1, bound(case.total_variation, **case.widths)),
        )
    },
    tight=Tight(
        MaskedPolicies(
            (Fraction(301, 1000), Fraction(199, 1000), Fraction(1, 2)),
            (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)),
        ),
        at_least=Fraction(50, 51),
    ),
)
def masked_mass_is_bounded(case: MaskedPolicies, bound: Any = masked_mass_bound_exact) -> Sides:
    """What a two-sided mask silences is at most a constant times the total variation.

    The constant equals 1/eps_h + 1/eps_l; it is approached by ratios just outside the band.
    """
    mass = masked_mass_exact(case.learner, case.sampler, **case.widths)
    return Sides(mass, bound(case.total_variation, **case.widths))


@dataclass(frozen=True)
class Token:
    """One token's ratio and advantage under the published widths."""

    ratio: Fraction
    advantage: int


WIDE = {"clip_low": Fraction(3, 10), "clip_high": Fraction(5)}


def clamped(ratio: Fraction, gain: int, *, clip_low: Fraction, clip_high: Fraction) -> Fraction:
    """The ratio clamped to the band, not silenced."""
    return min(max(ratio, 1 - clip_low), 1 + clip_high) * gain


@claim(
    "staleness.mask.two_sided",
    statement=r"\text{weight} = r A\,1\{1-\epsilon_l \le r \le 1+\epsilon_h\}"
    r"\ \text{for either sign of}\ A",
    relation=Relation.EQUAL,
    source=Source.paper("2607.08507", "direct double-sided rule"),
    assumes={},
    teeth={"PPO's one-sided clip": one_sided_gradient_weight_exact, "clamped": clamped},
)
def two_sided_mask_ignores_sign(
    case: Token, weight: Any = two_sided_gradient_weight_exact
) -> Sides:
    """A two-sided mask silences a token outside the band whatever its advantage's sign.

    PPO keeps the token with A < 0 and a ratio above, and the one with A > 0 and a ratio below.
    """
    inside = Fraction(7, 10) <= case.ratio <= 6
    return Sides(weight(case.ratio, case.advantage, **WIDE), case.ratio * case.advantage * inside)


@dataclass(frozen=True)
class Update:
    """The tokens of one update, clipped at 0.2."""

    tokens: tuple[Token, ...]

    def silenced(self, weight: Callable[..., Fraction]) -> int:
        """How many tokens lose their gradient."""
        return sum(
            weight(token.ratio, token.advantage, clip_low=FIFTH, clip_high=FIFTH) == 0
            for token in self.tokens
        )


@claim(
    "staleness.mask.clip_fraction_shows_drift",
    statement=r"\text{clip fraction} = 0 \Rightarrow |r_t - 1| \le \epsilon\ \text{for all}\ t",
    relation=Relation.IMPLIES,
    source=Source.derived(PAGE),
    assumes={},
    repairs={"share outside the band, either sign": two_sided_gradient_weight_exact},
    declared=Verdict.REFUTED,
    repaired_by="staleness.mask.two_sided",
)
def clip_fraction_is_called_drift(
    case: Update, weight: Any = one_sided_gradient_weight_exact
) -> Sides:
    """If PPO clips no token, no ratio has left the band.

    False: clipping looks at the advantage's sign. The share outside the band tells.
    """
    near = all(abs(token.ratio - 1) <= FIFTH for token in case.tokens)
    return Sides(case.silenced(weight) == 0, near)


@dataclass(frozen=True)
class Squares:
    """Squared log-ratios of harmful tokens, and of harmless ones counted with them."""

    harmful: Squared
    budget: Fraction
    harmless: Squared = ()

    def moment(self, limited: Sequence[Fraction]) -> Fraction:
        """Second moment once the harmful tokens are limited; harmless ones are not touched."""
        squares = [*limited, *self.harmless]
        return sum(squares, Fraction(0)) / max(1, len(squares))


OUTLIER = Squares((Fraction(1, 100),), Fraction(1, 25), harmless=(Fraction(9),))
Limit = Callable[[Squared, Fraction], list[Fraction]]


def masked(squares: Squared, budget: Fraction) -> list[Fraction]:
    """What the mask keeps."""
    keep = second_moment_mask_exact(squares, budget=budget)
    return [square for square, kept in zip(squares, keep, strict=True) if kept]


def masked_one_late(squares: Squared, budget: Fraction) -> list[Fraction]:
    """Keeps the token that crosses the budget."""
    return sorted(squares)[: len(masked(squares, budget)) + 1]


def masked_by_value(squares: Squared, budget: Fraction) -> list[Fraction]:
    """Keeps each token whose own square is within twice the budget."""
    return [square for square in squares if square <= 2 * budget]


@claim(
    "staleness.mask.second_moment_masked",
    statement=r"\frac1{|K|} \sum_{t \in K} (\log r_t)^2 \le M\ \text{after masking the largest}",
    relation=Relation.AT_MOST,
    source=Source.paper("2510.01161", "second-moment mask"),
    assumes={HARMFUL_ONLY: lambda case: not case.harmless},
    teeth={"one token too late": masked_one_late, "token by token": masked_by_value},
    breaks={HARMFUL_ONLY: Counterexample(OUTLIER, "A harmless outlier is left alone.")},
    tight=Tight(Squares((Fraction(1, 25),), Fraction(1, 25))),
)
def mask_meets_the_budget(case: Squares, limit: Limit = masked) -> Sides:
    """Masking the largest harmful tokens brings the second moment of the kept ones into budget."""
    return Sides(case.moment(limit(case.harmful, case.budget)), case.budget)


def clamp(squares: Squared, budget: Fraction) -> list[Fraction]:
    """Squares under the common cap."""
    cap = second_moment_cap_exact(squares, budget=budget)
    return list(squares) if cap is None else [min(square, cap) for square in squares]


@claim(
    "staleness.mask.second_moment_clamped",
    statement=r"\frac1N \sum_{t\ harmful} \min(|\log r_t|, c)^2 \le M"
    r"\ \text{under the common cap}\ c",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={HARMFUL_ONLY: lambda case: not case.harmless},
    teeth={
        "no cap": lambda squares, _: list(squares),
        "the cap 10 % larger": lambda squares, budget: [
            min(square, capped * 121 / 100)
            for square, capped in zip(squares, clamp(squares, budget), strict=True)
        ],
    },
    breaks={HARMFUL_ONLY: Counterexample(OUTLIER, "A harmless outlier is left alone.")},
    tight=Tight(Squares((Fraction(1, 4), Fraction(1, 100)), Fraction(1, 25))),
)
def clamp_meets_the_budget(case: Squares, limit: Limit = clamp) -> Sides:
    """A common cap on harmful log-ratios meets the budget, exactly so if any cap is needed."""
    return Sides(case.moment(limit(case.harmful, case.budget)), case.budget)
