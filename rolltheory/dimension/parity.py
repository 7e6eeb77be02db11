"""The parity dimension: sets of points at which signed counts of hypotheses cancel on each line."""

from __future__ import annotations

from rolltheory.dimension.classes import ClassLike, Codes, HypothesisClass, as_class
from rolltheory.dimension.hilbert import sauer_bound
from rolltheory.dimension.lines import incidence
from rolltheory.dimension.peeling import core, cores_on_columns, labelled_patterns
from rolltheory.dimension.search import search_columns
from rolltheory.dimension.witnesses import Dimension, ZeroSumFunction
from rolltheory.numerics.modular import kernel_vector, prime_field, rank

__all__ = ["parity_dimension", "parity_kernel"]


def parity_kernel(hypotheses: ClassLike, *, field: int = 2) -> ZeroSumFunction | None:
    r"""A function on the class that sums to 0 on each line, at all of its points.

    .. math:: \varphi: V \to F, \quad \varphi \ne 0, \quad
        \sum_{v \in \ell} \varphi(v) = 0 \text{ for every line } \ell

    Modulo 2 it is an even pseudo-cube: a set with an even number of members on every line.

    Parameters
    ----------
    hypotheses : class or rows
    field : int
        The prime modulo which it sums to 0.

    Returns
    -------
    ZeroSumFunction or None
        None if there is none.

    Raises
    ------
    DomainError
        if the field is no prime.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, definitions.

    Examples
    --------
    >>> kernel = parity_kernel(["00", "01", "11", "12", "22", "20", "21"])
    >>> len(kernel.values) % 2
    0
    >>> parity_kernel(["00", "01", "11"]) is None
    True
    """
    order, whole = prime_field(field), as_class(hypotheses)
    left = core(whole.codes)
    if not len(left):
        return None
    return _zero_sum(left, whole, tuple(range(len(whole.points))), order)


def parity_dimension(
    hypotheses: ClassLike,
    *,
    field: int = 2,
    budget: int | None = None,
    seconds: float | None = None,
) -> Dimension[ZeroSumFunction]:
    r"""The most points at which the class carries a function that sums to 0 on each line.

    .. math:: \mathrm{Nat} \le \mathrm{pdim}_F \le \mathrm{DS} \le 2\,\mathrm{pdim}_F - 1

    It depends on the field; every one bounds the density, the error of one-inclusion learners and
    what rollouts can cost.

    Parameters
    ----------
    hypotheses : class or rows
    field : int
        The prime F.
    budget : int, optional
        Sets of points to test at most; then the result may be an interval.
    seconds : float, optional
        Time after which no further set is tested; likewise.

    Returns
    -------
    Dimension
        Its witness is a `ZeroSumFunction`.

    Raises
    ------
    DomainError
        if the field is no prime, the budget is not positive, or the time negative.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, definitions.

    Examples
    --------
    >>> from rolltheory.dimension.families import projective_plane
    >>> [parity_dimension(projective_plane(), field=p).value for p in (2, 3)]
    [3, 2]
    """
    order, whole = prime_field(field), as_class(hypotheses)
    core_on = cores_on_columns(whole.codes)

    def shattered(columns: tuple[int, ...]) -> Codes | None:
        left = core_on(columns)
        return left if left is not None and _has_kernel(left, order) else None

    found = search_columns(len(whole.points), len(whole), shattered, budget=budget, seconds=seconds)
    witness = (
        None if found.witness is None else _zero_sum(found.witness, whole, found.columns, order)
    )
    return Dimension(len(found.columns), found.upper, witness, found.reason, found.tests)


def _allowed(codes: Codes) -> int:
    """How many rows fewer points than these could span."""
    counts = [len(set(column)) for column in codes.T.tolist()]
    return sauer_bound(codes.shape[1] - 1, counts)


def _with_fewer_labels(codes: Codes) -> Codes:
    """The rows without some labels, as long as there are still too many to go without a kernel."""
    for column in range(codes.shape[1]):
        for label in set(codes[:, column].tolist()):
            left = codes[codes[:, column] != label]
            if len(left) and len(left) > _allowed(left):
                codes = left
    return codes


def _has_kernel(codes: Codes, order: int) -> bool:
    return len(codes) > _allowed(codes) or rank(incidence(codes), field=order) < len(codes)


def _zero_sum(
    codes: Codes, whole: HypothesisClass, columns: tuple[int, ...], order: int
) -> ZeroSumFunction | None:
    """The kernel of as many rows as are sure to have one."""
    codes = _with_fewer_labels(codes)
    few = codes[: _allowed(codes) + 1]
    values = kernel_vector(incidence(few), field=order)
    if values is None:
        return None
    points = tuple(whole.points[column] for column in columns)
    patterns = labelled_patterns(few, whole, columns)
    numbers = {p: v for p, v in zip(patterns, values.tolist(), strict=True) if v}
    return ZeroSumFunction(points, numbers, order)
