"""Claims about the estimators of KL that logs report under one name."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rolltheory.claims import Counterexample, Relation, Sides, Source, Verdict, claim
from rolltheory.staleness.claims.policies import Policies
from rolltheory.staleness.divergences import k1_estimate, k2_estimate, k3_estimate

__all__ = ["Batch", "k1_is_called_non_negative", "k3_is_unbiased"]

SUPPORT = "the sampler can produce whatever the learner can"


def one_by_one(estimate: Callable[[Any], Any]) -> Callable[[float], float]:
    """An estimator of arrays, for one log-ratio."""
    return lambda log_ratio: float(estimate([log_ratio])[0])


def backwards(log_ratio: float) -> float:
    """k3 with the ratio turned round."""
    return math.expm1(-log_ratio) + log_ratio


@claim(
    "staleness.kl.k3_is_unbiased",
    statement=r"E_\phi[r - 1 - \log r] = KL(\pi_\phi \| \pi_\theta),"
    r"\quad r = \pi_\theta / \pi_\phi",
    relation=Relation.EQUAL,
    source=Source.known("k3 estimator"),
    assumes={SUPPORT: lambda case: all(q != 0 for q in case.sampler)},
    teeth={"k2": one_by_one(k2_estimate), "k3 of the inverse ratio": backwards},
    breaks={
        SUPPORT: Counterexample(
            Policies((0.5, 0.5), (1.0, 0.0)),
            "E r = 1/2: half the learner's mass is never sampled.",
            sides=lambda _, k3: Sides(k3(math.log(0.5)), math.log(2)),
        )
    },
)
def k3_is_unbiased(case: Policies, estimate: Any = one_by_one(k3_estimate)) -> Sides:  # noqa: B008
    """The mean of k3 over the sampler's tokens is KL(sampler || learner), as is that of k1."""
    ratios = [math.log(ratio) for ratio in case.ratios]
    return Sides(mean_of(estimate, case, ratios), mean_of(lambda x: -x, case, ratios))


def mean_of(estimate: Callable[[Any], Any], case: Policies, log_ratios: Iterable[Any]) -> Any:
    """Mean of an estimator over the sampler's tokens."""
    return sum(q * estimate(x) for q, x in zip(case.sampler, log_ratios, strict=True))


@dataclass(frozen=True)
class Batch:
    """Log-ratios of the tokens of one batch, none of them 0."""

    log_ratios: tuple[Fraction, ...]


@claim(
    "staleness.kl.k1_is_non_negative",
    statement=r"\frac1N \sum_t k_1(t) \ge 0, \quad k_1 = -\log r \quad (\text{ppo\_kl})",
    relation=Relation.AT_LEAST,
    source=Source.known("k1 estimator"),
    assumes={},
    repairs={"k2": one_by_one(k2_estimate), "k3": one_by_one(k3_estimate)},
    declared=Verdict.REFUTED,
    repaired_by="staleness.kl.k3_is_unbiased",
)
def k1_is_called_non_negative(
    case: Batch,
    estimate: Any = one_by_one(k1_estimate),  # noqa: B008
) -> Sides:
    """A logged ppo_kl is a KL divergence, so it cannot be negative.

    False: it is the mean of k1 over a batch, and negative whenever the learner likes the sampled
    tokens better than the sampler did. k2 and k3 are never negative.
    """
    return Sides(sum(estimate(float(x)) for x in case.log_ratios) / len(case.log_ratios), 0)
