"""The Beta law: its Pass@k, its fit against an independent likelihood, and extrapolation."""

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.stats import betabinom, hypergeom

from rolltheory.errors import AssumptionError, DomainError, UnsupportedError
from rolltheory.reachability.beta_binomial import (
    BetaBinomialFit,
    compare_beta_binomial,
    extrapolate_pass_at_k,
    fit_beta_binomial,
    fitted_pass_at_k,
)
from rolltheory.reachability.beta_law import beta_pass_at_k, beta_tail_coefficient
from rolltheory.reachability.beta_likelihood import _negative_log_likelihood, tally
from rolltheory.reachability.exact import beta_pass_at_k_exact
from rolltheory.reachability.intervals import pass_at_k_posterior_mean
from rolltheory.reachability.tries import pass_at_k_probability


def test_pass_at_k_of_a_population_follows_the_exact_route():
    for k in (0, 1, 2, 9, 60):
        truth = float(beta_pass_at_k_exact(Fraction(3, 10), Fraction(6, 5), k))
        assert beta_pass_at_k(0.3, 1.2, k) == pytest.approx(truth, rel=1e-14)
        plateau = beta_pass_at_k(0.3, 1.2, k, zero_mass=0.25)
        assert plateau == pytest.approx(0.75 * truth, rel=1e-14)


@pytest.mark.parametrize(("k", "ratio"), [(10, 0.9757), (100, 0.9975), (1000, 0.99975)])
def test_failures_follow_a_power_law_in_the_tail(k, ratio):
    missed = 1 - beta_pass_at_k(0.3, 1.2, k)
    assert missed / (beta_tail_coefficient(0.3, 1.2) * k**-0.3) == pytest.approx(ratio, abs=5e-5)


def test_pooling_before_the_power_is_far_above_the_mean_of_powers():
    assert beta_pass_at_k(0.5, 0.5, 8) == pytest.approx(0.8036, abs=5e-5)
    assert pass_at_k_probability(0.5, 8) == pytest.approx(0.9961, abs=5e-5)


def test_fit_maximises_an_independent_likelihood(step_400):
    fit = fit_beta_binomial(50, step_400)
    assert fit.boundary == ()
    best = betabinom.logpmf(step_400, 50, fit.a, fit.b).sum()
    assert fit.log_likelihood == pytest.approx(best, rel=1e-11)
    for factor_a in (0.97, 1, 1.03):
        for factor_b in (0.97, 1, 1.03):
            near = betabinom.logpmf(step_400, 50, fit.a * factor_a, fit.b * factor_b).sum()
            assert near <= best + 1e-9


def test_inflated_fit_maximises_an_independent_likelihood(step_800):
    fit = fit_beta_binomial(50, step_800, zero_mass=True)

    def value(share: float, a: float, b: float) -> float:
        law = (1 - share) * betabinom.pmf(step_800, 50, a, b) + share * (step_800 == 0)
        return float(np.log(law).sum())

    best = value(fit.zero_mass, fit.a, fit.b)
    assert fit.log_likelihood == pytest.approx(best, rel=1e-11)
    for change in (0.97, 1.03):
        assert value(fit.zero_mass * change, fit.a, fit.b) < best
        assert value(fit.zero_mass, fit.a * change, fit.b) < best
        assert value(fit.zero_mass, fit.a, fit.b * change) < best
    assert fit.limit == 1 - fit.zero_mass


@pytest.mark.parametrize("point", [(-1.0, 0.2, 0.1), (-3.0, 0.01, 0.4), (0.5, 0.7, 0.0)])
def test_gradient_of_the_likelihood(step_400, point):
    tallies = tally(np.append(np.full(30, 50), [7, 9]), np.append(step_400, [0, 3]))
    numeric = approx_fprime(
        np.array(point), lambda x: _negative_log_likelihood(x, tallies)[0], 1e-7
    )
    gradient = _negative_log_likelihood(np.array(point), tallies)[1]
    assert gradient == pytest.approx(numeric, rel=1e-4, abs=1e-3)


def test_recovers_the_law_behind_many_problems():
    draws = np.random.default_rng(4)
    samples = draws.integers(10, 60, size=4000)
    p = draws.beta(0.6, 2.0, size=4000) * (draws.uniform(size=4000) > 0.3)
    result = compare_beta_binomial(samples, draws.binomial(samples, p))
    fit = result.zero_inflated
    assert (fit.a, fit.b, fit.zero_mass) == pytest.approx((0.6, 2.0, 0.3), rel=0.15)
    assert result.preferred is fit
    assert result.p_value < 1e-6


@pytest.mark.parametrize("zero_mass", [False, True])
def test_no_small_table_has_a_likelier_law_on_a_grid(zero_mass):
    a, b = np.meshgrid(np.geomspace(0.02, 200, 25), np.geomspace(0.02, 200, 25))
    shares = np.linspace(0, 0.9, 10) if zero_mass else np.zeros(1)
    for counts in combinations_with_replacement(range(4), 4):
        if len({c for c in counts if 0 < c < 3}):
            law = betabinom.pmf(np.array(counts)[:, None, None], 3, a, b)
            zero = (np.array(counts) == 0)[:, None, None]
            best = max(float(np.log((1 - s) * law + s * zero).sum(axis=0).max()) for s in shares)
            assert fit_beta_binomial(3, counts, zero_mass=zero_mass).log_likelihood >= best - 1e-9


def test_real_counts_with_and_without_a_mass_at_zero(step_400, step_800):
    first = compare_beta_binomial(50, step_400)
    assert first.statistic == 0
    assert first.p_value == 1
    assert first.preferred is first.plain
    assert "no mass at zero" in first.zero_inflated.boundary[0]
    second = compare_beta_binomial(50, step_800)
    assert second.statistic == pytest.approx(3.40885, abs=1e-4)
    assert second.p_value == pytest.approx(0.03242, abs=1e-4)
    assert second.preferred is second.zero_inflated


@pytest.mark.parametrize(
    ("successes", "mean", "correlation", "curve", "note"),
    [
        ([2, 2, 2], 0.5, 0.0, [0.5, 0.75, 0.875], "no spread"),
        ([1, 2, 2, 2, 3], 0.5, 0.0, [0.5, 0.75, 0.875], "no spread"),
        ([0, 4, 4, 0, 0], 0.4, 1.0, [0.4, 0.4, 0.4], "always or never"),
    ],
)
def test_edges_of_the_family_are_named_and_sensible(successes, mean, correlation, curve, note):
    fit = fit_beta_binomial(4, successes)
    assert (fit.mean, fit.correlation) == pytest.approx((mean, correlation), abs=1e-6)
    assert fitted_pass_at_k(fit, [1, 2, 3]) == pytest.approx(curve, abs=1e-6)
    assert note in fit.boundary[0]
    assert fit.limit == (1.0 if correlation == 0 else mean)
    assert fit.a == (np.inf if correlation == 0 else 0)


def test_edge_likelihoods_are_those_of_the_limits():
    assert fit_beta_binomial(4, [2, 2, 2]).log_likelihood == pytest.approx(3 * np.log(6 / 16))
    either = fit_beta_binomial(4, [0, 4, 4, 0, 0]).log_likelihood
    assert either == pytest.approx(3 * np.log(0.6) + 2 * np.log(0.4))


@pytest.mark.parametrize(
    ("samples", "successes", "zero_mass", "message"),
    [
        (8, [0, 0, 0], False, "some try succeeds; found failures only"),
        (8, [8, 8], False, "some try fails; found successes only"),
        (8, [3], False, "at least two problems; found 1"),
        (1, [0, 1, 1], False, "at least 2 tries"),
        (2, [0, 1, 2], True, "at least 3 tries"),
        (8, [0, 8, 8], True, "both successes and failures"),
    ],
)
def test_refuses_data_that_cannot_tell_the_parameters_apart(samples, successes, zero_mass, message):
    with pytest.raises(AssumptionError, match=message):
        fit_beta_binomial(samples, successes, zero_mass=zero_mass)
    with pytest.raises(AssumptionError, match=message):
        extrapolate_pass_at_k(
            samples, successes, 9, generator=np.random.default_rng(0), zero_mass=zero_mass
        )


def test_refuses_counts_and_parameters_outside_their_ranges():
    with pytest.raises(DomainError, match="successes = 9"):
        fit_beta_binomial(8, [9, 1])
    with pytest.raises(UnsupportedError, match="at most 10000000"):
        fit_beta_binomial(10**8, [9, 1])
    with pytest.raises(DomainError, match=r"a = 0\.0"):
        beta_pass_at_k(0, 1, 4)
    with pytest.raises(DomainError, match="b = -1"):
        beta_tail_coefficient(1, -1)
    with pytest.raises(DomainError, match=r"b = Fraction\(0, 1\)"):
        beta_pass_at_k_exact(Fraction(1), Fraction(0), 1)


def test_extrapolation_covers_its_estimate_and_repeats_with_its_seed(step_400):
    first, second = (
        extrapolate_pass_at_k(
            50, step_400, 200, generator=np.random.default_rng(2), resamples=60, confidence=0.9
        )
        for _ in range(2)
    )
    assert first == second
    assert first.interval.lower < first.estimate < first.interval.upper
    assert first.estimate == pytest.approx(0.42370, abs=1e-4)
    assert first.estimate == fitted_pass_at_k(first.fit, 200)


def test_resamples_without_any_success_count_as_zero():
    result = extrapolate_pass_at_k(
        4, [0, 0, 0, 1], 8, generator=np.random.default_rng(0), resamples=80
    )
    assert result.interval.lower == 0


def test_pooling_extrapolates_where_independent_priors_and_the_plug_in_fail(step_400):
    draws = np.random.default_rng(0)
    pooled = []
    while len(pooled) < 60:
        few = draws.hypergeometric(step_400, 50 - step_400, 8)
        if few.any():
            pooled.append(float(fitted_pass_at_k(fit_beta_binomial(8, few), 50)))
    assert np.mean(pooled) == pytest.approx(0.293, abs=0.04)  # the truth is .300
    assert np.std(pooled) == pytest.approx(0.141, abs=0.04)
    few = np.arange(9)
    chance = hypergeom.pmf(few, 50, step_400[:, np.newaxis], 8)
    uniform = (chance * pass_at_k_posterior_mean(8, few, 50)).sum(axis=1).mean()
    jeffreys = (chance * pass_at_k_posterior_mean(8, few, 50, prior=(0.5, 0.5))).sum(axis=1).mean()
    plug_in = (chance * (1 - (1 - few / 8) ** 50)).sum(axis=1).mean()
    assert (uniform, jeffreys, plug_in) == pytest.approx((0.863, 0.662, 0.111), abs=0.01)


def test_a_mass_at_zero_that_does_not_help_is_exactly_none():
    fit = fit_beta_binomial(1000, [1, 0, 999, 1000, 0], zero_mass=True)
    assert fit.zero_mass == 0
    assert any(note.startswith("no mass at zero") for note in fit.boundary)


def test_resamples_without_a_failure_give_no_warning():
    result = extrapolate_pass_at_k(
        2, [0, 1, 2], 8, generator=np.random.default_rng(0), resamples=60
    )
    assert result.interval.upper == 1


def test_a_law_that_always_succeeds_needs_one_try():
    fit = BetaBinomialFit(1.0, 0.0, 0.0, 0.0, 2, 3, ())
    assert fitted_pass_at_k(fit, [0, 1, 2]).tolist() == [0, 1, 1]


def test_the_mass_at_zero_is_a_third_parameter(step_800):
    result = compare_beta_binomial(50, step_800)
    assert (result.plain.parameters, result.zero_inflated.parameters) == (2, 3)
    assert result.plain.problems == 30
    for fit in (result.plain, result.zero_inflated):
        assert fit.akaike == pytest.approx(2 * fit.parameters - 2 * fit.log_likelihood)
    gain = result.plain.akaike - result.zero_inflated.akaike
    assert gain == pytest.approx(result.statistic - 2)


@pytest.mark.parametrize(
    ("a", "b", "k", "message"),
    [(0, 1, 1, "^a = "), (-1, 1, 1, "^a = "), (1, -1, 1, "^b = "), (1, 1, -1, "^k = -1")],
)
def test_the_exact_route_refuses_what_the_other_one_does(a, b, k, message):
    with pytest.raises(DomainError, match=message):
        beta_pass_at_k_exact(Fraction(a), Fraction(b), k)
    with pytest.raises(DomainError):
        beta_pass_at_k(a, b, k)


def test_parameters_whose_sum_is_no_float_are_refused():
    with pytest.raises(DomainError, match=r"a = 1e\+308"):
        beta_pass_at_k(1e308, 1e308, 1)
