"""Extensions by the graph p-Laplacians between the harmonic extension and the lex-minimiser."""

from __future__ import annotations

import math
from typing import Any

from rolltheory.action_gap._local_means import LocalMean, extension
from rolltheory.action_gap.extension import Extension
from rolltheory.errors import DomainError

__all__ = ["p_harmonic_extension"]


def p_harmonic_extension(
    graph: Any, labels: Any, *, p: float, flavour: str = "variational", lengths: Any = None
) -> Extension:
    r"""The p-harmonic extension of labels, in one of the two meanings that the word has on graphs.

    .. math::

        \text{variational:}\quad & u = \arg\min \sum_{xy}
            \Big(\frac{|u(y) - u(x)|}{\ell_{xy}}\Big)^p, \qquad \text{that is} \quad
            \sum_y \ell_{xy}^{-p}\, |u(y) - u(x)|^{p-2} (u(y) - u(x)) = 0 \\
        \text{game:}\quad & u(x) = \frac{1}{p-1} \operatorname{mean}(x)
            + \frac{p-2}{p-1} \operatorname{midrange}(x)

    at every unlabelled x, and u is the label at every labelled one. The mean weighs a neighbour by
    :math:`\ell_{xy}^{-2}`; the midrange is the value halfway on the steepest path through x, which
    is (max + min) / 2 at unit cost. The flavours agree at p = 2, where both are
    `harmonic_extension`, and at p = infinity, where both are `amle`; in between they differ.

    What is guaranteed: both equations say that u(x) is a monotone mean of its neighbours, so no
    function that every mean exceeds lies above u, and none that every mean falls short of lies
    below. The function finds one of each, proves both beyond all rounding, and states the larger
    distance as ``error_bound``; it is None in the rare case that none was found. ``residual`` is
    scale-free, at worst :math:`|\sum_y \phi_y| / \sum_y |\phi_y|` over the vertices, where
    :math:`\phi_y` is a term of the sum above (game: the distance from the mean over the largest
    difference), left out where it is less than a rounding of the values. Divided by the steepest
    slope of the whole graph instead, the residual would not see regions of small slopes.

    What one other vertex cuts off from all labels has exactly that vertex's value, and a region
    whose labels agree has their value, for every p.

    Parameters
    ----------
    graph : Graph, networkx graph, sparse matrix of lengths or edge list
    labels : mapping from vertex to value, or a pair (vertices, values)
    p : float
        From 2 to infinity.
    flavour : "variational" or "game"
    lengths : see `as_graph`
        Where conductances c stand in the variational sum, the lengths are
        :math:`c^{-1/p}`.

    Returns
    -------
    Extension

    Raises
    ------
    DomainError
        for another p or flavour.
    UnsupportedError
        if the scale-free residual cannot be brought below 1e-9.

    Notes
    -----
    Source: known (both p-Laplacians; comparison principle); scale-free residual and certificate
    derived here.

    Examples
    --------
    On a star with leaves 0, 0 and 1 the variational value is 1 / (1 + 2 ** (1 / (p - 1))):

    >>> star = [("hub", "a"), ("hub", "b"), ("hub", "c")]
    >>> labels = {"a": 0.0, "b": 0.0, "c": 1.0}
    >>> round(float(p_harmonic_extension(star, labels, p=4).values[0]), 6)
    0.442493
    >>> round(float(p_harmonic_extension(star, labels, p=4, flavour="game").values[0]), 6)
    0.444444
    """
    if flavour not in ("variational", "game"):
        raise DomainError("flavour", flavour, '"variational" or "game"')
    if isinstance(p, bool) or not isinstance(p, (int, float)) or not p >= 2:
        raise DomainError("p", p, "a number from 2 to infinity")
    if math.isinf(p):
        from rolltheory.action_gap.amle import amle

        return amle(graph, labels, lengths=lengths)
    return extension(graph, labels, LocalMean(p, flavour == "game"), lengths=lengths)
