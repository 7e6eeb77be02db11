"""Simulations of the maze study, and the library's solver on bundles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from rolltheory.action_gap.claims.study import (
    Bundle,
    Successes,
    finite_powers_fail_on_wide_bundles,
    higher_powers_lose_fewer_starts,
    iterating_longer_loses_fewer_starts,
)
from rolltheory.action_gap.p_laplacian import p_harmonic_extension
from rolltheory.action_gap.study import maze_problems, study_rows
from rolltheory.claims import Budget, ConfidenceInterval, Kind, Sides, check
from rolltheory.stats.bootstrap import bootstrap_means, percentile_interval

__all__ = ["any_bundle", "mazes_by_power", "mazes_by_sweeps"]

ERROR_LEVEL = 2e-3
POWERS = {"harmonic": 2, "p = 4": 4, "p = 8": 8}
SWEEPS = {"midrange 300": 300, "midrange 1000": 1000, "amle": 10**9}
MAZES = {
    "gate": "the ten problems of the medium maze, refinement 8, fractions 0.01 and 0.02, seeds 0 to"
    " 4; bootstrap interval of the mean gain over problems",
    "deep": "the 120 problems of the study; bootstrap interval of the mean gain over problems",
}


@cache
def successes(deep: bool, methods: tuple[str, ...]) -> dict[str, Any]:
    """The share of starts that reach the goal on each problem, by method."""
    problems = (
        maze_problems()
        if deep
        else maze_problems(layouts=["medium"], refinements=[8], fractions=[0.01, 0.02])
    )
    rows = list(study_rows(problems, methods=methods))
    return {
        method: np.array([row.success for row in rows if row.method == method])
        for method in methods
    }


def gains(budget: Budget, sizes: dict[str, int]) -> Iterator[Successes]:
    """The mean gain of each method over the one before it, as nothing against an interval."""
    found, generator = successes(budget.deep, tuple(sizes)), budget.generator()
    level = ERROR_LEVEL / (len(sizes) - 1)
    for low, high in pairwise(sizes):
        draws = bootstrap_means(found[high] - found[low], generator=generator)
        interval = percentile_interval(draws, confidence=1 - level)
        gain = ConfidenceInterval(*interval, error_level=level)
        yield Successes(f"{low}, {high}", (sizes[low], sizes[high]), (0, gain))


@check(higher_powers_lose_fewer_starts, kind=Kind.SIMULATED, domain=MAZES, error_level=ERROR_LEVEL)
def mazes_by_power(budget: Budget) -> Iterator[Successes]:
    """Harmonic, p = 4 and p = 8 on the same labels."""
    return gains(budget, POWERS)


@check(
    iterating_longer_loses_fewer_starts,
    kind=Kind.SIMULATED,
    domain=MAZES,
    error_level=ERROR_LEVEL,
)
def mazes_by_sweeps(budget: Budget) -> Iterator[Successes]:
    """Midrange iteration after 300 and 1000 sweeps, and solved exactly."""
    return gains(budget, SWEEPS)


def solved(
    case: Bundle, fails: Callable[[int, int], bool] = lambda k, p: k > 4 ** (p - 1)
) -> Sides:
    """The library's extension against the threshold."""
    ways = range(5, 5 + case.ways)
    edges = [(0, 1), (1, 2), (2, 3), *((1, x) for x in ways), *((x, 4) for x in ways)]
    values = p_harmonic_extension(edges, {0: 0.0, 2: 2.0, 4: 3.0}, p=case.power).values
    return Sides(bool(values[1] > 2), fails(case.ways, case.power))


@check(
    finite_powers_fail_on_wide_bundles,
    kind=Kind.PROPERTY_TESTED,
    domain="p = 2, 3, 4 and up to 90 ways, but for the tie at the threshold; the library's solver",
    route=solved,
    teeth={
        "also at equality": lambda k, p: k >= 4 ** (p - 1) - 1,
        "half as many": lambda k, p: 2 * k > 4 ** (p - 1),
        "as for p = 2": lambda k, _: k > 4,
        "never": lambda *_: False,
    },
)
def any_bundle(_: Budget) -> Any:
    """Near the thresholds 4, 16 and 64 and away from them."""
    from hypothesis import strategies as st

    near = st.sampled_from([(4**q + off, q + 1) for q in (1, 2, 3) for off in (-2, -1, 1, 2)])
    wide = st.tuples(st.integers(1, 90), st.integers(2, 4))
    pair = st.one_of(near, wide).filter(lambda pair: pair[0] != 4 ** (pair[1] - 1))
    return st.builds(lambda pair: Bundle(*pair), pair)
