"""CUDA text whose launches, allocations and copies to the host go through the capture's header.

Edits are on exact token spans and keep every line break; everything else stays CUDA for nvcc to compile.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.edit import Edit, apply_edits
from porter.simulator.declarations import device_symbols
from porter.simulator.rewrite import Rewritten, cast_edits, launch_edits, one_line
from porter.simulator.tokens import Kind, Token, matching_close, tokenize

_REDIRECTED_NAMES = """
    cudaMalloc cudaMallocAsync cudaMallocManaged cudaMallocHost cudaHostAlloc cudaMallocPitch
    cudaFree cudaFreeAsync cudaFreeHost
    cudaMemcpy cudaMemcpyAsync cudaMemcpy2D cudaMemcpy2DAsync cudaMemcpyFromSymbol
"""
_REDIRECTED = frozenset(_REDIRECTED_NAMES.split())
_ARRAY_LAUNCHES = {"cudaLaunchKernel": "false", "cudaLaunchCooperativeKernel": "true"}


def rewrite(path: str, data: bytes) -> Rewritten:  # noqa: ARG001
    """Nothing is refused, so `path` is unused: what cannot be taken apart runs without being recorded."""
    text = data.decode("latin-1")
    tokens = tokenize(text)
    edits = tuple(
        sorted(
            [
                *launch_edits(text, tokens, b"PORTER_CAPTURE_LAUNCH(::porter_capture::configuration("),
                *_call_edits(text, tokens),
                *_symbol_edits(tokens),
                *cast_edits(tokens),
            ]
        )
    )
    return Rewritten(apply_edits(data, edits), (edits,))


def _call_edits(text: str, tokens: list[Token]) -> Iterator[Edit]:
    """Names of runtime functions, unless they are members or belong to another namespace."""
    for index, token in enumerate(tokens[:-1]):
        if token.kind is not Kind.NAME or _is_foreign(tokens, index):
            continue
        if token.text in _REDIRECTED:
            scope = "" if index and tokens[index - 1].text == "::" else "::"
            yield Edit(token.start, token.start, f"{scope}porter_capture::".encode(), "call")
        elif token.text in _ARRAY_LAUNCHES and tokens[index + 1].text == "(":
            kernel = _first_argument(text, tokens, index + 1)
            macro = f'PORTER_CAPTURE_ARRAY_LAUNCH({_ARRAY_LAUNCHES[token.text]}, "{kernel}")'
            start = tokens[index - 1].start if index and tokens[index - 1].text == "::" else token.start
            yield Edit(start, token.end, macro.encode("latin-1"), "call")


def _is_foreign(tokens: list[Token], index: int) -> bool:
    before = tokens[index - 1].text if index else ""
    if before in (".", "->", "##", "#") or tokens[index + 1].text == "##":
        return True
    qualified = before == "::" and index > 1 and tokens[index - 2].kind is Kind.NAME
    return qualified and tokens[index - 2].text not in ("return", "else", "case", "do")


def _first_argument(text: str, tokens: list[Token], opening: int) -> str:
    """The kernel's name in `cudaLaunchKernel((const void*)ns::k<float>, …)`."""
    close = matching_close(tokens, opening)
    at, depth = opening + 1, 0
    while close is not None and at < close and not (tokens[at].text == "," and depth == 0):
        depth += (tokens[at].text in ("(", "<")) - (tokens[at].text in (")", ">"))
        at += 1
    argument = one_line(text[tokens[opening].end : tokens[at - 1].end])
    if argument.startswith(("reinterpret_cast", "static_cast")):
        argument = argument[argument.find("(") + 1 :].rstrip(")")
    return argument.rpartition(")")[2].strip(" &") if argument.startswith("(") else argument.strip(" &")


def _symbol_edits(tokens: list[Token]) -> Iterator[Edit]:
    for symbol in device_symbols(tokens):
        managed = "true" if symbol.managed else "false"
        text = f" PORTER_CAPTURE_SYMBOL({symbol.name}, {managed})"
        yield Edit(symbol.end, symbol.end, text.encode("latin-1"), f"symbol {symbol.name}")
