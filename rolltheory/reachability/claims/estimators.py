"""Claims about the estimator of Pass@k: unbiased, unique, impossible below k tries."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    claim,
)
from rolltheory.reachability.claims.tries import ObservedTries, Tries
from rolltheory.reachability.exact import pass_at_k_exact

__all__ = ["pass_at_k_is_unbiased"]

INDEPENDENT = "the tries of a problem are independent, with one success probability"
ENOUGH = "1 <= k <= n"
PAGE = "docs/theory/reachability.md"


def plug_in(samples: int, successes: int, k: int) -> Fraction:
    """The popular wrong formula: k draws with replacement."""
    return 1 - (1 - Fraction(successes, samples)) ** k


def one_try_too_many(samples: int, successes: int, k: int) -> Fraction:
    """The estimator of Pass@(k + 1)."""
    return pass_at_k_exact(samples, successes, min(k + 1, samples))


def is_independent(case: Tries | ObservedTries) -> bool:
    """Whether the tries of a group share no latent probability."""
    return case.spread == 0


@claim(
    "reachability.pass_at_k.unbiased",
    statement=r"E\,U(n, C, k) = 1 - (1 - p)^k, \quad C \sim \mathrm{Bin}(n, p),"
    r"\quad U(n, c, k) = 1 - \binom{n-c}{k} / \binom{n}{k}",
    relation=Relation.EQUAL,
    source=Source.paper("2107.03374", "the estimator of Pass@k"),
    assumes={
        ENOUGH: lambda case: 1 <= case.k <= case.samples,
        INDEPENDENT: is_independent,
    },
    teeth={"plug-in": plug_in, "one try too many": one_try_too_many},
    breaks={
        ENOUGH: Counterexample(
            Tries(1, 2, Fraction(1, 2)),
            "The common helper answers 1 where n - c < k, and 0 needs no estimate.",
            sides=lambda case, _: Sides(case.mean(lambda c: Fraction(c > 0)), case.any_of_k()),
        ),
        INDEPENDENT: Counterexample(
            Tries(2, 2, Fraction(1, 2), spread=Fraction(1, 2)),
            "Tries that all succeed or all fail are as good as one try.",
        ),
    },
)
def pass_at_k_is_unbiased(case: Tries | ObservedTries, estimator: Any = pass_at_k_exact) -> Sides:
    """The estimator of Pass@k from n tries is unbiased.

    Its expectation over the number of successes is the probability that at least one of k fresh
    tries succeeds, for every success probability.
    """
    return Sides(case.mean(lambda c: estimator(case.samples, c, case.k)), case.any_of_k())
