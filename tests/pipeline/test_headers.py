"""The user's CUDA headers are ported once and included under their new names."""

from __future__ import annotations

from pathlib import Path

from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.hip.options import HipOptions
from porter.pipeline.headers import port_headers, rename_includes

KERNEL = (
    b'#include "warp.cuh"\n#include "plain.h"\n'
    b"#include <vector>\n__global__ void k(float* x) { x[0] = sum(x[0]); }\n"
)
WARP = b'#pragma once\n#include "deep.cuh"\n__device__ float sum(float v) { return twice(v); }\n'
DEEP = (
    b"#pragma once\n__device__ inline float twice(float v) { return 2 * v; }\n"
    b"inline void f() { cudaDeviceSynchronize(); }\n"
)


def write(folder: Path) -> SourceText:
    (folder / "include").mkdir()
    (folder / "kernel.cu").write_bytes(KERNEL)
    (folder / "warp.cuh").write_bytes(WARP)
    (folder / "plain.h").write_text("int plain();\n")
    (folder / "include" / "deep.cuh").write_bytes(DEEP)
    return SourceText.read(folder / "kernel.cu")


def test_headers_are_found_through_headers_and_search_path(tmp_path: Path) -> None:
    unit = read_translation_unit(write(tmp_path))
    headers = port_headers(unit, (tmp_path / "include",), HipOptions())
    assert set(headers.contents) == {"warp.hip.cuh", "deep.hip.cuh"}
    assert b"hipDeviceSynchronize" in headers.contents["deep.hip.cuh"]
    assert b'#include "deep.hip.cuh"' in headers.contents["warp.hip.cuh"]


def test_only_ported_headers_get_a_new_name(tmp_path: Path) -> None:
    source = write(tmp_path)
    headers = port_headers(read_translation_unit(source), (tmp_path / "include",), HipOptions())
    text = rename_includes(source.path, source.data, headers.names)
    assert text == KERNEL.replace(b"warp.cuh", b"warp.hip.cuh")


def test_headers_that_include_each_other_end(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "warp.cuh").write_bytes(WARP + b'#include "warp.cuh"\n#include "kernel.cu"\n')
    unit = read_translation_unit(SourceText.read(tmp_path / "kernel.cu"))
    assert "warp.hip.cuh" in port_headers(unit, (), HipOptions()).contents


def test_a_source_without_headers_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("#include <cuda_runtime.h>\n__global__ void k() {}\n")
    assert port_headers(read_translation_unit(SourceText.read(path)), (), HipOptions()).contents == {}
