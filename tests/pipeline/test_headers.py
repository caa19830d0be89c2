"""The user's CUDA headers are ported once and included under their new names."""

from __future__ import annotations

from pathlib import Path

from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.hip.options import HipOptions
from porter.pipeline.headers import port_headers, reachable_headers, rename_includes

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


def test_what_leads_to_a_header_moves_with_it(tmp_path: Path) -> None:
    """It would include the original otherwise; a header that leads to none stays."""
    folder = tmp_path / "include" / "lib"
    folder.mkdir(parents=True)
    files = {
        "outer.h": '#pragma once\n#include "inner.h"\n#include "apart.h"\n',
        "inner.h": '#pragma once\n#include "deep.cuh"\n#include "beside.h"\n#include "outer.h"\n',
        "deep.cuh": "#pragma once\n__device__ inline float twice(float v) { return 2 * v; }\n",
        "beside.h": "#pragma once\n",
        "apart.h": "#pragma once\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    (tmp_path / "k.cu").write_text(
        "#include <lib/outer.h>\n#include <lib/deep.cuh>\n#include <lib/apart.h>\n"
    )
    unit = read_translation_unit(SourceText.read(tmp_path / "k.cu"))
    headers = port_headers(unit, (tmp_path / "include",), HipOptions())
    assert set(headers.contents) == {
        *("outer.hip.h", "inner.hip.h", "deep.hip.cuh", "beside.hip.h", "apart.hip.h")
    }
    text = rename_includes("k.cu", unit.source.data, headers.names)
    assert text == b'#include "outer.hip.h"\n#include "deep.hip.cuh"\n#include "apart.hip.h"\n'
    assert headers.contents["inner.hip.h"].count(b".hip.") == 3


def test_headers_without_cuda_that_lead_to_none_stay(tmp_path: Path) -> None:
    folder = tmp_path / "include" / "lib"
    folder.mkdir(parents=True)
    (folder / "outer.h").write_text('#include "inner.h"\n')
    (folder / "inner.h").write_text("#pragma once\n")
    (tmp_path / "k.cu").write_text("#include <lib/outer.h>\n__global__ void k() {}\n")
    unit = read_translation_unit(SourceText.read(tmp_path / "k.cu"))
    assert port_headers(unit, (tmp_path / "include",), HipOptions()).contents == {}


def test_a_long_chain_of_headers_is_followed_to_its_end(tmp_path: Path) -> None:
    for i in range(1500):
        (tmp_path / f"h{i}.h").write_text(f'#include "h{i + 1}.h"\n')
    (tmp_path / "h1500.h").write_text("__device__ int last();\n")
    (tmp_path / "k.cu").write_text('#include "h0.h"\n')
    unit = read_translation_unit(SourceText.read(tmp_path / "k.cu"))
    found = [target for target, _ in reachable_headers(unit, ())]
    assert found[:1] == ["h0.h"]
    assert found[-1:] == ["h1500.h"]
