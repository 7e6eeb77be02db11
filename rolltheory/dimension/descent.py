"""The constructive proof that rolling out cannot raise a parity dimension."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from rolltheory.dimension.local import String, as_text
from rolltheory.dimension.witnesses import ZeroSumFunction, is_zero_sum
from rolltheory.errors import AssumptionError, DomainError
from rolltheory.numerics.modular import prime_field

__all__ = ["descend"]

Key = tuple[Hashable, ...]


def descend(traces: ZeroSumFunction) -> ZeroSumFunction:
    r"""From a zero-sum function on whole traces to one on the next tokens after some prefixes.

    .. math:: \mathrm{pdim}_F(\mathrm{Roll}(H)) \le \mathrm{pdim}_F(H)

    Point by point, the traces of that point form a tree. Summed over the traces below a node of
    it, the function is 0 at the root and not at some leaf, so there is a node where it is 0 and a
    child where it is not; the point becomes that node, and its label the next token. The node must
    be chosen after those before it: the common beginning of all traces will not do.

    Parameters
    ----------
    traces : ZeroSumFunction
        Its points are prompts, its labels traces of them: sequences of tokens, of which none of a
        prompt begins another.

    Returns
    -------
    ZeroSumFunction
        Its points are strings, a prompt and a prefix of its traces, all different, and its labels
        the tokens that follow: each pattern is that of every rule with those traces.

    Raises
    ------
    AssumptionError
        if the function does not sum to 0 on each line, one trace of a prompt begins another or is
        another label as well, or no rules have these traces: two points become the same string.
    DomainError
        if it is another witness, the field is no prime, or a trace is no sequence.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, rollout stability.

    Examples
    --------
    >>> even = ZeroSumFunction(
    ...     ("p", "q"), dict.fromkeys([("00", "1"), ("01", "1"), ("00", "0"), ("01", "0")], 1), 2
    ... )
    >>> local = descend(even)
    >>> local.points
    ('p0', 'q')
    >>> sorted(local.values)
    [('0', '0'), ('0', '1'), ('1', '0'), ('1', '1')]
    """
    if not isinstance(traces, ZeroSumFunction):
        raise DomainError("traces", type(traces).__name__, "the witness of a parity dimension")
    order = prime_field(traces.field)
    if not is_zero_sum(traces.values, order):
        raise AssumptionError("the values sum to 0 on each line and are not all 0", "other values")
    if any(len(pattern) != len(traces.points) for pattern in traces.values):
        raise AssumptionError("each pattern has a trace of each prompt", "one of another length")
    values = {pattern: value % order for pattern, value in traces.values.items() if value % order}
    points: list[Hashable] = []
    for i, prompt in enumerate(traces.points):
        _require_no_beginning({pattern[i] for pattern in values}, prompt)
        prefix = _last_zero_node(values, i, order)
        values = _next_tokens(values, i, prefix, order)
        points.append(_joined(prompt, prefix))
    if len(set(points)) < len(points):
        raise AssumptionError("each pattern is the traces of a rule", f"the points {points}")
    return ZeroSumFunction(tuple(points), values, order)


def _last_zero_node(values: Mapping[Key, int], i: int, order: int) -> String:
    """The longest prefix of some trace below which all sums are 0, with a child where not all are.

    The root is one with sums 0, as it takes in whole lines; the leaf is none.
    """
    leaf = _tokens(next(iter(values))[i])
    lengths = (
        length for length in range(len(leaf)) if not _sums_below(values, i, leaf[:length], order)
    )
    return leaf[: max(lengths)]


def _sums_below(values: Mapping[Key, int], i: int, prefix: String, order: int) -> dict[Key, int]:
    """For each choice of the other labels the sum over traces below a node, where it is not 0."""
    sums: dict[Key, int] = {}
    for pattern, value in values.items():
        if _tokens(pattern[i])[: len(prefix)] == prefix:
            rest = pattern[:i] + pattern[i + 1 :]
            sums[rest] = (sums.get(rest, 0) + value) % order
    return {rest: total for rest, total in sums.items() if total}


def _next_tokens(values: Mapping[Key, int], i: int, prefix: String, order: int) -> dict[Key, int]:
    """The function of the token after the prefix in place of the whole trace."""
    sums: dict[Key, int] = {}
    length = len(prefix)
    for pattern, value in values.items():
        trace = _tokens(pattern[i])
        if trace[:length] == prefix:
            shorter = (*pattern[:i], trace[length], *pattern[i + 1 :])
            sums[shorter] = (sums.get(shorter, 0) + value) % order
    return {pattern: total for pattern, total in sums.items() if total}


def _require_no_beginning(labels: set[Hashable], prompt: Hashable) -> None:
    traces = set(map(_tokens, labels))
    if len(traces) < len(labels):
        raise AssumptionError(
            "different labels of a prompt are different traces", f"a trace twice of {prompt!r}"
        )
    for trace in traces:
        for length in range(len(trace)):
            if trace[:length] in traces:
                raise AssumptionError(
                    "no trace of a prompt begins another",
                    f"{as_text(trace[:length])!r} and {as_text(trace)!r} of {prompt!r}",
                )


def _tokens(label: Hashable) -> String:
    if not isinstance(label, Sequence):
        raise DomainError("trace", label, "a sequence of tokens")
    return tuple(label)


def _joined(prompt: Hashable, prefix: String) -> Hashable:
    return as_text((*_tokens(prompt), *prefix))
