"""The enumerations of rules go through what their domains say."""

from collections import Counter

from proofs_checks.dimension.rollout import (
    filling_length_three,
    filling_length_two,
    named,
    two_prompts,
)
from rolltheory.dimension.claims._rolled import of_strings, of_traces


def test_every_class_of_rules_on_strings_shorter_than_two():
    cases = list(filling_length_two())
    assert len({case.rows for case in cases}) == 255
    assert all(len(case.rows) == len(case.next_tokens()) for case in cases)


def test_every_small_class_on_two_prompts():
    assert Counter(len(case.rows) for case in two_prompts(2)) == {1: 64, 2: 2016}


def test_every_space_once():
    """As many as Gaussian binomial coefficients say: 127 lines and 2,667 planes in F_2^7."""
    spaces = [frozenset(case.rows) for case in filling_length_three(2)]
    assert Counter(map(len, spaces)) == {2: 127, 4: 2667}
    assert len(set(spaces)) == len(spaces)
    for space in spaces[::97]:
        numbers = {int(row, 2) for row in space}
        assert {a ^ b for a in numbers for b in numbers} == numbers


def test_the_named_rules_raise_ds_and_graph_and_lower_the_rest():
    changes = {
        notion: {of_traces(case, notion) - of_strings(case, notion) for case in named()}
        for notion in ("ds", "graph", "natarajan", "parity 2")
    }
    assert max(changes["ds"]) == 1
    assert max(changes["graph"]) == 1
    assert max(changes["natarajan"]) == max(changes["parity 2"]) == 0
    assert min(changes["parity 2"]) < 0


def test_rules_with_hard_last_tokens_are_easy_in_every_other_way():
    late = next(named())
    assert of_strings(late, "littlestone") == of_strings(late, "graph") == 1
    assert len(late.last_tokens()) == 4
    assert late.last_tokens().label_counts == (2, 2)
