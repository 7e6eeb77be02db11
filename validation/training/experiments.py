"""What an experiment is: a grid of runs, what one run does, and the claims that its rows judge."""

from __future__ import annotations

import importlib
import pkgutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from rolltheory.claims import Budget, Claim, Kind, Sides
from rolltheory.claims.check import Check
from rolltheory.claims.evidence import Evidence
from rolltheory.claims.registry import registry
from rolltheory.claims.runner import run_check
from rolltheory.errors import DomainError, RolltheoryError
from validation.training.devices import device_name, prepared, versions_here
from validation.training.runs import SCALES, Measured, Outcome, Row, Run, Scalar

__all__ = [
    "Comparison",
    "DivergedError",
    "Experiment",
    "Result",
    "evidence",
    "experiments",
    "perform",
    "planned",
]


class DivergedError(Exception):
    """A run left the numbers; ``result`` holds what it had measured until then."""

    def __init__(self, reason: str, result: Result | None = None) -> None:
        self.reason, self.result = reason, result or Result()
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class Result:
    """What a run hands back: numbers by name, and what it had to change to get them."""

    observed: Measured = field(default_factory=dict)
    predicted: Measured = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How rows become cases of a claim, as a statistical check of kind "trained".

    ``cases(rows)`` gathers the seeds of each grid point; ``route`` computes both sides from what
    was measured, with an interval over the seeds; ``teeth`` are the wrong bounds, by the names of
    the claim's teeth. ``error_level`` is spent over all the cases; ``within`` is what rounding
    may leave.
    """

    claim: Claim
    cases: Callable[[Sequence[Row]], Iterable[Any]]
    domain: str
    error_level: float
    route: Callable[..., Sides] | None = None
    teeth: Mapping[str, Any] | None = None
    within: float = 0.0

    def on(self, rows: Sequence[Row]) -> Check:
        """The check that these rows make."""

        def trained(_budget: Budget) -> Iterable[Any]:
            return self.cases(rows)

        return Check(
            self.claim.id,
            Kind.TRAINED,
            self.domain,
            trained,
            self.route,
            self.teeth,
            within=self.within,
            error_level=self.error_level,
        )


@dataclass(frozen=True, slots=True)
class Experiment:
    """A family of training runs of one theory.

    ``grid`` and ``seeds`` are by scale; ``execute(run, generator)`` trains, measures and returns a
    `Result`, or raises `DivergedError`; ``dtype`` is that of its tensors.
    """

    theory: str
    name: str
    title: str
    grid: Mapping[str, Sequence[Mapping[str, Scalar]]]
    seeds: Mapping[str, int]
    execute: Callable[[Run, Any], Result]
    comparisons: tuple[Comparison, ...]
    dtype: str = "float64"

    @property
    def id(self) -> str:
        """Theory and name."""
        return f"{self.theory}/{self.name}"


@cache
def experiments() -> Mapping[str, Experiment]:
    """Every experiment, by its id: what the modules below this package list in ``EXPERIMENTS``."""
    package = importlib.import_module("validation.training")
    found: dict[str, Experiment] = {}
    for part in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(part.name)
        for experiment in getattr(module, "EXPERIMENTS", ()):
            found[experiment.id] = experiment
    return found


def planned(
    theories: Sequence[str] = (), *, scale: str = "smoke", device: str = "auto"
) -> tuple[Run, ...]:
    """The runs of the theories' experiments, of all of them if none is named.

    Raises
    ------
    DomainError
        for a theory without an experiment, an unknown scale, or a device that is not there.
    """
    if scale not in SCALES:
        raise DomainError("scale", scale, f"one of {', '.join(SCALES)}")
    known = sorted({experiment.theory for experiment in experiments().values()})
    for theory in theories:
        if theory not in known:
            raise DomainError("theory", theory, f"one with training runs: {', '.join(known)}")
    place, present = device_name(device), versions_here()
    return tuple(
        Run(
            experiment.theory,
            experiment.name,
            tuple(sorted(point.items())),
            seed,
            scale,
            place,
            experiment.dtype,
            True,
            present,
        )
        for experiment in experiments().values()
        if not theories or experiment.theory in theories
        for point in experiment.grid[scale]
        for seed in range(experiment.seeds[scale])
    )


def perform(run: Run) -> Row:
    """Do the run here and now. A run that diverges or finds no memory is a result.

    Raises
    ------
    RolltheoryError
        if this process has other versions than the run was planned with.
    """
    import torch

    if versions_here() != run.versions:
        raise RolltheoryError(
            f"a worker has {dict(versions_here())}, the sweep was planned with {dict(run.versions)}"
        )
    experiment = experiments()[f"{run.theory}/{run.experiment}"]
    started = time.perf_counter()
    generator = prepared(run)
    try:
        outcome, result = Outcome.FINISHED, experiment.execute(run, generator)
    except DivergedError as end:
        outcome, result = Outcome.DIVERGED, end.result
        result = Result(result.observed, result.predicted, end.reason)
    except torch.OutOfMemoryError as error:
        outcome, result = Outcome.OUT_OF_MEMORY, Result(note=str(error).partition("\n")[0])
    seconds = round(time.perf_counter() - started, 3)
    return Row(run, outcome, result.observed, result.predicted, result.note, seconds)


def evidence(rows: Sequence[Row]) -> tuple[Evidence, ...]:
    """What the rows say about the claims that their experiments are compared with."""
    known = registry()
    found = []
    for experiment in experiments().values():
        own = [row for row in rows if (row.run.theory, row.run.experiment) == _names(experiment)]
        for comparison in experiment.comparisons if own else ():
            claim = comparison.claim
            record = run_check(claim, comparison.on(own), fingerprint=known.fingerprint(claim))
            found.append(record)
    return tuple(found)


def _names(experiment: Experiment) -> tuple[str, str]:
    return experiment.theory, experiment.name
