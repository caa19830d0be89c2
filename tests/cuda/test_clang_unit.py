"""Parsing survives bad and unusual files, and every error and span has the user's own place."""

from pathlib import Path

from porter.core.span import SourceText
from porter.cuda.clang_unit import INCLUDE_DIRECTORY, parse_unit
from porter.cuda.lower_kernel import Lowered, lower_kernels
from tests.cuda.lowering import body_lines, only_kernel

HEADERS = sorted(str(p.relative_to(INCLUDE_DIRECTORY)) for p in INCLUDE_DIRECTORY.rglob("*") if p.is_file())


def lowered(data: bytes, path: str = "kernel.cu", **options: object) -> list[Lowered]:
    results = lower_kernels(SourceText(path, data), **options)  # type: ignore[arg-type]
    return [r for r in results if isinstance(r, Lowered)]


def test_own_headers_parse_together_without_an_error() -> None:
    text = "".join(f"#include <{name}>\n" for name in HEADERS)
    assert parse_unit(SourceText("all.cu", text.encode())).errors == ()


def test_error_is_placed_in_the_source() -> None:
    unit = parse_unit(SourceText("a.cu", b"int f() {\n  return missing;\n}\n"))
    (error,) = unit.errors
    assert (error.span.path, error.span.line, error.span.column) == ("a.cu", 2, 10)
    assert "missing" in error.message


def test_missing_include_loses_no_kernel() -> None:
    assert (
        len(lowered(b'#include "nowhere.h"\n#include <gone/away>\n__global__ void k(int *y) { y[0] = 1; }'))
        == 1
    )


def test_bytes_outside_ascii_move_no_span() -> None:
    data = "// größer\n__global__ void k(int *y) { y[0] = 1; }".encode("latin-1")
    (result,) = lowered(data)
    assert data[result.kernel.span.start :].startswith(b"__global__")
    assert (result.kernel.span.line, result.kernel.span.column) == (2, 1)


def test_byte_order_mark_and_crlf() -> None:
    data = b"\xef\xbb\xbf#define N 3\r\n__global__ void k(int *y)\r\n{\r\n  y[0] = N; // n\r\n}\r\n"
    (result,) = lowered(data)
    statement = result.kernel.body[0]
    assert (statement.span.line, statement.span.column) == (4, 3)
    assert getattr(statement, "comments", None) == ("n",)


def test_statement_of_a_macro_stands_at_its_use() -> None:
    kernel = only_kernel("#define PUT(i) y[i] = i;\n__global__ void k(int *y) {\n  PUT(2)\n}")
    assert kernel.body[0].span.line == 3


def test_include_directories_and_defines(tmp_path: Path) -> None:
    (tmp_path / "ops.cuh").write_text("__device__ inline int doubled(int v) { return v * FACTOR; }\n")
    data = b'#include "ops.cuh"\n__global__ void k(int *y) { y[0] = doubled(y[1]); }'
    (result,) = lowered(data, include_dirs=[tmp_path], defines=["FACTOR=2"])
    function = result.kernel.functions["doubled"]
    assert function.span.path == str(tmp_path / "ops.cuh")
    assert lowered(data) == []


def test_headers_beside_the_source_are_found(tmp_path: Path) -> None:
    (tmp_path / "n.h").write_text("#define N 7\n")
    (result,) = lowered(b'#include "n.h"\n__global__ void k(int *y) { y[0] = N; }', str(tmp_path / "k.cu"))
    assert result.kernel.span.path == str(tmp_path / "k.cu")


def test_kernels_of_an_included_header_are_lowered(tmp_path: Path) -> None:
    (tmp_path / "k.cuh").write_text("__global__ void in_header(int *y) { y[0] = 1; }\n")
    (result,) = lowered(b'#include "k.cuh"\n', str(tmp_path / "k.cu"))
    assert (result.kernel.name, result.kernel.span.path) == ("in_header", str(tmp_path / "k.cuh"))


def test_device_branch_of_the_preprocessor_is_taken() -> None:
    text = """
__global__ void k(int *y) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    y[0] = 1;
#else
    y[0] = 2;
#endif
}
"""
    assert body_lines(text) == ["y[0] = 1"]


def test_overload_for_the_device_is_the_one_called() -> None:
    text = """
__host__ int side() { return 1; }
__device__ int side() { return 2; }
__global__ void k(int *y) { y[0] = side(); }
"""
    (function,) = only_kernel(text).functions.values()
    assert "Const(value=2" in repr(function.body)


def test_an_alignment_behind_the_memory_space_moves_no_offset():
    text = """__global__ void k(float *x) {
        extern __shared__ alignas(16) unsigned char raw[];
        __shared__ alignas(alignof(float4))
            float tile[4];
        tile[0] = x[0] + raw[0];
        x[1] = undeclared + tile[0];
    }"""
    unit = parse_unit(SourceText("kernel.cu", text.encode()))
    (error,) = unit.errors
    assert text[error.offset :].startswith("undeclared")
