"""How much a step of a graph network can stretch an error: Lipschitz constants from weights."""

from __future__ import annotations

from fractions import Fraction
from math import erf, exp, inf, nextafter, pi, prod, sqrt
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.numerics.arguments import positive_array, real_array
from rolltheory.numerics.perron import perron_certificate
from rolltheory.numerics.rounding import binary_scale, product_above, rounded_up

__all__ = [
    "Architecture",
    "activation_slope",
    "closed_loop_lipschitz",
    "damped_lipschitz",
    "layer_lipschitz",
    "operator_norm",
    "step_lipschitz",
]

FloatArray = npt.NDArray[np.float64]
Architecture = Literal["plain", "one_hop", "residual", "residual_blocks"]

_SLOPES = {
    "identity": 1.0,
    "relu": 1.0,
    "leaky_relu": 1.0,
    "tanh": 1.0,
    "sigmoid": 0.25,
    "gelu": (1 + erf(1)) / 2 + exp(-1) / sqrt(pi),  # at sqrt 2
    "silu": 1.0998393201288731,  # at the root of x tanh(x / 2) = 2
}
_WITHOUT_GLOBAL_CONSTANT = {
    "attention": "dot-product attention is quadratic in its input: bound it on a ball of inputs",
    "layer_norm": "layer norm is steep where the variance vanishes: bound the variance from below",
}


def activation_slope(name: str) -> float:
    """The Lipschitz constant L_s of an activation, rounded up.

    Parameters
    ----------
    name : identity, relu, leaky_relu (slopes within [-1, 1]), tanh, sigmoid, gelu (with erf), silu

    Raises
    ------
    UnsupportedError
        for attention and layer_norm, which have no global constant, and for names not known here.

    Notes
    -----
    Source: known; gelu's maximum is Phi(sqrt 2) + sqrt 2 phi(sqrt 2).

    Examples
    --------
    >>> round(activation_slope("gelu"), 6), activation_slope("tanh")
    (1.128904, 1.0)
    >>> activation_slope("attention")
    Traceback (most recent call last):
    ...
    rolltheory.errors.UnsupportedError: a global constant of attention is not supported: \
dot-product attention is quadratic in its input: bound it on a ball of inputs
    """
    if name in _WITHOUT_GLOBAL_CONSTANT:
        raise UnsupportedError(f"a global constant of {name}", _WITHOUT_GLOBAL_CONSTANT[name])
    if name not in _SLOPES:
        raise UnsupportedError(f"activation {name!r}", f"known are {', '.join(_SLOPES)}")
    slope = _SLOPES[name]
    return slope if slope in (0.25, 1.0) else float(rounded_up(slope))


def operator_norm(matrix: Any) -> float:
    """The spectral norm ``|A|_2`` of a matrix, rounded up.

    A nonnegative or sparse matrix gets the rigorous upper end of the spectral radius of
    ``[[0, |A|], [|A|^T, 0]]``, which is exact if A >= 0; a dense signed one its singular
    value plus the backward error of the decomposition.

    Parameters
    ----------
    matrix : (n, m) finite; dense or scipy sparse

    Raises
    ------
    DomainError
        if an entry is not finite.

    Notes
    -----
    Source: known; the double cover of a nonnegative matrix has radius ``|A|_2``.

    Examples
    --------
    >>> round(operator_norm([[0.5, 10], [0, 0.5]]), 6), round(operator_norm([[3, 0], [0, -4]]), 6)
    (10.024938, 4.0)
    """
    if sparse.issparse(matrix):
        given: Any = matrix
        return _norm_of_nonnegative(sparse.csr_array(abs(given.astype(np.float64))))
    dense = np.atleast_2d(real_array("matrix", matrix))
    if dense.ndim != 2:
        raise DomainError("matrix", dense.shape, "two dimensions")
    if dense.size and dense.min() >= 0:
        return _norm_of_nonnegative(sparse.csr_array(dense))
    if not dense.size:
        return 0.0
    scale = binary_scale(np.abs(dense).max())
    return float(rounded_up(np.linalg.norm(dense / scale, 2) * scale, 32 * sum(dense.shape)))


def layer_lipschitz(adjacency: Any, weight: Any, skip: Any = None, *, slope: float = 1.0) -> float:
    r"""A Lipschitz constant, in the Frobenius norm, of one message-passing layer.

    .. math:: f(H) = \sigma(A H W + H U + b), \quad
        \mathrm{Lip}(f) \le L_\sigma \lVert W^T \otimes A + U^T \otimes I \rVert_2
        \le L_\sigma (\lVert A \rVert_2 \lVert W \rVert_2 + \lVert U \rVert_2)

    For symmetric A the middle term is taken: ``max_i |lambda_i W + U|_2`` over A's eigenvalues.

    Parameters
    ----------
    adjacency : (n, n) weight of the message from column to row
    weight : (d, d') W
    skip : (d, d') U, if the layer has a path that passes no messages
    slope : Lipschitz constant of the activation

    Raises
    ------
    DomainError
        if shapes do not chain or an entry is not finite.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> star = np.zeros((5, 5)); star[0, 1:] = star[1:, 0] = 1
    >>> round(layer_lipschitz(star, 0.4 * np.eye(3)), 9)
    0.8
    >>> round(layer_lipschitz(star, np.eye(3), -np.eye(3)), 9)
    3.0
    """
    kernel = np.atleast_2d(real_array("weight", weight))
    steepness = float(positive_array("slope", slope))
    through = np.zeros_like(kernel) if skip is None else np.atleast_2d(real_array("skip", skip))
    if through.shape != kernel.shape:
        raise DomainError("skip", through.shape, f"the shape of the weight, {kernel.shape}")
    messages = _square("adjacency", adjacency)
    if skip is None or not _is_symmetric(messages):
        norms = [operator_norm(part) for part in (messages, kernel, through)]
        if not np.isfinite(norms).all():
            return inf if norms[2] or (norms[0] and norms[1]) else 0.0
        first, second, beside = map(Fraction, norms)
        return _above(Fraction(steepness) * (first * second + beside))
    passing = _symmetric_norm(np.asarray(messages.todense()), kernel, through)
    return _above(Fraction(steepness) * Fraction(passing))


def step_lipschitz(
    architecture: Architecture,
    *,
    adjacency_norm: float,
    weight_norms: Any,
    slope: float = 1.0,
    input_norm: float = 1.0,
    output_norm: float = 1.0,
) -> float:
    r"""A Lipschitz constant of one step of a whole model, from the norms of its parts.

    With a = ``|A|_2`` and weights W_1 ... W_L:

    - "plain": L layers s(A H W_l): ``prod_l (L_s a |W_l|)``
    - "one_hop": s(A X W_1 + ...) W_2: ``L_s a prod_l |W_l|``, one factor a for all weights
    - "residual": X + Out(plain): ``1 + |Out| |In| prod_l (L_s a |W_l|)``
    - "residual_blocks": X + Out(blocks(In X)) with blocks s(A H W) + H:
      ``1 + |Out| |In| prod_l (1 + L_s a |W_l|)``

    Parameters
    ----------
    architecture : which of these
    adjacency_norm : a, the operator norm of the message matrix
    weight_norms : (L,) operator norms of the layers' weights
    slope : Lipschitz constant of the activation
    input_norm, output_norm : operator norms of In and Out, which only the residual models have

    Raises
    ------
    DomainError
        for negative norms.
    UnsupportedError
        for an architecture not listed.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md. Weights of norm 1 give "residual_blocks" only
    1 + (1 + a)^L: driving every norm to 1 is no certificate of stability.

    Examples
    --------
    >>> round(step_lipschitz("residual_blocks", adjacency_norm=1, weight_norms=[1, 1]), 9)
    5.0
    >>> round(step_lipschitz("plain", adjacency_norm=2, weight_norms=[0.5, 0.25]), 9)
    0.5
    """
    reach = _norm("adjacency_norm", adjacency_norm)
    weights = np.atleast_1d(real_array("weight_norms", weight_norms, at_least=0))
    steepness = float(positive_array("slope", slope))
    ends = Fraction(_norm("input_norm", input_norm)) * Fraction(_norm("output_norm", output_norm))
    reached = Fraction(steepness) * Fraction(reach)
    layers = [reached * Fraction(weight) for weight in weights.tolist()]
    constants = {
        "plain": prod(layers),
        "one_hop": reached * prod(map(Fraction, weights.tolist())),
        "residual": 1 + ends * prod(layers),
        "residual_blocks": 1 + ends * prod(1 + layer for layer in layers),
    }
    if architecture not in constants:
        raise UnsupportedError(f"architecture {architecture!r}", f"known: {', '.join(constants)}")
    return _above(constants[architecture])


def damped_lipschitz(inner: Any, mixing: Any) -> FloatArray:
    """A Lipschitz constant of (1 - m) X + m f(X): (1 - m) + m Lip(f). Broadcasts.

    Parameters
    ----------
    inner : Lip(f), at least 0
    mixing : m, within [0, 1]

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> float(damped_lipschitz(3, 0.5).round(9))
    2.0
    """
    share = real_array("mixing", mixing, at_least=0, at_most=1)
    return rounded_up(1 - share + share * real_array("inner", inner, at_least=0), 4)


def closed_loop_lipschitz(state: Any, action: Any, policy: Any) -> FloatArray:
    """A Lipschitz constant of X -> f(X, pi(X)): L_state + L_action L_policy. Broadcasts.

    Parameters
    ----------
    state, action : Lipschitz constants of the model in its state and in its action, at least 0
    policy : Lipschitz constant of the policy, at least 0

    Raises
    ------
    DomainError
        for negative constants.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> float(closed_loop_lipschitz(0.5, 0.25, 2).round(9))
    1.0
    """
    through_policy = product_above(
        real_array("action", action, at_least=0), real_array("policy", policy, at_least=0)
    )
    return rounded_up(real_array("state", state, at_least=0) + through_policy, 1)


def _norm(name: str, value: Any) -> float:
    return float(real_array(name, value, at_least=0))


def _above(value: Any) -> float:
    """A float that is not below a rational; infinity where no float is."""
    try:
        nearest = float(value)
    except OverflowError:
        return inf
    return nearest if Fraction(nearest) >= value else nextafter(nearest, inf)


def _norm_of_nonnegative(entries: sparse.csr_array) -> float:
    if not np.isfinite(entries.data).all():
        raise DomainError("matrix", "an infinite or undefined entry", "finite entries")
    if entries.nnz == 0:
        return 0.0
    blocks: Any = [[None, entries], [entries.T, None]]
    double_cover: Any = sparse.block_array(blocks)
    return perron_certificate(double_cover, tolerance=1e-12).upper


def _square(name: str, matrix: Any) -> sparse.csr_array:
    given: Any = matrix if sparse.issparse(matrix) else np.atleast_2d(real_array(name, matrix))
    entries = sparse.csr_array(given.astype(np.float64))  # before duplicates are summed
    if entries.shape[0] != entries.shape[1]:
        raise DomainError(name, entries.shape, "a square matrix")
    if not np.isfinite(entries.data).all():
        raise DomainError(name, "an infinite or undefined entry", "finite entries")
    return entries


def _is_symmetric(entries: Any) -> bool:
    return bool((entries != entries.T).nnz == 0)


def _symmetric_norm(adjacency: FloatArray, kernel: FloatArray, through: FloatArray) -> float:
    """max_i |lambda_i W + U|_2, plus what the errors of the eigenvalues can add."""
    sizes = [np.abs(part).max(initial=0) for part in (adjacency, kernel, through)]
    if any(size and not 2.0**-400 < size < 2.0**400 for size in sizes):
        raise DomainError("layer", max(sizes), "entries whose products floats can hold")
    eigenvalues = np.linalg.eigvalsh(adjacency)
    norms = np.linalg.norm(eigenvalues[:, None, None] * kernel + through, 2, axis=(1, 2))
    slack = 2.0**-44 * adjacency.shape[0] * np.abs(eigenvalues).max() * np.linalg.norm(kernel, 2)
    return float(rounded_up(norms.max() + slack, 32 * sum(kernel.shape)))
