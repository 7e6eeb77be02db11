"""Pass@k of files of scored tries, with what stands behind it and what does not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rolltheory.cli.options import tries_option
from rolltheory.cli.output import json_option, plot_option, save_plot, write_json
from rolltheory.errors import AssumptionError, DomainError

if TYPE_CHECKING:
    from rolltheory.plots.reachability import PassAtKCurve
    from rolltheory.readers import Attempts
    from rolltheory.report.pass_at_k import Extrapolation, PassAtKReport

__all__ = ["command"]

_PLOTTED = "Pass@k of each file with its interval as a band, and the plug-in estimate dotted."


class _WithFormats(click.Command):
    """A command whose help ends with what a file of each format holds."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        from rolltheory.readers import FORMATS

        with formatter.section("Formats"):
            formatter.write_dl([(name, module.SHAPE) for name, module in FORMATS.items()])


@click.command("pass-at-k", cls=_WithFormats, short_help="Pass@k of files of scored tries.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@tries_option(text="Default: powers of two up to the tries.")
@click.option("--threshold", type=float, default=1.0, show_default=True, help="Least good score.")
@click.option("--format", "format_name", metavar="FORMAT", help="Default: by content.")
@click.option("--confidence", type=float, default=0.95, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--extrapolate", type=int, metavar="K", help="Pass@K beyond the tries, by a law.")
@click.option("--all-of-k", "all_of_k", is_flag=True, help="Also the chance that all k succeed.")
@click.option("--problems", is_flag=True, help="Also the exact interval of every problem.")
@click.option("--skip-bad-lines", is_flag=True, help="Leave out lines that cannot be read.")
@plot_option("Draw the curves")
@json_option
def command(
    files: tuple[str, ...],
    tries: tuple[int, ...] | None,
    threshold: float,
    format_name: str | None,
    confidence: float,
    seed: int,
    extrapolate: int | None,
    all_of_k: bool,
    problems: bool,
    skip_bad_lines: bool,
    plot_file: str | None,
    json_file: str | None,
) -> None:
    """Pass@k of each FILE, and of every further one against the first, problem by problem.

    FILE may be a directory, if its format keeps one file per problem or task.

    Of a file of n tries per problem, Pass@k is estimated without bias for k up to n; a larger k is
    refused, and only --extrapolate, which trusts a fitted law, goes beyond.
    """
    from rolltheory.cli.pass_at_k_text import print_comparison, print_reports
    from rolltheory.readers import read_attempts
    from rolltheory.report import compare_reports, default_tries, pass_at_k_report

    _require_names(files, tries)
    attempts = [
        read_attempts(file, format=format_name, skip_bad_lines=skip_bad_lines) for file in files
    ]
    _require_beyond(extrapolate, attempts)
    if tries is None:
        tries = default_tries(min(int(tried.samples.min()) for tried in attempts))
    reports = [
        pass_at_k_report(
            tried,
            tries=tries,
            threshold=threshold,
            confidence=confidence,
            seed=seed,
            extrapolate_to=extrapolate,
        )
        for tried in attempts
    ]
    comparisons = [compare_reports(reports[0], other) for other in reports[1:]]
    if plot_file is not None:
        _plot(plot_file, reports)
    if json_file != "-":
        print_reports(reports, all_of_k=all_of_k, problems=problems)
        for comparison in comparisons:
            print_comparison(comparison)
        if plot_file is not None:
            click.echo(f"Wrote {plot_file}: {_PLOTTED}")
    files_json = [_as_json(report, problems=problems) for report in reports]
    write_json(json_file, {"files": files_json, "comparisons": comparisons})


def _require_names(files: Sequence[str], tries: Sequence[int] | None) -> None:
    """No number among the files: of ``--k 1 8`` the 8 is none."""
    for file in files:
        if tries is not None and file.isdecimal() and not Path(file).exists():
            wanted = ",".join(map(str, (*tries, file)))
            raise DomainError("file", file, f"a file; several k are written --k {wanted}")


def _require_beyond(extrapolate: int | None, attempts: Sequence[Attempts]) -> None:
    most = max(int(tried.samples.min()) for tried in attempts)
    if extrapolate is not None and extrapolate <= most:
        allowed = f"more than the {most} tries of a problem; up to there --k needs no fitted law"
        raise DomainError("extrapolate", extrapolate, allowed)
    for tried in attempts:
        if extrapolate is not None and int(tried.samples.max()) == 1:
            found = f"one try per problem in {tried.source}: nothing to fit"
            raise AssumptionError("some problem has at least 2 tries", found)


def _plot(plot_file: str, reports: Sequence[PassAtKReport]) -> None:
    from rolltheory.plots.reachability import plot_pass_at_k
    from rolltheory.plots.style import axes_or_new

    ax = axes_or_new(None)
    for report in reports:
        plot_pass_at_k(_curve(report), ax=ax, label=Path(report.counts.source).stem)
    save_plot(ax, plot_file)


def _curve(report: PassAtKReport) -> PassAtKCurve:
    """The curve at more k than the report, with the extrapolation of the preferred law."""
    from dataclasses import replace

    import numpy as np

    from rolltheory.numerics.generators import seeded_generator
    from rolltheory.plots.reachability import pass_at_k_curve_data
    from rolltheory.reachability import fitted_pass_at_k, pass_at_k_interval

    table = report.counts.samples, report.counts.successes
    generator = seeded_generator(report.seed, "plot")
    data = pass_at_k_curve_data(*table, generator=generator, confidence=report.confidence)
    if table[0].size == 1:
        exact = pass_at_k_interval(*table, data.tries, confidence=report.confidence)
        data = replace(data, lower=exact.lower, upper=exact.upper)
    law = next((law.result for law in report.extrapolation if law.preferred), None)
    if law is None:
        return data
    beyond = np.unique(np.geomspace(data.tries[-1], law.k, 24).round().astype(np.int64))
    extrapolated = fitted_pass_at_k(law.fit, beyond)
    return replace(data, beyond=beyond, extrapolated=extrapolated, extrapolation=law)


def _as_json(report: PassAtKReport, *, problems: bool) -> dict[str, Any]:
    counts = report.counts
    record: dict[str, Any] = {
        "source": counts.source,
        "format": counts.format,
        "threshold": report.threshold,
        "confidence": report.confidence,
        "seed": report.seed,
        "warnings": report.warnings,
        "curve": report.curve,
        "all_of_k": report.all_of_k,
        "extrapolation": [_law_as_json(law) for law in report.extrapolation],
        "problems": {
            "id": counts.problem_ids,
            "samples": counts.samples,
            "successes": counts.successes,
        },
        "skipped": counts.skipped,
    }
    if problems:
        record["problems"]["exact_intervals"] = [
            {"k": point.k, "lower": interval.lower, "upper": interval.upper}
            for point, interval in zip(report.curve, report.exact_intervals(), strict=True)
        ]
    return record


def _law_as_json(law: Extrapolation) -> dict[str, Any]:
    fit = law.result.fit
    return {
        "k": law.result.k,
        "with_zero_mass": law.with_zero_mass,
        "preferred": law.preferred,
        "estimate": law.result.estimate,
        "interval": law.result.interval,
        "a": fit.a,
        "b": fit.b,
        "zero_mass": fit.zero_mass,
        "limit": fit.limit,
        "akaike": fit.akaike,
        "boundary": fit.boundary,
    }
