"""What rollout error costs a planner: the horizon factor, the regret bound, its tight case."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.graph_world.rollout import (
    GEOMETRIC_ROUNDINGS,
    geometric_sum,
    geometric_sum_exact,
)
from rolltheory.numerics.arguments import integer_array, probability_array, real_array
from rolltheory.numerics.rounding import power_above, product_above, rounded_up

__all__ = [
    "RegretInstance",
    "horizon_factor",
    "horizon_factor_exact",
    "horizon_factor_limit",
    "regret_bound",
    "regret_from_errors",
    "tight_regret_instance",
]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RegretInstance:
    """Two plans between which a model with one-step error eps ties, although one is worse.

    The state is one number, x' = growth x, x_0 = 0, reward x + (bonus of the plan). The model adds
    +eps per step under the first plan and -eps under the second.

    Attributes
    ----------
    growth, discount, one_step_error : of the model
    horizon : rewards at t = 0 ... horizon - 1
    bonus : what the second plan truly earns more
    """

    growth: float
    discount: float
    one_step_error: float
    horizon: int
    bonus: float


def horizon_factor(horizon: Any, *, discount: float, spectral_radius: float) -> FloatArray:
    r"""How discounted error accumulates over H rewards when each step adds one unit.

    .. math:: \Phi_H(\gamma, \rho) = \sum_{t<H} \gamma^t (1 + \rho + \dots + \rho^{t-1})

    Rewards are read at t = 0 ... H - 1; for rewards on the next state use Phi_{H+1} / gamma.

    Parameters
    ----------
    horizon : H, at least 0; any shape
    discount : gamma, within [0, 1]
    spectral_radius : rho, growth per step, at least 0

    Returns
    -------
    The factor for each horizon, rounded up.

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md; it agrees with the sum of arXiv 2606.27780 as
    its first code writes it. It is not 1 + gamma rho + ... + (gamma rho)^{H-1}.

    Examples
    --------
    >>> float(horizon_factor(4, discount=0.5, spectral_radius=2).round(9))
    2.125
    >>> float(horizon_factor(10, discount=1, spectral_radius=1).round(9))
    45.0
    """
    steps = integer_array("horizon", horizon, at_least=0)
    gamma = float(probability_array("discount", discount))
    growth = float(real_array("spectral_radius", spectral_radius, at_least=0))
    longest = int(steps.max(initial=0))
    times = np.arange(longest)
    with np.errstate(over="ignore", under="ignore"):
        if growth > 1:  # gamma (gamma rho)^(t-1) (1 + 1/rho + ... + rho^(1-t)) stays finite longer
            shrinking = gamma * geometric_sum(1 / growth, times)
            terms = (gamma * growth) ** np.maximum(times - 1.0, 0) * shrinking
        else:
            terms = gamma**times * geometric_sum(growth, times)
    totals = np.concatenate([[0.0], np.cumsum(terms)])
    return rounded_up(totals, GEOMETRIC_ROUNDINGS + 2 * longest)[steps]


def horizon_factor_exact(horizon: int, *, discount: Any, spectral_radius: Any) -> Fraction:
    """The same factor in rational arithmetic.

    Parameters
    ----------
    horizon : at least 0
    discount, spectral_radius : rationals

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> horizon_factor_exact(4, discount=Fraction(1, 2), spectral_radius=2)
    Fraction(17, 8)
    """
    gamma, growth = Fraction(discount), Fraction(spectral_radius)
    return sum((gamma**t * geometric_sum_exact(growth, t) for t in range(horizon)), Fraction(0))


def horizon_factor_limit(*, discount: float, spectral_radius: float) -> float:
    r"""The horizon factor for ever.

    .. math:: \Phi_\infty = \frac{\gamma}{(1 - \gamma)(1 - \gamma\rho)}
        \quad \text{if } \gamma < 1,\ \gamma\rho < 1; \text{ else } \infty

    Parameters
    ----------
    discount : gamma, within [0, 1]
    spectral_radius : rho, at least 0

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: derived here. With gamma = 0 nothing is ever lost: 0.

    Examples
    --------
    >>> round(horizon_factor_limit(discount=0.95, spectral_radius=0.9), 8)
    131.03448276
    >>> horizon_factor_limit(discount=0.95, spectral_radius=1.1)
    inf
    """
    gamma = float(probability_array("discount", discount))
    growth = float(real_array("spectral_radius", spectral_radius, at_least=0))
    if gamma == 0:
        return 0.0
    if gamma == 1 or Fraction(gamma) * Fraction(growth) >= 1:
        return float("inf")
    remaining = float((1 - Fraction(gamma)) * (1 - Fraction(gamma) * Fraction(growth)))
    return float(rounded_up(gamma / remaining, 4))


def regret_bound(
    one_step_error: Any,
    horizon: Any,
    *,
    discount: float,
    spectral_radius: float,
    reward_lipschitz: float = 1.0,
    transient: float = 1.0,
    reward_error: float = 0.0,
    planner_gap: float = 0.0,
) -> FloatArray:
    r"""How much value a plan made in the model can lose against the best open-loop plan.

    .. math:: J^* - J(\hat\pi) \le 2 L_R\,\kappa\,\varepsilon\,\Phi_H(\gamma, \rho)
        + 2 \varepsilon_R\,\mathrm{gs}(\gamma, H) + \eta

    Assumes e_t <= kappa eps (1 + ... + rho^{t-1}) for every plan, a reward that is L_R-Lipschitz in
    the state and learned within eps_R, and a planner that is eta-optimal in the model.

    Parameters
    ----------
    one_step_error : eps, at least 0; broadcasts with the horizon
    horizon : H, at least 0
    discount : gamma, within [0, 1]
    spectral_radius : rho, growth of errors per step, at least 0
    reward_lipschitz : L_R
    transient : kappa, at least 1
    reward_error : eps_R, reward per step
    planner_gap : eta, in value

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md; the form of arXiv 2606.27780, Theorem 4, as
    its code states it. The factor 2 is attained: `tight_regret_instance`.

    Examples
    --------
    >>> float(regret_bound(0.01, 32, discount=0.95, spectral_radius=1.1).round(5))
    10.50809
    """
    error = real_array("one_step_error", one_step_error, at_least=0)
    steps = integer_array("horizon", horizon, at_least=0)
    slope = float(real_array("reward_lipschitz", reward_lipschitz, at_least=0))
    kappa = float(real_array("transient", transient, at_least=1))
    wrong_reward = float(real_array("reward_error", reward_error, at_least=0))
    gap = float(real_array("planner_gap", planner_gap, at_least=0))
    factor = horizon_factor(steps, discount=discount, spectral_radius=spectral_radius)
    through_states = product_above(2, slope, kappa, error, factor)
    through_rewards = product_above(2, wrong_reward, geometric_sum(discount, steps))
    return rounded_up(through_states + through_rewards + gap, GEOMETRIC_ROUNDINGS)


def regret_from_errors(
    errors: Any,
    *,
    discount: float,
    reward_lipschitz: float = 1.0,
    reward_error: float = 0.0,
    planner_gap: float = 0.0,
) -> float:
    r"""The same loss from an envelope of rollout errors, such as `joint_envelope`'s first column.

    .. math:: J^* - J(\hat\pi) \le 2 \sum_{t<H} \gamma^t (L_R\, e_t + \varepsilon_R) + \eta

    Parameters
    ----------
    errors : (H,) bounds on e_0 ... e_{H-1} that hold for every plan
    discount : gamma, within [0, 1]
    reward_lipschitz, reward_error, planner_gap : as in `regret_bound`

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> round(regret_from_errors([0, 1, 1], discount=0.5), 9)
    1.5
    """
    envelope = np.atleast_1d(real_array("errors", errors, at_least=0))
    if envelope.ndim != 1:
        raise DomainError("errors", envelope.shape, "one bound per step")
    gamma = float(probability_array("discount", discount))
    slope = float(real_array("reward_lipschitz", reward_lipschitz, at_least=0))
    wrong_reward = float(real_array("reward_error", reward_error, at_least=0))
    gap = float(real_array("planner_gap", planner_gap, at_least=0))
    with np.errstate(over="ignore"):
        losses = product_above(slope, envelope) + wrong_reward
        terms = product_above(2, power_above(gamma, np.arange(envelope.size)), losses)
        return float(rounded_up(terms.sum() + gap, 8 + envelope.size))


def tight_regret_instance(
    one_step_error: float, horizon: int, *, discount: float, spectral_radius: float
) -> RegretInstance:
    """A pair of plans that loses exactly what `regret_bound` allows.

    Parameters
    ----------
    one_step_error : eps, above 0
    horizon : H, at least 2, so that an error is ever seen
    discount, spectral_radius : as in `regret_bound`

    Raises
    ------
    DomainError
        outside these ranges.
    AssumptionError
        if no error is seen within the horizon.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> instance = tight_regret_instance(0.01, 32, discount=0.95, spectral_radius=1.1)
    >>> round(instance.bonus, 5)
    10.50809
    """
    error = float(real_array("one_step_error", one_step_error, at_least=0))
    steps = int(integer_array("horizon", horizon, at_least=0))
    factor = float(horizon_factor(steps, discount=discount, spectral_radius=spectral_radius))
    if error * factor == 0:
        raise AssumptionError(
            "an error is seen within the horizon", f"eps = {error:g}, Phi = {factor:g}"
        )
    return RegretInstance(spectral_radius, discount, error, steps, 2 * error * factor)
