"""Programs of a tree whose kernels are all in its headers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.migrate.conftest import WriteTree

HEADER = """\
#pragma once
#include "detail/index.hxx"
#include "plain.hxx"
template <class F> __global__ void each_kernel(F f, int* y, int n) {
  int i = lib_index();
  if (i < n) y[i] = f(i);
}
inline void fill(int* y, int n) {
  each_kernel<<<(n + 63) / 64, 64>>>([] __device__(int i) { return 3 * i + LIB_OFFSET; }, y, n);
}
inline int* fresh(int n) {
  int* y;
  cudaMalloc(&y, n * sizeof(int));
  return y;
}
"""
OPTIONS = ("-t", "hip", "-o", "out", "-j", "1", "--json")
TREE = {
    "CMakeLists.txt": "project(p LANGUAGES CXX CUDA)\ninclude_directories(src)\nadd_executable(a a.cu)\n",
    "src/lib/each.hxx": HEADER,
    "src/lib/detail/index.hxx": "#pragma once\n"
    "__device__ inline int lib_index() { return blockIdx.x * blockDim.x + threadIdx.x; }\n",
    "src/lib/plain.hxx": "#define LIB_OFFSET 1\n",
    "tests/a.cu": "#include <lib/each.hxx>\nint main() {\n  fill(fresh(100), 100);\n  return 0;\n}\n",
}

LINKED = {
    "CMakeLists.txt": "project(p LANGUAGES CXX CUDA)\nadd_subdirectory(core)\nadd_subdirectory(apps)\n",
    "core/CMakeLists.txt": "add_library(core INTERFACE)\nadd_library(p::core ALIAS core)\n"
    "target_include_directories(core INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/src>)\n",
    "apps/CMakeLists.txt": "file(GLOB programs *.cu)\nforeach(program ${programs})\n"
    "  get_filename_component(name ${program} NAME_WE)\n  add_executable(${name} ${program})\n"
    "  target_link_libraries(${name} PRIVATE p::core)\nendforeach()\n",
    **{f"core/{name}": text for name, text in TREE.items() if name.startswith("src/")},
    "core/src/lib/count.hxx": '#pragma once\n#include "each.hxx"\ninline int count() { return 100; }\n',
    "apps/a.cu": "#include <lib/count.hxx>\n#include <lib/each.hxx>\n"
    "int main() {\n  fill(fresh(count()), count());\n  return 0;\n}\n",
}


def test_a_header_without_cuda_leads_to_them(write_tree: WriteTree, tmp_path: Path) -> None:
    """Two includes of a header by two names are one header, and its folder is that of a linked target."""
    write_tree(LINKED)
    command = [sys.executable, "-m", "porter", "migrate", "tree", *OPTIONS]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    report = json.loads(done.stdout)
    assert report["kernels"] == {"ported": 1}
    assert "BLD015" not in done.stdout
    assert (tmp_path / "out" / "core/src/lib/count.hxx").read_text() == LINKED["core/src/lib/count.hxx"]


def test_they_are_proved_and_include_what_they_did(write_tree: WriteTree, tmp_path: Path) -> None:
    """The program itself has no word of CUDA in it, and its headers are in folders."""
    write_tree(TREE)
    command = [sys.executable, "-m", "porter", "migrate", "tree", *OPTIONS]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["files"]["kernels"] == {"ported": 1}
    assert report["kernels"] == {"ported": 1}
    ported = (tmp_path / "out" / "tests" / "a.cu").read_text()
    assert "#include <lib/each.hxx>\n" in ported
    header = (tmp_path / "out" / "src" / "lib" / "each.hxx").read_text()
    assert "hipMalloc" in header
    assert '#include "detail/index.hxx"\n' in header
    assert sorted(p.name for p in (tmp_path / "out").rglob("*.hxx")) == ["each.hxx", "index.hxx", "plain.hxx"]
