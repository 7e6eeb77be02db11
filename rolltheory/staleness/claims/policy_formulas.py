"""Claims about float functions of policies: each agrees with its formula in rationals.

Where a function has a root, a logarithm or an exponential, its arguments are chosen, or its value
is turned, so that the result is rational again.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import (
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
from rolltheory.staleness.advantages import conditional_advantages, paired_advantages
from rolltheory.staleness.claims.routes import NEAR, STATEMENT, THIRD, floats, logs
from rolltheory.staleness.distillation import fisher_information, forward_kl_gradient
from rolltheory.staleness.objective import behaviour_gradient, curl, surrogate_value
from rolltheory.staleness.softmax import log_policy, softmax_distances
from rolltheory.staleness.surrogate import (
    binary_surrogate_gradient,
    gradient_bias,
    success_gradient,
    surrogate_gradient,
)
from rolltheory.staleness.surrogate_exact import (
    surrogate_gradient_exact,
    token_surrogate_gradient_exact,
)
from rolltheory.staleness.tilting import group_weights, tilting_log_weights
from rolltheory.staleness.token_surrogate import token_gradient_bias, token_surrogate_gradient
from rolltheory.staleness.variance import minimum_variance_baseline

__all__ = ["POLICY_FORMULAS", "policy_formulas_are_computed"]

HALF = Fraction(1, 2)
Row = tuple[Fraction, ...]


def dot(first: Any, second: Any) -> Fraction:
    """The sum of products."""
    return sum((Fraction(x) * y for x, y in zip(first, second, strict=True)), Fraction())


def ascending(p: Row) -> Any:
    """2 a b c with the signs of the curl for rewards 0, 1, 2."""
    size = 2 * math.prod(p)
    return [[0, -size, size], [size, 0, -size], [-size, size, 0]]


def of_pairs(q: Row, f: Row, part: Any) -> list[Fraction]:
    """The mean of a part of an action's advantage over the other member of its group of two."""
    return [dot(q, [max(part * (x - y) / 2, Fraction()) for y in f]) for x in f]


def bias_of_two(p: Row, q: Row, f: Row) -> list[Fraction]:
    """The stale less the fresh map without ratios, in rationals."""
    maps = (surrogate_gradient_exact(p, r, f, 2, ratio="none") for r in (q, p))
    return [stale - fresh for stale, fresh in zip(*maps, strict=True)]


def tree(policy: Row) -> list[Row]:
    """A policy over two tokens, each drawn like the other."""
    return [policy] * (1 + len(policy))


def token_rewards(f: Row) -> Row:
    """The reward of the first token, less half that of the second."""
    return tuple(x - y / 2 for x in f for y in f)


def token_map(compute: Any, p: Row, q: Row, f: Row) -> Any:
    """A float map of two trees."""
    learner, sampler = ([logs(row) for row in tree(policy)] for policy in (p, q))
    return compute(learner, sampler, floats(token_rewards(f)), 2, std=None)


def exact_token_map(p: Row, q: Row, f: Row) -> Any:
    """The map of two trees with token ratios, in rationals."""
    return token_surrogate_gradient_exact(tree(p), tree(q), token_rewards(f), 2)


def token_bias(p: Row, q: Row, f: Row) -> Any:
    """The stale less the fresh map with token ratios, in rationals."""
    rows = zip(exact_token_map(p, q, f), exact_token_map(p, p, f), strict=True)
    return [[x - y for x, y in zip(*pair, strict=True)] for pair in rows]


def pushed(p: Row, q: Row, f: Row) -> list[Fraction]:
    """The gradient of the surrogate of a group of two in the behaviour policy's logits."""
    gains = [dot(p, [(x - y) / 2 for x in f]) for y in f]
    return [z * (gain - dot(q, gains)) for z, gain in zip(q, gains, strict=True)]


# of a learner's policy, a sampler's, and one value per action
POLICY_FORMULAS = Routes(
    NEAR,
    log_policy=Route(
        lambda p, *_: np.exp(log_policy("logits", logs([7 * x for x in p]))),
        lambda p, *_: p,
    ),
    softmax_distances=Route(
        lambda p, q, _: [
            softmax_distances(logs(p), logs(q)).l1,
            softmax_distances(logs(p), logs(q)).chi_squared,
        ],
        lambda p, q, _: [
            sum(abs(x - y) for x, y in zip(p, q, strict=True)),
            sum(x * x / y for x, y in zip(p, q, strict=True)) - 1,
        ],
    ),
    fisher_information=Route(
        lambda p, *_: fisher_information(logs(p)),
        lambda p, *_: [[(i == j) * x - x * y for j, y in enumerate(p)] for i, x in enumerate(p)],
    ),
    forward_kl_gradient=Route(
        lambda p, q, _: forward_kl_gradient(logs(p), logs(q)),
        lambda p, q, _: [x - y for x, y in zip(p, q, strict=True)],
    ),
    success_gradient=Route(
        lambda p, _, f: success_gradient(logs(p), [x >= HALF for x in f]),
        lambda p, _, f: [
            x * ((y >= HALF) - dot(p, [z >= HALF for z in f])) for x, y in zip(p, f, strict=True)
        ],
    ),
    binary_surrogate_gradient=Route(
        lambda p, q, f: binary_surrogate_gradient(logs(p), logs(q), [x >= HALF for x in f], 2),
        lambda p, _, f: [
            x * ((y >= HALF) - dot(p, [z >= HALF for z in f])) for x, y in zip(p, f, strict=True)
        ],
    ),
    tilting_log_weights=Route(
        lambda p, q, _: np.exp(tilting_log_weights(logs(p), logs(q), temperature=1.0)),
        lambda p, q, _: [y / dot(p, q) for y in q],
    ),
    group_weights=Route(
        lambda p, *_: group_weights(logs(p), temperature=1.0),
        lambda p, *_: [len(p) * x for x in p],
    ),
    minimum_variance_baseline=Route(
        lambda p, q, f: minimum_variance_baseline(logs(p), floats(q), floats(f)),
        lambda p, q, f: (
            dot([(x * y) ** 2 for x, y in zip(p, q, strict=True)], f)
            / sum((x * y) ** 2 for x, y in zip(p, q, strict=True))
        ),
    ),
    conditional_advantages=Route(
        lambda p, _, f: list(conditional_advantages(floats(p), floats(f), 2, std=None)),
        lambda p, _, f: [of_pairs(p, f, sign) for sign in (1, -1)],
    ),
    paired_advantages=Route(
        lambda p, _, f: paired_advantages(floats(p), floats(f), 2, std=None),
        lambda _, __, f: [[(x - y) / 2 for y in f] for x in f],
    ),
    surrogate_gradient=Route(
        lambda p, q, f: surrogate_gradient(logs(p), logs(q), floats(f), 3, std=None),
        lambda p, q, f: surrogate_gradient_exact(p, q, f, 3),
    ),
    gradient_bias=Route(
        lambda p, q, f: gradient_bias(logs(p), logs(q), floats(f), 2, ratio="none", std=None),
        bias_of_two,
    ),
    token_surrogate_gradient=Route(
        lambda p, q, f: token_map(token_surrogate_gradient, p, q, f),
        exact_token_map,
    ),
    token_gradient_bias=Route(
        lambda p, q, f: token_map(token_gradient_bias, p, q, f),
        token_bias,
    ),
    surrogate_value=Route(
        lambda p, q, f: surrogate_value(logs(p), logs(q), floats(f), 2, std=None),
        lambda p, q, f: (dot(p, f) - dot(q, f)) / 2,
    ),
    behaviour_gradient=Route(
        lambda p, q, f: behaviour_gradient(logs(p), logs(q), floats(f), 2, std=None),
        pushed,
    ),
    curl=Route(
        lambda p, *_: curl(logs(p), [0, 1, 2], 2),
        lambda p, *_: ascending(p),
    ),
)


@claim(
    "staleness.formulas.policies",
    statement=STATEMENT,
    relation=Relation.AT_MOST,
    source=Source.known("floating-point arithmetic"),
    assumes={},
    teeth=POLICY_FORMULAS.off_by_a_tenth() | POLICY_FORMULAS.rounded_the_wrong_way(),
    tight=Tight(
        Call("softmax_distances", ((THIRD, 1 - THIRD), (1 - THIRD, THIRD), (1, 0))), at_least=1e-6
    ),
)
def policy_formulas_are_computed(
    case: Call, computed: Computed = POLICY_FORMULAS.computed
) -> Sides:
    """What two policies and values per action give is what the formulas say.

    Groups have two members, whose advantages are half their difference, or three.
    """
    return POLICY_FORMULAS.judged(case, computed)
