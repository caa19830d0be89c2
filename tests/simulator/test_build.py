"""Building: places in messages, what is refused, what the cache is keyed by."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from porter.core.errors import InputError
from porter.simulator import options, prebuilt, sources
from porter.simulator.build import CompileError, build_program
from porter.simulator.options import Face
from porter.simulator.run import run_program
from porter.simulator.widen import WideUnsupported

Write = Callable[..., Path]


def test_compile_error_at_the_users_place(program_file: Write) -> None:
    path = program_file(
        "__global__ void k(int *p) {}\nint main() {\n  k<<<1, 1>>>(nullptr); k<<<1, 1>>>(undeclared);\n}\n"
    )
    with pytest.raises(CompileError) as caught:
        build_program([path], face=Face.CUDA)
    first = caught.value.diagnostics[0]
    assert (first.span.path, first.span.line, first.span.column) == (str(path), 3, 37)
    assert "undeclared" in first.message
    assert "PORTER" not in str(first)


def test_error_in_a_users_header(program_file: Write) -> None:
    program_file("#pragma once\n\nint broken( { return 1; }\n", "lib/inner/part.cuh")
    path = program_file('#include "lib/inner/part.cuh"\nint main() {}\n')
    with pytest.raises(CompileError) as caught:
        build_program([path], face=Face.CUDA)
    assert caught.value.diagnostics[0].span.path.endswith("lib/inner/part.cuh")
    assert caught.value.diagnostics[0].span.line == 3


def test_macros_of_the_command_line_with_names_that_the_headers_use(program_file: Write) -> None:
    other = program_file(
        "#include <cuda_runtime.h>\nint size() { dim3 d(N); return N * int(d.y) * STEPS; }\n", "other.cpp"
    )
    path = program_file(
        "#include <cuda_fp16.h>\nint size();\n"
        "__global__ void k(int *a) { for (int T1 = threadIdx.x; T1 < N; T1 += M(2)) a[T1] = T1; }\n"
        "int main() {\n  int *a;\n  cudaMallocManaged(&a, N * sizeof(int));\n  k<<<1, 32>>>(a);\n"
        "  return cudaDeviceSynchronize() || a[39] != 39 || size() != 120;\n}\n"
    )
    built = build_program([path, other], face=Face.CUDA, defines=["N=40", "M(x)=(16*x)", "STEPS=3"])
    assert run_program(built).returncode == 0


def test_missing_include(program_file: Write) -> None:
    path = program_file('#include "nowhere.h"\nint main() {}\n')
    with pytest.raises(CompileError) as caught:
        build_program([path], face=Face.CUDA)
    assert "nowhere.h" in caught.value.diagnostics[0].message
    assert caught.value.diagnostics[0].span.line == 1


def test_contents_of_foreign_files_are_not_repeated(program_file: Write, tmp_path: Path) -> None:
    secret = tmp_path.parent / f"{tmp_path.name}-secret"
    secret.write_text("hunter2 is the password\n")
    path = program_file(f'#include "{secret}"\nint main() {{}}\n')
    with pytest.raises(CompileError) as caught:
        build_program([path], face=Face.CUDA)
    assert "hunter2" not in str(caught.value)


def test_undefined_function(program_file: Write) -> None:
    path = program_file("int elsewhere(int);\nint main() { return elsewhere(1); }\n")
    with pytest.raises(CompileError) as caught:
        build_program([path], face=Face.CUDA)
    assert "elsewhere" in caught.value.diagnostics[0].message


def test_bad_files(tmp_path: Path) -> None:
    binary = tmp_path / "binary.cu"
    binary.write_bytes(b"\x7fELF\0\0")
    with pytest.raises(InputError, match="binary"):
        build_program([binary], face=Face.CUDA)
    with pytest.raises(InputError, match="No such file"):
        build_program([tmp_path / "absent.cu"], face=Face.CUDA)
    with pytest.raises(InputError, match="32 or 64"):
        build_program([binary], face=Face.CUDA, lanes=16)


def test_several_files_defines_and_include_folders(program_file: Write, tmp_path: Path) -> None:
    program_file("template <class T> __global__ void put(T *p, T v) { *p = v; }\n", "include/put.cuh")
    program_file(
        '#include "put.cuh"\n'
        "int ask() { int *p; cudaMallocManaged(&p, 4); put<<<1, 1>>>(p, ANSWER); return *p; }\n",
        "ask.cu",
    )
    main = program_file('#include <cstdio>\nint ask();\nint main() { printf("%d", ask()); }\n', "main.cpp")
    options = {"face": Face.CUDA, "include_dirs": [tmp_path / "include"]}
    program = build_program([main, tmp_path / "ask.cu"], defines=["ANSWER=42"], **options)  # type: ignore[arg-type]
    assert run_program(program).stdout == b"42"
    again = build_program([main, tmp_path / "ask.cu"], defines=["ANSWER=42"], **options)  # type: ignore[arg-type]
    assert again.path == program.path
    (tmp_path / "include" / "put.cuh").write_text(
        "template <class T> __global__ void put(T *p, T v) { *p = v + 1; }\n"
    )
    changed = build_program([main, tmp_path / "ask.cu"], defines=["ANSWER=42"], **options)  # type: ignore[arg-type]
    assert run_program(changed).stdout == b"43"


def test_narrow_mask_does_not_compile_for_hip(program_file: Write) -> None:
    path = program_file(
        "__global__ void k(int *p) {\n  *p = __shfl_down_sync(0xffffffff, *p, 1);\n}\nint main() {}\n",
        "k.hip",
    )
    with pytest.raises(CompileError) as caught:
        build_program([path], face=Face.HIP)
    assert any("64-bit integer" in d.message for d in caught.value.diagnostics)


def test_overloads_on_float_and_double_cannot_be_widened(program_file: Write) -> None:
    path = program_file(
        "float twice(float x) { return 2 * x; }\ndouble twice(double x) { return 2 * x; }\nint main() {}\n"
    )
    with pytest.raises(WideUnsupported) as caught:
        build_program([path], face=Face.CUDA, wide=True)
    assert caught.value.span.line == 2


def test_host_files_in_c_have_no_implicit_header(program_file: Write, tmp_path: Path) -> None:
    helper = program_file("int cube(x) int x; { return x * x * x; }\n", "cube.c")
    program_file(
        '#include <cstdio>\nextern "C" int cube(int);\nint main() { printf("%d", cube(3)); }\n', "m.cu"
    )
    assert run_program(build_program([tmp_path / "m.cu", helper], face=Face.CUDA)).stdout == b"27"


@pytest.mark.slow
def test_headers_installed_anew_are_compiled_anew(
    program_file: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compilers know a header by its time of change: the old precompiled one would define all twice."""
    installed = tmp_path / "installed"
    shutil.copytree(prebuilt.INCLUDE_DIRECTORY, installed)
    for module in (prebuilt, options, sources):
        monkeypatch.setattr(module, "INCLUDE_DIRECTORY", installed)
    program = "#include <cuda_runtime.h>\nint main() { return %d; }\n"
    for returned in (3, 4):
        for path in installed.rglob("*.h"):
            os.utime(path, (returned, returned))
        built = build_program([program_file(program % returned)], face=Face.CUDA)
        assert run_program(built).returncode == returned
