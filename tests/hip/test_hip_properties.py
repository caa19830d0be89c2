"""What holds for every port: bytes outside the edits are identical, and porting twice is porting once."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from porter.core.edit import Edit, apply_edits
from porter.core.span import SourceText
from porter.cuda.tokens import Kind, tokenize
from porter.cuda.translation_unit import read_translation_unit
from porter.hip.options import HipOptions, Style
from porter.hip.shim_text import shim_names, shim_text
from porter.hip.translate import HipTranslation, settle, translate_hip

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures/cuda_kernels").glob("*/kernel.cu"))
Translate = Callable[..., HipTranslation]


def translate_file(path: Path) -> tuple[SourceText, HipTranslation]:
    source = SourceText.read(path)
    return source, translate_hip(read_translation_unit(source))


def test_there_are_fixtures() -> None:
    assert FIXTURES


@pytest.mark.parametrize("path", FIXTURES, ids=lambda p: p.parent.name)
def test_fixtures(path: Path) -> None:
    source, result = translate_file(path)
    check_edits(source.data, result)
    again = translate_hip(read_translation_unit(SourceText(str(path), result.text)))
    assert (again.text, again.edits) == (result.text, ())
    ported = strings_and_comments(SourceText(str(path), without_shims(result)))
    # The name of a header of porter's is a string of the port alone.
    assert strings_and_comments(source) == [text for text in ported if not text.startswith('"porter_')]
    assert [f for f in result.findings if f.severity.value == "error"] == []


def without_shims(result: HipTranslation) -> bytes:
    """The port without the definitions that were inserted, whose comments are not the user's."""
    data, offset = result.text, 0
    for edit in result.edits:
        start = edit.start + offset
        offset += len(edit.replacement) - (edit.end - edit.start)
        if b"// Warp operations" in edit.replacement:
            return data[:start] + data[start + len(edit.replacement) :]
    return data


def strings_and_comments(source: SourceText) -> list[str]:
    return [t.text for t in tokenize(source).tokens if t.kind in (Kind.STRING, Kind.COMMENT)]


def check_edits(data: bytes, result: HipTranslation) -> None:
    """Edits do not overlap, give the text, and every byte between them is in the port, in order."""
    assert apply_edits(data, result.edits) == result.text
    at_source = at_port = 0
    for edit in result.edits:
        kept = edit.start - at_source
        assert kept >= 0
        assert data[at_source : edit.start] == result.text[at_port : at_port + kept]
        at_source = edit.end
        at_port += kept + len(edit.replacement)
    assert data[at_source:] == result.text[at_port:]


PIECES = st.sampled_from(
    [
        "cudaMalloc(&p, 4);",
        "__shfl_down_sync(m, v, o)",
        "__ballot_sync(m, __any_sync(m, p))",
        "k<<<g, b>>>(x);",
        '"cudaFree"',
        "// cudaFree\n",
        "/* __ballot_sync(1, 2) */",
        "#define F(x) cuda##x()\n",
        "#include <cuda_runtime.h>\n",
        "#if __CUDA_ARCH__ >= 800\n",
        "#else\n",
        "#endif\n",
        "__global__ void __launch_bounds__(128, 2) k(int n) {",
        "}",
        ")",
        "(",
        "\r\n",
        "\t",
        "\xe9",
        'asm("mov.u32 %0, %%laneid;" : "=r"(x));',
        'asm("bad',
        "cub::WarpReduce<int>",
        "cudaMemcpyToSymbol(c, h, n);",
        "cudaFuncSetAttribute(",
        "warpSize",
        "__syncwarp(",
        ",",
        "x",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=14))
def test_any_text_survives(pieces: list[str]) -> None:
    source = SourceText("t.cu", "".join(pieces).encode("latin-1"))
    result = translate_hip(read_translation_unit(source))
    check_edits(source.data, result)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=14))
def test_any_text_survives_in_the_style_that_keeps_cuda(pieces: list[str]) -> None:
    source = SourceText("t.cu", "".join(pieces).encode("latin-1"))
    options = HipOptions(style=Style.SHIM)
    once = translate_hip(read_translation_unit(source), options)
    check_edits(source.data, once)
    twice = translate_hip(read_translation_unit(SourceText("t.cu", once.text)), options)
    if once.headers:
        assert twice.text == once.text


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, max_size=10))
def test_porting_twice_is_porting_once(pieces: list[str]) -> None:
    text = "#include <cuda_runtime.h>\n" + "".join(pieces)
    once = translate_hip(read_translation_unit(SourceText("t.cu", text.encode("latin-1"))))
    twice = translate_hip(read_translation_unit(SourceText("t.cu", once.text)))
    if b"#include <cuda_runtime.h>" not in once.text:
        assert twice.text == once.text


@pytest.mark.parametrize("data", [b"", b"\n", b"\xff\xfe\x00", b"int main() { return 0; }", b"\xef\xbb\xbf"])
def test_text_without_cuda_is_untouched(data: bytes) -> None:
    result = translate_hip(read_translation_unit(SourceText("t.cu", data)))
    assert (result.text, result.edits) == (data, ())


def test_odd_bytes_and_line_endings_stay(translate: Translate) -> None:
    text = "\xef\xbb\xbf// caf\xe9\r\n\tcudaFree(0); \r\n__global__ void k() {}\t"
    ported = translate(text).text.decode("latin-1")
    assert ported.startswith("\xef\xbb\xbf// caf\xe9\r\n#include <hip/hip_runtime.h>\r\n\thipFree(0); \r\n")
    assert ported.endswith("__global__ void k() {}\t")


def test_inserted_definitions_use_the_files_line_ending(translate: Translate) -> None:
    ported = translate("#include <cuda.h>\r\n__global__ void k(int* p) { p[0] = __any(1); }\r\n").text
    assert ported.count(b"\n") == ported.count(b"\r\n")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("#include <hip/hip_runtime.h>\nvoid f() { hipFree(0); }\n", "BLD001"),
        ("#ifdef USE_ROCM\n#define cudaFree hipFree\n#endif\nvoid f() { cudaFree(0); }\n", "BLD002"),
    ],
)
def test_hip_and_dual_files_are_left_whole(text: str, code: str, translate: Translate) -> None:
    result = translate(text)
    assert result.text.decode() == text
    assert [f.code for f in result.findings] == [code]


def test_a_syntax_error_loses_no_edit(translate: Translate) -> None:
    result = translate(
        "void f( { cudaFree(0); }\n__global__ void k() { int x = ; }\nvoid g() { cudaFree(0); }\n"
    )
    assert result.text.count(b"hipFree(0)") == 2
    assert "API090" in {f.code for f in result.findings}


def test_kernels_that_reach_an_error_are_declined(translate: Translate) -> None:
    text = '__device__ int bad() { asm("vote.x;"); return 1; }\n__device__ int via() { return bad(); }\n'
    text += "__global__ void a(int* p) { p[0] = via(); }\n__global__ void b(int* p) { p[0] = 1; }\n"
    result = translate(text)
    assert list(result.declined_kernels) == ["a"]
    assert result.declined_kernels["a"].span.line == 1


def test_settle_keeps_the_outer_edit() -> None:
    outer, inner, after = Edit(2, 9, b"o"), Edit(4, 6, b"i"), Edit(9, 9, b"a")
    assert settle((inner, after, outer)) == (outer, after)


@pytest.mark.parametrize("name", shim_names())
def test_every_definition_is_guarded_ascii_and_complete(name: str) -> None:
    text = shim_text(frozenset((name,)))
    assert text.isascii()
    assert re.findall(r"^#ifndef (PORTER_\w+)$", text, re.MULTILINE) == re.findall(
        r"^#define (PORTER_\w+)$", text, re.MULTILINE
    )
    # These define operators, a function for each of a group's shuffles, and one for each operation.
    assert f"porter_{name}" in text or name in ("cg_operators", "group_shuffle", "unfused")
    assert text.count("{") == text.count("}")


def test_definitions_come_before_what_needs_them() -> None:
    text = shim_text(frozenset(("match_all_sync", "any_sync")))
    assert text.index("porter_ballot_sync(unsigned mask") < text.index("porter_any_sync(unsigned mask")
    assert text.index("porter_match_any_sync(unsigned") < text.index("porter_match_all_sync(unsigned")
    assert text.count("#define PORTER_BALLOT_SYNC") == 1
