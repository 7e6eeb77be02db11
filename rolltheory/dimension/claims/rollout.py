"""Claims about what rolling out cannot raise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Tooth, claim
from rolltheory.dimension.claims._rolled import (
    Measured,
    Roll,
    Rolled,
    dimension_of,
    of_family,
    of_strings,
    of_traces,
)
from rolltheory.dimension.claims.elementary import PAGE
from rolltheory.dimension.classes import HypothesisClass, class_from_rows
from rolltheory.dimension.density import max_density, mean_degree
from rolltheory.dimension.local import (
    String,
    local_class_from_rows,
    local_class_from_tables,
    local_class_on,
)
from rolltheory.dimension.local_families import (
    four_token_gap,
    three_token_gap,
)
from rolltheory.dimension.rollout import rollout_class

__all__ = [
    "Continued",
    "Stepped",
    "continuation_keeps_the_dimension",
    "density_of_traces",
    "ds_at_most_twice_parity",
    "littlestone_is_stable",
    "natarajan_is_stable",
    "parity_is_stable",
    "steps_with_own_tables_add_up",
    "traces_follow_the_rules",
]

ANCHOR = f"{PAGE}#rollouts"
J3, J4 = of_family(three_token_gap(), steps=2), of_family(four_token_gap(), steps=2)
LATE = Rolled(
    ("0000000", "1110000", "0001100", "0000011"),
    ("a", "a1", "a11", "b0", "b01", "a00", "b00"),
    ("a", "b"),
    3,
)
"""Four rules of dimension 1 in every sense, whose last tokens are all binary pairs."""


def by_the_definition(case: Rolled, *, lag: int = 0, from_prompt: bool = False) -> set[object]:
    """Each rule followed by itself; it may see all but the last tokens, or return all it sees."""
    rows: set[object] = set()
    for rule in case.local().rules:
        row = []
        for prompt in case.prompts:
            string: String = tuple(prompt)
            while not _ended(case, string, len(prompt)):
                string = (*string, rule(string[: len(string) - lag]))
            row.append("".join(map(str, string[0 if from_prompt else len(prompt) :])))
        rows.add(tuple(row))
    return rows


def _ended(case: Rolled, string: String, prompt: int) -> bool:
    return len(string) == prompt + case.steps if case.steps else len(string) >= case.length


@claim(
    "dimension.rollout.traces",
    statement=r"\mathrm{Roll}(h)(x) = t_1 \dots t_n, \quad t_{i+1} = h(x\, t_1 \dots t_i), \quad"
    r" n = \min \{ i : x\, t_1 \dots t_i \in \mathrm{halt} \}",
    relation=Relation.EQUAL,
    source=Source.derived(ANCHOR),
    assumes={},
    teeth={
        "one token late": lambda case: by_the_definition(case, lag=1),
        "the prompt is part of the trace": lambda case: by_the_definition(case, from_prompt=True),
    },
)
def traces_follow_the_rules(
    case: Rolled, followed: Callable[[Rolled], set[object]] = by_the_definition
) -> Sides:
    """Rules that advance together write what each writes by itself.

    The left side are the traces of the whole class; on the right, every rule is followed alone.
    """
    return Sides(set(case.traces().rows), followed(case))


TEETH = {
    "last tokens only": Rolled.last_tokens,
    "the rule chooses the stop": Rolled.stopped_at_will,
    "direction swapped": Tooth(relation=Relation.AT_LEAST),
}


@claim(
    "dimension.rollout.parity",
    statement=r"\mathrm{pdim}_F(\mathrm{Roll}(H)) \le \mathrm{pdim}_F(H) \quad"
    r" \text{for every field and stopping rule}",
    relation=Relation.AT_MOST,
    source=Source.derived(ANCHOR),
    assumes={},
    teeth=TEETH,
    tight=Tight(Measured(J4, "parity 2")),
)
def parity_is_stable(case: Measured, roll: Roll = Rolled.traces) -> Sides:
    """Whole traces have no larger parity dimension than next tokens, however long they are.

    The number of steps, the tokens and the stopping rule do not occur. It is false for last tokens
    only, and for a stop that the rule chooses unseen.
    """
    traces = of_traces(case.rolled, case.notion, roll)
    return Sides(traces, of_strings(case.rolled, case.notion))


@claim(
    "dimension.rollout.natarajan",
    statement=r"\mathrm{Nat}(\mathrm{Roll}(H)) \le \mathrm{Nat}(H)",
    relation=Relation.AT_MOST,
    source=Source.derived(ANCHOR),
    assumes={},
    teeth=TEETH,
    tight=Tight(J4),
)
def natarajan_is_stable(case: Rolled, roll: Roll = Rolled.traces) -> Sides:
    """Whole traces have no larger Natarajan dimension than next tokens.

    Two traces of a prompt part at one string; after it their mixtures are mixtures of two tokens.
    """
    return Sides(of_traces(case, "natarajan", roll), of_strings(case, "natarajan"))


@claim(
    "dimension.rollout.littlestone",
    statement=r"L(\mathrm{Roll}(H)) \le L(H)",
    relation=Relation.AT_MOST,
    source=Source.derived(ANCHOR),
    assumes={},
    teeth=TEETH,
    tight=Tight(J4),
)
def littlestone_is_stable(case: Rolled, roll: Roll = Rolled.traces) -> Sides:
    """Whole traces have no larger Littlestone dimension than next tokens.

    A node with two traces becomes the node of the string at which they part.
    """
    return Sides(of_traces(case, "littlestone", roll), of_strings(case, "littlestone"))


RULES_DIFFER = "the rules differ at some string"
CONSTANT = Rolled(("0",), ("a",), ("a",), 1)


@claim(
    "dimension.rollout.ds_factor",
    statement=r"\mathrm{DS}(\mathrm{Roll}(H)) \le 2\, \mathrm{pdim}_F(H) - 1 \quad"
    r" \text{for every field}",
    relation=Relation.AT_MOST,
    source=Source.derived(ANCHOR),
    assumes={RULES_DIFFER: lambda case: len(case.rolled.rows) > 1},
    teeth={
        "no factor": lambda parity: parity,
        "one less": lambda parity: 2 * parity - 2,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={RULES_DIFFER: Counterexample(Measured(CONSTANT, "parity 2"), "0 is more than -1")},
    tight=Tight(Measured(J4, "parity 2")),
)
def ds_at_most_twice_parity(
    case: Measured, bound: Callable[[int], int] = lambda parity: 2 * parity - 1
) -> Sides:
    """Rolling out may raise the DS dimension, but to less than twice the parity dimension.

    J4 attains it: its rules have DS = parity = 2, its traces DS = 3.
    """
    parity = of_strings(case.rolled, case.notion)
    return Sides(of_traces(case.rolled, "ds"), bound(parity))


@claim(
    "dimension.rollout.density",
    statement=r"\mathrm{dens}(\mathrm{Roll}(H)|_S) \le \mathrm{pdim}_F(H) \quad"
    r" \text{for every field and prompts } S",
    relation=Relation.AT_MOST,
    source=Source.derived(ANCHOR),
    assumes={},
    teeth={
        "the mean degree": mean_degree,
        "twice the density": lambda traces: 2 * max_density(traces).value,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Measured(J3, "parity 2"), at_least=Fraction(45, 56)),
)
def density_of_traces(
    case: Measured,
    density: Callable[[HypothesisClass], Fraction] = lambda traces: max_density(traces).value,
) -> Sides:
    """The one-inclusion density of traces is at most the parity dimension of the rules.

    So the one-inclusion learner of traces errs at most so often when each of the samples is left
    out once, whatever their length.
    """
    return Sides(density(case.rolled.traces()), of_strings(case.rolled, case.notion))


@dataclass(frozen=True)
class Continued:
    """A class on prompts, each label one character, and for how many tokens a trace goes on."""

    rows: tuple[str, ...]
    steps: int
    notion: str

    @property
    def prompts(self) -> tuple[str, ...]:
        """One letter for each point."""
        return tuple("pqrstuvw"[: len(self.rows[0])])


def goes_on_with_zero(case: Continued) -> HypothesisClass:
    """The first token is the label, all later ones are 0."""
    tables = [dict(zip(case.prompts, row, strict=True)) for row in case.rows]
    local = local_class_from_tables(tables, default="0")
    return rollout_class(local, case.prompts, steps=case.steps)


def names_itself(case: Continued) -> HypothesisClass:
    """The second token is the name of the hypothesis."""
    tables = [
        {
            **dict(zip(case.prompts, row, strict=True)),
            **{f"{p}{y}": f"h{i}" for p, y in zip(case.prompts, row, strict=True)},
        }
        for i, row in enumerate(case.rows)
    ]
    local = local_class_from_tables(tables, default="0")
    return rollout_class(local, case.prompts, steps=case.steps)


@claim(
    "dimension.rollout.attained",
    statement=r"h(x\, t_1 \dots t_i) = g(x\, t_1 \dots t_i) \; (i \ge 1) \text{ for all } h \in H"
    r" \implies \dim(\mathrm{Roll}_T(H)) = \dim(H|_{\text{prompts}}) \quad"
    r" \text{for every dimension and } T",
    relation=Relation.EQUAL,
    source=Source.derived(ANCHOR),
    assumes={},
    teeth={"the second token names the hypothesis": names_itself},
)
def continuation_keeps_the_dimension(
    case: Continued, roll: Callable[[Continued], HypothesisClass] = goes_on_with_zero
) -> Sides:
    """With a common continuation the traces have the dimensions of the rules, at any length.

    So no statement that holds for every class can gain from longer traces. It is false where the
    continuation gives the hypothesis away (trap T15).
    """
    rows = class_from_rows(case.rows)
    return Sides(dimension_of(roll(case), case.notion), dimension_of(rows, case.notion))


@dataclass(frozen=True)
class Stepped:
    """A binary class on prompts, and how many steps have a predictor of their own from it."""

    rows: tuple[str, ...]
    steps: int

    def tables(self) -> HypothesisClass:
        """Every choice of a hypothesis for each step, on the prompts marked with the step."""
        width = len(self.rows[0])
        strings = [f"{'pqrs'[x]}{step}" for step in range(self.steps) for x in range(width)]
        rows = ["".join(chosen) for chosen in product(self.rows, repeat=self.steps)]
        return local_class_on(local_class_from_rows(rows, strings, default="0"), strings)


@claim(
    "dimension.rollout.step_tables",
    statement=r"\mathrm{DS}(H_1 \times \dots \times H_T) = T \cdot \mathrm{DS}(H) \quad"
    r" \text{if each step has its own rule from } H",
    relation=Relation.EQUAL,
    source=Source.derived(ANCHOR),
    assumes={},
    teeth={
        "free of T": lambda dimension, _: dimension,
        "one table more": lambda dimension, steps: dimension * (steps + 1),
    },
)
def steps_with_own_tables_add_up(
    case: Stepped, total: Callable[[int, int], int] = lambda dimension, steps: dimension * steps
) -> Sides:
    """A predictor of its own for each step is a larger class: its dimension adds up over steps.

    That rollouts cost nothing is about one rule that is used again and again (trap T12).
    """
    one = dimension_of(class_from_rows(case.rows), "ds")
    return Sides(dimension_of(case.tables(), "ds"), total(one, case.steps))
