"""Finite classes of next-token rules: from the string so far to the next token."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.dimension.classes import Codes, HypothesisClass, class_from_rows
from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array

__all__ = [
    "LocalClass",
    "LocalLike",
    "Rule",
    "String",
    "Token",
    "as_string",
    "as_text",
    "local_class_from_rows",
    "local_class_from_tables",
    "local_class_on",
]

Token: TypeAlias = Hashable
String: TypeAlias = tuple[Token, ...]
Rule: TypeAlias = Callable[[String], Token]
"""A next-token rule: the token that follows a string."""


@dataclass(frozen=True, eq=False, repr=False)
class LocalClass:
    """Finitely many next-token rules that are given at some strings, and constant elsewhere.

    Parameters
    ----------
    codes : int64, shape (rules, strings + 1)
        Numbers of tokens; rows differ. The last column stands for all other strings.
    strings : tuple of tuples of tokens, all different
        The strings of the other columns.
    tokens : tuple of hashables
        ``tokens[c]`` is the token that code c stands for.
    window : int or None
        If given, rules see no more than so many tokens, the last of a string.

    Examples
    --------
    >>> local_class_from_rows(["01", "10"], ["a", "ab"], default="0")
    LocalClass(2 rules, 2 strings, 2 tokens)
    """

    codes: Codes
    strings: tuple[String, ...]
    tokens: tuple[Token, ...]
    window: int | None = None

    def __len__(self) -> int:
        """Number of rules."""
        return int(self.codes.shape[0])

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules as functions, one by one."""

        def rule(row: list[int]) -> Rule:
            return lambda string: self.tokens[row[self.column(string)]]

        return tuple(map(rule, self.codes.tolist()))

    def seen(self, string: String) -> String:
        """The part of a string that the rules see."""
        return string if self.window is None else string[max(len(string) - self.window, 0) :]

    def column(self, string: String) -> int:
        """The column with the next tokens at a string."""
        return self._columns.get(self.seen(string), -1)

    @cached_property
    def _columns(self) -> dict[String, int]:
        return {string: column for column, string in enumerate(self.strings)}

    def __repr__(self) -> str:
        counts = f"{len(self)} rules, {len(self.strings)} strings, {len(self.tokens)} tokens"
        return f"LocalClass({counts}{'' if self.window is None else f', window {self.window}'})"


LocalLike: TypeAlias = LocalClass | Sequence[Rule]
"""A class from tables, or rules of any kind. They must be pure: no other answer the next time."""


def as_string(text: Iterable[Token]) -> String:
    """The tuple of tokens; a str is a string of one-character tokens.

    >>> as_string("01")
    ('0', '1')
    """
    return tuple(text)


def as_text(string: String) -> Hashable:
    """A str where all tokens are single characters, else the tuple of tokens.

    >>> as_text(("0", "1")), as_text((0, 1))
    ('01', (0, 1))
    """
    plain = all(isinstance(token, str) and len(token) == 1 for token in string)
    return "".join(map(str, string)) if plain else string


def local_class_from_rows(
    rows: Sequence[Sequence[Token]] | npt.NDArray[Any],
    strings: Iterable[Iterable[Token]],
    *,
    default: Token,
    window: int | None = None,
) -> LocalClass:
    """The local class whose rules have these rows of next tokens at the strings.

    Parameters
    ----------
    rows : shape (rules, strings)
        Next tokens; a str is a row of one-character tokens.
    strings : shape (strings,)
        Tuples of tokens, or str for one-character tokens.
    default : hashable
        The next token at every other string.
    window : int, optional
        How many tokens the rules see, counted from the end. All, if not given.

    Raises
    ------
    DomainError
        as `class_from_rows`, and if a string is longer than the window.

    Examples
    --------
    >>> copy = local_class_from_rows(["01", "10"], ["0", "1"], default="0", window=1)
    >>> local_class_on(copy, ["1", "01", "10"]).rows
    [('1', '1', '0'), ('0', '0', '1')]
    """
    places = tuple(map(as_string, strings))
    width = None if window is None else int(integer_array("window", window, at_least=0))
    for place in places:
        if width is not None and len(place) > width:
            raise DomainError("string", as_text(place), f"at most the {width} tokens of the window")
    given = class_from_rows(rows, points=places)
    number: dict[Token, int] = {default: 0}
    for labels in given.labels:
        for token in labels:
            number.setdefault(token, len(number))
    codes = np.zeros((len(given), len(places) + 1), dtype=np.int64)
    for column, labels in enumerate(given.labels):
        codes[:, column] = np.array([number[t] for t in labels])[given.codes[:, column]]
    codes.setflags(write=False)
    return LocalClass(codes, places, tuple(number), width)


def local_class_from_tables(
    tables: Iterable[Mapping[Any, Token]], *, default: Token, window: int | None = None
) -> LocalClass:
    """The local class of these tables from strings to next tokens, one for each rule.

    Parameters
    ----------
    tables : iterable of mappings
        The next token of a rule at each string where it is not the default.
    default, window
        As in `local_class_from_rows`.

    Raises
    ------
    DomainError
        as `local_class_from_rows`.

    Examples
    --------
    >>> local = local_class_from_tables([{}, {"a": "1", "a0": "1"}], default="0")
    >>> local_class_on(local, ["a", "a1"]).rows
    [('0', '0'), ('1', '0')]
    """
    read = []
    for number, table in enumerate(tables):
        read.append({as_string(string): token for string, token in table.items()})
        if len(read[-1]) < len(table):
            raise DomainError(f"table {number}", table, "each string once, as text or as a tuple")
    strings = list(dict.fromkeys(string for table in read for string in table)) or [()]
    rows = [[table.get(string, default) for string in strings] for table in read]
    return local_class_from_rows(rows, strings, default=default, window=window)


def local_class_on(local: LocalLike, strings: Iterable[Iterable[Token]]) -> HypothesisClass:
    """The next tokens of the rules at strings, as a class whose points are the strings.

    Rules that agree at all of them are one hypothesis. A point is a str if all of its tokens are
    single characters.

    Raises
    ------
    DomainError
        if there is no rule or no string, or a string stands twice.

    Examples
    --------
    >>> local_class_on([len, lambda string: 2], ["ab", "abc"]).rows
    [(2, 3), (2, 2)]
    """
    places = list(map(as_string, strings))
    points = list(map(as_text, places))
    if not isinstance(local, LocalClass):
        rows = [[rule(place) for place in places] for rule in local]
        return class_from_rows(rows, points=points, merge=True)
    tokens = np.empty(len(local.tokens), dtype=object)
    tokens[:] = local.tokens
    columns = list(map(local.column, places))
    return class_from_rows(tokens[local.codes[:, columns]], points=points, merge=True)
