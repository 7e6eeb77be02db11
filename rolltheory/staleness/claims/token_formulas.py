"""Claims about float functions of tokens: each agrees with its formula in rationals.

Where a function has a root, a logarithm or an exponential, its arguments are chosen, or its value
is turned, so that the result is rational again.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from rolltheory.claims import (
    DOWN,
    Call,
    Computed,
    Relation,
    Route,
    Routes,
    Sides,
    Source,
    Tight,
    claim,
)
from rolltheory.staleness.claims.routes import CLIP, NEAR, STATEMENT, THIRD, floats, logs
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


def _squared_cap(row: Row, sign: int) -> Fraction | None:
    """The square of the cap on log-ratios that are all positive; None without one."""
    return second_moment_cap_exact([x**2 for x in row], budget=BUDGET) if sign > 0 else None


def _shifted(row: Row, shift: int) -> list[float]:
    return [math.log(x / 64) for x in _beside(row, shift)]


LIMITS = {name: float(value) for name, value in CLIP.items()}

# of ratios of a few tokens, all positive, and a sign
TOKEN_FORMULAS = Routes(
    NEAR,
    token_log_ratio=Route(
        lambda r, _: token_log_ratio(-np.array(floats(r)), -np.array(floats(_beside(r, 1)))),
        lambda r, _: [y - x for x, y in zip(r, _beside(r, 1), strict=True)],
    ),
    sequence_log_ratio=Route(
        lambda r, _: sequence_log_ratio(floats(r)),
        lambda r, _: sum(r),
    ),
    sequence_mean_log_ratio=Route(
        lambda r, _: sequence_mean_log_ratio(floats(r)),
        lambda r, _: sum(r) / len(r),
    ),
    k2_estimate=Route(
        lambda r, _: k2_estimate(floats(r)),
        lambda r, _: [x**2 / 2 for x in r],
    ),
    decoupled_objective=Route(
        lambda r, sign: decoupled_objective(
            _shifted(r, 0), _shifted(r, 1), _shifted(r, 2), float(sign), **LIMITS
        ),
        _objective,
    ),
    trust_region_reading=Route(
        lambda r, sign: (
            trust_region_reading(
                _shifted(r, 0), _shifted(r, 1), float(sign), **LIMITS
            ).clip_fraction
        ),
        _lost,
    ),
    two_sided_mask=Route(
        lambda r, _: two_sided_mask(logs(r), **LIMITS),
        lambda r, _: [_inside(x) for x in r],
    ),
    accepted_sequences=Route(
        lambda r, _: accepted_sequences([logs(r), [0.0] * len(r)], threshold=LIMITS["clip_low"]),
        lambda r, _: [int(min(r) >= CLIP["clip_low"]), 1],
    ),
    harmful_tokens=Route(
        lambda r, sign: harmful_tokens(logs(r), float(sign)),
        lambda r, sign: [int((x - 1) * sign > 0) for x in r],
    ),
    second_moment_mask=Route(
        lambda r, sign: second_moment_mask(floats(r), float(sign), budget=float(BUDGET)),
        lambda r, sign: [
            int(kept) or int(sign < 0)
            for kept in second_moment_mask_exact([x**2 for x in r], budget=BUDGET)
        ],
    ),
    second_moment_clamp=Route(
        lambda r, sign: second_moment_clamp(floats(r), float(sign), budget=float(BUDGET)) ** 2,
        lambda r, sign: [min(x**2, _squared_cap(r, sign) or x**2) for x in r],
    ),
    second_moment_cap=Route(
        lambda r, sign: _cap(r, sign) ** 2,
        lambda r, sign: _squared_cap(r, sign) or Fraction(),
        DOWN,
    ),
)


def _cap(row: Row, sign: int) -> float:
    cap = second_moment_cap(floats(row), float(sign), budget=float(BUDGET))
    return cap if math.isfinite(cap) else 0.0


@claim(
    "staleness.formulas.tokens",
    statement=STATEMENT,
    relation=Relation.AT_MOST,
    source=Source.known("floating-point arithmetic"),
    assumes={},
    teeth=TOKEN_FORMULAS.off_by_a_tenth() | TOKEN_FORMULAS.rounded_the_wrong_way(),
    tight=Tight(Call("sequence_mean_log_ratio", ((THIRD, THIRD, 1 - THIRD), 1)), at_least=1e-6),
)
def token_formulas_are_computed(case: Call, computed: Computed = TOKEN_FORMULAS.computed) -> Sides:
    """Masks, limits and log-ratios of a response's tokens are what the formulas say."""
    return TOKEN_FORMULAS.judged(case, computed)
