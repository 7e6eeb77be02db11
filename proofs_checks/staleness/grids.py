"""Small sets of rationals that several checks enumerate."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise

__all__ = ["distributions"]


def distributions(actions: int, denominator: int) -> Iterator[tuple[Fraction, ...]]:
    """Every distribution with positive probabilities of one denominator.

    >>> list(distributions(2, 3))
    [(Fraction(1, 3), Fraction(2, 3)), (Fraction(2, 3), Fraction(1, 3))]
    """
    for cuts in combinations(range(1, denominator), actions - 1):
        edges = (0, *cuts, denominator)
        yield tuple(Fraction(b - a, denominator) for a, b in pairwise(edges))
