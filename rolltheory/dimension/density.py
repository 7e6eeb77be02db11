"""Excess, density and orientations of the one-inclusion hypergraph of a class, all exact."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from rolltheory.dimension.classes import ClassLike, Codes, HypothesisClass, as_class
from rolltheory.dimension.hypergraph import Hypergraph, densest_part, hypergraph, shares_within
from rolltheory.dimension.witnesses import Pattern
from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.numerics.arguments import integer_array

__all__ = [
    "Density",
    "Line",
    "Orientation",
    "attains",
    "excess",
    "fractional_orientation",
    "is_orientation",
    "max_density",
    "mean_degree",
    "orientation",
]

Line: TypeAlias = tuple[Hashable, Pattern]
"""A point, and the labels at the other points in their order."""


@dataclass(frozen=True)
class Density:
    """The largest excess per hypothesis over all parts of a class, and a part that attains it."""

    value: Fraction
    patterns: frozenset[Pattern]


@dataclass(frozen=True)
class Orientation:
    """For each line with two members or more, how much of its head each label is.

    Parameters
    ----------
    shares : mapping from lines to mappings from labels to fractions that sum to 1
        Labels that are no part of the head are left out: there is one label where heads are whole.
    out_degree : Fraction
        What no hypothesis exceeds with the sum, over its lines, of what it is not of their heads.
    """

    shares: Mapping[Line, Mapping[Hashable, Fraction]]
    out_degree: Fraction

    @property
    def heads(self) -> dict[Line, Hashable]:
        """The head of each line.

        Raises
        ------
        UnsupportedError
            if heads are not whole.
        """
        if any(len(labels) > 1 for labels in self.shares.values()):
            raise UnsupportedError("one head for a line", "this orientation shares heads")
        return {line: next(iter(labels)) for line, labels in self.shares.items()}


def excess(hypotheses: ClassLike) -> int:
    r"""Members less one, summed over all lines of the class.

    .. math:: \mathrm{excess}(V) = \sum_e (|e| - 1) \le \sum_k (|V| - r_k)
        \le \mathrm{pdim}_F(V)\, |V|

    Parameters
    ----------
    hypotheses : class or rows

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, density.

    Examples
    --------
    >>> excess(["00", "01", "10", "11"])
    4
    """
    return int((hypergraph(as_class(hypotheses).codes).sizes - 1).sum())


def mean_degree(hypotheses: ClassLike) -> Fraction:
    r"""The mean number of lines with two members or more through a hypothesis.

    .. math:: \frac{1}{|V|} \sum_e |e| \le 2\, \mathrm{dens}(V)

    It is not bounded by any dimension: a star has dimension 1 and mean degree near 2.

    Parameters
    ----------
    hypotheses : class or rows

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, density.

    Examples
    --------
    >>> mean_degree(["00000", "10000", "01000", "00100", "00010", "00001"])
    Fraction(5, 3)
    """
    graph = hypergraph(as_class(hypotheses).codes)
    return Fraction(len(graph.edges), graph.vertices)


def max_density(hypotheses: ClassLike) -> Density:
    r"""The density of the one-inclusion hypergraph, as an exact fraction, and where it is attained.

    .. math:: \mathrm{dens}(V) = \max_{\emptyset \ne U \subseteq V} \frac{\mathrm{excess}(U)}{|U|}
        \le \min_F \mathrm{pdim}_F(V)

    Parameters
    ----------
    hypotheses : class or rows

    Returns
    -------
    Density
        `attains` checks the part; an orientation of that out-degree shows that none is denser.

    Raises
    ------
    UnsupportedError
        if hypotheses times points exceed 32 bits.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, density.

    Examples
    --------
    >>> max_density(["00000", "10000", "01000", "00100", "00010", "00001"]).value
    Fraction(5, 6)
    """
    whole = as_class(hypotheses)
    value, chosen = densest_part(hypergraph(whole.codes))
    rows = whole.rows
    return Density(value, frozenset(rows[i] for i in chosen.tolist()))


def attains(found: Density, hypotheses: ClassLike) -> bool:
    """Whether these patterns are hypotheses of the class, with this excess per pattern.

    >>> square = ["00", "01", "10", "11"]
    >>> attains(max_density(square), square)
    True
    """
    if not found.patterns or not found.patterns <= set(as_class(hypotheses).rows):
        return False
    lines = Counter((i, p[:i] + p[i + 1 :]) for p in found.patterns for i in range(len(p)))
    return sum(lines.values()) - len(lines) == found.value * len(found.patterns)


def orientation(hypotheses: ClassLike, out_degree: int) -> Orientation | None:
    r"""A head for each line such that no hypothesis is a non-head more often than that.

    .. math:: \text{it exists} \iff \mathrm{excess}(U) \le D |U| \text{ for all } U \subseteq V
        \iff D \ge \mathrm{dens}(V)

    Parameters
    ----------
    hypotheses : class or rows
    out_degree : int
        D; the least that works is the density, rounded up.

    Returns
    -------
    Orientation or None
        None if there is none.

    Raises
    ------
    DomainError
        for a negative out-degree.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, orientation.

    Examples
    --------
    >>> square = ["00", "01", "10", "11"]
    >>> orientation(square, 0) is None, len(orientation(square, 1).heads)
    (True, 4)
    """
    degree = int(integer_array("out_degree", out_degree, at_least=0))
    return fractional_orientation(hypotheses, Fraction(degree))


def fractional_orientation(hypotheses: ClassLike, out_degree: Fraction) -> Orientation | None:
    r"""Heads that members of a line may share, such that no hypothesis misses more than that.

    .. math:: \text{it exists} \iff D \ge \mathrm{dens}(V)

    Parameters
    ----------
    hypotheses : class or rows
    out_degree : Fraction
        D; shares are multiples of one over its denominator.

    Returns
    -------
    Orientation or None
        None if there is none.

    Raises
    ------
    DomainError
        for a negative out-degree.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, orientation.

    Examples
    --------
    >>> shared = fractional_orientation(["0", "1"], Fraction(1, 2))
    >>> shared.shares[0, ()]
    {'0': Fraction(1, 2), '1': Fraction(1, 2)}
    """
    degree = Fraction(out_degree)
    if degree < 0:
        raise DomainError("out_degree", out_degree, "a fraction that is at least 0")
    whole = as_class(hypotheses)
    graph = hypergraph(whole.codes)
    amounts = shares_within(graph, degree)
    return None if amounts is None else Orientation(_named(graph, amounts, whole, degree), degree)


def is_orientation(found: Orientation, hypotheses: ClassLike) -> bool:
    """Whether each line of two or more has a head among its members, and none misses too much.

    >>> square = ["00", "01", "10", "11"]
    >>> is_orientation(orientation(square, 1), square)
    True
    """
    whole = as_class(hypotheses)
    lines: dict[Line, list[Hashable]] = defaultdict(list)
    missed: dict[Pattern, Fraction] = defaultdict(Fraction)
    for row in whole.rows:
        for i, point in enumerate(whole.points):
            line = (point, row[:i] + row[i + 1 :])
            lines[line].append(row[i])
            missed[row] += 1 - found.shares.get(line, {row[i]: Fraction(1)}).get(row[i], 0)
    wanted = {line for line, labels in lines.items() if len(labels) >= 2}
    return (
        found.shares.keys() == wanted
        and all(set(found.shares[line]) <= set(lines[line]) for line in wanted)
        and all(sum(labels.values()) == 1 for labels in found.shares.values())
        and all(share > 0 for labels in found.shares.values() for share in labels.values())
        and max(missed.values()) <= found.out_degree
    )


def _named(
    graph: Hypergraph, amounts: Codes, whole: HypothesisClass, out_degree: Fraction
) -> dict[Line, dict[Hashable, Fraction]]:
    """The shares by lines and labels, those of nothing left out."""
    rows = whole.rows
    shares: dict[Line, dict[Hashable, Fraction]] = defaultdict(dict)
    for (edge, vertex), amount in zip(graph.edges.tolist(), amounts.tolist(), strict=True):
        if amount:
            i, row = graph.directions[edge], rows[vertex]
            line = (whole.points[i], row[:i] + row[i + 1 :])
            shares[line][row[i]] = Fraction(amount, out_degree.denominator)
    return dict(shares)
