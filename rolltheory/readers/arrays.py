"""NumPy's own files, and readers chosen by the ending of a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from rolltheory.errors import ReaderError
from rolltheory.files import require_regular

__all__ = ["array_values", "by_ending", "read_arrays"]

_T = TypeVar("_T")


def by_ending(path: str | PathLike[str], readers: Mapping[str, Callable[[Path], _T]]) -> _T:
    """What the reader for the ending of a name makes of a regular file that is not empty.

    Raises
    ------
    ReaderError
        for another ending, an empty file, one that cannot be read, a pipe or a device.

    Examples
    --------
    >>> by_ending("weights.docx", {".npz": read_arrays})
    Traceback (most recent call last):
    ...
    rolltheory.errors.ReaderError: weights.docx: found the ending '.docx'; need .npz
    """
    file = Path(path)
    if file.suffix.lower() not in readers:
        raise ReaderError(path, f"the ending {file.suffix!r}", ", ".join(readers))
    require_regular(path)
    try:
        with file.open("rb") as stream:
            if not stream.read(1):
                raise ReaderError(path, "an empty file", "one with content")
        return readers[file.suffix.lower()](file)
    except OSError as error:
        raise ReaderError(path, error.strerror or str(error), "a readable file") from None


def read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a .npz file by their names, or the one of a .npy file; never pickled objects.

    Raises
    ------
    ReaderError
        if it is neither, or holds pickled objects.
    """
    try:
        loaded: Any = np.load(path, allow_pickle=False)
        if isinstance(loaded, np.ndarray):
            return {path.stem: loaded}
        with loaded:
            return {name: loaded[name] for name in loaded.files}
    except OSError:
        raise
    except Exception as error:  # numpy's header parser lets errors of many kinds through
        found = f"an unusable {path.suffix} file ({' '.join(str(error).split())})"
        raise ReaderError(path, found, "arrays of numbers, saved without pickle") from None


def array_values(path: Path, name: str, array: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """An array as floats.

    Raises
    ------
    ReaderError
        for anything but real numbers.
    """
    if array.dtype.kind not in "biuf":
        raise ReaderError(path, f"array {name!r} of {array.dtype}", "real numbers")
    return array.astype(np.float64)
