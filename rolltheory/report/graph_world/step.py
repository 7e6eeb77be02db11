"""One step of a graph model as what certificates need: a matrix of messages and one constant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from rolltheory.errors import AssumptionError, DomainError, UnsupportedError
from rolltheory.graph_world.lipschitz import (
    Architecture,
    activation_slope,
    operator_norm,
    step_lipschitz,
)
from rolltheory.numerics.arguments import integer_array, positive_array
from rolltheory.numerics.perron import nonnegative_matrix, perron_certificate
from rolltheory.numerics.rounding import product_above, rounded_up
from rolltheory.readers.adjacency import Adjacency

__all__ = ["Layer", "ModelSummary", "Normalisation", "StepModel", "normalised", "step_model"]

FloatArray = npt.NDArray[np.float64]
Normalisation = Literal["none", "symmetric", "random-walk"]
"""What is done to a message matrix; see `step_model`."""

_REFUSED = {
    "attention": re.compile(r"att(ention|n)|in_proj|(^|[._])(q|k|v|query|key|value)(_proj|[._]|$)"),
    "layer_norm": re.compile(r"norm|(^|[._])ln_?\d*[._]"),
}
_BATCH_STATISTICS = ("running_mean", "running_var", "num_batches_tracked")
_SKIP = re.compile(r"lin_[lr]([._]|$)|root|skip")


@dataclass(frozen=True)
class Layer:
    """A layer's weight by its name, and its operator norm."""

    name: str
    norm: float


@dataclass(frozen=True)
class ModelSummary:
    """What a step was taken to be.

    Attributes
    ----------
    architecture, normalisation : as stated
    slope : Lipschitz constant of the activation
    layers : in order
    input, output : what leads into the layers and out of them, if it was named
    adjacency_norm : operator norm of the message matrix
    """

    architecture: Architecture
    normalisation: Normalisation
    slope: float
    layers: tuple[Layer, ...]
    input: Layer | None
    output: Layer | None
    adjacency_norm: float


@dataclass(frozen=True)
class StepModel:
    """How one step carries errors: row norms by the matrix, the Frobenius norm by the constant.

    Attributes
    ----------
    names : of the n nodes
    matrix : (n, n) nonnegative, entries rounded up
    lipschitz : of one step, in the Frobenius norm
    symmetric : whether the message matrix is
    edges : stored entries of the message matrix
    model : what the step was taken to be
    """

    names: tuple[str, ...]
    matrix: sparse.csr_array
    lipschitz: float
    symmetric: bool
    edges: int
    model: ModelSummary


def step_model(
    adjacency: Adjacency,
    weights: Mapping[str, FloatArray] | None = None,
    *,
    normalisation: Normalisation = "none",
    absolute: bool = False,
    architecture: Architecture = "plain",
    tensors: Sequence[str] = (),
    input_tensor: str | None = None,
    output_tensor: str | None = None,
    layers: int | None = None,
    slope: float | None = None,
    activation: str | None = None,
) -> StepModel:
    """The step of a model with this graph, these weights and this architecture.

    Parameters
    ----------
    adjacency : Adjacency
    weights : tensors by name; weights of norm 1 if not given
    normalisation : "symmetric": D^-1/2 (A + 1) D^-1/2; "random-walk": D^-1 (A + 1), with D the row
        sums of A + 1; "none": A as it is
    absolute : bound a signed matrix by its entrywise absolute value
    architecture : as of :func:`~rolltheory.graph_world.lipschitz.step_lipschitz`
    tensors : names of the layers' weights, in order; every tensor with two axes if none is named
    input_tensor, output_tensor : names of what leads into the layers and out of them
    layers : number of layers, where no weights are given
    slope, activation : Lipschitz constant of the activation, or its name; one of them, or 1

    Returns
    -------
    StepModel

    Raises
    ------
    AssumptionError
        for a negative entry, unless ``absolute``.
    DomainError
        for a tensor that is not there, or shapes that do not chain.
    UnsupportedError
        for weights of attention, normalisation or convolution.
    """
    messages = normalised(_nonnegative(adjacency, normalisation, absolute), normalisation)
    taken, (into, out) = _layers(weights, tensors, input_tensor, output_tensor, layers)
    norms = [layer.norm for layer in taken]
    ends = (into.norm if into else 1.0, out.norm if out else 1.0)
    steepness = _slope(slope, activation)
    transposed: Any = messages.T
    symmetric = (messages != transposed).nnz == 0
    longest = int(np.diff(messages.indptr).max())
    reach = float(rounded_up(_norm(messages, symmetric), 8 + longest))
    return StepModel(
        names=adjacency.names,
        matrix=_step_matrix(messages, architecture, steepness, norms, ends),
        lipschitz=step_lipschitz(
            architecture,
            adjacency_norm=reach,
            weight_norms=norms,
            slope=steepness,
            input_norm=ends[0],
            output_norm=ends[1],
        ),
        symmetric=symmetric,
        edges=messages.nnz,
        model=ModelSummary(architecture, normalisation, steepness, tuple(taken), into, out, reach),
    )


def normalised(matrix: sparse.csr_array, normalisation: Normalisation) -> sparse.csr_array:
    """A nonnegative message matrix, divided by row sums that count a self-loop.

    Parameters
    ----------
    matrix : (n, n) nonnegative
    normalisation : as of `step_model`

    Returns
    -------
    (n, n) matrix, symmetric to the last bit if the given one is and the division is.

    Raises
    ------
    DomainError
        if a row sum overflows.
    """
    if normalisation == "none":
        return matrix
    looped: Any = sparse.csr_array(matrix + sparse.eye_array(matrix.shape[0]))
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(looped.indptr))
    with np.errstate(over="ignore"):
        sums = np.asarray(looped.sum(axis=1))
    if not np.isfinite(sums).all():
        raise DomainError("adjacency", float(sums.max()), "row sums that a float can hold")
    inverse = 1 / sums
    share = inverse[rows]
    if normalisation == "symmetric":
        share = np.sqrt(inverse)[rows] * np.sqrt(inverse)[looped.indices]
    return sparse.csr_array((looped.data * share, looped.indices, looped.indptr), looped.shape)


def _nonnegative(
    adjacency: Adjacency, normalisation: Normalisation, absolute: bool
) -> sparse.csr_array:
    smallest = float(adjacency.matrix.data.min(initial=0.0))
    if smallest < 0 and not absolute:
        found = f"entry {smallest:g}; --absolute bounds a signed matrix by its absolute value"
        raise AssumptionError("the message matrix is nonnegative", found)
    if smallest < 0 and normalisation != "none":
        raise UnsupportedError("a normalisation of signed messages", "normalise them before")
    return nonnegative_matrix("adjacency", abs(adjacency.matrix))


def _norm(messages: sparse.csr_array, symmetric: bool) -> float:
    if symmetric:  # then it is the spectral radius
        return perron_certificate(messages, tolerance=1e-12).upper
    return operator_norm(messages)


def _slope(slope: float | None, activation: str | None) -> float:
    if slope is not None and activation is not None:
        raise DomainError("slope", slope, "either a slope or an activation")
    if activation is not None:
        return activation_slope(activation)
    return float(positive_array("slope", 1.0 if slope is None else slope))


def _layers(
    weights: Mapping[str, FloatArray] | None,
    tensors: Sequence[str],
    input_tensor: str | None,
    output_tensor: str | None,
    layers: int | None,
) -> tuple[list[Layer], tuple[Layer | None, Layer | None]]:
    """The layers, and what leads into them and out of them."""
    if weights is None:
        if tensors or input_tensor or output_tensor:
            raise DomainError("weights", None, "a file of weights that holds the named tensors")
        count = int(integer_array("layers", layers or 1, at_least=1))
        return [Layer(f"unit weight {k + 1}", 1.0) for k in range(count)], (None, None)
    named = [*tensors, *(name for name in (input_tensor, output_tensor) if name)]
    for name in named:
        if name not in weights:
            raise DomainError("tensor", name, f"one of {', '.join(weights)}"[:300])
    _refuse_unsupported({name: weights[name] for name in (named if tensors else weights)})
    chosen = list(tensors) or [
        name for name, tensor in weights.items() if tensor.ndim == 2 and name not in named
    ]
    if not tensors and (past := [name for name in chosen if _SKIP.search(name.lower())]):
        kind = f"a layer with a path past its messages (tensor {past[0]!r})"
        raise UnsupportedError(kind, "layer_lipschitz bounds one; name the weights of plain layers")
    if not chosen or (layers is not None and layers != len(chosen)):
        raise DomainError("layers", layers, f"the number of the layers' weights, {len(chosen)}")
    chain = [name for name in (input_tensor, *chosen, output_tensor) if name]
    _require_chain({name: weights[name].shape for name in chain})
    normed = {name: Layer(name, operator_norm(weights[name])) for name in chain}
    ends = tuple(normed[name] if name else None for name in (input_tensor, output_tensor))
    return [normed[name] for name in chosen], (ends[0], ends[1])


def _refuse_unsupported(weights: Mapping[str, FloatArray]) -> None:
    for name, tensor in weights.items():
        owner = name.rpartition(".")[0]
        if any(f"{owner}.{part}".lstrip(".") in weights for part in _BATCH_STATISTICS):
            kind = f"batch normalisation (tensor {name!r})"
            way = "in evaluation it is linear: fold its scale into the weights beside it"
            raise UnsupportedError(kind, f"{way}, and leave its tensors out")
        for kind, pattern in _REFUSED.items():
            if pattern.search(name.lower()):
                _refuse(kind, name)
        if tensor.ndim < 2 and not name.lower().endswith(("bias", "_b")) and name.lower() != "b":
            axes = "one axis that is called no bias" if tensor.ndim else "no axes"
            way = "if it is no part of a step, as a counter, name the layers' weights with --tensor"
            raise UnsupportedError(f"tensor {name!r} with {axes}", way)
        if tensor.ndim > 2:
            kind = f"tensor {name!r} of shape {tensor.shape}"
            raise UnsupportedError(kind, "the norm of a layer needs its matrix, two axes")


def _refuse(kind: str, name: str) -> None:
    try:
        activation_slope(kind)
    except UnsupportedError as error:
        raise UnsupportedError(f"{error.what} (tensor {name!r})", error.supported) from None


def _require_chain(shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Refuse weights that do not lead from a state back to one, as rows or as columns."""
    for name, shape in shapes.items():
        if len(shape) != 2:
            raise DomainError("weights", {name: shape}, "weights with two axes")
    inner, outer = zip(*shapes.values(), strict=True)
    after = [*inner[1:], inner[0]] == list(outer)
    before = [*outer[1:], outer[0]] == list(inner)
    if not (after or before):
        text = ", ".join(f"{name} {rows}x{columns}" for name, (rows, columns) in shapes.items())
        raise DomainError("weights", text, "shapes that chain from a state to a state")


def _step_matrix(
    messages: sparse.csr_array,
    architecture: Architecture,
    slope: float,
    norms: Sequence[float],
    ends: tuple[float, float],
) -> sparse.csr_array:
    """The architecture's polynomial in the message matrix, by Horner's rule, rounded up."""
    coefficients = _polynomial(architecture, slope, norms, float(product_above(*ends)))
    identity: Any = sparse.eye_array(messages.shape[0], format="csr")
    step: Any = coefficients[-1] * identity
    for coefficient in coefficients[-2::-1]:
        step = _product(step, messages) + coefficient * identity
    rows = sparse.csr_array(step)
    rows.eliminate_zeros()
    longest = int(np.bincount(messages.indices, minlength=1).max())
    rows.data = rounded_up(rows.data, 8 + len(coefficients) * (longest + 8))
    return rows


def _product(step: Any, messages: sparse.csr_array) -> Any:
    """The matrix product, in which a path whose weight no float can hold is not lost."""
    product = step @ messages
    if step.data.min(initial=1.0) * messages.data.min(initial=1.0) > 2.0**-1000:
        return product
    links: Any = (part.astype(bool).astype(np.float64) for part in (step, messages))
    paths = next(links) @ next(links)
    paths.data = paths.data * 5e-324
    return product + paths


def _polynomial(
    architecture: Architecture, slope: float, norms: Sequence[float], ends: float
) -> list[float]:
    """Coefficients p_0, p_1, ... of the bound sum_k p_k A^k on what one step does to row norms."""
    each = [float(product_above(slope, norm)) for norm in norms]
    product = [0.0] * len(norms) + [float(product_above(*[slope] * len(norms), *norms))]
    if architecture == "one_hop":
        return [0.0, float(product_above(slope, *norms))]
    if architecture == "plain":
        return product
    if architecture == "residual_blocks":
        product = [1.0]
        for norm in each:
            product = np.convolve(product, [1.0, norm]).tolist()
    product = [float(product_above(ends, part)) for part in product]
    return [1.0 + product[0], *product[1:]]
