"""Classes of next-token rules whose rollouts show what rolling out can and cannot do.

Each comes with the strings on which its rules differ and the prompts to roll out from. The numbers
in the docstrings are derived here and held by the tests.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from rolltheory.dimension.local import LocalClass, Rule, String, Token, table_rule
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


class LocalFamily(NamedTuple):
    """Rules, the strings on which they differ, and the prompts from which to roll out."""

    local: LocalClass
    strings: tuple[str, ...]
    prompts: tuple[str, ...]


def four_token_gap() -> LocalFamily:
    """24 rules on four tokens: DS dimension 2, but 3 for traces of two tokens or more.

    The smallest class of rules that a rollout can make harder in DS dimension; the parity
    dimension stays 2.

    >>> len(four_token_gap().local)
    24
    """
    return _tabled(_FOUR_TOKENS, ("0", "1", "3", "32"), ("0", "1", "3"))


def three_token_gap() -> LocalFamily:
    """28 rules on three tokens: DS dimension 2, but 3 for traces of two tokens or more.

    >>> len(three_token_gap().local)
    28
    """
    return _tabled(_THREE_TOKENS, ("0", "02", "1", "12", "2", "22"), ("0", "1", "2"))


def binary_gap() -> LocalFamily:
    """35 rules on two tokens: VC dimension 2, but DS dimension 3 for traces of three tokens.

    >>> len(binary_gap().local)
    35
    """
    ends = {
        "00": ("", "0", "1", "11"),
        "01": ("", "0", "1", "11"),
        "10": ("", "0", "1", "01", "11"),
    }
    strings = tuple(prompt + end for prompt, group in ends.items() for end in group)
    return _tabled(_BINARY, strings, tuple(ends))


def decrease() -> LocalFamily:
    """Four rules: DS dimension 2, but 1 for traces of two tokens, which give the rule away.

    >>> decrease().prompts
    ('a', 'b')
    """
    rules = [
        table_rule({"a": s, "b": t, "a0": t, "a1": t, "b0": s, "b1": s}, default="0")
        for s, t in product("01", repeat=2)
    ]
    return LocalFamily(LocalClass(tuple(rules)), ("a", "b", "a0", "a1", "b0", "b1"), ("a", "b"))


def graph_increase() -> LocalFamily:
    """Four binary rules whose graph dimension, 1, doubles when they fill strings of length 2.

    >>> graph_increase().strings
    ('', '0', '1')
    """
    return _tabled("010 100 101 110", ("", "0", "1"), ("", "0", "1"))


def end_to_end_trap() -> LocalFamily:
    """Four binary rules of VC dimension 1 whose last tokens after two steps have dimension 2.

    >>> len(end_to_end_trap().local)
    4
    """
    strings = ("a", "a0", "a1", "b", "b0", "b1")
    return _tabled("000000 000010 010000 010101", strings, ("a", "b"))


def needle(prompts: int) -> LocalFamily:
    """A rule for each set P of prompts: 1 once, after as many zeros as P's number, if x is in P.

    VC dimension 1; all traces of 2**n - 1 tokens have every dimension 1 but the graph dimension,
    which is n. The rule of the empty set comes first.

    >>> len(needle(3).local), needle(3).prompts
    (8, ('a', 'b', 'c'))
    """
    n = int(integer_array("prompts", prompts, at_least=1, at_most=12))
    names = tuple("abcdefghijkl"[:n])
    parts = [part for size in range(n + 1) for part in combinations(names, size)]
    rules = [
        table_rule({name + "0" * (number - 1): "1" for name in part}, default="0")
        for number, part in enumerate(parts)
    ]
    strings = tuple(name + "0" * (number - 1) for number, part in enumerate(parts) for name in part)
    return LocalFamily(LocalClass(tuple(rules)), strings, names)


def one_hot_tasks(bits: int) -> LocalFamily:
    """For each prompt one free bit, which its trace repeats: every dimension is d, at any length.

    >>> len(one_hot_tasks(2).local)
    4
    """
    d = int(integer_array("bits", bits, at_least=1, at_most=12))
    names = tuple("abcdefghijkl"[:d])

    def repeating(free: tuple[str, ...]) -> Rule:
        first: dict[String, Token] = {(name,): bit for name, bit in zip(names, free, strict=True)}
        return lambda string: first.get(string, string[-1])

    rules = tuple(repeating(free) for free in product("01", repeat=d))
    return LocalFamily(LocalClass(rules), names, names)


def markov_tables(order: int) -> LocalFamily:
    """All binary rules that read the last k tokens, from all prompts of k tokens.

    2**k free bits; rolled out they leak, and the DS dimension falls: for k = 2 from 4 at one token
    to 2, for k = 3 from 8 to 3.

    >>> len(markov_tables(2).local)
    16
    """
    k = int(integer_array("order", order, at_least=1, at_most=4))
    windows = list(product("01", repeat=k))
    rules = tuple(
        _windowed(dict(zip(windows, bits, strict=True)), k)
        for bits in product("01", repeat=len(windows))
    )
    prompts = tuple(map("".join, windows))
    return LocalFamily(LocalClass(rules), prompts, prompts)


def window_thresholds(width: int) -> LocalFamily:
    """The binary rules that are linear thresholds of the last k tokens.

    14 of the 16 tables for k = 2, and 104 of the 256 for k = 3.

    >>> len(window_thresholds(2).local)
    14
    """
    k = int(integer_array("width", width, at_least=1, at_most=3))
    windows = list(product("01", repeat=k))
    tables = sorted(_threshold_tables(k))
    rules = tuple(_windowed(dict(zip(windows, bits, strict=True)), k) for bits in tables)
    prompts = tuple(map("".join, windows))
    return LocalFamily(LocalClass(rules), prompts, prompts)


def _tabled(rows: str, strings: tuple[str, ...], prompts: tuple[str, ...]) -> LocalFamily:
    """Rules that are 0 after every string but these."""
    rules = [table_rule(dict(zip(strings, row, strict=True)), default="0") for row in rows.split()]
    return LocalFamily(LocalClass(tuple(rules)), strings, prompts)


def _windowed(table: dict[tuple[str, ...], str], width: int) -> Rule:
    return lambda string: table[tuple(map(str, string[-width:]))]


def _threshold_tables(width: int) -> set[tuple[str, ...]]:
    """Truth tables of all linear thresholds on up to three bits: weights from -2 to 2 suffice."""
    inputs = np.array(list(product((0, 1), repeat=width)))
    weights = np.array(list(product(range(-2, 3), repeat=width)))
    thresholds = np.arange(-7, 8) + 0.5
    values = (inputs @ weights.T)[:, :, None] > thresholds
    return {
        tuple(map(str, table)) for table in values.reshape(len(inputs), -1).T.astype(int).tolist()
    }
