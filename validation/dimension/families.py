"""Property tests of the table of named classes: other sizes, other lengths, points turned round."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims.families import (
    CLASSES,
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
    "any_class",
    "any_class_density",
    "any_needle",
    "any_rule_class",
    "any_rule_density",
    "any_table_of_thresholds",
]

TURNED = (
    "grids of up to 3 points and 3 labels, balls of up to 4 points, stars and paths of up"
    " to 6, reveal of up to 4 and the five listed classes, points turned round"
)
QUICK = tuple(name for name in RULES if name not in ("Markov, order 3", "thresholds of 3", "J2"))


def _entries() -> Any:
    from hypothesis import strategies as st

    grids = st.tuples(st.integers(1, 3), st.integers(2, 3))
    balls = st.tuples(st.integers(2, 4), st.integers(2, 3), st.integers(1, 3))
    sizes = {
        "grid": grids,
        "ball": balls.filter(lambda size: size[2] < size[0]),
        "star": st.tuples(st.integers(1, 6)),
        "path": st.tuples(st.integers(1, 6)),
        "reveal": st.tuples(st.integers(1, 4)),
    }

    def sized(name: str) -> Any:
        return st.builds(Entry, st.just(name), sizes.get(name, st.just(())), st.integers(0, 4))

    return st.sampled_from(tuple(CLASSES)).flatmap(sized)


@check(classes_have_their_dimensions, kind=Kind.PROPERTY_TESTED, domain=TURNED)
def any_class(_: Budget) -> Any:
    """Points in another order."""
    return _entries()


@check(classes_have_their_densities, kind=Kind.PROPERTY_TESTED, domain=TURNED)
def any_class_density(_: Budget) -> Any:
    """Points in another order."""
    return _entries()


@check(
    rules_have_their_dimensions,
    kind=Kind.PROPERTY_TESTED,
    domain="the named rules, traces of 1 to 24 tokens; not J2, nor windows of three",
)
def any_rule_class(_: Budget) -> Any:
    """Long traces."""
    from hypothesis import strategies as st

    return st.builds(RolledEntry, st.sampled_from(QUICK), st.integers(1, 24))


@check(
    rules_have_their_densities,
    kind=Kind.PROPERTY_TESTED,
    domain="the named rules with a density in the table, traces of 1 to 24 tokens",
)
def any_rule_density(_: Budget) -> Any:
    """Long traces."""
    from hypothesis import strategies as st

    dense = tuple(name for name, shown in RULES.items() if shown.densities)
    return st.builds(RolledEntry, st.sampled_from(dense), st.integers(1, 24))


@check(needles_are_hard_for_minimisers, kind=Kind.PROPERTY_TESTED, domain="n from 1 to 5")
def any_needle(_: Budget) -> Any:
    """No more than can be enumerated."""
    from hypothesis import strategies as st

    return st.builds(Width, st.integers(1, 5))


@check(thresholds_are_all_separable_tables, kind=Kind.PROPERTY_TESTED, domain="k from 1 to 3")
def any_table_of_thresholds(_: Budget) -> Any:
    """No more than can be enumerated."""
    from hypothesis import strategies as st

    return st.builds(Width, st.integers(1, 3))
