r"""How many exact traces are enough, and how many are needed; none of it names the trace length.

``dimension`` is a bound p on the leave-one-out mistakes of the learner: a parity dimension of the
rules over any field, their DS dimension, or, sharper, the density of the class of traces (rounded
up unless the learner is randomised). What learning needs is governed by the DS dimension d.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, e, exp, floor, log, log1p

from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.numerics.arguments import integer_array, real_array
from rolltheory.numerics.rounding import rounded_down, rounded_up

__all__ = [
    "error_needed_in_expectation",
    "expected_error_bound",
    "expected_error_bound_exact",
    "failure_probability_bound",
    "high_probability_error_bound",
    "pac_sample_size",
    "pac_sample_size_needed",
    "samples_for_expected_error",
]

_PER_DIMENSION = 4 * e * log(2)
_PER_NAT = 8 * e / (e - 1)
_TINIEST = 5e-324
_MOST = 2.0**63  # no class has more codes
_MOST_EXACT = 100_000


def expected_error_bound(dimension: float, samples: int) -> float:
    r"""Bound on the expected error of the one-inclusion learner.

    .. math:: E\,\mathrm{err} \le \min\Bigl\{1, \frac{p}{m + 1}\Bigr\}

    Assumes realizable data: independent prompts, labelled by a hypothesis of the class.

    Parameters
    ----------
    dimension : float
        p, not negative; see the module.
    samples : int
        m.

    Returns
    -------
    float, rounded up

    Raises
    ------
    DomainError
        for arguments outside these ranges.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, learning.

    Examples
    --------
    >>> round(expected_error_bound(2, 7), 12)
    0.25
    """
    bound = expected_error_bound_exact(Fraction(_dimension(dimension)), samples)
    least = _TINIEST if bound else 0.0  # also where the quotient underflows
    return min(1.0, max(float(rounded_up(float(bound), 1)), least))


def expected_error_bound_exact(dimension: Fraction, samples: int) -> Fraction:
    """As `expected_error_bound`, in rationals."""
    try:
        bound = Fraction(dimension)
    except (TypeError, ValueError, OverflowError):  # text, NaN, infinity
        bound = Fraction(-1)
    if bound < 0:
        raise DomainError("dimension", dimension, "a number that is at least 0")
    return min(Fraction(1), bound / (_samples(samples, 0) + 1))


def samples_for_expected_error(dimension: float, error: float) -> int:
    r"""The fewest samples after which the expected error is bounded by a level.

    .. math:: m = \max\{0, \lceil p / \varepsilon \rceil - 1\}

    Assumes what `expected_error_bound` does.

    Parameters
    ----------
    dimension : float
        p, not negative.
    error : float
        Epsilon, within (0, 1]; a float counts as the rational that it is.

    Raises
    ------
    DomainError
        for arguments outside these ranges.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, learning.

    Examples
    --------
    >>> samples_for_expected_error(2, 0.25)
    7
    """
    level = Fraction(_level("error", error, 1.0))
    if level == 1:
        return 0
    return max(0, ceil(Fraction(_dimension(dimension)) / level) - 1)


def high_probability_error_bound(
    dimension: float, samples: int, *, failure_probability: float
) -> float:
    r"""Bound on the error of the vote of prefixes, except with a small probability.

    .. math:: \mathrm{err} \le \min\Bigl\{1, \frac{4 e \ln 2\; p + \frac{8 e}{e - 1}
        \ln(2 / \delta)}{n}\Bigr\} \quad \text{with probability at least } 1 - \delta

    Assumes realizable data, as `expected_error_bound`, and the learner `PrefixVote`; its last
    answer alone has no such tail.

    Parameters
    ----------
    dimension : float
        p, not negative.
    samples : int
        n, even and at least 2.
    failure_probability : float
        Delta, within (0, 1).

    Returns
    -------
    float, rounded up

    Raises
    ------
    DomainError
        for arguments outside these ranges.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, learning; the rate is known (arXiv:2304.09167).

    Examples
    --------
    >>> round(high_probability_error_bound(8, 320, failure_probability=0.1), 3)
    0.307
    """
    wanted = _vote_total(dimension, failure_probability)
    return min(1.0, float(rounded_up(wanted / _even(samples))))


def failure_probability_bound(dimension: float, samples: int, *, error: float) -> float:
    r"""Bound on the probability that the error of the vote of prefixes exceeds a level.

    .. math:: \delta \le \min\Bigl\{1, 2 \exp\Bigl(-\frac{e - 1}{8 e}
        (\varepsilon n - 4 e \ln 2\; p)\Bigr)\Bigr\}

    The inverse of `high_probability_error_bound`, whose assumptions it shares.

    Parameters
    ----------
    dimension : float
        p, not negative.
    samples : int
        n, even and at least 2.
    error : float
        Epsilon, within (0, 1].

    Returns
    -------
    float, rounded up

    Raises
    ------
    DomainError
        for arguments outside these ranges.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, learning.

    Examples
    --------
    >>> round(failure_probability_bound(1, 320, error=0.2), 4)
    0.0231
    """
    dimensions = float(rounded_up(_PER_DIMENSION * _dimension(dimension)))
    spare = float(rounded_down(_even(samples) * _level("error", error, 1.0))) - dimensions
    exponent = float(rounded_down(spare / _PER_NAT))
    return min(1.0, max(float(rounded_up(2 * exp(-max(exponent, 0.0)))), _TINIEST))


def pac_sample_size(dimension: float, *, error: float, failure_probability: float) -> int:
    r"""Samples after which the vote of prefixes is probably nearly right.

    .. math:: n = 2 \Bigl\lceil \frac{4 e \ln 2\; p + \frac{8 e}{e - 1} \ln(2 / \delta)}
        {2 \varepsilon} \Bigr\rceil

    Assumes what `high_probability_error_bound` does; its inverse.

    Parameters
    ----------
    dimension : float
        p, not negative.
    error : float
        Epsilon, within (0, 1].
    failure_probability : float
        Delta, within (0, 1).

    Returns
    -------
    int, even; rounded up

    Raises
    ------
    DomainError
        for arguments outside these ranges.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, learning; the rate is known (arXiv:2304.09167).

    Examples
    --------
    >>> pac_sample_size(3, error=0.1, failure_probability=0.05)
    694
    """
    wanted = Fraction(float(rounded_up(_vote_total(dimension, failure_probability))))
    return 2 * max(1, ceil(wanted / (2 * Fraction(_level("error", error, 1.0)))))


def pac_sample_size_needed(dimension: int, *, error: float, failure_probability: float) -> int:
    r"""Samples without which no learner is probably nearly right on the worst target and prompts.

    .. math:: n_{\mathrm{PAC}} > \frac{d - 1}{16 \varepsilon} \quad (\varepsilon \le 1/8,
        \ \delta < 1/7), \qquad n_{\mathrm{PAC}} \ge \frac{\ln(1 / 2\delta)}{-\ln(1 - \varepsilon)}
        \quad (\delta < 1/2)

    The larger of those that apply. Nearly right is an error of at most epsilon, probably is with
    probability at least 1 - delta.

    Parameters
    ----------
    dimension : int
        The DS dimension d >= 2 of the class that is learned: that of the traces, not of the rules.
    error : float
        Epsilon, within (0, 1).
    failure_probability : float
        Delta, within (0, 1).

    Returns
    -------
    int, rounded down where it rounds

    Raises
    ------
    DomainError
        for arguments outside these ranges.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, learning; the argument is known.

    Examples
    --------
    >>> pac_sample_size_needed(33, error=0.125, failure_probability=0.1)
    17
    """
    d = int(integer_array("dimension", dimension, at_least=2))
    level, failure = _level("error", error), _level("failure_probability", failure_probability)
    needed = 0
    if level <= 1 / 8 and Fraction(failure) < Fraction(1, 7):
        needed = floor(Fraction(d - 1) / (16 * Fraction(level))) + 1
    if failure < 1 / 2:
        spare = Fraction(float(rounded_down(-log(2 * failure))))
        tail = ceil(spare / Fraction(float(rounded_up(-log1p(-level)))))
        needed = max(needed, tail)
    return needed


def error_needed_in_expectation(dimension: int, samples: int) -> Fraction:
    r"""Expected error that no learner goes below on the worst target and prompts.

    .. math:: \sup E\,\mathrm{err} \ge \frac{d - 1}{2 (m + 1)} \Bigl(\frac{m}{m + 1}\Bigr)^m \ge
        \frac{d - 1}{2 e (m + 1)} \qquad (m \ge d - 2)

    Parameters
    ----------
    dimension : int
        The DS dimension d >= 1 of the class that is learned.
    samples : int
        m, at least d - 2.

    Returns
    -------
    Fraction, the middle of the formula

    Raises
    ------
    DomainError
        for arguments outside these ranges.
    UnsupportedError
        for more than 100,000 samples: the fraction has millions of digits.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, learning; the argument is known.

    Examples
    --------
    >>> error_needed_in_expectation(3, 1)
    Fraction(1, 4)
    """
    d = int(integer_array("dimension", dimension, at_least=1))
    m = _samples(samples, max(d - 2, 0))
    if m > _MOST_EXACT:
        raise UnsupportedError(
            f"the exact fraction for {m} samples", f"at most {_MOST_EXACT}; use the last formula"
        )
    return Fraction(d - 1, 2 * (m + 1)) * Fraction(m, m + 1) ** m


def _vote_total(dimension: float, failure_probability: float) -> float:
    """What the error of the vote is bounded by, times the number of samples."""
    failure = _level("failure_probability", failure_probability)
    return _PER_DIMENSION * _dimension(dimension) + _PER_NAT * (log(2) - log(failure))


def _dimension(dimension: float) -> float:
    return float(real_array("dimension", dimension, at_least=0, at_most=_MOST))


def _samples(samples: int, least: int) -> int:
    return int(integer_array("samples", samples, at_least=least))


def _even(samples: int) -> int:
    count = _samples(samples, 2)
    if count % 2:
        raise DomainError("samples", samples, "an even number: the vote is of the second half")
    return count


def _level(name: str, value: float, most: float | None = None) -> float:
    """A number above 0 and below 1, or up to ``most``."""
    level = float(real_array(name, value))
    if not 0 < level < 1 and level != most:
        limit = "< 1" if most is None else f"<= {most:g}"
        raise DomainError(name, value, f"a number with 0 < {name} {limit}")
    return level
