"""Plots of one-inclusion hypergraphs, of dimensions against length, and of the risk of learners.

Lines are bounds, points are exact numbers or runs. Every function draws on the axes that it is
given, or on new ones, and returns them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from rolltheory.dimension.classes import ClassLike, HypothesisClass, as_class
from rolltheory.dimension.density import max_density, orientation
from rolltheory.dimension.parity import parity_kernel
from rolltheory.dimension.peeling import pseudo_cube_core
from rolltheory.dimension.sample_complexity import (
    error_needed_in_expectation,
    expected_error_bound,
)
from rolltheory.dimension.witnesses import Dimension
from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.plots.style import PALETTE, axes_or_new, bound, dressed, legend
from rolltheory.stats.intervals import clopper_pearson

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "Described",
    "RolledOut",
    "WindowShares",
    "plot_one_inclusion",
    "plot_risk",
    "plot_rollout_dimensions",
    "plot_rollout_risks",
    "plot_rollouts",
    "plot_windows",
    "window_shares",
]

_MOST_VERTICES = 64
_MARKERS = "os^Dv<>p"


class Described(Protocol):
    """A class whose dimensions are known: their names, and the number of points."""

    @property
    def dimensions(self) -> Mapping[str, Dimension[Any]]:
        """By name."""

    @property
    def points(self) -> int:
        """How many."""


class RolledOut(Protocol):
    """The traces of one length, described, with their exact leave-one-out risk where known."""

    @property
    def steps(self) -> int:
        """Tokens of a trace."""

    @property
    def report(self) -> Described:
        """Of the class of traces."""

    @property
    def risk(self) -> Fraction | None:
        """Mistakes on the worst target, as a share of the prompts."""


def plot_one_inclusion(hypotheses: ClassLike, *, ax: Axes | None = None) -> Axes:
    """The one-inclusion hypergraph of a small class, with heads that no rule fails too often.

    Vertices are rules. Rules that differ at one point only are joined, in the colour of the point;
    a triangle points to the head, the rule whose label is predicted there. The least number that
    works is the density, rounded up.

    Raises
    ------
    UnsupportedError
        for more rules than can be told apart.
    """
    whole = as_class(hypotheses)
    if len(whole) > _MOST_VERTICES:
        raise UnsupportedError(
            f"a drawing of {len(whole)} rules", f"at most {_MOST_VERTICES} can be told apart"
        )
    density = max_density(whole).value
    chosen = orientation(whole, ceil(density))
    heads = {} if chosen is None else chosen.heads  # there is one: the density allows it
    ax = axes_or_new(ax)
    place = _layout(whole)
    for number, point in enumerate(whole.points):
        colour, label = PALETTE[number % len(PALETTE)], f"differ at {point}"
        for line, members in _lines(whole, number).items():
            head = (*line[:number], heads[point, line], *line[number:])
            _draw_line(ax, [place[row] for row in members], place[head], colour, label)
    ax.plot(*np.array(list(place.values())).T, "o", color="black", markersize=4.0, zorder=3)
    for row, (x, y) in place.items() if len(whole) <= 2 * len(_MARKERS) else ():
        ax.annotate(_text(row), (x, y), xytext=(4, 4), textcoords="offset points", fontsize=7)
    ax.set_title(
        f"density {density}: each rule misses at most {ceil(density)} of its lines' heads",
        fontsize="medium",
    )
    ax.set_axis_off()
    legend(ax)
    return ax


def plot_rollouts(local: Described, rows: Sequence[RolledOut]) -> Figure:
    """Dimensions of the traces and the exact leave-one-out risk, side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 4.2), dpi=120, layout="constrained")
    left, right = map(dressed, figure.subplots(1, 2))
    plot_rollout_dimensions(local, rows, ax=left)
    plot_rollout_risks(local, rows, ax=right)
    return figure


def plot_rollout_dimensions(
    local: Described, rows: Sequence[RolledOut], *, ax: Axes | None = None
) -> Axes:
    """Dimensions of the traces against their length, with those of the rules at the left edge.

    Equal dimensions are drawn a little apart.
    """
    from matplotlib.ticker import MaxNLocator

    ax = axes_or_new(ax)
    names = [name for name in rows[0].report.dimensions if name != "VC"]
    for number, name in enumerate(names):
        found = [each.dimensions[name].lower for each in (local, *(row.report for row in rows))]
        shift = 0.06 * (number - (len(names) - 1) / 2)
        marker = _MARKERS[number % len(_MARKERS)]
        ax.plot(range(len(found)), np.array(found) + shift, marker=marker, label=name)
    ax.set_xticks(range(len(rows) + 1), ["rules", *(str(row.steps) for row in rows)])
    ax.set_xlabel("tokens of a trace")
    ax.set_ylabel("dimension (equal ones drawn apart)")
    ax.set_ylim(0, None)
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    legend(ax)
    return ax


def plot_rollout_risks(
    local: Described, rows: Sequence[RolledOut], *, ax: Axes | None = None
) -> Axes:
    """The exact leave-one-out risk at each length, where it is known, below what rules guarantee.

    The risk is that of the one-inclusion learner on the worst target; the bound is the least parity
    dimension of the rules as a share of the prompts, at every length.
    """
    ax = axes_or_new(ax)
    known = [(number, row) for number, row in enumerate(rows) if row.risk is not None]
    names = [name for name in local.dimensions if name.startswith("parity")]
    least = min(local.dimensions[name].upper for name in names)
    limits = [min(1.0, least / row.report.points) for row in rows]
    edge = 1.15 * max(limits)
    bound(ax, np.arange(len(rows)), limits, edge=edge, label=f"bound: {least} / prompts")
    risks = [float(row.risk or 0) for _, row in known]
    ax.plot([number for number, _ in known], risks, "o", label="one inclusion, worst target")
    ax.set_xticks(range(len(rows)), [str(row.steps) for row in rows])
    ax.set_ylim(0, edge)
    ax.set_xlabel("tokens of a trace")
    ax.set_ylabel("exact leave-one-out risk")
    legend(ax)
    return ax


def plot_risk(
    samples: npt.ArrayLike,
    risks: Sequence[Sequence[float]],
    names: Sequence[str],
    *,
    parity_dimension: int,
    ds_dimension: int,
    ax: Axes | None = None,
) -> Axes:
    """Risk against the number of traces, between what is guaranteed and what no learner beats.

    Parameters
    ----------
    samples : shape (M,)
    risks : one curve of shape (M,) for each name
    names : of the curves
    parity_dimension : the expected error of one inclusion is at most p / (m + 1)
    ds_dimension : the worst expected error of any learner is at least that of its lower bound
    """
    counts = np.asarray(samples)
    ax = axes_or_new(ax)
    upper = [expected_error_bound(parity_dimension, int(m)) for m in counts]
    bound(ax, counts, upper, edge=1.05, label=f"bound: {parity_dimension} / (m + 1)")
    if ds_dimension >= 2:  # else the lower bound is 0
        known = counts[counts >= ds_dimension - 2]
        lower = [float(error_needed_in_expectation(ds_dimension, int(m))) for m in known]
        ax.plot(known, lower, "--", color="black", label="worst case of any learner, at least")
    for number, (name, risk) in enumerate(zip(names, risks, strict=True)):
        ax.plot(counts, risk, marker=_MARKERS[number % len(_MARKERS)], label=name)
    ax.set_xscale("log", base=2)
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set_ylim(0, 1.05)
    ax.set_xlabel("traces m")
    ax.set_ylabel("probability of a wrong trace")
    legend(ax)
    return ax


@dataclass(frozen=True)
class WindowShares:
    """How often random windows hold a pseudo-cube, and how often a zero-sum function.

    Attributes
    ----------
    mean_degree : mean members of a line, shape (N,)
    windows : number drawn at each
    core, kernel : how many had one, shape (N,)
    """

    mean_degree: npt.NDArray[np.float64]
    windows: int
    core: npt.NDArray[np.int64]
    kernel: npt.NDArray[np.int64]


def window_shares(
    draws: Sequence[Sequence[ClassLike]], mean_degree: npt.ArrayLike, *, field: int = 2
) -> WindowShares:
    """Count the windows that hold a pseudo-cube and a zero-sum function at all of their points.

    Parameters
    ----------
    draws : windows, equally many for each mean degree
    mean_degree : shape (N,)
    field : prime of the zero-sum functions
    """
    sizes = {len(windows) for windows in draws}
    if len(sizes) != 1:
        raise DomainError("draws", sorted(sizes), "equally many windows at each mean degree")
    core = [sum(pseudo_cube_core(w) is not None for w in windows) for windows in draws]
    kernel = [sum(parity_kernel(w, field=field) is not None for w in windows) for windows in draws]
    degrees = np.asarray(mean_degree, dtype=np.float64)
    return WindowShares(degrees, sizes.pop(), np.array(core), np.array(kernel))


def plot_windows(shares: WindowShares, *, ax: Axes | None = None) -> Axes:
    """Shares of random windows with a pseudo-cube and with a zero-sum function, with intervals.

    Between the two thresholds DS and parity dimension differ: the gap is typical there.
    """
    ax = axes_or_new(ax)
    for counts, name in ((shares.core, "pseudo-cube"), (shares.kernel, "zero-sum function")):
        low, high = clopper_pearson(shares.windows, counts)
        (line,) = ax.plot(shares.mean_degree, counts / shares.windows, marker="o", label=name)
        ax.fill_between(shares.mean_degree, low, high, color=line.get_color(), alpha=0.18)
    ax.set_ylim(-0.02, 1.02)
    ax.set_xlabel("mean number of rules on a line")
    ax.set_ylabel("share of windows that hold one")
    legend(ax)
    return ax


def _lines(whole: HypothesisClass, number: int) -> dict[Any, list[Any]]:
    """The rules that agree at all points but one, where there are two or more of them."""
    found: dict[Any, list[Any]] = {}
    for row in whole.rows:
        found.setdefault(row[:number] + row[number + 1 :], []).append(row)
    return {line: members for line, members in found.items() if len(members) >= 2}


def _draw_line(ax: Axes, members: list[Any], head: Any, colour: str, label: str) -> None:
    """A hyperedge as spokes from its middle, with an arrow on the way to its head."""
    middle = np.mean(members, axis=0)
    for member in members:
        ax.plot(*np.stack([middle, member]).T, color=colour, linewidth=1.2, label=label)
    arrow = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.2}
    ax.annotate("", 0.4 * middle + 0.6 * np.asarray(head), middle, arrowprops=arrow)


def _layout(whole: HypothesisClass) -> dict[Any, Any]:
    """The same places at every call: rules that differ at one point are drawn together."""
    import networkx as nx

    graph: Any = nx.Graph()
    graph.add_nodes_from(whole.rows)
    for number in range(len(whole.points)):
        for members in _lines(whole, number).values():
            graph.add_edges_from((a, b) for i, a in enumerate(members) for b in members[:i])
    return dict(nx.kamada_kawai_layout(graph))


def _text(row: Sequence[object]) -> str:
    return "".join(map(str, row)) if all(len(str(x)) == 1 for x in row) else ",".join(map(str, row))
