"""Claims about rollouts that look true and are not."""

from __future__ import annotations

from collections.abc import Callable

from rolltheory.claims import Relation, Sides, Source, Tooth, Verdict, claim
from rolltheory.dimension.claims._rolled import (
    Measured,
    Roll,
    Rolled,
    of_strings,
    of_traces,
)
from rolltheory.dimension.claims.elementary import PAGE

__all__ = [
    "binary_tokens_make_binary_traces",
    "ds_is_stable",
    "graph_is_stable",
    "last_tokens_are_no_harder",
    "rollout_keeps_dimensions",
    "rules_may_choose_the_stop",
]

ANCHOR = f"{PAGE}#rollouts"


@claim(
    "dimension.rollout.ds_is_stable",
    statement=r"\mathrm{DS}(\mathrm{Roll}(H)) \le \mathrm{DS}(H)",
    relation=Relation.AT_MOST,
    source=Source.derived(ANCHOR),
    assumes={},
    repairs={
        "parity modulo 2": "parity 2",
        "parity modulo 3": "parity 3",
    },
    declared=Verdict.REFUTED,
    repaired_by="dimension.rollout.ds_factor",
)
def ds_is_stable(case: Rolled, notion: str = "ds") -> Sides:
    """The DS dimension cannot grow under rollout.

    False (trap T1): J4, 24 rules on four tokens, has DS dimension 2 and traces of DS dimension 3;
    J2 does so with binary tokens. No class of fewer than 24 rules does, so that small random tests
    never show it. The parity dimension takes its place.
    """
    return Sides(of_traces(case, notion), of_strings(case, notion))


@claim(
    "dimension.rollout.graph_is_stable",
    statement=r"\mathrm{G}(\mathrm{Roll}(H)) \le \mathrm{G}(H)",
    relation=Relation.AT_MOST,
    source=Source.derived(ANCHOR),
    assumes={},
    repairs={"Natarajan": "natarajan", "Littlestone": "littlestone"},
    declared=Verdict.REFUTED,
    repaired_by="dimension.rollout.natarajan",
)
def graph_is_stable(case: Rolled, notion: str = "graph") -> Sides:
    """The graph dimension, and with it empirical risk minimisation, is free of the length.

    False (trap T13): four binary rules of graph dimension 1 have traces of graph dimension 2, and
    rules of VC dimension 1 have traces of T tokens with graph dimension log2(T + 1).
    """
    return Sides(of_traces(case, notion), of_strings(case, notion))


@claim(
    "dimension.rollout.last_tokens",
    statement=r"\mathrm{VC}(h \mapsto \text{last token of } \mathrm{Roll}(h)) \le \mathrm{VC}(H)",
    relation=Relation.AT_MOST,
    source=Source.derived(ANCHOR),
    assumes={},
    repairs={"whole traces": Rolled.traces},
    declared=Verdict.REFUTED,
    repaired_by="dimension.rollout.natarajan",
)
def last_tokens_are_no_harder(case: Rolled, roll: Roll = Rolled.last_tokens) -> Sides:
    """Final answers are no harder to learn than whole traces.

    False (trap T10): merging traces by their last token can raise every dimension.
    """
    return Sides(of_traces(case, "natarajan", roll), of_strings(case, "natarajan"))


@claim(
    "dimension.rollout.chosen_stop",
    statement=r"\mathrm{pdim}_F(\mathrm{Roll}(H)) \le \mathrm{pdim}_F(H) \quad"
    r" \text{if each rule stops when it likes}",
    relation=Relation.AT_MOST,
    source=Source.derived(ANCHOR),
    assumes={},
    repairs={"a stopping rule on strings": Rolled.traces},
    declared=Verdict.REFUTED,
    repaired_by="dimension.rollout.parity",
)
def rules_may_choose_the_stop(case: Rolled, roll: Roll = Rolled.stopped_at_will) -> Sides:
    """A rule may end its trace without writing a token that says so.

    False (trap T11): a single constant rule then has traces of many lengths. The stop has to be a
    token, or a rule on strings.
    """
    return Sides(of_traces(case, "parity 2", roll), of_strings(case, "parity 2"))


@claim(
    "dimension.rollout.keeps",
    statement=r"\dim(\mathrm{Roll}(H)) = \dim(H) \quad"
    r" \text{for the Natarajan, parity and Littlestone dimensions}",
    relation=Relation.EQUAL,
    source=Source.derived(ANCHOR),
    assumes={},
    repairs={"at most": Tooth(relation=Relation.AT_MOST)},
    declared=Verdict.REFUTED,
    repaired_by="dimension.rollout.parity",
)
def rollout_keeps_dimensions(
    case: Measured, dimension: Callable[[Rolled, str], int] = of_traces
) -> Sides:
    """Rolling out preserves the dimensions that it cannot raise.

    False (trap T15): traces give rules away. All 256 binary rules on three tokens have dimension 8,
    their traces of four tokens dimension 3.
    """
    return Sides(dimension(case.rolled, case.notion), of_strings(case.rolled, case.notion))


@claim(
    "dimension.rollout.binary_tokens",
    statement=r"|\Sigma| = 2 \implies"
    r" \mathrm{Nat}(\mathrm{Roll}(H)) = \mathrm{DS}(\mathrm{Roll}(H))",
    relation=Relation.EQUAL,
    source=Source.derived(ANCHOR),
    assumes={},
    repairs={"on the strings": of_strings},
    declared=Verdict.REFUTED,
    repaired_by="dimension.elementary.binary",
)
def binary_tokens_make_binary_traces(
    case: Rolled, dimension: Callable[[Rolled, str], int] = of_traces
) -> Sides:
    """With binary tokens the dimensions of traces agree, as they do for binary labels.

    False (trap T20): the labels of traces are strings. J2 has VC dimension 2, and traces of three
    tokens with Natarajan dimension 2 and DS dimension 3.
    """
    return Sides(dimension(case, "natarajan"), dimension(case, "ds"))
