"""The vendors' libraries: found by what a program includes, linked from the cache, visible in the sandbox."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from porter.core.errors import ToolMissing
from porter.simulator import libraries
from porter.simulator.build import build_program
from porter.simulator.compiler import find_compiler
from porter.simulator.libraries import LIBRARIES, LIBRARY_DIRECTORY, linked, used_libraries
from porter.simulator.options import Face, Options
from porter.simulator.rewrite import rewrite
from porter.simulator.run import run_program
from porter.simulator.sources import INCLUDE_DIRECTORY, UserFile

Write = Callable[..., Path]

AXPY = """
#include <cstdio>
#include "blas_of_face.h"
int main() {
  float host[3] = {1, 2, 3}, two = 2, *x;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cublasHandle_t handle;
  cublasCreate(&handle);
  int first = cublasSaxpy(handle, 3, &two, x, 1, x, 1);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  int second = cublasSaxpy(
      handle, 4, &two, x, 1, x, 1);
  const char *after = cudaGetErrorName(cudaGetLastError());
  printf("%d %g %g %g; %d %s", first, host[0], host[1], host[2], second, after);
}
"""


def _file(text: str) -> UserFile:
    return UserFile(Path("/p.cu"), text.encode(), rewrite("/p.cu", text.encode()))


def test_libraries_are_found_by_includes() -> None:
    (blas,) = used_libraries([_file("int a;\n"), _file("#  include <cublas_v2.h>\n")])
    assert blas.name == "BLAS"
    assert used_libraries([_file("#include <cuda_runtime.h>\n// #include <cublas_v2.h>\n")]) == ()
    assert used_libraries([_file('#include "hipblas/hipblas.h"\n')]) == (blas,)


def test_every_header_and_source_exists() -> None:
    for library in (library for library in LIBRARIES if library.source):
        assert (LIBRARY_DIRECTORY / library.source).is_file()
        for header in library.headers:
            assert (INCLUDE_DIRECTORY / header).is_file(), header


def test_a_missing_package_names_the_library() -> None:
    package = replace(libraries._OPENBLAS, module="porter_no_such_module", distribution="no-such-package")
    library = replace(LIBRARIES[0], package=package)
    with pytest.raises(ToolMissing, match=r"BLAS .*no-such-package") as caught:
        linked([library], Options(Face.CUDA, 32), find_compiler())
    assert "porter[libraries]" in caught.value.hint


def test_programs_without_libraries_link_nothing(program_file: Write) -> None:
    program = build_program([program_file("int main() {}\n")], face=Face.CUDA)
    assert program.libraries.objects == program.libraries.shared_objects == ()


@pytest.mark.parametrize("wide", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_call_in_the_sandbox(program_file: Write, wide: bool) -> None:
    """Through a header of the program's own; the second call reaches past the buffer."""
    program_file("#include <cublas_v2.h>\n", "blas_of_face.h")
    path = program_file(AXPY)
    program = build_program([path], face=Face.CUDA, wide=wide)
    result = run_program(program, hostile=True)
    assert result.stdout == b"0 3 6 9; 13 cudaErrorIllegalAddress"
    (error,) = result.errors
    line = 1 + AXPY[: AXPY.index("int second")].count("\n")
    assert (error.code, error.kernel, error.line) == ("SIM001", "cublasSaxpy", line)
