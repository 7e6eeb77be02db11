"""Classes of rules with prompts and an end of traces, and every dimension of what they make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product
from typing import Any, TypeAlias

from rolltheory.dimension.classes import HypothesisClass, class_from_rows
from rolltheory.dimension.littlestone import littlestone_dimension
from rolltheory.dimension.local import LocalClass, String, local_class_from_rows, local_class_on
from rolltheory.dimension.local_families import LocalFamily
from rolltheory.dimension.parity import parity_dimension
from rolltheory.dimension.rollout import end_to_end_class, rollout_class
from rolltheory.dimension.search import ds_dimension, graph_dimension, natarajan_dimension
from rolltheory.dimension.witnesses import Dimension

__all__ = [
    "NOTIONS",
    "Measured",
    "Roll",
    "Rolled",
    "dimension_of",
    "of_family",
    "of_strings",
    "of_traces",
]

NOTIONS: dict[str, Callable[[HypothesisClass], Dimension[Any]]] = {
    "natarajan": natarajan_dimension,
    **{f"parity {field}": partial(parity_dimension, field=field) for field in (2, 3, 5)},
    "ds": ds_dimension,
    "graph": graph_dimension,
    "littlestone": littlestone_dimension,
}
"""The searches of the library, parity by its field."""


@dataclass(frozen=True)
class Rolled:
    """Rules by their next tokens at strings, "0" at others; prompts; and when a trace ends.

    That is after so many steps, or without them once prompt and trace have the length.
    """

    rows: tuple[str, ...]
    strings: tuple[str, ...]
    prompts: tuple[str, ...]
    steps: int | None = None
    length: int = 0
    window: int | None = None

    def local(self) -> LocalClass:
        """The rules."""
        return local_class_from_rows(self.rows, self.strings, default="0", window=self.window)

    def next_tokens(self) -> HypothesisClass:
        """The class of the rules on the strings where they differ."""
        return local_class_on(self.local(), self.strings)

    def finished(self, string: String) -> bool:
        """The stopping rule, where there is no number of steps."""
        return len(string) >= self.length

    def traces(self) -> HypothesisClass:
        """The class of whole traces."""
        halt = None if self.steps else self.finished
        return rollout_class(self.local(), self.prompts, steps=self.steps, halt=halt)

    def last_tokens(self) -> HypothesisClass:
        """The class of last tokens (trap T10)."""
        halt = None if self.steps else self.finished
        return end_to_end_class(self.local(), self.prompts, steps=self.steps, halt=halt)

    def stopped_at_will(self) -> HypothesisClass:
        """Traces that each rule may also end after one token, unseen, on any prompt (trap T11)."""
        whole = self.traces().rows
        cut = [product(*((trace, str(trace)[:1]) for trace in row)) for row in whole]
        rows = [row for choices in cut for row in choices]
        return class_from_rows(rows, points=self.prompts, merge=True)


Roll: TypeAlias = Callable[[Rolled], HypothesisClass]


@dataclass(frozen=True)
class Measured:
    """Rules to roll out, and which dimension is meant."""

    rolled: Rolled
    notion: str


def of_family(family: LocalFamily, *, steps: int | None = None, length: int = 0) -> Rolled:
    """A named class of rules as a case."""
    rows = local_class_on(family.local, family.strings).rows
    texts = tuple("".join(map(str, row)) for row in rows)
    window = family.local.window
    rolled = Rolled(texts, family.strings, family.prompts, steps, length)
    return replace(rolled, window=window)


def dimension_of(hypotheses: HypothesisClass, notion: str) -> int:
    """The dimension that the library finds."""
    return NOTIONS[notion](hypotheses).value


@cache
def of_strings(case: Rolled, notion: str) -> int:
    """The dimension of the rules on the strings where they differ."""
    return dimension_of(case.next_tokens(), notion)


@cache
def of_traces(case: Rolled, notion: str, roll: Roll = Rolled.traces) -> int:
    """The dimension of the whole traces, or of what is made of the rules in their place."""
    return dimension_of(roll(case), notion)
