"""Classes of next-token rules, and the classes of whole traces that they roll out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rolltheory.dimension.classes import HypothesisClass, class_from_rows
from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.numerics.arguments import integer_array

__all__ = [
    "Halt",
    "LocalClass",
    "Rule",
    "String",
    "Token",
    "end_to_end_class",
    "local_class_on",
    "rollout_class",
    "table_rule",
]

Token: TypeAlias = Hashable
String: TypeAlias = tuple[Token, ...]
Rule: TypeAlias = Callable[[String], Token]
"""A next-token rule: the token that follows a string."""

Halt: TypeAlias = Callable[[String], bool]
"""A stopping rule: whether a string, prompt included, is finished."""


@dataclass(frozen=True)
class LocalClass:
    """Finitely many next-token rules, each a function of the whole string so far.

    Parameters
    ----------
    rules : tuple of functions from a tuple of tokens to a token
        They must be pure: a rule that answers otherwise when asked again has no rollout.

    Examples
    --------
    >>> repeat, zero = (lambda string: string[-1]), (lambda string: "0")
    >>> len(LocalClass((repeat, zero)))
    2
    """

    rules: tuple[Rule, ...]

    def __post_init__(self) -> None:
        if not self.rules:
            raise DomainError("rules", self.rules, "at least one rule")

    def __len__(self) -> int:
        """Number of rules."""
        return len(self.rules)


def table_rule(table: Mapping[Any, Token], *, default: Token = None) -> Rule:
    """The rule with these next tokens, and ``default`` after every other string.

    Keys are strings or tuples of tokens.

    Raises
    ------
    DomainError
        when the rule meets a string that is not in the table, if there is no default.

    Examples
    --------
    >>> rule = table_rule({"ab": "c"}, default="a")
    >>> rule(("a", "b")), rule(("b",))
    ('c', 'a')
    """
    known = {tuple(string): token for string, token in table.items()}

    def next_token(string: String) -> Token:
        token = known.get(string, default)
        if token is None:
            raise DomainError("string", _text(string), "one in the table, or a default token")
        return token

    return next_token


def local_class_on(local: LocalClass, strings: Iterable[Sequence[Token]]) -> HypothesisClass:
    """The next tokens of the rules on these strings, as a class whose points are the strings.

    Rules that agree on all of them are one hypothesis.

    >>> local = LocalClass((table_rule({"a": "b"}, default="a"), lambda string: "a"))
    >>> local_class_on(local, ["a", "b"]).rows
    [('b', 'a'), ('a', 'a')]
    """
    points = [tuple(string) for string in strings]
    rows = [[rule(point) for point in points] for rule in local.rules]
    return class_from_rows(rows, points=list(map(_text, points)), merge=True)


def rollout_class(
    local: LocalClass,
    prompts: Iterable[Sequence[Token]],
    *,
    steps: int | None = None,
    halt: Halt | None = None,
    at_most: int = 10_000,
) -> HypothesisClass:
    """The whole traces that the rules generate from the prompts, as labels of the prompts.

    From each prompt the rule's own tokens are appended until ``steps`` of them stand there, or
    until ``halt`` says that the string is finished. The loss of this class is 1 unless the whole
    trace is right. Rules with the same traces are one hypothesis.

    Parameters
    ----------
    local : LocalClass
    prompts : sequences of tokens, all different
    steps : int, optional
        Number of tokens to generate.
    halt : function of a string, optional
        Looks at the string, which begins with the prompt, and at nothing else: a rule that stops
        when it likes, without a token to say so, makes many traces out of one rule.
    at_most : int
        Tokens after which a rule is taken not to halt.

    Returns
    -------
    HypothesisClass
        Its points are the prompts, its labels the generated tokens, without the prompt.

    Raises
    ------
    DomainError
        unless exactly one of ``steps`` and ``halt`` is given; if a prompt stands twice, a rule
        does not halt on a prompt, or a stopping rule wants more than the string.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, rollouts.

    Examples
    --------
    >>> count = LocalClass(tuple(table_rule({"a": t, "a0": "1"}, default="0") for t in "01"))
    >>> rollout_class(count, ["a"], steps=2).rows
    [('01',), ('10',)]
    >>> rollout_class(count, ["a"], halt=lambda string: len(string) == 2).rows
    [('0',), ('1',)]
    """
    finished = _stopping_rule(steps, halt)
    points = [tuple(prompt) for prompt in prompts]
    rows = [
        [_trace(rule, point, finished, at_most, number) for point in points]
        for number, rule in enumerate(local.rules)
    ]
    return class_from_rows(rows, points=list(map(_text, points)), merge=True)


def end_to_end_class(
    local: LocalClass, prompts: Iterable[Sequence[Token]], *, steps: int
) -> HypothesisClass:
    """The last tokens only: what is left of the traces when the chain of thought is not seen.

    No statement about traces carries over: its dimensions can exceed those of the rules.

    >>> count = LocalClass(tuple(table_rule({"a": t, "a0": "1"}, default="0") for t in "01"))
    >>> end_to_end_class(count, ["a"], steps=2).rows
    [('1',), ('0',)]
    """
    last = int(integer_array("steps", steps, at_least=1)) - 1
    traces = rollout_class(local, prompts, steps=steps)
    rows = [[label[last] for label in row if isinstance(label, str | tuple)] for row in traces.rows]
    return class_from_rows(rows, points=traces.points, merge=True)


def _stopping_rule(steps: int | None, halt: Halt | None) -> Callable[[String, int], bool]:
    """Whether a string is finished, from the string and the number of tokens generated."""
    if (steps is None) == (halt is None):
        raise DomainError("steps, halt", (steps, halt), "one of the two")
    if halt is None:
        count = int(integer_array("steps", steps, at_least=1))
        return lambda _string, generated: generated >= count
    _require_a_rule_on_strings(halt)
    return lambda string, _generated: halt(string)


def _require_a_rule_on_strings(halt: Halt) -> None:
    import inspect

    try:
        inspect.signature(halt).bind(())
    except TypeError:
        raise UnsupportedError(
            "a stopping rule that looks at more than the string",
            "the stop must be a token or a rule on strings; if a rule chooses it unseen, one "
            "rule has many traces and no statement here holds",
        ) from None


def _trace(
    rule: Rule, prompt: String, finished: Callable[[String, int], bool], at_most: int, number: int
) -> Hashable:
    string, generated = prompt, 0
    while not finished(string, generated):
        if generated >= at_most:
            allowed = f"one on which rule {number} halts within {at_most} tokens"
            raise DomainError("prompt", _text(prompt), allowed)
        string = (*string, rule(string))
        generated += 1
    return _text(string[len(prompt) :])


def _text(string: String) -> Hashable:
    """A string where all tokens are single characters, else the tuple of tokens."""
    plain = all(isinstance(token, str) and len(token) == 1 for token in string)
    return "".join(map(str, string)) if plain else string
