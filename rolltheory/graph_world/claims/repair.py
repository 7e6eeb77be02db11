"""Claims about what repairing nodes does, and about where errors hurt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import e
from typing import Any

from rolltheory.claims import (
    Enclosure,
    Relation,
    Sides,
    Source,
    Tight,
    Tooth,
    Verdict,
    claim,
)
from rolltheory.graph_world.claims.matrices import (
    Matrix,
    Vector,
    applied,
    floats,
    matrix,
    power,
    radius,
    submatrix,
    transposed,
    vector,
)
from rolltheory.graph_world.criticality import critical_weights
from rolltheory.graph_world.repair import greedy_repair
from rolltheory.graph_world.walks import walk_count_exact

__all__ = [
    "Budgeted",
    "Growth",
    "Readout",
    "Walks",
    "destroyed_walks_diminish",
    "greedy_keeps_its_share",
    "radius_relief_diminishes",
    "repair_never_hurts",
    "row_sums_tell_where_errors_hurt",
    "traces_bound_the_radius",
    "walks_bound_the_radius",
    "weights_are_derivatives",
]

PAGE = "docs/theory/graph_world.md#repair"
CRITICAL = "docs/theory/graph_world.md#critical-nodes"


def remaining(m: Matrix, region: Iterable[int]) -> Matrix:
    """The matrix without the region."""
    return submatrix(m, [i for i in range(len(m)) if i not in set(region)])


def walks(m: Matrix, length: int) -> Fraction:
    """1^T M^k 1."""
    return walk_count_exact(m, length=length)


def low(value: Any) -> Any:
    return value.low if isinstance(value, Enclosure) else value


def high(value: Any) -> Any:
    return value.high if isinstance(value, Enclosure) else value


@dataclass(frozen=True)
class Growth:
    """A region, a larger one that contains it, and a node outside both."""

    matrix: Matrix
    region: tuple[int, ...]
    larger: tuple[int, ...]
    node: int
    length: int = 3

    def radius_gain(self, region: tuple[int, ...]) -> Any:
        """What the node brings after the region, in spectral radius."""
        before = radius_of(remaining(self.matrix, region))
        after = radius_of(remaining(self.matrix, (*region, self.node)))
        gain = Enclosure(low(before) - high(after), high(before) - low(after))
        return gain.low if gain.low == gain.high else gain

    def walk_gain(self, region: tuple[int, ...]) -> Fraction:
        """The same in walks."""
        before = walks(remaining(self.matrix, region), self.length)
        return before - walks(remaining(self.matrix, (*region, self.node)), self.length)


def radius_of(m: Matrix) -> Any:
    """Zero if nothing is left."""
    return radius(m) if m else Fraction(0)


@claim(
    "graph_world.repair.monotone",
    statement=r"\rho(M_{V \setminus (R \cup \{u\})}) \le \rho(M_{V \setminus R})",
    relation=Relation.AT_MOST,
    source=Source.known("Perron and Frobenius"),
    assumes={},
    teeth={
        "strictly, by a tenth": lambda case: (
            low(radius_of(remaining(case.matrix, case.region))) * 9 / 10
        ),
        "by the larger region": lambda case: low(radius_of(remaining(case.matrix, case.larger))),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Growth(matrix([[1, 0], [0, 1]]), (), (), 0)),
)
def repair_never_hurts(
    case: Growth,
    bound: Callable[[Growth], Any] = lambda case: low(
        radius_of(remaining(case.matrix, case.region))
    ),
) -> Sides:
    """Repairing one node more never raises the spectral radius of what remains.

    Radii that are not rational are compared by their first 64 binary places.
    """
    return Sides(low(radius_of(remaining(case.matrix, (*case.region, case.node)))), bound(case))


@claim(
    "graph_world.repair.walks",
    statement=r"S_k(B \cup \{u\}) - S_k(B) \le S_k(A \cup \{u\}) - S_k(A) \quad (A \subseteq B)",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "after the larger region": lambda case: case.walk_gain(case.larger) * 9 / 10,
        "walks of one step": lambda case: (
            walks(remaining(case.matrix, case.region), 1)
            - walks(remaining(case.matrix, (*case.region, case.node)), 1)
        ),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Growth(matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]]), (), (1,), 0)),
)
def destroyed_walks_diminish(
    case: Growth,
    bound: Callable[[Growth], Any] = lambda case: case.walk_gain(case.region),
) -> Sides:
    """A node destroys the fewer walks the more are already repaired: greedy has a guarantee."""
    return Sides(case.walk_gain(case.larger), bound(case))


@claim(
    "graph_world.repair.radius_diminishes",
    statement=r"F(B \cup \{u\}) - F(B) \le F(A \cup \{u\}) - F(A), \quad"
    r" F(R) = \rho(M) - \rho(M_{V \setminus R})",
    relation=Relation.AT_MOST,
    source=Source.paper("2607.01767", "the greedy rule of its code"),
    assumes={},
    repairs={
        "by the radius that remained": lambda case: high(
            radius_of(remaining(case.matrix, case.larger))
        )
    },
    declared=Verdict.REFUTED,
    repaired_by="graph_world.repair.walks",
)
def radius_relief_diminishes(
    case: Growth,
    bound: Callable[[Growth], Any] = lambda case: high(case.radius_gain(case.region)),
) -> Sides:
    """Relief of the spectral radius diminishes, so that greedy has a guarantee. False.

    Two disjoint triangles: each node alone brings nothing, the second one brings everything.
    """
    return Sides(low(case.radius_gain(case.larger)), bound(case))


@dataclass(frozen=True)
class Budgeted:
    """A matrix, and how many nodes may be repaired."""

    matrix: Matrix
    budget: int
    length: int

    def destroyed(self, region: Iterable[int]) -> Fraction:
        """Walks through the region."""
        rest = walks(remaining(self.matrix, region), self.length)
        return walks(self.matrix, self.length) - rest

    def best(self) -> Fraction:
        """Of all regions of that size."""
        nodes = range(len(self.matrix))
        return max(self.destroyed(region) for region in combinations(nodes, self.budget))


def greedily(case: Budgeted) -> tuple[int, ...]:
    """What the library chooses."""
    return greedy_repair(floats(case.matrix), case.budget, length=case.length).region


@claim(
    "graph_world.repair.greedy",
    statement=r"S_k(\mathrm{greedy}) \ge (1 - 1/e) \max_{|R| = b} S_k(R)",
    relation=Relation.AT_LEAST,
    source=Source.known("Nemhauser, Wolsey and Fisher"),
    assumes={},
    teeth={
        "the first nodes": lambda case: tuple(range(case.budget)),
        "the nodes with least walks": lambda case: tuple(
            sorted(range(len(case.matrix)), key=lambda v: case.destroyed([v]))[: case.budget]
        ),
        "direction swapped": Tooth(relation=Relation.AT_MOST),
    },
    tight=Tight(Budgeted(matrix([[0, 1], [1, 0]]), 1, 2), at_least=1 - 1 / e),
)
def greedy_keeps_its_share(
    case: Budgeted, choose: Callable[[Budgeted], tuple[int, ...]] = greedily
) -> Sides:
    """Greedy repair by walks destroys at least 63 % of what the best region of its size does."""
    share = Fraction(1 - 1 / e)  # a float below by 2e-17 or above: far from any case
    return Sides(case.destroyed(choose(case)), share * case.best())


@dataclass(frozen=True)
class Walks:
    """A matrix, and a length of walks."""

    matrix: Matrix
    length: int


@claim(
    "graph_world.repair.walk_radius",
    statement=r"\rho(M)^k \le 1^T M^k 1",
    relation=Relation.AT_MOST,
    source=Source.known("norms bound the radius"),
    assumes={},
    teeth={
        "per node": lambda case: walks(case.matrix, case.length) / len(case.matrix),
        "the trace": lambda case: trace(case),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Walks(matrix([[2]]), 3)),
)
def walks_bound_the_radius(
    case: Walks,
    bound: Callable[[Walks], Any] = lambda case: walks(case.matrix, case.length),
) -> Sides:
    """The weight of all walks of k steps bounds the k-th power of the spectral radius."""
    return Sides(low(radius(case.matrix)) ** case.length, bound(case))


def trace(case: Walks) -> Fraction:
    """tr(M^k)."""
    grown = power(case.matrix, case.length)
    return sum((grown[i][i] for i in range(len(grown))), Fraction(0))


@claim(
    "graph_world.repair.trace",
    statement=r"\rho(M)^k \le \mathrm{tr}(M^k)",
    relation=Relation.AT_MOST,
    source=Source.known("a popular surrogate"),
    assumes={},
    repairs={"all walks": lambda case: walks(case.matrix, case.length)},
    declared=Verdict.REFUTED,
    repaired_by="graph_world.repair.walk_radius",
)
def traces_bound_the_radius(case: Walks, bound: Callable[[Walks], Any] = trace) -> Sides:
    """Closed walks bound the radius too. False: a directed triangle has none of two steps."""
    return Sides(low(radius(case.matrix)) ** case.length, bound(case))


@dataclass(frozen=True)
class Readout:
    """A matrix, a readout, one-step errors, and a horizon."""

    matrix: Matrix
    readout: Vector
    errors: Vector
    horizon: int

    def bound(self) -> Fraction:
        """q^T v_H from v <- M v + eps."""
        state: Vector = tuple(0 * x for x in self.errors)
        for _ in range(self.horizon):
            moved = applied(self.matrix, state)
            state = tuple(a + b for a, b in zip(moved, self.errors, strict=True))
        return sum((q * v for q, v in zip(self.readout, state, strict=True)), Fraction(0))


def weights_in_floats(case: Readout) -> Vector:
    """What the library says, as the rationals that they are."""
    found = critical_weights(
        floats(case.matrix), [float(x) for x in case.readout], horizon=case.horizon
    )
    return vector(found.tolist())


def weighted(weights: Vector, errors: Vector) -> Fraction:
    """s^T eps."""
    return sum((s * x for s, x in zip(weights, errors, strict=True)), Fraction(0))


@claim(
    "graph_world.critical.weights",
    statement=r"q^T v_H = \sum_j s_j \varepsilon_j, \qquad s = \sum_{k<H} (M^T)^k q",
    relation=Relation.EQUAL,
    source=Source.derived(CRITICAL),
    assumes={},
    teeth={
        "not transposed": lambda case: weights_in_floats(
            Readout(transposed(case.matrix), case.readout, case.errors, case.horizon)
        ),
        "one step more": lambda case: weights_in_floats(
            Readout(case.matrix, case.readout, case.errors, case.horizon + 1)
        ),
        "row sums": lambda case: vector(map(sum, case.matrix)),
    },
)
def weights_are_derivatives(
    case: Readout, weights: Callable[[Readout], Vector] = weights_in_floats
) -> Sides:
    """The critical weights are the derivatives of the bound by each node's one-step error."""
    return Sides(case.bound(), weighted(weights(case), case.errors))


def ranked_by(weights: Callable[[Readout], Vector], case: Readout) -> int:
    """The node with the largest weight."""
    found = weights(case)
    return max(range(len(found)), key=found.__getitem__)


@claim(
    "graph_world.critical.row_sums",
    statement=r"\arg\max_j \partial (q^T v_H) / \partial \varepsilon_j = \arg\max_j \sum_i M_{ji}",
    relation=Relation.AT_LEAST,
    source=Source.paper("2606.27780", "the weights c(v) of its code"),
    assumes={},
    repairs={"the critical weights": weights_in_floats},
    declared=Verdict.REFUTED,
    repaired_by="graph_world.critical.weights",
)
def row_sums_tell_where_errors_hurt(
    case: Readout,
    weights: Callable[[Readout], Vector] = lambda case: vector(map(sum, case.matrix)),
) -> Sides:
    """An error hurts most where the row sum is largest. False: rows say where errors arrive.

    Messages from 0 to 1 only: an error at 0 hurts twice, and the row sum of 0 is zero.
    """
    size = len(case.matrix)
    units = [vector(int(i == j) for j in range(size)) for i in range(size)]
    harm = [Readout(case.matrix, case.readout, unit, case.horizon).bound() for unit in units]
    return Sides(harm[ranked_by(weights, case)], max(harm))
