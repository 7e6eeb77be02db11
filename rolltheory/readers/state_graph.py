"""Read a state graph from a file: an edge list as CSV or as JSON, told apart by content.

**CSV**: the header ``source,target,probability``, then one edge a line. A line with an empty target
declares its state a success or absorbing::

    source,target,probability
    start,solved,0.2
    start,start,1/2
    start,stuck,0.3
    solved,,success
    stuck,,absorbing

**JSON**: one object; ``absorbing`` may be left out. Labels are strings or whole numbers::

    {"edges": [["start", "solved", 0.2], ["start", "start", "1/2"], ["start", "stuck", 0.3]],
     "success": ["solved"],
     "absorbing": ["stuck"]}

In both a probability is a decimal number or a fraction ``a/b``, and the contract of `StateGraph`
holds: every state that is neither a success nor absorbing has a way out, and its probabilities sum
to one. States are numbered in order of first appearance.
"""

from __future__ import annotations

import csv
import json
from array import array
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from os import PathLike
from typing import IO, Any, NoReturn

import numpy as np
from scipy.sparse import coo_array

from rolltheory.errors import DomainError, ReaderError
from rolltheory.files import require_regular
from rolltheory.reachability.state_graph import ROW_SUM_TOLERANCE, StateError, StateGraph

__all__ = ["read_state_graph"]

_SIMPLE, _ROUNDING = 20, 0.005  # denominators and errors of fractions cut to a few digits
_HEADER = ["source", "target", "probability"]
_LONGEST_LINE = 65_536  # characters
_LARGEST_JSON = 2**28  # characters; JSON is read whole, CSV line by line


def read_state_graph(
    path: str | PathLike[str],
    *,
    exact: bool = False,
    success: Iterable[str] = (),
    row_sum_tolerance: float = ROW_SUM_TOLERANCE,
) -> StateGraph:
    """The state graph in a CSV or JSON file; see the module for both formats.

    Parameters
    ----------
    path : file
    exact : bool
        Keep the written decimals and fractions as rationals, for `success_probability_exact`. Slow
        and large beyond some 1e5 edges.
    success : strings
        Labels of success states beside those that the file declares, absorbing states of the file
        among them; digits name a numbered state unless a state has them as its text.
    row_sum_tolerance : float
        How far the probabilities out of a state may sum from one.

    Returns
    -------
    StateGraph

    Raises
    ------
    ReaderError
        with the line (CSV) or the field (JSON), what was found there and what is allowed.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "chain.csv")
    ...     _ = path.write_text("source,target,probability\\na,b,1\\nb,,success\\n")
    ...     read_state_graph(path)
    StateGraph(2 states, 1 edges, 1 success)
    """
    require_regular(path)
    collected = _Collected(path, exact)
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            opening = file.read(4096).lstrip()
            file.seek(0)
            if not opening:
                raise ReaderError(path, "an empty file", "an edge list as CSV or JSON")
            if opening[0] == "{":
                _read_json(file, collected)
            else:
                _read_csv(file, collected)
    except OSError as error:
        raise ReaderError(path, error.strerror or str(error), "a readable file") from None
    except UnicodeDecodeError as error:
        raise ReaderError(path, f"bytes that are not UTF-8 ({error.reason})", "text") from None
    collected.declare(success)
    return collected.graph(row_sum_tolerance)


class _Collected:
    """Edges and declarations as they are read, with the line of each for messages."""

    def __init__(self, path: str | PathLike[str], exact: bool) -> None:
        self.path, self.exact = path, exact
        self.number: dict[Hashable, int] = {}
        self.line_of_state: dict[Hashable, int | None] = {}
        self.source, self.target = array("i"), array("i")
        self.probability, self.rationals = array("d"), list[Fraction]()
        self.success: dict[Hashable, int | None] = {}
        self.absorbing: dict[Hashable, int | None] = {}

    def fail(self, found: str, allowed: str, line: int | None = None) -> NoReturn:
        raise ReaderError(self.path, found, allowed, line=line)

    def add(self, source: str | int, target: str | int, text: str, line: int | None) -> None:
        """One edge; its probability as text, so that nothing is rounded before it is checked."""
        probability = _number(text)
        if probability is None:
            allowed = "a probability from 0 to 1, e.g. 0.25 or 1/4, no smaller than 5e-324 unless 0"
            self.fail(f"probability {text[:40]!r} from {source!r} to {target!r}", allowed, line)
        self.source.append(self.number.setdefault(source, len(self.number)))
        self.target.append(self.number.setdefault(target, len(self.number)))
        self.line_of_state.setdefault(source, line)
        if self.exact:
            self.rationals.append(Fraction(text) if probability else Fraction(0))
        else:
            self.probability.append(probability)

    def declare(self, success: Iterable[str]) -> None:
        """More success states, by the text of their labels; an absorbing state may become one."""
        for text in success:
            labels = (*self.number, *self.absorbing)
            written = text in self.number or text in self.absorbing
            number = next((label for label in labels if str(label) == text), text)
            chosen = text if written else number
            if chosen in self.absorbing and chosen not in self.success:
                del self.absorbing[chosen]
                self.number.setdefault(chosen, len(self.number))
            self.success.setdefault(chosen, None)

    def graph(self, row_sum_tolerance: float) -> StateGraph:
        for label in self.absorbing:
            self.number.setdefault(label, len(self.number))
        if not self.success:
            self.fail("no success state", "at least one state declared a success")
        for label, line in self.success.items():
            if label not in self.number:
                self.fail(f"success state {label!r} that no edge names", "a known state", line)
        states = tuple(self.number)
        try:
            if self.exact:
                labels = ([states[i] for i in numbers] for numbers in (self.source, self.target))
                return StateGraph.from_edges(
                    zip(*labels, self.rationals, strict=True),
                    success=self.success,
                    absorbing=self.absorbing,
                    states=states,
                    row_sum_tolerance=row_sum_tolerance,
                )
            return StateGraph.from_scipy(
                coo_array(
                    (
                        np.frombuffer(self.probability),
                        (
                            np.frombuffer(self.source, np.int32),
                            np.frombuffer(self.target, np.int32),
                        ),
                    ),
                    shape=(len(states), len(states)),
                ),
                success=[self.number[label] for label in self.success],
                absorbing=[self.number[label] for label in self.absorbing],
                states=states,
                row_sum_tolerance=row_sum_tolerance,
            )
        except StateError as error:
            line = self.absorbing.get(error.state) or self.line_of_state.get(error.state)
            found = f"{error.field} = {error.value}"
            self.fail(found, error.allowed + self._advice(error), line)
        except DomainError as error:
            self.fail(f"{error.field} = {error.value!r}", error.allowed)

    def _advice(self, error: StateError) -> str:
        """What to write instead, where that is plain."""
        if error.value == 0:
            label = str(error.state)
            cell = json.dumps(label, ensure_ascii=False) if "," in label else label
            return f": add the line {cell},,absorbing (in JSON: to the list absorbing)"
        if error.state not in self.number:
            return ""
        state = self.number[error.state]
        weights: Iterable[float | Fraction] = self.rationals if self.exact else self.probability
        out = [Fraction(p) for at, p in zip(self.source, weights, strict=True) if at == state]
        simple = [p.limit_denominator(_SIMPLE) for p in out]
        cut = {f"{f} for {float(p):g}" for p, f in zip(out, simple, strict=True) if f != p}
        rounded = all(abs(p - f) <= _ROUNDING for p, f in zip(out, simple, strict=True))
        if sum(simple) == 1 and rounded:
            return f": write {' and '.join(sorted(cut))}"
        return ""


def _read_csv(file: IO[str], collected: _Collected) -> None:
    rows = csv.reader(_short_lines(file, collected), strict=True)
    try:
        header = [name.strip() for name in next(rows)]
        if header != _HEADER:
            collected.fail(f"header {','.join(header)[:80]!r}", ",".join(_HEADER), 1)
        for row in rows:
            _read_row(row, collected, rows.line_num)
    except csv.Error as error:
        collected.fail(f"malformed CSV ({error})", ",".join(_HEADER), rows.line_num)


def _read_row(row: list[str], collected: _Collected, line: int) -> None:
    if not row:
        return
    if len(row) != 3:
        collected.fail(f"{len(row)} columns", ",".join(_HEADER), line)
    source, target, last = (cell.strip() for cell in row)
    if not source:
        collected.fail("an empty source", "the label of a state", line)
    if target:
        collected.add(source, target, last, line)
    elif last == "success":
        collected.success.setdefault(source, line)
    elif last == "absorbing":
        collected.absorbing.setdefault(source, line)
    else:
        allowed = "a target, or 'success' or 'absorbing' as the declaration of the source"
        collected.fail(f"no target and {last[:40]!r}", allowed, line)


def _short_lines(file: IO[str], collected: _Collected) -> Iterator[str]:
    number = 0
    while line := file.readline(_LONGEST_LINE + 1):
        number += 1
        if len(line) > _LONGEST_LINE:
            allowed = f"lines of at most {_LONGEST_LINE} characters"
            collected.fail(f"a line that starts with {line[:20]!r} and has no end", allowed, number)
        yield line


class _Numeral(str):
    """A JSON number with a fraction or an exponent, as written."""


def _read_json(file: IO[str], collected: _Collected) -> None:
    text = file.read(_LARGEST_JSON + 1)
    if len(text) > _LARGEST_JSON:
        allowed = f"at most {_LARGEST_JSON} characters of JSON; the CSV format has no such limit"
        collected.fail("a larger file", allowed)
    try:
        content = json.loads(
            text,
            parse_float=_Numeral,
            parse_constant=_Numeral,
            object_pairs_hook=lambda pairs: _unique(pairs, collected),
        )
    except json.JSONDecodeError as error:
        collected.fail(f"broken JSON ({error.msg})", "one complete JSON object", error.lineno)
    except (RecursionError, ValueError) as error:
        collected.fail(f"unreadable JSON ({error})", "the three fields of a state graph")
    if not {"edges"} <= content.keys() <= {"edges", "success", "absorbing"}:
        collected.fail(f"fields {sorted(content)}"[:200], "edges, success and perhaps absorbing")
    for name, items in content.items():
        if not isinstance(items, list):
            collected.fail(f"{name} that is no list", "a list")
    for number, edge in enumerate(content["edges"]):
        _read_edge(edge, collected, f"edges[{number}]")
    for name, declared in (("success", collected.success), ("absorbing", collected.absorbing)):
        for label in content.get(name, []):
            declared[_label(label, collected, name)] = None


def _read_edge(edge: Any, collected: _Collected, field: str) -> None:
    if not (isinstance(edge, list) and len(edge) == 3):
        collected.fail(f"{field} = {edge!r}"[:120], "[source, target, probability]")
    source, target, probability = edge
    if isinstance(probability, bool) or not isinstance(probability, (int, str)):
        collected.fail(f"{field} with probability {probability!r}"[:120], "a number from 0 to 1")
    source, target = _label(source, collected, field), _label(target, collected, field)
    collected.add(source, target, str(probability), None)


def _label(value: Any, collected: _Collected, field: str) -> str | int:
    if isinstance(value, (bool, _Numeral)) or not isinstance(value, (str, int)):
        collected.fail(f"label {value!r} in {field}"[:120], "a string or a whole number")
    return value


def _unique(pairs: list[tuple[str, Any]], collected: _Collected) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        collected.fail(
            f"a field twice among {[name for name, _ in pairs]}"[:200], "each field once"
        )
    return content


def _number(text: str) -> float | None:
    """The probability that a text stands for, or None; a number that would round to 0 is refused.

    The float is taken first: of ``1e-999999999`` an exact value would fill the memory.
    """
    try:
        if "/" in text:
            fraction = Fraction(text)
            value, written = float(fraction), fraction != 0
        else:
            value, written = float(text), any(digit in "123456789" for digit in _digits(text))
    except (ValueError, OverflowError, ZeroDivisionError):
        return None
    return value if 0 <= value < float("inf") and (value > 0) == written else None


def _digits(text: str) -> str:
    return text.lower().partition("e")[0]
