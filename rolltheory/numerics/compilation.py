"""Kernels compiled by numba. Import it only inside a function that runs one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

__all__ = ["compiled"]

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def compiled(kernel: Kernel) -> Kernel:
    """The kernel compiled on its first call, kept on disk for the next process where that works.

    >>> compiled(lambda x: x + 1)(1)
    2
    """
    try:
        return cast(Kernel, njit(cache=True)(kernel))
    except RuntimeError:  # numba found no folder that it may write to
        return cast(Kernel, njit(kernel))
