"""Pass@k of files of scored tries, with what stands behind it and what does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from rolltheory.cli.options import tries_option
from rolltheory.cli.output import (
    json_option,
    output_option,
    print_paragraph,
    print_table,
    write_json,
)
from rolltheory.errors import DomainError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rolltheory.reachability import RecoveryMap
    from rolltheory.report.pass_at_k import PassAtKComparison, PassAtKReport

__all__ = ["FORMATS", "command"]

FORMATS = (
    "reasoning-gym",
    "tau-bench",
    "livecodebench",
    "human-eval",
    "large-language-monkeys",
    "evalplus",
    "multipl-e",
    "verl",
    "matrix",
    "count-table",
)
_ENDINGS = (".svg", ".png", ".pdf")


@click.command("pass-at-k", short_help="Pass@k of files of scored tries.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@tries_option(text="Default: powers of two up to the tries.")
@click.option("--threshold", type=float, default=1.0, show_default=True, help="Least good score.")
@click.option("--format", "format_name", type=click.Choice(FORMATS), help="Default: by content.")
@click.option("--confidence", type=float, default=0.95, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--extrapolate", type=int, metavar="K", help="Pass@K beyond the tries, by a law.")
@click.option("--all-of-k", "all_of_k", is_flag=True, help="Also the chance that all k succeed.")
@click.option("--problems", is_flag=True, help="Also the exact interval of every problem.")
@click.option("--skip-bad-lines", is_flag=True, help="Leave out lines that cannot be read.")
@output_option("--plot", "plot_file", text="Draw the curves as svg, png or pdf.")
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

    Of a file of n tries per problem, Pass@k is estimated without bias for k up to n; a larger k is
    refused, and only --extrapolate, which trusts a fitted law, goes beyond.
    """
    from rolltheory.readers import read_attempts
    from rolltheory.report import compare_reports, default_tries, pass_at_k_report

    _require_ending(plot_file)
    attempts = [
        read_attempts(file, format=format_name, skip_bad_lines=skip_bad_lines) for file in files
    ]
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
        for report in reports:
            _print_report(report, all_of_k=all_of_k, problems=problems)
        for comparison in comparisons:
            _print_comparison(comparison)
    files_json = [_as_json(report, problems=problems) for report in reports]
    write_json(json_file, {"files": files_json, "comparisons": comparisons})


def _require_ending(plot_file: str | None) -> None:
    if plot_file is not None and Path(plot_file).suffix.lower() not in _ENDINGS:
        raise DomainError("plot", plot_file, f"a name that ends in {', '.join(_ENDINGS)}")


def _print_report(report: PassAtKReport, *, all_of_k: bool, problems: bool) -> None:
    counts, first = report.counts, report.curve[0]
    fewest, most = first.fewest_samples, first.most_samples
    tries = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    click.echo(counts.source)
    solved = first.problems - first.unsolved_problems
    rule = "counted" if counts.format == "count-table" else f"score >= {report.threshold:g}"
    print_paragraph(
        f"{counts.format}; {first.problems} problem{'s' * (first.problems > 1)}, {tries}"
        f" {'try' if most == 1 else 'tries'} each, {solved} solved at least once; success: {rule}"
    )
    click.echo()
    level = f"{report.confidence:.4g}".removeprefix("0.")
    heads = ["k", "pass@k", "se tries", "se problems", f"interval .{level}", "plug-in"]
    rows: list[list[Any]] = [
        [
            point.k,
            point.estimate,
            point.fixed_problems_error,
            point.sampled_problems_error,
            tuple(point.interval),
            point.plug_in,
        ]
        for point in report.curve
    ]
    if all_of_k:
        heads.append("all-of-k")
        for row, value in zip(rows, report.all_of_k, strict=True):
            row.append(value)
    print_table(heads, rows)
    click.echo()
    for line in _legend(first.problems):
        print_paragraph(line)
    _print_extrapolation(report)
    if problems:
        _print_problems(report)
    for warning in report.warnings:
        print_paragraph(warning, hang="! ")
    click.echo()


def _legend(problems: int) -> Iterator[str]:
    if problems > 1:
        yield (
            "se tries: noise of the tries, for these problems. se problems: for a population of"
            " such problems, noise of the tries included; interval: bootstrap over problems."
        )
    else:
        yield "interval: exact (Clopper-Pearson) for this problem."
    yield "plug-in: 1 - (1 - c/n)^k, biased low, for contrast."


def _print_extrapolation(report: PassAtKReport) -> None:
    if not report.extrapolation:
        return
    k = report.extrapolation[0].k
    click.echo(f"\nExtrapolated to k = {k}")
    print_table(
        ["law", f"pass@{k}", "interval", "a", "b", "at zero", "limit", "AIC", "preferred"],
        [
            [
                "Beta and zero" if law.with_zero_mass else "Beta",
                law.estimate,
                tuple(law.interval),
                law.a,
                law.b,
                law.zero_mass,
                law.limit,
                law.akaike,
                law.preferred,
            ]
            for law in report.extrapolation
        ],
    )
    click.echo()
    print_paragraph(
        "No estimate beyond the tries is unbiased. These rest on the law that is fitted to all"
        " problems together, the more so the larger k; the interval (bootstrap over problems) does"
        " not contain the error of the law.",
        hang="! ",
    )
    if len(report.extrapolation) == 1:
        print_paragraph("The counts cannot tell a share of unsolvable problems.", hang="! ")
    for law in report.extrapolation:
        for note in law.boundary:
            name = "Beta and zero" if law.with_zero_mass else "Beta"
            print_paragraph(f"{name}: {note}.", hang="! ")


def _print_problems(report: PassAtKReport) -> None:
    import numpy as np

    from rolltheory.reachability import pass_at_k
    from rolltheory.readers.records import excerpt

    counts = report.counts
    tries = [point.k for point in report.curve]
    estimates = pass_at_k(counts.samples, counts.successes, np.array(tries)[:, np.newaxis])
    limits = report.exact_intervals()
    rows = [
        [
            excerpt(problem),
            int(counts.samples[at]),
            int(counts.successes[at]),
            k,
            float(estimates[row, at]),
            (limits[row].lower[at], limits[row].upper[at]),
        ]
        for at, problem in enumerate(counts.problem_ids)
        for row, k in enumerate(tries)
    ]
    click.echo("\nProblems, with exact intervals")
    print_table(["problem", "n", "c", "k", "pass@k", "exact interval"], rows)
    click.echo()


def _print_comparison(comparison: PassAtKComparison) -> None:
    click.echo(f"{comparison.second}\nminus {comparison.first}, problem by problem\n")
    heads = ["k", "first", "second", "difference", "interval", "p-value", "significant"]
    print_table(
        heads,
        [
            [
                pair.k,
                pair.first,
                pair.second,
                pair.difference,
                tuple(pair.interval),
                pair.p_value,
                pair.significant,
            ]
            for pair in comparison.differences
        ],
    )
    click.echo()
    for line in _verdict(comparison):
        print_paragraph(line)
    if comparison.recovery is not None:
        _print_recovery(comparison.recovery)
    click.echo()


def _verdict(comparison: PassAtKComparison) -> Iterator[str]:
    found = [pair for pair in comparison.differences if pair.significant]
    level = comparison.differences[0].confidence
    if found:
        tries = ", ".join(str(pair.k) for pair in found)
        yield f"Significant at {level:.4g} for k = {tries}, each k for itself."
    noise = [str(pair.k) for pair in comparison.differences if not pair.significant]
    if noise:
        yield (
            f"Not significant for k = {', '.join(noise)}: differences of this size can come from"
            " the choice of problems and the luck of the tries alone."
        )
    yield "Significant: the paired bootstrap interval leaves out 0 and the sign-flip test agrees."


def _print_recovery(recovery: RecoveryMap) -> None:
    if recovery.tries.size:
        click.echo("\nTries of the first that match tries of the second")
        heads = ["second", *(f"{tries:.0f}" for tries in recovery.tries.tolist())]
        print_table(heads, [["first", *recovery.base_tries.tolist()]])
        click.echo()
    if recovery.law is not None:
        slopes = recovery.local_exponents
        print_paragraph(
            f"first = {recovery.law.coefficient:.4g} * second^{recovery.law.exponent:.4g} on these"
            f" tries; local exponents from {slopes.min():.4g} to {slopes.max():.4g}, do not carry"
            " the law beyond them."
        )
    if recovery.unreached.size:
        beyond = ", ".join(f"{tries:.0f}" for tries in recovery.unreached.tolist())
        print_paragraph(
            f"No number of tries of the first is known to match {beyond} of the second: its Pass@k"
            " stays below up to its last try."
        )


def _plot(plot_file: str, reports: Sequence[PassAtKReport]) -> None:
    from dataclasses import replace

    from rolltheory.numerics.generators import seeded_generator
    from rolltheory.plots.reachability import pass_at_k_curve_data, plot_pass_at_k
    from rolltheory.plots.style import axes_or_new, save_figure
    from rolltheory.reachability import pass_at_k_interval

    ax = axes_or_new(None)
    for report in reports:
        counts = report.counts
        table = counts.samples, counts.successes
        laws = report.extrapolation
        data = pass_at_k_curve_data(
            *table,
            generator=seeded_generator(report.seed, "plot"),
            confidence=report.confidence,
            extrapolate_to=laws[0].k if laws else None,
            zero_mass=any(law.preferred and law.with_zero_mass for law in laws),
        )
        if counts.samples.size == 1:
            exact = pass_at_k_interval(*table, data.tries, confidence=report.confidence)
            data = replace(data, lower=exact.lower, upper=exact.upper)
        plot_pass_at_k(data, ax=ax, label=Path(counts.source).stem)
    save_figure(cast("Figure", ax.figure), plot_file)


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
        "extrapolation": report.extrapolation,
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
