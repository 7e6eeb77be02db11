"""Claims about what one step of a graph network can stretch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from rolltheory.claims import (
    Counterexample,
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
    floats,
    identity,
    kronecker,
    matrix,
    norm_squared,
    power,
    scaled,
    total,
    transposed,
)
from rolltheory.graph_world.edges import edge_head_lipschitz
from rolltheory.graph_world.lipschitz import layer_lipschitz, step_lipschitz

__all__ = [
    "EdgeHead",
    "Layer",
    "Layers",
    "edge_head_stretches",
    "layer_constant_in_floats",
    "layer_is_exact_for_symmetric_messages",
    "layers_pay_the_adjacency_each",
    "layers_pay_the_adjacency_once",
    "residual_blocks_add_up",
    "residual_paths_are_free",
]

PAGE = "docs/theory/graph_world.md#one-step"
SYMMETRIC = "messages are symmetric"
AUTHORS = Source.paper("2606.27780", "Definition 3, as its code states it")


@dataclass(frozen=True)
class Layer:
    """H -> A H W + H U; for symmetric A, as an orthogonal basis with rational eigenvalues."""

    adjacency: Matrix
    weight: Matrix
    skip: Matrix
    eigenvalues: tuple[Fraction, ...] = ()

    @property
    def whole(self) -> Matrix:
        """The layer as one matrix on stacked features."""
        size = identity(len(self.adjacency))
        return total(
            kronecker(transposed(self.weight), self.adjacency),
            kronecker(transposed(self.skip), size),
        )


def by_eigenvalues(case: Layer) -> Any:
    """max_i |lambda_i W + U|^2."""
    norms = [norm_squared(total(scaled(case.weight, x), case.skip)) for x in case.eigenvalues]
    return max(norms, key=lambda value: value if isinstance(value, Fraction) else value.high)


@claim(
    "graph_world.layer.symmetric",
    statement=r"\lVert W^T \otimes A + U^T \otimes I \rVert_2 = \max_i \lVert \lambda_i W + U"
    r" \rVert_2 \quad (A = A^T \text{ with eigenvalues } \lambda_i)",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={SYMMETRIC: lambda case: case.adjacency == transposed(case.adjacency)},
    teeth={
        "the largest eigenvalue alone": lambda case: norm_squared(
            total(scaled(case.weight, max(case.eigenvalues)), case.skip)
        ),
        "skip path forgotten": lambda case: by_eigenvalues(
            Layer(case.adjacency, case.weight, scaled(case.skip, 0), case.eigenvalues)
        ),
        "10 % smaller": lambda case: norm_squared(
            scaled(total(scaled(case.weight, case.eigenvalues[0]), case.skip), Fraction(9, 10))
        ),
    },
    breaks={
        SYMMETRIC: Counterexample(
            Layer(matrix([[0, 1], [0, 0]]), identity(1), matrix([[0]]), (Fraction(0), Fraction(0))),
            "Both eigenvalues are 0, and the norm is 1.",
        )
    },
)
def layer_is_exact_for_symmetric_messages(
    case: Layer, constant: Callable[[Layer], Any] = by_eigenvalues
) -> Sides:
    """With symmetric messages the constant of a linear layer is known from n small norms."""
    return Sides(norm_squared(case.whole), constant(case))


def in_floats(case: Layer) -> float:
    """What the library says."""
    return layer_lipschitz(floats(case.adjacency), floats(case.weight), floats(case.skip))


ONE_WAY = Layer(matrix([[0, 1], [0, 0]]), matrix([[2]]), matrix([[0]]))


@claim(
    "graph_world.layer.constant",
    statement=r"\lVert W^T \otimes A + U^T \otimes I \rVert_2"
    r" \le \mathtt{layer\_lipschitz}(A, W, U)",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "10 % smaller": lambda case: 0.9 * in_floats(case),
        "skip path forgotten": lambda case: layer_lipschitz(
            floats(case.adjacency), floats(case.weight)
        ),
        "messages forgotten": lambda case: layer_lipschitz(
            floats(scaled(case.adjacency, 0)), floats(case.weight), floats(case.skip)
        ),
    },
    tight=Tight(ONE_WAY, at_least=1 - 1e-9),
)
def layer_constant_in_floats(case: Layer, constant: Callable[[Layer], float] = in_floats) -> Sides:
    """The float constant of a layer lies above the exact one."""
    return Sides(norm_squared(case.whole), Fraction(constant(case)) ** 2)


@dataclass(frozen=True)
class Layers:
    """L linear layers H -> A H w with one scalar weight, plain or with residual paths."""

    adjacency: Matrix
    weight: Fraction
    count: int

    @property
    def plain(self) -> Matrix:
        """One step of the plain model."""
        return power(scaled(self.adjacency, self.weight), self.count)

    @property
    def residual(self) -> Matrix:
        """One step of X + blocks(X), each block H -> A H w + H."""
        size = identity(len(self.adjacency))
        return total(size, power(total(scaled(self.adjacency, self.weight), size), self.count))


Constant = Callable[[Any, Any, int], float]


def plain_constant(reach: Any, weight: Any, count: int) -> float:
    """What the library says."""
    return step_lipschitz("plain", adjacency_norm=reach, weight_norms=[weight] * count)


def residual_constant(reach: Any, weight: Any, count: int) -> float:
    """What the library says."""
    return step_lipschitz("residual_blocks", adjacency_norm=reach, weight_norms=[weight] * count)


def norm_of(m: Matrix) -> float:
    """A float above the spectral norm, to rounding."""
    squared = norm_squared(m)
    high = squared if isinstance(squared, Fraction) else Fraction(squared.high)
    return sqrt(high) * (1 + 1e-15)


PAIR = matrix([[0, 1], [1, 0]])


@claim(
    "graph_world.step.plain",
    statement=r"\lVert (w A)^L \rVert_2 \le (\lVert A \rVert_2 |w|)^L",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "one adjacency for all layers": lambda reach, weight, count: reach * weight**count,
        "10 % smaller": lambda *case: 0.9 * plain_constant(*case),
        "one layer less": lambda reach, weight, count: (reach * weight) ** (count - 1),
    },
    tight=Tight(Layers(scaled(PAIR, 2), Fraction(1, 4), 2), at_least=1 - 1e-9),
)
def layers_pay_the_adjacency_each(case: Layers, constant: Constant = plain_constant) -> Sides:
    """Every layer pays the norm of its messages; with symmetric messages it is attained."""
    bound = constant(norm_of(case.adjacency), float(case.weight), case.count)
    return Sides(norm_squared(case.plain), Fraction(bound) ** 2)


@claim(
    "graph_world.step.one_adjacency",
    statement=r"\lVert (w A)^L \rVert_2 \le \lVert A \rVert_2 \prod_l |w|",
    relation=Relation.AT_MOST,
    source=AUTHORS,
    assumes={},
    repairs={"one adjacency for each layer": plain_constant},
    declared=Verdict.REFUTED,
    repaired_by="graph_world.step.plain",
)
def layers_pay_the_adjacency_once(
    case: Layers, constant: Constant = lambda reach, weight, count: reach * weight**count
) -> Sides:
    """One factor for the messages serves all layers. False from two layers on.

    Fifty vertices, all joined, with weights of one half: the node gain is 600.25, not 12.25.
    """
    bound = constant(norm_of(case.adjacency), float(case.weight), case.count)
    return Sides(norm_squared(case.plain), Fraction(bound) ** 2)


@claim(
    "graph_world.step.residual_blocks",
    statement=r"\lVert I + (I + w A)^L \rVert_2 \le 1 + (1 + \lVert A \rVert_2 |w|)^L",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "residual paths forgotten": plain_constant,
        "outer path forgotten": lambda reach, weight, count: (1 + reach * weight) ** count,
        "10 % smaller": lambda *case: 0.9 * residual_constant(*case),
    },
    tight=Tight(Layers(PAIR, Fraction(1), 2), at_least=1 - 1e-9),
)
def residual_blocks_add_up(case: Layers, constant: Constant = residual_constant) -> Sides:
    """Residual paths add one to each factor, and one for the outer path."""
    bound = constant(norm_of(case.adjacency), float(case.weight), case.count)
    return Sides(norm_squared(case.residual), Fraction(bound) ** 2)


def unit_weight_constant(reach: Any, weight: Any, count: int) -> Any:
    """max(1, |A| prod |w|): what driving the weights to norm one is meant to secure."""
    return max(1, reach * weight**count)


@claim(
    "graph_world.step.residual_free",
    statement=r"\lVert I + (I + w A)^L \rVert_2 \le \max(1, \lVert A \rVert_2 \prod_l |w|)",
    relation=Relation.AT_MOST,
    source=AUTHORS,
    assumes={},
    repairs={"residual paths counted": residual_constant},
    declared=Verdict.REFUTED,
    repaired_by="graph_world.step.residual_blocks",
)
def residual_paths_are_free(case: Layers, constant: Constant = unit_weight_constant) -> Sides:
    """Weights of norm one make a residual model stable. False: on a normalised graph it gains 5."""
    bound = constant(norm_of(case.adjacency), float(case.weight), case.count)
    return Sides(norm_squared(case.residual), Fraction(bound) ** 2)


@dataclass(frozen=True)
class EdgeHead:
    """Two scalar states of one vertex under sigmoid(p^2 q x^2 + b), with rational q and p."""

    query: Fraction
    projection: Fraction
    first: Fraction
    second: Fraction
    bias: Fraction

    @property
    def state_norm(self) -> Fraction:
        """R over both states."""
        return max(abs(self.first), abs(self.second))


HeadConstant = Callable[[EdgeHead], float]


def head_constant(case: EdgeHead) -> float:
    """What the library says."""
    return edge_head_lipschitz(
        [[float(case.query)]], [[float(case.projection)]], state_norm=float(case.state_norm)
    )


def edge_difference(case: EdgeHead) -> Any:
    """|sigmoid - sigmoid| in balls."""
    from flint import arb, fmpq

    def edge(x: Fraction) -> Any:
        score = case.query * case.projection**2 * x**2 + case.bias
        return 1 / (1 + (-arb(fmpq(score.numerator, score.denominator))).exp())

    difference = abs(edge(case.first) - edge(case.second))
    from rolltheory.claims import Enclosure

    low, high = difference.abs_lower(), difference.abs_upper()
    return Enclosure(float(low) * (1 - 1e-15), float(high) * (1 + 1e-15))


STEEP = EdgeHead(Fraction(1), Fraction(1), Fraction(19_999, 1000), Fraction(20), Fraction(-400))


@claim(
    "graph_world.edges.head",
    statement=r"|\sigma(q p^2 x^2 + b) - \sigma(q p^2 y^2 + b)| \le L_g |x - y|, \quad"
    r" L_g = \tfrac12 |q|\,p^2 \max(|x|, |y|)",
    relation=Relation.AT_MOST,
    source=Source.derived("docs/theory/graph_world.md#edges"),
    assumes={},
    teeth={
        "10 % smaller": lambda case: 0.9 * head_constant(case),
        "projection not squared": lambda case: (
            head_constant(case) / float(abs(case.projection) or 1)
        ),
        "state norm forgotten": lambda case: head_constant(case) / float(case.state_norm or 1),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(STEEP, at_least=0.999),
)
def edge_head_stretches(case: EdgeHead, constant: HeadConstant = head_constant) -> Sides:
    """The edge head is as steep as the largest state; it has no global constant."""
    gap = abs(case.first - case.second)
    return Sides(edge_difference(case), Fraction(constant(case)) * gap)
