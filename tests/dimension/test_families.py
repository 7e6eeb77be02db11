"""The named classes have the members they should; test_worked_examples holds their numbers."""

from itertools import product
from math import comb

import pytest

from rolltheory.dimension.families import (
    all_field_gap,
    ball,
    field_two_gap,
    grid,
    hexagon,
    path,
    projective_plane,
    regularity_trap,
    reveal,
    star,
)
from rolltheory.dimension.local_families import (
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
from rolltheory.errors import DomainError


def texts(hypotheses):
    return {"".join(map(str, row)) for row in hypotheses.rows}


def test_grids_balls_and_stars():
    assert grid(3, 2).rows == list(product((0, 1), repeat=3))
    assert texts(ball(3, 3, 1)) == {"000", "100", "200", "010", "020", "001", "002"}
    for n, k, r in [(5, 3, 2), (4, 2, 3)]:
        assert len(ball(n, k, r)) == sum(comb(n, i) * (k - 1) ** i for i in range(r + 1))
    assert ball(3, 3, 5).rows == grid(3, 3).rows
    assert texts(star(3)) == {"000", "001", "010", "100"}


def test_small_classes():
    assert texts(hexagon()) == {"00", "01", "11", "12", "22", "20"}
    assert texts(regularity_trap()) == {"001", "010", "011", "100"}
    assert texts(path(3)) == {"00", "01", "11", "12", "22", "23"}
    shown = {tuple(x for x, name in enumerate(row) if name): row for row in reveal(3).rows}
    assert len(shown) == 8
    assert all(len({name for name in row if name}) <= 1 for row in shown.values())


def test_listed_classes():
    listed = [projective_plane(), field_two_gap(), all_field_gap()]
    assert [len(c) for c in listed] == [16, 24, 24]
    assert [c.label_counts for c in listed] == [(3, 3, 3), (3, 3, 4), (3, 4, 4)]


def test_listed_rules():
    sizes = {
        four_token_gap: (24, 4, 4),
        three_token_gap: (28, 6, 3),
        binary_gap: (35, 13, 2),
        decrease: (4, 6, 2),
        graph_increase: (4, 3, 2),
        end_to_end_trap: (4, 6, 2),
    }
    for family, (rules, strings, tokens) in sizes.items():
        local = family().local
        assert (len(local), len(local.strings), len(local.tokens)) == (rules, strings, tokens)
        assert tuple(map("".join, local.strings)) == family().strings


def test_a_needle_is_one_token_in_each_trace_of_its_set():
    family = needle(3)
    traces = rollout_class(family.local, family.prompts, steps=7)
    assert traces.rows[0] == ("0000000",) * 3
    places = [{trace.index("1") for trace in row if "1" in trace} for row in traces.rows[1:]]
    assert places == [{number} for number in range(7)]
    assert all(trace.count("1") <= 1 for row in traces.rows for trace in row)


def test_one_hot_tasks_repeat_their_bit():
    family = one_hot_tasks(2)
    assert set(rollout_class(family.local, family.prompts, steps=3).rows) == set(
        product(("000", "111"), repeat=2)
    )


def test_tables_of_windows():
    assert [len(markov_tables(k).local) for k in (1, 2, 3)] == [4, 16, 256]
    assert [len(window_thresholds(k).local) for k in (1, 2, 3, 4)] == [4, 14, 104, 1882]
    parity = tuple("01"[sum(map(int, bits)) % 2] for bits in product("01", repeat=2))
    rows = {
        tuple(rule(bits) for bits in product("01", repeat=2))
        for rule in window_thresholds(2).local.rules
    }
    equality = tuple("10"[int(bit)] for bit in parity)
    assert set(product("01", repeat=4)) - rows == {parity, equality}


@pytest.mark.parametrize(
    "family",
    [
        lambda: grid(0, 2),
        lambda: ball(2, 2, -1),
        lambda: path(0),
        lambda: reveal(0),
        lambda: needle(0),
        lambda: one_hot_tasks(13),
        lambda: markov_tables(5),
        lambda: window_thresholds(5),
    ],
)
def test_sizes_outside_of_the_family_are_refused(family):
    with pytest.raises(DomainError):
        family()
