"""Recovery maps from curves, counts and fits, and the law that they approach."""

from math import log

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.reachability.beta_binomial import (
    BetaBinomialFit,
    fitted_log_failure,
    fitted_pass_at_k,
)
from rolltheory.reachability.beta_law import beta_pass_at_k
from rolltheory.reachability.estimators import pass_at_k
from rolltheory.reachability.recovery import (
    beta_recovery_law,
    recovery_map,
    recovery_map_of_counts,
    recovery_map_of_fits,
    recovery_ratio,
)
from rolltheory.reachability.tries import pass_at_k_probability
from rolltheory.stats.beta import log_beta_ratio

TRIES = np.array([1, 2, 4, 8, 16, 32, 50])
AIME = [1.125, 2.35, 5.03, 10.35, 17.77, 24.48, 27.73]


def law(a: float, b: float, zero_mass: float = 0.0) -> BetaBinomialFit:
    return BetaBinomialFit(a / (a + b), 1 / (a + b + 1), zero_mass, 0.0, 2, 9, ())


def test_real_recovery_map_from_counts(step_400, step_800):
    result = recovery_map_of_counts(50, step_800, 50, step_400, TRIES)
    assert result.base_tries == pytest.approx(AIME, abs=6e-3)
    assert result.law == pytest.approx((1.392, 0.839), abs=6e-4)
    assert result.unreached.size == 0


def test_real_recovery_map_from_curves_is_close(step_400, step_800):
    k = np.arange(1, 51)
    base, trained = (pass_at_k(50, c, k[:, np.newaxis]).mean(axis=1) for c in (step_400, step_800))
    result = recovery_map(TRIES, trained[TRIES - 1], k, base)
    assert result.base_tries == pytest.approx(AIME, abs=0.025)
    assert (result.base_tries >= np.array(AIME) - 6e-3).all()  # chords lie below a concave curve


def test_the_other_direction_has_no_answer_above_the_plateau(step_400, step_800):
    result = recovery_map_of_counts(50, step_400, 50, step_800, TRIES)
    assert result.unreached.tolist() == [32, 50]  # .2501 and .3000 against at most .2333
    assert result.tries.tolist() == [1, 2, 4, 8, 16]


def test_matching_tries_reach_the_same_pass_at_k():
    k = np.array([1, 3, 10])
    result = recovery_map_of_counts(40, [0, 10, 30], 40, [1, 5, 20], k)
    whole = recovery_map_of_counts(40, [0, 10, 30], 40, [0, 10, 30], k)
    assert whole.base_tries == pytest.approx(k, rel=1e-12)
    lower, upper = (
        pass_at_k(40, [1, 5, 20], f(result.base_tries).astype(int)[:, np.newaxis]).mean(axis=1)
        for f in (np.floor, np.ceil)
    )
    targets = pass_at_k(40, [0, 10, 30], k[:, np.newaxis]).mean(axis=1)
    assert (lower <= targets).all()
    assert (targets <= upper).all()


def test_interpolates_within_points_and_from_the_origin():
    result = recovery_map([1, 2, 3], [0.05, 0.15, 0.2], [1, 2, 5], [0.1, 0.2, 0.2])
    assert result.base_tries.tolist() == pytest.approx([0.5, 1.5, 2.0])
    assert result.local_exponents == pytest.approx([log(3) / log(2), log(2 / 1.5) / log(1.5)])
    assert result.law is not None


def test_one_point_or_none_has_no_law():
    assert recovery_map([1], [0.05], [1], [0.1]).law is None
    nothing = recovery_map([1, 2], [0.5, 0.6], [1], [0.1])
    assert nothing.law is None
    assert nothing.tries.size == nothing.local_exponents.size == 0
    assert nothing.unreached.tolist() == [1, 2]


def test_fits_approach_the_law_of_the_tails_from_above():
    result = recovery_map_of_fits(law(0.2, 0.6), law(0.25, 2.0), 2 ** np.arange(40))
    assert result.local_exponents[0] == pytest.approx(0.909, abs=5e-4)
    assert result.local_exponents[11:13] == pytest.approx([0.80045, 0.80026], abs=5e-5)
    limit = beta_recovery_law(0.2, 0.6, 0.25, 2.0)
    assert limit == pytest.approx((4.411, 0.8), abs=5e-4)
    assert result.local_exponents[-1] == pytest.approx(limit.exponent, abs=1e-6)
    level = result.base_tries[-1] / result.tries[-1] ** limit.exponent
    assert level == pytest.approx(limit.coefficient, rel=1e-5)
    assert result.law is not None
    assert result.law.exponent > limit.exponent


def test_fits_match_their_pass_at_k():
    result = recovery_map_of_fits(law(0.2, 0.6), law(0.25, 2.0, 0.1), [1, 5, 25])
    assert beta_pass_at_k(0.25, 2.0, result.base_tries, zero_mass=0.1) == pytest.approx(
        beta_pass_at_k(0.2, 0.6, result.tries), rel=1e-12
    )


def test_fits_are_unreached_above_the_plateau():
    result = recovery_map_of_fits(law(1.0, 1.0), law(1.0, 1.0, 0.3), [1, 2, 4])
    assert result.tries.tolist() == [1, 2]  # 1/2 and 2/3 lie below .7, 4/5 above
    assert result.unreached.tolist() == [4]


def test_one_problem_has_a_constant_ratio():
    ratio = recovery_ratio(0.3, 0.05)
    for k in (1, 4, 9):
        missed = (1 - 0.05) ** (ratio * k)
        assert 1 - missed == pytest.approx(float(pass_at_k_probability(0.3, k)))
    assert recovery_ratio(0.0, 0.5) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: recovery_map([2, 1], [0.1, 0.2], [1], [0.1]), "tries = .* ascending"),
        (lambda: recovery_map([1, 2], [0.2, 0.1], [1], [0.1]), "pass_at_k = .* do not fall"),
        (lambda: recovery_map([1], [0.2, 0.3], [1], [0.1]), "sizes of tries and pass_at_k"),
        (lambda: recovery_map([1], [0.0], [1], [0.1]), "pass_at_k = 0.0"),
        (lambda: recovery_map([1], [0.2], [], []), "sizes of base_tries"),
        (lambda: recovery_map([1], [1.2], [1], [0.1]), "pass_at_k = 1.2"),
        (lambda: recovery_map_of_counts(4, [0, 0], 4, [1, 1], [1]), "successes = 0"),
        (lambda: recovery_map_of_counts(4, [1, 0], 4, [1, 1], [5]), "k = 5"),
        (lambda: recovery_map_of_fits(law(1, 1), law(1, 1), [2, 2]), "ascending"),
        (lambda: recovery_ratio(1.0, 0.5), "success_probability = 1.0"),
        (lambda: recovery_ratio(0.5, 0.0), "base_success_probability = 0.0"),
        (lambda: beta_recovery_law(0, 1, 1, 1), "a = 0"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(DomainError, match=message):
        call()


def test_two_points_are_no_law():
    found = recovery_map([1, 2], [0.2, 0.3], [1, 2, 4, 8], [0.1, 0.2, 0.3, 0.4])
    assert found.base_tries.size == 2
    assert found.law is None


def test_a_law_beyond_floats_is_refused():
    with pytest.raises(DomainError, match="a float can hold"):
        beta_recovery_law(200, 1, 2, 3)


def test_fits_keep_their_digits_next_to_one():
    """Where Pass@k is 1 to every digit, the logarithm of the failures still tells tries apart."""
    strong, weak = law(40.0, 2.0), law(20.0, 2.0)
    result = recovery_map_of_fits(strong, weak, [1000, 10_000])
    assert beta_pass_at_k(40, 2, 1000) == 1.0
    limit = beta_recovery_law(40, 2, 20, 2)
    for tries, matching in zip(result.tries, result.base_tries, strict=True):
        assert log_beta_ratio(20, 2, matching) == pytest.approx(
            float(log_beta_ratio(40, 2, tries)), rel=1e-12
        )
    assert result.local_exponents[0] == pytest.approx(limit.exponent, rel=0.02)
    same = recovery_map_of_fits(law(40, 2, 1e-30), law(40, 2, 1e-30), [3, 30])
    assert same.base_tries == pytest.approx([3, 30], rel=1e-9)


@pytest.mark.parametrize("target", [0.1, 1e-9])
def test_a_base_that_is_better_needs_less_than_one_try(target):
    result = recovery_map_of_fits(law(1, 1 / target - 1), law(1, 1), [1])
    assert result.base_tries == pytest.approx([target / (1 - target)], rel=1e-12)


@pytest.mark.parametrize("zero_mass", [0.0, 0.2])
@pytest.mark.parametrize(("mean", "correlation"), [(0.3, 0.0), (0.3, 0.2), (0.3, 1.0), (1.0, 0.2)])
def test_failures_of_a_fit_are_the_rest_of_its_pass_at_k(mean, correlation, zero_mass):
    fit = BetaBinomialFit(mean, correlation, zero_mass, 0.0, 3, 9, ())
    k = np.array([0, 1, 4, 60])
    assert np.exp(fitted_log_failure(fit, k)) == pytest.approx(
        1 - fitted_pass_at_k(fit, k), abs=1e-15
    )
    assert fitted_log_failure(fit, 0) == 0
    assert fitted_pass_at_k(fit, 1) == pytest.approx((1 - zero_mass) * mean)


@pytest.mark.parametrize("tries", [[0, 1], [-1], [1.5]])
def test_tries_are_whole_from_one_on(tries):
    for call in (
        lambda: recovery_map_of_fits(law(1, 1), law(1, 1), tries),
        lambda: recovery_map_of_counts(4, [1, 2], 4, [1, 1], tries),
    ):
        with pytest.raises(DomainError, match=r"tries = .* at least 1"):
            call()


@pytest.mark.parametrize("first", [0.0, -1.0])
def test_curves_start_at_positive_tries(first):
    with pytest.raises(DomainError, match=r"base_tries = .* ascending positive"):
        recovery_map([1], [0.1], [first, 1.0], [0.05, 0.1])


def test_more_tries_than_two_to_the_sixty_second_are_unreached():
    """Failures 2 / (k + 1)(k + 2) against 1 / (k + 1): about k^2 / 2 tries."""
    result = recovery_map_of_fits(law(2, 1), law(1, 1), [2**30, 2**31, 2**33])
    assert result.base_tries == pytest.approx([2.0**59, 2.0**61], rel=1e-8)
    assert result.unreached.tolist() == [2.0**33]


def test_a_plateau_is_reached_by_what_lies_on_it():
    same = BetaBinomialFit(0.4, 1.0, 0.1, 0.0, 3, 9, ())
    assert recovery_map_of_fits(same, same, [1, 8]).unreached.size == 0


def test_a_value_at_the_plateau_itself_is_not_reached() -> None:
    fit = BetaBinomialFit(0.5, 1 / 3, 0.0, 0.0, 2, 10, ())  # pass@1 = 1/2
    base = BetaBinomialFit(1 / 3, 1 / 4, 0.5, 0.0, 3, 10, ())  # never above 1/2
    result = recovery_map_of_fits(fit, base, [1])
    assert result.base_tries.size == 0
    assert result.unreached.tolist() == [1]
