"""Weather-like fields and walkers: series for regimes and for kinematic consistency."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rolltheory.numerics.arguments import integer_array, positive_array, real_array

__all__ = [
    "MarkovModels",
    "autoregressive_season",
    "random_markov_models",
    "spectral_field",
    "walker",
]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class MarkovModels:
    """True and learned Markov chains with rewards, one pair per run.

    Attributes
    ----------
    truth, model : (R, s, s) transition matrices
    rewards, model_rewards : (R, s) within [0, 1]
    """

    truth: FloatArray
    model: FloatArray
    rewards: FloatArray
    model_rewards: FloatArray


def random_markov_models(runs: int, states: int, generator: np.random.Generator) -> MarkovModels:
    """Random chains and random neighbours of theirs, from next to nothing to far away.

    >>> models = random_markov_models(4, 3, np.random.default_rng(0))
    >>> models.truth.sum(axis=2).round(12).tolist() == np.ones((4, 3)).tolist()
    True
    """
    shape = (runs, states)
    share = generator.random((runs, 1, 1)) ** 2
    truth, other = generator.dirichlet(np.full(states, 0.5), size=(2, *shape))
    rewards, guess = generator.random((2, *shape))
    mixed = rewards + share[..., 0] * (guess - rewards)
    return MarkovModels(truth, truth + share * (other - truth), rewards, mixed)


def spectral_field(
    multiplier: FloatArray, *, steps: int, generator: np.random.Generator, noise_std: float = 0.0
) -> FloatArray:
    """A field whose wavenumber k is multiplied by a(k) at each step, started from white noise.

    Parameters
    ----------
    multiplier : (K,) a(k), real
    steps : T
    generator : of the start and of the noise
    noise_std : of noise added to every wavenumber at each step

    Returns
    -------
    (T + 1, K) coefficients.

    Raises
    ------
    DomainError
        for negative arguments.

    Examples
    --------
    >>> field = spectral_field(np.array([0.5]), steps=2, generator=np.random.default_rng(0))
    >>> (field[1:] / field[:-1]).ravel()
    array([0.5, 0.5])
    """
    count = int(integer_array("steps", steps, at_least=1))
    spread = float(real_array("noise_std", noise_std, at_least=0))
    field = [generator.normal(size=multiplier.shape)]
    for _ in range(count):
        field.append(multiplier * field[-1] + spread * generator.normal(size=multiplier.shape))
    return np.array(field)


def autoregressive_season(
    steps: int,
    *,
    period: float,
    amplitude: float,
    memory: float,
    noise_std: float,
    generator: np.random.Generator,
    drift: float = 0.0,
) -> FloatArray:
    """A season, a trend and weather that forgets at a geometric rate.

    Parameters
    ----------
    steps : T
    period : of the season, in steps
    amplitude : of the season
    memory : autocorrelation of the weather after one step, below 1
    noise_std : of what each step adds to the weather
    generator : of the weather
    drift : trend per step

    Returns
    -------
    (T,) series.

    Raises
    ------
    DomainError
        for arguments out of range.

    Examples
    --------
    >>> autoregressive_season(4, period=4, amplitude=1, memory=0, noise_std=0,
    ...                       generator=np.random.default_rng(0)).round(9) + 0.0
    array([ 0.,  1.,  0., -1.])
    """
    count = int(integer_array("steps", steps, at_least=1))
    cycle = float(positive_array("period", period))
    kept = float(real_array("memory", memory, at_least=-0.999, at_most=0.999))
    shocks = float(real_array("noise_std", noise_std, at_least=0)) * generator.normal(size=count)
    weather = np.empty(count)
    level = 0.0
    for t, shock in enumerate(shocks):
        level = kept * level + shock
        weather[t] = level
    times = np.arange(count)
    return np.asarray(amplitude * np.sin(2 * np.pi * times / cycle) + drift * times + weather)


def walker(
    friction: FloatArray,
    *,
    runs: int,
    steps: int,
    exponent: float,
    generator: np.random.Generator,
    step: float = 0.025,
    noise: float = 0.3,
) -> FloatArray:
    """Rollouts (z, v) whose kinematic error scales as a power of friction, exactly in expectation.

    The velocity is a random walk; its kicks have variance friction^exponent times a level that
    differs from run to run.

    Parameters
    ----------
    friction : (g,) values, above 0
    runs : r per value
    steps : T
    exponent : of the scaling; 0 for a model that ignores friction
    generator : of kicks and levels
    step : dt
    noise : standard deviation of the log of the runs' levels

    Returns
    -------
    (g, r, T + 1, 2) states.

    Raises
    ------
    DomainError
        for friction that is not positive.

    Examples
    --------
    >>> walker(np.array([1.0, 2.0]), runs=3, steps=4, exponent=0,
    ...        generator=np.random.default_rng(0)).shape
    (2, 3, 5, 2)
    """
    slipperiness = positive_array("friction", friction)[:, None, None]
    size = (slipperiness.size, int(integer_array("runs", runs, at_least=1)), steps)
    level = np.exp(noise * generator.normal(size=size[:2]))[..., None]
    kicks = generator.normal(size=size) * np.sqrt(slipperiness**exponent * level)
    velocity = np.concatenate([np.zeros((*size[:2], 1)), np.cumsum(kicks, axis=2)], axis=2)
    moved = np.cumsum(velocity[..., :-1] * step, axis=2)
    place = np.concatenate([np.zeros((*size[:2], 1)), moved], axis=2)
    return np.stack([place, velocity], axis=-1)
