"""Node and edge errors that feed each other: the joint operator, its stability and its envelope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rolltheory.errors import AssumptionError, DomainError, UnsupportedError
from rolltheory.graph_world.stability import stability_certificate
from rolltheory.numerics.arguments import integer_array, real_array
from rolltheory.numerics.perron import nonnegative_matrix
from rolltheory.numerics.rounding import product_above, rounded_up

__all__ = [
    "JointOperator",
    "UpdateOrder",
    "is_stable",
    "joint_envelope",
    "joint_envelope_exact",
    "joint_operator",
    "joint_spectral_radius",
    "steady_state",
    "steady_state_exact",
    "transient_constant",
]

FloatArray = npt.NDArray[np.float64]
UpdateOrder = Literal["old_state", "new_state", "recurrent"]


@dataclass(frozen=True)
class JointOperator:
    """One step of (node error, edge error): u_{t+1} <= matrix u_t + forcing, componentwise.

    Attributes
    ----------
    matrix : (2, 2) nonnegative
    forcing : (2,) nonnegative, per step
    order : from which state the edges are computed
    """

    matrix: FloatArray
    forcing: FloatArray
    order: UpdateOrder


def joint_operator(
    *,
    order: UpdateOrder,
    node_to_node: float,
    edge_to_node: float,
    node_to_edge: float,
    edge_to_edge: float = 0.0,
    node_error: float = 0.0,
    edge_error: float = 0.0,
) -> JointOperator:
    r"""The operator that carries node and edge errors through one step on dynamic edges.

    By order of update, with L_XX, L_XA of the node map and L_g (or L_AX, L_AA) of the edge map:

    - "old_state", edges from X_t: [[L_XX, L_XA], [L_g, 0]], forcing (eps_X, eps_A)
    - "new_state", edges from X_{t+1}: [[L_XX, L_XA], [L_g L_XX, L_g L_XA]], forcing
      (eps_X, L_g eps_X + eps_A); rank one
    - "recurrent", edges from X_t and A_t: [[L_XX, L_XA], [L_AX, L_AA]], forcing (eps_X, eps_A)

    Parameters
    ----------
    order : which
    node_to_node, edge_to_node : L_XX and L_XA, Lipschitz constants of the node update
    node_to_edge : L_g, or L_AX, Lipschitz constant of the edge update in the state
    edge_to_edge : L_AA, for "recurrent" only
    node_error, edge_error : one-step errors eps_X and eps_A

    Raises
    ------
    DomainError
        for negative constants, or an edge-to-edge constant where edges have no memory.
    UnsupportedError
        for another order.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> constants = {"node_to_node": 0.5, "edge_to_node": 0.25, "node_to_edge": 2}
    >>> joint_operator(order="new_state", **constants).matrix
    array([[0.5 , 0.25],
           [1.  , 0.5 ]])
    """
    constants = {
        "node_to_node": node_to_node,
        "edge_to_node": edge_to_node,
        "node_to_edge": node_to_edge,
        "edge_to_edge": edge_to_edge,
        "node_error": node_error,
        "edge_error": edge_error,
    }
    xx, xa, ax, aa, node, edge = (
        float(real_array(name, value, at_least=0)) for name, value in constants.items()
    )
    if order != "recurrent" and aa:
        raise DomainError("edge_to_edge", aa, "0 unless the order is 'recurrent'")
    shapes = {
        "old_state": ([[xx, xa], [ax, 0.0]], [node, edge]),
        "new_state": (
            [[xx, xa], [product_above(ax, xx), product_above(ax, xa)]],
            [node, product_above(ax, node) + edge],
        ),
        "recurrent": ([[xx, xa], [ax, aa]], [node, edge]),
    }
    if order not in shapes:
        raise UnsupportedError(f"order {order!r}", f"known: {', '.join(shapes)}")
    matrix, forcing = (rounded_up(np.array(part), 3) for part in shapes[order])
    return JointOperator(matrix, forcing, order)


def joint_spectral_radius(matrix: Any) -> float:
    r"""The spectral radius of a nonnegative 2 x 2 matrix, in closed form.

    .. math:: \rho = \tfrac{a + d}{2} + \sqrt{\tfrac{(a - d)^2}{4} + bc}, \qquad
        M = \begin{pmatrix} a & b \\ c & d \end{pmatrix}

    Parameters
    ----------
    matrix : (2, 2) nonnegative

    Raises
    ------
    DomainError
        for another shape.
    AssumptionError
        for a negative entry.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> joint_spectral_radius([[0.5, 100], [1 / 2500, 0.5]])
    0.7
    """
    (a, b), (c, d) = _two_by_two(matrix)
    return float((a + d) / 2 + np.hypot((a - d) / 2, np.sqrt(b) * np.sqrt(c)))


def is_stable(matrix: Any) -> bool:
    r"""Whether a nonnegative 2 x 2 matrix has spectral radius below 1, decided without rounding.

    .. math:: \rho(M) < 1 \iff a < 1,\ d < 1,\ bc < (1 - a)(1 - d)

    All three are needed: det(I - M) > 0 alone is no stability. For more kinds of error see
    `stability_certificate`.

    Parameters
    ----------
    matrix : (2, 2) nonnegative numbers or rationals

    Raises
    ------
    DomainError
        for another shape.
    AssumptionError
        for a negative entry.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> is_stable([[0.5, 100], [1 / 2500, 0.5]]), is_stable([[3, 0.1], [0.1, 3]])
    (True, False)
    """
    (a, b), (c, d) = _exact_two_by_two(matrix)
    return a < 1 and d < 1 and b * c < (1 - a) * (1 - d)


def joint_envelope(matrix: Any, forcing: Any, initial: Any, horizon: int) -> FloatArray:
    r"""Bounds on all error types over the horizon.

    .. math:: u_H \le M^H u_0 + \sum_{k<H} M^k f

    Parameters
    ----------
    matrix : (m, m) nonnegative
    forcing : (m,) nonnegative, what each step adds
    initial : (m,) nonnegative, u_0
    horizon : H, at least 0

    Returns
    -------
    (H + 1, m) bounds on u_0 ... u_H, rounded up.

    Raises
    ------
    DomainError
        if shapes do not fit or an error is negative.
    AssumptionError
        for a negative entry of the matrix.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> joint_envelope([[0.5, 0.2], [0.3, 0.4]], [0.1, 0.2], [1, 2], 2).round(9)
    array([[1.  , 2.  ],
           [1.  , 1.3 ],
           [0.86, 1.02]])
    """
    weights = nonnegative_matrix("matrix", matrix)
    size = weights.shape[0]
    force, start = (
        np.atleast_1d(real_array(name, value, at_least=0))
        for name, value in (("forcing", forcing), ("initial", initial))
    )
    for name, vector in (("forcing", force), ("initial", start)):
        if vector.shape != (size,):
            raise DomainError(name, vector.shape, f"one number per error type, ({size},)")
    errors, links = [start], weights.astype(bool).astype(np.float64)
    for _ in range(int(integer_array("horizon", horizon, at_least=0))):
        # a product too small for a float still is above 0
        lost = links @ (errors[-1] > 0) * 5e-324
        errors.append(rounded_up(weights @ errors[-1] + lost + force, size + 3))
    return np.array(errors)


def joint_envelope_exact(
    matrix: Sequence[Sequence[Any]], forcing: Sequence[Any], initial: Sequence[Any], horizon: int
) -> list[list[Fraction]]:
    """The same bounds in rational arithmetic.

    Parameters
    ----------
    matrix : m rows of m rationals
    forcing, initial : m rationals
    horizon : at least 0

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> joint_envelope_exact([[2]], [1], [0], 3)[-1]
    [Fraction(7, 1)]
    """
    errors = [[Fraction(entry) for entry in initial]]
    for _ in range(horizon):
        errors.append(
            [
                Fraction(force) + sum(Fraction(a) * x for a, x in zip(row, errors[-1], strict=True))
                for row, force in zip(matrix, forcing, strict=True)
            ]
        )
    return errors


def steady_state(matrix: Any, forcing: Any) -> FloatArray:
    r"""Where the envelope converges: (I - M)^{-1} f, if M is stable.

    .. math:: \frac{1}{(1-a)(1-d) - bc} \begin{pmatrix} 1-d & b \\ c & 1-a \end{pmatrix} f
        \quad (m = 2)

    Parameters
    ----------
    matrix : (m, m) nonnegative
    forcing : (m,) nonnegative

    Raises
    ------
    AssumptionError
        if stability cannot be certified: then there is no finite bound for all horizons.
    DomainError
        if shapes do not fit.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> steady_state([[0.5, 100], [1 / 2500, 0.5]], [0, 1e-3]).round(7)
    array([0.4761905, 0.002381 ])
    """
    certificate = stability_certificate(matrix)
    if not certificate.stable:
        raise AssumptionError("the spectral radius is below 1", "no vector that one step shrinks")
    step = nonnegative_matrix("matrix", matrix).toarray()
    force = np.atleast_1d(real_array("forcing", forcing, at_least=0))
    if force.shape != (step.shape[0],):
        raise DomainError("forcing", force.shape, f"one number per error type, ({step.shape[0]},)")
    return np.asarray(np.linalg.solve(np.eye(step.shape[0]) - step, force))


def steady_state_exact(matrix: Sequence[Sequence[Any]], forcing: Sequence[Any]) -> list[Fraction]:
    """The same limit of two error types, in rational arithmetic.

    Parameters
    ----------
    matrix : 2 rows of 2 nonnegative rationals
    forcing : 2 nonnegative rationals

    Raises
    ------
    AssumptionError
        if the matrix is not stable.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> steady_state_exact([["1/2", "1/5"], ["3/10", "2/5"]], ["1/10", "1/5"])
    [Fraction(5, 12), Fraction(13, 24)]
    """
    (a, b), (c, d) = _exact_two_by_two(matrix)
    if not is_stable([[a, b], [c, d]]):
        raise AssumptionError("the spectral radius is below 1", "an unstable matrix")
    node, edge = (Fraction(entry) for entry in forcing)
    determinant = (1 - a) * (1 - d) - b * c
    return [
        ((1 - d) * node + b * edge) / determinant,
        (c * node + (1 - a) * edge) / determinant,
    ]


def transient_constant(matrix: Any) -> float:
    r"""By how much powers of a 2 x 2 operator may exceed powers of its radius.

    .. math:: \lVert M^k \rVert_2 \le \kappa\,\rho^k, \qquad \kappa = \sqrt{\max(b/c,\ c/b)}

    sqrt(b / c) is also the unit in which to measure edge error against node error.

    Parameters
    ----------
    matrix : (2, 2) nonnegative with both off-diagonals positive, or both zero

    Raises
    ------
    AssumptionError
        if exactly one off-diagonal is zero: no multiple of rho^k need bound the powers.
    DomainError
        for another shape.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> round(transient_constant([[0.5, 100], [1 / 2500, 0.5]]), 9)
    500.0
    """
    (_, b), (c, _) = _two_by_two(matrix)
    if (b == 0) != (c == 0):
        raise AssumptionError(
            "both error types feed each other", f"off-diagonals {float(b)} and {float(c)}"
        )
    return 1.0 if b == c else float(rounded_up(np.sqrt(max(b / c, c / b)), 4))


def _two_by_two(matrix: Any) -> FloatArray:
    entries = nonnegative_matrix("matrix", matrix).toarray()
    if entries.shape != (2, 2):
        raise DomainError("matrix", entries.shape, "shape (2, 2)")
    return np.asarray(entries)


def _exact_two_by_two(matrix: Any) -> list[list[Fraction]]:
    try:
        rows = [[Fraction(entry) for entry in row] for row in matrix]
    except (TypeError, ValueError, OverflowError) as error:  # text, NaN, infinity
        raise DomainError("matrix", matrix, "2 rows of 2 finite numbers") from error
    if [len(row) for row in rows] != [2, 2]:
        raise DomainError("matrix", [len(row) for row in rows], "shape (2, 2)")
    if min(map(min, rows)) < 0:
        raise AssumptionError("matrix is nonnegative", f"entry {min(map(min, rows))}")
    return rows
