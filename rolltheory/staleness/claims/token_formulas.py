"""Claims about float functions of tokens: each agrees with its formula in rationals.

Where a function has a root, a logarithm or an exponential, its arguments are chosen, or its value
is turned, so that the result is rational again.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from rolltheory.claims import Relation, Sides, Source, Tight, claim
from rolltheory.staleness.claims.routes import (
    CLIP,
    STATEMENT,
    THIRD,
    Call,
    Route,
    Routes,
    computed_by,
    error,
    floats,
    logs,
    off_by_a_tenth,
)
from rolltheory.staleness.decoupled import decoupled_objective, trust_region_reading
from rolltheory.staleness.divergences import k2_estimate
from rolltheory.staleness.masks import two_sided_mask
from rolltheory.staleness.ratios import sequence_log_ratio, sequence_mean_log_ratio, token_log_ratio
from rolltheory.staleness.second_moment import (
    harmful_tokens,
    second_moment_cap,
    second_moment_cap_exact,
    second_moment_clamp,
    second_moment_mask,
    second_moment_mask_exact,
)
from rolltheory.staleness.selection import accepted_sequences

__all__ = ["TOKEN_FORMULAS", "token_formulas_are_computed"]

BUDGET = Fraction(61, 32)  # no mean of a few squares in sevenths or thirds
Row = tuple[Fraction, ...]


def _clipped(ratio: Fraction) -> Fraction:
    return min(max(ratio, 1 - CLIP["clip_low"]), 1 + CLIP["clip_high"])


def _beside(row: Row, shift: int) -> Row:
    return row[shift:] + row[:shift]


def _inside(ratio: Fraction) -> int:
    return int(_clipped(ratio) == ratio)


def _objective(row: Row, sign: int) -> list[Fraction]:
    rows = zip(row, _beside(row, 1), _beside(row, 2), strict=True)
    return [y / z * min(x / y * sign, _clipped(x / y) * sign) for x, y, z in rows]


def _lost(row: Row, sign: int) -> Fraction:
    ratios = [x / y for x, y in zip(row, _beside(row, 1), strict=True)]
    return Fraction(sum((_clipped(r) - r) * sign < 0 for r in ratios), len(row))


def _limited(row: Row, sign: int) -> list[Fraction]:
    """Squares of the clamped log-ratios, all positive, with the square of the cap in the end."""
    squares = [x**2 for x in row]
    cap = second_moment_cap_exact(squares, budget=BUDGET) if sign > 0 else None
    return [square if cap is None else min(square, cap) for square in squares] + [cap or Fraction()]


def _shifted(row: Row, shift: int) -> list[float]:
    return [math.log(x / 64) for x in _beside(row, shift)]


LIMITS = {name: float(value) for name, value in CLIP.items()}

# of ratios of a few tokens, all positive, and a sign
TOKEN_FORMULAS: Routes = {
    "token_log_ratio": (
        lambda r, _: token_log_ratio(-np.array(floats(r)), -np.array(floats(_beside(r, 1)))),
        lambda r, _: [y - x for x, y in zip(r, _beside(r, 1), strict=True)],
    ),
    "sequence_log_ratio": (
        lambda r, _: sequence_log_ratio(floats(r)),
        lambda r, _: sum(r),
    ),
    "sequence_mean_log_ratio": (
        lambda r, _: sequence_mean_log_ratio(floats(r)),
        lambda r, _: sum(r) / len(r),
    ),
    "k2_estimate": (
        lambda r, _: k2_estimate(floats(r)),
        lambda r, _: [x**2 / 2 for x in r],
    ),
    "decoupled_objective": (
        lambda r, sign: decoupled_objective(
            _shifted(r, 0), _shifted(r, 1), _shifted(r, 2), float(sign), **LIMITS
        ),
        _objective,
    ),
    "trust_region_reading": (
        lambda r, sign: (
            trust_region_reading(
                _shifted(r, 0), _shifted(r, 1), float(sign), **LIMITS
            ).clip_fraction
        ),
        _lost,
    ),
    "two_sided_mask": (
        lambda r, _: two_sided_mask(logs(r), **LIMITS),
        lambda r, _: [_inside(x) for x in r],
    ),
    "accepted_sequences": (
        lambda r, _: accepted_sequences([logs(r), [0.0] * len(r)], threshold=LIMITS["clip_low"]),
        lambda r, _: [int(min(r) >= CLIP["clip_low"]), 1],
    ),
    "harmful_tokens": (
        lambda r, sign: harmful_tokens(logs(r), float(sign)),
        lambda r, sign: [int((x - 1) * sign > 0) for x in r],
    ),
    "second_moment_mask": (
        lambda r, sign: second_moment_mask(floats(r), float(sign), budget=float(BUDGET)),
        lambda r, sign: [
            int(kept) or int(sign < 0)
            for kept in second_moment_mask_exact([x**2 for x in r], budget=BUDGET)
        ],
    ),
    "second_moment_clamp": (
        lambda r, sign: np.append(
            second_moment_clamp(floats(r), float(sign), budget=float(BUDGET)) ** 2, _cap(r, sign)
        ),
        _limited,
    ),
}


def _cap(row: Row, sign: int) -> float:
    cap = second_moment_cap(floats(row), float(sign), budget=float(BUDGET))
    return cap**2 if math.isfinite(cap) else 0.0


tokens_in_floats = computed_by(TOKEN_FORMULAS)


@claim(
    "staleness.formulas.tokens",
    statement=STATEMENT,
    relation=Relation.AT_MOST,
    source=Source.known("floating-point arithmetic"),
    assumes={},
    teeth=off_by_a_tenth(TOKEN_FORMULAS),
    tight=Tight(Call("sequence_mean_log_ratio", ((THIRD, THIRD, 1 - THIRD), 1)), at_least=1e-6),
)
def token_formulas_are_computed(case: Call, route: Route = tokens_in_floats) -> Sides:
    """Masks, limits and log-ratios of a response's tokens are what the formulas say."""
    return error(case, TOKEN_FORMULAS, route)
