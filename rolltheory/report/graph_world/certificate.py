"""How long a rollout can be trusted, where errors hurt, and what the popular bound is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.graph_world.criticality import critical_weights, error_exposure
from rolltheory.graph_world.lipschitz import operator_norm
from rolltheory.graph_world.rollout import fixed_edge_bound, validity_horizon
from rolltheory.graph_world.spectral import power_norm_bound
from rolltheory.numerics.arguments import integer_array, positive_array, real_array
from rolltheory.numerics.perron import PerronCertificate, perron_certificate
from rolltheory.numerics.rounding import product_above, rounded_down, rounded_up
from rolltheory.report.graph_world.step import ModelSummary, StepModel

__all__ = [
    "BoundRow",
    "Certificate",
    "ErrorPaths",
    "NaiveBound",
    "NodeWeight",
    "Radius",
    "Transient",
    "certify",
]

FloatArray = npt.NDArray[np.float64]

_LISTED = 10
_STRETCHES = 50
_MOST_NODES, _MOST_POWERS = 200, 200  # for norms of powers


@dataclass(frozen=True)
class BoundRow:
    """Bounds on the error after some steps, Frobenius norm over all nodes.

    Attributes
    ----------
    horizon : steps
    by_norm : from the Lipschitz constant of a step
    by_radius : from the spectral radius and the transient constant; None without one
    by_powers : from the norm of each power of a step's matrix; None for large graphs
    bound : the lowest of these
    naive : from the spectral radius alone
    """

    horizon: int
    by_norm: float
    by_radius: float | None
    by_powers: float | None
    bound: float
    naive: float


@dataclass(frozen=True)
class NaiveBound:
    """What the spectral radius alone, as the growth of an error per step, is worth here.

    Attributes
    ----------
    verdict : whether it bounds every rollout; "open" if neither is known
    reason : why
    """

    verdict: Literal["holds", "false", "open"]
    reason: str


@dataclass(frozen=True)
class NodeWeight:
    """A node with what a unit of error there adds, or with how much error may show there."""

    node: str
    weight: float


@dataclass(frozen=True)
class Radius:
    """The spectral radius of a step's matrix, and what it is the radius of.

    Attributes
    ----------
    lower, upper : bounds on it
    irreducible : whether every node reaches every other
    period : the greatest common divisor of the lengths of cycles in the leading part
    cyclic_components : strongly connected parts with a cycle
    """

    lower: float
    upper: float
    irreducible: bool
    period: int
    cyclic_components: int


@dataclass(frozen=True)
class Transient:
    """Norms of the powers of a step's matrix: the k-th is at most constant * rate^k.

    Attributes
    ----------
    rate, constant : in this formula
    assumption : what the bound used
    """

    rate: float
    constant: float
    assumption: str


@dataclass(frozen=True)
class Certificate:
    """What is certain about rollouts of a model from its graph, weights and one-step errors.

    Attributes
    ----------
    nodes, edges : of the graph
    model : what a step was taken to be
    lipschitz : of one step
    radius : spectral radius of a step's matrix
    transient : how far growth may exceed its powers; None where that takes a rate above it
    stable : whether errors are certified to stay bounded at any horizon
    stable_because : what certifies it; None if nothing does
    bounds : one row per horizon asked for
    tolerance : on the error, if one was asked for
    valid_steps : steps for which the bound is within the tolerance; None without end, or if no
        tolerance was asked for
    valid_steps_at_least : whether more may be valid: the bound was not followed beyond
    naive : the bound without a transient constant
    hurts_most, shows_most : ten nodes where an error hurts most, and where it shows most, over
        ``horizon`` steps; none where the weights are too large for floats
    horizon : the longest one
    """

    nodes: int
    edges: int
    model: ModelSummary
    lipschitz: float
    radius: Radius
    transient: Transient | None
    stable: bool
    stable_because: str | None
    bounds: tuple[BoundRow, ...]
    tolerance: float | None
    valid_steps: int | None
    valid_steps_at_least: bool
    naive: NaiveBound
    hurts_most: tuple[NodeWeight, ...]
    shows_most: tuple[NodeWeight, ...]
    horizon: int


@dataclass(frozen=True)
class ErrorPaths:
    """Bounds on the error after every number of steps from 0 on, each of shape (H + 1,).

    Attributes
    ----------
    by_norm : from the Lipschitz constant of a step
    by_radius : from the spectral radius and the transient constant; infinite without one
    by_powers : from the norm of each power of a step's matrix; infinite where they were not formed
    naive : from the spectral radius alone
    """

    by_norm: FloatArray
    by_radius: FloatArray
    by_powers: FloatArray
    naive: FloatArray

    @property
    def bound(self) -> FloatArray:
        """The lowest of the bounds."""
        return np.minimum(np.minimum(self.by_norm, self.by_radius), self.by_powers)


def certify(
    step: StepModel,
    *,
    horizons: Sequence[int],
    one_step_errors: Any = 1.0,
    initial_error: float = 0.0,
    tolerance: float | None = None,
    rate: float | None = None,
) -> tuple[Certificate, ErrorPaths]:
    """Certify rollouts of a step model.

    Parameters
    ----------
    step : StepModel
    horizons : steps, each at least 1
    one_step_errors : one number for all steps, or (T,) one per step, on the true trajectory; the
        Frobenius norm over all nodes
    initial_error : at the start of the rollout
    tolerance : on the error
    rate : growth per step to allow, above the spectral radius; for reducible matrices, which have
        no transient constant at the radius itself

    Returns
    -------
    The certificate, and the bounds after every step.

    Raises
    ------
    DomainError
        for numbers out of range, or a horizon beyond the errors given.
    """
    wanted = [int(h) for h in np.atleast_1d(integer_array("horizon", horizons, at_least=1))]
    errors = _per_step(one_step_errors, max(wanted))
    perron = perron_certificate(step.matrix)
    transient = _transient(step, perron, rate)
    paths = _error_paths(step, perron, transient, initial_error, errors)
    constant = np.ndim(one_step_errors) == 0 and initial_error == 0
    each = float(errors[0]) if constant else None
    valid = _valid_steps(step, transient, paths, tolerance, each, perron.upper == 0)
    because = _stable_because(step, perron)
    with np.errstate(over="ignore"):
        hurts = critical_weights(step.matrix, horizon=max(wanted))
        shows = error_exposure(step.matrix, horizon=max(wanted))
    certificate = Certificate(
        nodes=len(step.names),
        edges=step.edges,
        model=step.model,
        lipschitz=step.lipschitz,
        radius=Radius(
            perron.lower, perron.upper, perron.irreducible, perron.period, perron.component_count
        ),
        transient=transient,
        stable=because is not None,
        stable_because=because,
        bounds=tuple(_row(paths, horizon, transient is not None) for horizon in wanted),
        tolerance=tolerance,
        valid_steps=valid[0],
        valid_steps_at_least=valid[1],
        naive=_naive(step, perron, transient),
        hurts_most=_largest(step.names, hurts),
        shows_most=_largest(step.names, shows),
        horizon=max(wanted),
    )
    return certificate, paths


def _per_step(errors: Any, horizon: int) -> FloatArray:
    values = real_array("one_step_errors", errors, at_least=0)
    if values.ndim == 0:
        return np.full(horizon, float(values))
    if values.ndim != 1 or values.size < horizon:
        allowed = f"at least {horizon} steps, the longest horizon, or a number for all steps"
        raise DomainError("one_step_errors", values.shape, allowed)
    return values[:horizon]


def _transient(step: StepModel, perron: PerronCertificate, rate: float | None) -> Transient | None:
    if step.symmetric and rate is None:
        return Transient(perron.upper, 1.0, "A >= 0, symmetric")
    if not perron.irreducible and rate is None:
        return None
    powers = power_norm_bound(step.matrix, rate=rate)
    return Transient(powers.rate, powers.transient_constant, powers.assumption)


def _error_paths(
    step: StepModel,
    perron: PerronCertificate,
    transient: Transient | None,
    initial_error: float,
    errors: FloatArray,
) -> ErrorPaths:
    by_norm, naive = (
        fixed_edge_bound(growth, initial_error, errors) for growth in (step.lipschitz, perron.upper)
    )
    by_radius = np.full(by_norm.shape, np.inf)
    if transient is not None:  # the constant is paid once, at the change of norm
        inside = fixed_edge_bound(transient.rate, initial_error, errors)
        by_radius = product_above(transient.constant, inside)
    return ErrorPaths(by_norm, by_radius, _by_powers(step, initial_error, errors), naive)


def _by_powers(step: StepModel, initial_error: float, errors: FloatArray) -> FloatArray:
    """e_H <= |M^H| e_0 + sum_k |M^(H-1-k)| eps_k, which no reducible matrix spoils."""
    size, steps = len(step.names), errors.size
    unknown = np.full(steps + 1, np.inf)
    if size > _MOST_NODES or steps > _MOST_POWERS:
        return unknown
    matrix, power, norms = step.matrix.toarray(), np.eye(size), [1.0]
    links = (matrix > 0) * 1.0
    with np.errstate(over="ignore"):
        for _ in range(steps):
            paths = (power > 0) @ links  # whose weights may be too small for floats
            power = rounded_up(power @ matrix + paths * 5e-324, size + 3)
            if not np.isfinite(power).all():
                return unknown
            norms.append(operator_norm(power))
        gains = np.array(norms)
        forced = np.zeros(steps + 1)
        for h in range(1, steps + 1):
            forced[h] = product_above(gains[h - 1 :: -1], errors[:h]).sum()
        return rounded_up(product_above(gains, initial_error) + forced, steps + 8)


def _row(paths: ErrorPaths, horizon: int, has_radius: bool) -> BoundRow:
    by_norm, by_radius, bound, naive = (
        float(path[horizon]) for path in (paths.by_norm, paths.by_radius, paths.bound, paths.naive)
    )
    powers = float(paths.by_powers[horizon])
    return BoundRow(
        horizon,
        by_norm,
        by_radius if has_radius else None,
        powers if np.isfinite(powers) else None,
        bound,
        naive,
    )


def _valid_steps(
    step: StepModel,
    transient: Transient | None,
    paths: ErrorPaths,
    tolerance: float | None,
    constant_error: float | None,
    acyclic: bool,
) -> tuple[int | None, bool]:
    """Steps within the tolerance, and whether there may be more that were not looked at."""
    if tolerance is None:
        return None, False
    limit = float(positive_array("tolerance", tolerance))
    beyond = np.flatnonzero(paths.bound[1:] > limit)
    looked_at = int(beyond[0]) if beyond.size else paths.bound.size - 1
    if constant_error is None:
        return looked_at, not beyond.size
    settled = acyclic and paths.bound.size > len(step.names)  # then M^H = 0
    if constant_error == 0 or (settled and not beyond.size):
        return None, False
    found = [validity_horizon(step.lipschitz, constant_error, limit)]
    if transient is not None:
        paid = float(product_above(transient.constant, constant_error))
        found.append(validity_horizon(transient.rate, paid, limit))
    steps = [one for one in found if one is not None]
    if len(steps) < len(found):
        return None, False
    sharper_unknown = not beyond.size and bool(np.isfinite(paths.by_powers[-1]))
    return max(looked_at, *steps), sharper_unknown


def _stable_because(step: StepModel, perron: PerronCertificate) -> str | None:
    if perron.upper == 0:
        return "the graph has no cycle: its spectral radius is exactly 0, whatever the weights"
    if step.lipschitz < 1:
        return f"one step shrinks every error: its Lipschitz constant is {step.lipschitz:.7g}"
    if perron.upper < 1:
        return f"the spectral radius of a step is at most {perron.upper:.7g}"
    return None


def _naive(step: StepModel, perron: PerronCertificate, transient: Transient | None) -> NaiveBound:
    if step.symmetric:
        return NaiveBound("holds", "the messages are symmetric, so that |M^k| = rho^k")
    stretch = _one_step_stretch(step)
    if stretch > perron.upper:
        reason = (
            f"one step stretches some error {stretch:.6g}-fold, which exceeds the spectral radius,"
            f" {perron.upper:.6g}, by {stretch - perron.upper:.3g}; messages that"
            " are not symmetric need a transient constant"
        )
        return NaiveBound("false", reason)
    if transient is not None and transient.constant <= 1 + 1e-9:
        return NaiveBound("holds", "left and right Perron vector agree, so that |M^k| <= rho^k")
    return NaiveBound("open", "the messages are not symmetric, and one step does not refute it")


def _one_step_stretch(step: StepModel) -> float:
    """How much the longest-stretched vector found is stretched, rounded down: at most |M|_2."""
    matrix: Any = step.matrix
    scale = float(matrix.data.max(initial=0.0))
    if scale == 0:
        return 0.0
    # any vector gives a lower bound, so the search may be careless
    vector, image = np.ones(matrix.shape[0]), np.empty(0)
    for _ in range(_STRETCHES):
        image = (matrix @ vector) / scale
        back = (matrix.T @ image) / scale
        if back.max() == 0:
            break
        last, vector = vector, back / back.max()
    stretch = float(np.linalg.norm(image) / np.linalg.norm(last)) * scale
    return float(rounded_down(stretch, 8 + 4 * matrix.shape[0]))


def _largest(names: Sequence[str], weights: FloatArray) -> tuple[NodeWeight, ...]:
    if not np.isfinite(weights).all():  # then they rank nothing
        return ()
    order = np.argsort(-weights, kind="stable")[:_LISTED]
    return tuple(NodeWeight(names[node], float(weights[node])) for node in order)
