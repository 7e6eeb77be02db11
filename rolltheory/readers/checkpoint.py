"""Rebuild the tensors of a torch state dict from its file, without torch and without running code.

The state dict may be one entry of a checkpoint, beside numbers, text and what optimizers hold.

The file is a ZIP archive: a pickle that says how tensors lie in storages, and one record of plain
numbers per storage. Of what a pickle may name, only what a state dict consists of is known here,
and each name stands for something of this module.
"""

from __future__ import annotations

import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from rolltheory.errors import ReaderError
from rolltheory.readers.numerals import WIDTHS, decoded

__all__ = ["read_state_dict"]

FloatArray = npt.NDArray[np.float64]

_SAFE = "a state dict of tensors; safetensors.torch.save_file writes one without pickle"
_KINDS = {
    "DoubleStorage": "float64",
    "FloatStorage": "float32",
    "HalfStorage": "float16",
    "BFloat16Storage": "bfloat16",
    "LongStorage": "int64",
    "IntStorage": "int32",
    "ShortStorage": "int16",
    "CharStorage": "int8",
    "ByteStorage": "uint8",
    "BoolStorage": "bool",
}


@dataclass(frozen=True)
class _Kind:
    """What the name of a storage's class stands for."""

    name: str


@dataclass(frozen=True, eq=False)
class _Storage:
    values: FloatArray


def read_state_dict(path: Path) -> dict[str, FloatArray]:
    """The tensors of a state dict that ``torch.save`` wrote, alone or in a checkpoint, by name.

    Raises
    ------
    ReaderError
        for a file that names other code, holds no state dict or several, or is damaged.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            (root,) = {name.partition("/")[0] for name in archive.namelist()}
            order = f"{root}/byteorder"
            if order in archive.namelist() and archive.read(order) != b"little":
                raise ReaderError(path, "big-endian numbers", _SAFE)
            with archive.open(f"{root}/data.pkl") as stream:
                content = _TensorsOnly(path, archive, root, stream).load()
    except ReaderError:
        raise
    except zipfile.BadZipFile:
        raise ReaderError(path, _no_archive(path), _SAFE) from None
    except Exception as error:  # a damaged pickle may raise anything
        text = " ".join(str(error).split()) or type(error).__name__
        raise ReaderError(path, f"a damaged state dict ({text})", _SAFE) from None
    if not isinstance(content, dict):
        raise ReaderError(path, f"a {type(content).__name__}", _SAFE)
    return dict(_state_dict(path, content))


def _no_archive(path: Path) -> str:
    with path.open("rb") as stream:
        opening = stream.read(4)
    if opening == b"PK\x03\x04":
        return "a ZIP archive without its end, as of a copy that was cut off"
    if opening[:1] == b"\x80":
        return "no ZIP archive but a bare pickle, as torch wrote before 1.6"
    return "no ZIP archive, so nothing that torch wrote"


def _state_dict(path: Path, content: dict[Any, Any]) -> dict[str, FloatArray]:
    """The content if all of it is tensors, else the one state dict among its entries."""
    if _is_state_dict(content):
        return content
    inner = {name: part for name, part in content.items() if _is_state_dict(part) and part}
    # a vector beside it is the state of a random generator; a matrix would be a weight
    loose = [name for name, entry in content.items() if isinstance(entry, np.ndarray)]
    weights = [name for name in loose if content[name].ndim > 1]
    if len(inner) == 1 and not weights:
        (found,) = inner.values()
        return dict(found)
    if inner:
        names = ", ".join(repr(name) for name in (*inner, *weights))
        several = f"a checkpoint in which {names} could each be the weights"
        raise ReaderError(path, several, "one state dict: torch.save(checkpoint[NAME], FILE)")
    other = next(name for name in content if not isinstance(name, str) or name not in loose)
    raise ReaderError(path, f"entry {other!r}, which is no tensor", _SAFE)


def _is_state_dict(entry: Any) -> bool:
    return isinstance(entry, dict) and all(
        isinstance(name, str) and isinstance(tensor, np.ndarray) for name, tensor in entry.items()
    )


class _TensorsOnly(pickle.Unpickler):
    """An unpickler that knows state dicts and nothing else."""

    def __init__(self, path: Path, archive: zipfile.ZipFile, root: str, stream: Any) -> None:
        super().__init__(stream)
        self._path, self._archive, self._root = path, archive, root
        self._storages: dict[str, _Storage] = {}

    def find_class(self, module: str, name: str) -> Any:
        known: dict[str, Callable[..., Any]] = {
            "collections.OrderedDict": OrderedDict,
            "torch._utils._rebuild_tensor_v2": self._tensor,
            "torch._utils._rebuild_parameter": self._parameter,
        }
        if module == "torch" and name in _KINDS:
            return _Kind(_KINDS[name])
        full = f"{module}.{name}"
        if full not in known:
            self._refuse(f"pickled code ({full})")
        return known[full]

    def persistent_load(self, reference: Any) -> _Storage:
        label, kind, key, _, count = reference
        if label != "storage" or not isinstance(kind, _Kind):
            self._refuse("a reference to what is no storage")
        if key not in self._storages:
            name = f"{self._root}/data/{key}"
            record = self._archive.getinfo(name)
            stored = record.compress_type == zipfile.ZIP_STORED  # a bomb would be compressed
            if not stored or record.file_size != count * WIDTHS[kind.name]:
                self._refuse(f"storage {key} of another length than stated")
            self._storages[key] = _Storage(decoded(self._archive.read(name), kind.name))
        return self._storages[key]

    def _tensor(
        self, storage: _Storage, offset: int, size: Any, stride: Any, *_: Any
    ) -> FloatArray:
        values = storage.values
        shape = tuple(size)
        steps = tuple(stride)
        last = offset + sum((n - 1) * step for n, step in zip(shape, steps, strict=True))
        negative = min((offset, *shape, *steps)) < 0
        if negative or (0 not in shape and last >= values.size) or prod(shape) > values.size:
            self._refuse("a tensor that leaves its storage")
        if 0 in shape:
            return np.empty(shape)
        view = np.lib.stride_tricks.as_strided(
            values[offset:], shape, [step * values.itemsize for step in steps]
        )
        return view.copy()

    def _parameter(self, tensor: FloatArray, *_: Any) -> FloatArray:
        return tensor

    def _refuse(self, found: str) -> NoReturn:
        raise ReaderError(self._path, found, _SAFE)
