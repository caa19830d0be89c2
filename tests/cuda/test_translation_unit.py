"""The translation unit: platform, includes, macros, syntax errors, and whether there is CUDA at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.core.diagnostic import Severity
from porter.core.errors import InputError
from porter.core.span import SourceText
from porter.cuda.headers import names_in_headers
from porter.cuda.input import MAX_SOURCE_BYTES, check_input
from porter.cuda.platform import Platform
from porter.cuda.translation_unit import TranslationUnit, has_cuda, has_kernels, read_translation_unit


def unit(code: str, path: str = "t.cu") -> TranslationUnit:
    return read_translation_unit(SourceText(path, code.encode("latin-1")))


def test_kernels_are_definitions_only() -> None:
    found = unit("__global__ void a();\n__global__ void a() {}\n__device__ int f() { return 0; }\n")
    assert [k.name for k in found.kernels] == ["a"]
    assert [f.name for f in found.device_functions] == ["f"]


def test_includes_and_macros() -> None:
    found = unit(
        '#include <a/b.h>\n#include "c.h" // why\n#define F(x, ...) g(x) // h\n#define N 4\n#define E\n'
    )
    assert [(i.target, i.is_system) for i in found.includes] == [("a/b.h", True), ("c.h", False)]
    assert [(m.name, m.parameters, m.body) for m in found.macros] == [
        ("F", ("x", "..."), "g(x)"),
        ("N", None, "4"),
        ("E", None, ""),
    ]
    assert found.macros[0].is_variadic


def test_constants_of_the_file() -> None:
    found = unit("#define N 4\nconstexpr int kB = N * 2;\nint counter = 0;\nvoid f() { counter++; }\n")
    assert dict(found.constants) == {"N": "4", "kB": "N * 2"}


@pytest.mark.parametrize(
    ("code", "platform"),
    [
        ("#include <cuda_runtime.h>\n", Platform.CUDA),
        ("__global__ void k() {}\n", Platform.CUDA),
        ("#include <hip/hip_runtime.h>\nvoid f() { hipFree(0); }\n", Platform.HIP),
        ("#include <hip/hip_runtime.h>\nvoid f() { hipFree(0); cudaLeftover(); }\n", Platform.HIP),
        (
            "#ifdef __HIPCC__\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n",
            Platform.DUAL,
        ),
        ("#define cudaMalloc hipMalloc\n", Platform.DUAL),
        ("#define hipMalloc cudaMalloc\n", Platform.DUAL),
        ("#ifdef USE_ROCM\nint x;\n#endif\nvoid f() { cudaFree(0); }\n", Platform.DUAL),
        ("// hipMalloc\n#include <cuda_runtime.h>\n", Platform.CUDA),
        ('const char* s = "hipMalloc"; void f() { cudaFree(0); }\n', Platform.CUDA),
    ],
)
def test_platform(code: str, platform: Platform) -> None:
    assert unit(code).platform is platform


@pytest.mark.parametrize(
    "code",
    [
        "__global__ void k() {}",
        "#include <cuda.h>\n",
        "void f() { cudaFree(0); }",
        "#ifdef __CUDACC__\ntypedef float2 pair;\n#endif\n",
        "inline void check(CUresult status);",
        "void f() { cuInit(0); }",
    ],
)
def test_has_cuda(code: str) -> None:
    assert has_cuda(unit(code))


@pytest.mark.parametrize(
    "code",
    [
        "int main() { return 0; }",
        "hello, world",
        "// cudaFree(0)\n",
        "#include <cstdio>\n",
        "int cuts(int cubes);",
    ],
)
def test_has_no_cuda(code: str) -> None:
    assert not has_cuda(unit(code))
    assert not has_kernels(unit(code))


@pytest.mark.parametrize(
    ("code", "line", "column"),
    [
        ("__global__ void k() {\n  int x = (1;\n}\n", 2, 11),
        ("void f() {\n  g();\n", 1, 10),
        ("void f() {}\n}\n", 2, 1),
    ],
)
def test_an_unmatched_bracket_is_an_error_at_its_place(code: str, line: int, column: int) -> None:
    errors = unit(code).syntax_errors
    assert errors[0].severity is Severity.ERROR
    assert (errors[0].span.line, errors[0].span.column) == (line, column)


def test_what_the_grammar_rejects_is_a_warning_at_its_place() -> None:
    (error,) = unit("void f() {\n  int x = ;\n}\n").syntax_errors
    assert error.severity is Severity.WARNING
    assert error.span.line == 2


@pytest.mark.parametrize(
    "code",
    [
        "void f() {}\n",
        "#ifdef A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\n",
        "HD int which() {\n#if defined(X)\n return 1;\n#endif\n}\n",
        "template class A<double>;\n",
        "void f() { k<<<g, b>>>(x); }\n",
        "__shared__ float s[32];\nextern __shared__ float d[];\n",
        "",
    ],
)
def test_no_syntax_error(code: str) -> None:
    assert unit(code).syntax_errors == ()


def test_names_of_the_users_own_headers(tmp_path: Path) -> None:
    (tmp_path / "inner.h").write_text("void cudaDeep(int);\n")
    (tmp_path / "common.h").write_text('#include "inner.h"\n#define cudaCheck(x) (x)\n')
    source = SourceText(str(tmp_path / "a.cu"), b'#include "common.h"\n#include "missing.h"\n')
    assert {"cudaCheck", "cudaDeep"} <= names_in_headers(source)


def test_headers_that_include_each_other_end(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text('#include "a.h"\nint one;\n')
    assert "one" in names_in_headers(SourceText(str(tmp_path / "x.cu"), b'#include "a.h"\n'))


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"", "is empty"), (b" \n\t", "is empty"), (b"int\nx\0;", ":2:2: is binary")],
)
def test_input_that_cannot_be_source(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "k.cu"
    path.write_bytes(data)
    with pytest.raises(InputError, match=message):
        check_input(path)


def test_input_that_is_missing_a_directory_or_too_large(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        check_input(tmp_path / "none.cu")
    with pytest.raises(InputError, match="is a directory"):
        check_input(tmp_path)
    large = tmp_path / "large.cu"
    with large.open("wb") as file:
        file.truncate(MAX_SOURCE_BYTES + 1)
    with pytest.raises(InputError, match="too large"):
        check_input(large)


def test_input_keeps_every_byte(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf// caf\xe9\r\n__global__ void k() {}"
    path = tmp_path / "k.cu"
    path.write_bytes(data)
    assert check_input(path).data == data
