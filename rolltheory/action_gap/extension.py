"""What every value extension returns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Extension"]


@dataclass(frozen=True, eq=False)
class Extension:
    """Values on all vertices of a graph that agree with the labels, and how far to trust them.

    Parameters
    ----------
    values : float64, shape (n,)
        In the unit of the labels, exactly the labels at the labelled vertices.
    method : str
        What was solved, and how.
    error_bound : float or None
        At most this far from the exact extension, everywhere; None where nothing is vouched for.
    residual : float
        The largest violation of the equation that defines the extension, in the unit of the labels
        or as a fraction where the method says so. A small residual alone bounds no error.
    flat : bool, shape (n,)
        Unlabelled vertices whose neighbours all have their own value: there a greedy planner ties.
    """

    values: npt.NDArray[np.float64]
    method: str
    error_bound: float | None
    residual: float
    flat: npt.NDArray[np.bool_]
