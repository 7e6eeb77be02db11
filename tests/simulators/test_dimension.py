"""The simulated classes, rollouts and samples are what they say they are."""

import numpy as np
import pytest

from rolltheory.dimension import families
from rolltheory.dimension.local_families import (
    markov_tables,
    needle,
    one_hot_tasks,
    window_thresholds,
)
from rolltheory.dimension.parity import parity_kernel
from rolltheory.dimension.peeling import pseudo_cube_core
from rolltheory.dimension.rollout import rollout_class
from rolltheory.dimension.search import ds_dimension
from rolltheory.errors import DomainError
from simulators.dimension import (
    ball,
    cube,
    cube_traces,
    draw_sample,
    markov_traces,
    needle_traces,
    random_window,
    reveal,
    skewed_law,
    threshold_traces,
    trace_labels,
    uniform_law,
)


@pytest.fixture
def generator():
    return np.random.default_rng(7)


def rows(array):
    return set(map(tuple, array.tolist()))


def texts(traces):
    return {tuple("".join(map(str, trace)) for trace in row) for row in traces.tolist()}


def test_cubes_and_balls_are_those_of_the_library():
    assert rows(cube(3, 4)) == set(families.grid(3, 4).rows)
    assert rows(ball(4, 3, 2)) == set(families.ball(4, 3, 2).rows)
    assert len(ball(4, 3, 2)) == len(rows(ball(4, 3, 2)))


def test_reveal_names_a_set_at_its_members():
    assert rows(reveal(2)) == {(0, 0), (0, 1), (2, 0), (3, 3)}
    assert ds_dimension(reveal(4)).value == 1


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_markov_traces_are_those_of_the_library(steps):
    family = markov_tables(2)
    found = rollout_class(family.local, family.prompts, steps=steps)
    assert texts(markov_traces(2, steps)) == set(found.rows)


def test_threshold_traces_are_among_those_of_the_library(generator):
    family = window_thresholds(2)
    found = rollout_class(family.local, family.prompts, steps=4)
    drawn = texts(threshold_traces(2, 4, rules=2000, generator=generator))
    assert drawn == set(found.rows)


def test_needle_traces_hold_one_needle_for_each_set():
    family = needle(3)
    found = rollout_class(family.local, family.prompts, steps=7)
    drawn = needle_traces(3, 7)
    assert drawn.shape == (8, 3, 7)
    assert ds_dimension(trace_labels(drawn)).value == ds_dimension(found).value == 1
    ones = {tuple(np.flatnonzero(rule.any(axis=1))): rule.any(axis=0) for rule in drawn}
    assert len(ones) == 8
    assert [int(at.sum()) for at in ones.values()] == [0] + [1] * 7
    assert not needle_traces(3, 4)[5:].any()


def test_cube_traces_have_one_free_bit_for_each_prompt():
    assert texts(cube_traces(1, 4)) == {("0101",), ("1010",)}
    labels = trace_labels(cube_traces(3, 9))
    assert rows(labels) == set(families.grid(3, 2).rows)
    family = one_hot_tasks(3)
    assert len(labels) == len(rollout_class(family.local, family.prompts, steps=9))


def test_traces_of_a_prompt_are_numbered_alike_if_they_are_alike(generator):
    traces = generator.integers(0, 2, (40, 3, 2))
    labels = trace_labels(traces)
    for prompt in range(3):
        same = (traces[:, None, prompt] == traces[None, :, prompt]).all(axis=2)
        assert ((labels[:, None, prompt] == labels[None, :, prompt]) == same).all()


def test_a_random_window_keeps_its_share_of_the_grid(generator):
    kept = random_window((20, 30, 40), 0.25, generator=generator)
    assert abs(len(kept) / 24_000 - 0.25) < 4 * np.sqrt(0.25 * 0.75 / 24_000)
    assert (kept.max(axis=0) == [19, 29, 39]).all()
    assert len(rows(kept)) == len(kept)
    assert len(random_window((2, 3), 1, generator=generator)) == 6


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_between_two_thresholds_there_are_pseudo_cubes_but_no_even_ones(seed):
    generator = np.random.default_rng(seed)
    sparse, between, dense = (
        random_window((24,) * 3, share / 24, generator=generator) for share in (2.0, 2.5, 3.2)
    )
    assert pseudo_cube_core(sparse) is None
    assert pseudo_cube_core(between) is not None
    assert parity_kernel(between) is None
    assert parity_kernel(dense) is not None


def test_laws_are_laws():
    assert uniform_law(4).tolist() == [0.25] * 4
    law = skewed_law(5, 0.05)
    assert law[1:] == pytest.approx([0.1] * 4)
    assert law.sum() == pytest.approx(1)


def test_samples_follow_the_law_and_the_target(generator):
    target, law = np.array([5, 6, 7]), np.array([0.7, 0.3, 0.0])
    drawn = draw_sample(target, law, 10_000, generator=generator)
    assert (drawn.labels == target[drawn.prompts]).all()
    assert set(drawn.prompts.tolist()) == {0, 1}
    assert abs((drawn.prompts == 0).mean() - 0.7) < 4 * np.sqrt(0.21 / 10_000)


def test_the_same_seed_gives_the_same_draws():
    one, two = (random_window((5, 5), 0.5, generator=np.random.default_rng(1)) for _ in range(2))
    assert (one == two).all()
    one, two = (
        draw_sample([1, 2], [0.5, 0.5], 20, generator=np.random.default_rng(1)) for _ in range(2)
    )
    assert (one.prompts == two.prompts).all()


@pytest.mark.parametrize(
    "bad",
    [
        lambda g: random_window((3, 0), 0.5, generator=g),
        lambda g: random_window((3, 3), 1.5, generator=g),
        lambda g: markov_traces(0, 2),
        lambda g: markov_traces(1, 2, tables=[[0, 2]]),
        lambda g: skewed_law(1, 0.1),
        lambda g: skewed_law(3, 0.2),
        lambda g: draw_sample([1, 2], [0.5, 0.4], 3, generator=g),
        lambda g: draw_sample([1, 2], [1.0], 3, generator=g),
    ],
)
def test_what_makes_no_sense_is_refused(bad, generator):
    with pytest.raises(DomainError):
        bad(generator)
