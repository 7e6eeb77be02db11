"""The report on Pass@k as text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from os.path import splitext
from typing import TYPE_CHECKING, Any

import click

from rolltheory.cli.output import console, print_paragraph, print_table

if TYPE_CHECKING:
    from rolltheory.reachability import RecoveryMap
    from rolltheory.report.pass_at_k import Extrapolation, PassAtKComparison, PassAtKReport
    from rolltheory.stats.intervals import Interval

__all__ = ["print_comparison", "print_reports"]

_SMALLEST_P_VALUE = 1e-4  # below it four decimals show none
_OTHER_COLUMNS = 64  # width of the comparison without its two named columns
_BETWEEN_WORDS = re.compile(r"([\W_]+)")
_LETTER = re.compile(r"[^\W\d_]")
_EXTRAPOLATION_LEGEND = (
    "zero: share of problems that cannot be solved; limit: for endless tries.",
    "! No estimate beyond the tries is unbiased. These rest on the law that is fitted to all"
    " problems together, the more so the larger k; the interval (bootstrap over problems) does not"
    " contain the error of the law.",
)
_DIFFERENT_LAWS = (
    "Do not compare the preferred extrapolations of these files: different laws. Compare rows of"
    " one law, or the files themselves at a k within their tries."
)
_DECISIVE = 2.0  # a smaller difference in Akaike's criterion is no preference


def print_reports(reports: Sequence[PassAtKReport], *, all_of_k: bool, problems: bool) -> None:
    """Print the table of each file and what to beware of; what is true of all is said once."""
    said: set[str] = set()
    common: list[str] = []
    if len(reports) > 1:
        common = [line for line in reports[0].warnings if all(line in r.warnings for r in reports)]
    for report in reports:
        _print_curve(report, all_of_k=all_of_k)
        _say(_unsaid(_legend(report), said))
        if report.extrapolation:
            _print_extrapolation(report.extrapolation, said)
        if problems:
            _print_problems(report)
        _say([f"! {warning}" for warning in report.warnings if warning not in common])
        click.echo()
    if len({law.with_zero_mass for r in reports for law in r.extrapolation if law.preferred}) > 1:
        print_paragraph(_DIFFERENT_LAWS, hang="! ")
        click.echo()
    if common:
        click.echo("In each of these files:")
        for warning in common:
            print_paragraph(warning, hang="! ")
        click.echo()


def _unsaid(lines: Iterable[str], said: set[str]) -> list[str]:
    new = [line for line in lines if line not in said]
    said.update(new)
    return new


def _say(lines: Sequence[str]) -> None:
    """Print a blank line, then paragraphs; '! ' hangs to the left of its own."""
    if lines:
        click.echo()
    for line in lines:
        text = line.removeprefix("! ")
        print_paragraph(text, hang=line.removesuffix(text))


def _print_curve(report: PassAtKReport, *, all_of_k: bool) -> None:
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
    level = f"{report.confidence}".removeprefix("0")
    heads = ["k", "pass@k", "se tries", "se problems", f"interval {level}", "plug-in"]
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


def _legend(report: PassAtKReport) -> Iterator[str]:
    if report.curve[0].problems > 1:
        yield (
            "se tries: noise of the tries, for these problems. se problems: for a population of"
            " such problems, noise of the tries included; interval: bootstrap over problems."
        )
    else:
        yield "interval: exact (Clopper-Pearson) for this problem."
    yield "plug-in: 1 - (1 - c/n)^k, biased low, for contrast."


def _print_extrapolation(laws: Sequence[Extrapolation], said: set[str]) -> None:
    k = laws[0].result.k
    names = ["Beta and zero" if law.with_zero_mass else "Beta" for law in laws]
    click.echo(f"\nExtrapolated to k = {k}")
    print_table(
        ["law", f"pass@{k}", "interval", "a", "b", "zero", "limit"],
        [
            [
                name,
                law.result.estimate,
                _two_digits(law.result.interval),
                *(law.result.fit.a, law.result.fit.b, law.result.fit.zero_mass),
                law.result.fit.limit,
            ]
            for name, law in zip(names, laws, strict=True)
        ],
    )
    _say([*_unsaid(_EXTRAPOLATION_LEGEND, said), *_findings(names, laws)])


def _two_digits(interval: Interval) -> str:
    """Limits from a few hundred resamples, which tell no more digits."""
    return f"[{', '.join(f'{float(limit):#.2g}' for limit in interval)}]"


def _findings(names: Sequence[str], laws: Sequence[Extrapolation]) -> Iterator[str]:
    if len(laws) > 1:
        fits = [law.result.fit for law in laws]
        criteria = " and ".join(f"{fit.akaike:.4f}" for fit in fits)
        chosen = next(name for name, law in zip(names, laws, strict=True) if law.preferred)
        yield f"Preferred by Akaike's criterion ({criteria}): {chosen}."
        apart = abs(fits[0].akaike - fits[1].akaike)
        if apart < _DECISIVE and fits[0].limit != fits[1].limit:
            yield f"! The tries do not decide between the laws: the criteria differ by {apart:.1f}."
    else:
        yield "! The counts cannot tell a share of unsolvable problems."
    for name, law in zip(names, laws, strict=True):
        for note in law.result.fit.boundary:
            yield f"! {name}: {note}."


def _print_problems(report: PassAtKReport) -> None:
    import numpy as np

    from rolltheory.reachability import pass_at_k

    counts = report.counts
    tries = [point.k for point in report.curve]
    estimates = pass_at_k(counts.samples, counts.successes, np.array(tries)[:, np.newaxis])
    limits = report.exact_intervals()
    rows = [
        [
            label,
            int(counts.samples[at]),
            int(counts.successes[at]),
            k,
            float(estimates[row, at]),
            (limits[row].lower[at], limits[row].upper[at]),
        ]
        for at, label in enumerate(_labels(counts.problem_ids))
        for row, k in enumerate(tries)
    ]
    click.echo("\nProblems, with exact intervals")
    print_table(["problem", "n", "c", "k", "pass@k", "exact interval"], rows)


def _labels(problems: Sequence[str]) -> list[str]:
    """Short names of problems, no two alike: long ones without the words that all share.

    >>> _labels(["task 1", "task 2"])
    ["'task 1'", "'task 2'"]
    >>> _labels([f"Count the letters in the word {word}, please." for word in ("ox", "emu")])
    ["'ox'", "'emu'"]
    """
    from rolltheory.readers.records import excerpt

    short = list(map(excerpt, problems))
    if short != list(map(repr, problems)) and len(problems) > 1:
        start = _shared_words(problems)
        rest = [problem[start:] for problem in problems]
        end = _shared_words([part[::-1] for part in rest])
        short = [excerpt(part[: len(part) - end]) for part in rest]
    times, seen = Counter(short), Counter[str]()
    for at, label in enumerate(short):
        if times[label] > 1:
            seen[label] += 1
            short[at] = f"{label} #{seen[label]}"
    return short


def _shared_words(texts: Sequence[str]) -> int:
    """Length of what all texts begin with, without the part of a word at its end."""
    columns = zip(*texts, strict=False)
    shortest = min(map(len, texts))
    length = next((at for at, column in enumerate(columns) if len({*column}) > 1), shortest)
    while length and any(
        text[length - 1].isalnum() and text[length:][:1].isalnum() for text in texts
    ):
        length -= 1
    return length


def print_comparison(comparison: PassAtKComparison) -> None:
    """Print the differences between two files, their verdict, and the recovery map."""
    first, second = _names(comparison.first, comparison.second)
    click.echo(f"{comparison.second} ({second})")
    click.echo(f"minus {comparison.first} ({first}), problem by problem\n")
    heads = ["k", first, second, "difference", "interval", "p-value", "significant"]
    print_table(
        heads,
        [
            [
                pair.k,
                pair.first,
                pair.second,
                pair.difference,
                tuple(pair.interval),
                _p_value_text(pair.p_value),
                pair.significant,
            ]
            for pair in comparison.differences
        ],
    )
    click.echo()
    for line in _verdict(comparison):
        print_paragraph(line)
    if comparison.recovery is not None and any(p.significant for p in comparison.differences):
        _print_recovery(comparison.recovery, first, second)
    click.echo()


def _names(first: str, second: str) -> tuple[str, str]:
    """What to call two files: the parts of their paths that differ, if heads of columns hold them.

    >>> _names("runs/step_400_counts.csv", "runs/step_800_counts.csv")
    ('step_400', 'step_800')
    >>> _names("base/eval.json", "tuned/eval.json")
    ('base', 'tuned')
    """
    parts = [_BETWEEN_WORDS.split(splitext(file)[0]) for file in (first, second)]
    shortest = min(map(len, parts))
    start = next((i for i in range(shortest) if parts[0][i] != parts[1][i]), shortest)
    end = next((i for i in range(shortest - start) if parts[0][~i] != parts[1][~i]), 0)
    while start and "/" not in parts[0][start - 1] and not _all_have_letters(parts, start, end):
        start -= 1
    one, other = ("".join(part[start : len(part) - end]).strip(" ._-/") for part in parts)
    room = (console().width - _OTHER_COLUMNS) // 2
    if one != other and one and other and max(len(one), len(other)) <= room:
        return one, other
    return "first", "second"


def _all_have_letters(parts: Sequence[Sequence[str]], start: int, end: int) -> bool:
    return all(any(map(_LETTER.search, part[start : len(part) - end])) for part in parts)


def _p_value_text(p_value: float) -> str:
    if p_value < _SMALLEST_P_VALUE:
        return f"< {_SMALLEST_P_VALUE:.4f}"
    return f"{p_value:.4f}"


def _verdict(comparison: PassAtKComparison) -> Iterator[str]:
    found = [pair for pair in comparison.differences if pair.significant]
    level = comparison.differences[0].confidence
    if found:
        tries = ", ".join(str(pair.k) for pair in found)
        yield f"Significant at {level} for k = {tries}, each k for itself."
    noise = [str(pair.k) for pair in comparison.differences if not pair.significant]
    if noise:
        yield (
            f"Not significant for k = {', '.join(noise)}: differences of this size can come from"
            " the choice of problems and the luck of the tries alone."
        )
    detectable = {pair.k: pair.detectable_difference for pair in comparison.differences}
    if found_by := [f"{value:.2g} at k = {k}" for k, value in detectable.items() if value]:
        yield (
            f"Found with 80 % power by {comparison.differences[0].problems} such problems: a"
            f" difference of {', '.join(found_by)}."
        )
    yield "Significant: the paired bootstrap interval leaves out 0 and the sign-flip test agrees."


def _print_recovery(recovery: RecoveryMap, first: str, second: str) -> None:
    if recovery.tries.size:
        click.echo(f"\nTries of {first} that match tries of {second}")
        slopes = [None, *recovery.local_exponents.tolist()]
        numbers = map(int, recovery.tries.tolist())
        rows = zip(numbers, recovery.base_tries.tolist(), slopes, strict=True)
        print_table([second, first, "local exponent"], list(rows))
        click.echo()
    if recovery.law is not None:
        print_paragraph(
            f"Tries of {first} = {recovery.law.coefficient:.4g} * (tries of {second})"
            f"^{recovery.law.exponent:.4g} here. While the local exponent drifts, the law does not"
            " hold beyond these tries."
        )
    if recovery.unreached.size:
        beyond = ", ".join(f"{tries:.0f}" for tries in recovery.unreached.tolist())
        print_paragraph(
            f"No number of tries of {first} is known to match {beyond} of {second}: its Pass@k"
            " stays below up to its last try."
        )
