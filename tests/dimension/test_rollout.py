"""Rolling out follows every rule token by token, whichever way the traces are found."""

import numpy as np
import pytest

from rolltheory.dimension.local import as_string, local_class_from_rows, local_class_from_tables
from rolltheory.dimension.local_families import binary_gap, markov_tables, needle
from rolltheory.dimension.rollout import end_to_end_class, rollout_class
from rolltheory.errors import DomainError, UnsupportedError


def followed(rule, prompt, finished):
    string = as_string(prompt)
    while not finished(string):
        string = (*string, rule(string))
    return "".join(string[len(prompt) :])


def random_local(generator, *, window):
    strings = ["", "0", "1", "2", "00", "01", "12", "21", "22"]
    rows = np.unique(generator.integers(0, 3, (20, len(strings))), axis=0).astype(str)
    return local_class_from_rows(rows, strings, default="1", window=window)


@pytest.mark.parametrize("window", [None, 2, 3])
@pytest.mark.parametrize("steps", [1, 2, 5])
def test_all_routes_follow_the_rules(window, steps):
    local = random_local(np.random.default_rng(steps), window=window)
    prompts = ["", "0", "21", "2222"]
    wanted = [
        tuple(followed(rule, p, lambda s, p=p: len(s) == len(p) + steps) for p in prompts)
        for rule in local.rules
    ]
    distinct = list(dict.fromkeys(wanted))
    assert len(distinct) > 3

    def halt(prompt, string):
        return len(string) == len(prompt) + steps

    for found in (
        rollout_class(local, prompts, steps=steps),
        rollout_class(local, prompts, halt=halt),
        rollout_class(local.rules, prompts, steps=steps),
        rollout_class(local.rules, prompts, halt=halt),
    ):
        assert found.rows == distinct
        assert found.points == tuple(prompts)


def test_a_stopping_rule_looks_at_the_string_with_its_prompt():
    local = random_local(np.random.default_rng(9), window=2)

    def halt(string):
        return len(string) >= 3 or string[-1:] == ("2",)

    prompts = ["", "1", "12", "0000"]
    wanted = [tuple(followed(rule, p, halt) for p in prompts) for rule in local.rules]
    assert rollout_class(local, prompts, halt=halt).rows == list(dict.fromkeys(wanted))
    assert {row[2] for row in wanted} == {row[3] for row in wanted} == {""}
    assert len({len(row[0]) for row in wanted}) > 1


def test_a_rule_is_asked_once_about_each_string():
    asked = []

    def halt(string):
        asked.append(string)
        return len(string) == 4

    rollout_class(markov_tables(2).local, ["00"], halt=halt)
    assert len(asked) == len(set(asked)) == 6  # whoever repeats 0 after 00 goes on with it


def test_long_traces_of_many_rules():
    family = markov_tables(3)
    traces = rollout_class(family.local, family.prompts, steps=64)
    assert (len(traces), traces.label_counts) == (256, (24, 30, 31, 33, 33, 31, 30, 24))
    assert all(len(label) == 64 for labels in traces.labels for label in labels)


def test_tokens_that_are_no_characters_make_tuples():
    local = local_class_from_tables([{}, {(7,): 8}], default=9)
    assert rollout_class(local, [(7,)], steps=2).rows == [((9, 9),), ((8, 9),)]


def test_rules_with_equal_traces_are_one_hypothesis():
    family = needle(3)
    assert len(rollout_class(family.local, family.prompts, steps=1)) == 2
    assert len(rollout_class(family.local, family.prompts, steps=7)) == 8


def test_last_tokens_merge_traces():
    family = binary_gap()
    whole = rollout_class(family.local, family.prompts, steps=3)
    last = end_to_end_class(family.local, family.prompts, steps=3)
    assert len(last) == 5 < len(whole)
    assert set(last.rows) == {tuple(trace[-1] for trace in row) for row in whole.rows}
    halting = end_to_end_class(family.local, family.prompts, halt=lambda s: len(s) == 5)
    assert halting.rows == last.rows


LOCAL = local_class_from_tables([{}, {"a": "1"}], default="0")


@pytest.mark.parametrize("asked", [{}, {"steps": 2, "halt": len}])
def test_steps_or_a_stopping_rule(asked):
    with pytest.raises(DomainError, match="one of the two"):
        rollout_class(LOCAL, ["a"], **asked)


@pytest.mark.parametrize(
    ("prompts", "asked", "said"),
    [
        ([], {"steps": 1}, "at least one, all different"),
        (["a", ("a",)], {"steps": 1}, "at least one, all different"),
        (["a"], {"steps": 0}, "steps"),
        (["a"], {"halt": lambda s: False, "at_most": 0}, "at_most"),
    ],
)
def test_bad_arguments_are_refused(prompts, asked, said):
    with pytest.raises(DomainError, match=said):
        rollout_class(LOCAL, prompts, **asked)
    with pytest.raises(DomainError, match=said):
        rollout_class(LOCAL.rules, prompts, **asked)


def test_no_rules_are_refused():
    with pytest.raises(DomainError, match="at least one rule"):
        rollout_class([], ["a"], steps=1)


def test_a_prompt_on_which_a_rule_does_not_halt_is_named():
    def halt(string):
        return string[-1] == "1"

    with pytest.raises(DomainError, match=r"prompt = 'a'.*rule 0 halts within 50 tokens"):
        rollout_class(LOCAL, ["1", "a"], halt=halt, at_most=50)


def test_a_stopping_rule_that_looks_at_the_hypothesis_is_refused():
    with pytest.raises(UnsupportedError, match="one rule has many traces"):
        rollout_class(LOCAL, ["a"], halt=lambda prompt, string, rule: True)


def test_a_prompt_that_is_finished_has_no_last_token():
    with pytest.raises(DomainError, match="not finished from the start"):
        end_to_end_class(LOCAL, ["a"], halt=lambda string: True)
    assert rollout_class(LOCAL, ["a"], halt=lambda string: True).rows == [("",)]


def test_a_stopping_rule_may_be_one_of_pythons_own_functions():
    local = local_class_from_tables([{"a": "1"}, {}], default="0")
    finished = {("a", "1"), ("a", "0", "0")}
    assert rollout_class(local, ["a"], halt=finished.__contains__).rows == [("1",), ("00",)]
    with pytest.raises(DomainError, match=r"halt = 3.*a function"):
        rollout_class(local, ["a"], halt=3)


def test_tokens_must_be_hashable():
    with pytest.raises(DomainError, match=r"token of rule 1 = \[1\].*hashable"):
        rollout_class([lambda string: "0", lambda string: [1]], ["a"], steps=2)


def test_traces_too_long_to_be_written_are_refused():
    local = local_class_from_tables([{"a": "1"}, {}], default="0")
    with pytest.raises(UnsupportedError, match="traces of 100000000000 tokens of 2 rules"):
        rollout_class(local, ["a"], steps=10**11)
