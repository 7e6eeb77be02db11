"""What the plots of the dimension theory show."""

import numpy as np
import pytest

from rolltheory.dimension.families import grid, hexagon, star
from rolltheory.dimension.local import local_class_on
from rolltheory.dimension.local_families import four_token_gap
from rolltheory.dimension.rollout import rollout_class
from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.plots.dimension import (
    plot_one_inclusion,
    plot_risk,
    plot_rollouts,
    plot_windows,
    window_shares,
)
from rolltheory.report.dimension import describe_class, describe_rollouts


def labels(ax):
    return set(ax.get_legend_handles_labels()[1])


def test_a_hexagon_has_one_arrow_for_each_line():
    ax = plot_one_inclusion(hexagon())
    arrows = [text for text in ax.texts if text.arrow_patch is not None]
    names = [text.get_text() for text in ax.texts if text.arrow_patch is None]
    assert len(arrows) == 6
    assert sorted(names) == ["00", "01", "11", "12", "20", "22"]
    assert labels(ax) == {"differ at 0", "differ at 1"}


def test_a_line_of_many_has_one_head():
    ax = plot_one_inclusion(star(5))
    assert sum(text.arrow_patch is not None for text in ax.texts) == 5
    assert "5/6" in ax.get_title()


def test_too_many_rules_are_not_drawn():
    with pytest.raises(UnsupportedError, match="at most 64"):
        plot_one_inclusion(grid(3, 5))


def test_rollouts_start_at_the_rules():
    family = four_token_gap()
    local = describe_class(local_class_on(family.local, family.strings))
    rows = describe_rollouts(
        lambda steps: rollout_class(family.local, family.prompts, steps=steps), [1, 2]
    )
    left, right = plot_rollouts(local, rows).axes
    drawn = {line.get_label(): np.rint(line.get_ydata()).tolist() for line in left.lines}
    assert drawn["DS"] == [2, 2, 3]
    assert drawn["parity mod 2"] == [2, 2, 2]
    assert drawn["graph"] == [3, 3, 3]
    risks = next(line for line in right.lines if "one inclusion" in line.get_label())
    np.testing.assert_allclose(risks.get_ydata(), 2 / 3)


def test_the_risk_lies_between_its_bounds():
    ax = plot_risk([1, 2, 4], [[0.5, 0.3, 0.2]], ["run"], parity_dimension=2, ds_dimension=2)
    curves = {line.get_label(): line.get_ydata() for line in ax.lines}
    np.testing.assert_allclose(curves["bound: 2 / (m + 1)"], [1, 2 / 3, 2 / 5])
    np.testing.assert_allclose(curves["run"], [0.5, 0.3, 0.2])
    assert (curves["worst case of any learner, at least"] < curves["bound: 2 / (m + 1)"]).all()


def test_a_lower_bound_of_zero_is_not_drawn():
    ax = plot_risk([1, 2], [[0.5, 0.3]], ["run"], parity_dimension=1, ds_dimension=1)
    assert labels(ax) == {"bound: 1 / (m + 1)", "run"}


def test_windows_are_counted():
    square, path = ["00", "01", "10", "11"], ["00", "01", "11"]
    shares = window_shares([[square, path], [square, square]], [1.0, 2.0])
    assert shares.core.tolist() == shares.kernel.tolist() == [1, 2]
    ax = plot_windows(shares)
    assert labels(ax) == {"pseudo-cube", "zero-sum function"}
    assert [line.get_ydata().tolist() for line in ax.lines] == [[0.5, 1.0], [0.5, 1.0]]
    with pytest.raises(DomainError, match="equally many"):
        window_shares([[square], [square, path]], [1.0, 2.0])
