"""The dimensions of a finite class, by a search through sets of its points from small to large."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import combinations, islice
from math import comb, inf
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

from rolltheory.dimension.classes import ClassLike, Codes, HypothesisClass, as_class
from rolltheory.dimension.graph import agreement_pattern, all_binary_patterns
from rolltheory.dimension.natarajan import natarajan_pair
from rolltheory.dimension.peeling import cores_on_columns, labelled_patterns
from rolltheory.dimension.witnesses import (
    AgreementCube,
    Dimension,
    NatarajanCube,
    Pattern,
    PseudoCube,
)
from rolltheory.errors import AssumptionError, DomainError
from rolltheory.numerics.arguments import integer_array, real_array

__all__ = [
    "Found",
    "Limit",
    "checked_budget",
    "ds_dimension",
    "graph_dimension",
    "level_wise",
    "limit",
    "natarajan_dimension",
    "search_columns",
    "vc_dimension",
]

N = TypeVar("N", PseudoCube, NatarajanCube, AgreementCube)
W = TypeVar("W")
Columns = tuple[int, ...]

_MOST_COUNTED = 200_000


class Found(NamedTuple, Generic[W]):
    """The columns of a largest shattered set that was found, and what bounds all others."""

    columns: Columns
    witness: W | None
    upper: int
    reason: str
    tests: int


def ds_dimension(
    hypotheses: ClassLike, *, budget: int | None = None, seconds: float | None = None
) -> Dimension[PseudoCube]:
    r"""The dimension of Daniely and Shalev-Shwartz: the most points with a pseudo-cube.

    .. math:: \max \{ |S| : H|_S \supseteq B \ne \emptyset,
        \; |B \cap \ell| \ne 1 \text{ for every line } \ell \}

    Parameters
    ----------
    hypotheses : class or rows
    budget : int, optional
        Number of sets of points to test at most. All that need it are tested if not given.
    seconds : float, optional
        Time after which no further set is tested, not limited if not given. What is left then is
        an interval that depends on the machine.

    Returns
    -------
    Dimension
        The witness is the largest pseudo-cube at its points.

    Raises
    ------
    DomainError
        if the budget is not positive, or the time negative.

    Notes
    -----
    Source: arXiv:1405.2420 (the dimension); the search is derived here.

    Examples
    --------
    >>> found = ds_dimension(["00", "01", "11", "12", "22", "20"])
    >>> found.value, found.reason
    (2, 'there are 2 points')
    """
    whole = as_class(hypotheses)
    shatters = cores_on_columns(whole.codes)
    found = search_columns(len(whole.points), len(whole), shatters, budget=budget, seconds=seconds)
    return _dimension(whole, found, lambda points, rows: PseudoCube(points, frozenset(rows)))


def natarajan_dimension(
    hypotheses: ClassLike, *, budget: int | None = None, seconds: float | None = None
) -> Dimension[NatarajanCube]:
    r"""The Natarajan dimension: the most points with two patterns and all their mixtures.

    .. math:: \max \{ |S| : \exists f, g,\; f(x) \ne g(x) \; \forall x \in S,
        \; \textstyle\prod_{x \in S} \{f(x), g(x)\} \subseteq H|_S \}

    Parameters
    ----------
    hypotheses, budget, seconds : as for `ds_dimension`

    Raises
    ------
    DomainError
        if the budget is not positive, or the time negative.

    Notes
    -----
    Source: known. Exponential in the dimension where labels are many.

    Examples
    --------
    >>> natarajan_dimension(["00", "01", "11", "12", "22", "20"]).value
    1
    """
    whole = as_class(hypotheses)
    found = level_wise(whole.codes, natarajan_pair, budget=budget, seconds=seconds)
    return _dimension(whole, found, lambda points, rows: NatarajanCube(points, *rows))


def graph_dimension(
    hypotheses: ClassLike, *, budget: int | None = None, seconds: float | None = None
) -> Dimension[AgreementCube]:
    r"""The graph dimension: the most points with a pattern that is agreed with in every way.

    .. math:: \max \{ |S| : \exists f \; \forall A \subseteq S \; \exists h \in H :
        \; h(x) = f(x) \iff x \in A \quad (x \in S) \}

    Parameters
    ----------
    hypotheses, budget, seconds : as for `ds_dimension`

    Raises
    ------
    DomainError
        if the budget is not positive, or the time negative.

    Notes
    -----
    Source: known. A test holds ``2**d`` numbers for each pattern at d points.

    Examples
    --------
    >>> graph_dimension(["000", "100", "020", "003", "440", "505", "066", "777"]).value
    3
    """
    whole = as_class(hypotheses)
    found = level_wise(whole.codes, agreement_pattern, budget=budget, seconds=seconds)
    return _dimension(whole, found, _agreement_cube)


def vc_dimension(
    hypotheses: ClassLike, *, budget: int | None = None, seconds: float | None = None
) -> Dimension[AgreementCube]:
    r"""The dimension of Vapnik and Chervonenkis, of a class with at most two labels at each point.

    .. math:: \max \{ |S| : |H|_S| = 2^{|S|} \}

    Parameters
    ----------
    hypotheses, budget, seconds : as for `ds_dimension`

    Raises
    ------
    AssumptionError
        if a point has three labels; the other dimensions are for such classes.
    DomainError
        if the budget is not positive, or the time negative.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> vc_dimension(["001", "010", "100", "111"]).value
    2
    """
    whole = as_class(hypotheses)
    for point, count in zip(whole.points, whole.label_counts, strict=True):
        if count > 2:
            raise AssumptionError(
                "at most two labels at each point", f"{count} labels at point {point!r}"
            )
    found = level_wise(whole.codes, all_binary_patterns, budget=budget, seconds=seconds)
    return _dimension(whole, found, _agreement_cube)


def level_wise(
    codes: Codes,
    shatters: Callable[[Codes], W | None],
    *,
    budget: int | None = None,
    seconds: float | None = None,
) -> Found[W]:
    """A largest set of columns that is shattered, in any sense that its subsets inherit.

    ``shatters`` is given all rows on some columns, of which some may be equal, and returns what
    shows that they are shattered, or None. Sets are tested from small to large, and only if all of
    their subsets are shattered; d points need ``2**d`` rows. So the sense must be one for which
    both hold.

    Raises
    ------
    DomainError
        if the budget of sets to be tested is not positive, or the time negative.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]])
    >>> full = lambda codes: codes if len(np.unique(codes, axis=0)) == 2 ** codes.shape[1] else None
    >>> columns, _, upper, reason, tests = level_wise(rows, full)
    >>> columns, upper, reason, tests
    ((0, 1), 2, '3 points need 8 hypotheses', 4)
    """
    hypotheses, points = codes.shape
    return search_columns(
        points,
        hypotheses,
        lambda columns: shatters(codes[:, columns]),
        budget=budget,
        seconds=seconds,
    )


def search_columns(
    points: int,
    hypotheses: int,
    shatters: Callable[[Columns], W | None],
    *,
    budget: int | None = None,
    seconds: float | None = None,
) -> Found[W]:
    """The search of `level_wise`, for a test that is given the columns and holds the rows.

    Sets that share all but their last column are asked for one after another.

    >>> search_columns(3, 8, lambda columns: "few" if len(columns) < 3 else None)[:3]
    ((0, 1), 'few', 2)
    """
    allowed = limit(budget, seconds)
    largest = min(points, hypotheses.bit_length() - 1)
    columns: Columns = ()
    best: W | None = None
    shattered: list[Columns] = [()]
    tests = 0
    for size in range(1, largest + 1):
        smaller, shattered = shattered, []
        waiting = _candidates(smaller, points)
        for candidate in waiting:
            if allowed.reached(tests):
                rest = 1 + sum(1 for _ in islice(waiting, _MOST_COUNTED))
                if rest > _MOST_COUNTED:
                    upper, why = _open_end(size - 1, len(smaller), largest)
                else:
                    upper, why = _open_end(size, len(shattered) + rest, largest)
                reason = f"{allowed.words(tests, 'sets')}: {why}"
                return Found(columns, best, upper, reason, tests)
            tests += 1
            witness = shatters(candidate)
            if witness is not None:
                if len(columns) < size:
                    columns, best = candidate, witness
                shattered.append(candidate)
                if size == largest:
                    break
        if not shattered:
            return Found(columns, best, size - 1, f"no {size} points are shattered", tests)
    reason = (
        f"there are {points} points"
        if largest == points
        else f"{largest + 1} points need {2 ** (largest + 1)} hypotheses"
    )
    return Found(columns, best, largest, reason, tests)


def _agreement_cube(points: tuple[Hashable, ...], rows: list[Pattern]) -> AgreementCube:
    return AgreementCube(points, rows[0])


def _dimension(
    whole: HypothesisClass,
    found: Found[Codes],
    named: Callable[[tuple[Hashable, ...], list[Pattern]], N],
) -> Dimension[N]:
    """What was found, with a witness in the caller's points and labels."""
    witness = None
    if found.witness is not None:
        rows = found.witness.reshape(-1, len(found.columns))
        points = tuple(whole.points[column] for column in found.columns)
        witness = named(points, labelled_patterns(rows, whole, found.columns))
    return Dimension(len(found.columns), found.upper, witness, found.reason, found.tests)


class Limit(NamedTuple):
    """How many tests a search may make, and when it ends."""

    tests: int | None
    seconds: float
    end: float

    def reached(self, tests: int) -> bool:
        """Whether there is no further test after so many."""
        return tests == self.tests or monotonic() >= self.end

    def words(self, tests: int, kind: str) -> str:
        """Which end it was."""
        if tests == self.tests:
            return f"the budget of {tests} {kind} is spent"
        return f"{self.seconds:g} seconds are over after {tests} {kind}"


def limit(budget: int | None, seconds: float | None) -> Limit:
    """The limit of a search that begins now.

    >>> limit(3, None).reached(3), limit(None, 0).reached(0), limit(None, None).reached(10**9)
    (True, True, False)
    """
    if seconds is None:
        return Limit(checked_budget(budget), inf, inf)
    time = float(real_array("seconds", seconds, at_least=0))
    return Limit(checked_budget(budget), time, monotonic() + time)


def checked_budget(budget: int | None) -> int | None:
    """The budget, if it is one positive number or none at all.

    >>> checked_budget(0)
    Traceback (most recent call last):
    ...
    rolltheory.errors.DomainError: budget = 0 is not allowed: need whole numbers, at least 1
    """
    if budget is None:
        return None
    number = integer_array("budget", budget, at_least=1)
    if number.ndim:
        raise DomainError("budget", budget, "one whole number, at least 1")
    return int(number)


def _candidates(shattered: list[Columns], points: int) -> Iterator[Columns]:
    """The sets with one column more, all of whose subsets of the old size are shattered."""
    known = set(shattered)
    for columns in shattered:
        for last in range(columns[-1] + 1 if columns else 0, points):
            joined = (*columns, last)
            if all(part in known for part in combinations(joined, len(columns))):
                yield joined


def _open_end(size: int, possible: int, largest: int) -> tuple[int, str]:
    """The most points, if so many sets of the size may be shattered, and why not more."""
    upper = max(size - 1, 0)
    while upper < largest and comb(upper + 1, size) <= possible:
        upper += 1
    need = f" need {comb(upper + 1, size)}" if upper < largest else " are too many"
    return upper, f"{possible} sets of size {size} may be shattered, {upper + 1} points{need}"
