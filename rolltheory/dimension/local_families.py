"""Classes of next-token rules whose rollouts show what rolling out can and cannot do.

Each comes with the strings on which its rules differ and the prompts to roll out from. The numbers
in the docstrings are derived here and held by the tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from rolltheory.dimension.local import LocalClass, local_class_from_rows, local_class_from_tables
from rolltheory.numerics.arguments import integer_array

__all__ = [
    "LocalFamily",
    "binary_gap",
    "decrease",
    "end_to_end_trap",
    "four_token_gap",
    "graph_increase",
    "markov_tables",
    "needle",
    "one_hot_tasks",
    "three_token_gap",
    "window_thresholds",
]

_FOUR_TOKENS = """
    0011 0021 0101 0111 0201 0220 0221 0310 0320 1000 1011 1100
    1111 1211 1220 1221 1320 1321 2001 2021 2201 2211 2311 2321"""
_THREE_TOKENS = """
    020212 020220 022002 022012 022102 022120 121202 121212 122002 122012 122021 122102 122121
    200202 200212 201202 201212 201221 202020 202021 202120 202121 210202 210220 211202 211221
    212020 212021"""
_BINARY = """
    0001100010000 0001100111100 0011101000100 0001101010000 0001101010100 0010101100100
    0001101111100 0101110101001 0101100111000 0101101010000 0101101010100 0101111101001
    0101101111100 1000000111110 1000000111111 1101010101001 1001010111101 1101110101001
    1001100111100 1010001101110 1010000111110 1010000111111 1010010111110 1010010111111
    1010101000100 1010101001100 1010101001110 1010101100110 1010101101100 1011001001110
    1011000111100 1111010101000 1011010111100 1011101001100 1011101001110"""

_LETTERS = "abcdefghijkl"


class LocalFamily(NamedTuple):
    """Rules, the strings on which they differ, and the prompts from which to roll out."""

    local: LocalClass
    strings: tuple[str, ...]
    prompts: tuple[str, ...]


def four_token_gap() -> LocalFamily:
    """J4: 24 rules on four tokens whose DS dimension, 2, is 3 for traces of two tokens or more.

    No fewer rules have a rollout of a larger DS dimension. On the strings Natarajan = parity = DS
    = 2 and graph = Littlestone = 3; on the traces of 2, 3 or 5 tokens Natarajan = parity = 2
    modulo 2, 3 and 5, DS = graph = Littlestone = 3, and the density is 19/12.

    >>> four_token_gap().local
    LocalClass(24 rules, 4 strings, 4 tokens)
    """
    return _digits(_FOUR_TOKENS, ("0", "1", "3", "32"), ("0", "1", "3"))


def three_token_gap() -> LocalFamily:
    """J3: 28 rules on three tokens whose DS dimension, 2, is 3 for traces of two tokens or more.

    On the strings parity = DS = 2 and graph = Littlestone = 3; on the traces of 2 or 3 tokens
    parity = 2 modulo 2, 3 and 5, DS = 3, and the density is 45/28.

    >>> three_token_gap().local
    LocalClass(28 rules, 6 strings, 3 tokens)
    """
    return _digits(_THREE_TOKENS, ("0", "02", "1", "12", "2", "22"), ("0", "1", "2"))


def binary_gap() -> LocalFamily:
    """J2: 35 rules on two tokens whose VC dimension, 2, is exceeded by the traces' DS dimension, 3.

    On the strings VC = DS = graph = 2 and Littlestone = 5; on the traces of 1 or 2 tokens DS = 2,
    and of 3 or 4 Natarajan = parity = 2, DS = graph = Littlestone = 3, and the density is 11/7.
    Binary tokens do not make traces binary.

    >>> binary_gap().local
    LocalClass(35 rules, 13 strings, 2 tokens)
    """
    ends = {
        "00": ("", "0", "1", "11"),
        "01": ("", "0", "1", "11"),
        "10": ("", "0", "1", "01", "11"),
    }
    strings = tuple(prompt + end for prompt, group in ends.items() for end in group)
    return _digits(_BINARY, strings, tuple(ends))


def decrease() -> LocalFamily:
    """Four rules of DS dimension 2, but 1 for traces of two tokens: they give the rule away.

    >>> decrease().local
    LocalClass(4 rules, 6 strings, 2 tokens)
    """
    rows = [(s, t, t, t, s, s) for s, t in product("01", repeat=2)]
    strings, prompts = ("a", "b", "a0", "a1", "b0", "b1"), ("a", "b")
    return LocalFamily(local_class_from_rows(rows, strings, default="0"), strings, prompts)


def graph_increase() -> LocalFamily:
    """Four binary rules of graph dimension 1, which doubles when they fill strings to length 2.

    Natarajan = parity = DS = 1 and Littlestone = 2, on the strings as on the traces.

    >>> graph_increase().strings
    ('', '0', '1')
    """
    return _digits("010 100 101 110", ("", "0", "1"), ("", "0", "1"))


def end_to_end_trap() -> LocalFamily:
    """Four binary rules of VC dimension 1 whose last tokens after two steps have dimension 2.

    >>> end_to_end_trap().local
    LocalClass(4 rules, 6 strings, 2 tokens)
    """
    strings = ("a", "a0", "a1", "b", "b0", "b1")
    return _digits("000000 000010 010000 010101", strings, ("a", "b"))


def needle(prompts: int) -> LocalFamily:
    """A rule for each set P of prompts: 1 once, after as many zeros as P's number, if x is in P.

    The supports are disjoint, so the VC dimension is 1. All traces of 2**n - 1 tokens have every
    dimension 1 but the graph dimension, which is n, and the density n / (n + 1). The rule of the
    empty set comes first.

    >>> needle(3).local, needle(3).prompts
    (LocalClass(8 rules, 12 strings, 2 tokens), ('a', 'b', 'c'))
    """
    n = int(integer_array("prompts", prompts, at_least=1, at_most=len(_LETTERS)))
    names = _LETTERS[:n]
    parts = [part for size in range(n + 1) for part in combinations(names, size)]
    tables = [
        {name + "0" * (number - 1): "1" for name in part} for number, part in enumerate(parts)
    ]
    strings = tuple(string for table in tables for string in table)
    local = local_class_from_tables(tables, default="0")
    return LocalFamily(local, strings, tuple(names))


def one_hot_tasks(bits: int) -> LocalFamily:
    """For each prompt one free bit, which its trace repeats: every dimension is d, at any length.

    >>> one_hot_tasks(2).local
    LocalClass(4 rules, 4 strings, 2 tokens, window 1)
    """
    d = int(integer_array("bits", bits, at_least=1, at_most=len(_LETTERS)))
    names = tuple(_LETTERS[:d])
    rows = [(*free, "0", "1") for free in product("01", repeat=d)]
    local = local_class_from_rows(rows, (*names, "0", "1"), default="0", window=1)
    return LocalFamily(local, names, names)


def markov_tables(order: int) -> LocalFamily:
    """All binary rules that read the last k tokens, from all prompts of k tokens.

    2**k free bits; rolled out they leak. For k = 2 every dimension is 4 at one token, and
    Natarajan = parity = DS = 2, graph = Littlestone = 3 at more; the density falls from 2 to 1.
    For k = 3 Natarajan = parity = DS = 8, 5, 4, 3 at 1, 2, 3, 4 tokens, and the density 4, then
    5/3.

    >>> markov_tables(2).local
    LocalClass(16 rules, 4 strings, 2 tokens, window 2)
    """
    k = int(integer_array("order", order, at_least=1, at_most=4))
    return _windowed(product("01", repeat=2**k), k)


def window_thresholds(width: int) -> LocalFamily:
    """The binary rules that are linear thresholds of the last k tokens, from prompts of k tokens.

    14 of the 16 tables for k = 2, of DS dimension 3, and 2 at two tokens or more; 104 of the 256
    for k = 3, of DS dimension 4, 3 at two tokens and 2 at four or more.

    >>> window_thresholds(3).local
    LocalClass(104 rules, 8 strings, 2 tokens, window 3)
    """
    k = int(integer_array("width", width, at_least=1, at_most=4))
    return _windowed(sorted(_threshold_tables(k)), k)


def _digits(rows: str, strings: tuple[str, ...], prompts: tuple[str, ...]) -> LocalFamily:
    """Rules that are 0 after every string but these."""
    return LocalFamily(local_class_from_rows(rows.split(), strings, default="0"), strings, prompts)


def _windowed(tables: Iterable[tuple[str, ...]], width: int) -> LocalFamily:
    """Rules on the last tokens, with a table of the next token after each window."""
    windows = tuple(map("".join, product("01", repeat=width)))
    local = local_class_from_rows(list(tables), windows, default="0", window=width)
    return LocalFamily(local, windows, windows)


def _threshold_tables(width: int) -> set[tuple[str, ...]]:
    """Truth tables of all linear thresholds on up to four bits: weights from -3 to 3 suffice."""
    inputs = np.array(list(product((0, 1), repeat=width)))
    weights = np.array(list(product(range(-3, 4), repeat=width)))
    sums = inputs @ weights.T
    tables = np.concatenate([sums > t for t in range(-3 * width - 1, 3 * width + 1)], axis=1)
    return {tuple("01"[bit] for bit in row) for row in np.unique(tables, axis=1).T.astype(int)}
