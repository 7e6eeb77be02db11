"""The plotted numbers are those of the theory, and what is drawn is what was computed."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from matplotlib.axes import Axes

from rolltheory.errors import AssumptionError, DomainError, UnsupportedError
from rolltheory.plots.graph_world import (
    error_bounds_data,
    norm_gap_data,
    plot_error_bounds,
    plot_norm_gap,
    plot_stability_region,
    stability_region_data,
)
from rolltheory.plots.graph_world_repair import (
    criticality_data,
    plot_criticality,
    plot_repair,
    repair_data,
)

WALK = np.array([[0.0, 4.0], [1.0, 0.0]])
STAR = nx.to_numpy_array(nx.star_graph(4))


def labels(ax: Axes) -> list[str]:
    legend = ax.get_legend()
    assert legend is not None
    return [text.get_text() for text in legend.get_texts()]


def drawn(ax: Axes, label: str) -> list[float]:
    (line,) = (line for line in ax.lines if line.get_label() == label)
    values: list[float] = np.asarray(line.get_ydata()).tolist()
    return values


def test_a_bound_pays_the_transient_once() -> None:
    data = error_bounds_data(WALK, [0.0, 0.0, 0.0], weight_product=0.5, initial_error=1.0)
    assert data.spectral == pytest.approx([2, 2, 2, 2])
    assert data.by_layers == pytest.approx([1, 2, 4, 8])
    assert data.radius_alone == pytest.approx([1, 1, 1, 1])
    assert data.bound == pytest.approx([1, 2, 2, 2])
    ax = plot_error_bounds(data)
    assert drawn(ax, "bound: the lowest") == data.bound.tolist()
    assert drawn(ax, "radius alone: no bound") == data.radius_alone.tolist()
    assert "by powers" not in labels(ax)


def test_the_black_line_is_the_lowest_whichever_bound_that_is() -> None:
    data = error_bounds_data(WALK, [0.0, 0.0, 0.0], weight_product=0.5, initial_error=1.0)
    data = replace(data, by_powers=np.array([1.0, 2.0, 1.0, 0.5]))
    assert data.bound.tolist() == [1, 2, 1, 0.5]
    ax = plot_error_bounds(data, tolerance=20.0)
    assert drawn(ax, "bound: the lowest") == [1, 2, 1, 0.5]
    assert drawn(ax, "by powers") == [1, 2, 1, 0.5]
    assert drawn(ax, "tolerance 20") == [20, 20]
    assert ax.get_ylim()[1] > 20


def test_an_error_of_zero_has_no_place_on_a_logarithmic_axis() -> None:
    data = error_bounds_data(STAR, np.full(3, 0.01), weight_product=0.4)
    assert data.bound[0] == 0
    ax = plot_error_bounds(data)
    (line,) = (line for line in ax.lines if line.get_label() == "bound: the lowest")
    assert np.asarray(line.get_xdata()).tolist() == [1, 2, 3]
    assert np.isnan(drawn(ax, "by norm")[0])
    assert min(path.vertices[:, 1].min() for path in ax.collections[0].get_paths()) > 0


def test_symmetric_messages_need_no_constant() -> None:
    data = error_bounds_data(STAR, np.full(10, 0.01), weight_product=0.4, initial_error=0.1)
    assert data.bound[-1] == pytest.approx(0.05536870912)
    assert data.spectral == pytest.approx(data.by_layers)
    assert "radius alone: no bound" not in labels(plot_error_bounds(data))


def linear_rollouts(matrix: np.ndarray, steps: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(0)
    missed = 0.1 * generator.normal(size=(steps, 3, matrix.shape[0], 2))
    errors = [generator.normal(size=missed.shape[1:])]
    for miss in missed:
        errors.append(0.45 * matrix @ errors[-1] + miss)
    return missed, np.array(errors)


@pytest.mark.parametrize("norm", ["frobenius", "quadratic", "largest", "total"])
def test_rollouts_are_below_the_bound_in_each_norm(norm) -> None:
    missed, errors = linear_rollouts(WALK, 8)
    data = error_bounds_data(WALK, missed, weight_product=0.45, norm=norm, rollout_errors=errors)
    assert data.errors.shape == (9, 3)
    assert np.all(data.errors <= data.bound[:, np.newaxis] * (1 + 1e-12))
    assert data.bound[0] >= data.errors[0].max()
    if norm == "frobenius":
        assert data.errors[0, 0] == pytest.approx(np.linalg.norm(errors[0, 0]))
        assert np.any(data.errors > data.radius_alone[:, np.newaxis])
    else:
        assert data.bound == pytest.approx(data.radius_alone)
        assert np.isinf(data.by_layers).all()
    ax = plot_error_bounds(data)
    assert drawn(ax, "3 rollouts: median and range") == np.median(data.errors, axis=1).tolist()
    assert max(drawn(ax, labels(ax)[-2])) <= ax.get_ylim()[1]


def test_rollouts_must_fit_their_one_step_errors() -> None:
    missed, errors = linear_rollouts(WALK, 8)
    with pytest.raises(DomainError, match="9 steps"):
        error_bounds_data(WALK, missed, weight_product=1, rollout_errors=errors[:-1])
    with pytest.raises(DomainError, match="rollouts, nodes, features"):
        error_bounds_data(WALK, missed[:, 0], weight_product=1)
    with pytest.raises(AssumptionError, match="irreducible"):
        error_bounds_data([[0, 1], [0, 0]], [0.1], weight_product=1)
    assert error_bounds_data([[0, 1], [0, 0]], [0.1], weight_product=1, rate=0.5).bound[1] >= 0.1


def test_the_gap_of_a_star_is_that_of_the_theory() -> None:
    looped = nx.to_numpy_array(nx.star_graph(49)) + np.eye(50)
    average = looped / looped.sum(axis=1, keepdims=True)
    data = norm_gap_data({"star": average, "one way": np.tril(looped, -1)})
    assert data.radius == pytest.approx([1, 0])
    assert data.norm == pytest.approx([3.53576, 7.0], abs=1e-5)
    assert data.limit[0] == pytest.approx(5.0)
    assert np.isnan(data.limit[1])
    ax = plot_norm_gap(data)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["star", "one way"]
    (radii,) = (line for line in ax.lines if "radius" in str(line.get_label()))
    assert np.asarray(radii.get_xdata()).tolist() == data.radius.tolist()
    assert labels(ax) == [
        r"limit $\kappa \rho$ of the norm",
        r"spectral radius $\rho$: in the long run",
        r"norm $|A|_2$: in one step",
    ]
    assert radii.get_markersize() < ax.lines[-1].get_markersize()
    (edge,) = (bar.get_x() for bar in ax.patches)
    assert edge == pytest.approx(5.0)
    with pytest.raises(DomainError, match="at least one"):
        norm_gap_data({})


def test_the_region_has_three_conditions() -> None:
    data = stability_region_data([[0.5, 0.2], [0.3, 0.4]], points=11)
    assert (data.radius, data.stable) == (pytest.approx(0.7), True)
    assert data.coupling == pytest.approx(0.06)
    assert data.diagonal[[0, -1]].tolist() == [0, 2]
    assert data.limit[0] == pytest.approx(0.94)
    assert data.limit[5:].tolist() == [0] * 6
    for i, d in enumerate(data.diagonal):
        for j, a in enumerate(data.diagonal):
            exact = np.abs(np.linalg.eigvals([[a, 0.2], [0.3, d]])).max()
            assert data.radii[i, j] == pytest.approx(exact)
            assert (exact < 1) == (d < data.limit[j])
    ax = plot_stability_region(data)
    assert drawn(ax, r"bound: $\rho = 1$") == data.limit.tolist()
    assert drawn(ax, r"this run: $\rho = 0.7$, stable") == [0.4]


def test_a_positive_determinant_is_drawn_unstable() -> None:
    data = stability_region_data([[3, 0.1], [0.1, 3]])
    assert not data.stable
    ax = plot_stability_region(data)
    assert drawn(ax, r"this run: $\rho = 3.1$, not stable") == [3.0]
    assert ax.get_xlim()[1] == pytest.approx(3.6)
    (branch,) = (line for line in ax.lines if "det" in str(line.get_label()))
    a, d = (np.asarray(part) for part in branch.get_data())
    assert (1 - a) * (1 - d) == pytest.approx(np.full(a.size, 0.01))


def test_strong_couplings_leave_no_stable_pair() -> None:
    assert not stability_region_data([[0, 2], [1, 0]]).limit.any()
    with pytest.raises(DomainError, match="points"):
        stability_region_data([[0, 2], [1, 0]], points=1)


def test_criticality_of_a_star_is_that_of_the_theory() -> None:
    data = criticality_data(0.4 * STAR)
    assert data.weight == pytest.approx([7.2222, *[3.8889] * 4], abs=1e-4)
    assert data.exposure == pytest.approx(data.weight)
    assert data.edges.tolist() == [[0, node] for node in range(1, 5)]
    assert data.strength == pytest.approx(np.ones(4))
    assert np.array_equal(data.position, criticality_data(0.4 * STAR).position)
    ax = plot_criticality(data, named=1)
    assert [text.get_text() for text in ax.texts] == ["0"]
    nodes = ax.collections[1]
    assert np.asarray(nodes.get_array()).tolist() == data.weight.tolist()
    assert labels(ax) == [f"{value:.3g}" for value in (data.exposure[1], 5.5556, data.exposure[0])]
    key = [line.get_markersize() ** 2 for line in ax.lines]
    sizes = np.asarray(nodes.get_sizes())
    assert [key[0], key[-1]] == pytest.approx([sizes.min(), sizes.max()])


def test_messages_of_a_pair_count_together_and_self_loops_are_no_edges() -> None:
    place = [[0, 0], [1, 0], [2, 0]]
    data = criticality_data([[0.5, 0.1, 0], [0.3, 0, 0.1], [0, 0, 0]], horizon=4, position=place)
    assert data.edges.tolist() == [[0, 1], [1, 2]]
    assert data.strength == pytest.approx([1, 0.25])
    assert data.position.tolist() == place
    nothing = criticality_data(np.zeros((2, 2)), horizon=0)
    assert nothing.edges.shape == (0, 2)
    assert not np.isnan(np.asarray(plot_criticality(nothing).collections[1].get_sizes())).any()
    assert labels(plot_criticality(nothing)) == ["0"]
    with pytest.raises(DomainError, match="position"):
        criticality_data(STAR, horizon=4, position=place)
    with pytest.raises(AssumptionError, match="below 1"):
        criticality_data(STAR)


def test_a_repair_path_holds_both_choices_and_the_optimum() -> None:
    groups = nx.to_numpy_array(nx.barbell_graph(5, 2))
    data = repair_data(groups, 2, optimum=True)
    assert data.residual["walks"] == pytest.approx([4.0687, 4.0548, 3], abs=1e-4)
    assert data.residual["radius"] == pytest.approx([4.0687, 4.0514, 4], abs=1e-4)
    assert data.optimum == pytest.approx([4.0687, 4.0514, 3], abs=1e-4)
    assert np.all(data.residual["walks"] <= data.walk_bound)
    ones = np.ones(12)
    assert data.walk_bound[0] == pytest.approx(
        (ones @ np.linalg.matrix_power(groups, 8) @ ones) ** 0.125
    )
    ax = plot_repair(data)
    assert drawn(ax, "greedy by walks") == data.residual["walks"].tolist()
    assert drawn(ax, "bound on the path by walks") == data.walk_bound.tolist()
    assert drawn(ax, "optimum, every region tried") == data.optimum.tolist()
    # the bound forbids nothing to the other path, so no area is hatched
    assert not ax.collections


def test_all_nodes_repaired_leave_nothing() -> None:
    data = repair_data(STAR, 5)
    assert (data.walk_bound[-1], data.residual["radius"][-1]) == (0, 0)
    assert "optimum, every region tried" not in labels(plot_repair(data))
    with pytest.raises(UnsupportedError, match="76904685"):
        repair_data(np.ones((40, 40)), 8, optimum=True)
