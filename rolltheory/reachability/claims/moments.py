"""Claims about the variance of the estimator and about the plug-in estimate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    Tight,
    Tooth,
    Unbroken,
    Verdict,
    claim,
)
from rolltheory.reachability.claims.estimators import PAGE, Estimator
from rolltheory.reachability.claims.tries import (
    ENOUGH,
    INDEPENDENT,
    ObservedTries,
    Tries,
    has_enough_tries,
    is_independent,
)
from rolltheory.reachability.exact import (
    pass_at_k_exact,
    pass_at_k_variance_estimate_exact,
    pass_at_k_variance_exact,
    plug_in_bias_exact,
    plug_in_pass_at_k_exact,
)

__all__ = [
    "Successes",
    "mean_squared_error_of_the_estimator",
    "plug_in_bias_is_known",
    "plug_in_bias_to_first_order",
    "plug_in_is_biased_low",
    "plug_in_is_drawing_with_replacement",
    "variance_estimate_is_unbiased",
    "variance_of_the_estimator",
]

SPREAD = f"{PAGE}#variance"
PLUG_IN = f"{PAGE}#the-plug-in-estimate"
AT_LEAST_ONE = "n >= 1 and k >= 1"
POSITIVE: Callable[[Any], bool] = lambda case: case.samples >= 1 and case.k >= 1  # noqa: E731


def _law_variance(case: Tries | ObservedTries) -> Any:
    truth = case.any_of_k()
    return case.mean(lambda c: (pass_at_k_exact(case.samples, c, case.k) - truth) ** 2)


@claim(
    "reachability.pass_at_k.variance",
    statement=r"\mathrm{Var}\,U = \sum_{j=0}^{k} \binom{k}{j} \binom{n-k}{k-j} \Big/ \binom{n}{k}"
    r"\; q^{2k-j} - q^{2k}, \quad q = 1 - p",
    relation=Relation.EQUAL,
    source=Source.derived(SPREAD),
    assumes={ENOUGH: has_enough_tries, INDEPENDENT: is_independent},
    teeth={
        "delta method": lambda n, k, p: k * k * p * (1 - p) ** (2 * k - 1) / n,
        "a tenth smaller": lambda n, k, p: pass_at_k_variance_exact(n, k, p) * Fraction(9, 10),
        "no shared tries": lambda n, k, p: (1 - p) ** k * (1 - (1 - p) ** k) * Fraction(k, n),
    },
    breaks={
        ENOUGH: Unbroken("without it the estimator is undefined; see reachability.pass_at_k.few"),
        INDEPENDENT: Counterexample(
            Tries(2, 1, Fraction(1, 2), spread=Fraction(1, 2)),
            "Tries that succeed or fail together are one try.",
        ),
    },
)
def variance_of_the_estimator(
    case: Tries | ObservedTries, variance: Callable[..., Any] = pass_at_k_variance_exact
) -> Sides:
    """The variance of the estimator is a finite sum over the tries that two subsets share."""
    p = Fraction(case.success_probability)
    return Sides(_law_variance(case), variance(case.samples, case.k, p))


@claim(
    "reachability.pass_at_k.variance_estimate",
    statement=r"E\Big[(1 - U)^2 - \binom{n-C}{2k} \Big/ \binom{n}{2k}\Big] = \mathrm{Var}\,U",
    relation=Relation.EQUAL,
    source=Source.derived(SPREAD),
    assumes={
        "2 k <= n": lambda case: 1 <= case.k <= case.samples // 2,
        INDEPENDENT: is_independent,
    },
    teeth={
        "binomial variance": lambda n, c, k: (
            pass_at_k_exact(n, c, k) * (1 - pass_at_k_exact(n, c, k)) / n
        ),
        "not squared": lambda n, c, k: (
            (1 - pass_at_k_exact(n, c, k)) - (1 - pass_at_k_exact(n, c, 2 * k))
        ),
    },
    breaks={
        "2 k <= n": Counterexample(
            Tries(1, 1, Fraction(1, 2)),
            "The second binomial quotient is undefined; left out, the mean is too large.",
            sides=lambda case, _: Sides(
                case.mean(lambda c: (1 - pass_at_k_exact(case.samples, c, case.k)) ** 2),
                _law_variance(case),
            ),
        ),
        INDEPENDENT: Counterexample(
            Tries(2, 1, Fraction(1, 2), spread=Fraction(1, 2)),
            "Tries that always agree show no variance.",
        ),
    },
)
def variance_estimate_is_unbiased(
    case: Tries, estimate: Estimator = pass_at_k_variance_estimate_exact
) -> Sides:
    """From at least 2k tries, the variance of the estimator has an unbiased estimate."""
    return Sides(case.mean(lambda c: estimate(case.samples, c, case.k)), _law_variance(case))


@claim(
    "reachability.plug_in.biased_low",
    statement=r"E\,[1 - (1 - C/n)^k] \le 1 - (1 - p)^k, \quad C \sim \mathrm{Bin}(n, p)",
    relation=Relation.AT_MOST,
    source=Source.derived(PLUG_IN),
    assumes={AT_LEAST_ONE: POSITIVE},
    teeth={
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
        "Pass@(k + 1)": lambda n, c, k: plug_in_pass_at_k_exact(n, c, k + 1),
    },
    breaks={AT_LEAST_ONE: Unbroken("there is no estimate from no try, and no Pass@0")},
    tight=Tight(Tries(1, 1, Fraction(1, 2))),
)
def plug_in_is_biased_low(
    case: Tries | ObservedTries, estimator: Estimator = plug_in_pass_at_k_exact
) -> Sides:
    """The plug-in estimate 1 - (1 - c/n)^k is biased low.

    By Jensen's inequality, for independent and for exchangeable tries alike: its mean is at most
    Pass@k at the mean success probability.
    """
    return Sides(case.mean(lambda c: estimator(case.samples, c, case.k)), case.any_of_k())


@claim(
    "reachability.plug_in.bias",
    statement=r"E\,(1 - C/n)^k = n^{-k} \sum_{j=1}^{k} S_2(k, j)\,(n)_j\,(1 - p)^j",
    relation=Relation.EQUAL,
    source=Source.derived(PLUG_IN),
    assumes={AT_LEAST_ONE: POSITIVE, INDEPENDENT: is_independent},
    teeth={
        "first order only": lambda n, k, p: -Fraction(k * (k - 1), 2 * n) * p * (1 - p) ** (k - 1),
        "sign flipped": lambda n, k, p: -plug_in_bias_exact(n, k, p),
        "a tenth smaller": lambda n, k, p: plug_in_bias_exact(n, k, p) * Fraction(9, 10),
    },
    breaks={
        AT_LEAST_ONE: Unbroken("there is no estimate from no try, and no Pass@0"),
        INDEPENDENT: Counterexample(
            Tries(2, 2, Fraction(1, 4), spread=Fraction(1, 4)),
            "The mean of the count is right, its spread is not.",
        ),
    },
)
def plug_in_bias_is_known(case: Tries, bias: Callable[..., Any] = plug_in_bias_exact) -> Sides:
    """The bias of the plug-in estimate, exactly, by Stirling numbers of the second kind."""
    return Sides(_bias(case), bias(case.samples, case.k, case.success_probability))


def first_order_bias(k: int, p: Any) -> Any:
    """n times the bias, for many tries."""
    return -k * (k - 1) * p * (1 - p) ** (k - 1) / Fraction(2)


@claim(
    "reachability.plug_in.first_order",
    statement=r"n\,\big(E\,[1 - (1 - C/n)^k] - [1 - (1 - p)^k]\big)"
    r" \to -\tfrac{1}{2}\,k (k - 1)\, p\, (1 - p)^{k-1} \quad (n \to \infty)",
    relation=Relation.EQUAL,
    source=Source.derived(PLUG_IN),
    assumes={"k >= 1": lambda case: case.k >= 1, INDEPENDENT: is_independent},
    teeth={
        "k^2": lambda k, p: -k * k * p * (1 - p) ** (k - 1) / Fraction(2),
        "q^k": lambda k, p: -k * (k - 1) * p * (1 - p) ** k / Fraction(2),
        "sign flipped": lambda k, p: -first_order_bias(k, p),
    },
    breaks={
        "k >= 1": Unbroken("there is no Pass@0"),
        INDEPENDENT: Counterexample(
            Tries(1, 2, Fraction(1, 2), spread=Fraction(1, 4)),
            "Tries that share a latent probability keep a bias that more tries do not remove.",
        ),
    },
)
def plug_in_bias_to_first_order(case: Tries, limit: Callable[..., Any] = first_order_bias) -> Sides:
    """The bias of the plug-in estimate vanishes like 1/n, with a known constant.

    n times the bias is a polynomial of degree k - 1 in 1/n, so its limit follows from its values at
    n = 1, ..., k; the number of tries of the case plays no part.
    """
    return Sides(_limit_of_scaled_bias(case), limit(case.k, case.success_probability))


def _limit_of_scaled_bias(case: Tries) -> Any:
    """The value at 0 of the polynomial in x = 1/n through x = 1, 1/2, ..., 1/k."""
    return sum(
        _lagrange_weight(n, case.k) * n * _bias(replace(case, samples=n))
        for n in range(1, case.k + 1)
    )


def _lagrange_weight(n: int, k: int) -> Fraction:
    others = (other for other in range(1, k + 1) if other != n)
    return prod((Fraction(n, n - other) for other in others), start=Fraction(1))


def _bias(case: Tries) -> Any:
    mean = case.mean(lambda c: plug_in_pass_at_k_exact(case.samples, c, case.k))
    return mean - case.any_of_k()


@dataclass(frozen=True)
class Successes:
    """``successes`` of ``samples`` tries succeeded; k of them are drawn with replacement."""

    samples: int
    successes: int
    k: int


@claim(
    "reachability.plug_in.with_replacement",
    statement=r"P(\text{one of } k \text{ draws with replacement from } n \text{ tries, } c"
    r" \text{ of them successes, is a success}) = 1 - (1 - c/n)^k",
    relation=Relation.EQUAL,
    source=Source.derived(PLUG_IN),
    assumes={"0 <= c <= n, n >= 1, k >= 1": lambda case: 0 <= case.successes <= case.samples},
    teeth={
        "without replacement": lambda n, c, k: pass_at_k_exact(n, c, min(k, n)),
        "one draw more": lambda n, c, k: plug_in_pass_at_k_exact(n, c, k + 1),
    },
    breaks={"0 <= c <= n, n >= 1, k >= 1": Unbroken("there is nothing to draw from")},
)
def plug_in_is_drawing_with_replacement(
    case: Successes, formula: Estimator = plug_in_pass_at_k_exact
) -> Sides:
    """Best of k by drawing with replacement reports the plug-in estimate, not the unbiased one.

    Of 16 tries with one success it reports 0.644 for best of 16, although one try did succeed.
    """
    outcomes = [i < case.successes for i in range(case.samples)]
    draws = list(product(outcomes, repeat=case.k))
    share = Fraction(sum(map(any, draws)), len(draws))
    return Sides(share, formula(case.samples, case.successes, case.k))


def _plug_in_error(case: Tries) -> Any:
    truth = case.any_of_k()
    return case.mean(lambda c: (plug_in_pass_at_k_exact(case.samples, c, case.k) - truth) ** 2)


@claim(
    "reachability.pass_at_k.smallest_error",
    statement=r"E\,(U - f_k(p))^2 \le E\,(W - f_k(p))^2, \quad W = 1 - (1 - C/n)^k",
    relation=Relation.AT_MOST,
    source=Source.derived(PLUG_IN),
    assumes={ENOUGH: has_enough_tries, INDEPENDENT: is_independent},
    repairs={
        "among unbiased: the first k tries": lambda case: case.any_of_k() * (1 - case.any_of_k())
    },
    breaks={
        ENOUGH: Unbroken("without it the estimator is undefined; see reachability.pass_at_k.few"),
        INDEPENDENT: Unbroken("the statement is false with it"),
    },
    declared=Verdict.REFUTED,
    repaired_by="reachability.pass_at_k.unique",
)
def mean_squared_error_of_the_estimator(
    case: Tries, competitor: Callable[[Tries], Any] = _plug_in_error
) -> Sides:
    """The unbiased estimator has the smaller mean squared error.

    False: for small success probabilities the plug-in estimate trades bias for variance and wins.
    True is that the estimator has the least variance among unbiased ones, such as looking at the
    first k tries only. Say which of the two is wanted.
    """
    return Sides(_law_variance(case), competitor(case))
