"""The style leaves matplotlib's settings alone, and a saved figure is the same every time."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import pytest
from matplotlib.figure import Figure
from matplotlib.pyplot import get_fignums

from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.plots.style import axes_or_new, band, bound, points_with_intervals, save_figure


def drawn() -> Figure:
    ax = axes_or_new(None)
    bound(ax, [0, 1], [0.5, 0.6], edge=1.0, label="bound")
    band(ax, [0, 1], [0.2, 0.3], ([0.1, 0.2], [0.3, 0.4]), label="line")
    points_with_intervals(ax, [0.5], [0.9], ([0.1], [0.4]))
    ax.legend()
    figure = ax.figure
    assert isinstance(figure, Figure)
    return figure


@pytest.mark.parametrize("ending", ["svg", "png", "pdf", "PNG"])
def test_the_same_plot_gives_the_same_bytes(ending: str, tmp_path: Path) -> None:
    first, again, anew = (tmp_path / f"{name}.{ending}" for name in ("first", "again", "anew"))
    figure = drawn()
    save_figure(figure, first)
    save_figure(figure, again)
    save_figure(drawn(), anew)
    assert first.read_bytes() == again.read_bytes() == anew.read_bytes()


def test_the_format_follows_the_ending(tmp_path: Path) -> None:
    starts = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    for ending, start in starts.items():
        save_figure(drawn(), tmp_path / f"a.{ending}")
        assert (tmp_path / f"a.{ending}").read_bytes().startswith(start)


@pytest.mark.parametrize("name", ["plot.gif", "plot"])
def test_another_format_is_refused_and_nothing_is_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="svg, png or pdf"):
        save_figure(drawn(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="writable place"):
        save_figure(drawn(), tmp_path / "nowhere" / "plot.svg")


def test_settings_and_open_figures_stay_as_they_were(tmp_path: Path) -> None:
    before = dict(matplotlib.rcParams)
    save_figure(drawn(), tmp_path / "plot.svg")
    assert dict(matplotlib.rcParams) == before
    assert get_fignums() == []


def test_given_axes_are_used_as_they_are() -> None:
    ax = Figure().add_subplot()
    assert axes_or_new(ax) is ax
    assert ax.spines["top"].get_visible()
    assert not axes_or_new(None).spines["top"].get_visible()


def test_the_forbidden_side_reaches_the_edge() -> None:
    ax = axes_or_new(None)
    bound(ax, [0, 1], [0.5, 0.6], edge=1.0, label="bound")
    (shaded,) = ax.collections
    heights = shaded.get_paths()[0].vertices[:, 1]
    assert heights.min() == 0.5
    assert heights.max() == 1.0
