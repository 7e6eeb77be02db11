"""What next-token rules write from a prompt on: the classes of whole traces, and of last tokens."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.dimension.classes import HypothesisClass, class_from_rows
from rolltheory.dimension.local import (
    LocalClass,
    LocalLike,
    String,
    Token,
    as_string,
    as_text,
)
from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.numerics.arguments import integer_array

__all__ = ["Halt", "end_to_end_class", "rollout_class"]

Halt: TypeAlias = Callable[..., bool]
"""A stopping rule: whether a string, prompt included, is finished; it may look at the prompt."""

IntArray: TypeAlias = npt.NDArray[np.int64]
Traced: TypeAlias = tuple[IntArray, list[String]]

_MOST_TOKENS = 2**30


def rollout_class(
    local: LocalLike,
    prompts: Iterable[Iterable[Token]],
    *,
    steps: int | None = None,
    halt: Halt | None = None,
    at_most: int = 10_000,
) -> HypothesisClass:
    """The whole traces that the rules generate from the prompts, as labels of the prompts.

    From each prompt the rule's own tokens are appended until ``steps`` of them stand there, or
    until ``halt`` says that the string is finished. The loss of this class is 1 unless the whole
    trace is right. Rules with the same traces are one hypothesis. Rules that have written the same
    so far advance together.

    Parameters
    ----------
    local : LocalClass, or sequence of functions from a tuple of tokens to a token
    prompts : sequences of tokens, all different
    steps : int, optional
        Number of tokens to generate.
    halt : function ``halt(string)`` or ``halt(prompt, string)``, optional
        Looks at the string, which begins with the prompt, and at nothing else: a rule that stops
        when it likes, without a token to say so, makes many traces out of one rule.
    at_most : int
        Tokens after which a rule is taken not to halt.

    Returns
    -------
    HypothesisClass
        Its points are the prompts, its labels the generated tokens, without the prompt: a str
        where all tokens are single characters, else a tuple.

    Raises
    ------
    DomainError
        unless exactly one of ``steps`` and ``halt`` is given; if there is no prompt, one stands
        twice, or a rule does not halt on it.
    UnsupportedError
        if a stopping rule wants more than the prompt and the string, or there are more than 2**30
        tokens to write.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, rollouts.

    Examples
    --------
    >>> from rolltheory.dimension.local import local_class_from_tables
    >>> local = local_class_from_tables([{"a0": "1"}, {"a": "1"}], default="0")
    >>> rollout_class(local, ["a"], steps=2).rows
    [('01',), ('10',)]
    >>> rollout_class(local, ["a"], halt=lambda string: string[-1] == "1").rows
    [('01',), ('1',)]
    """
    traced = _traced(local, list(map(as_string, prompts)), steps, halt, at_most)
    return _class_of(traced, _whole_trace)


def end_to_end_class(
    local: LocalLike,
    prompts: Iterable[Iterable[Token]],
    *,
    steps: int | None = None,
    halt: Halt | None = None,
    at_most: int = 10_000,
) -> HypothesisClass:
    """The last tokens only: what is left of the traces when the chain of thought is not seen.

    No statement about traces carries over: its dimensions can exceed those of the rules.

    Parameters
    ----------
    local, prompts, steps, halt, at_most
        As in `rollout_class`.

    Raises
    ------
    DomainError, UnsupportedError
        as `rollout_class`, and if a prompt is finished before a token is written.

    Examples
    --------
    >>> from rolltheory.dimension.local import local_class_from_tables
    >>> local = local_class_from_tables([{"a0": "1"}, {"a": "1"}], default="0")
    >>> end_to_end_class(local, ["a"], steps=2).rows
    [('1',), ('0',)]
    """
    traced = _traced(local, list(map(as_string, prompts)), steps, halt, at_most)
    return _class_of(traced, _last_token)


def _traced(
    local: LocalLike, prompts: list[String], steps: int | None, halt: Halt | None, at_most: int
) -> dict[String, Traced]:
    """For each prompt the number of each rule's trace, and the traces."""
    if (steps is None) == (halt is None):
        raise DomainError("steps, halt", (steps, halt), "one of the two")
    if not prompts or len(set(prompts)) < len(prompts):
        raise DomainError("prompts", list(map(as_text, prompts)), "at least one, all different")
    if not len(local):
        raise DomainError("rules", local, "at least one rule")
    count = None if steps is None else int(integer_array("steps", steps, at_least=1))
    most = int(integer_array("at_most", at_most, at_least=1)) if count is None else count
    if count is not None and isinstance(local, LocalClass):
        return _fixed_length(local, prompts, count)
    asks = 1 if halt is None else _arguments(halt)
    found = {}
    for prompt in prompts:
        if halt is None:
            finished: Callable[[String], bool] = partial(_has_length, len(prompt) + most)
        else:
            finished = halt if asks == 1 else partial(halt, prompt)
        found[prompt] = _until_finished(local, prompt, finished, most)
    return found


def _fixed_length(local: LocalClass, prompts: list[String], steps: int) -> dict[String, Traced]:
    """Traces of so many tokens, all rules and prompts at once."""
    if len(prompts) * len(local) * steps > _MOST_TOKENS:
        raise UnsupportedError(
            f"traces of {steps} tokens of {len(local)} rules from {len(prompts)} prompts",
            f"at most {_MOST_TOKENS} tokens are written in all",
        )
    states = _States(local)
    current = np.repeat(np.array(states.of(prompts))[:, None], len(local), axis=1)
    written = np.empty((*current.shape, steps), dtype=np.min_scalar_type(len(local.tokens)))
    for step in range(steps):
        codes = local.codes[np.arange(len(local)), states.columns[current]]
        written[..., step] = codes
        current = states.after(current, codes)
    found = {}
    for prompt, rows in zip(prompts, written, strict=True):
        whole = rows.view(np.dtype((np.void, rows.strides[0]))).ravel()
        _, first, number = np.unique(whole, return_index=True, return_inverse=True)
        traces = [tuple(local.tokens[code] for code in rows[rule].tolist()) for rule in first]
        found[prompt] = number.astype(np.int64), traces
    return found


def _until_finished(
    local: LocalLike, prompt: String, finished: Callable[[String], bool], at_most: int
) -> Traced:
    """Traces up to a rule on strings, which is asked once about each string that occurs."""
    number = np.zeros(len(local), dtype=np.int64)
    traces: list[String] = []
    groups = [(prompt, np.arange(len(local)))]
    while groups:
        string, members = groups.pop()
        if finished(string):
            number[members] = len(traces)
            traces.append(string[len(prompt) :])
        elif len(string) - len(prompt) >= at_most:
            allowed = f"one on which rule {members[0]} halts within {at_most} tokens"
            raise DomainError("prompt", as_text(prompt), allowed)
        else:
            groups += [((*string, t), group) for t, group in _next_tokens(local, string, members)]
    return number, traces


def _next_tokens(
    local: LocalLike, string: String, members: IntArray
) -> Iterator[tuple[Token, IntArray]]:
    """The tokens that follow a string, each with the members whose rules write it."""
    if isinstance(local, LocalClass):
        codes = local.codes[members, local.column(string)]
        for code in np.unique(codes).tolist():
            yield local.tokens[code], members[codes == code]
    else:
        groups: dict[Token, list[int]] = {}
        for member in members.tolist():
            token = local[member](string)
            try:
                groups.setdefault(token, []).append(member)
            except TypeError:
                raise DomainError(f"token of rule {member}", token, "hashable tokens") from None
        for token, group in groups.items():
            yield token, np.array(group)


class _States:
    """Numbers for what the rules see of a string, and the moves between them, as they are met.

    Rules without a window see a string that begins none of theirs as they see all that follow it.
    """

    def __init__(self, local: LocalClass) -> None:
        self.local = local
        beginnings = {s[:length] for s in local.strings for length in range(len(s) + 1)}
        self.beginnings = beginnings if local.window is None else None
        self.numbers: dict[String | None, int] = {}
        self.strings: list[String | None] = []
        self.columns: IntArray = np.zeros(0, dtype=np.int64)
        self.moves: IntArray = np.zeros((0, len(local.tokens)), dtype=np.int64)

    def of(self, strings: Iterable[String | None]) -> list[int]:
        """The states of strings, or of what the rules see of them."""
        states = [self.numbers.setdefault(self._seen(s), len(self.numbers)) for s in strings]
        self.strings = list(self.numbers)
        added = self.strings[len(self.columns) :]
        columns = [-1 if seen is None else self.local.column(seen) for seen in added]
        self.columns = np.concatenate([self.columns, np.array(columns, dtype=np.int64)])
        unknown = np.full((len(added), self.moves.shape[1]), -1)
        self.moves = np.concatenate([self.moves, unknown])
        return states

    def after(self, states: IntArray, codes: IntArray) -> IntArray:
        """The states, of the same shape, after one more token each."""
        new = self.moves[states, codes] < 0
        if new.any():
            pairs = np.unique(np.stack([states[new], codes[new]], axis=1), axis=0)
            moved = self.of([self._longer(state, code) for state, code in pairs.tolist()])
            self.moves[pairs[:, 0], pairs[:, 1]] = moved
        return self.moves[states, codes]

    def _seen(self, string: String | None) -> String | None:
        if string is None or (self.beginnings is not None and string not in self.beginnings):
            return None
        return self.local.seen(string)

    def _longer(self, state: int, code: int) -> String | None:
        string = self.strings[state]
        return None if string is None else (*string, self.local.tokens[code])


def _class_of(
    traced: dict[String, Traced], label: Callable[[String, String], Hashable]
) -> HypothesisClass:
    """The class with these labels of the traces at the prompts."""
    columns = []
    for prompt, (number, traces) in traced.items():
        labels = np.empty(len(traces), dtype=object)
        for place, trace in enumerate(traces):
            labels[place] = label(prompt, trace)
        columns.append(labels[number])
    points = list(map(as_text, traced))
    return class_from_rows(np.stack(columns, axis=1), points=points, merge=True)


def _whole_trace(_prompt: String, trace: String) -> Hashable:
    return as_text(trace)


def _last_token(prompt: String, trace: String) -> Hashable:
    if not trace:
        raise DomainError("prompt", as_text(prompt), "one that is not finished from the start")
    return trace[-1]


def _has_length(length: int, string: String) -> bool:
    return len(string) == length


def _arguments(halt: Halt) -> int:
    """Whether the rule wants the string, or the prompt and the string.

    Some functions of Python itself, such as those of its sets, do not say; they get the string.
    """
    if not callable(halt):
        raise DomainError("halt", halt, "a function of the string, or of the prompt and the string")
    for arguments in (((),), ((), ())):
        try:
            inspect.signature(halt).bind(*arguments)
        except TypeError:
            continue
        except ValueError:
            return 1
        return len(arguments)
    raise UnsupportedError(
        "a stopping rule that looks at more than the prompt and the string",
        "the stop must be a token or a rule on strings; if a rule chooses it unseen, one rule has "
        "many traces and no statement here holds",
    )
