"""The plotted numbers are those of the library, and what is drawn is what was computed."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba

from rolltheory.errors import AssumptionError, DomainError, UnsupportedError
from rolltheory.plots.reachability import (
    interval_coverage_data,
    pass_at_k_curve_data,
    pass_at_k_difference_data,
    plot_interval_coverage,
    plot_pass_at_k,
    plot_pass_at_k_difference,
    plot_plug_in_bias,
    plug_in_bias_data,
)
from rolltheory.plots.reachability_values import (
    calibration_data,
    limit_data,
    one_step_credit_data,
    plot_calibration,
    plot_limit,
    plot_one_step_credit,
    plot_state_graph,
    state_graph_data,
)
from rolltheory.reachability.exact import plug_in_bias_exact
from rolltheory.reachability.intervals import pass_at_k_interval
from rolltheory.reachability.state_graph import StateGraph

STEP_400 = [0, 1, 17, 2, 0, 0, 0, 0, 2, 7, 3, 1] + [0] * 9 + [1, 0, 2] + [0] * 6
STEP_800 = [0, 0, 8, 12, 0, 0, 0, 0, 4, 8, 3] + [0] * 11 + [4] + [0] * 5 + [1, 0]


def generator() -> np.random.Generator:
    return np.random.default_rng(0)


def labels(ax: Axes) -> list[str]:
    legend = ax.get_legend()
    assert legend is not None
    return [text.get_text() for text in legend.get_texts()]


def test_the_curve_of_a_real_benchmark() -> None:
    data = pass_at_k_curve_data(50, STEP_400, tries=[1, 8, 16, 32, 50], generator=generator())
    assert data.estimate.round(4).tolist() == [0.024, 0.1163, 0.1742, 0.2501, 0.3]
    assert (data.lower < data.estimate).all()
    assert (data.estimate < data.upper).all()
    assert data.plug_in[0] == pytest.approx(data.estimate[0], rel=1e-12)
    assert (data.plug_in[1:] < data.estimate[1:]).all()
    assert data.beyond.size == data.extrapolated.size == 0
    assert data.extrapolation is None


def test_points_run_to_the_fewest_tries() -> None:
    data = pass_at_k_curve_data([12, 9, 40], [1, 0, 7], generator=generator())
    assert data.tries.tolist() == list(range(1, 10))


def test_the_extrapolation_continues_the_curve() -> None:
    data = pass_at_k_curve_data(
        50, STEP_400, generator=generator(), extrapolate_to=400, resamples=20
    )
    assert data.extrapolation is not None
    assert data.beyond[[0, -1]].tolist() == [50, 400]
    assert data.extrapolated[-1] == data.extrapolation.estimate == pytest.approx(0.481, abs=5e-4)
    assert data.extrapolated[0] == pytest.approx(data.estimate[-1], abs=0.02)
    ax = plot_pass_at_k(data, label="step 400")
    assert labels(ax) == [
        "step 400",
        "step 400, interval",
        "step 400, plug-in",
        "step 400, extrapolated (Beta)",
        "step 400, limit of the law",
    ]
    lines = {str(line.get_label()): line for line in ax.lines}
    drawn = np.asarray(lines["step 400, extrapolated (Beta)"].get_ydata())
    assert drawn.tolist() == data.extrapolated.tolist()
    assert np.asarray(lines["step 400, limit of the law"].get_ydata()).tolist() == [1.0, 1.0]


def test_limits_that_coincide_are_both_visible() -> None:
    ax = None
    for successes in (STEP_400, STEP_800):
        data = pass_at_k_curve_data(
            50, successes, tries=[1], generator=generator(), extrapolate_to=60, resamples=2
        )
        ax = plot_pass_at_k(data, ax=ax)
    limits = [line for line in ax.lines if list(line.get_ydata()) == [1.0, 1.0]]
    assert [line.get_linestyle() for line in limits] == ["-", "--"]
    assert limits[0].get_color() != limits[1].get_color()


def test_the_legend_names_the_law() -> None:
    data = pass_at_k_curve_data(
        *(50, STEP_800),
        tries=[1],
        generator=generator(),
        extrapolate_to=60,
        zero_mass=True,
        resamples=2,
    )
    assert "Pass@k, extrapolated (Beta and zero)" in labels(plot_pass_at_k(data))


def test_two_runs_share_axes_in_two_colours() -> None:
    first = pass_at_k_curve_data(50, STEP_400, tries=[1, 50], generator=generator())
    second = pass_at_k_curve_data(50, STEP_800, tries=[1, 50], generator=generator())
    ax = plot_pass_at_k(first, label="step 400")
    assert plot_pass_at_k(second, ax=ax, label="step 800") is ax
    assert [name for name in labels(ax) if "," not in name] == ["step 400", "step 800"]
    assert ax.lines[0].get_color() == ax.lines[1].get_color() != ax.lines[2].get_color()


def test_the_curve_refuses() -> None:
    with pytest.raises(DomainError, match=r"extrapolate_to = 50 .* at least 51"):
        pass_at_k_curve_data(50, STEP_400, generator=generator(), extrapolate_to=50)
    with pytest.raises(DomainError, match="k = 51"):
        pass_at_k_curve_data(50, STEP_400, tries=[51], generator=generator())
    with pytest.raises(DomainError, match="at least one number of tries"):
        pass_at_k_curve_data(50, STEP_400, tries=[], generator=generator())
    with pytest.raises(AssumptionError, match="some try succeeds"):
        pass_at_k_curve_data(4, [0, 0], generator=generator(), extrapolate_to=8)


def test_a_crossing_that_is_noise_is_drawn_hollow() -> None:
    data = pass_at_k_difference_data(
        50, STEP_400, 50, STEP_800, tries=[8, 50], generator=generator()
    )
    assert data.difference.round(4).tolist() == [0.0194, -0.0667]
    assert (data.lower < 0).all()
    assert (data.upper > 0).all()
    assert not data.significant.any()
    filled = plot_pass_at_k_difference(data).lines[-2]
    assert np.size(filled.get_xdata()) == 0


def test_a_difference_that_is_none_is_drawn_filled() -> None:
    data = pass_at_k_difference_data(8, [0] * 20, 8, [8] * 20, tries=1, generator=generator())
    filled = plot_pass_at_k_difference(data).lines[-2]
    assert np.asarray(filled.get_ydata()).tolist() == data.difference.tolist() == [1.0]


def test_the_plug_in_bias_is_the_exact_one() -> None:
    data = plug_in_bias_data([8, 64], 8, success_probability=[0.25, 0.5])
    for row, n in enumerate((8, 64)):
        for column, p in enumerate((Fraction(1, 4), Fraction(1, 2))):
            exact = float(plug_in_bias_exact(n, 8, p))
            assert data.bias[row, column] == pytest.approx(exact, rel=1e-12)
            leading = -28 / n * float(p) * float(1 - p) ** 7
            assert data.first_order[row, column] == pytest.approx(leading, rel=1e-12)


def test_the_drawn_bias_never_enters_the_forbidden_side() -> None:
    data = plug_in_bias_data([8, 64], 8)
    assert data.bias.max() == 0.0
    ax = plot_plug_in_bias(data)
    assert labels(ax) == ["bound", "$n = 8$", "$n = 64$"]
    assert ax.get_ylim()[1] > 0
    assert plot_plug_in_bias(plug_in_bias_data(4, 1)).get_ylim()[0] < 0


def test_coverage_is_the_sum_of_binomial_chances() -> None:
    data = interval_coverage_data(10, 5, success_probability=[0.3])
    covered = Fraction(0)
    for c in range(11):
        low, high = pass_at_k_interval(10, c, 5)
        if low <= 1 - 0.7**5 <= high:
            covered += comb(10, c) * Fraction(3, 10) ** c * Fraction(7, 10) ** (10 - c)
    assert data.coverage["clopper_pearson"][0] == pytest.approx(float(covered), rel=1e-12)


def test_only_the_exact_interval_keeps_its_level() -> None:
    data = interval_coverage_data(10, 5)
    assert data.coverage["clopper_pearson"].min() == pytest.approx(0.9615, abs=5e-4)
    assert data.coverage["bayes"].min() < 0.9
    ax = plot_interval_coverage(data)
    assert labels(ax) == ["nominal level 0.95", "clopper-pearson", "bayes"]
    assert ax.get_ylim()[0] == pytest.approx(0.8)


def test_the_limit_is_reached_where_the_points_are() -> None:
    data = limit_data([0.5, 0.1, 0.01], tolerance=0.01)
    assert data.needed.tolist() == [7, 44, 459]
    assert (data.error <= data.ceiling * (1 + 1e-12)).all()
    ax = plot_limit(data)
    points = [line for line in ax.lines if line.get_marker() == "o"]
    assert [np.asarray(p.get_xdata()).item() for p in points] == [7, 44, 459]
    assert all(np.asarray(p.get_ydata()).item() <= 0.01 for p in points)
    with pytest.raises(DomainError, match="positive probability"):
        limit_data([0.5, 0.0])


def test_credit_is_rescaled_by_the_slope() -> None:
    data = one_step_credit_data([1, 8], value=[0.01, 0.1, 0.5])
    assert data.scale[0].tolist() == [1.0, 1.0, 1.0]
    assert data.scale[1].round(6).tolist() == [7.456523, 3.826375, 0.0625]
    ax = plot_one_step_credit(data)
    assert labels(ax)[-1] == "true advantage"
    assert ax.get_ylim()[1] == 16.0


def test_pools_lie_between_the_bounds_and_show_whether_they_are_calibrated() -> None:
    data = calibration_data([0.1, 0.1, 0.6], [0.0, 0.2, 0.9], 16)
    assert data.pools.predicted_pass_at_k[0].round(6) == 0.814698
    assert data.pools.actual_pass_at_k[0].round(6) == 0.485926
    assert (data.floor <= data.predicted).all()
    assert data.predicted[[0, -1]].tolist() == data.floor[[0, -1]].tolist() == [0.0, 1.0]
    pools = plot_calibration(data, color="red").collections[-1]
    assert np.asarray(pools.get_offsets())[0].round(6).tolist() == [0.814698, 0.485926]
    calibrated, other = pools.get_facecolor()
    assert tuple(calibrated) == to_rgba("red")
    assert other[3] == 0


EDGES = [
    (0, 1, 0.5),
    (0, 2, 0.3),
    (0, 3, 0.2),
    (1, 5, 0.6),
    (1, 2, 0.4),
    (2, 2, 0.5),
    (2, 0, 0.25),
    (2, 6, 0.25),
    (3, 4, 1.0),
    (4, 3, 1.0),
]


def test_a_state_graph_is_drawn_with_its_probabilities() -> None:
    data = state_graph_data(StateGraph.from_edges(EDGES, success=[5], absorbing=[6]))
    assert data.value.round(12).tolist() == [0.4, 0.68, 0.2, 0.0, 0.0, 1.0, 0.0]
    assert data.edges.tolist() == sorted([s, t] for s, t, _ in EDGES if s != t)
    distances = np.linalg.norm(data.position[:, None] - data.position, axis=-1)
    assert distances[~np.eye(7, dtype=bool)].min() > 0.1
    ax = plot_state_graph(data)
    assert len(ax.patches) == 9
    assert "1\n0.68" in [text.get_text() for text in ax.texts]


@pytest.mark.parametrize("edges", [[], [(1, 1, 1.0)]])
def test_graphs_of_little_form_are_drawn(edges: list[tuple[int, int, float]]) -> None:
    graph = StateGraph.from_edges(edges, success=[0], states=range(1 + len(edges)))
    assert len(plot_state_graph(state_graph_data(graph)).texts) == 1 + len(edges)


def test_a_crowd_of_states_is_refused() -> None:
    chain = [(s, s + 1, 1.0) for s in range(60)]
    with pytest.raises(UnsupportedError, match=r"a figure of 61 states .* at most 60"):
        state_graph_data(StateGraph.from_edges(chain, success=[60]))
