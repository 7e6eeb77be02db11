"""The report on Pass@k as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from rolltheory.cli.output import print_paragraph, print_table

if TYPE_CHECKING:
    from rolltheory.reachability import RecoveryMap
    from rolltheory.report.pass_at_k import Extrapolation, PassAtKComparison, PassAtKReport

__all__ = ["print_comparison", "print_report"]


def print_report(report: PassAtKReport, *, all_of_k: bool, problems: bool) -> None:
    """Print the table of one file, what it means, and what to beware of."""
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
    if report.extrapolation:
        _print_extrapolation(report.extrapolation)
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


def _print_extrapolation(laws: Sequence[Extrapolation]) -> None:
    k = laws[0].result.k
    names = ["Beta and zero" if law.with_zero_mass else "Beta" for law in laws]
    click.echo(f"\nExtrapolated to k = {k}")
    print_table(
        ["law", f"pass@{k}", "interval", "a", "b", "zero", "limit"],
        [
            [
                name,
                law.result.estimate,
                tuple(law.result.interval),
                *(law.result.fit.a, law.result.fit.b, law.result.fit.zero_mass),
                law.result.fit.limit,
            ]
            for name, law in zip(names, laws, strict=True)
        ],
    )
    click.echo()
    print_paragraph("zero: share of problems that cannot be solved; limit: for endless tries.")
    if len(laws) > 1:
        criteria = " and ".join(f"{law.result.fit.akaike:.4f}" for law in laws)
        chosen = next(name for name, law in zip(names, laws, strict=True) if law.preferred)
        print_paragraph(f"Preferred by Akaike's criterion ({criteria}): {chosen}.")
    print_paragraph(
        "No estimate beyond the tries is unbiased. These rest on the law that is fitted to all"
        " problems together, the more so the larger k; the interval (bootstrap over problems) does"
        " not contain the error of the law.",
        hang="! ",
    )
    if len(laws) == 1:
        print_paragraph("The counts cannot tell a share of unsolvable problems.", hang="! ")
    for name, law in zip(names, laws, strict=True):
        for note in law.result.fit.boundary:
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


def print_comparison(comparison: PassAtKComparison) -> None:
    """Print the differences between two files, their verdict, and the recovery map."""
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
        slopes = [None, *recovery.local_exponents.tolist()]
        numbers = map(int, recovery.tries.tolist())
        rows = zip(numbers, recovery.base_tries.tolist(), slopes, strict=True)
        print_table(["second", "first", "local exponent"], list(rows))
        click.echo()
    if recovery.law is not None:
        print_paragraph(
            f"first = {recovery.law.coefficient:.4g} * second^{recovery.law.exponent:.4g} on these"
            " tries. While the local exponent drifts, the law does not hold beyond them."
        )
    if recovery.unreached.size:
        beyond = ", ".join(f"{tries:.0f}" for tries in recovery.unreached.tolist())
        print_paragraph(
            f"No number of tries of the first is known to match {beyond} of the second: its Pass@k"
            " stays below up to its last try."
        )
