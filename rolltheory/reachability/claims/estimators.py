"""Claims about the estimators themselves: unbiased, unique, impossible from fewer than k tries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    Unbroken,
    claim,
)
from rolltheory.reachability.claims.tries import (
    ENOUGH,
    INDEPENDENT,
    ObservedTries,
    Tries,
    has_enough_tries,
    is_independent,
)
from rolltheory.reachability.exact import (
    all_of_k_exact,
    max_at_k_exact,
    pass_at_k_exact,
    plug_in_pass_at_k_exact,
)

__all__ = [
    "Matching",
    "Scores",
    "all_of_k_is_unbiased",
    "estimator_is_unique",
    "max_at_k_is_the_mean_over_subsets",
    "no_estimator_from_too_few_tries",
    "pass_at_k_is_unbiased",
    "pass_at_k_of_exchangeable_tries",
]

Estimator = Callable[[int, int, int], Any]

PAGE = "docs/theory/reachability.md"
ESTIMATOR = r"U(n, c, k) = 1 - \binom{n-c}{k} \Big/ \binom{n}{k}"


def one_try_too_many(samples: int, successes: int, k: int) -> Fraction:
    """The estimator of Pass@(k + 1)."""
    return pass_at_k_exact(samples, successes, min(k + 1, samples))


def one_where_too_few(samples: int, successes: int, k: int) -> Fraction:
    """The common helper: 1 where fewer than k tries failed, also for k > n."""
    if samples - successes < k:
        return Fraction(1)
    return pass_at_k_exact(samples, successes, k)


@claim(
    "reachability.pass_at_k.unbiased",
    statement=rf"E\,U(n, C, k) = 1 - (1 - p)^k, \quad C \sim \mathrm{{Bin}}(n, p),"
    rf"\quad {ESTIMATOR}",
    relation=Relation.EQUAL,
    source=Source.paper("2107.03374", "the estimator of Pass@k"),
    assumes={ENOUGH: has_enough_tries, INDEPENDENT: is_independent},
    teeth={"plug-in": plug_in_pass_at_k_exact, "one try too many": one_try_too_many},
    breaks={
        ENOUGH: Counterexample(
            Tries(1, 2, Fraction(1, 2)),
            "The helper that answers 1 wherever n - c < k reports 1 for every problem.",
            sides=lambda case, _: Sides(
                case.mean(lambda c: one_where_too_few(case.samples, c, case.k)), case.any_of_k()
            ),
        ),
        INDEPENDENT: Counterexample(
            Tries(2, 2, Fraction(1, 2), spread=Fraction(1, 2)),
            "Tries that all succeed or all fail are as good as one try.",
        ),
    },
)
def pass_at_k_is_unbiased(
    case: Tries | ObservedTries, estimator: Estimator = pass_at_k_exact
) -> Sides:
    """The estimator of Pass@k from n tries is unbiased.

    Its expectation over the number of successes is the probability that at least one of k fresh
    tries succeeds, for every success probability.
    """
    return Sides(case.mean(lambda c: estimator(case.samples, c, case.k)), case.any_of_k())


@claim(
    "reachability.pass_at_k.exchangeable",
    statement=r"E\,U(n, C, k) = E\,[1 - (1 - P)^k], \quad C \mid P \sim \mathrm{Bin}(n, P)",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#estimating-passk"),
    assumes={ENOUGH: has_enough_tries},
    teeth={
        "at the mean probability": lambda case: case.any_of_k(),
        "one try more": lambda case: 1 - (1 - case.any_of_k_mixed()) * Fraction(9, 10),
    },
    breaks={
        ENOUGH: Unbroken("without it the estimator is undefined; see reachability.pass_at_k.few")
    },
)
def pass_at_k_of_exchangeable_tries(
    case: Tries | ObservedTries,
    pass_at_k: Callable[[Any], Any] = lambda case: case.any_of_k_mixed(),
) -> Sides:
    """For tries that share a latent probability, the estimator follows the mean of Pass@k.

    Problems pooled into one, or repeats that share a prompt, a seed or a judge, are such tries. The
    estimator then tells how often k of them contain a success, which is less than Pass@k at the
    mean success probability.
    """
    return Sides(case.mean(lambda c: pass_at_k_exact(case.samples, c, case.k)), pass_at_k(case))


@dataclass(frozen=True)
class Matching:
    """A function of the count is sought whose mean is Pass@k at the given probabilities."""

    samples: int
    k: int
    probabilities: tuple[Fraction, ...]

    def system(self) -> tuple[Any, Any]:
        """The matrix of binomial chances, shape (probabilities, samples + 1), and Pass@k."""
        import sympy

        rows = [
            [
                comb(self.samples, c) * p**c * (1 - p) ** (self.samples - c)
                for c in range(self.samples + 1)
            ]
            for p in self.probabilities
        ]
        wanted = [[1 - (1 - p) ** self.k] for p in self.probabilities]
        return sympy.Matrix(rows), sympy.Matrix(wanted)

    def solution(self) -> tuple[Fraction, ...]:
        """A function that matches; with every free value set to 1/2 if there are several."""
        import sympy

        matrix, wanted = self.system()
        found, free = matrix.gauss_jordan_solve(wanted)
        values = found.subs(dict.fromkeys(free, sympy.Rational(1, 2)))
        return tuple(Fraction(int(value.p), int(value.q)) for value in values)

    def is_solvable(self) -> bool:
        """Whether any function matches."""
        matrix, wanted = self.system()
        return bool(matrix.rank() == matrix.row_join(wanted).rank())


MORE_PROBABILITIES = "it is asked for at more than n different success probabilities inside (0, 1)"


def has_more_probabilities(case: Matching) -> bool:
    """Whether more than n different probabilities inside (0, 1) are given."""
    return len({p for p in case.probabilities if 0 < p < 1}) > case.samples


@claim(
    "reachability.pass_at_k.unique",
    statement=r"E\,g(C) = 1 - (1 - p)^k \text{ for more than } n \text{ values of } p"
    r"\implies g(c) = U(n, c, k) \text{ for } c = 0, \dots, n",
    relation=Relation.EQUAL,
    source=Source.known("the binomial family is complete", f"{PAGE}#estimating-passk"),
    assumes={
        ENOUGH: lambda case: 1 <= case.k <= case.samples,
        MORE_PROBABILITIES: has_more_probabilities,
    },
    teeth={"plug-in": plug_in_pass_at_k_exact, "one try too many": one_try_too_many},
    breaks={
        ENOUGH: Unbroken("without it nothing matches; see reachability.pass_at_k.few"),
        MORE_PROBABILITIES: Counterexample(
            Matching(1, 1, (Fraction(1, 2),)),
            "At one probability, a constant is unbiased too.",
        ),
    },
)
def estimator_is_unique(case: Matching, estimator: Estimator = pass_at_k_exact) -> Sides:
    """No other function of the count is unbiased.

    Hence it has the least variance of all unbiased functions of the tries (Lehmann and Scheffé).
    """
    counts = range(case.samples + 1)
    return Sides(case.solution(), tuple(estimator(case.samples, c, case.k) for c in counts))


@claim(
    "reachability.pass_at_k.few",
    statement=r"\exists\, g:\ E\,g(C) = 1 - (1 - p)^k \text{ for every } p \iff k \le n",
    relation=Relation.EQUAL,
    source=Source.known("degrees of polynomials", f"{PAGE}#estimating-passk"),
    assumes={
        "it is asked for at more than max(n, k) different success probabilities": lambda case: (
            len(set(case.probabilities)) > max(case.samples, case.k)
        )
    },
    teeth={
        "one try short is enough": lambda samples, k: k <= samples + 1,
        "k tries are not enough": lambda samples, k: k < samples,
    },
    breaks={
        "it is asked for at more than max(n, k) different success probabilities": Counterexample(
            Matching(1, 2, (Fraction(1, 3), Fraction(2, 3))),
            "Some line passes through any two points.",
        )
    },
)
def no_estimator_from_too_few_tries(
    case: Matching, exists: Callable[[int, int], bool] = lambda samples, k: k <= samples
) -> Sides:
    """From fewer than k tries, no function of the count is unbiased for Pass@k.

    A Pass@k label for k > 1 therefore cannot be formed from one outcome without bias.
    """
    return Sides(case.is_solvable(), exists(case.samples, case.k))


@claim(
    "reachability.all_of_k.unbiased",
    statement=r"E\,\binom{C}{k} \Big/ \binom{n}{k} = p^k, \quad C \sim \mathrm{Bin}(n, p)",
    relation=Relation.EQUAL,
    source=Source.known("factorial moments"),
    assumes={ENOUGH: has_enough_tries, INDEPENDENT: is_independent},
    teeth={
        "plug-in": lambda samples, successes, k: Fraction(successes, samples) ** k,
        "all of k + 1": lambda n, c, k: all_of_k_exact(n, c, min(k + 1, n)),
    },
    breaks={
        ENOUGH: Counterexample(
            Tries(1, 2, Fraction(1, 2)),
            "One success is no evidence of two.",
            sides=lambda case, _: Sides(case.mean(lambda c: Fraction(c, 1)), case.all_of_k()),
        ),
        INDEPENDENT: Counterexample(
            Tries(2, 2, Fraction(1, 2), spread=Fraction(1, 2)),
            "Tries that all succeed or all fail succeed together half of the time.",
        ),
    },
)
def all_of_k_is_unbiased(
    case: Tries | ObservedTries, estimator: Estimator = all_of_k_exact
) -> Sides:
    """The estimator of all-of-k, also called pass^k, is unbiased."""
    return Sides(case.mean(lambda c: estimator(case.samples, c, case.k)), case.all_of_k())


@dataclass(frozen=True)
class Scores:
    """The scores of the tries of one problem."""

    scores: tuple[int | Fraction, ...]
    k: int


def one_rank_too_high(scores: tuple[int | Fraction, ...], k: int) -> Fraction:
    """Ranks counted from one where the weights count from zero."""
    ranked = enumerate(sorted(scores), start=1)
    return sum((score * Fraction(comb(i, k - 1)) for i, score in ranked), Fraction(0)) / comb(
        len(scores), k
    )


@claim(
    "reachability.max_at_k.subsets",
    statement=r"\sum_{i=k}^{n} x_{(i)} \binom{i-1}{k-1} \Big/ \binom{n}{k}"
    r" = \text{mean of } \max_{i \in S} x_i \text{ over all } S \text{ with } |S| = k",
    relation=Relation.EQUAL,
    source=Source.known("order statistics"),
    assumes={"1 <= k <= n": lambda case: 1 <= case.k <= len(case.scores)},
    teeth={
        "one rank too high": one_rank_too_high,
        "the largest score": lambda scores, _: Fraction(max(scores)),
    },
    breaks={"1 <= k <= n": Unbroken("there is no subset of more than n tries, or of none")},
)
def max_at_k_is_the_mean_over_subsets(
    case: Scores, estimator: Callable[..., Fraction] = max_at_k_exact
) -> Sides:
    """The weighted sum of sorted scores is the mean best score of k tries."""
    subsets = list(combinations(case.scores, case.k))
    mean = sum((Fraction(max(subset)) for subset in subsets), Fraction(0)) / len(subsets)
    return Sides(estimator(case.scores, case.k), mean)
