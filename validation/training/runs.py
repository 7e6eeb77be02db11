"""A training run as a record, and the row of numbers that it leaves."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any, TypeAlias

from rolltheory.errors import DomainError

__all__ = ["SCALES", "Measured", "Outcome", "Row", "Run", "Scalar"]

SCALES = ("smoke", "small", "full")
"""How large the runs are: for a gate, for a laptop, for one modern GPU."""

Scalar: TypeAlias = int | float | str | bool
Measured: TypeAlias = Mapping[str, float | tuple[float, ...]]
"""What a run measured or what a bound predicts: numbers, or series of them, by name."""

_INFINITIES = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


@dataclass(frozen=True, slots=True)
class Run:
    """Everything that decides what a training run does.

    Two runs with equal records on the CPU leave equal rows, bit for bit, on any backend and with
    any number of workers.

    Examples
    --------
    >>> run = Run("staleness", "bias", (("lag", 4),), 0, "smoke", "cpu", "float64", True, ())
    >>> run.at("lag"), len(run.key)
    (4, 16)
    """

    theory: str
    experiment: str
    point: tuple[tuple[str, Scalar], ...]
    seed: int
    scale: str
    device: str
    dtype: str
    deterministic: bool
    versions: tuple[tuple[str, str], ...]

    @property
    def key(self) -> str:
        """Sixteen hexadecimal digits that name the run in a results folder."""
        return hashlib.sha256(_as_text(asdict(self)).encode()).hexdigest()[:16]

    @property
    def label(self) -> str:
        """The run in a few words, for progress and messages."""
        point = ", ".join(f"{name}={value}" for name, value in self.point)
        return f"{self.theory}/{self.experiment} ({point}; seed {self.seed})"

    def at(self, name: str) -> Any:
        """The coordinate of the grid point with this name.

        Raises
        ------
        DomainError
            if there is none.
        """
        point = dict(self.point)
        if name not in point:
            raise DomainError("coordinate", name, f"one of {', '.join(point)}")
        return point[name]


class Outcome(Enum):
    """How a run ended; each way is a result."""

    FINISHED = "finished"
    DIVERGED = "diverged"
    OUT_OF_MEMORY = "out of memory"


@dataclass(frozen=True, slots=True)
class Row:
    """What a run observed, and what the theory predicts for it.

    ``note`` says what the run had to change or how it ended; ``seconds`` is wall time, the only
    part that is not the same when the run is repeated.
    """

    run: Run
    outcome: Outcome
    observed: Measured = field(default_factory=dict)
    predicted: Measured = field(default_factory=dict)
    note: str = ""
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """Plain values; infinities and what is no number as words."""
        record = asdict(self)
        record["outcome"] = self.outcome.value
        plain: dict[str, Any] = _encoded(record)
        return plain

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Row:
        """The inverse of `as_json`.

        Raises
        ------
        KeyError, TypeError, ValueError
            if it is no record of a row.
        """
        run = dict(record["run"])
        for name in ("point", "versions"):
            run[name] = tuple((key, value) for key, value in run[name])
        return cls(
            Run(**run),
            Outcome(record["outcome"]),
            _measured(record["observed"]),
            _measured(record["predicted"]),
            str(record["note"]),
            float(record["seconds"]),
        )


def _as_text(plain: Any) -> str:
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _encoded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _encoded(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_encoded(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def _measured(record: Mapping[str, Any]) -> dict[str, float | tuple[float, ...]]:
    return {
        name: tuple(map(_number, value)) if isinstance(value, list) else _number(value)
        for name, value in record.items()
    }


def _number(value: Any) -> float:
    return _INFINITIES[value] if isinstance(value, str) else float(value)
