"""Exact checks of the claims about rollouts: every class of few rules, and the named ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from proofs_checks.dimension.grids import classes_on
from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._rolled import Measured, Rolled, of_family
from rolltheory.dimension.claims.rollout import (
    LATE,
    Continued,
    Stepped,
    continuation_keeps_the_dimension,
    density_of_traces,
    ds_at_most_twice_parity,
    littlestone_is_stable,
    natarajan_is_stable,
    parity_is_stable,
    steps_with_own_tables_add_up,
    traces_follow_the_rules,
)
from rolltheory.dimension.claims.rollout_traps import (
    binary_tokens_make_binary_traces,
    ds_is_stable,
    graph_is_stable,
    last_tokens_are_no_harder,
    rollout_keeps_dimensions,
    rules_may_choose_the_stop,
)
from rolltheory.dimension.local_families import (
    binary_gap,
    decrease,
    end_to_end_trap,
    four_token_gap,
    graph_increase,
    markov_tables,
    three_token_gap,
    window_thresholds,
)

__all__ = [
    "ROLLED",
    "every_answer",
    "every_binary_rollout",
    "every_choice_of_stop",
    "every_continuation",
    "every_density",
    "every_ds",
    "every_ds_and_parity",
    "every_graph",
    "every_kept_dimension",
    "every_littlestone",
    "every_natarajan",
    "every_parity",
    "every_set_of_step_tables",
    "every_trace",
    "filling_length_two",
    "named",
    "rolled_classes",
    "two_prompts",
]

LENGTH_TWO = "every class of binary rules that fill strings to length 2, rolled out from each"
ROLLED = {
    "gate": f"{LENGTH_TWO}; the named rules at several lengths",
    "deep": f"{LENGTH_TWO}; classes of up to 3 binary rules on two prompts, two tokens each; the"
    " spaces of up to 8 binary rules over F_2 that fill strings to length 3; the named rules at"
    " several lengths",
}

LENGTHS = (
    (four_token_gap, (1, 2, 3)),
    (three_token_gap, (1, 2)),
    (binary_gap, (1, 2, 3, 4)),
    (decrease, (1, 2)),
    (end_to_end_trap, (2,)),
    (lambda: markov_tables(2), (1, 2, 3, 8)),
    (lambda: window_thresholds(2), (1, 2, 16)),
)


def _rows(count: int, length: int) -> list[str]:
    return list(map("".join, product("01", repeat=length)))[:count]


def filling_length_two() -> Iterator[Rolled]:
    """All 255 classes of binary rules on strings that are shorter than 2."""
    rules = _rows(8, 3)
    for members in range(1, 1 << len(rules)):
        rows = tuple(rule for i, rule in enumerate(rules) if members >> i & 1)
        yield Rolled(rows, ("", "0", "1"), ("", "0", "1"), length=2)


def two_prompts(most: int) -> Iterator[Rolled]:
    """Classes of up to so many binary rules that write two tokens after each of two prompts."""
    rules = _rows(64, 6)
    for size in range(1, most + 1):
        for rows in combinations(rules, size):
            yield Rolled(rows, ("a", "a0", "a1", "b", "b0", "b1"), ("a", "b"), 2)


def filling_length_three(most: int) -> Iterator[Rolled]:
    """Spaces over F_2, of up to so many dimensions, of rules on strings shorter than 3."""
    strings = ("", *"01", *map("".join, product("01", repeat=2)))
    for dimension in range(1, most + 1):
        for space in _spaces(len(strings), dimension):
            rows = tuple(format(rule, f"0{len(strings)}b") for rule in space)
            yield Rolled(rows, strings, strings, length=3)


def _spaces(width: int, dimension: int) -> Iterator[list[int]]:
    """Every subspace of F_2 to the width once, by bases in reduced echelon form."""
    for pivots in combinations(range(width), dimension):
        free = [[column for column in range(pivot) if column not in pivots] for pivot in pivots]
        choices = [list(product((0, 1), repeat=len(columns))) for columns in free]
        for chosen in product(*choices):
            basis = [
                1 << pivot | sum(bit << column for bit, column in zip(bits, columns, strict=True))
                for pivot, columns, bits in zip(pivots, free, chosen, strict=True)
            ]
            space = [0]
            for vector in basis:
                space += [vector ^ member for member in space]
            yield sorted(space)


def named() -> Iterator[Rolled]:
    """The named rules at several lengths, and four rules whose last tokens are all pairs."""
    yield LATE
    yield of_family(graph_increase(), length=2)
    for family, lengths in LENGTHS:
        yield from (of_family(family(), steps=steps) for steps in lengths)


def rolled_classes(budget: Budget) -> Iterator[Rolled]:
    """The classes of ``ROLLED``."""
    yield from filling_length_two()
    if budget.deep:
        yield from two_prompts(3)
        yield from filling_length_three(3)
    yield from named()


def _over_fields(budget: Budget) -> Iterator[Measured]:
    for rolled in rolled_classes(budget):
        if len(rolled.rows) > 1:
            yield from (Measured(rolled, f"parity {field}") for field in (2, 3))


@check(traces_follow_the_rules, kind=Kind.ENUMERATED, domain=ROLLED)
def every_trace(budget: Budget) -> Iterator[Rolled]:
    """All of `rolled_classes`."""
    return rolled_classes(budget)


@check(
    parity_is_stable,
    kind=Kind.ENUMERATED,
    domain={profile: f"{text}; modulo 2 and 3" for profile, text in ROLLED.items()},
)
def every_parity(budget: Budget) -> Iterator[Measured]:
    """Two fields."""
    return _over_fields(budget)


@check(natarajan_is_stable, kind=Kind.ENUMERATED, domain=ROLLED)
def every_natarajan(budget: Budget) -> Iterator[Rolled]:
    """All of `rolled_classes`."""
    return rolled_classes(budget)


@check(littlestone_is_stable, kind=Kind.ENUMERATED, domain=ROLLED)
def every_littlestone(budget: Budget) -> Iterator[Rolled]:
    """All of `rolled_classes`."""
    return rolled_classes(budget)


@check(
    ds_at_most_twice_parity,
    kind=Kind.ENUMERATED,
    domain={profile: f"{text}; modulo 2 and 3" for profile, text in ROLLED.items()},
)
def every_ds_and_parity(budget: Budget) -> Iterator[Measured]:
    """J4, J3 and J2 attain it."""
    return _over_fields(budget)


@check(
    density_of_traces,
    kind=Kind.ENUMERATED,
    domain={profile: f"{text}; modulo 2 and 3" for profile, text in ROLLED.items()},
)
def every_density(budget: Budget) -> Iterator[Measured]:
    """Two fields."""
    return _over_fields(budget)


@check(
    continuation_keeps_the_dimension,
    kind=Kind.ENUMERATED,
    domain="every class on the grid 2 x 2 x 2, traces of 2 tokens; five dimensions",
)
def every_continuation(_: Budget) -> Iterator[Continued]:
    """Binary labels."""
    for rows in classes_on(2, 2, 2):
        texts = tuple("".join(map(str, row)) for row in rows)
        for notion in ("natarajan", "parity 2", "ds", "graph", "littlestone"):
            yield Continued(texts, 2, notion)


@check(
    steps_with_own_tables_add_up,
    kind=Kind.ENUMERATED,
    domain="every class on the grids 2 x 2 and 3 x 2, tables of their own for 1, 2 or 3 steps",
)
def every_set_of_step_tables(_: Budget) -> Iterator[Stepped]:
    """Small classes, few steps."""
    for counts in ((2, 2), (3, 2)):
        for rows in classes_on(*counts):
            texts = tuple("".join(map(str, row)) for row in rows)
            yield from (Stepped(texts, steps) for steps in (1, 2, 3))


@check(ds_is_stable, kind=Kind.ENUMERATED, domain="the named rules at several lengths")
def every_ds(_: Budget) -> Iterator[Rolled]:
    """J4 at two tokens is the first counterexample."""
    return named()


@check(graph_is_stable, kind=Kind.ENUMERATED, domain=LENGTH_TWO)
def every_graph(_: Budget) -> Iterator[Rolled]:
    """All of `filling_length_two`."""
    return filling_length_two()


@check(last_tokens_are_no_harder, kind=Kind.ENUMERATED, domain="the named rules at several lengths")
def every_answer(_: Budget) -> Iterator[Rolled]:
    """The trap is among them."""
    return named()


@check(rules_may_choose_the_stop, kind=Kind.ENUMERATED, domain=LENGTH_TWO)
def every_choice_of_stop(_: Budget) -> Iterator[Rolled]:
    """A single constant rule breaks it."""
    return filling_length_two()


@check(
    rollout_keeps_dimensions,
    kind=Kind.ENUMERATED,
    domain="the named rules at several lengths; Natarajan, parity modulo 2 and 3, Littlestone",
)
def every_kept_dimension(_: Budget) -> Iterator[Measured]:
    """Traces give most of them away."""
    for rolled in named():
        for notion in ("natarajan", "parity 2", "parity 3", "littlestone"):
            yield Measured(rolled, notion)


@check(
    binary_tokens_make_binary_traces,
    kind=Kind.ENUMERATED,
    domain="J2 at 1 to 4 tokens, and every class of binary rules that fill strings to length 2",
)
def every_binary_rollout(_: Budget) -> Iterator[Rolled]:
    """Small classes do not show it."""
    yield from filling_length_two()
    yield from (of_family(binary_gap(), steps=steps) for steps in (1, 2, 3, 4))
