"""The table of the named classes, of labels and of rules, entry by entry."""

from __future__ import annotations

from collections.abc import Iterator

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims.families import (
    Entry,
    classes_have_their_densities,
    classes_have_their_dimensions,
)
from rolltheory.dimension.claims.rule_families import (
    RULES,
    RolledEntry,
    Width,
    needles_are_hard_for_minimisers,
    rules_have_their_densities,
    rules_have_their_dimensions,
    thresholds_are_all_separable_tables,
)

__all__ = [
    "every_class",
    "every_class_density",
    "every_needle",
    "every_rule_class",
    "every_rule_density",
    "every_table_of_thresholds",
]

SIZES: dict[str, list[tuple[int, ...]]] = {
    "grid": [(1, 2), (1, 4), (2, 2), (2, 3), (3, 2), (3, 3), (4, 2)],
    "ball": [(2, 2, 1), (3, 2, 2), (3, 3, 1), (4, 3, 2), (5, 2, 3)],
    "star": [(1,), (2,), (5,)],
    "path": [(1,), (2,), (5,)],
    "reveal": [(1,), (2,), (3,), (4,)],
    "hexagon": [()],
    "regularity trap": [()],
    "projective plane": [()],
    "field-two gap": [()],
    "all-field gap": [()],
}
LISTED = (
    "grids of up to 81 hypotheses, balls of up to 5 points, stars, paths and reveal of up to 5, and"
    " the five listed classes"
)
LENGTHS = {"Markov, order 3": (2, 3, 4), "J2": (0, 1, 2, 3, 4)}


def _entries() -> Iterator[Entry]:
    for name, sizes in SIZES.items():
        yield from (Entry(name, size) for size in sizes)


@check(classes_have_their_dimensions, kind=Kind.ENUMERATED, domain=LISTED)
def every_class(_: Budget) -> Iterator[Entry]:
    """Small sizes first."""
    return _entries()


@check(
    classes_have_their_densities,
    kind=Kind.ENUMERATED,
    domain=f"{LISTED}; balls of radius 2 on 8 points and 3 on 10",
)
def every_class_density(_: Budget) -> Iterator[Entry]:
    """80/43 and 3260/1161 among them."""
    yield from _entries()
    yield Entry("ball", (8, 3, 2))
    yield Entry("ball", (10, 3, 3))


@check(
    rules_have_their_dimensions,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "next tokens and traces of 1, 2, 3 and 5 tokens; J2 up to 4, Markov tables of order"
        " 3 from 2 to 4",
        "deep": "next tokens and traces of 1 to 5, 8 and 16 tokens; J2 up to 4",
    },
)
def every_rule_class(budget: Budget) -> Iterator[RolledEntry]:
    """Next tokens first."""
    for name in RULES:
        lengths = LENGTHS.get(name, (0, 1, 2, 3, 5))
        if name == "thresholds of 3":
            lengths = (0, 2, 4)
        if budget.deep:
            lengths = LENGTHS["J2"] if name == "J2" else (0, 1, 2, 3, 4, 5, 8, 16)
        yield from (RolledEntry(name, steps) for steps in lengths)


@check(
    rules_have_their_densities,
    kind=Kind.ENUMERATED,
    domain="those with a density in the table: next tokens and traces of 1, 2, 4 and 8 tokens",
)
def every_rule_density(_: Budget) -> Iterator[RolledEntry]:
    """Next tokens first."""
    for name, shown in RULES.items():
        if shown.densities:
            yield from (RolledEntry(name, steps) for steps in (0, 1, 2, 4, 8))


@check(
    needles_are_hard_for_minimisers,
    kind=Kind.ENUMERATED,
    domain={"gate": "n from 1 to 4", "deep": "n from 1 to 5"},
)
def every_needle(budget: Budget) -> Iterator[Width]:
    """Few prompts first."""
    return map(Width, range(1, 6 if budget.deep else 5))


@check(
    thresholds_are_all_separable_tables,
    kind=Kind.ENUMERATED,
    domain={"gate": "k from 1 to 3", "deep": "k from 1 to 4"},
)
def every_table_of_thresholds(budget: Budget) -> Iterator[Width]:
    """All 2 ** 2 ** k tables."""
    return map(Width, range(1, 5 if budget.deep else 4))
