"""Every dimension against its definition, and what a search with a budget still claims."""

from itertools import combinations, product

import numpy as np
import pytest

from rolltheory.dimension.classes import class_from_rows
from rolltheory.dimension.search import (
    ds_dimension,
    graph_dimension,
    level_wise,
    natarajan_dimension,
    vc_dimension,
)
from rolltheory.dimension.witnesses import AgreementCube, NatarajanCube, holds, is_pseudo_cube
from rolltheory.errors import AssumptionError, DomainError

SEARCHES = (ds_dimension, natarajan_dimension, graph_dimension)
HEXAGON = ["00", "01", "11", "12", "22", "20"]
ALL_FIELD_GAP = [
    *("001", "003", "010", "011", "020", "022", "023", "031", "032", "100", "101", "110"),
    *("111", "121", "122", "123", "132", "133", "200", "203", "220", "221", "231", "233"),
]


@pytest.fixture
def generator():
    return np.random.default_rng(20260602)


def ball(points, labels, radius):
    return [row for row in product(range(labels), repeat=points) if sum(map(bool, row)) <= radius]


def reveal(points):
    """A row for each set of points: its own number on the set, 0 elsewhere."""
    return [
        [number if number >> x & 1 else 0 for x in range(points)] for number in range(1 << points)
    ]


@pytest.mark.parametrize(
    ("rows", "natarajan", "ds", "graph"),
    [
        (HEXAGON, 1, 2, 2),
        (["001", "010", "011", "100"], 2, 2, 2),
        (["00000", "10000", "01000", "00100", "00010", "00001"], 1, 1, 1),
        (ALL_FIELD_GAP, 2, 3, 3),
        (list(product(range(3), repeat=4)), 4, 4, 4),
        (ball(6, 3, 3), 3, 3, 3),
        (reveal(3), 1, 1, 3),
        (reveal(5), 1, 1, 5),
        ([(i, i + j) for i in range(9) for j in (0, 1)], 1, 1, 2),
        (["012"], 0, 0, 0),
        (["0", "1", "2"], 1, 1, 1),
    ],
)
def test_worked_examples(rows, natarajan, ds, graph):
    found = [search(rows) for search in (natarajan_dimension, ds_dimension, graph_dimension)]
    assert [dimension.value for dimension in found] == [natarajan, ds, graph]
    assert all(d.witness is None or holds(d.witness, rows) for d in found)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("size", [120, 900])
def test_witnesses_of_larger_classes_hold(search, size, generator):
    """The smaller ones are searched by dictionaries, the larger ones compiled."""
    whole = class_from_rows(generator.integers(0, 3, (size, 6)), merge=True)
    found = search(whole)
    assert found.value >= 3
    assert len(found.witness.points) == found.value
    assert holds(found.witness, whole)


def test_small_and_large_classes_are_searched_alike(generator):
    """The same class, and once more with a constant label beside each row, many times over."""
    rows = generator.integers(0, 3, (150, 5))
    padded = np.hstack([rows, np.zeros((150, 12), int)])
    assert padded.size > 2_000 > rows.size
    for search in SEARCHES:
        small, large = (search(class_from_rows(r, merge=True)) for r in (rows, padded))
        assert (small.value, small.witness.points) == (large.value, large.witness.points)


def test_points_and_labels_of_a_witness_are_the_callers():
    whole = class_from_rows(
        [["n", "a"], ["n", "b"], ["y", "b"], ["y", "a"]], points=["rain", "road"]
    )
    assert natarajan_dimension(whole).witness == NatarajanCube(
        ("rain", "road"), ("n", "a"), ("y", "b")
    )
    assert graph_dimension(whole).witness == AgreementCube(("rain", "road"), ("n", "a"))
    assert ds_dimension(whole).witness.patterns == {(a, b) for a in "ny" for b in "ab"}


@pytest.mark.parametrize("search", [*SEARCHES, vc_dimension])
def test_a_class_of_one_has_dimension_zero(search):
    found = search(["0101"])
    assert (found.value, found.witness, found.tests) == (0, None, 0)
    assert found.reason == "1 points need 2 hypotheses"


@pytest.mark.parametrize("search", [*SEARCHES, vc_dimension])
def test_equal_and_constant_points_add_nothing(search):
    """T18: a column that stands twice is shattered once."""
    found = search(["00011", "00111", "11011", "11111"])
    assert found.value == 2
    assert found.reason == "3 points need 8 hypotheses"
    assert found.witness.points == (0, 2)


def test_rows_that_coincide_at_some_points_are_one_there():
    """T18: the rows differ at the last point only, so the first two points are not shattered."""
    assert ds_dimension(["000", "001", "110", "111"]).witness.points == (0, 2)
    assert ds_dimension(["000", "001", "111", "112"]).value == 1


def test_vc_dimension_counts_patterns(generator):
    for _ in range(20):
        rows = class_from_rows(generator.integers(0, 2, (12, 5)), merge=True)
        sets = [s for size in range(1, 6) for s in combinations(range(5), size)]
        patterns = {s: len(np.unique(rows.codes[:, s], axis=0)) for s in sets}
        expected = max((len(s) for s in sets if patterns[s] == 2 ** len(s)), default=0)
        found = vc_dimension(rows)
        assert found.value == expected
        assert holds(found.witness, rows)


def test_vc_dimension_refuses_three_labels():
    with pytest.raises(AssumptionError, match="found 3 labels at point 'y'"):
        vc_dimension(class_from_rows(["00", "01", "12"], points="xy"))


def test_why_a_dimension_is_not_larger():
    assert ds_dimension(HEXAGON).reason == "there are 2 points"
    assert ds_dimension(["001", "010", "100"]).reason == "2 points need 4 hypotheses"
    assert ds_dimension(["001", "010", "100", "000"]).reason == "no 2 points are shattered"


def test_a_budget_leaves_an_interval():
    """After 5 points and 4 pairs, 6 more pairs may be shattered: with the 4 enough for all."""
    rows = list(product(range(2), repeat=5))
    found = ds_dimension(rows, budget=9)
    assert (found.lower, found.upper, found.tests) == (2, 5, 9)
    assert holds(found.witness, rows)
    assert found.reason == (
        "the budget of 9 sets is spent: 10 sets of size 2 may be shattered, 6 points are too many"
    )
    with pytest.raises(AssumptionError, match="between 2 and 5"):
        _ = found.value


def test_what_is_refuted_lowers_the_upper_end():
    """No triple of 20 is shattered; four points need 4 of those that are left, three need 1."""
    rows = ball(6, 2, 2)
    found = [ds_dimension(rows, budget=tests) for tests in range(6 + 15, 6 + 15 + 20 + 1)]
    assert [f.lower for f in found] == [2] * 21
    assert [f.upper for f in found] == [4] * 17 + [3] * 3 + [2]
    assert found[17].reason == (
        "the budget of 38 sets is spent: 3 sets of size 3 may be shattered, 4 points need 4"
    )
    assert found[-1].reason == "no 3 points are shattered"


@pytest.mark.parametrize("search", [*SEARCHES, vc_dimension])
@pytest.mark.parametrize("budget", [0, -1, 1.5])
def test_a_budget_is_a_positive_number(search, budget):
    with pytest.raises(DomainError, match=f"budget = {budget} is not allowed"):
        search(["00", "11"], budget=budget)


def test_a_budget_is_one_number():
    with pytest.raises(DomainError, match="one whole number, at least 1"):
        ds_dimension(["00", "11"], budget=[3, 4])


def test_only_sets_with_all_parts_shattered_are_tested():
    """Columns 0 to 2 are pairwise shattered, 3 is not with 2: no triple has 2 and 3."""
    tested = []

    def shatters(codes):
        key = tuple(codes[0].tolist())
        tested.append(key)
        return None if {2, 3} <= set(key) else key

    codes = np.tile(np.arange(4), (16, 1))
    found = level_wise(codes, shatters)
    assert (found.columns, found.witness, found.upper) == ((0, 1, 2), (0, 1, 2), 3)
    assert tested == [
        *((j,) for j in range(4)),
        *combinations(range(4), 2),
        (0, 1, 2),
        (0, 1, 3),
    ]
    assert found.reason == "no 4 points are shattered"
    assert found.tests == len(tested)


def test_level_wise_hands_over_all_rows():
    codes = np.array([[0, 0], [0, 1], [1, 1], [1, 0]])
    seen = []
    level_wise(codes, lambda rows: seen.append(rows.tolist()) or rows)
    assert seen == [[[0], [0], [1], [1]], [[0], [1], [1], [0]], codes.tolist()]


def test_a_ds_witness_is_the_whole_core(generator):
    rows = class_from_rows(generator.integers(0, 3, (40, 3)), merge=True)
    witness = ds_dimension(rows).witness
    assert is_pseudo_cube(witness.patterns)
    others = [row for row in rows.rows if row not in witness.patterns]
    assert not any(is_pseudo_cube(witness.patterns | {row}) for row in others)


@pytest.mark.parametrize(
    "dimension", [ds_dimension, natarajan_dimension, graph_dimension, vc_dimension]
)
def test_no_time_leaves_what_counting_says(dimension):
    found = dimension(["00", "01", "10", "11"], seconds=0)
    assert (found.lower, found.upper, found.witness, found.tests) == (0, 2, None, 0)
    assert found.reason.startswith("0 seconds are over after 0 sets: 2 sets of size 1")
    assert dimension(["00", "01", "10", "11"], seconds=1e6).value == 2


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf"), "1"])
def test_times_that_are_none(seconds):
    with pytest.raises(DomainError, match="seconds"):
        ds_dimension(["0", "1"], seconds=seconds)


def test_sets_too_many_to_be_counted_are_bounded_by_those_before():
    """Of 700 columns there are 244,650 pairs; all single ones are shattered, as are all pairs."""
    rows = np.array([[i >> 1 & 1, i & 1] * 350 for i in range(4)] * 256)
    few = level_wise(rows, lambda codes: codes, budget=701)
    assert (len(few.columns), few.upper, few.tests) == (2, 10, 701)
    assert "700 sets of size 1 may be shattered" in few.reason


def test_the_search_ends_with_as_many_points_as_there_can_be():
    found = ds_dimension(["0" * 50, "1" * 50])
    assert (found.value, found.tests, found.reason) == (1, 1, "2 points need 4 hypotheses")
