"""Counts of the two AIME 2024 runs in ``tests/data``: successes in 50 tries of 30 problems."""

from pathlib import Path

import numpy as np
import pytest

DATA = Path(__file__).parents[1] / "data"


def counts(step: int) -> np.ndarray:
    path = DATA / f"aime24_step_{step}_counts.csv"
    table = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.int64)
    assert table.shape == (30, 3)
    assert (table[:, 1] == 50).all()
    return table[:, 2]


@pytest.fixture
def step_400() -> np.ndarray:
    return counts(400)


@pytest.fixture
def step_800() -> np.ndarray:
    return counts(800)
