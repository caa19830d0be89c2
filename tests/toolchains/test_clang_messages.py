"""The compiler's messages end up in the user's own files."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.core.diagnostic import Diagnostic, Severity
from porter.harness.toolchains.clang_messages import clang_diagnostics, missing_rocm_header

SOURCE = "#include <hip/hip_runtime.h>\n__global__ void scale(float* x) {\n  x[0] = undeclared;\n}\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "k.hip"
    path.write_text(SOURCE)
    return path


def read(log: str, source: Path) -> tuple[Diagnostic, ...]:
    return clang_diagnostics(log, source, lambda path: not str(path).startswith("/toolchain"))


def test_an_error_at_its_place(source: Path) -> None:
    (found,) = read(f"{source}:3:10: error: use of undeclared identifier 'undeclared'\n", source)
    assert (found.code, found.severity) == ("BLD901", Severity.ERROR)
    assert (found.span.line, found.span.column) == (3, 10)
    assert SOURCE[found.span.start : found.span.end] == "undeclared"


def test_errors_come_before_warnings(source: Path) -> None:
    log = f"{source}:2:1: warning: unused\n{source}:3:3: error: bad\n"
    assert [d.code for d in read(log, source)] == ["BLD901", "BLD902"]


def test_an_error_in_a_header_moves_to_where_it_was_asked_for(source: Path) -> None:
    log = (
        f"In file included from {source}:1:\n"
        "/toolchain/hip/warp.h:297:62: error: static assertion failed: The mask must be a 64-bit integer.\n"
        f"{source}:3:3: note: in instantiation of function template specialization requested here\n"
        "/toolchain/hip/warp.h:297:76: note: expression evaluates to '4 == 8'\n"
    )
    (found,) = read(log, source)
    assert (found.span.path, found.span.line) == (str(source), 3)
    assert "(in warp.h:297)" in found.message
    assert "64 lanes" in found.hint


def test_an_error_in_a_header_without_notes_moves_to_the_include(source: Path) -> None:
    log = (
        f"In file included from {source}:1:\nIn file included from /toolchain/a.h:5:\n"
        "/toolchain/b.h:9:1: error: no\n"
    )
    (found,) = read(log, source)
    assert (found.span.path, found.span.line) == (str(source), 1)


def test_includes_belong_to_the_next_message_only(source: Path) -> None:
    log = (
        f"In file included from {source}:1:\n/toolchain/b.h:9:1: error: no\n"
        "/toolchain/c.h:7:1: error: also no\n"
    )
    first, second = read(log, source)
    assert (first.message, second.message) == ("no (in b.h:9)", "also no")


def test_another_file_of_the_user_keeps_its_own_place(source: Path, tmp_path: Path) -> None:
    header = tmp_path / "mine.h"
    header.write_text("int x = y;\n")
    (found,) = read(f"In file included from {source}:1:\n{header}:1:9: error: undeclared\n", source)
    assert (found.span.path, found.span.line, found.span.column) == (str(header), 1, 9)


def test_the_same_error_twice_is_one_finding(source: Path) -> None:
    line = f"{source}:3:3: error: bad\n"
    assert len(read(line + line, source)) == 1


def test_lds_over_the_limit_has_its_own_code_and_a_hint(source: Path) -> None:
    log = f"{source}:2:17: error: local memory (160000) exceeds limit (65536) in 'scale(float*)'\n"
    (found,) = read(log, source)
    assert found.code == "BLD903"
    assert "gfx950 has 160 KB" in found.hint


def test_a_message_without_a_place_is_found_by_the_name_in_it(source: Path) -> None:
    (found,) = read("error: local memory (160000) exceeds limit (65536) in function 'scale'\n", source)
    assert (found.span.line, found.span.column) == (2, 17)


def test_the_linker_names_a_symbol(source: Path) -> None:
    (found,) = read("ld.lld: error: undefined hidden symbol: scale(float*)\n>>> referenced by k.o\n", source)
    assert (found.code, found.span.line) == ("BLD904", 2)


def test_what_is_nowhere_stands_at_the_start(source: Path) -> None:
    (found,) = read("ld.lld: error: undefined symbol: elsewhere(int)\n", source)
    assert (found.span.line, found.span.column) == (1, 1)


def test_noise_is_no_finding(source: Path) -> None:
    assert read("1 error generated when compiling for gfx950.\nnote: something\n\n", source) == ()


@pytest.mark.parametrize(
    ("log", "header"),
    [
        ("a.hip:1:10: fatal error: 'hipcub/hipcub.hpp' file not found", "hipcub/hipcub.hpp"),
        ("a.hip:1:10: fatal error: 'hip/hip_fp8.h' file not found", "hip/hip_fp8.h"),
        ("a.hip:1:10: fatal error: 'rocblas/rocblas.h' file not found", "rocblas/rocblas.h"),
        ("a.hip:1:10: fatal error: 'mine.h' file not found", None),
        ("a.hip:1:10: error: 'hip/x.h' is odd", None),
    ],
)
def test_headers_of_rocm_that_are_missing(log: str, header: str | None) -> None:
    assert missing_rocm_header(log) == header
