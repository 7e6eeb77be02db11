"""Clopper-Pearson limits against exact binomial tails, in the safe direction."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.stats.intervals import beta_interval, clopper_pearson, outward, tail_level


def tail(p: float, n: int, counts: range) -> Fraction:
    share = Fraction(float(p))
    return sum((comb(n, i) * share**i * (1 - share) ** (n - i) for i in counts), Fraction(0))


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_limits_are_safe_and_tight_in_exact_arithmetic(confidence):
    level = Fraction(tail_level(confidence))
    for n in (1, 2, 7, 30, 150):
        for c in range(0, n + 1, max(1, n // 10)):
            lower, upper = clopper_pearson(n, c, confidence=confidence)
            if c:
                assert level * (1 - Fraction(1, 10**6)) < tail(lower, n, range(c, n + 1)) <= level
            else:
                assert lower == 0
            if c < n:
                assert level * (1 - Fraction(1, 10**6)) < tail(upper, n, range(c + 1)) <= level
            else:
                assert upper == 1


def test_large_counts_are_symmetric_under_exchange_of_successes_and_failures():
    n, c = 10**9, np.array([0, 5, 10**6])
    lower, upper = clopper_pearson(n, c)
    assert (lower <= c / n).all()
    assert (c / n <= upper).all()
    mirrored = clopper_pearson(n, n - c)
    assert 1 - mirrored.lower == pytest.approx(upper, rel=1e-6)


def test_limits_agree_with_a_second_implementation():
    from statsmodels.stats.proportion import proportion_confint

    n = 10 ** np.arange(1, 7)[:, np.newaxis]
    c = np.array([0, 1, 4, 9])
    for confidence in (0.5, 0.95, 0.999):
        theirs = proportion_confint(c, n, alpha=1 - confidence, method="beta")
        ours = clopper_pearson(n, c, confidence=confidence)
        np.testing.assert_allclose(ours, theirs, rtol=1e-10)


def balls_beyond(a, b, x, *, above):
    """Enclosure of the probability of Beta(a, b) above or below a float."""
    flint = pytest.importorskip("flint")
    with flint.ctx.workprec(200):
        below = flint.acb(float(x)).beta_lower(flint.acb(a), flint.acb(b), 1).real
        return 1 - below if above else below


@pytest.mark.parametrize(
    ("samples", "successes", "confidence"),
    [
        (857071, 12, 0.5),
        (15971622, 13, 0.99),
        (257456596, 13, 0.5),
        (1617570429, 14, 0.999999),
        (1537653632, 10, 0.5),
        (5585459092438196, 5, 0.95),
    ],
)
def test_limits_are_safe_where_the_inverse_of_scipy_errs(samples, successes, confidence):
    level = tail_level(confidence)
    n, c = samples, successes
    lower, upper = clopper_pearson(n, c, confidence=confidence)
    assert level * (1 - 1e-5) < balls_beyond(c + 1, n - c, upper, above=True) <= level
    assert level * (1 - 1e-5) < balls_beyond(c, n - c + 1, lower, above=False) <= level
    posterior = beta_interval(c + 1, n - c, confidence=confidence)
    assert balls_beyond(c + 1, n - c, posterior.upper, above=True) <= level
    assert balls_beyond(c + 1, n - c, posterior.lower, above=False) <= level


def test_limits_are_safe_for_up_to_a_million_million_tries():
    generator = np.random.default_rng(3)
    n = (10 ** generator.uniform(3, 12, size=150)).astype(np.int64)
    c = np.minimum((10 ** generator.uniform(0, 2.5, size=150)).astype(np.int64), n - 1)
    for confidence in (0.5, 0.95, 0.999999):
        level = tail_level(confidence)
        lower, upper = clopper_pearson(n, c, confidence=confidence)
        for samples, successes, low, high in zip(n.tolist(), c.tolist(), lower, upper, strict=True):
            above = balls_beyond(successes + 1, samples - successes, high, above=True)
            below = balls_beyond(successes, samples - successes + 1, low, above=False)
            assert above <= level
            assert below <= level


def test_extreme_beta_laws_have_limits():
    for a, b in ((1e-5, 1e-5), (1e-5, 1.0), (1e300, 1.0), (1.0, 1e300), (1e300, 1e300)):
        lower, upper = beta_interval(a, b, confidence=0.01)
        assert 0 <= lower <= upper <= 1
    assert beta_interval(1e-5, 1.0, confidence=0.01).upper > 0


def test_beta_interval_of_the_uniform_law():
    assert beta_interval(1, [1, 1], confidence=0.9).lower == pytest.approx([0.05, 0.05])
    assert beta_interval(1, 1) == pytest.approx((0.025, 0.975))
    assert beta_interval(2, 1, confidence=0.5) == pytest.approx((0.5, 0.75**0.5))


def test_outward_stays_within_the_unit_interval():
    assert outward(0.0, 1.0, 0.5) == (0.0, 1.0)
    assert outward([0.5], [0.5], 0.25).upper.tolist() == [0.625]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: clopper_pearson(3, 4), "successes = 4"),
        (lambda: clopper_pearson(0, 0), "samples = 0"),
        (lambda: clopper_pearson(3, -1), "successes = -1"),
        (lambda: clopper_pearson(3, 1, confidence=0), "confidence = 0"),
        (lambda: beta_interval(0, 1), "a = 0"),
        (lambda: beta_interval(1, [1, -1]), "b = -1"),
        (lambda: tail_level(1.0), r"confidence = 1\.0"),
        (lambda: tail_level(float("nan")), "confidence = nan"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(DomainError, match=message):
        call()
