"""Dimensions of a class of rules, what they imply for learning it, and what rolling out does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Any

from rolltheory.dimension import (
    OneInclusionLearner,
    ds_dimension,
    graph_dimension,
    leave_one_out_mistakes,
    littlestone_dimension,
    max_density,
    natarajan_dimension,
    pac_sample_size,
    pac_sample_size_needed,
    parity_dimension,
    samples_for_expected_error,
    vc_dimension,
)
from rolltheory.dimension.classes import ClassLike, HypothesisClass, as_class
from rolltheory.dimension.witnesses import Dimension
from rolltheory.errors import DomainError, UnsupportedError

__all__ = [
    "ClassReport",
    "RolloutRow",
    "SampleSizes",
    "describe_class",
    "describe_rollouts",
    "rollout_remarks",
]

_MOST_TARGETS = 2_000


@dataclass(frozen=True)
class SampleSizes:
    """Exact traces that are enough, and without which no learner does.

    Attributes
    ----------
    error, failure_probability : epsilon and delta
    dimension : the least parity dimension, which the bounds take
    known : whether it is that, or only known not to be larger
    expected : enough for an expected error of epsilon, by the one-inclusion learner
    probable : enough for an error of epsilon with probability 1 - delta, by the vote of prefixes
    needed : fewer are not enough for the worst target and prompts; None where no bound applies
    """

    error: float
    failure_probability: float
    dimension: int
    known: bool
    expected: int
    probable: int
    needed: int | None


@dataclass(frozen=True)
class ClassReport:
    """A class, its dimensions with their witnesses, and what follows.

    Attributes
    ----------
    hypotheses, points : how many
    label_counts : labels at each point
    dimensions : by name, from the smallest in the chain on
    density : the largest excess per hypothesis over all parts of the class, at all of its points
    sizes : None while no parity dimension is known
    remarks : a sentence on each inequality of the chain that is strict here
    """

    hypotheses: int
    points: int
    label_counts: tuple[int, ...]
    dimensions: Mapping[str, Dimension[Any]]
    density: Fraction
    sizes: SampleSizes | None
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class RolloutRow:
    """The class of traces of one length.

    Attributes
    ----------
    steps : tokens of a trace
    report : of the class of traces
    mistakes : the most mistakes, over all targets, that the one-inclusion learner makes when each
        prompt is left out once; None where there are too many targets to try
    """

    steps: int
    report: ClassReport
    mistakes: Fraction | None

    @property
    def risk(self) -> Fraction | None:
        """The mistakes as a share of the prompts: the exact leave-one-out risk."""
        return None if self.mistakes is None else self.mistakes / self.report.points


def describe_class(
    hypotheses: ClassLike,
    *,
    fields: Sequence[int] = (2, 3),
    budget: int | None = None,
    seconds: float | None = None,
    error: float = 0.1,
    failure_probability: float = 0.05,
    on_done: Callable[[], None] = lambda: None,
) -> ClassReport:
    """Every dimension of a class with its witness, its density, and the sample sizes they imply.

    Parameters
    ----------
    hypotheses : class or rows
    fields : primes for the parity dimension
    budget : sets of points that each search tests at most; then dimensions may be intervals
    seconds : time after which each search ends; likewise
    error, failure_probability : epsilon and delta of the sample sizes
    on_done : called after each dimension

    Raises
    ------
    DomainError
        if no field is given, one is no prime, the budget is not positive, the time negative, or
        epsilon or delta is out of range.
    """
    if not fields:
        raise DomainError("fields", fields, "at least one prime")
    whole = as_class(hypotheses)
    dimensions = {}
    for name, find in _searches(whole, fields):
        dimensions[name] = find(whole, budget=budget, seconds=seconds)
        on_done()
    dimensions = dict(_capped(dimensions))
    density = max_density(whole).value
    return ClassReport(
        len(whole),
        len(whole.points),
        whole.label_counts,
        dimensions,
        density,
        _sample_sizes(dimensions, fields, error, failure_probability),
        tuple(_remarks(dimensions, fields, density)),
    )


def describe_rollouts(
    rolled: Callable[[int], HypothesisClass],
    steps: Sequence[int],
    *,
    on_done: Callable[[], None] = lambda: None,
    **settings: Any,
) -> tuple[RolloutRow, ...]:
    """The class of traces at each length, with the exact leave-one-out risk of one inclusion.

    Parameters
    ----------
    rolled : function from a number of tokens to the class of traces
    steps : lengths, in ascending order
    on_done : called after each length
    settings : of `describe_class`
    """
    rows = []
    for length in steps:
        traces = rolled(length)
        rows.append(RolloutRow(length, describe_class(traces, **settings), _most_mistakes(traces)))
        on_done()
    return tuple(rows)


def rollout_remarks(local: ClassReport, rows: Sequence[RolloutRow]) -> Iterator[str]:
    """A sentence on each dimension that rolling out changes."""
    for name, before in local.dimensions.items():
        if name == "VC":
            continue
        for row in rows:
            after = row.report.dimensions[name]
            if after.lower > before.upper:
                yield f"{name}: {before.upper} for rules, {after.lower} for traces of {row.steps}"
                break
    for earlier, later in pairwise(rows):
        first, last = _ds(earlier.report), _ds(later.report)
        if last.upper < first.lower:
            yield (
                f"from {earlier.steps} to {later.steps} tokens the DS dimension falls from "
                f"{first.lower} to {last.upper}: longer traces tell more about the rule"
            )


def _searches(
    whole: HypothesisClass, fields: Sequence[int]
) -> Iterator[tuple[str, Callable[..., Dimension[Any]]]]:
    yield "Natarajan", natarajan_dimension
    for field in fields:
        yield (
            _parity(field),
            lambda found, field=field, **limit: parity_dimension(found, field=field, **limit),
        )
    yield "DS", ds_dimension
    yield "graph", graph_dimension
    yield "Littlestone", littlestone_dimension
    if max(whole.label_counts) <= 2:
        yield "VC", vc_dimension


def _capped(
    dimensions: Mapping[str, Dimension[Any]],
) -> Iterator[tuple[str, Dimension[Any]]]:
    """Where a search has left an interval, no more than what bounds the dimension in the chain."""
    largest = min(dimensions[name].upper for name in ("DS", "graph", "Littlestone"))
    for name, found in dimensions.items():
        above = largest if name == "DS" else dimensions["DS"].upper
        if name in ("graph", "Littlestone", "VC") or found.upper <= min(above, largest):
            yield name, found
        else:
            least = min(above, largest)
            reason = f"{found.reason}; and no dimension above it in the chain exceeds {least}"
            yield name, replace(found, upper=least, reason=reason)


def _parity(field: int) -> str:
    return f"parity mod {field}"


def _ds(report: ClassReport) -> Dimension[Any]:
    return report.dimensions["DS"]


def _most_mistakes(traces: HypothesisClass) -> Fraction | None:
    if len(traces) > _MOST_TARGETS:
        return None
    learner = OneInclusionLearner(traces)
    return max(leave_one_out_mistakes(learner, traces.points, row) for row in traces.rows)


def _sample_sizes(
    dimensions: Mapping[str, Dimension[Any]],
    fields: Sequence[int],
    error: float,
    failure_probability: float,
) -> SampleSizes:
    parities = [dimensions[_parity(field)] for field in fields]
    least = min(found.upper for found in (*parities, dimensions["DS"]))
    try:
        needed = pac_sample_size_needed(
            dimensions["DS"].lower, error=error, failure_probability=failure_probability
        )
    except (DomainError, UnsupportedError):
        needed = None
    return SampleSizes(
        error,
        failure_probability,
        least,
        any(found.lower == least for found in parities),
        samples_for_expected_error(least, error),
        pac_sample_size(least, error=error, failure_probability=failure_probability),
        needed,
    )


def _remarks(
    dimensions: Mapping[str, Dimension[Any]], fields: Sequence[int], density: Fraction
) -> Iterator[str]:
    """What is strict in the chain Natarajan <= parity <= DS <= graph, Littlestone."""
    parities = {field: dimensions[_parity(field)] for field in fields}
    ds, largest = dimensions["DS"], max(found.lower for found in parities.values())
    if dimensions["Natarajan"].upper < largest:
        yield (
            f"Natarajan {dimensions['Natarajan'].upper} < parity {largest}: signed counts cancel "
            "on sets that hold no cube of two labels a point"
        )
    ordered = sorted(parities.items(), key=lambda pair: pair[1].upper)
    (low, least), (high, most) = ordered[0], ordered[-1]
    if least.upper < most.lower:
        yield (
            f"parity {least.upper} mod {low} < {most.lower} mod {high}: it depends on the field; "
            "every field bounds what a learner needs, so the least one counts"
        )
    if least.upper < ds.lower:
        yield (
            f"parity {least.upper} mod {low} < DS {ds.lower}: a pseudo-cube carries no zero-sum "
            f"function there; DS is less than twice the parity dimension, {2 * least.upper}"
        )
    if ds.upper < dimensions["graph"].lower:
        yield (
            f"DS {ds.upper} < graph {dimensions['graph'].lower}: fitting any consistent rule can "
            "need more traces than the one-inclusion learner"
        )
    if ds.upper < dimensions["Littlestone"].lower:
        yield (
            f"DS {ds.upper} < Littlestone {dimensions['Littlestone'].lower}: prompts that an "
            "adversary chooses cost more mistakes than random ones"
        )
    if ceil(density) < least.lower:
        yield (
            f"density {density} at all points: when each is left out once, one inclusion is wrong "
            f"{_times(ceil(density))} at most, less than the parity dimension {least.lower}"
        )


def _times(count: int) -> str:
    return {0: "never", 1: "once"}.get(count, f"{count} times")
