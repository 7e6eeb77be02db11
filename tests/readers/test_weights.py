"""Weights in three formats, to the last bit, and code that is never run."""

import io
import pickle
import re
import struct
import sys
import zipfile
from collections import OrderedDict
from types import ModuleType

import numpy as np
import pytest
from safetensors.numpy import save_file

from rolltheory.errors import MissingExtraError, ReaderError
from rolltheory.readers.weights import read_weights


class Storage:
    def __init__(self, kind, data):
        self.kind, self.data = kind, data


class Tensor:
    """Pickled as torch pickles a tensor."""

    def __init__(self, storage, offset, size, stride, parameter=False):
        self.arguments = (storage, offset, size, stride, False, OrderedDict())
        self.parameter = parameter

    def __reduce__(self):
        utils = sys.modules["torch._utils"]
        if self.parameter:
            plain = Tensor(*self.arguments[:4])
            return utils._rebuild_parameter, (plain, True, OrderedDict())
        return utils._rebuild_tensor_v2, self.arguments


WIDTHS = {"FloatStorage": 4, "DoubleStorage": 8, "BFloat16Storage": 2, "LongStorage": 8}


@pytest.fixture
def state_dict(tmp_path, monkeypatch):
    """Write what ``torch.save`` would, without torch: stand-ins carry the names of its parts."""
    torch, utils = ModuleType("torch"), ModuleType("torch._utils")
    for name in WIDTHS:
        setattr(torch, name, type(name, (), {"__module__": "torch"}))
    for name in ("_rebuild_tensor_v2", "_rebuild_parameter"):
        exec(f"def {name}(*arguments): ...", {"__name__": "torch._utils"}, vars(utils))
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "torch._utils", utils)

    class Pickler(pickle.Pickler):
        def __init__(self, stream):
            super().__init__(stream, 2)
            self.storages = []

        def persistent_id(self, value):
            if not isinstance(value, Storage):
                return None
            if value not in self.storages:
                self.storages.append(value)
            count = len(value.data) // WIDTHS[value.kind]
            key = str(self.storages.index(value))
            return ("storage", getattr(torch, value.kind), key, "cpu", count)

    def write(content, *, order=b"little", compression=zipfile.ZIP_STORED, cut=0):
        stream = io.BytesIO()
        pickler = Pickler(stream)
        pickler.dump(content)
        path = tmp_path / "model.pt"
        with zipfile.ZipFile(path, "w", compression) as archive:
            archive.writestr("model/data.pkl", stream.getvalue())
            archive.writestr("model/byteorder", order)
            for key, storage in enumerate(pickler.storages):
                archive.writestr(f"model/data/{key}", storage.data[cut:])
        return path

    return write


def floats(*values):
    return Storage("FloatStorage", np.array(values, "<f4").tobytes())


SQUARE = floats(0, 1, 2, 3, 4, 5)


def refused(path, message):
    with pytest.raises(ReaderError, match=re.escape(message)):
        read_weights(path)


def test_a_state_dict_with_views_and_parameters(state_dict):
    content = OrderedDict(
        [
            ("layers.1.weight", Tensor(SQUARE, 0, (2, 3), (3, 1), parameter=True)),
            ("layers.0.weight", Tensor(SQUARE, 1, (2, 2), (1, 2))),
            ("bias", Tensor(SQUARE, 4, (2,), (1,))),
            ("empty", Tensor(SQUARE, 0, (0, 3), (3, 1))),
        ]
    )
    found = read_weights(state_dict(content))
    assert list(found) == ["layers.1.weight", "layers.0.weight", "bias", "empty"]
    assert found["layers.1.weight"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert found["layers.0.weight"].tolist() == [[1, 3], [2, 4]]
    assert found["bias"].tolist() == [4, 5]
    assert found["empty"].shape == (0, 3)


def test_numbers_of_every_width_are_exact(state_dict):
    third = np.float32(1 / 3)
    kinds = {
        "half": Storage("BFloat16Storage", bytes([0x80, 0x3F, 0x00, 0xC0])),
        "single": floats(third, -0.1),
        "double": Storage("DoubleStorage", struct.pack("<2d", 0.1, 1e300)),
        "whole": Storage("LongStorage", struct.pack("<2q", -3, 2**53)),
    }
    found = read_weights(
        state_dict({name: Tensor(values, 0, (2,), (1,)) for name, values in kinds.items()})
    )
    assert found["half"].tolist() == [1.0, -2.0]
    assert found["single"].tolist() == [float(third), float(np.float32(-0.1))]
    assert found["double"].tolist() == [0.1, 1e300]
    assert found["whole"].tolist() == [-3, 2**53]


class Evil:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def test_pickled_code_is_refused_and_not_run(state_dict, tmp_path):
    written = tmp_path / "written"
    path = state_dict({"weight": Tensor(SQUARE, 0, (6,), (1,)), "hook": Evil(written)})
    refused(path, "io.open); need a state dict of tensors; safetensors.torch.save_file")
    assert not written.exists()


def test_a_bare_pickle_is_refused_and_not_run(tmp_path):
    (tmp_path / "old.pth").write_bytes(pickle.dumps(Evil(tmp_path / "written")))
    refused(tmp_path / "old.pth", "found no ZIP archive but a bare pickle")
    assert not (tmp_path / "written").exists()


@pytest.mark.parametrize(
    "tensor",
    [
        Tensor(SQUARE, 0, (7,), (1,)),
        Tensor(SQUARE, 5, (2,), (1,)),
        Tensor(SQUARE, 0, (2, 2), (5, 1)),
        Tensor(SQUARE, -1, (2,), (1,)),
        Tensor(SQUARE, 5, (3,), (-1,)),
        Tensor(SQUARE, 0, (2**40, 2**40), (0, 0)),
    ],
)
def test_a_tensor_beyond_its_storage_is_refused(state_dict, tensor):
    refused(state_dict({"weight": tensor}), "found a tensor that leaves its storage")


def test_damaged_state_dicts(state_dict):
    whole = {"weight": Tensor(SQUARE, 0, (6,), (1,))}
    refused(state_dict(whole, cut=4), "found storage 0 of another length than stated")
    refused(state_dict(whole, compression=zipfile.ZIP_DEFLATED), "found storage 0")
    refused(state_dict(whole, order=b"big"), "found big-endian numbers")
    refused(state_dict([1, 2]), "found a list; need a state dict")
    refused(state_dict({"epoch": 3}), "found entry 'epoch', which is no tensor")
    refused(state_dict({}), "found no tensor")
    refused(state_dict({"w": Tensor(floats(np.nan), 0, (1,), (1,))}), "found nan in tensor 'w'")


def test_the_one_state_dict_of_a_checkpoint(state_dict):
    weight = Tensor(SQUARE, 0, (2, 3), (3, 1))
    moments = {0: {"step": 3, "exp_avg": weight}}
    checkpoint = {
        "epoch": 3,
        "model": OrderedDict(weight=weight),
        "optimizer": {"state": moments, "param_groups": [{"lr": 0.1}]},
        "scheduler": {},
        "rng_state": Tensor(SQUARE, 0, (6,), (1,)),
    }
    assert read_weights(state_dict(checkpoint))["weight"].tolist() == [[0, 1, 2], [3, 4, 5]]
    several = {**checkpoint, "ema": {"weight": weight}}
    refused(state_dict(several), "a checkpoint in which 'model', 'ema' could each be the weights")
    loose = {**checkpoint, "head": weight}
    refused(state_dict(loose), "'model', 'head' could each be the weights; need one state dict")
    refused(state_dict({"head": weight, "epoch": 3}), "found entry 'epoch', which is no tensor")


def test_a_file_that_is_no_archive_says_what_it_is(state_dict, tmp_path):
    path = state_dict({"weight": Tensor(SQUARE, 0, (6,), (1,))})
    path.write_bytes(path.read_bytes()[:-30])
    refused(path, "found a ZIP archive without its end, as of a copy that was cut off")
    (tmp_path / "text.pt").write_bytes(b"version https://git-lfs")
    refused(tmp_path / "text.pt", "found no ZIP archive, so nothing that torch wrote")


def test_archives_that_are_no_state_dict(tmp_path):
    path = tmp_path / "model.pt"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model/data.pkl", b"\x80\x02nonsense")
    refused(path, "found a damaged state dict")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("other/readme", b"text")
    refused(path, "found a damaged state dict")


def test_safetensors_in_the_order_of_their_numbers(tmp_path):
    path = tmp_path / "model.safetensors"
    tensors = {f"layers.{k}.weight": np.full((2, 1), k, np.float16) for k in (10, 2, 1)}
    save_file(tensors, path)
    found = read_weights(path)
    assert list(found) == ["layers.1.weight", "layers.2.weight", "layers.10.weight"]
    assert found["layers.10.weight"].tolist() == [[10.0], [10.0]]


def raw_safetensors(path, header, data):
    path.write_bytes(struct.pack("<Q", len(header)) + header.encode() + data)
    return path


def test_safetensors_of_bfloat16_and_of_no_number(tmp_path):
    path = tmp_path / "model.safetensors"
    header = '{"w":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}}'
    found = read_weights(raw_safetensors(path, header, bytes([0x80, 0x3F, 0x00, 0xC0])))
    assert found["w"].tolist() == [1.0, -2.0]
    header = '{"w":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]}}'
    refused(raw_safetensors(path, header, b"ab"), "found tensor 'w' of type F8_E4M3; need F64,")
    refused(raw_safetensors(path, header, b"a"), "found no safetensors file")


def test_the_extra_for_safetensors_is_named(tmp_path, monkeypatch):
    save_file({"w": np.ones(1)}, tmp_path / "model.safetensors")
    monkeypatch.setitem(sys.modules, "safetensors", None)
    with pytest.raises(MissingExtraError, match=re.escape("pip install 'rolltheory[formats]'")):
        read_weights(tmp_path / "model.safetensors")


def test_npz(tmp_path):
    np.savez(tmp_path / "w.npz", b=np.float32(0.1) * np.ones(2), a=np.eye(2))
    found = read_weights(tmp_path / "w.npz")
    assert list(found) == ["b", "a"]
    assert found["b"].tolist() == [float(np.float32(0.1))] * 2
    np.savez(tmp_path / "w.npz", code=np.array([print]))
    refused(tmp_path / "w.npz", "found an unusable .npz file (Object arrays cannot be loaded")
    (tmp_path / "w.bin").write_bytes(b"x")
    refused(tmp_path / "w.bin", "found the ending '.bin'; need .npz, .safetensors, .pt, .pth")
