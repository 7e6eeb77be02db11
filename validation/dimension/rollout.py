"""Property tests of the claims about rollouts: any rules on short strings, and the named ones."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._rolled import Measured, Rolled, of_family
from rolltheory.dimension.claims.rollout import (
    J3,
    J4,
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
from rolltheory.dimension.local_families import binary_gap

__all__ = [
    "any_answer",
    "any_binary_rollout",
    "any_choice_of_stop",
    "any_continuation",
    "any_density",
    "any_ds",
    "any_ds_and_parity",
    "any_graph",
    "any_kept_dimension",
    "any_littlestone",
    "any_natarajan",
    "any_parity",
    "any_set_of_step_tables",
    "any_trace",
    "rolled",
    "rolled_rules",
    "rows_of",
]

RULES = (
    "up to 8 binary or ternary rules on seven strings, traces of 1 to 3 tokens or up to length 3"
    " or 4; J4, J3, J2, and rules with hard last tokens"
)


def rows_of(tokens: str, width: int, *, least: int = 1, most: int) -> Any:
    """Sets of different rows of tokens, each drawn as one number."""
    from hypothesis import strategies as st

    def digits(number: int) -> str:
        places = (number // len(tokens) ** place % len(tokens) for place in range(width))
        return "".join(tokens[digit] for digit in places)

    numbers = st.sets(st.integers(0, len(tokens) ** width - 1), min_size=least, max_size=most)
    return numbers.map(lambda found: tuple(map(digits, sorted(found))))


def rolled_rules() -> Any:
    """Classes of binary or ternary rules on short strings, to be rolled out."""
    from hypothesis import strategies as st

    def on(tokens: str, *strings: str) -> Any:
        rows = rows_of(tokens, len(strings), least=2, most=8)
        ends = st.sampled_from(((None, 3), (None, 4), (1, 0), (2, 0), (3, 0)))
        return st.builds(lambda chosen, end: Rolled(chosen, strings, strings[:3], *end), rows, ends)

    return st.one_of(
        on("01", "", "0", "1", "00", "01", "10", "11"),
        on("012", "0", "1", "2", "01", "12", "20", "21"),
    )


def rolled() -> Any:
    """A strategy for rules, in which one class of each kind is surely met."""
    from hypothesis import strategies as st

    named = st.sampled_from((J4, LATE, J3, of_family(binary_gap(), steps=3)))
    return st.one_of(named, rolled_rules())


def _measured(*notions: str) -> Any:
    from hypothesis import strategies as st

    return st.builds(Measured, rolled(), st.sampled_from(notions))


@check(traces_follow_the_rules, kind=Kind.PROPERTY_TESTED, domain=RULES)
def any_trace(_: Budget) -> Any:
    """Steps and stopping rules."""
    return rolled()


@check(parity_is_stable, kind=Kind.PROPERTY_TESTED, domain=f"{RULES}; modulo 2, 3 and 5")
def any_parity(_: Budget) -> Any:
    """Three fields."""
    return _measured("parity 2", "parity 3", "parity 5")


@check(natarajan_is_stable, kind=Kind.PROPERTY_TESTED, domain=RULES)
def any_natarajan(_: Budget) -> Any:
    """Any rules."""
    return rolled()


@check(littlestone_is_stable, kind=Kind.PROPERTY_TESTED, domain=RULES)
def any_littlestone(_: Budget) -> Any:
    """Any rules."""
    return rolled()


@check(ds_at_most_twice_parity, kind=Kind.PROPERTY_TESTED, domain=f"{RULES}; modulo 2, 3 and 5")
def any_ds_and_parity(_: Budget) -> Any:
    """Three fields."""
    return _measured("parity 2", "parity 3", "parity 5")


@check(density_of_traces, kind=Kind.PROPERTY_TESTED, domain=f"{RULES}; modulo 2, 3 and 5")
def any_density(_: Budget) -> Any:
    """Three fields."""
    return _measured("parity 2", "parity 3", "parity 5")


@check(
    continuation_keeps_the_dimension,
    kind=Kind.PROPERTY_TESTED,
    domain="classes of up to 8 hypotheses on 1 to 4 points with 4 labels, traces of 1 to 20"
    " tokens; five dimensions",
)
def any_continuation(_: Budget) -> Any:
    """Long traces."""
    from hypothesis import strategies as st

    def continued(width: int) -> Any:
        rows = rows_of("0123", width, most=min(4**width, 8))
        notions = st.sampled_from(("natarajan", "parity 2", "ds", "graph", "littlestone"))
        return st.builds(Continued, rows, st.integers(1, 20), notions)

    return st.integers(1, 4).flatmap(continued)


@check(
    steps_with_own_tables_add_up,
    kind=Kind.PROPERTY_TESTED,
    domain="up to 4 hypotheses on 1 to 3 points with 3 labels, own tables for 1 to 3 steps",
)
def any_set_of_step_tables(_: Budget) -> Any:
    """Small classes, few steps."""
    from hypothesis import strategies as st

    def stepped(width: int) -> Any:
        rows = rows_of("012", width, most=min(3**width, 4))
        return st.builds(Stepped, rows, st.integers(1, 3))

    return st.integers(1, 3).flatmap(stepped)


@check(ds_is_stable, kind=Kind.PROPERTY_TESTED, domain=RULES)
def any_ds(_: Budget) -> Any:
    """Only the named ones break it."""
    return rolled()


@check(graph_is_stable, kind=Kind.PROPERTY_TESTED, domain=RULES)
def any_graph(_: Budget) -> Any:
    """Many rules break it."""
    return rolled()


@check(last_tokens_are_no_harder, kind=Kind.PROPERTY_TESTED, domain=RULES)
def any_answer(_: Budget) -> Any:
    """Any rules may break it."""
    return rolled()


@check(rules_may_choose_the_stop, kind=Kind.PROPERTY_TESTED, domain=RULES)
def any_choice_of_stop(_: Budget) -> Any:
    """Almost any rules break it."""
    return rolled()


@check(
    rollout_keeps_dimensions,
    kind=Kind.PROPERTY_TESTED,
    domain=f"{RULES}; Natarajan, parity modulo 2 and 3, Littlestone",
)
def any_kept_dimension(_: Budget) -> Any:
    """Traces give rules away."""
    return _measured("natarajan", "parity 2", "parity 3", "littlestone")


@check(binary_tokens_make_binary_traces, kind=Kind.PROPERTY_TESTED, domain=f"binary ones: {RULES}")
def any_binary_rollout(_: Budget) -> Any:
    """Rules that write 0 and 1 only."""
    return rolled().filter(lambda case: set("".join(case.rows)) <= {"0", "1"})
