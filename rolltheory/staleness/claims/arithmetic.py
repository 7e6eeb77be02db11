"""The arithmetic that a case is computed in: floats, or whatever a check puts in their place."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["FLOATS", "Arithmetic"]


@dataclass(frozen=True)
class Arithmetic:
    """How to turn rationals into numbers, what to do with them, and how to hand a result on."""

    number: Callable[[Any], Any]
    sqrt: Callable[[Any], Any]
    log: Callable[[Any], Any]
    result: Callable[[Any], Any]


FLOATS = Arithmetic(float, math.sqrt, math.log, float)
