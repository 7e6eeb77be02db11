"""Read a class of rules: a table of rules by points, or next-token rules with their prompts.

- ``.csv``, one rule a line, its name first, then its label at each point; the header says ``rule``
  and then names the points::

      rule,x1,x2
      always,1,1
      never,0,0

- ``.json``: next-token rules as tables from strings to tokens of one character, the token after
  every other string, prompts, and when a trace is finished: after ``steps`` tokens, or once the
  string, prompt included, has a length or ends with a token::

      {"rules": {"copy": {"a": "1", "a1": "1"}, "stop": {"a": "."}},
       "default": "0", "prompts": ["a", "b"], "steps": 2}

  In place of ``steps`` also ``"halt": {"length": 4}`` or ``"halt": {"token": "."}``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

from rolltheory.dimension.classes import HypothesisClass, class_from_rows
from rolltheory.dimension.local import LocalClass, local_class_from_tables
from rolltheory.dimension.rollout import Halt
from rolltheory.errors import DomainError, ReaderError
from rolltheory.readers.arrays import by_ending
from rolltheory.readers.tables import csv_rows

__all__ = ["RuleFile", "TokenRules", "read_rules"]

_FIELDS = {"rules", "default", "prompts", "steps", "halt"}


@dataclass(frozen=True, eq=False)
class TokenRules:
    """Next-token rules, prompts, and when a trace is finished.

    Attributes
    ----------
    local : LocalClass
    prompts : tuple of strings
    steps : tokens of a trace; None if ``halt`` decides
    halt : stopping rule on strings; None if ``steps`` decides
    halts : the stopping rule in words
    """

    local: LocalClass
    prompts: tuple[str, ...]
    steps: int | None
    halt: Halt | None
    halts: str


RuleFile: TypeAlias = HypothesisClass | TokenRules


def read_rules(path: str | PathLike[str], *, merge: bool = False) -> RuleFile:
    """The class in a file; see the module for the formats.

    Parameters
    ----------
    path : file, whose ending tells the format
    merge : whether equal rows of a table stand for one rule; if not, they are refused

    Raises
    ------
    ReaderError
        naming the file, what was found, in which line, and what is allowed.
    """
    readers: dict[str, Callable[[Path], RuleFile]] = {
        ".csv": lambda file: _read_table(file, merge),
        ".json": _read_json,
    }
    return by_ending(path, readers)


def _read_table(path: Path, merge: bool) -> HypothesisClass:
    lines = csv_rows(path)
    _, header = next(lines, (0, []))
    if header[:1] != ["rule"] or len(header) < 2:
        found = f"a first line that starts with {','.join(header[:2])!r:.60}"
        raise ReaderError(path, found, "a header rule,POINT,POINT,...", line=1)
    points = header[1:]
    if repeated := {point for point, times in Counter(points).items() if times > 1}:
        raise ReaderError(path, f"the point {min(repeated)!r} twice", "points that differ", line=1)
    names: dict[str, int] = {}
    rows: list[tuple[str, ...]] = []
    seen: dict[tuple[str, ...], int] = {}
    for line, cells in lines:
        if len(cells) != len(header):
            found = f"{len(cells)} cells"
            raise ReaderError(path, found, f"{len(header)}, as the header has", line=line)
        if "" in cells[1:]:
            empty = points[cells[1:].index("")]
            raise ReaderError(path, f"no label at {empty!r}", "a label in each cell", line=line)
        if (first := names.setdefault(cells[0], line)) != line:
            found = f"the rule {cells[0]!r} of line {first} again"
            raise ReaderError(path, found, "names that differ", line=line)
        row = tuple(cells[1:])
        before = seen.setdefault(row, line)
        if before != line and not merge:
            found = f"the labels of line {before} again"
            raise ReaderError(path, found, "rules that differ, or to be merged", line=line)
        rows.append(row)
    if not rows:
        raise ReaderError(path, "no rules", "at least one line below the header")
    return class_from_rows(rows, points=points, merge=True)


def _read_json(path: Path) -> TokenRules:
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise ReaderError(path, f"malformed JSON ({error})", "an object as described") from None
    try:
        return _token_rules(content)
    except DomainError as error:
        raise ReaderError(path, f"{error.field}: {error.value!r:.60}", error.allowed) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, times in counts.items() if times > 1)
        raise ValueError(f"the key {twice!r} twice in one object")
    return found


def _token_rules(content: Any) -> TokenRules:
    if not isinstance(content, dict):
        raise DomainError("content", type(content).__name__, "an object with rules and prompts")
    for name in content:
        if name not in _FIELDS:
            raise DomainError("field", name, f"one of {', '.join(sorted(_FIELDS))}")
    rules = content.get("rules")
    tables = list(rules.values()) if isinstance(rules, dict) else rules
    if not isinstance(tables, list) or not tables:
        raise DomainError("rules", rules, "one table or more, by name or in a list")
    for number, table in enumerate(tables):
        if not isinstance(table, dict) or not all(map(_is_token, table.values())):
            raise DomainError(f"rule {number}", table, "a table from strings to single characters")
    default = content.get("default")
    if not _is_token(default):
        raise DomainError("default", default, "a single character, the token elsewhere")
    prompts = content.get("prompts")
    if not isinstance(prompts, list) or not prompts or not all(isinstance(p, str) for p in prompts):
        raise DomainError("prompts", prompts, "a list of strings")
    local = local_class_from_tables(_distinct(tables, default), default=default)
    return TokenRules(local, tuple(prompts), *_finish(content.get("steps"), content.get("halt")))


def _is_token(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and len(value) == 1


def _distinct(tables: list[dict[str, str]], default: str) -> list[dict[str, str]]:
    """Each rule once; an entry that is the default is none."""
    plain = [
        {string: token for string, token in table.items() if token != default} for table in tables
    ]
    return list({tuple(sorted(table.items())): table for table in plain}.values())


def _finish(steps: Any, halt: Any) -> tuple[int | None, Halt | None, str]:
    """Number of tokens or stopping rule, and the latter in words."""
    if (steps is None) == (halt is None):
        found = "neither" if halt is None else "both"
        raise DomainError("steps, halt", found, "one of the two")
    if halt is None:
        if type(steps) is not int or steps < 1:
            raise DomainError("steps", steps, "a whole number, at least 1")
        return steps, None, f"after {steps} tokens"
    if isinstance(halt, dict) and halt.keys() == {"length"} and type(halt["length"]) is int:
        length = halt["length"]
        return None, lambda string: len(string) >= length, f"at length {length}"
    if isinstance(halt, dict) and halt.keys() == {"token"} and _is_token(halt["token"]):
        token = halt["token"]
        return None, lambda string: string[-1:] == (token,), f"with the token {token!r}"
    raise DomainError("halt", halt, 'an object {"length": N} or {"token": "."}')
