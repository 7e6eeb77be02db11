"""Learners of exact traces: what each one answers on a prompt after a sample.

Learners work on any class, a class of rollouts included: a trace is a label like any other. An
answer is a distribution over labels; a deterministic one has a single label.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import count
from math import ceil
from typing import TypeAlias

import numpy as np

from rolltheory.dimension.classes import ClassLike, Codes, as_class
from rolltheory.dimension.hypergraph import Hypergraph, densest_part, hypergraph, shares_within
from rolltheory.errors import AssumptionError, DomainError

__all__ = [
    "Answer",
    "EmpiricalRiskMinimiser",
    "Learner",
    "OneInclusionLearner",
    "PrefixVote",
    "Sample",
    "Trained",
    "leave_one_out_mistakes",
]

Sample: TypeAlias = tuple[tuple[int, int], ...]
"""Pairs of a prompt's column and a label's code."""

Answer: TypeAlias = dict[int, Fraction]
"""The probability of each code that is answered."""


class Learner(ABC):
    """A rule that answers a prompt from a sample of prompts with the target's labels.

    Parameters
    ----------
    hypotheses : class or rows
        One of them is the target.
    """

    ordered = False
    """Whether the answer depends on the order of the sample."""

    def __init__(self, hypotheses: ClassLike) -> None:
        self.hypotheses = as_class(hypotheses)

    @abstractmethod
    def answer(self, sample: Sample, column: int) -> Answer:
        """The distribution of the answer at a column, in codes."""

    def fit(self, prompts: Sequence[Hashable], labels: Sequence[Hashable]) -> Trained:
        """The learner with these labels of these prompts, which may stand more than once.

        Raises
        ------
        DomainError
            if there are not as many labels as prompts, or a prompt is none of the class.
        AssumptionError
            if no hypothesis has these labels.
        """
        if len(prompts) != len(labels):
            raise DomainError("labels", labels, f"{len(prompts)} of them, one for each prompt")
        columns = self.hypotheses.columns(prompts)
        rows = self.hypotheses.rows
        pairs = list(zip(columns, labels, strict=True))
        for number, row in enumerate(rows):
            if all(row[column] == label for column, label in pairs):
                codes = self.hypotheses.codes[number]
                return Trained(self, tuple((column, int(codes[column])) for column in columns))
        raise AssumptionError("some hypothesis has the labels of the sample", "labels of none")


class Trained:
    """A learner with its sample.

    Parameters
    ----------
    learner : Learner
    sample : pairs of a column and a code
    """

    def __init__(self, learner: Learner, sample: Sample) -> None:
        self.learner, self.sample = learner, sample

    def probabilities(self, prompt: Hashable) -> dict[Hashable, Fraction]:
        """The distribution of the answer to a prompt.

        Raises
        ------
        DomainError
            if the prompt is none of the class.
        """
        (column,) = self.learner.hypotheses.columns([prompt])
        labels = self.learner.hypotheses.labels[column]
        answer = self.learner.answer(self.sample, column)
        return {labels[code]: share for code, share in answer.items()}

    def predict(self, prompt: Hashable, rng: np.random.Generator | None = None) -> Hashable:
        """The answer to a prompt; drawn with the generator unless only one is possible.

        Raises
        ------
        DomainError
            if the prompt is none of the class, or a draw is needed and no generator given.
        """
        chances = self.probabilities(prompt)
        if len(chances) == 1:
            return next(iter(chances))
        if rng is None:
            raise DomainError("rng", rng, "a generator: the answer is random")
        labels = list(chances)
        return labels[rng.choice(len(labels), p=[float(chances[label]) for label in labels])]


class OneInclusionLearner(Learner):
    r"""Orient the lines of the class on the sample's prompts and the new one; answer its head.

    .. math:: \#\{i : \text{wrong on } x_i \text{ after all others}\} \le
        \lceil \mathrm{dens}(H) \rceil \le \mathrm{pdim}_F(H), \qquad
        E\,\mathrm{err} \le \frac{\lceil \mathrm{dens}(H) \rceil}{m + 1}

    The orientation has the least out-degree and depends on the prompts only, not on their order or
    labels, with ties broken by the codes; else the bound would not hold. Prompts that stand twice
    are no directions: their labels are known. A seen prompt gets its label.

    Parameters
    ----------
    hypotheses : class or rows
    randomised : bool
        Whether heads are shared, so that the density need not be rounded up.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, learning; the learner is known
    (arXiv:1405.2420).

    Examples
    --------
    >>> star = ["000", "100", "010", "001"]
    >>> OneInclusionLearner(star).fit([0], ["1"]).predict(2)
    '0'
    """

    def __init__(self, hypotheses: ClassLike, *, randomised: bool = False) -> None:
        super().__init__(hypotheses)
        self.randomised = randomised
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], _Oriented] = {}

    def answer(self, sample: Sample, column: int) -> Answer:
        """As `Learner.answer`."""
        labels = dict(sample)
        if column in labels:
            return {labels[column]: Fraction(1)}
        return self._oriented(Counter([column, *(c for c, _ in sample)])).answer(labels, column)

    def _oriented(self, counts: Counter[int]) -> _Oriented:
        columns = tuple(sorted(counts))
        once = tuple(column for column in columns if counts[column] == 1)
        if (columns, once) not in self._known:
            codes = self.hypotheses.codes
            self._known[columns, once] = _Oriented(codes, columns, once, self.randomised)
        return self._known[columns, once]


class _Oriented:
    """The rows on some columns, with a head for each line in the direction of some of these."""

    def __init__(
        self, codes: Codes, columns: tuple[int, ...], once: tuple[int, ...], randomised: bool
    ) -> None:
        self.columns = columns
        self.rows = np.unique(codes[:, columns], axis=0)
        self.graph = _in_directions(hypergraph(self.rows), [columns.index(c) for c in once])
        self.shares, self.unit = (_shared_heads if randomised else _whole_heads)(self.graph)

    def answer(self, labels: dict[int, int], column: int) -> Answer:
        """The head of the line through the labels at the other columns."""
        direction = self.columns.index(column)
        others = [i for i in range(len(self.columns)) if i != direction]
        rest = [labels[self.columns[i]] for i in others]
        members = np.flatnonzero((self.rows[:, others] == rest).all(axis=1))
        if members.size == 1:
            return {int(self.rows[members[0], direction]): Fraction(1)}
        edges, vertices = self.graph.edges.T
        through = edges[(vertices == members[0]) & (self.graph.directions[edges] == direction)]
        places = np.flatnonzero((edges == through[0]) & (self.shares > 0))
        return {
            int(self.rows[vertices[place], direction]): int(self.shares[place]) * self.unit
            for place in places
        }


class PrefixVote(Learner):
    r"""The answer that most of a learner's answers agree on, after the first n/2 … n - 1 pairs.

    .. math:: P\Bigl(\mathrm{err} > \frac{4 e \ln 2\; p + \frac{8e}{e - 1} \ln(2 / \delta)}{n}
        \Bigr) \le \delta

    for a learner whose leave-one-out mistakes are at most p. Its last answer alone has no such
    tail. Random answers count with their probabilities; ties go to the smallest code.

    Parameters
    ----------
    learner : Learner
        Its answers must not depend on the order of the sample.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, learning; the rate is known (arXiv:2304.09167).

    Examples
    --------
    >>> star = ["000", "100", "010", "001"]
    >>> PrefixVote(OneInclusionLearner(star)).fit([0, 1], "00").predict(2)
    '0'
    """

    ordered = True

    def __init__(self, learner: Learner) -> None:
        super().__init__(learner.hypotheses)
        if learner.ordered:
            raise DomainError("learner", type(learner).__name__, "one that ignores the order")
        self.learner = learner

    def answer(self, sample: Sample, column: int) -> Answer:
        """As `Learner.answer`.

        Raises
        ------
        DomainError
            if the sample is empty or its size is odd.
        """
        if not sample or len(sample) % 2:
            raise DomainError("sample size", len(sample), "an even number, at least 2")
        votes: dict[int, Fraction] = defaultdict(Fraction)
        for size in range(len(sample) // 2, len(sample)):
            for code, share in self.learner.answer(sample[:size], column).items():
                votes[code] += share
        return {min(votes, key=lambda code: (-votes[code], code)): Fraction(1)}


class EmpiricalRiskMinimiser(Learner):
    """The answer of the first hypothesis that agrees with the sample.

    For contrast: its error is governed by the graph dimension, and grows with the rollout's length.

    Parameters
    ----------
    hypotheses : class or rows
        In the order of preference.

    Examples
    --------
    >>> EmpiricalRiskMinimiser(["11", "01", "00"]).fit([0], ["0"]).predict(1)
    '1'
    """

    def answer(self, sample: Sample, column: int) -> Answer:
        """As `Learner.answer`."""
        codes = self.hypotheses.codes
        agree = np.ones(len(codes), dtype=bool)
        for seen, code in sample:
            agree &= codes[:, seen] == code
        return {int(codes[np.argmax(agree), column]): Fraction(1)}


def leave_one_out_mistakes(
    learner: Learner, prompts: Sequence[Hashable], labels: Sequence[Hashable]
) -> Fraction:
    r"""Expected number of prompts that a learner gets wrong after seeing all of the others.

    .. math:: \sum_i P(\text{wrong on } x_i \text{ after all others}) \le
        \lceil \mathrm{dens}(H) \rceil

    for one-inclusion learners, for every multiset of prompts and every target; without rounding up
    if they are randomised.

    Parameters
    ----------
    learner : Learner
    prompts : sequence of points
        May repeat.
    labels : sequence of labels
        The target's.

    Raises
    ------
    DomainError
        if there are not as many labels as prompts, or a prompt is none of the class.
    AssumptionError
        if no hypothesis has these labels.

    Notes
    -----
    Source: derived here: docs/theory/dimension.md, learning.

    Examples
    --------
    >>> square = OneInclusionLearner(["00", "01", "10", "11"])
    >>> leave_one_out_mistakes(square, [0, 1], "01")
    Fraction(1, 1)
    """
    sample = learner.fit(prompts, labels).sample
    return sum(
        (
            1 - learner.answer(sample[:i] + sample[i + 1 :], column).get(code, Fraction(0))
            for i, (column, code) in enumerate(sample)
        ),
        Fraction(0),
    )


def _in_directions(graph: Hypergraph, directions: list[int]) -> Hypergraph:
    """The hyperedges in these directions only."""
    kept = np.isin(graph.directions, directions)
    edges = graph.edges[kept[graph.edges[:, 0]]]
    edges = np.stack([(np.cumsum(kept) - 1)[edges[:, 0]], edges[:, 1]], axis=1)
    return Hypergraph(graph.vertices, edges, graph.directions[kept], graph.sizes[kept])


def _whole_heads(graph: Hypergraph) -> tuple[Codes, Fraction]:
    """A head for each hyperedge, of the least out-degree, and the unit of shares, one."""
    for degree in count(ceil(Fraction(int((graph.sizes - 1).sum()), graph.vertices))):
        shares = shares_within(graph, Fraction(degree))
        if shares is not None:
            return shares, Fraction(1)
    raise AssertionError("there is one whose out-degree is the largest degree")


def _shared_heads(graph: Hypergraph) -> tuple[Codes, Fraction]:
    """Shares of heads of the least out-degree, which is the density, and their unit."""
    density = densest_part(graph)[0]
    shares = shares_within(graph, density)
    if shares is None:
        raise AssertionError("there are shares whose out-degree is the density")
    return shares, Fraction(1, density.denominator)
