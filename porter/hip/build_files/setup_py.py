"""setup.py: a ROCm build of PyTorch compiles CUDAExtension by hipcc; nvcc's flags and CUDA's libraries stand
in the way.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit
from porter.core.span import SourceText
from porter.hip.build_files.build_file import BuildFile, Step, built_of
from porter.hip.build_files.names import library_part
from porter.hip.build_files.nvcc_flags import NVCC_ONLY, Flags, forwards, takes_value, translate_flags

_CUDA = re.compile(r"CUDAExtension|\bnvcc\b|CUDA_HOME|\bcudart\b")


def translate_setup_py(source: SourceText) -> BuildFile:
    """A setup.py that builds no CUDA has no edits. One that is no Python stays as it is with a finding."""
    if not _CUDA.search(source.text):
        return BuildFile(source)
    try:
        tree = ast.parse(source.data.decode("utf-8"))  # columns count bytes of UTF-8
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        span = source.span(source.offset(line, 1), source.offset(line, 1))
        return BuildFile(source, (), (Diagnostic("BLD013", Severity.ERROR, f"no Python: {error}", span),))
    return built_of(source, tuple(_steps(tree, source)))


def _steps(tree: ast.Module, source: SourceText) -> Iterator[Step]:
    for node in ast.walk(tree):
        match node:
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                yield from _list(elements, source)
            case ast.keyword(arg="libraries", value=ast.List(elts=elements)):
                yield from _libraries(elements, source)
            case ast.Attribute(value=ast.Attribute(value=ast.Name(id="torch"), attr="version"), attr="cuda"):
                hint = "ROCm builds of PyTorch have torch.version.hip"
                yield _finding(node, source, "torch.version.cuda is None with ROCm", hint)
            case ast.Name(id="CUDA_HOME", ctx=ast.Load()):
                hint = "torch.utils.cpp_extension has ROCM_HOME"
                yield _finding(node, source, "CUDA_HOME is None with ROCm", hint)
            case ast.Constant(value=str() as text) if re.fullmatch(r"(?:.*/)?nvcc", text) and "/" in text:
                yield _finding(node, source, "nvcc is called by its path", "call hipcc")


def _finding(node: ast.expr, source: SourceText, message: str, hint: str) -> Diagnostic:
    start, end = _place(node, source)
    return Diagnostic("BLD012", Severity.WARNING, message, source.span(start, end), hint)


def _place(node: ast.expr, source: SourceText) -> tuple[int, int]:
    start = source.offset(node.lineno, node.col_offset + 1)
    return start, source.offset(node.end_lineno or node.lineno, (node.end_col_offset or 0) + 1)


def _libraries(elements: Sequence[ast.expr], source: SourceText) -> Iterator[Step]:
    gone: list[int] = []
    for i, element in enumerate(elements):
        name = _text(element)
        part = library_part(name) if name is not None else None
        if part is None:
            continue
        if part.linked:
            yield Edit(*_place(element, source), _quoted(part.linked, element, source), "the library of ROCm")
        else:
            gone.append(i)
        if part.way_out:
            message = f"{name} has no counterpart in ROCm and is no longer linked"
            yield Diagnostic(
                "BLD010", Severity.ERROR, message, source.span(*_place(element, source)), part.way_out
            )
    yield from _without(gone, elements, source)


def _list(elements: Sequence[ast.expr], source: SourceText) -> Iterator[Step]:
    """A list of flags, if one of them is nvcc's alone."""
    texts = [_text(e) for e in elements]
    if not any(t and NVCC_ONLY.search(t) for t in texts):
        return
    gone: list[int] = []
    i = 0
    while i < len(elements):
        text = texts[i]
        end = i + 2 if text and takes_value(text) and i + 1 < len(elements) else i + 1
        if text is not None:
            if forwards(text) and texts[end - 1] is None:
                end = i + 1  # a computed word stays
            flags = translate_flags([t or "" for t in texts[i:end]])
            yield from _flags(flags, elements[i:end], source)
            gone += range(i, end) if not flags.words else ()
        i = end
    yield from _without(gone, elements, source)


def _flags(flags: Flags, spelled: Sequence[ast.expr], source: SourceText) -> Iterator[Step]:
    (start, _), (_, end) = _place(spelled[0], source), _place(spelled[-1], source)
    if flags.words and list(flags.words) != [_text(e) for e in spelled]:
        new = b", ".join(_quoted(w, spelled[0], source) for w in flags.words)
        yield Edit(start, end, new, "flags of nvcc")
    for flag, reason in flags.dropped:
        yield Diagnostic("BLD011", Severity.NOTE, f"{flag} was dropped: {reason}", source.span(start, end))
    if flags.architectures:
        message = "flags that name NVIDIA's GPUs were dropped: PYTORCH_ROCM_ARCH says what to build for"
        yield Diagnostic("BLD011", Severity.NOTE, message, source.span(start, end))


def _text(element: ast.expr) -> str | None:
    value = element.value if isinstance(element, ast.Constant) else None
    return value if isinstance(value, str) else None


def _quoted(text: str, like: ast.expr, source: SourceText) -> bytes:
    """A string literal with the quotes of another one."""
    literal = repr(text)
    if source.text[_place(like, source)[0]] == '"' and '"' not in text and literal[0] == "'":
        literal = f'"{literal[1:-1]}"'
    return literal.encode("latin-1")


def _without(gone: Sequence[int], elements: Sequence[ast.expr], source: SourceText) -> Iterator[Edit]:
    """Runs of elements, each up to where the next one begins; the last from where the one before ends."""
    for first in gone:
        if first - 1 in gone:
            continue
        last = first
        while last + 1 in gone:
            last += 1
        start, end = _place(elements[first], source)[0], _place(elements[last], source)[1]
        if last + 1 < len(elements):
            end = _place(elements[last + 1], source)[0]
        elif first > 0:
            start = _place(elements[first - 1], source)[1]
        yield Edit(start, end, b"", "of CUDA alone")
