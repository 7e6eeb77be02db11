"""Every bound that is rounded lies on its safe side of the exact value, and next to it.

The exact value is that at the floats which the bound was given, in rationals, or in balls where it
is irrational. A bound that is made of another one is held to what that one answered, lest the
rounding of the one hide that of the other.
"""

import ast
import re
from collections.abc import Callable
from fractions import Fraction
from math import ceil, exp, nextafter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from rolltheory import reachability
from rolltheory.stats.intervals import clopper_pearson

POINTS = 50
NEAR = Fraction(1, 10**12)
UP, DOWN = 1, -1
DIRECTIONS = {"up": {UP}, "down": {DOWN}, "outward": {DOWN, UP}, "outwards": {DOWN, UP}}
LOOP = [("try", "try"), ("try", "solved"), ("try", "stuck"), ("try", "else"), ("else", "try")]


class Bound(NamedTuple):
    """A bound at drawn arguments, and its exact value at the same ones, as rationals."""

    name: str
    found: Callable[..., Any]
    exact: Callable[..., Any]
    side: Any
    draw: Callable[[np.random.Generator], tuple[Any, ...]]
    cancels: int = 0  # size of terms that nearly cancel


def ball(value):
    value = Fraction(value)
    return arb(fmpq(value.numerator, value.denominator))


def log(value):
    return ball(value).log()


def ends(value):
    """A number, or the limits of a ball, as rationals."""
    if not isinstance(value, arb):
        return Fraction(value), Fraction(value)
    pairs = value.lower().man_exp(), value.upper().man_exp()
    low, high = (Fraction(int(digits)) * Fraction(2) ** int(power) for digits, power in pairs)
    return low, high


def whole(value):
    """The least whole number that is not below."""
    low, high = map(ceil, ends(value))
    assert low == high
    return low


def spread(rng, low, high):
    """A float, all magnitudes alike."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def drawn(*limits, most=40):
    """Positive floats within these limits, and a number of tries."""
    return lambda rng: (*(spread(rng, *pair) for pair in limits), int(rng.integers(1, most)))


def tight_tries(rng):
    """The error is a hair below that after a number of tries."""
    p, k = drawn((1e-3, 0.5), most=30)(rng)
    return p, nextafter(float((1 - Fraction(p)) ** k), 0.0)


def tight_bound_of_tries(rng):
    """The error is a hair below the one for which the bound is a number of tries."""
    p, k = drawn((1e-2, 0.5), most=30)(rng)
    return p, exp(-k * p) * (1 - 2.0**-51)


def tight_certificate(rng):
    """The confidence is a hair above that after a number of tries."""
    limit, n = drawn((1e-2, 0.3), most=40)(rng)
    return limit, nextafter(float(1 - (1 - Fraction(limit)) ** n), 1.0)


def moments(rng):
    """A mean, a variance that it allows, and a number of tries."""
    mean, share = rng.uniform(0.05, 0.95, size=2).tolist()
    return mean, share * mean * (1 - mean), int(rng.integers(1, 40))


def weights(rng):
    """Weights of the edges of a loop, of which those of a state sum to a power of two."""
    return tuple((1 + rng.multinomial(1020, [0.25] * 4)).tolist())


def loop(row):
    edges = [(*edge, Fraction(w, 1024)) for edge, w in zip(LOOP, (*row, 1024), strict=True)]
    return reachability.StateGraph.from_edges(edges, success=["solved"], absorbing=["stuck"])


def enclosed_success(*row):
    found = reachability.success_probability_enclosure(loop(row))
    return [*found.lower.tolist(), *found.upper.tolist()]


def counts(rng):
    n = int(rng.integers(2, 60))
    return n, int(rng.integers(0, n + 1)), int(rng.integers(1, 60))


def carried_limits(n, c, k):
    limits = clopper_pearson(n, c)
    return [reachability.pass_at_k_probability_exact(Fraction(float(p)), k) for p in limits]


BOUNDS = (
    Bound(
        "pass_at_k_error_bound",
        reachability.pass_at_k_error_bound,
        reachability.pass_at_k_error_bound_exact,
        UP,
        drawn((1e-6, 1.0)),
    ),
    Bound(
        "pass_at_k_error_bound_near",
        reachability.pass_at_k_error_bound_near,
        reachability.pass_at_k_error_bound_near_exact,
        UP,
        drawn((1e-4, 1.0), (1e-4, 1.0)),
    ),
    Bound(
        "critic_error_allowed",
        reachability.critic_error_allowed,
        lambda e, k: -(log(1 - e) / k).expm1(),
        DOWN,
        drawn((1e-6, 1.0)),
    ),
    Bound(
        "calibration_gap_bound",
        reachability.calibration_gap_bound,
        reachability.calibration_gap_bound_exact,
        UP,
        drawn((1e-6, 1.0)),
    ),
    Bound(
        "expected_credit_bounds",
        reachability.expected_credit_bounds,
        reachability.expected_credit_bounds_exact,
        (DOWN, UP),
        moments,
        cancels=1,
    ),
    Bound(
        "pass_at_k_interval",
        reachability.pass_at_k_interval,
        carried_limits,
        (DOWN, UP),
        counts,
    ),
    Bound(
        "certified_pass_at_k",
        lambda c, k: reachability.certified_pass_at_k(50, k, confidence=c),
        lambda c, k: -(log(1 - c) * k / 50).expm1(),
        UP,
        drawn((1e-4, 1.0)),
    ),
    Bound(
        "tries_to_certify",
        lambda limit, c: reachability.tries_to_certify(limit, 1, confidence=c),
        lambda limit, c: whole(log(1 - c) / log(1 - limit)),
        UP,
        tight_certificate,
    ),
    Bound(
        "limit_tries",
        reachability.limit_tries,
        lambda p, e: whole(log(e) / log(1 - p)),
        UP,
        tight_tries,
    ),
    Bound(
        "limit_tries_bound",
        reachability.limit_tries_bound,
        lambda p, e: whole(-log(e) / ball(p)),
        UP,
        tight_bound_of_tries,
    ),
    Bound(
        "success_probability_enclosure",
        enclosed_success,
        lambda *row: 2 * list(reachability.success_probability_exact(loop(row))),
        4 * (DOWN,) + 4 * (UP,),
        weights,
    ),
)


def as_rational(argument):
    return Fraction(argument) if isinstance(argument, float) else argument


def as_list(values):
    return list(values) if isinstance(values, list | tuple) else [values]


@pytest.mark.parametrize("bound", BOUNDS, ids=lambda bound: bound.name)
def test_a_rounded_bound_lies_on_its_safe_side_and_next_to_the_exact_value(bound):
    rng = np.random.default_rng(21)
    for _ in range(POINTS):
        arguments = bound.draw(rng)
        found = [Fraction(float(value)) for value in as_list(bound.found(*arguments))]
        with ctx.workprec(192):
            exact = [ends(x) for x in as_list(bound.exact(*map(as_rational, arguments)))]
        sides = np.broadcast_to(bound.side, len(found)).tolist()
        for value, (low, high), side in zip(found, exact, sides, strict=True):
            assert value >= high if side == UP else value <= low, arguments
            assert abs(value - low) <= NEAR * max(abs(low), bound.cancels), arguments


# these follow the float curves of Pass@k, to which their own tests hold them
NO_BOUND = {"recovery_map_of_fits", "tries_needed"}
ROUNDS = r"(np\.)?(rounded_up|rounded_down|nextafter|outward|whole_tries|_up)"


def is_rounding(node):
    """Whether a node of a syntax tree calls for a direction."""
    return isinstance(node, ast.Call) and bool(re.fullmatch(ROUNDS, ast.unparse(node.func)))


def functions():
    for path in sorted(Path(reachability.__file__).parent.glob("[!_]*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield node


def sides():
    """Directions in the table by name."""
    found: dict[str, set[int]] = {}
    for bound in BOUNDS:
        found.setdefault(bound.name, set()).update(np.ravel(bound.side).tolist())
    return found


def test_the_table_lists_every_bound_that_the_source_rounds():
    source = {node.name for node in functions() if any(map(is_rounding, ast.walk(node)))}
    assert source - NO_BOUND <= sides().keys()
    assert source >= NO_BOUND


def test_the_table_agrees_with_what_the_docstrings_say():
    for node in functions():
        said = re.findall(
            r"rounded\s+(up|down|outwards?)\b(?! where)", ast.get_docstring(node) or ""
        )
        assert set().union(*(DIRECTIONS[way] for way in said)) <= sides().get(node.name, set()), (
            node.name
        )
