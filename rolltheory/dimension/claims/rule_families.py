"""Claims about the named classes of rules: dimensions and densities, length by length."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

from rolltheory.claims import Relation, Sides, Source, claim
from rolltheory.dimension.claims._rolled import dimension_of
from rolltheory.dimension.claims.families import ANCHOR, Numbers, all_alike, instead, with_rest
from rolltheory.dimension.classes import HypothesisClass
from rolltheory.dimension.density import max_density
from rolltheory.dimension.local import local_class_on
from rolltheory.dimension.local_families import (
    LocalFamily,
    binary_gap,
    decrease,
    end_to_end_trap,
    four_token_gap,
    graph_increase,
    markov_tables,
    needle,
    one_hot_tasks,
    three_token_gap,
    window_thresholds,
)
from rolltheory.dimension.rollout import rollout_class

__all__ = [
    "RULES",
    "RolledEntry",
    "RolledShown",
    "Width",
    "needles_are_hard_for_minimisers",
    "rules_have_their_densities",
    "rules_have_their_dimensions",
    "thresholds_are_all_separable_tables",
]


def _gap(steps: int, rules: Numbers, first: int) -> Numbers:
    """The DS dimension rises from the first length on."""
    return {**rules, "ds": 2 if steps < first else 3}


GAP = with_rest({**all_alike(2), "parity 5": 2}, 3, 3)
MARKOV_3 = (8, 5, 4, 3)
J2_DENSITIES = (Fraction(7, 6), Fraction(31, 21), Fraction(11, 7))


class RolledShown(NamedTuple):
    """A family of rules, what is said of it on its strings, and of traces of a length."""

    build: Callable[[], LocalFamily]
    strings: Numbers
    traces: Callable[[int], Numbers]
    densities: tuple[Fraction, Callable[[int], Fraction]] | None = None


RULES: Mapping[str, RolledShown] = {
    "J4": RolledShown(
        four_token_gap,
        GAP,
        lambda t: _gap(t, GAP, 2),
        (Fraction(10, 7), lambda t: Fraction(11, 7) if t == 1 else Fraction(19, 12)),
    ),
    "J3": RolledShown(
        three_token_gap,
        GAP,
        lambda t: _gap(t, GAP, 2),
        (Fraction(7, 6), lambda t: Fraction(26, 17) if t == 1 else Fraction(45, 28)),
    ),
    "J2": RolledShown(
        binary_gap,
        with_rest(all_alike(2), 2, 5),
        lambda t: _gap(t, all_alike(2), 3),
        (Fraction(7, 6), lambda t: J2_DENSITIES[min(t, 3) - 1]),
    ),
    "decrease": RolledShown(decrease, all_alike(2), lambda t: all_alike(2 if t == 1 else 1)),
    "graph increase": RolledShown(
        graph_increase, with_rest(all_alike(1), 1, 2), lambda _t: all_alike(1)
    ),
    "end-to-end trap": RolledShown(
        end_to_end_trap,
        with_rest(all_alike(1), 1, 2),
        lambda t: with_rest(all_alike(1), min(t, 2), min(t, 2)),
    ),
    "Markov, order 2": RolledShown(
        lambda: markov_tables(2),
        with_rest(all_alike(4), 4, 4),
        lambda t: with_rest(all_alike(4), 4, 4) if t == 1 else with_rest(all_alike(2), 3, 3),
        (Fraction(2), lambda t: Fraction(2 if t == 1 else 1)),
    ),
    "Markov, order 3": RolledShown(
        lambda: markov_tables(3),
        all_alike(8),
        lambda t: all_alike(MARKOV_3[min(t, 4) - 1]),
        (Fraction(4), lambda t: Fraction(4) if t == 1 else Fraction(5, 3)),
    ),
    "thresholds of 2": RolledShown(
        lambda: window_thresholds(2), {"ds": 3}, lambda t: {"ds": 3 if t == 1 else 2}
    ),
    "thresholds of 3": RolledShown(
        lambda: window_thresholds(3),
        {"ds": 4, "littlestone": 6},
        lambda t: {"ds": (4, 3)[t - 1] if t <= 2 else 2},
        (Fraction(32, 13), lambda t: Fraction(32, 13) if t == 1 else Fraction(15, 11)),
    ),
    "one-hot tasks": RolledShown(
        lambda: one_hot_tasks(3),
        with_rest(all_alike(3), 3, 3),
        lambda _t: with_rest(all_alike(3), 3, 3),
        (Fraction(3, 2), lambda _t: Fraction(3, 2)),
    ),
}
"""The named classes of rules."""


@dataclass(frozen=True)
class RolledEntry:
    """A named class of rules and the length of traces; 0 for the next tokens at its strings."""

    name: str
    steps: int

    def hypotheses(self) -> HypothesisClass:
        """The class."""
        family = RULES[self.name].build()
        if not self.steps:
            return local_class_on(family.local, family.strings)
        return rollout_class(family.local, family.prompts, steps=self.steps)


@cache
def _hypotheses(case: RolledEntry) -> HypothesisClass:
    return case.hypotheses()


@cache
def _found(case: RolledEntry, notion: str) -> int:
    return dimension_of(_hypotheses(case), notion)


def said_of_rules(name: str, steps: int) -> Numbers:
    """What is said of the dimensions."""
    return RULES[name].traces(steps) if steps else RULES[name].strings


@claim(
    "dimension.families.rules",
    statement=r"(\mathrm{Nat}, \mathrm{pdim}_2, \mathrm{pdim}_3, \mathrm{DS}, \mathrm{G}, L)"
    r" \text{ of J4, J3, J2, decrease, graph increase, Markov tables and thresholds is as in the"
    r" table, for next tokens and for traces of each length}",
    relation=Relation.EQUAL,
    source=Source.derived(ANCHOR),
    assumes={},
    teeth={
        "lengths do not matter": lambda name, _steps: said_of_rules(name, 0),
        "DS is parity": instead(said_of_rules, ds="parity 2"),
        "graph is Natarajan": instead(said_of_rules, graph="natarajan"),
    },
)
def rules_have_their_dimensions(
    case: RolledEntry, said: Callable[..., Numbers] = said_of_rules
) -> Sides:
    """The named classes of rules show what rolling out raises and lowers, length by length."""
    numbers = said(case.name, case.steps)
    return Sides({notion: _found(case, notion) for notion in numbers}, numbers)


def said_of_density(name: str, steps: int) -> Fraction:
    """What is said of the density."""
    strings, traces = RULES[name].densities or (Fraction(0), Fraction)
    return traces(steps) if steps else strings


@claim(
    "dimension.families.rolled_densities",
    statement=r"\mathrm{dens} \text{ of J4, J3, J2 is } \tfrac{10}7, \tfrac76, \tfrac76 \text{ on"
    r" strings, and } \tfrac{19}{12}, \tfrac{45}{28}, \tfrac{11}7 \text{ for long traces; of"
    r" Markov tables } 2, 1 \text{ and } 4, \tfrac53; \text{ of thresholds } \tfrac{32}{13},"
    r" \tfrac{15}{11}",
    relation=Relation.EQUAL,
    source=Source.derived(ANCHOR),
    assumes={},
    teeth={
        "lengths do not matter": lambda name, _steps: said_of_density(name, 0),
        "10 % smaller": lambda name, steps: Fraction(9, 10) * said_of_density(name, steps),
    },
)
def rules_have_their_densities(
    case: RolledEntry, said: Callable[[str, int], Fraction] = said_of_density
) -> Sides:
    """The densities of traces fall, or rise, as the table says."""
    return Sides(max_density(_hypotheses(case)).value, said(case.name, case.steps))


@dataclass(frozen=True)
class Width:
    """How many prompts, or how many tokens a rule sees."""

    size: int


def graph_of_needles(size: int) -> int:
    """What is said of the graph dimension."""
    return size


@claim(
    "dimension.families.needle",
    statement=r"T = 2^n - 1: \quad \mathrm{VC}(H) = 1, \quad \mathrm{Nat} = \mathrm{pdim} ="
    r" \mathrm{DS} = L = 1, \; \mathrm{dens} = \tfrac{n}{n + 1}, \; \mathrm{G} = n"
    r" \text{ for } \mathrm{Roll}_T(H)",
    relation=Relation.EQUAL,
    source=Source.derived(ANCHOR),
    assumes={},
    teeth={
        "the graph dimension is free of T": lambda _size: 1,
        "it grows with T": lambda size: 2**size - 1,
    },
)
def needles_are_hard_for_minimisers(
    case: Width, graph: Callable[[int], int] = graph_of_needles
) -> Sides:
    """The graph dimension of traces grows with the logarithm of their length, from VC dimension 1.

    So does what some empirical risk minimiser needs, while the one-inclusion learner has density
    below 1 (trap T13).
    """
    n, family = case.size, needle(case.size)
    traces = rollout_class(family.local, family.prompts, steps=2**n - 1)
    local = local_class_on(family.local, family.strings)
    notions = ("natarajan", "parity 2", "ds", "littlestone")
    ones = [dimension_of(each, notion) for each in (local, traces) for notion in notions]
    density = max_density(traces).value
    return Sides(
        (ones, density, dimension_of(traces, "graph")),
        ([1] * len(ones), Fraction(n, n + 1), graph(n)),
    )


Table = tuple[Any, ...]


def tables_of(width: int) -> set[Table]:
    """The tables of the library."""
    family = window_thresholds(width)
    return set(local_class_on(family.local, family.strings).rows)


@claim(
    "dimension.families.thresholds",
    statement=r"\{ t : \{0, 1\}^k \to \{0, 1\} : \exists w, \theta : t(x) = 1 \iff w \cdot x >"
    r" \theta \} \quad (k \le 4)",
    relation=Relation.EQUAL,
    source=Source.known("linear thresholds of few bits are the tables that are 2-asummable"),
    assumes={},
    teeth={
        "monotone tables": lambda width: {t for t in _tables(width) if _is_monotone(t, width)},
        "all tables": lambda width: set(_tables(width)),
    },
)
def thresholds_are_all_separable_tables(
    case: Width, tables: Callable[[int], set[Table]] = tables_of
) -> Sides:
    """The rules on windows are all linear thresholds, and nothing else.

    On the right no weight is tried: two windows with a 1 never have the sum of two with a 0.
    """
    asummable = {t for t in _tables(case.size) if _is_asummable(t, case.size)}
    return Sides(tables(case.size), asummable)


def _tables(width: int) -> list[Table]:
    return list(product("01", repeat=2**width))


def _is_asummable(table: Table, width: int) -> bool:
    inputs = list(product((0, 1), repeat=width))
    sums: dict[str, set[Table]] = {"0": set(), "1": set()}
    for value, found in sums.items():
        own = [x for x, bit in zip(inputs, table, strict=True) if bit == value]
        for a, b in combinations_with_replacement(own, 2):
            found.add(tuple(x + y for x, y in zip(a, b, strict=True)))
    return not sums["0"] & sums["1"]


def _is_monotone(table: Table, width: int) -> bool:
    inputs = list(product((0, 1), repeat=width))
    return all(
        a <= b
        for x, a in zip(inputs, table, strict=True)
        for y, b in zip(inputs, table, strict=True)
        if all(i <= j for i, j in zip(x, y, strict=True))
    )
