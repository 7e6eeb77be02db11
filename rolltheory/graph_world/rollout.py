"""Rollouts on fixed edges: error over the horizon, its inverse, and the floor that noise sets."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.graph_world.spectral import PowerNormBound
from rolltheory.numerics.arguments import integer_array, positive_array, real_array
from rolltheory.numerics.rounding import power_above, product_above, rounded_up

__all__ = [
    "GEOMETRIC_ROUNDINGS",
    "ErrorNorm",
    "error_norm",
    "fixed_edge_bound",
    "fixed_edge_bound_exact",
    "geometric_sum",
    "geometric_sum_exact",
    "noise_floor",
    "spectral_bound",
    "validity_horizon",
]

FloatArray = npt.NDArray[np.float64]
GEOMETRIC_ROUNDINGS = 1024  # an exponent H log q up to 710, one rounding of it each
ErrorNorm = Literal["frobenius", "quadratic", "largest", "total"]


def geometric_sum(ratio: Any, terms: Any) -> FloatArray:
    r"""1 + q + ... + q^{H-1}, which is H at q = 1, to relative rounding error. Broadcasts.

    Parameters
    ----------
    ratio : q, at least 0
    terms : H, at least 0

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: known. Evaluated as expm1(H log q) / (q - 1): no cancellation near 1.

    Examples
    --------
    >>> geometric_sum([0.5, 1.0, 2.0], 4)
    array([ 1.875,  4.   , 15.   ])
    """
    growth = real_array("ratio", ratio, at_least=0)
    count = integer_array("terms", terms, at_least=0).astype(np.float64)
    excess = growth - 1
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        exponent = count * np.where(growth > 0.5, np.log1p(excess), np.log(growth))
        total = np.expm1(exponent) / excess
    total = np.where(growth == 1, count, total)
    return np.asarray(np.where(count == 0, 0.0, total))[()]


def geometric_sum_exact(ratio: Any, terms: int) -> Fraction:
    """The same sum in rational arithmetic.

    Parameters
    ----------
    ratio : a rational
    terms : at least 0

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> geometric_sum_exact(Fraction(1, 2), 3)
    Fraction(7, 4)
    """
    growth = Fraction(ratio)
    return Fraction(terms) if growth == 1 else (growth**terms - 1) / (growth - 1)


def fixed_edge_bound(lipschitz: float, initial_error: float, one_step_errors: Any) -> FloatArray:
    r"""Error of a rollout over the horizon, from a Lipschitz constant and one-step errors.

    .. math:: e_H \le \Lambda^H e_0 + \sum_{k<H} \Lambda^{H-1-k} \varepsilon_k

    Assumes that the model is Lambda-Lipschitz in the state (same norm as the errors) and that eps_t
    is its one-step error on the true trajectory. The dual holds too: true dynamics
    Lambda-Lipschitz, eps_t the one-step error along the model's own rollout.

    Parameters
    ----------
    lipschitz : Lambda of one step, at least 0
    initial_error : e_0, at least 0
    one_step_errors : (H,) eps_0 ... eps_{H-1}, at least 0

    Returns
    -------
    (H + 1,) bounds on e_0 ... e_H, rounded up; infinite where floats overflow.

    Raises
    ------
    DomainError
        for negative arguments.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md. Attained by linear symmetric models with all
    errors along the Perron vector.

    Examples
    --------
    >>> float(fixed_edge_bound(0.8, 0.1, [0.01] * 10)[-1].round(9))
    0.055368709
    """
    growth = float(real_array("lipschitz", lipschitz, at_least=0))
    errors = np.atleast_1d(real_array("one_step_errors", one_step_errors, at_least=0))
    if errors.ndim != 1:
        raise DomainError("one_step_errors", errors.shape, "one number per step")
    bounds = [float(real_array("initial_error", initial_error, at_least=0))]
    for error in errors.tolist():
        bounds.append(float(rounded_up(product_above(growth, bounds[-1]) + error, 1)))
    return np.array(bounds)


def fixed_edge_bound_exact(
    lipschitz: Any, initial_error: Any, one_step_errors: list[Any]
) -> list[Fraction]:
    """The same bounds in rational arithmetic.

    Parameters
    ----------
    lipschitz, initial_error : nonnegative rationals
    one_step_errors : H nonnegative rationals

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> fixed_edge_bound_exact(2, 1, [1, 1])
    [Fraction(1, 1), Fraction(3, 1), Fraction(7, 1)]
    """
    bounds = [Fraction(initial_error)]
    for error in one_step_errors:
        bounds.append(Fraction(lipschitz) * bounds[-1] + Fraction(error))
    return bounds


def validity_horizon(lipschitz: float, one_step_error: float, tolerance: float) -> int | None:
    r"""The largest H at which the bound, started without error, is within a tolerance.

    .. math:: \max\{H : \varepsilon\,(1 + \Lambda + \dots + \Lambda^{H-1}) \le \mathrm{tolerance}\}

    The inverse of `fixed_edge_bound` for a constant one-step error.

    Parameters
    ----------
    lipschitz : Lambda, at least 0
    one_step_error : eps, above 0
    tolerance : above 0, in the units of the errors

    Returns
    -------
    The horizon in steps, or None if the bound never exceeds the tolerance.

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: derived here; floor(log(1 + tolerance (Lambda - 1) / eps) / log Lambda), found by
    halving on the bound itself, since that quotient is ill-conditioned near the limit.

    Examples
    --------
    >>> validity_horizon(1.1, 0.01, 1.0), validity_horizon(0.9, 0.01, 1.0)
    (25, None)
    """
    growth = float(real_array("lipschitz", lipschitz, at_least=0))
    budget = Fraction(float(positive_array("tolerance", tolerance))) / Fraction(
        float(positive_array("one_step_error", one_step_error))
    )
    if growth < 1 and budget * (1 - Fraction(growth)) >= 1:
        return None
    if growth == 1:
        return int(budget)
    beyond = 1
    while _sum_is_within(growth, beyond, budget):
        beyond *= 2
    within = beyond // 2
    while beyond - within > 1:
        middle = (within + beyond) // 2
        if _sum_is_within(growth, middle, budget):
            within = middle
        else:
            beyond = middle
    return within


def _sum_is_within(growth: float, terms: int, budget: Fraction) -> bool:
    """Exactly, while rationals are short; then with every rounding against it."""
    if terms <= 500:
        return geometric_sum_exact(growth, terms) <= budget
    total = float(rounded_up(geometric_sum(growth, terms), GEOMETRIC_ROUNDINGS))
    return total < np.inf and Fraction(total) <= budget


def error_norm(errors: Any, bound: PowerNormBound, norm: ErrorNorm) -> float:
    r"""The size of a matrix of node errors in a norm in which the spectral radius is a rate.

    With row norms ``|E_i|``: "frobenius" ``(sum |E_i|^2)^(1/2)``; "quadratic"
    ``(sum (l_i / r_i) |E_i|^2)^(1/2)``; "largest" ``max |E_i| / r_i``; "total" ``sum l_i |E_i|``.

    Parameters
    ----------
    errors : (n, d), or (n,) row norms
    bound : of the message matrix, whose vectors weigh the nodes
    norm : which

    Raises
    ------
    DomainError
        if there is not one row per node.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> from rolltheory.graph_world.spectral import power_norm_bound
    >>> error_norm([1, 0], power_norm_bound([[0, 4], [1, 0]]), "total").__round__(6)
    0.5
    """
    matrix = real_array("errors", errors)
    scale = float(np.abs(matrix).max(initial=0.0)) or 1.0  # squares of tiny numbers vanish
    rows = np.abs(matrix / scale) if matrix.ndim == 1 else np.linalg.norm(matrix / scale, axis=1)
    if rows.shape != bound.right.shape:
        raise DomainError("errors", matrix.shape, f"{bound.right.size} rows, one per node")
    if norm == "largest":
        return scale * float((rows / bound.right).max())
    if norm == "total":
        return scale * float((rows * bound.left).sum())
    weights = bound.left / bound.right if norm == "quadratic" else np.ones(rows.size)
    return scale * float(np.sqrt((weights * rows**2).sum()))


def spectral_bound(
    bound: PowerNormBound,
    initial_error: float,
    one_step_errors: Any,
    *,
    weight_product: float,
    layers: int = 1,
    norm: ErrorNorm = "frobenius",
) -> FloatArray:
    r"""Error of a rollout in terms of the spectral radius of a nonnegative message matrix.

    .. math:: e_H \le \kappa \bigl( q^H e_0 + \sum_{k<H} q^{H-1-k} \varepsilon_k \bigr),
        \qquad q = c\,\rho^L

    In the three weighted norms of `error_norm` it holds without kappa: c rho^L is a Lipschitz
    constant there. In the Frobenius norm kappa is paid once, at the change of norm. Without it the
    statement is false unless A is symmetric.

    Parameters
    ----------
    bound : of the message matrix A
    initial_error : e_0 in the norm chosen
    one_step_errors : (H,) eps_t in the norm chosen, on the true trajectory
    weight_product : c, the product over the layers of slope times operator norm of the weight
    layers : L, message-passing layers in one step; plain, without residual paths
    norm : in which all errors are measured

    Returns
    -------
    (H + 1,) bounds on e_0 ... e_H, rounded up.

    Raises
    ------
    DomainError
        for negative arguments.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> from rolltheory.graph_world.spectral import power_norm_bound
    >>> walk = power_norm_bound([[0, 4], [1, 0]])
    >>> spectral_bound(walk, 1.0, [0, 0, 0], weight_product=0.5).round(6)
    array([2., 2., 2., 2.])
    """
    rates = {"largest": bound.right_rate, "total": bound.left_rate}
    count = int(integer_array("layers", layers, at_least=1))
    factor = float(real_array("weight_product", weight_product, at_least=0))
    growth = float(product_above(factor, power_above(rates.get(norm, bound.rate), count)))
    inside = fixed_edge_bound(growth, initial_error, one_step_errors)
    return product_above(bound.transient_constant, inside) if norm == "frobenius" else inside


def noise_floor(jacobian: Any, horizon: int, *, noise_std: float) -> FloatArray:
    r"""Mean squared error that process noise alone gives a linear model, from 0 to H steps.

    .. math:: E\,e_H^2 = s^2 \sum_{k<H} \lVert J^k \rVert_F^2 \ge n\,s^2 \quad (H \ge 1)

    No predictor of the noisy truth is below n s^2 after a step, however good.

    Parameters
    ----------
    jacobian : (n, n) J, of one step on the stacked state
    horizon : H, at least 0
    noise_std : s, standard deviation of the noise in each of the n entries

    Returns
    -------
    (H + 1,) expected squared errors, summed over the entries.

    Raises
    ------
    DomainError
        for a matrix that is not square or negative arguments.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> noise_floor([[0.5]], 3, noise_std=2)
    array([0.  , 4.  , 5.  , 5.25])
    """
    step = np.atleast_2d(real_array("jacobian", jacobian))
    if step.shape[0] != step.shape[1]:
        raise DomainError("jacobian", step.shape, "a square matrix")
    steps = int(integer_array("horizon", horizon, at_least=0))
    variance = float(real_array("noise_std", noise_std, at_least=0)) ** 2
    gains, power = [0.0], np.eye(step.shape[0])
    for _ in range(steps):
        gains.append(gains[-1] + float((power**2).sum()))
        power = step @ power
    return np.array(gains) * variance
