"""How edges follow the state: constants of edge heads and normalisations, margins of top-k."""

from __future__ import annotations

from typing import Any

import numpy as np

from rolltheory.errors import DomainError
from rolltheory.graph_world.lipschitz import operator_norm
from rolltheory.numerics.arguments import integer_array, real_array
from rolltheory.numerics.rounding import product_above, rounded_up

__all__ = ["edge_head_lipschitz", "normalisation_lipschitz", "topk_margin_horizon"]


def edge_head_lipschitz(query: Any, projection: Any, *, state_norm: float) -> float:
    r"""A Lipschitz constant of the edge head X -> sigmoid(X P Q P^T X^T + b) on a ball of states.

    .. math:: L_g = \tfrac14 \cdot 2\, \lVert Q \rVert_2 \lVert P \rVert_2^2\, R, \qquad
        \lVert X \rVert_2 \le R \text{ for both states}

    The projection enters squared; there is no global constant.

    Parameters
    ----------
    query : (h, h) Q
    projection : (d, h) P
    state_norm : R, at least the spectral norm of every state of both trajectories

    Raises
    ------
    DomainError
        if an entry is not finite or the state norm is negative.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> round(edge_head_lipschitz([[1]], [[1]], state_norm=20), 9)
    10.0
    """
    radius = float(real_array("state_norm", state_norm, at_least=0))
    projected = operator_norm(projection)
    return float(product_above(0.5, operator_norm(query), projected, projected, radius))


def normalisation_lipschitz(vertices: int, *, smallest_degree: float = 1.0) -> float:
    r"""A Lipschitz constant, in the Frobenius norm, of A -> D^{-1/2} (A + I) D^{-1/2}.

    .. math:: \mathrm{Lip} \le (1 + \sqrt n) / d_{\min}, \quad d_i = 1 + \sum_j A_{ij}

    Assumes symmetric A >= 0: at [[0, 0], [100, 0]] the derivative by the first entry is -4.975.

    Parameters
    ----------
    vertices : n
    smallest_degree : d_min, self-loop included, over both matrices

    Raises
    ------
    DomainError
        for no vertices or a degree below 1.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md. The root of n is real: at A = 0 a star's
    direction has derivative sqrt((n + 2) / 2).

    Examples
    --------
    >>> round(normalisation_lipschitz(9), 9)
    4.0
    """
    count = integer_array("vertices", vertices, at_least=1)
    degree = real_array("smallest_degree", smallest_degree, at_least=1)
    return float(rounded_up((1 + np.sqrt(count)) / degree, 4))


def topk_margin_horizon(score_gaps: Any, node_errors: Any, *, score_lipschitz: float) -> int:
    r"""For how many steps hard top-k edges are certified to be exact.

    Scores move by at most L_score times the node error, so the chosen edges cannot change while

    .. math:: 2 L_{\mathrm{score}}\, e^X_t < \min_i \mathrm{gap}_{t,i}.

    Parameters
    ----------
    score_gaps : (H,) or (H, n) gap between rank k and k + 1 on the true trajectory, from step 0
    node_errors : (H,) bounds on the node error at these steps
    score_lipschitz : Lipschitz constant of each score in the state

    Returns
    -------
    The number of leading steps at which every row keeps its edges, at most H.

    Raises
    ------
    DomainError
        for negative arguments or lengths that differ.

    Notes
    -----
    Source: derived here. A threshold has no Lipschitz constant: without a margin nothing holds.

    Examples
    --------
    >>> topk_margin_horizon([1.0, 1.0, 1.0], [0.1, 0.4, 0.6], score_lipschitz=1)
    2
    """
    gaps = np.atleast_1d(real_array("score_gaps", score_gaps, at_least=0))
    errors = np.atleast_1d(real_array("node_errors", node_errors, at_least=0))
    if errors.ndim != 1 or gaps.shape[0] != errors.size:
        raise DomainError("node_errors", errors.shape, f"one per step, ({gaps.shape[0]},)")
    stretch = real_array("score_lipschitz", score_lipschitz, at_least=0)
    moved = product_above(2, stretch, errors)
    kept = moved < gaps.reshape(errors.size, -1).min(axis=1)
    return int(np.logical_and.accumulate(kept).sum())
