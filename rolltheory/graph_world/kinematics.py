"""Kinematic consistency of rollouts, its null models, and a test of invariance to a parameter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, positive_array, real_array

__all__ = [
    "InvarianceTest",
    "constant_velocity",
    "free_fall_inconsistency",
    "free_fall_inconsistency_exact",
    "invariance_test",
    "kinematic_consistency_error",
    "kinematic_consistency_error_exact",
    "noise_inconsistency",
    "noise_inconsistency_exact",
    "oscillator_inconsistency",
    "trapezoid_residual",
]

FloatArray = npt.NDArray[np.float64]
Predictor = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class InvarianceTest:
    """Slope of log error against log parameter, and whether it is shown to be flat.

    Attributes
    ----------
    slope, lower, upper : estimate and bootstrap interval
    confidence : of the interval
    margin : slopes within +- margin count as flat
    verdict : "invariant" if the interval lies within the margin, "depends" if it excludes zero and
        does not lie within the margin, else "unknown"
    """

    slope: float
    lower: float
    upper: float
    confidence: float
    margin: float
    verdict: str


def constant_velocity(step: float) -> Predictor:
    """The kinematic predictor (z, v) -> (z + dt v, v) on arrays whose last axis is (z, v).

    Parameters
    ----------
    step : dt, in units of time, above 0

    Raises
    ------
    DomainError
        for a step that is not positive.

    Notes
    -----
    Source: arXiv 2607.05966.

    Examples
    --------
    >>> constant_velocity(0.5)(np.array([[1.0, 2.0]]))
    array([[2., 2.]])
    """
    size = float(positive_array("step", step))

    def predict(states: FloatArray) -> FloatArray:
        half = states.shape[-1] // 2
        return np.concatenate(
            [states[..., :half] + size * states[..., half:], states[..., half:]], axis=-1
        )

    return predict


def kinematic_consistency_error(states: Any, predictor: Predictor) -> FloatArray:
    r"""Mean squared distance of a rollout from what a kinematic predictor makes of its own states.

    .. math:: \mathrm{iKCE} = \frac1T
        \sum_{t<T} \lVert \hat x_{t+1} - \mathrm{kin}(\hat x_t) \rVert_2^2

    A small value alone means little: a model that is the predictor has exactly 0. What diagnoses is
    whether the value moves with the physics (`invariance_test`).

    Parameters
    ----------
    states : (..., T + 1, d) rollouts, T at least 1
    predictor : from (..., d) states to the next ones

    Returns
    -------
    (...) one value per rollout.

    Raises
    ------
    DomainError
        for fewer than two states.

    Notes
    -----
    Source: arXiv 2607.05966.

    Examples
    --------
    >>> float(kinematic_consistency_error([[0, 1], [1, 1], [2, 0]], constant_velocity(1.0)))
    0.5
    """
    rollout = real_array("states", states)
    if rollout.ndim < 2 or rollout.shape[-2] < 2:
        raise DomainError("states", rollout.shape, "shape (..., T + 1, d) with T at least 1")
    missed = rollout[..., 1:, :] - predictor(rollout[..., :-1, :])
    return np.asarray((missed**2).sum(axis=-1).mean(axis=-1))[()]


def kinematic_consistency_error_exact(states: Sequence[tuple[Any, Any]], *, step: Any) -> Any:
    """The same against `constant_velocity`, for (z, v) of rationals or symbols.

    >>> kinematic_consistency_error_exact([(0, 1), (1, 1), (2, 0)], step=1)
    Fraction(1, 2)
    """
    if len(states) < 2:
        raise DomainError("states", len(states), "at least two")
    missed = sum(
        (after[0] - before[0] - step * before[1]) ** 2 + (after[1] - before[1]) ** 2
        for before, after in pairwise(states)
    )
    return missed * Fraction(1, len(states) - 1)


def free_fall_inconsistency(step: Any, *, gravity: float = 9.81) -> FloatArray:
    r"""The error of the constant-velocity predictor on exact free fall. Broadcasts.

    .. math:: (g\,dt)^2 + (g\,dt^2 / 2)^2

    Parameters
    ----------
    step : dt, seconds
    gravity : g

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(free_fall_inconsistency(0.025).round(8))
    0.06015696
    """
    size = positive_array("step", step)
    pull = float(real_array("gravity", gravity)) * size
    return np.asarray(pull**2 + (pull * size / 2) ** 2)[()]


def free_fall_inconsistency_exact(step: Any, *, gravity: Any) -> Any:
    """The same for rationals or symbols.

    >>> float(free_fall_inconsistency_exact(Fraction(1, 40), gravity=Fraction(981, 100)))
    0.060156960556640625
    """
    pull = gravity * step
    return pull**2 + (pull * step * Fraction(1, 2)) ** 2


def oscillator_inconsistency(amplitude: Any, frequency: Any, *, step: Any) -> FloatArray:
    r"""The same on an exact oscillator, averaged over its phase. Broadcasts.

    .. math:: \tfrac12 A^2 [(1 - \cos\theta)^2 + (\theta - \sin\theta)^2]
        + A^2 \omega^2 (1 - \cos\theta), \qquad \theta = \omega\,dt

    Parameters
    ----------
    amplitude : A
    frequency : omega, radians per unit of time
    step : dt

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(oscillator_inconsistency(1, 0, step=0.1))
    0.0
    """
    size = real_array("amplitude", amplitude) ** 2
    speed = real_array("frequency", frequency)
    angle = speed * positive_array("step", step)
    drop = 2 * np.sin(angle / 2) ** 2  # 1 - cos without cancellation
    place = (drop**2 + (angle - np.sin(angle)) ** 2) / 2
    return np.asarray(size * (place + speed**2 * drop))[()]


def noise_inconsistency(position_std: Any, velocity_std: Any, *, step: Any) -> FloatArray:
    r"""What white noise of a decoder adds, whatever the motion. Broadcasts.

    .. math:: 2 s_z^2 + dt^2 s_v^2 + 2 s_v^2

    Parameters
    ----------
    position_std, velocity_std : s_z and s_v, at least 0
    step : dt

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(noise_inconsistency(1, 0, step=0.1))
    2.0
    """
    place = real_array("position_std", position_std, at_least=0) ** 2
    speed = real_array("velocity_std", velocity_std, at_least=0) ** 2
    return np.asarray(2 * place + (positive_array("step", step) ** 2 + 2) * speed)[()]


def noise_inconsistency_exact(position_std: Any, velocity_std: Any, *, step: Any) -> Any:
    """The same for rationals or symbols.

    >>> noise_inconsistency_exact(Fraction(1, 2), 1, step=1)
    Fraction(7, 2)
    """
    return 2 * position_std**2 + (step**2 + 2) * velocity_std**2


def trapezoid_residual(angle: Any) -> FloatArray:
    r"""By what share of its displacement an exact oscillator misses the trapezoid rule. Broadcasts.

    .. math:: \frac{|z' - z - dt (v + v') / 2|}{|z' - z|}
        = 1 - \tfrac{\theta}{2} \cot\tfrac{\theta}{2} \approx \theta^2 / 12

    Parameters
    ----------
    angle : theta = omega dt, within (0, 2 pi)

    Raises
    ------
    DomainError
        outside that range.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(trapezoid_residual(0.75).round(4))
    0.0473
    """
    theta = positive_array("angle", angle)
    if np.any(theta >= 2 * np.pi):
        raise DomainError("angle", float(theta.max()), "angles below one turn")
    square = theta**2
    series = square / 12 * (1 + square / 60 * (1 + square / 42 * (1 + square / 40)))
    # the difference would cancel for small angles
    return np.asarray(np.where(theta < 0.1, series, 1 - theta / 2 / np.tan(theta / 2)))[()]


def invariance_test(
    parameters: Any,
    errors: Any,
    *,
    margin: float,
    generator: np.random.Generator,
    confidence: float = 0.95,
    resamples: int = 2000,
) -> InvarianceTest:
    r"""Whether an error moves with a physical parameter, by the slope of its logarithm.

    .. math:: \log \mathrm{error} = a + b \log \mathrm{parameter}

    The interval resamples whole runs within each parameter value, since steps of one run depend on
    each other. Flat is only said if the whole interval lies within the margin: absence of evidence
    is not invariance.

    Parameters
    ----------
    parameters : (g,) values, above 0, at least three different ones
    errors : (g, r) errors of r runs at each value, above 0, r at least 2
    margin : slopes within +- margin count as flat; choose it before looking
    generator : of the bootstrap
    confidence : of the two-sided interval
    resamples : bootstrap samples

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: the slope test of arXiv 2607.05966; the equivalence verdict is derived here.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> friction = np.array([0.25, 0.5, 1.0, 2.0])
    >>> test = invariance_test(
    ...     friction, friction[:, None] ** -0.22 * np.ones((4, 3)), margin=0.1, generator=rng
    ... )
    >>> round(test.slope, 6), test.verdict
    (-0.22, 'depends')
    """
    values = np.log(positive_array("parameters", parameters))
    runs = np.log(positive_array("errors", errors))
    if values.ndim != 1 or np.unique(values).size < 3:
        raise DomainError("parameters", values.shape, "at least three different values")
    if runs.ndim != 2 or runs.shape[0] != values.size or runs.shape[1] < 2:
        raise DomainError(
            "errors", runs.shape, f"shape ({values.size}, runs) with two runs or more"
        )
    flat = float(positive_array("margin", margin))
    level = float(real_array("confidence", confidence, at_least=0.5, at_most=0.9999))
    count = int(integer_array("resamples", resamples, at_least=100))
    centred = values - values.mean()
    weights = centred / (centred**2).sum()
    picks = generator.integers(0, runs.shape[1], (count, *runs.shape))
    means = np.take_along_axis(np.broadcast_to(runs, picks.shape), picks, axis=2).mean(axis=2)
    slope = float(weights @ runs.mean(axis=1))
    # resampled runs vary less than runs do, by this factor
    spread = (means @ weights - slope) * np.sqrt(runs.shape[1] / (runs.shape[1] - 1))
    lower, upper = slope + np.quantile(spread, [(1 - level) / 2, (1 + level) / 2])
    if -flat <= lower and upper <= flat:
        verdict = "invariant"
    else:
        verdict = "depends" if lower > 0 or upper < 0 else "unknown"
    return InvarianceTest(slope, float(lower), float(upper), level, flat, verdict)
