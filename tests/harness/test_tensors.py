"""The tensor file: what is written is read, by us and by the safetensors package; damage is explained."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from porter.core.errors import InputError
from porter.harness.dtypes import BF16, F32, U8, U32
from porter.harness.tensors import Tensor, TensorFile, write_tensors


def test_round_trip_and_the_package_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    values = np.arange(5, dtype=np.float32)
    write_tensors(path, {"a0": Tensor(F32, values), "g:w": Tensor(U32, np.array([7], dtype=np.uint32))})
    assert load_file(path)["a0"].tolist() == values.tolist()
    read = TensorFile(path)
    assert list(read) == ["a0", "g:w"]
    assert read["g:w"].dtype is U32
    assert read["a0"].values.tolist() == values.tolist()


def test_reads_what_the_package_wrote(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    save_file({"3/before": np.arange(9, dtype=np.uint8)}, path, metadata={"made": "elsewhere"})
    assert dict(TensorFile(path))["3/before"].values.tolist() == list(range(9))


def test_bfloat16_stays_bits(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    write_tensors(path, {"a1": Tensor(BF16, BF16.from_double(np.array([1.5])))})
    assert TensorFile(path)["a1"].dtype is BF16
    assert BF16.to_double(TensorFile(path)["a1"].values).tolist() == [1.5]


def test_large_files_are_mapped(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    values = np.arange(1 << 20, dtype=np.float32)
    write_tensors(path, {"a0": Tensor(F32, values)})
    assert np.array_equal(TensorFile(path)["a0"].values, values)


def test_another_view_of_the_same_bytes() -> None:
    tensor = Tensor(U8, np.frombuffer(np.float32(1.0).tobytes(), dtype=np.uint8))
    assert tensor.as_type(F32).values.tolist() == [1.0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "truncated"),
        (b"\xff" * 4, "truncated"),
        ((1 << 40).to_bytes(8, "little") + b"{}", "truncated"),
        ((4).to_bytes(8, "little") + b"{no}", "damaged header"),
        ((2).to_bytes(8, "little") + b"[]", "damaged header"),
    ],
)
def test_damage_is_explained(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(data)
    with pytest.raises(InputError, match=message):
        TensorFile(path)


def test_a_file_cut_short_names_the_tensor(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    write_tensors(path, {"a0": Tensor(F32, np.zeros(8, dtype=np.float32))})
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(InputError, match="'a0' lies outside the file"):
        TensorFile(path)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        TensorFile(tmp_path / "nothing")
