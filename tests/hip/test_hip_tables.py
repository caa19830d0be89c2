"""The name tables agree with each other and with the real HIP headers where those are installed."""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from pathlib import Path

import pytest

from porter.hip.check_tables import main
from porter.hip.name_table import load_tables
from porter.hip.table_check import check_tables, count_arguments, declared_names


@cache
def hip_headers() -> Path | None:
    spec = importlib.util.find_spec("triton")
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / "backends/amd/include/hip"
    return path if path.is_dir() else None


def headers() -> Path:
    found = hip_headers()
    if found is None:
        pytest.skip("triton, whose package has HIP's headers, is not installed")
    return found


def test_tables_load_and_have_the_core() -> None:
    table = load_tables()
    assert table.hip_name("cudaMalloc") == "hipMalloc"
    assert table.hip_name("cuLaunchKernel") == "hipModuleLaunchKernel"
    assert table.headers["cuda_runtime.h"] == "hip/hip_runtime.h"
    assert len(table.mapped) > 3000


def test_no_name_is_both_mapped_and_unsupported() -> None:
    table = load_tables()
    assert not set(table.mapped) & set(table.unsupported)


def test_no_hip_name_is_a_cuda_name() -> None:
    table = load_tables()
    assert not [
        name for name, entry in table.mapped.items() if entry.hip in table.mapped and entry.hip != name
    ]


def test_every_unsupported_name_says_the_way_out() -> None:
    assert all(entry.way_out for entry in load_tables().unsupported.values())


def test_every_name_with_headers_at_hand_is_declared_by_them(capsys: pytest.CaptureFixture[str]) -> None:
    headers()
    assert main([]) == 0
    printed = capsys.readouterr().out
    assert "CUDA runtime: " in printed
    assert "NVTX: 9 of 9" in printed


def test_a_wrong_name_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "hip_runtime_api.h").write_text("// hipMalloc\nhipError_t hipFree(void* p);\n")
    runtime = next(c for c in check_tables(load_tables(), [tmp_path]) if c.api == "CUDA runtime")
    missing = {line.split()[0] for line in runtime.missing}
    assert "cudaMalloc" in missing
    assert "cudaFree" not in missing


def test_another_number_of_arguments_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "hip").mkdir()
    (tmp_path / "hip" / "hip_runtime_api.h").write_text(
        "int hipFree(void* p, int now);\nint hipMalloc(int a);\n"
    )
    (tmp_path / "cuda").mkdir()
    (tmp_path / "cuda" / "cuda.h").write_text("int cudaFree(void* p);\nint cudaMalloc(int a);\n")
    checks = check_tables(load_tables(), [tmp_path / "hip"], tmp_path / "cuda")
    runtime = next(c for c in checks if c.api == "CUDA runtime")
    assert runtime.counts == ("cudaFree takes 1 arguments, hipFree 2",)


def test_porters_own_headers_are_no_authority(tmp_path: Path) -> None:
    (tmp_path / "hipblas.h").write_text("// porter's own hipblas.h\n")
    assert check_tables(load_tables(), [tmp_path]) == ()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("hipMemcpy", 4), ("hipFree", 1), ("hipStreamSynchronize", 1), ("hipGraphInstantiate", 5)],
)
def test_argument_counts_are_read_from_the_headers(name: str, arguments: int) -> None:
    assert arguments in count_arguments(headers())[name]


def test_names_in_comments_are_not_declared(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("/* hipOne */ int hipTwo; // hipThree\n")
    assert declared_names(tmp_path) & {"hipOne", "hipTwo", "hipThree"} == {"hipTwo"}


def test_hip_spelling_of_library_names() -> None:
    odd = [
        (name, entry.hip)
        for name, entry in load_tables().mapped.items()
        if entry.api.startswith("cu")
        and entry.api != "cuDNN"
        and not re.match(r"hip|HIP|void|make_hip", entry.hip)
    ]
    assert [pair for pair in odd if pair[0] != "skipahead"] == []
