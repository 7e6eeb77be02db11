"""Every bound that is rounded lies on its safe side of the exact value, and next to it.

The exact value is that at the floats which the bound was given, in rationals, or in balls where it
is irrational. A bound that is made of another one is held to what that one answered, lest the
rounding of the one hide that of the other.
"""

import ast
import re
from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor, nextafter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from rolltheory import staleness
from rolltheory.claims import Enclosure
from rolltheory.staleness.claims.exact_numbers import enclosed, number, precision

POINTS = 50
NEAR = Fraction(1, 10**12)
UP, DOWN = 1, -1
DIRECTIONS = {"up": UP, "down": DOWN}


class Bound(NamedTuple):
    """A bound at drawn arguments, and its exact value at the same ones, as rationals."""

    name: str
    found: Callable[..., Any]
    exact: Callable[..., Any]
    side: Any
    draw: Callable[[np.random.Generator], tuple[Any, ...]]
    cancels: int = 0  # size of terms that nearly cancel


def ball(value):
    return number(Fraction(value), "ball")


def log(value):
    return ball(value).log()


def root(value):
    return ball(value).sqrt()


def held(value):
    """What a float stands for."""
    return Fraction(float(value))


def spread(rng, low, high):
    """A float, all magnitudes alike."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def sizes(*limits):
    """Positive floats within these limits."""
    return lambda rng: tuple(spread(rng, *pair) for pair in limits)


def whole(most, *limits, least=1):
    """A whole number, and positive floats."""
    return lambda rng: (int(rng.integers(least, most)), *sizes(*limits)(rng))


SHARE, WIDE, MEDIUM = (1e-6, 1.0), (1e-6, 1e6), (0.05, 3.0)
EDGES = (1e-4, 0.999), (1e-4, 100.0)


def clipped_share(size, low, high):
    """The formula of the clipped share."""
    largest = (root(2) * ball(size)).exp()
    zero, one = ball(0), ball(1)
    above = (largest / ball(1 + high) - 1).max(zero)
    below = (largest - 1 / ball(1 - low)).max(zero)
    return ((above + below) / (largest - 1)).min(one)


def softmax_radius(share, low, high):
    """The formula of the radius of a softmax."""
    up, down = 1 + high, 1 / (1 - low)
    inside = [(down - share) / (1 - share), (1 + down - share) / (1 + 1 / up - share)]
    if share * up < 1:
        inside.append((1 - share) * up / (1 - share * up))
    return log(min(inside)) / root(2)


def adam_factor(beta1, beta2, steps):
    """The root of the exact square, whose rationals would be long after many steps."""

    def total(ratio):
        return (1 - ball(ratio) ** steps) / ball(1 - ratio)

    return (total(beta2) * total(beta1**2 / beta2)).sqrt() / total(beta1)


def adam_limit(beta1, beta2):
    return ball(1 - beta1) / root((1 - beta2) * (1 - beta1**2 / beta2))


def kept_tokens(ratios, budget):
    return sum(staleness.second_moment_mask_exact([x**2 for x in ratios], budget=budget))


def second_moment_cap(ratios, budget):
    squares = [x**2 for x in ratios]
    return root(staleness.second_moment_cap_exact(squares, budget=budget))


def below(value):
    """The largest float below a rational, or one next to it."""
    return nextafter(float(value), 0.0)


def tokens_and_tight_budget(rng):
    """The budget is a hair too small for some number of tokens."""
    ratios = tuple(sorted(rng.uniform(0.1, 2.0, size=rng.integers(3, 9)).tolist()))
    keep = int(rng.integers(2, len(ratios) + 1))
    return ratios, below(sum(Fraction(x) ** 2 for x in ratios[:keep]) / keep)


def tokens_and_budget(rng):
    """The budget is between a tenth and nine tenths of the second moment."""
    ratios = rng.uniform(0.1, 2.0, size=rng.integers(3, 9))
    return tuple(ratios.tolist()), float(rng.uniform(0.1, 0.9) * np.mean(ratios**2))


def tight_bias(rng):
    """The budget is a hair too small for some lag."""
    rate, norm, size = spread(rng, 1e-4, 1), spread(rng, 0.1, 10), int(rng.integers(2, 20))
    return below(int(rng.integers(1, 99)) * one_update(rate, norm, size)), rate, norm, size


def one_update(rate, norm, size):
    return held(
        staleness.stale_bias_bound(1, float(rate), float(norm), size, variant="exact_ratio")
    )


def edge_of_the_clip(rng):
    """A displacement that is a few floats above the one at which an edge is reached."""
    low, high = sizes((0.01, 0.9), (0.01, 9.0))(rng)
    displacement = min(np.log1p(high), -np.log1p(-low)) / np.sqrt(2)
    return float(displacement * (1 + rng.integers(0, 9) * 2.0**-52)), low, high


def nearly_everything(rng):
    """Edges so wide that the radius is long."""
    share, rest, high = sizes((1e-18, 1e-17), (1e-15, 1e-10), (1e10, 1e15))(rng)
    return share, 1 - rest, high


def one_outlier(rng):
    """Many tokens that nearly use up the budget, and one that alone is capped."""
    ratios = rng.uniform(0.9, 1.0, size=rng.integers(30, 50))
    return (*ratios.tolist(), 3.0), float((np.sum(ratios**2) + 2) / (len(ratios) + 1))


def tight_radius(rng):
    """The radius is that of a number of updates, whole or not."""
    rate, norm = sizes((1e-4, 1.0), (0.1, 10.0))(rng)
    return rate, rate * norm * float(rng.integers(1, 99) / 2), norm


def growing_adam(rng):
    """Momentum that grows, for as long as floats can follow."""
    mean, square = float(rng.uniform(0.5, 0.99)), float(rng.uniform(0.01, 0.2))
    return mean, square, int(rng.integers(1, 200))


def settled_adam(rng):
    """Usual decays."""
    return float(rng.uniform(0, 0.9)), float(rng.uniform(0.9, 0.999))


def steepest_weights(size):
    """The first slope of the Bernstein form, for both standard deviations."""
    first = root(size - 1)
    second = root(Fraction(size - 2, 2)) + root(Fraction(1, size - 1))
    slope = (size - 1) * (first - second)
    return [slope, slope * root(Fraction(size - 1, size))]


def held_bias_constant(size, advantage):
    return held(
        staleness.bias_constant(size, variant="no_ratio", largest_advantage=float(advantage))
    )


BOUNDS = (
    Bound(
        "advantage_bound",
        lambda n: [staleness.advantage_bound(n, std=s) for s in ("population", "sample")],
        lambda n: [root(n - 1), root(Fraction((n - 1) ** 2, n))],
        UP,
        whole(1000, least=2),
    ),
    Bound(
        "error_floor",
        lambda n, gap, rate, b: staleness.error_floor(gap, rate, n, b, 1.0),
        lambda n, gap, rate, b: staleness.error_floor_exact(gap, rate, n, b),
        UP,
        whole(1000, WIDE, SHARE, WIDE),
    ),
    Bound(
        "bias_constant",
        lambda n, a, low, high: [
            staleness.bias_constant(n, variant="exact_ratio"),
            staleness.bias_constant(n, variant="exact_ratio", largest_advantage=a),
            staleness.bias_constant(n, variant="no_ratio", largest_advantage=a),
            staleness.bias_constant(n, variant="clipped", clip=(low, high), largest_advantage=a),
            staleness.bias_constant(n, variant="token", length=7, largest_advantage=a),
        ],
        lambda n, a, low, high: [
            (n - 1) * held(staleness.advantage_bound(n)),
            a * (n - 1),
            a * n,
            a * (n - 1 + held(staleness.clip_coefficient((float(low), float(high))))),
            a * (7 * n - 1),
        ],
        UP,
        whole(100, WIDE, *EDGES, least=2),
    ),
    Bound(
        "bias_bound",
        lambda n, d, a: staleness.bias_bound(d, n, variant="no_ratio", largest_advantage=a),
        lambda n, d, a: root(2) * ball(held_bias_constant(n, a) * d),
        UP,
        whole(100, (1e-6, 2.0), WIDE, least=2),
    ),
    Bound(
        "stale_bias_bound",
        lambda n, rate, norm, a: staleness.stale_bias_bound(
            n, rate, norm, 3, variant="no_ratio", largest_advantage=a
        ),
        lambda n, rate, norm, a: held_bias_constant(3, a) * n * rate * norm,
        UP,
        whole(100, WIDE, WIDE, WIDE),
    ),
    Bound(
        "largest_lag_for_bias",
        lambda b, rate, norm, n: staleness.largest_lag_for_bias(
            b, rate, norm, n, variant="exact_ratio"
        ),
        lambda b, rate, norm, n: floor(b / one_update(rate, norm, n)),
        DOWN,
        tight_bias,
    ),
    Bound(
        "binary_bias_bound",
        lambda n, d: staleness.binary_bias_bound(d, n),
        lambda n, d: held(staleness.prompt_weight_slope_bound(n)) * d / 8,
        UP,
        whole(1000, WIDE, least=2),
    ),
    Bound(
        "clip_coefficient",
        lambda low, high: staleness.clip_coefficient((low, high)),
        lambda low, high: (1 / high + 1 / low) / 2,
        UP,
        sizes(*EDGES),
    ),
    Bound(
        "cached_reverse_kl_bias_bound",
        staleness.cached_reverse_kl_bias_bound,
        lambda d: d / 2,
        UP,
        sizes(WIDE),
    ),
    Bound(
        "lag_displacement",
        lambda n, rate, norm: [
            staleness.lag_displacement(n, rate, norm, schedule=s) for s in ("fixed_lag", "sync")
        ],
        lambda n, rate, norm: [
            staleness.lag_displacement_exact(n, rate, norm, schedule=s)
            for s in ("fixed_lag", "sync")
        ],
        UP,
        whole(1000, WIDE, WIDE),
    ),
    Bound(
        "update_norm_bound",
        lambda c, mu: staleness.update_norm_bound(staleness.Sgd(c, momentum=mu)),
        lambda c, mu: c / (1 - mu),
        UP,
        sizes(WIDE, (1e-3, 0.999)),
    ),
    Bound(
        "update_norm_bound",
        lambda d: staleness.update_norm_bound(staleness.Adam(d)),
        lambda d: root(d) * ball(held(staleness.adam_update_factor(0.9, 0.999))),
        UP,
        whole(10**9),
    ),
    Bound(
        "adam_update_factor",
        lambda b1, b2: staleness.adam_update_factor(b1, b2),
        adam_limit,
        UP,
        settled_adam,
    ),
    Bound(
        "adam_update_factor",
        lambda b1, b2: staleness.adam_update_factor(b1, b2, steps=30),
        lambda b1, b2: adam_factor(b1, b2, 30),
        UP,
        settled_adam,
    ),
    Bound(
        "adam_update_factor",
        lambda b1, b2, n: staleness.adam_update_factor(b1, b2, steps=n),
        adam_factor,
        UP,
        growing_adam,
    ),
    Bound(
        "binary_gradient_norm_bound",
        lambda n: [staleness.binary_gradient_norm_bound(n, stale=s) for s in (False, True)],
        lambda n: [root(Fraction(n - 1, 2 * n)), root(Fraction(n - 1, 8))],
        UP,
        whole(1000, least=2),
    ),
    Bound(
        "masked_mass_bound",
        lambda d, low, high: staleness.masked_mass_bound(d, clip_low=low, clip_high=high),
        lambda d, low, high: staleness.masked_mass_bound_exact(d, clip_low=low, clip_high=high),
        UP,
        sizes(SHARE, *EDGES),
    ),
    Bound(
        "total_variation_allowance",
        lambda m, low, high: staleness.total_variation_allowance(m, clip_low=low, clip_high=high),
        lambda m, low, high: min(m / (1 / low + 1 / high), Fraction(1)),
        DOWN,
        sizes(SHARE, *EDGES),
    ),
    Bound(
        "prompt_weight_slope_bound",
        lambda n: [staleness.prompt_weight_slope_bound(n, std=s) for s in ("population", "sample")],
        steepest_weights,
        UP,
        whole(1000, least=4),
    ),
    Bound(
        "SOFTMAX_SCORE_BOUND",
        lambda: staleness.SOFTMAX_SCORE_BOUND,
        lambda: root(2),
        UP,
        sizes(),
    ),
    Bound(
        "SOFTMAX_L1_CONSTANT",
        lambda: staleness.SOFTMAX_L1_CONSTANT,
        lambda: root(Fraction(1, 2)),
        UP,
        sizes(),
    ),
    Bound(
        "clip_radius",
        lambda low, high, b: [
            staleness.clip_radius(low, high),
            staleness.clip_radius(low, high, score_bound=b),
        ],
        lambda low, high, b: [
            min(log(1 + high), -log(1 - low)) / size
            for size in (ball(held(staleness.SOFTMAX_SCORE_BOUND)), ball(b))
        ],
        DOWN,
        sizes(*EDGES, MEDIUM),
    ),
    Bound(
        "batch_radius",
        lambda k, low, high, b: staleness.batch_radius(k, low, high, l1_constant=b),
        lambda k, low, high, b: 2 * k / (1 / low + 1 / high) / b,
        DOWN,
        sizes(SHARE, *EDGES, MEDIUM),
    ),
    Bound(
        "clip_fraction_bound",
        staleness.clip_fraction_bound,
        clipped_share,
        UP,
        sizes(MEDIUM, (0.01, 0.9), (0.01, 9.0)),
    ),
    Bound(
        "clip_fraction_bound",
        staleness.clip_fraction_bound,
        clipped_share,
        UP,
        edge_of_the_clip,
        cancels=1,
    ),
    Bound(
        "softmax_batch_radius",
        staleness.softmax_batch_radius,
        softmax_radius,
        DOWN,
        sizes(SHARE, (0.1, 0.999), (0.1, 100.0)),
    ),
    Bound(
        "softmax_batch_radius",
        staleness.softmax_batch_radius,
        softmax_radius,
        DOWN,
        nearly_everything,
    ),
    Bound(
        "softmax_batch_radius",
        lambda rest, low, high: staleness.softmax_batch_radius(1 - rest, low * rest, high),
        lambda rest, low, high: softmax_radius(
            held(1 - float(rest)), held(float(low) * float(rest)), high
        ),
        DOWN,
        sizes((1e-9, 0.1), (0.1, 1.0), (1.0, 100.0)),
    ),
    Bound(
        "ess_floor",
        lambda n, d: staleness.ess_floor(d, n),
        lambda n, d: ball(-n * d**2 / 2).exp(),
        DOWN,
        whole(100, (1e-3, 2.0)),
    ),
    Bound(
        "ess_radius",
        lambda n, share: staleness.ess_radius(share, n),
        lambda n, share: (-2 * log(share) / n).sqrt(),
        DOWN,
        whole(10_000, SHARE),
    ),
    Bound(
        "stable_learning_rate",
        lambda lag, batch, critical, norm: [
            getattr(staleness.stable_learning_rate(lag, 100, batch, critical, norm), limit)
            for limit in ("lag_limit", "horizon_limit", "learning_rate")
        ],
        lambda lag, batch, critical, norm: [
            batch / (lag * norm),
            critical / (100 * norm),
            staleness.stable_learning_rate_exact(lag, 100, batch, critical, norm),
        ],
        DOWN,
        whole(100, WIDE, WIDE, WIDE),
    ),
    Bound(
        "collapse_time_lower_bound",
        staleness.collapse_time_lower_bound,
        lambda rate, radius, norm: ceil(radius / (rate * norm) * (1 - Fraction(1, 2**50))),
        DOWN,
        tight_radius,
    ),
    Bound(
        "second_moment_mask",
        lambda ratios, budget: staleness.second_moment_mask(ratios, 1.0, budget=budget).sum(),
        kept_tokens,
        DOWN,
        tokens_and_tight_budget,
    ),
    Bound(
        "second_moment_cap",
        lambda ratios, budget: staleness.second_moment_cap(ratios, 1.0, budget=budget),
        second_moment_cap,
        DOWN,
        tokens_and_budget,
    ),
    Bound(
        "second_moment_cap",
        lambda ratios, budget: staleness.second_moment_cap(ratios, 1.0, budget=budget),
        second_moment_cap,
        DOWN,
        one_outlier,
    ),
    Bound(
        "selection_bias_bound",
        staleness.selection_bias_bound,
        lambda share, width: share * width,
        UP,
        sizes(SHARE, WIDE),
    ),
    Bound(
        "lower_tail_range",
        lambda mean, alpha: staleness.lower_tail_range(mean, quantile=alpha),
        lambda mean, alpha: staleness.lower_tail_range_exact(mean, quantile=alpha),
        (DOWN, UP),
        sizes((0.1, 1.0), (0.1, 0.9)),
    ),
    Bound(
        "SUCCESS_HESSIAN_BOUND",
        lambda: staleness.SUCCESS_HESSIAN_BOUND,
        lambda: root(Fraction(1, 27)),
        UP,
        sizes(),
    ),
    Bound(
        "softmax_distance_bounds",
        lambda d: list(staleness.softmax_distance_bounds(d)),
        lambda d: [
            root(d**2 / 2),
            root(d**2 / 8),
            root(d**2 * 2),
            d**2 / 4,
            ball(d**2 / 2).expm1(),
        ],
        UP,
        sizes((1e-6, 30.0)),
    ),
    Bound(
        "success_gradient_bound",
        staleness.success_gradient_bound,
        lambda p: root(2) * ball(p * (1 - p)),
        UP,
        sizes(SHARE),
    ),
    Bound(
        "effective_sample_floor",
        lambda a, more: staleness.effective_sample_floor(a, a + more),
        lambda a, more: staleness.effective_sample_floor_exact(a, held(float(a) + float(more))),
        DOWN,
        sizes(WIDE, WIDE),
    ),
    Bound(
        "truncation_bias_bound",
        staleness.truncation_bias_bound,
        lambda excess, largest: excess * largest,
        UP,
        sizes(SHARE, WIDE),
    ),
    Bound(
        "truncated_excess_bound",
        lambda variance, cap: staleness.truncated_excess_bound(variance, cap=cap),
        lambda variance, cap: staleness.truncated_excess_bound_exact(variance, cap=cap),
        UP,
        sizes(WIDE, (1.001, 100.0)),
    ),
)


def as_rationals(argument):
    if isinstance(argument, tuple):
        return tuple(map(as_rationals, argument))
    return Fraction(argument) if isinstance(argument, float) else argument


def as_list(values):
    return list(values) if isinstance(values, list | tuple) else [values]


def ends(value):
    with precision("ball"):
        value = enclosed(value)
    return (value.low, value.high) if isinstance(value, Enclosure) else (value, value)


@pytest.mark.parametrize("bound", BOUNDS, ids=lambda bound: bound.name)
def test_a_rounded_bound_lies_on_its_safe_side_and_next_to_the_exact_value(bound):
    rng = np.random.default_rng(20)
    for _ in range(POINTS):
        arguments = bound.draw(rng)
        found = [Fraction(float(value)) for value in as_list(bound.found(*arguments))]
        with precision("ball"):
            exact = as_list(bound.exact(*map(as_rationals, arguments)))
        for value, number_, side in zip(
            found, exact, np.broadcast_to(bound.side, len(found)), strict=True
        ):
            low, high = ends(number_)
            assert value >= high if side == UP else value <= low, arguments
            assert abs(value - low) <= NEAR * max(abs(low), bound.cancels), arguments


def is_rounding(node):
    """Whether a node of a syntax tree calls for a direction."""
    return isinstance(node, ast.Call) and re.fullmatch(
        r"(np\.)?(rounded_up|rounded_down|nextafter)", ast.unparse(node.func)
    )


def rounded_in(tree):
    """Public names of a module that are rounded, be it by a private helper."""
    inside = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node
            name = getattr(target, "name", None) or ast.unparse(getattr(target, "target", target))
            inside[name] = list(ast.walk(node))
    found = {name for name, nodes in inside.items() if any(map(is_rounding, nodes))}
    hidden = {name for name in found if name.startswith("_")}
    for name, nodes in inside.items():
        if any(isinstance(node, ast.Name) and node.id in hidden for node in nodes):
            found.add(name)
    return found - hidden


def modules():
    return [
        ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(Path(staleness.__file__).parent.glob("*.py"))
    ]


def sides():
    """Directions in the table by name."""
    found: dict[str, set[int]] = {}
    for bound in BOUNDS:
        found.setdefault(bound.name, set()).update(np.ravel(bound.side).tolist())
    return found


def test_the_table_lists_every_bound_that_the_source_rounds():
    source = set().union(*map(rounded_in, modules()))
    assert source <= sides().keys()


def test_the_table_agrees_with_what_the_docstrings_say():
    for tree in modules():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                said = re.findall(r"rounded\s+(up|down)", ast.get_docstring(node) or "")
                assert {DIRECTIONS[way] for way in said} <= sides().get(node.name, set()), node.name


def test_the_walk_sees_helpers_and_constants():
    tree = ast.parse(
        "A = float(rounded_up(1))\n"
        "B: Final = np.nextafter(1.0, 2.0)\n"
        "C = 1\n"
        "def _helper(x): return rounded_down(x)\n"
        "def bound(x): return _helper(x)\n"
        "def other(x): return x\n"
    )
    assert rounded_in(tree) == {"A", "B", "bound"}
