"""The descent ends at next tokens of the same rules, however the traces branch."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from rolltheory.dimension.descent import descend
from rolltheory.dimension.local import local_class_from_tables, local_class_on
from rolltheory.dimension.local_families import binary_gap, four_token_gap, markov_tables
from rolltheory.dimension.parity import parity_dimension
from rolltheory.dimension.rollout import rollout_class
from rolltheory.dimension.search import ds_dimension
from rolltheory.dimension.witnesses import ZeroSumFunction, holds, is_zero_sum
from rolltheory.errors import AssumptionError, DomainError


def rules_with(traces, prompts):
    """A rule for each pattern: after a prompt and a beginning of its trace, the next token."""
    tables = [
        {p + t[:k]: t[k] for p, t in zip(prompts, row, strict=True) for k in range(len(t))}
        for row in traces
    ]
    return local_class_from_tables(tables, default="?")


def test_the_common_beginning_of_all_traces_will_not_do():
    patterns = [(s, t) for s in ("00", "01") for t in "ab"]
    patterns += [(s, t) for s in ("10", "11") for t in "cd"]
    even = ZeroSumFunction(("p", "q"), dict.fromkeys(patterns, 1), 2)
    local = descend(even)
    assert local.points == ("p0", "q")
    assert set(local.values) == {("0", "a"), ("0", "b"), ("1", "a"), ("1", "b")}
    at_the_root = {(s[0], t) for s, t in patterns}
    assert not is_zero_sum(dict.fromkeys(at_the_root, 1), 2)
    assert holds(local, local_class_on(rules_with(patterns, ("p", "q")), local.points))


@pytest.mark.parametrize("field", [2, 3, 5])
@pytest.mark.parametrize(
    ("family", "steps"), [(four_token_gap(), 2), (binary_gap(), 3), (markov_tables(2), 4)]
)
def test_families(family, steps, field):
    found = parity_dimension(rollout_class(family.local, family.prompts, steps=steps), field=field)
    local = descend(found.witness)
    assert len(local.points) == found.value == 2
    assert holds(local, local_class_on(family.local, local.points))
    assert local.field == field


def test_random_trees():
    generator, descents, deep = np.random.default_rng(3), 0, 0
    while descents < 60:
        size = int(generator.integers(4, 14))
        raw = generator.integers(0, 2, (size, 3, 3)).astype(str)
        rows = sorted({tuple("".join(trace) for trace in row) for row in raw.tolist()})
        found = parity_dimension(rows, field=int(generator.choice([2, 3])))
        if found.witness is None:
            continue
        prompts = tuple("pqr"[i] for i in found.witness.points)
        witness = ZeroSumFunction(prompts, found.witness.values, found.witness.field)
        local = descend(witness)
        assert holds(local, local_class_on(rules_with(rows, "pqr"), local.points))
        descents += 1
        deep += any(len(point) > 1 for point in local.points)
    assert deep > 5


def test_traces_of_other_tokens():
    values = {((5,),): 1, ((6, 5),): 1}
    assert descend(ZeroSumFunction(((1, 2),), values, 2)).points == ((1, 2),)


def test_what_is_no_zero_sum_function_is_refused():
    with pytest.raises(AssumptionError, match="sum to 0"):
        descend(ZeroSumFunction(("p",), {("0",): 1, ("1",): 1}, 3))


def test_a_trace_that_begins_another_is_refused():
    values = {("0",): 1, ("01",): 1}
    with pytest.raises(AssumptionError, match="'0' and '01' of 'p'"):
        descend(ZeroSumFunction(("p",), values, 2))


@pytest.mark.parametrize(
    ("points", "patterns"),
    [
        (("p",), [("01",), (("0", "1"),)]),  # one trace under two names
        (("p", "p0"), [(a, b) for a in ("00", "01") for b in "01"]),  # 0 after p0, and not
        (("p", "q"), [("0",), ("1",)]),
    ],
)
def test_what_no_rules_roll_out_is_refused(points, patterns):
    with pytest.raises(AssumptionError):
        descend(ZeroSumFunction(points, dict.fromkeys(patterns, 1), 2))


@pytest.mark.parametrize("field", [0, 4, -2])
def test_a_field_has_a_prime_order(field):
    with pytest.raises(DomainError, match="prime"):
        descend(ZeroSumFunction(("p",), {("0",): 2, ("1",): 2}, field))


@pytest.mark.parametrize("field", [2, 3, 5])
@pytest.mark.parametrize("points", [1, 2, 3])
def test_random_sums_of_cubes_of_traces(field, points):
    """Differences of two traces multiply to a zero-sum function; many share their beginnings."""
    generator = np.random.default_rng(field * points)
    leaves = ["00", "010", "011", "1", "20", "21", "220"]
    prompts = tuple("pqr"[:points])
    tried = 0
    for _ in range(60):
        values = Counter()
        for _ in range(generator.integers(1, 6)):
            pairs = [generator.choice(leaves, 2, replace=False).tolist() for _ in prompts]
            weight = int(generator.integers(1, field))
            for signs in product((0, 1), repeat=points):
                pattern = tuple(pair[sign] for pair, sign in zip(pairs, signs, strict=True))
                values[pattern] += weight * (-1) ** sum(signs)
        traces = {pattern: value % field for pattern, value in values.items() if value % field}
        if traces:
            tried += 1
            found = descend(ZeroSumFunction(prompts, traces, field))
            local = rules_with(list(traces), prompts)
            assert len(set(found.points)) == points
            assert holds(found, local_class_on(local, found.points))
    assert tried > 40


def test_another_witness_is_refused():
    with pytest.raises(DomainError, match="the witness of a parity dimension"):
        descend(ds_dimension(["00", "01", "10", "11"]).witness)
