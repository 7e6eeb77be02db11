"""What functions of few coordinates span, and how many rows a dimension allows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from rolltheory.dimension.classes import ClassLike, Codes, as_class
from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array
from rolltheory.numerics.modular import prime_field, rank

__all__ = ["hilbert_function", "regularity", "sauer_bound"]


def hilbert_function(hypotheses: ClassLike, *, field: int = 2) -> tuple[int, ...]:
    r"""Dimensions of the spaces of functions on the class that few points decide.

    .. math:: r_k = \dim \mathrm{span} \{ v \mapsto 1[v_S = a] : |S| \le k \},
        \quad r_0 = 1, \quad r_{\mathrm{reg}} = |V|

    Parameters
    ----------
    hypotheses : class or rows
    field : int
        The prime modulo which functions are counted.

    Returns
    -------
    tuple of ints
        From r_0 on up to the first that is the number of hypotheses.

    Raises
    ------
    DomainError
        if the field is no prime.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, spanning.

    Examples
    --------
    >>> hilbert_function(["001", "010", "011", "100"])
    (1, 4)
    """
    codes, order = as_class(hypotheses).codes, prime_field(field)
    ranks: list[int] = []
    while not ranks or ranks[-1] < len(codes):
        ranks.append(rank(_patterns(codes, len(ranks)), field=order))
    return tuple(ranks)


def regularity(hypotheses: ClassLike, *, field: int = 2) -> int:
    r"""The least k for which functions of k points span all functions on the class.

    .. math:: \mathrm{reg}_F(V) = \min \{ k : r_k = |V| \} \le \mathrm{pdim}_F(V)

    The parity dimension is the largest regularity of a restriction, and not that of the class.

    Parameters
    ----------
    hypotheses, field : as in `hilbert_function`

    Raises
    ------
    DomainError
        if the field is no prime.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, spanning.

    Examples
    --------
    >>> regularity(["001", "010", "011", "100"])
    1
    """
    return len(hilbert_function(hypotheses, field=field)) - 1


def sauer_bound(dimension: int, label_counts: Sequence[int]) -> int:
    r"""The most hypotheses that a class of this parity dimension can have.

    .. math:: |V| \le \sum_{|S| \le p} \prod_{i \in S} (k_i - 1)

    Attained by Hamming balls.

    Parameters
    ----------
    dimension : int
        The parity dimension p over any field, or any bound on it.
    label_counts : ints, shape (points,)
        Number of labels at each point.

    Returns
    -------
    int, exact

    Raises
    ------
    DomainError
        for a negative dimension, or a point without labels.

    Notes
    -----
    Source: derived here for each field: docs/theory/dimension.md, counting; known for the DS
    dimension (arXiv:2604.12952).

    Examples
    --------
    >>> sauer_bound(1, [3, 3, 3]), sauer_bound(3, [3, 3, 3])
    (7, 27)
    """
    degree = int(integer_array("dimension", dimension, at_least=0))
    counts = integer_array("label_counts", list(label_counts), at_least=1)
    if counts.ndim != 1:
        raise DomainError("label_counts", label_counts, "one number for each point")
    degree = min(degree, counts.size)
    symmetric = [1] + [0] * degree
    for count in counts.tolist():
        for i in range(degree, 0, -1):
            symmetric[i] += symmetric[i - 1] * (count - 1)
    return sum(symmetric)


def _patterns(codes: Codes, size: int) -> npt.NDArray[np.bool_]:
    """Which row has which pattern at each set of so many points, shape (rows, patterns)."""
    if size == 0:
        return np.ones((len(codes), 1), dtype=np.bool_)
    blocks = []
    for columns in combinations(range(codes.shape[1]), size):
        _, pattern = np.unique(codes[:, columns], axis=0, return_inverse=True)
        blocks.append(pattern[:, None] == np.arange(pattern.max() + 1))
    return np.concatenate(blocks, axis=1)
