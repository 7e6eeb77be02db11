"""One look for all plots, set on the artists themselves: no global setting changes.

The axes belong to a figure of their own, outside of pyplot, so nothing is shown and nothing stays
open. A bound is a black line with its forbidden side hatched, evidence is points with intervals.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rolltheory.errors import UnsupportedError
from rolltheory.files import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

__all__ = [
    "PALETTE",
    "axes_or_new",
    "band",
    "bound",
    "dressed",
    "legend",
    "points_with_intervals",
    "save_figure",
    "tries_axis",
]

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Colours of Okabe and Ito, which readers with any colour vision can tell apart."""

_FORMATS: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None},
}


def axes_or_new(ax: Axes | None) -> Axes:
    """The given axes as they are, or axes of a new figure in the house style."""
    if ax is not None:
        return ax
    from matplotlib.figure import Figure

    return dressed(Figure(figsize=(6.4, 4.2), dpi=120, layout="constrained").add_subplot())


def dressed(ax: Axes) -> Axes:
    """Give empty axes of your own the house style; returns them."""
    ax.set_prop_cycle(color=PALETTE)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(color="0.9", linewidth=0.8)
    ax.set_axisbelow(True)
    return ax


def tries_axis(ax: Axes, label: str) -> None:
    """Numbers of tries along the horizontal axis: doubling steps, written as plain numbers."""
    from matplotlib.ticker import LogLocator, NullLocator

    ax.set_xscale("log", base=2)
    ax.xaxis.set_major_locator(LogLocator(base=2, numticks=12))
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xlabel(label)


def bound(ax: Axes, x: npt.ArrayLike, limit: npt.ArrayLike, *, edge: float, label: str) -> None:
    """A bound as a black line, and the side that it forbids, up to ``edge``, hatched.

    Parameters
    ----------
    ax : Axes
    x, limit : array_like, shape (N,)
    edge : float
        Where the hatching ends: above the bound if nothing may lie above it, else below.
    label : str
    """
    ax.plot(x, limit, color="black", linewidth=1.5, label=label)
    ax.fill_between(
        np.asarray(x, dtype=np.float64),
        np.asarray(limit, dtype=np.float64),
        edge,
        facecolor="0.93",
        edgecolor="0.75",
        hatch="////",
        linewidth=0.0,
        zorder=0.5,
    )


def band(
    ax: Axes, x: npt.ArrayLike, value: npt.ArrayLike, interval: tuple[Any, Any], **style: Any
) -> Line2D:
    """A line amid its interval; ``style`` is that of the line, and its colour the band's too.

    A line with a ``label`` names its band after it.
    """
    (line,) = ax.plot(x, value, **style)
    look: dict[str, Any] = {"color": line.get_color(), "alpha": 0.18, "linewidth": 0.0}
    label = f"{style['label']}, interval" if "label" in style else None
    ax.fill_between(np.asarray(x), *interval, label=label, **look)
    return line


def points_with_intervals(
    ax: Axes, x: npt.ArrayLike, value: npt.ArrayLike, interval: tuple[Any, Any], **style: Any
) -> None:
    """Points, each with a bar from the lower to the upper limit of its interval.

    An interval need not contain its point: its bar is then drawn beside it.
    """
    at, lower, upper = np.broadcast_arrays(np.asarray(x, dtype=np.float64), *interval)
    look = {"marker": "o", "markersize": 5.0, "linestyle": "", **style}
    (points,) = ax.plot(at, value, **look)
    ax.vlines(at, lower, upper, color=points.get_color(), linewidth=1.5)
    for end in (lower, upper):
        ax.plot(at, end, "_", color=points.get_color(), markersize=9.0)


def legend(ax: Axes) -> None:
    """What each line means, once; drawn anew when a run is added."""
    once = {label: handle for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    look: dict[str, Any] = {"fontsize": "small", "edgecolor": "none", "framealpha": 0.85}
    ax.legend(once.values(), once.keys(), **look)


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure whole or not at all; the same figure gives the same bytes every time.

    Parameters
    ----------
    figure : Figure
    path : path that ends in ``.svg``, ``.png`` or ``.pdf``

    Raises
    ------
    UnsupportedError
        for another ending.
    DomainError
        if nothing can be written there.
    """
    import matplotlib

    ending = Path(path).suffix.lower()
    if ending not in _FORMATS:
        raise UnsupportedError(f"a plot as {ending or 'a file without ending'}", "svg, png or pdf")
    with replacing(path) as temporary, matplotlib.rc_context({"svg.hashsalt": "rolltheory"}):
        figure.savefig(temporary, format=ending[1:], metadata=_FORMATS[ending])
