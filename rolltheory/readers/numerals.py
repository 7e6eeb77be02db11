"""Numbers as files of tensors hold them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["WIDTHS", "decoded"]

WIDTHS = {
    "float64": 8,
    "float32": 4,
    "float16": 2,
    "bfloat16": 2,
    "int64": 8,
    "int32": 4,
    "int16": 2,
    "int8": 1,
    "uint8": 1,
    "bool": 1,
}
"""Bytes of a number of each type."""


def decoded(data: bytes, kind: str) -> npt.NDArray[np.float64]:
    """Little-endian numbers of one type as doubles; a bfloat16 is the upper half of a float32.

    Examples
    --------
    >>> decoded(bytes([0x80, 0x3F, 0x00, 0xC0]), "bfloat16")
    array([ 1., -2.])
    """
    if kind == "bfloat16":
        upper = np.frombuffer(data, "<u2").astype(np.uint32) << 16
        return upper.view(np.float32).astype(np.float64)
    return np.frombuffer(data, np.dtype(kind).newbyteorder("<")).astype(np.float64)
