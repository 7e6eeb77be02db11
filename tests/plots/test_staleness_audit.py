"""What the audit's panel draws."""

import numpy as np
import pytest

from rolltheory.plots.staleness_audit import audit_panel_data, plot_audit_panel, plot_kl_by_lag
from rolltheory.staleness.run_log import LagDefinition, RunLog, Series


def log(**columns):
    size = len(next(iter(columns.values())))
    series = tuple(
        Series(
            name,
            f"raw/{name}",
            values,
            *(float(np.min(values)), float(np.max(values)), float(np.sum(values)), size),
            lag=LagDefinition("weight versions") if name == "lag_mean" else None,
        )
        for name, values in columns.items()
    )
    return RunLog("run", "generic", np.arange(size), series, rows=size)


LAG = np.tile([0.0, 1.0, 2.0, 4.0], 10)
NOISE = np.repeat([-1e-6, 1e-6], 20)


def test_the_panel_holds_group_means_and_their_fit():
    data = audit_panel_data(log(lag_mean=LAG, sampler_kl_k3=0.1 + 0.01 * LAG**2 + NOISE))
    assert data.kl_by_lag.lag.tolist() == [0, 1, 2, 4]
    assert data.kl_by_lag.mean == pytest.approx([0.1, 0.11, 0.14, 0.26], abs=1e-6)
    assert data.growth.exponent == pytest.approx(2.0, abs=0.05)
    axes = plot_kl_by_lag(data)
    fit = axes.get_lines()[-2]
    assert fit.get_ydata()[[0, -1]] == pytest.approx([0.1, 0.26], abs=1e-3)
    figure = plot_audit_panel(data)
    assert len(figure.axes) == 4
    full = {"lag_mean": LAG, "sampler_kl_k3": LAG, "clip_fraction": LAG, "reward": LAG}
    assert [axes.get_ylabel() for axes in plot_audit_panel(audit_panel_data(log(**full))).axes] == [
        "lag",
        "KL, nats per token",
        "share",
        "reward; entropy in nats per token",
    ]
    assert figure.axes[0].get_lines()[0].get_ydata().tolist() == LAG.tolist()


def test_what_the_log_lacks_is_said_on_its_axes():
    data = audit_panel_data(log(reward=NOISE))
    assert data.kl_by_lag is None
    panel = plot_audit_panel(data).axes
    assert [axes.axison for axes in panel] == [False, False, False, True]
    titles = [axes.get_title() for axes in panel]
    assert titles == [
        "lag: not in the log",
        "KL against lag: not in the log",
        "trust region: not in the log",
        "reward and entropy",
    ]


def test_two_lags_have_means_but_no_fit():
    data = audit_panel_data(log(lag_mean=LAG % 2, sampler_kl_k3=NOISE))
    assert data.growth is None
    assert data.kl_by_lag.lag.tolist() == [0, 1]
