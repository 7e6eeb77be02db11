"""The Beta-binomial likelihood in mean and correlation, regular on the edges of the family.

With ``a = mu (1 - rho) / rho`` and ``b = (1 - mu) (1 - rho) / rho`` every factor of the likelihood
is a polynomial in ``mu`` and ``rho``; ``rho = 0`` is the binomial law, ``rho = 1`` all or nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import expit, gammaln, logit

from rolltheory.errors import UnsupportedError

__all__ = ["Law", "Tallies", "maximise", "tally"]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

_MOST_SAMPLES = 10**7
_EDGE = 1e-9  # a correlation or share this close to its end cannot be told from it
_MEAN_EDGE = 30.0  # the same for the logit of the mean
_LARGEST_EXPONENT = 600.0  # a trial point of the search may be this absurd without overflow


class Law(NamedTuple):
    """Mean and correlation of the Beta part, and the share of problems outside it."""

    mean: float
    correlation: float
    zero_mass: float


@dataclass(frozen=True)
class Tallies:
    """A table of counts, and how often each factor occurs in its likelihood.

    ``solved[j]`` problems have more than ``j`` successes, ``failed[j]`` more than ``j`` failures,
    ``tried[j]`` more than ``j`` tries; of these, ``failed`` and ``tried`` leave out the problems
    without a success, whose numbers of tries are ``zero_samples``, ``zero_counts`` times each.
    """

    samples: IntArray
    successes: IntArray
    solved: IntArray
    failed: IntArray
    tried: IntArray
    zero_samples: IntArray
    zero_counts: IntArray
    log_coefficients: float


def tally(samples: IntArray, successes: IntArray) -> Tallies:
    """Tallies of the counts of one set of problems.

    Raises
    ------
    UnsupportedError
        for more tries of a problem than there is memory to tally.

    Examples
    --------
    >>> tallies = tally(np.array([3, 3]), np.array([2, 0]))
    >>> tallies.solved, tallies.failed, tallies.zero_samples
    (array([1, 1, 0]), array([1, 0, 0]), array([3]))
    """
    most = int(samples.max())
    if most > _MOST_SAMPLES:
        raise UnsupportedError(f"a fit to {most} tries of a problem", f"at most {_MOST_SAMPLES}")
    hit = successes > 0
    n, c = samples[hit], successes[hit]
    zero_samples, zero_counts = np.unique(samples[~hit], return_counts=True)
    coefficients = gammaln(n + 1) - gammaln(c + 1) - gammaln(n - c + 1)
    return Tallies(
        samples=samples,
        successes=successes,
        solved=_exceeding(c, most),
        failed=_exceeding(n - c, most),
        tried=_exceeding(n, most),
        zero_samples=zero_samples,
        zero_counts=zero_counts,
        log_coefficients=float(coefficients.sum()),
    )


def maximise(tallies: Tallies, zero_mass: bool, start: Law | None = None) -> tuple[Law, float]:
    """The most likely law and its log-likelihood, sought from a law nearby if one is given.

    Examples
    --------
    >>> law, log_likelihood = maximise(tally(np.array([4, 4]), np.array([0, 4])), zero_mass=False)
    >>> law, round(log_likelihood, 6)
    (Law(mean=0.5, correlation=1.0, zero_mass=0.0), -1.386294)
    """
    c, n = tallies.successes, tallies.samples
    if not c.any() or (c == n).all():
        return Law(float(c.any()), 0.0, 0.0), 0.0
    if ((c == 0) | (c == n)).all():
        share = float(np.mean(c == n))
        entropy = share * np.log(share) + (1 - share) * np.log1p(-share)
        return Law(share, 1.0, 0.0), float(c.size * entropy)
    return _search(tallies, zero_mass, start or _start(tallies, zero_mass))


def _start(tallies: Tallies, zero_mass: bool) -> Law:
    """Any law will do, but from a correlation too small the search may stop at the edge."""
    hit = tallies.successes > 0
    tries = tallies.samples[hit].sum() if zero_mass else tallies.samples.sum()
    share = 0.7 * (1 - float(hit.mean())) if zero_mass else 0.0
    return Law(float(tallies.successes.sum() / (tries + 1)), 0.4, share)


def _search(tallies: Tallies, zero_mass: bool, start: Law) -> tuple[Law, float]:
    from scipy.optimize import minimize

    most_unsolved = float(np.mean(tallies.successes == 0)) if zero_mass else 0.0
    best = minimize(
        _negative_log_likelihood,
        (logit(start.mean), start.correlation, start.zero_mass),
        args=(tallies,),
        jac=True,
        method="SLSQP",  # L-BFGS-B is as good, but its threads slow it down forty times
        bounds=[(-_MEAN_EDGE, _MEAN_EDGE), (0.0, 1 - _EDGE), (0.0, most_unsolved)],
        options={"ftol": 1e-13, "maxiter": 1000},
    )
    mean, correlation, share = float(expit(best.x[0])), float(best.x[1]), float(best.x[2])
    law = Law(mean, correlation if correlation >= _EDGE else 0.0, share if share >= _EDGE else 0.0)
    return law, tallies.log_coefficients - float(best.fun)


def _negative_log_likelihood(parameters: FloatArray, tallies: Tallies) -> tuple[float, FloatArray]:
    """Without the binomial coefficients, and with its gradient in logit mean, correlation, mass."""
    mean, rho, share = expit(parameters[0]), parameters[1], parameters[2]
    steps = np.arange(tallies.tried.size)
    success = mean * (1 - rho) + steps * rho
    failure = (1 - mean) * (1 - rho) + steps * rho
    total = (1 - rho) + steps * rho
    value = (
        tallies.solved @ np.log(success)
        + tallies.failed @ np.log(failure)
        - tallies.tried @ np.log(total)
    )
    by_mean = (1 - rho) * (tallies.solved @ (1 / success) - tallies.failed @ (1 / failure))
    by_rho = (
        tallies.solved @ ((steps - mean) / success)
        + tallies.failed @ ((steps - 1 + mean) / failure)
        - tallies.tried @ ((steps - 1) / total)
    )
    hits = tallies.tried[0]
    value += hits * np.log1p(-share)
    by_share = -hits / (1 - share)
    if tallies.zero_samples.size:
        last = tallies.zero_samples - 1
        log_missed = np.cumsum(np.log(failure / total))[last]
        missed_by_mean = -(1 - rho) * np.cumsum(1 / failure)[last]
        missed_by_rho = np.cumsum((steps - 1 + mean) / failure - (steps - 1) / total)[last]
        with np.errstate(divide="ignore"):
            log_mixture = np.logaddexp(np.log(share), np.log1p(-share) + log_missed)
        weight = tallies.zero_counts * np.exp(np.log1p(-share) + log_missed - log_mixture)
        value += tallies.zero_counts @ log_mixture
        by_mean += weight @ missed_by_mean
        by_rho += weight @ missed_by_rho
        inverse = np.exp(np.minimum(-log_mixture, _LARGEST_EXPONENT))
        by_share += (tallies.zero_counts * -np.expm1(log_missed)) @ inverse
    gradient = np.array([by_mean * mean * (1 - mean), by_rho, by_share])
    return -float(value), -gradient


def _exceeding(counts: IntArray, size: int) -> IntArray:
    """How many of the counts exceed 0, 1, ..., ``size - 1``."""
    return counts.size - np.cumsum(np.bincount(counts, minlength=size + 1))[:size]
