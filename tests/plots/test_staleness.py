"""The plotted numbers are those of the theory, and what is drawn is what was computed."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rolltheory.errors import DomainError
from rolltheory.plots.staleness import (
    collapse_time_data,
    learning_rate_map_data,
    plot_collapse_time,
    plot_learning_rate_map,
    plot_stability_limit,
    stability_limit_data,
)
from rolltheory.plots.staleness_weights import (
    effective_sample_floor_data,
    plot_effective_sample_floor,
    plot_prompt_weight,
    plot_stale_bias,
    plot_truncated_mean,
    prompt_weight_data,
    stale_bias_data,
    truncated_mean_data,
)
from rolltheory.plots.style import save_figure


def labels(ax: Axes) -> list[str]:
    legend = ax.get_legend()
    assert legend is not None
    return [text.get_text() for text in legend.get_texts()]


def drawn(ax: Axes, label: str) -> list[float]:
    (line,) = (line for line in ax.lines if line.get_label() == label)
    values: list[float] = np.asarray(line.get_ydata()).tolist()
    return values


def slope(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def test_the_rule_binds_where_both_limits_cross() -> None:
    data = learning_rate_map_data(320, 1.6e-6, 3.2e-5, 1.0, lag=[8, 16, 32])
    assert data.rule.lag_limit == pytest.approx([2e-7, 1e-7, 5e-8], rel=1e-12)
    assert data.rule.learning_rate == pytest.approx([1e-7, 1e-7, 5e-8], rel=1e-12)
    assert data.rule.binding.tolist()[::2] == ["horizon", "lag"]
    assert data.rule.crossover_lag == pytest.approx([16.0] * 3)
    ax = plot_learning_rate_map(data)
    assert drawn(ax, "bound: the lower of both") == data.rule.learning_rate.tolist()
    assert [text.get_text() for text in ax.texts] == ["horizon binds ", " lag binds above 16"]
    assert ax.texts[0].get_position()[0] == pytest.approx(16.0)


def test_value_nine_is_on_the_map() -> None:
    radius, norm = math.log(1.2) / math.sqrt(2), math.sqrt(7 / 16)
    data = learning_rate_map_data(1, radius, radius, norm, lag=8)
    assert data.rule.lag_limit[0] == pytest.approx(0.0243637428, abs=1e-10)
    assert not plot_learning_rate_map(data).texts


def test_the_map_chooses_lags_about_the_crossover() -> None:
    data = learning_rate_map_data(1000, 0.1289, 1.289, 0.6614)
    assert (data.lag[0], data.lag[-1]) == (1, 1600)
    assert 100 in data.lag
    sync = learning_rate_map_data(1000, 0.1289, 1.289, 0.6614, schedule="sync")
    assert np.isinf(sync.rule.lag_limit[0])
    assert sync.rule.crossover_lag[0] == pytest.approx(101.0)
    top = plot_learning_rate_map(sync).get_ylim()[1]
    assert top == pytest.approx(8 * sync.rule.horizon_limit[0])


def test_the_map_refuses_a_lag_of_zero() -> None:
    with pytest.raises(DomainError, match=r"lag .*at least 1"):
        learning_rate_map_data(10, 1.0, 1.0, 1.0, lag=[0, 1])


def test_only_a_heavy_behaviour_share_obeys_the_lag_law() -> None:
    data = stability_limit_data([0.4, 1.0], lag=[2, 4, 8, 16, 32])
    known = [0.6180339887, 0.3472963553, 0.1845367189, 0.0951638316, 0.0483274905]
    assert data.limit[1] == pytest.approx(known, abs=1e-10)
    assert data.limit[0] == pytest.approx([2.0] * 5)
    assert np.isinf(data.long_lag[0]).all()
    assert data.long_lag[1] == pytest.approx(np.pi / 2 / data.lag)
    ax = plot_stability_limit(data)
    assert labels(ax) == ["behaviour share 0.4", "behaviour share 1", "law $1/S$"]
    assert drawn(ax, "behaviour share 1") == data.limit[1].tolist()
    assert drawn(ax, "law $1/S$") == data.long_lag[1].tolist()


def test_the_sync_law_has_its_own_constants() -> None:
    data = stability_limit_data([0.6, 0.75, 0.9, 1.0], lag=1024, schedule="sync")
    law = (data.long_lag * data.lag)[:, 0]
    assert law == pytest.approx([4.0236, 2.7726, 2.2314, 2.0], abs=5e-5)
    assert data.limit == pytest.approx(data.long_lag, rel=5e-3)


def test_collapse_times_have_the_slopes_of_their_drift() -> None:
    data = collapse_time_data([0.2, 0.1, 0.05, 0.025, 0.0125], 1.0)
    assert data.slope.round(3).tolist() == [-2.0, -1.941, -1.456, -0.944]
    assert data.time[0].tolist() == [6400, 1600, 400, 100, 25]
    assert data.bound.tolist() == [80, 40, 20, 10, 5]
    assert (data.time >= data.bound).all()
    ax = plot_collapse_time(data)
    assert labels(ax)[:2] == ["bound, slope $-1$", "correlation 0: slope $-2.00$"]
    assert drawn(ax, "correlation 0: slope $-2.00$") == [6400, 1600, 400, 100, 25]
    assert ax.get_ylim()[0] == 2.5


def test_the_collapse_bound_is_met_by_straight_drift() -> None:
    data = collapse_time_data([1e-3, 1e-2], 0.5, correlation=1.0, update_norm=2.0)
    assert data.time.tolist() == [data.bound.tolist()] == [[250, 25]]


def test_one_learning_rate_has_no_slope() -> None:
    with pytest.raises(DomainError, match="at least two different learning rates"):
        collapse_time_data([0.1, 0.1], 1.0)


def test_the_bias_is_the_one_of_the_exact_map() -> None:
    data = stale_bias_data(4, 0.5, displacement=math.log(3) / math.sqrt(2))
    assert data.bias.item() == pytest.approx(0.0102552937, abs=1e-10)
    assert data.bound.item() == pytest.approx(0.0580127019 * math.log(3) / math.sqrt(2))


def test_the_bias_is_of_first_order_but_at_one_half() -> None:
    distances = np.sqrt(2) * np.array([0.005, 0.01, 0.02, 0.04])
    data = stale_bias_data(8, [0.3, 0.5], displacement=distances)
    assert data.bias[0, 1, 0] < 5.7168e-6
    assert slope(distances, data.bias[0, 0]) == pytest.approx(1.0, abs=0.02)
    assert slope(distances, data.bias[0, 1]) == pytest.approx(2.0, abs=1e-3)


def test_small_groups_have_no_bias_and_are_drawn_at_the_foot() -> None:
    data = stale_bias_data()
    assert data.bias[:2].max() < 1e-15
    assert not data.bound[:2].any()
    assert (data.bias[2] <= data.bound[2]).all()
    ax = plot_stale_bias(data)
    zeros = "$n = $ 2, 3: exactly 0"
    assert labels(ax) == ["bound, $n = 8$", "$n = 8$, $p = 0.3$", "$n = 8$, $p = 0.5$", zeros]
    assert drawn(ax, "$n = 8$, $p = 0.5$") == data.bias[2, 1].tolist()
    assert max(drawn(ax, zeros)) < data.bias[2].min()
    assert min(drawn(ax, zeros)) > ax.get_ylim()[0]


def test_groups_without_any_bias_can_be_drawn_alone() -> None:
    ax = plot_stale_bias(stale_bias_data([2, 3]))
    assert labels(ax) == ["$n = $ 2, 3: exactly 0"]


@pytest.mark.parametrize(
    ("probability", "name"), [(0.0, "success_probability"), (1.0, "1 - success_probability")]
)
def test_the_bias_refuses_a_certain_answer(probability: float, name: str) -> None:
    with pytest.raises(DomainError, match=f"^{name} = 0.0"):
        stale_bias_data(success_probability=probability)


def test_prompt_weights_are_known_and_below_their_limit() -> None:
    data = prompt_weight_data([2, 3, 8], success_probability=[0.1, 0.25, 0.5])
    assert data.weight[0].tolist() == [1.0, 1.0, 1.0]
    assert data.weight[1] == pytest.approx([math.sqrt(2)] * 3)
    assert data.weight[2] == pytest.approx([2.3276890521, 2.0261155898, 1.8556559496])
    assert data.limit == pytest.approx([3.33333333, 2.30940108, 2.0])
    ax = plot_prompt_weight(data)
    assert drawn(ax, "$n = 8$") == data.weight[2].tolist()
    assert (prompt_weight_data().weight < prompt_weight_data().limit).all()


def test_a_logged_mean_is_read_off_the_curves() -> None:
    data = truncated_mean_data([2, 3], logged_mean=0.569, log_variance=[0.25, 1.0, 4.0])
    assert data.truncated[1] == pytest.approx([0.995840, 0.890144, 0.508067], abs=1e-6)
    assert data.truncated[0] == pytest.approx([0.973861, 0.809390, 0.434858], abs=1e-6)
    assert data.masked[1] == pytest.approx([0.974246, 0.725284, 0.326105], abs=1e-6)
    assert data.truncated_reading[1] == pytest.approx(3.37, abs=5e-3)
    ax = plot_truncated_mean(data)
    points = [line for line in ax.lines if line.get_marker() == "o"]
    assert np.asarray(points[1].get_xdata()).round(3).tolist() == [3.369, 1.739]
    assert [points[1].get_color()] == [
        line.get_color() for line in ax.lines if line.get_label() == "truncated at 3"
    ]


def test_the_variances_reach_to_every_reading() -> None:
    data = truncated_mean_data(10.0, logged_mean=0.2)
    assert data.log_variance[-1] > data.truncated_reading[0] > 6
    plain = truncated_mean_data(3.0)
    assert plain.log_variance[-1] == 6
    assert plain.truncated_reading.size == 0
    assert labels(plot_truncated_mean(plain)) == ["truncated at 3", "masked above 3"]


def test_an_alarm_starts_where_the_floor_lets_it_fire() -> None:
    data = effective_sample_floor_data(0.3, clamp=[1, 2, 5, 10])
    assert data.floor == pytest.approx([1.0, 0.64, 0.1479290, 0.0392118], abs=1e-7)
    assert data.fires_from == pytest.approx([3.3533], abs=5e-5)
    ax = plot_effective_sample_floor(data)
    (alarm,) = (line for line in ax.lines if str(line.get_label()).startswith("alarm"))
    assert np.asarray(alarm.get_xdata()).tolist() == [data.fires_from[0], 10.0]
    assert labels(ax) == ["least possible value", 'alarm "below 0.3": needs $c > 3.35$']


def test_the_effective_sample_floor_refuses_a_clamp_below_one() -> None:
    with pytest.raises(DomainError, match="lowest"):
        effective_sample_floor_data(clamp=0.5)


def test_the_same_plot_gives_the_same_file(tmp_path: Path) -> None:
    paths = [tmp_path / "first.svg", tmp_path / "second.svg"]
    for path in paths:
        figure = plot_prompt_weight(prompt_weight_data()).figure
        assert isinstance(figure, Figure)
        save_figure(figure, path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
