"""Risks of learners as exact rationals: the mean over all samples of a finite distribution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod

import numpy as np

from rolltheory.dimension.classes import ClassLike, Codes, HypothesisClass, as_class
from rolltheory.dimension.learners import Learner, Sample
from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.numerics.arguments import exact_probability, integer_array

__all__ = ["exact_failure_probability", "exact_risk", "worst_consistent_risk"]

_MOST_SAMPLES = 1_000_000


def exact_risk(
    learner: Learner,
    target: Sequence[Hashable],
    *,
    samples: int,
    weights: Sequence[Fraction] | None = None,
) -> Fraction:
    r"""Probability that a learner is wrong on a fresh prompt after independent samples.

    .. math:: R_m = P(\hat y(x) \ne y(x)) \le \frac{\lceil \mathrm{dens}(H) \rceil}{m + 1}

    where the bound is that of one-inclusion learners. All samples are enumerated, as multisets
    where the learner ignores their order.

    Parameters
    ----------
    learner : Learner
    target : row of the class
        The label at each point.
    samples : int
        m.
    weights : shape (points,), optional
        Probabilities of the points, exact and summing to 1; uniform if not given.

    Returns
    -------
    Fraction

    Raises
    ------
    DomainError
        if the target is no hypothesis, the number of samples is negative, or the weights are no
        distribution.
    UnsupportedError
        if there are more than a million samples to look at.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, learning.

    Examples
    --------
    >>> from rolltheory.dimension.learners import OneInclusionLearner
    >>> exact_risk(OneInclusionLearner(["00", "01", "10", "11"]), "00", samples=1)
    Fraction(1, 4)
    """
    draws = _draws(learner, target, samples, weights)
    return sum((chance * error for chance, error in draws), Fraction(0))


def exact_failure_probability(
    learner: Learner,
    target: Sequence[Hashable],
    *,
    error: Fraction,
    samples: int,
    weights: Sequence[Fraction] | None = None,
) -> Fraction:
    r"""Probability over samples that the learner's error exceeds a level.

    .. math:: \delta(m) = P_{x_1, \dots, x_m}\bigl(\mathrm{err} > \varepsilon\bigr)

    Parameters
    ----------
    learner, target, samples, weights : as in `exact_risk`
    error : Fraction
        Epsilon.

    Raises
    ------
    DomainError, UnsupportedError
        as `exact_risk`.

    Examples
    --------
    >>> from rolltheory.dimension.learners import OneInclusionLearner
    >>> star = OneInclusionLearner(["000", "100", "010", "001"])
    >>> exact_failure_probability(star, "100", error=Fraction(0), samples=1)
    Fraction(2, 3)
    """
    level = exact_probability("error", error)
    draws = _draws(learner, target, samples, weights)
    return sum((chance for chance, wrong in draws if wrong > level), Fraction(0))


def worst_consistent_risk(
    hypotheses: ClassLike,
    target: Sequence[Hashable],
    *,
    samples: int,
    weights: Sequence[Fraction] | None = None,
) -> Fraction:
    r"""Mean error of the worst hypothesis that agrees with the sample.

    .. math:: E_{x_1, \dots, x_m} \max \{ P_x(h(x) \ne y(x)) : h(x_i) = y(x_i) \text{ for all } i \}

    What empirical risk minimisation can come to where ties are broken badly.

    Parameters
    ----------
    hypotheses : class or rows
    target, samples, weights : as in `exact_risk`

    Raises
    ------
    DomainError, UnsupportedError
        as `exact_risk`.

    Examples
    --------
    >>> worst_consistent_risk(["00", "10", "01", "11"], "00", samples=1)
    Fraction(1, 2)
    """
    whole = as_class(hypotheses)
    chances = _distribution(weights, len(whole.points))
    wrong = whole.codes != _codes(whole, target)
    errors = [
        sum((p for p, bad in zip(chances, row, strict=True) if bad), Fraction(0))
        for row in wrong.tolist()
    ]
    total = Fraction(0)
    for columns, chance in _samples(chances, samples, ordered=False):
        agree = ~wrong[:, sorted(set(columns))].any(axis=1)
        total += chance * max(errors[row] for row in np.flatnonzero(agree).tolist())
    return total


def _draws(
    learner: Learner,
    target: Sequence[Hashable],
    samples: int,
    weights: Sequence[Fraction] | None,
) -> Iterator[tuple[Fraction, Fraction]]:
    """The probability of each sample, and the learner's error after it."""
    whole = learner.hypotheses
    chances = _distribution(weights, len(whole.points))
    codes = _codes(whole, target).tolist()

    def error(sample: Sample) -> Fraction:
        right = (
            p * learner.answer(sample, column).get(codes[column], Fraction(0))
            for column, p in enumerate(chances)
            if p
        )
        return 1 - sum(right, Fraction(0))

    for columns, chance in _samples(chances, samples, ordered=learner.ordered):
        yield chance, error(tuple((column, codes[column]) for column in columns))


def _samples(
    chances: list[Fraction], samples: int, *, ordered: bool
) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Each sample of columns with its probability; one of each multiset if the order is nothing."""
    size = int(integer_array("samples", samples, at_least=0))
    possible = [column for column, p in enumerate(chances) if p]
    n = len(possible)
    if (n**size if ordered else comb(n + size - 1, size)) > _MOST_SAMPLES:
        raise UnsupportedError(
            f"the exact risk after {size} samples of {n} prompts",
            f"at most {_MOST_SAMPLES} of them are enumerated; draw some instead",
        )
    drawn: Iterator[tuple[int, ...]] = (
        product(possible, repeat=size) if ordered else combinations_with_replacement(possible, size)
    )
    arrangements: Callable[[tuple[int, ...]], int] = (lambda _: 1) if ordered else _arrangements
    for columns in drawn:
        yield (
            columns,
            arrangements(columns) * prod((chances[c] for c in columns), start=Fraction(1)),
        )


def _arrangements(columns: tuple[int, ...]) -> int:
    """How many sequences have these members."""
    return factorial(len(columns)) // prod(map(factorial, Counter(columns).values()))


def _distribution(weights: Sequence[Fraction] | None, points: int) -> list[Fraction]:
    if weights is None:
        return [Fraction(1, points)] * points
    chances = [exact_probability("weights", weight) for weight in weights]
    if len(chances) != points or sum(chances) != 1:
        raise DomainError("weights", weights, f"{points} probabilities that sum to 1")
    return chances


def _codes(whole: HypothesisClass, target: Sequence[Hashable]) -> Codes:
    """The row of the target."""
    wanted = tuple(target)
    if wanted not in whole.rows:
        raise DomainError("target", target, "a hypothesis of the class")
    codes: Codes = whole.codes[whole.rows.index(wanted)]
    return codes
