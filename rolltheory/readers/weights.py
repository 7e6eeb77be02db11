"""Read the weights of a model: .npz, .safetensors, or a state dict that torch wrote (.pt, .pth).

No code in a file is run: a state dict is rebuilt from its numbers alone, and refused if it names
anything else. Numbers of any width become doubles, which is exact: a certificate is about the
weights as they are stored.
"""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.errors import MissingExtraError, ReaderError
from rolltheory.readers.arrays import array_values, by_ending, read_arrays
from rolltheory.readers.checkpoint import read_state_dict
from rolltheory.readers.numerals import decoded

__all__ = ["read_weights"]

FloatArray = npt.NDArray[np.float64]

_SAFETENSORS_TYPES = {
    "F64": "float64",
    "F32": "float32",
    "F16": "float16",
    "BF16": "bfloat16",
    "I64": "int64",
    "I32": "int32",
    "I16": "int16",
    "I8": "int8",
    "U8": "uint8",
    "BOOL": "bool",
}


def read_weights(path: str | PathLike[str]) -> dict[str, FloatArray]:
    """The tensors in a file by their names, as doubles.

    Parameters
    ----------
    path : file, whose ending tells the format

    Returns
    -------
    dict
        in the order of the file; of ``.safetensors``, which keeps none, in that of the names, with
        numbers in them ascending.

    Raises
    ------
    ReaderError
        for what is no file of tensors, for pickled code, and for a tensor that is not finite.
    MissingExtraError
        for ``.safetensors`` without that package.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "weights.npz")
    ...     np.savez(path, first=np.eye(2, dtype=np.float32))
    ...     read_weights(path)
    {'first': array([[1., 0.],
           [0., 1.]])}
    """
    readers = {
        ".npz": _read_npz,
        ".safetensors": _read_safetensors,
        ".pt": read_state_dict,
        ".pth": read_state_dict,
    }
    tensors = by_ending(path, readers)
    if not tensors:
        raise ReaderError(path, "no tensor", "at least one")
    for name, tensor in tensors.items():
        if not np.isfinite(tensor).all():
            value = tensor[~np.isfinite(tensor)].flat[0]
            raise ReaderError(path, f"{value} in tensor {name!r}", "finite weights")
    return tensors


def _read_npz(path: Path) -> dict[str, FloatArray]:
    arrays = read_arrays(path)
    return {name: array_values(path, name, array) for name, array in arrays.items()}


def _read_safetensors(path: Path) -> dict[str, FloatArray]:
    try:
        import safetensors
    except ImportError:
        raise MissingExtraError("reading safetensors", "formats") from None
    try:
        read: Any = safetensors.deserialize
        parts = dict(read(path.read_bytes()))
    except safetensors.SafetensorError as error:
        found = f"no safetensors file ({error})"
        raise ReaderError(path, found, "one that safetensors wrote") from None
    tensors = {}
    for name in sorted(parts, key=_natural):
        part = parts[name]
        if part["dtype"] not in _SAFETENSORS_TYPES:
            found = f"tensor {name!r} of type {part['dtype']}"
            raise ReaderError(path, found, ", ".join(_SAFETENSORS_TYPES))
        values = decoded(bytes(part["data"]), _SAFETENSORS_TYPES[part["dtype"]])
        tensors[name] = values.reshape(part["shape"])
    return tensors


def _natural(name: str) -> list[tuple[int, str]]:
    """Names in the order of a reader: layer 2 before layer 10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]
