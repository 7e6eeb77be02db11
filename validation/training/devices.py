"""Where a run computes, and what makes it the same each time."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from rolltheory import __version__
from rolltheory.claims.evidence import versions
from rolltheory.errors import DomainError
from validation.training.runs import Run

__all__ = ["DEVICES", "device_name", "prepared", "torch_device", "versions_here"]

DEVICES = ("auto", "cpu", "cuda")


def device_name(wanted: str) -> str:
    """What a run's record calls the device: "cpu", or "cuda" with the name of the card.

    Raises
    ------
    DomainError
        for an unknown name, or if there is no card.
    """
    if wanted not in DEVICES:
        raise DomainError("device", wanted, f"one of {', '.join(DEVICES)}")
    import torch

    if wanted == "cpu" or (wanted == "auto" and not torch.cuda.is_available()):
        return "cpu"
    if not torch.cuda.is_available():
        raise DomainError("device", wanted, "cpu: this torch finds no CUDA device")
    return f"cuda {torch.cuda.get_device_name()}"


def torch_device(run: Run) -> Any:
    """The ``torch.device`` of a run."""
    import torch

    return torch.device(run.device.partition(" ")[0])


def versions_here() -> tuple[tuple[str, str], ...]:
    """Versions of all that can change a row."""
    return tuple(sorted((versions() | {"rolltheory": __version__}).items()))


def prepared(run: Run) -> Any:
    """Make this process compute the run as any other would; a ``torch.Generator`` seeded for it.

    One thread for every pool, since sums in another order are other numbers; and no algorithm
    whose result depends on timing.
    """
    import torch
    from threadpoolctl import threadpool_limits

    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # else cuBLAS is not deterministic
    threadpool_limits(1)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(run.deterministic)
    seed = int(np.random.SeedSequence([run.seed, int(run.key, 16)]).generate_state(1)[0])
    torch.manual_seed(seed)
    return torch.Generator().manual_seed(seed)
