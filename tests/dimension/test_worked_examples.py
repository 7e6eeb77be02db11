"""The worked examples, row by row and column by column."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, log2

import pytest
import sympy
from sympy.matrices.normalforms import smith_normal_form

from rolltheory.dimension.classes import as_class, restrict
from rolltheory.dimension.density import excess, max_density, mean_degree
from rolltheory.dimension.exact_risk import exact_risk, worst_consistent_risk
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
from rolltheory.dimension.hilbert import hilbert_function, regularity
from rolltheory.dimension.learners import OneInclusionLearner, leave_one_out_mistakes
from rolltheory.dimension.littlestone import littlestone_dimension
from rolltheory.dimension.local import local_class_on
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
from rolltheory.dimension.parity import parity_dimension, parity_kernel
from rolltheory.dimension.rollout import end_to_end_class, rollout_class
from rolltheory.dimension.search import (
    ds_dimension,
    graph_dimension,
    natarajan_dimension,
    vc_dimension,
)
from rolltheory.dimension.witnesses import holds, is_pseudo_cube


def parity(field):
    return lambda hypotheses: parity_dimension(hypotheses, field=field)


COLUMNS = {
    "Nat": natarajan_dimension,
    "p2": parity(2),
    "p3": parity(3),
    "p5": parity(5),
    "DS": ds_dimension,
    "G": graph_dimension,
    "L": littlestone_dimension,
}


def numbers(hypotheses, columns):
    """The dimensions, each with a witness that a separate check accepts."""
    found = {name: COLUMNS[name](hypotheses) for name in columns}
    for dimension in found.values():
        assert dimension.value == 0 or holds(dimension.witness, hypotheses)
    return {name: dimension.value for name, dimension in found.items()}


def row(text):
    """Columns and numbers from "Nat=1 p2=2"; "chain=2" stands for Nat, p2, p3 and DS."""
    pairs = dict(part.split("=") for part in text.split())
    chain = pairs.pop("chain", None)
    said = dict.fromkeys(("Nat", "p2", "p3", "DS"), chain) if chain else {}
    return {name: int(value) for name, value in {**said, **pairs}.items()}


CLASSES = [
    (grid(1, 3), "chain=1 G=1 L=1", "2/3"),
    (grid(2, 3), "chain=2 G=2 L=2", "4/3"),
    (grid(3, 2), "chain=3 G=3 L=3", "3/2"),
    (grid(3, 3), "chain=3 G=3 L=3", "2"),
    (grid(4, 2), "chain=4 G=4 L=4", "2"),
    (ball(4, 3, 1), "chain=1 G=1", "8/9"),
    (ball(8, 3, 2), "chain=2 G=2", "80/43"),
    (ball(5, 2, 3), "chain=3 G=3", "55/26"),
    (hexagon(), "Nat=1 p2=2 p3=2 DS=2 G=2 L=2", "1"),
    (regularity_trap(), "chain=2 G=2", "2/3"),
    (star(5), "chain=1 G=1 L=1", "5/6"),
    (reveal(2), "chain=1 G=2 L=1", "2/3"),
    (reveal(3), "chain=1 G=3 L=1", "3/4"),
    (reveal(4), "chain=1 G=4 L=1", "4/5"),
    (path(4), "chain=1", "7/8"),
    (projective_plane(), "Nat=2 p2=3 p3=2 DS=3 G=3 L=3", "3/2"),
    (field_two_gap(), "Nat=2 p2=2 p3=3 p5=2 DS=3 G=3 L=3", "13/8"),
    (all_field_gap(), "Nat=2 p2=2 p3=2 p5=2 DS=3 G=3 L=3", "19/12"),
]


@pytest.mark.parametrize(("hypotheses", "said", "density"), CLASSES)
def test_dimensions_and_density_of_a_class(hypotheses, said, density):
    assert numbers(hypotheses, row(said)) == row(said)
    assert max_density(hypotheses).value == Fraction(density)


def test_densities_of_larger_balls_and_of_reveal():
    assert max_density(ball(10, 3, 3)).value == Fraction(3260, 1161)
    assert max_density(reveal(5)).value == Fraction(5, 6)
    assert graph_dimension(reveal(5)).value == 5


@pytest.mark.parametrize(
    ("hypotheses", "field", "ranks"),
    [
        (regularity_trap(), 2, (1, 4)),
        (projective_plane(), 2, (1, 7, 15, 16)),
        (projective_plane(), 3, (1, 7, 16)),
        (field_two_gap(), 2, (1, 8, 24)),
        (field_two_gap(), 3, (1, 8, 23, 24)),
        (all_field_gap(), 2, (1, 9, 24)),
        (all_field_gap(), 3, (1, 9, 24)),
    ],
)
def test_hilbert_functions(hypotheses, field, ranks):
    assert hilbert_function(hypotheses, field=field) == ranks
    assert regularity(hypotheses, field=field) == len(ranks) - 1


@pytest.mark.parametrize(("d", "k"), [(2, 3), (3, 2), (3, 3), (4, 2)])
def test_the_hilbert_function_of_a_grid(d, k):
    sizes = [comb(d, i) * (k - 1) ** i for i in range(d + 1)]
    said = tuple(sum(sizes[: j + 1]) for j in range(d + 1))
    assert hilbert_function(grid(d, k)) == hilbert_function(grid(d, k), field=3) == said


def line_sizes(hypotheses):
    rows = as_class(hypotheses).rows
    lines = Counter((i, r[:i] + r[i + 1 :]) for r in rows for i in range(len(r)))
    return dict(Counter(lines.values()))


def test_lines_and_degrees():
    assert line_sizes(field_two_gap()) == {2: 28, 3: 4, 4: 1}
    assert line_sizes(all_field_gap()) == {2: 30, 3: 4}
    assert (excess(field_two_gap()), excess(all_field_gap())) == (39, 38)
    assert mean_degree(all_field_gap()) == 3
    assert mean_degree(star(5)) == Fraction(5, 3)


def test_a_path_has_two_members_on_each_inner_line_and_yet_no_pseudo_cube():
    sizes = line_sizes(path(6))
    assert sizes == {2: 11, 1: 2}
    assert not is_pseudo_cube(path(6).rows)
    assert ds_dimension(path(6)).value == 1


def test_the_boundary_maps_at_every_prime():
    """Smith normal forms: the torsion is 2 in RP2, 3 in U24, and none in B24."""

    def invariants(hypotheses):
        rows = as_class(hypotheses).rows
        lines = sorted({(i, r[:i] + r[i + 1 :]) for r in rows for i in range(3)}, key=repr)
        entries = [[int(line == r[:i] + r[i + 1 :]) for r in rows] for i, line in lines]
        form = smith_normal_form(sympy.Matrix(entries), domain=sympy.ZZ)
        return Counter(abs(form[i, i]) for i in range(len(rows)))

    assert invariants(projective_plane()) == {1: 15, 2: 1}
    assert invariants(field_two_gap()) == {1: 23, 3: 1}
    assert invariants(all_field_gap()) == {1: 24}


def rolled(family, steps):
    return rollout_class(family.local, family.prompts, steps=steps)


def on_strings(family):
    return local_class_on(family.local, family.strings)


SHORT = ("0", "1", "2", "3")
GAP = "Nat=2 p2=2 p3=2 p5=2 DS=3 G=3 L=3"
RULES = [
    (four_token_gap(), "Nat=2 p2=2 p3=2 DS=2 G=3 L=3", {1: "DS=2", 2: GAP, 3: GAP, 5: GAP}),
    (three_token_gap(), "p2=2 DS=2 G=3 L=3", {1: "DS=2", 2: GAP, 3: GAP}),
    (binary_gap(), "DS=2 G=2 L=5", {1: "DS=2", 2: "DS=2", 3: GAP, 4: GAP}),
    (decrease(), "DS=2", {2: "DS=1"}),
    (
        markov_tables(2),
        "chain=4 G=4 L=4",
        {
            1: "chain=4 G=4 L=4",
            **dict.fromkeys((2, 3, 4, 8, 32), "chain=2 G=3 L=3"),
        },
    ),
    (
        markov_tables(3),
        "DS=8",
        {
            1: "Nat=8 p2=8 DS=8",
            2: "chain=5",
            3: "chain=4",
            4: "chain=3",
            8: "chain=3",
            16: "chain=3",
        },
    ),
    (window_thresholds(2), "DS=3", {1: "DS=3", 2: "DS=2", 4: "DS=2", 8: "DS=2", 16: "DS=2"}),
    (
        window_thresholds(3),
        "DS=4 L=6",
        {1: "DS=4 L=6", 2: "DS=3", 4: "DS=2", 8: "DS=2", 16: "DS=2"},
    ),
]


@pytest.mark.parametrize(("family", "local", "traces"), RULES)
def test_dimensions_of_rules_and_of_their_traces(family, local, traces):
    assert numbers(on_strings(family), row(local)) == row(local)
    for steps, said in traces.items():
        assert numbers(rolled(family, steps), row(said)) == row(said), steps


@pytest.mark.parametrize(
    ("family", "densities"),
    [
        (four_token_gap(), {2: "19/12"}),
        (three_token_gap(), {2: "45/28"}),
        (binary_gap(), {3: "11/7"}),
        (markov_tables(2), {1: "2", 2: "1", 3: "1", 4: "1", 8: "1", 32: "1"}),
        (markov_tables(3), {1: "4", 2: "5/3", 3: "5/3", 4: "5/3", 8: "5/3", 16: "5/3"}),
        (window_thresholds(3), {1: "32/13", 2: "15/11", 4: "15/11", 8: "15/11", 16: "15/11"}),
    ],
)
def test_densities_of_traces(family, densities):
    found = {steps: max_density(rolled(family, steps)).value for steps in densities}
    assert found == {steps: Fraction(density) for steps, density in densities.items()}


def test_j4_on_all_short_strings():
    family = four_token_gap()
    strings = [a + b + c for a in SHORT for b in ("", *SHORT) for c in ("", *SHORT)]
    local = local_class_on(family.local, list(dict.fromkeys(strings)))
    assert len(local.points) == 84
    said = row("Nat=2 p2=2 p3=2 DS=2 G=3 L=3")
    assert numbers(local, said) == said
    assert max_density(local).value == Fraction(10, 7)


def test_j4_with_a_stopping_rule():
    family = four_token_gap()
    traces = rollout_class(family.local, family.prompts, halt=lambda string: len(string) >= 3)
    assert traces.rows == rolled(family, 2).rows
    found = ds_dimension(traces)
    assert found.value == 3
    assert set(found.witness.points) == {"0", "1", "3"}
    assert len(found.witness.patterns) == 24
    assert parity_kernel(traces) is None


def test_j4_rolls_out_to_b24():
    family = four_token_gap()
    on = as_class(on_strings(family)).rows
    renamed = {(a, b, third if int(third) < 2 else str(2 + int(last))) for a, b, third, last in on}
    assert renamed == {tuple(map(str, r)) for r in all_field_gap().rows}
    assert len(rolled(family, 2)) == 24


def test_more_points_need_not_be_denser():
    """T6: the density of J4's traces is 19/12 on three prompts, and 23/17 on all short strings."""
    family = four_token_gap()
    strings = list(dict.fromkeys(a + b for a in SHORT for b in ("", *SHORT)))
    traces = rollout_class(family.local, strings, steps=2)
    assert max_density(restrict(traces, family.prompts)).value == Fraction(19, 12)
    assert max_density(traces).value == Fraction(23, 17)


def test_leave_one_out_mistakes_of_j4():
    family = four_token_gap()
    traces = rollout_class(family.local, ("0", "1", "3", "32"), steps=2)
    learner = OneInclusionLearner(traces)
    worst = []
    for size in (1, 2, 3, 4):
        worst.append(
            max(
                leave_one_out_mistakes(learner, chosen, labels)
                for chosen in combinations_with_replacement(traces.points, size)
                for labels in restricted_labels(traces, chosen)
            )
        )
    assert worst == [1, 2, 2, 2]


def restricted_labels(traces, prompts):
    columns = traces.columns(prompts)
    return {tuple(r[j] for j in columns) for r in traces.rows}


def test_graph_increase():
    family = graph_increase()
    traces = rollout_class(family.local, family.prompts, halt=lambda string: len(string) >= 2)
    assert numbers(on_strings(family), COLUMNS) == row("chain=1 p5=1 G=1 L=2")
    assert numbers(traces, COLUMNS) == row("chain=1 p5=1 G=2 L=2")


@pytest.mark.parametrize("n", [2, 3, 4])
def test_needles(n):
    family = needle(n)
    length = 2**n - 1
    traces = rolled(family, length)
    assert vc_dimension(on_strings(family)).value == 1
    assert numbers(traces, COLUMNS) == row(f"chain=1 p5=1 G={n} L=1")
    assert log2(length + 1) == n
    assert max_density(traces).value == Fraction(n, n + 1)


def test_risks_on_needles():
    traces = rolled(needle(4), 15)
    target = traces.rows[0]
    for m, worst in ((1, "3/4"), (2, "9/16")):
        assert worst_consistent_risk(traces, target, samples=m) == Fraction(worst)
        risk = exact_risk(OneInclusionLearner(traces), target, samples=m)
        assert risk <= Fraction(1, m + 1)


def test_last_tokens():
    family = end_to_end_trap()
    assert vc_dimension(on_strings(family)).value == 1
    last = end_to_end_class(family.local, family.prompts, steps=2)
    assert len(last) == 4
    assert vc_dimension(last).value == 2


@pytest.mark.parametrize("steps", [1, 2, 8, 64])
def test_one_hot_tasks(steps):
    traces = rolled(one_hot_tasks(3), steps)
    assert numbers(traces, COLUMNS) == row("chain=3 p5=3 G=3 L=3")
    assert exact_risk(OneInclusionLearner(traces, randomised=True), traces.rows[0], samples=2) == (
        Fraction(1, 2) * Fraction(2, 3) ** 2
    )
