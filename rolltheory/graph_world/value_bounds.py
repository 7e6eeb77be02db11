"""What a one-step model error costs in value: simulation lemmas, Lipschitz values, returns."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.numerics.arguments import (
    exact_probability,
    integer_array,
    probability_array,
    real_array,
)
from rolltheory.numerics.rounding import product_above, rounded_up

__all__ = [
    "classical_simulation_lemma",
    "classical_simulation_lemma_exact",
    "finite_horizon_simulation_lemma",
    "finite_horizon_simulation_lemma_exact",
    "lipschitz_value_bound",
    "lipschitz_value_bound_exact",
    "model_return_gap",
    "model_return_gap_exact",
    "simulation_lemma",
    "simulation_lemma_exact",
]

FloatArray = npt.NDArray[np.float64]


def simulation_lemma(discount: Any, *, reward_error: Any, transition_error: Any) -> FloatArray:
    r"""The sharp bound on the value error of a model with rewards in [0, 1]. Broadcasts.

    .. math:: \lVert V - \hat V \rVert_\infty \le
        \frac{\varepsilon_R + \frac{\gamma}{1 - \gamma}\,\varepsilon_T}
             {1 - \gamma (1 - \varepsilon_T)}

    Attained for every discount and every pair of errors, by a model that leaks into a worthless
    state. A reward error counts only while both chains are still together.

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
    Source: arXiv 2406.16249 for tightness in the transitions; derived here,
    docs/theory/graph_world.md.

    Examples
    --------
    >>> float(simulation_lemma(0.9, reward_error=0, transition_error=0.1).round(6))
    4.736842
    >>> float(simulation_lemma(0.9, reward_error=1, transition_error=0.1).round(6))
    10.0
    """
    gamma, reward, transition = _errors(discount, reward_error, transition_error)
    return rounded_up(_sharp(gamma, reward, product_above(gamma, transition)))


def simulation_lemma_exact(discount: Any, *, reward_error: Any, transition_error: Any) -> Fraction:
    """The same in rationals.

    >>> simulation_lemma_exact(
    ...     Fraction(9, 10), reward_error=0, transition_error=Fraction(1, 10)
    ... )
    Fraction(90, 19)
    """
    gamma, reward, transition = _exact_errors(discount, reward_error, transition_error)
    return Fraction(_sharp(gamma, reward, gamma * transition))


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
    return rounded_up(_classical(gamma, reward, product_above(gamma, transition)))


def classical_simulation_lemma_exact(
    discount: Any, *, reward_error: Any, transition_error: Any
) -> Fraction:
    """The same in rationals.

    >>> classical_simulation_lemma_exact(
    ...     Fraction(9, 10), reward_error=0, transition_error=Fraction(1, 10)
    ... )
    Fraction(9, 1)
    """
    gamma, reward, transition = _exact_errors(discount, reward_error, transition_error)
    return Fraction(_classical(gamma, reward, gamma * transition))


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


def finite_horizon_simulation_lemma_exact(horizon: int, *, transition_error: Any) -> Fraction:
    """The same in rationals.

    >>> finite_horizon_simulation_lemma_exact(3, transition_error=Fraction(1, 2))
    Fraction(5, 4)
    """
    steps = int(integer_array("horizon", horizon, at_least=0))
    kept = 1 - exact_probability("transition_error", transition_error)
    return sum((1 - kept**t for t in range(steps)), Fraction(0))


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
    kept, gained = 1 - gamma, gamma * (1 - stretch)  # their sum is 1 - gamma K
    forgetting = kept + gained - 2.0**-51 * (kept + np.abs(gained))
    if np.any(forgetting <= 0):
        found = float((gamma * stretch).max())
        raise AssumptionError("discount times transition_lipschitz < 1", f"{found:.6g}")
    return rounded_up(product_above(gamma, slope, error, 1 / (kept * forgetting)))


def lipschitz_value_bound_exact(
    discount: Any, *, transition_lipschitz: Any, reward_lipschitz: Any, model_error: Any
) -> Fraction:
    """The same in rationals.

    >>> lipschitz_value_bound_exact(
    ...     Fraction(1, 2), transition_lipschitz=1, reward_lipschitz=2, model_error=Fraction(1, 4)
    ... )
    Fraction(1, 1)
    """
    gamma = _exact_discount(discount)
    stretch, slope, error = map(Fraction, (transition_lipschitz, reward_lipschitz, model_error))
    if gamma * stretch >= 1:
        raise AssumptionError("discount times transition_lipschitz < 1", str(gamma * stretch))
    return gamma * slope * error / ((1 - gamma) * (1 - gamma * stretch))


def model_return_gap(
    discount: Any, *, model_error: Any, policy_shift: Any, reward_bound: Any = 1.0
) -> FloatArray:
    r"""How far a return within the model may be from the true one, in the form of MBPO. Broadcasts.

    .. math:: |\hat\eta - \eta|
        \le \frac{2 \gamma r_{\max} (\varepsilon_m + 2 \varepsilon_\pi)}{(1 - \gamma)^2}
        + \frac{4 r_{\max} \varepsilon_\pi}{1 - \gamma}

    for whole rollouts in the model (not branched ones) and rewards within [-r_max, r_max].

    Parameters
    ----------
    discount : gamma, within [0, 1)
    model_error : eps_m, largest over time of the expected total variation of the model's next-state
        laws along rollouts of the policy that collected the data
    policy_shift : eps_pi, largest total variation between that policy and the present one
    reward_bound : r_max

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: Janner et al. (known). Very loose: about a tenth is seen on small random problems; a
    model error alone is nearly attained as it gets small.

    Examples
    --------
    >>> float(model_return_gap(0.5, model_error=0.1, policy_shift=0.0).round(9))
    0.4
    """
    largest = real_array("reward_bound", reward_bound, at_least=0)
    model = probability_array("model_error", model_error)
    shift = probability_array("policy_shift", policy_shift)
    gamma = _discount(discount)
    through_model = product_above(2, gamma, largest, model + 2 * shift)
    return rounded_up(_return_gap(gamma, through_model, product_above(4, largest, shift)))


def model_return_gap_exact(
    discount: Any, *, model_error: Any, policy_shift: Any, reward_bound: Any = 1
) -> Fraction:
    """The same in rationals.

    >>> model_return_gap_exact(Fraction(1, 2), model_error=Fraction(1, 10), policy_shift=0)
    Fraction(2, 5)
    """
    model = exact_probability("model_error", model_error)
    shift = exact_probability("policy_shift", policy_shift)
    gamma, largest = _exact_discount(discount), Fraction(reward_bound)
    through_model = 2 * gamma * largest * (model + 2 * shift)
    return Fraction(_return_gap(gamma, through_model, 4 * largest * shift))


def _sharp(gamma: Any, reward: Any, leak: Any) -> Any:
    """With the leak gamma eps_T, discounted, from the chains that are together."""
    # (1 - gamma) + gamma eps, since 1 - gamma (1 - eps) would cancel in floats
    return (reward + leak / (1 - gamma)) / ((1 - gamma) + leak)


def _classical(gamma: Any, reward: Any, leak: Any) -> Any:
    return reward / (1 - gamma) + leak / (1 - gamma) ** 2


def _return_gap(gamma: Any, through_model: Any, through_policy: Any) -> Any:
    return through_model / (1 - gamma) ** 2 + through_policy / (1 - gamma)


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


def _exact_discount(discount: Any) -> Fraction:
    gamma = exact_probability("discount", discount)
    if gamma == 1:
        raise DomainError("discount", 1, "a discount below 1")
    return gamma


def _exact_errors(
    discount: Any, reward_error: Any, transition_error: Any
) -> tuple[Fraction, Fraction, Fraction]:
    return (
        _exact_discount(discount),
        exact_probability("reward_error", reward_error),
        exact_probability("transition_error", transition_error),
    )
