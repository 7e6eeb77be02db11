"""What a one-step model error costs in value: simulation lemmas, Lipschitz values, mixtures."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.numerics.arguments import (
    integer_array,
    positive_array,
    probability_array,
    real_array,
)
from rolltheory.numerics.rounding import rounded_up

__all__ = [
    "best_replay_window",
    "branched_rollout_gap",
    "classical_simulation_lemma",
    "finite_horizon_simulation_lemma",
    "lipschitz_value_bound",
    "mixture_shift_bound",
    "optimal_data_split",
    "simulation_lemma",
]

FloatArray = npt.NDArray[np.float64]


def simulation_lemma(discount: Any, *, reward_error: Any, transition_error: Any) -> FloatArray:
    r"""The sharp bound on the value error of a model with rewards in [0, 1]. Broadcasts.

    .. math:: \lVert V - \hat V \rVert_\infty \le \frac{\varepsilon_R}{1 - \gamma}
        + \frac{\gamma\,\varepsilon_T}{(1 - \gamma)(1 - \gamma (1 - \varepsilon_T))}

    Parameters
    ----------
    discount : gamma, within [0, 1)
    reward_error : eps_R, largest error of the expected reward, within [0, 1]
    transition_error : eps_T, largest total variation between next-state laws, within [0, 1]

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: arXiv 2406.16249 for its tightness; derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> float(simulation_lemma(0.9, reward_error=0, transition_error=0.1).round(6))
    4.736842
    """
    gamma, reward, transition = _errors(discount, reward_error, transition_error)
    drift = gamma * transition / ((1 - gamma) * (1 - gamma * (1 - transition)))
    return rounded_up(reward / (1 - gamma) + drift)


def classical_simulation_lemma(
    discount: Any, *, reward_error: Any, transition_error: Any
) -> FloatArray:
    r"""The textbook bound, never below the sharp one. Broadcasts.

    .. math:: \lVert V - \hat V \rVert_\infty \le \frac{\varepsilon_R}{1 - \gamma}
        + \frac{\gamma\,\varepsilon_T}{(1 - \gamma)^2}

    Parameters
    ----------
    discount, reward_error, transition_error : as for `simulation_lemma`

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> float(classical_simulation_lemma(0.9, reward_error=0, transition_error=0.1).round(6))
    9.0
    """
    gamma, reward, transition = _errors(discount, reward_error, transition_error)
    return rounded_up(reward / (1 - gamma) + gamma * transition / (1 - gamma) ** 2)


def finite_horizon_simulation_lemma(horizon: Any, *, transition_error: Any) -> FloatArray:
    r"""The sharp undiscounted bound over H rewards in [0, 1]. Broadcasts.

    .. math:: H - \frac{1 - (1 - \varepsilon)^H}{\varepsilon} \le \varepsilon\,\frac{H (H - 1)}{2}

    Parameters
    ----------
    horizon : H, at least 0
    transition_error : eps, total variation per step, within [0, 1]

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md; summed as sum_t (1 - (1 - eps)^t), which
    does not cancel.

    Examples
    --------
    >>> float(finite_horizon_simulation_lemma(20, transition_error=0.1).round(6))
    11.215767
    """
    steps, error = np.broadcast_arrays(
        integer_array("horizon", horizon, at_least=0),
        probability_array("transition_error", transition_error),
    )
    times = np.arange(1, int(steps.max(initial=1)))  # nothing is lost at t = 0
    with np.errstate(divide="ignore"):
        lost = -np.expm1(times * np.log1p(-error[..., None]))
    seen = times < steps[..., None]
    return rounded_up((lost * seen).sum(axis=-1), 32 + times.size)


def lipschitz_value_bound(
    discount: Any, *, transition_lipschitz: Any, reward_lipschitz: Any, model_error: Any
) -> FloatArray:
    r"""Value error from a Wasserstein model error with Lipschitz transitions. Broadcasts.

    .. math:: |V - \hat V| \le \frac{\gamma\,K_R\,\Delta}{(1 - \gamma)(1 - \gamma K)}

    Parameters
    ----------
    discount : gamma, within [0, 1)
    transition_lipschitz : K, with gamma K < 1
    reward_lipschitz : K_R, reward per unit of state
    model_error : Delta, largest Wasserstein-1 distance of the next-state laws

    Raises
    ------
    AssumptionError
        if gamma K >= 1: the series diverges and no bound holds.
    DomainError
        outside these ranges.

    Notes
    -----
    Source: Asadi et al. (known). Attained by x' = K x against x' = K x + Delta.

    Examples
    --------
    >>> bound = lipschitz_value_bound(
    ...     0.9, transition_lipschitz=0.8, reward_lipschitz=2, model_error=0.05
    ... )
    >>> float(bound.round(7))
    3.2142857
    """
    gamma = _discount(discount)
    stretch = real_array("transition_lipschitz", transition_lipschitz, at_least=0)
    slope = real_array("reward_lipschitz", reward_lipschitz, at_least=0)
    error = real_array("model_error", model_error, at_least=0)
    growth = gamma * stretch
    if np.any(growth >= 1):
        raise AssumptionError("discount times transition_lipschitz < 1", f"{growth.max():.6g}")
    return rounded_up(gamma * slope * error / ((1 - gamma) * (1 - growth)))


def branched_rollout_gap(
    discount: Any, *, model_error: Any, policy_shift: Any, reward_bound: Any = 1.0
) -> FloatArray:
    r"""By how much a return in the model may exceed the true one, in the form of MBPO. Broadcasts.

    .. math:: \hat\eta - \eta
        \le \frac{2 \gamma r_{\max} (\varepsilon_m + 2 \varepsilon_\pi)}{(1 - \gamma)^2}
        + \frac{4 r_{\max} \varepsilon_\pi}{1 - \gamma}

    Parameters
    ----------
    discount : gamma, within [0, 1)
    model_error : eps_m, total variation per step under the policy that collected the data
    policy_shift : eps_pi, largest total variation between that policy and the present one
    reward_bound : r_max

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: Janner et al. (known). Very loose: about a tenth is ever seen on small random problems.

    Examples
    --------
    >>> float(branched_rollout_gap(0.5, model_error=0.1, policy_shift=0.0).round(9))
    0.4
    """
    gamma = _discount(discount)
    model = probability_array("model_error", model_error)
    shift = probability_array("policy_shift", policy_shift)
    largest = real_array("reward_bound", reward_bound, at_least=0)
    through_model = 2 * gamma * largest * (model + 2 * shift) / (1 - gamma) ** 2
    return rounded_up(through_model + 4 * largest * shift / (1 - gamma))


def mixture_shift_bound(
    discount: float, weights: Any, policy_shifts: Any, *, mixture_error: float, largest_error: float
) -> float:
    r"""Value error of a model trained on replay of past policies, with rewards in [0, 1].

    .. math:: |J - \hat J| \le \frac{\gamma}{(1 - \gamma)^2} \Bigl( E_{\mathrm{mix}}[\mathrm{err}]
        + \frac{\mathrm{err}_{\max}}{1 - \gamma} \sum_i w_i \max_s TV(\pi, \pi_i) \Bigr)

    with err the total variation of the model at a state and action.

    Parameters
    ----------
    discount : gamma, within [0, 1)
    weights : (m,) shares of the past policies in the replay, summing to 1
    policy_shifts : (m,) largest total variation between each past policy and the present one
    mixture_error : expected err on the replay
    largest_error : err_max, within [mixture_error, 1]

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> bound = mixture_shift_bound(
    ...     0.5, [0.5, 0.5], [0, 0.1], mixture_error=0.1, largest_error=0.2
    ... )
    >>> round(bound, 9)
    0.24
    """
    gamma = float(_discount(discount))
    shares = np.atleast_1d(probability_array("weights", weights))
    shifts = np.atleast_1d(probability_array("policy_shifts", policy_shifts))
    if shares.ndim != 1 or shares.shape != shifts.shape:
        raise DomainError("policy_shifts", shifts.shape, f"one per weight, {shares.shape}")
    if abs(shares.sum() - 1) > 1e-9:
        raise DomainError("weights", float(shares.sum()), "weights that sum to 1")
    expected = float(probability_array("mixture_error", mixture_error))
    largest = float(real_array("largest_error", largest_error, at_least=expected, at_most=1.0))
    shift = float(shares @ shifts) / (1 - gamma)
    on_policy = min(expected + largest * shift, largest)
    return float(rounded_up(gamma / (1 - gamma) ** 2 * on_policy, 32 + 2 * shares.size))


def best_replay_window(drift: Any, *, samples: Any, noise: Any) -> FloatArray:
    r"""How many past policies to keep so that shift plus sampling error is least. Broadcasts.

    .. math:: m^* = \Bigl( \frac{c}{\delta \sqrt n} \Bigr)^{2/3}
        \quad\text{minimises}\quad \delta\,\frac{m - 1}{2} + \frac{c}{\sqrt{n m}}

    Parameters
    ----------
    drift : delta, total variation between successive policies, above 0
    samples : n per policy, at least 1
    noise : c, sampling error of one sample, above 0

    Returns
    -------
    The real minimiser; below 1 means one policy. Compare the cost at the whole numbers beside.

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(best_replay_window(0.02, samples=100, noise=1).round(2))
    2.92
    """
    count = integer_array("samples", samples, at_least=1)
    scale = positive_array("noise", noise) / (positive_array("drift", drift) * np.sqrt(count))
    return np.asarray(np.cbrt(scale) ** 2)[()]


def optimal_data_split(
    budget: float,
    *,
    error_scales: tuple[float, float],
    exponents: tuple[float, float],
    unit_costs: tuple[float, float],
) -> tuple[float, float]:
    r"""How to spend a budget between data for the dynamics and data for the reward.

    .. math:: \min_{k_d n_d + k_r n_r = B} C_d n_d^{-\alpha} + C_r n_r^{-\beta}
        \iff \frac{\alpha C_d n_d^{-\alpha - 1}}{k_d} = \frac{\beta C_r n_r^{-\beta - 1}}{k_r}

    Parameters
    ----------
    budget : B, above 0, in units of cost
    error_scales : C_d, C_r, above 0, in units of value
    exponents : alpha, beta, above 0
    unit_costs : k_d, k_r, above 0, cost per sample

    Returns
    -------
    (n_d, n_r), real numbers of samples.

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: the law of arXiv 2605.06732 (abstract); the split is derived here.

    Examples
    --------
    >>> optimal_data_split(10.0, error_scales=(1, 1), exponents=(0.5, 0.5), unit_costs=(1, 1))
    (5.0, 5.0)
    """
    from scipy.optimize import brentq

    total = float(positive_array("budget", budget))
    scale, power, cost = (
        positive_array(name, value)
        for name, value in (
            ("error_scales", error_scales),
            ("exponents", exponents),
            ("unit_costs", unit_costs),
        )
    )

    def imbalance(share: float) -> float:
        """Log of the two marginal returns' ratio; it falls in the share of the dynamics."""
        samples = total * np.array([share, 1 - share]) / cost
        returns = np.log(power * scale / cost) - (power + 1) * np.log(samples)
        return float(returns[0] - returns[1])

    tiny = 2.0**-500
    share = 0.5 if imbalance(0.5) == 0 else float(brentq(imbalance, tiny, 1 - 2.0**-53, xtol=1e-16))
    return total * share / float(cost[0]), total * (1 - share) / float(cost[1])


def _discount(discount: Any) -> FloatArray:
    gamma = real_array("discount", discount, at_least=0, at_most=1)
    if np.any(gamma == 1):
        raise DomainError("discount", 1.0, "a discount below 1")
    return gamma


def _errors(
    discount: Any, reward_error: Any, transition_error: Any
) -> tuple[FloatArray, FloatArray, FloatArray]:
    return (
        _discount(discount),
        probability_array("reward_error", reward_error),
        probability_array("transition_error", transition_error),
    )
