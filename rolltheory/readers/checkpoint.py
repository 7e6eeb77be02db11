"""Rebuild the tensors of a torch state dict from its file, without torch and without running code.

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
    """The tensors of a state dict that ``torch.save`` wrote, by their names.

    Raises
    ------
    ReaderError
        for a file that names other code, holds more than tensors, or is damaged.
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
        found = "no ZIP archive, so the older format of torch or no state dict at all"
        raise ReaderError(path, found, _SAFE) from None
    except Exception as error:  # a damaged pickle may raise anything
        text = " ".join(str(error).split()) or type(error).__name__
        raise ReaderError(path, f"a damaged state dict ({text})", _SAFE) from None
    if not isinstance(content, dict):
        raise ReaderError(path, f"a {type(content).__name__}", _SAFE)
    for name, tensor in content.items():
        if not isinstance(name, str) or not isinstance(tensor, np.ndarray):
            raise ReaderError(path, f"entry {name!r}, which is no tensor", _SAFE)
    return dict(content)


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
