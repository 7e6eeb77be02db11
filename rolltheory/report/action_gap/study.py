"""The maze study in one table, beside the published one."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from math import isfinite

from rolltheory.action_gap.study import PUBLISHED, StudyRow, study_summary
from rolltheory.errors import DomainError

__all__ = ["MethodResult", "StudyReport", "study_report", "study_table"]

_CONFIGURATIONS = 120
_ALIKE = 3.0  # standard errors; five methods are compared
_REASONS = {
    "p = 16": "The published p = 16 had a fixed budget of iterations and no proof of convergence.",
    "amle": (
        "With exact labels a rollout on the exact AMLE fails by ties on a plateau or not at all; "
        "a midrange iteration that is stopped early fails about as often as the published AMLE "
        "(--methods amle,midrange1000). That it was one is a guess: its protocol is not known."
    ),
}


@dataclass(frozen=True)
class MethodResult:
    """Rollout success of one extension, as a mean over problems.

    Attributes
    ----------
    method : see `EXTENSIONS`
    success, standard_error : ties to the lowest index; no error is known from a single problem
    success_all, success_some : under every and under some way to break ties
    optimal : share of shortest paths among the successes, on problems that have some
    exact : share of starts from which every rollout is a shortest path
    label_sinks : share of the labels that are sinks
    published : success in the paper; None where it has no such method
    agrees : whether both are within three standard errors; None without anything to compare
    """

    method: str
    success: float
    standard_error: float | None
    success_all: float
    success_some: float
    optimal: float
    exact: float
    label_sinks: float
    published: float | None
    agrees: bool | None


@dataclass(frozen=True)
class StudyReport:
    """Results of the study.

    Attributes
    ----------
    problems : how many maze problems
    comparable : whether they are the 120 configurations that the published numbers are set beside
    methods : results, in the order of the rows
    statement : which published numbers agree, which do not, and why
    rows : all of them
    """

    problems: int
    comparable: bool
    methods: tuple[MethodResult, ...]
    statement: str
    rows: tuple[StudyRow, ...]


def study_report(rows: Sequence[StudyRow]) -> StudyReport:
    """The means over problems, and which of them agree with the published ones.

    Parameters
    ----------
    rows : of `study_rows`, every method on the same problems

    Returns
    -------
    StudyReport

    Raises
    ------
    DomainError
        without rows.
    """
    if not rows:
        raise DomainError("rows", 0, "at least one maze problem and one method")
    problems = {(row.layout, row.refinement, row.fraction, row.seed) for row in rows}
    comparable = _is_published_design(problems)
    measures = ("success_all", "success_some", "optimal", "exact", "label_sinks")
    means = {measure: study_summary(rows, measure) for measure in measures}
    methods = []
    for method, success in study_summary(rows, "success").items():
        published = PUBLISHED.get(method)
        agrees = None
        if published is not None and comparable:
            agrees = abs(success.mean - published) <= _ALIKE * success.standard_error
        others = {measure: found[method].mean for measure, found in means.items()}
        methods.append(
            MethodResult(
                method,
                success.mean,
                success.standard_error if isfinite(success.standard_error) else None,
                published=published,
                agrees=agrees,
                **others,
            )
        )
    results = tuple(methods)
    statement = _statement(results, comparable)
    return StudyReport(len(problems), comparable, results, statement, tuple(rows))


def study_table(rows: Sequence[StudyRow]) -> str:
    """The rows as comma-separated values under a header.

    Parameters
    ----------
    rows : of `study_rows`

    Returns
    -------
    str
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([field.name for field in fields(StudyRow)])
    table.writerows(map(astuple, rows))
    return text.getvalue()


def _is_published_design(problems: set[tuple[str, int, float, int]]) -> bool:
    layouts, refinements, fractions, _ = map(set, zip(*problems, strict=True))
    return (
        len(problems) == _CONFIGURATIONS
        and layouts == {"medium", "large"}
        and refinements == {4, 8, 12}
        and fractions == {0.01, 0.02, 0.05, 0.1}
    )


def _statement(results: Sequence[MethodResult], comparable: bool) -> str:
    if not comparable:
        return (
            "The published numbers are means over the 120 configurations of the defaults; on "
            "others they are shown but not compared."
        )
    alike = [result.method for result in results if result.agrees]
    apart = [result for result in results if result.agrees is False]
    parts = []
    if alike:
        parts.append(f"Within three standard errors of the published: {', '.join(alike)}.")
    if apart:
        listed = ", ".join(
            f"{result.method} ({result.success:.4f} against {result.published:.3f})"
            for result in apart
        )
        parts.append(f"Apart from it: {listed}.")
    parts += [_REASONS[result.method] for result in apart if result.method in _REASONS]
    return " ".join(parts)
