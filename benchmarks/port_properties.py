"""What holds for every port, on public trees: only edits change bytes, twice is once, CUDA stays CUDA.

`python benchmarks/port_properties.py --checkouts FOLDER` translates every CUDA source of the repositories in
both styles and writes `docs/port-properties.md`. For each: the bytes between planned edits are those of the
source, in order; the port of the port is itself; line ends, a byte order mark and bytes that are no ASCII
stay; and what `--style shim` leaves for CUDA's compiler, branch by branch, is the source's own tokens.
`--nvcc FILE` adds the table of `shim_under_nvcc.py`: what nvcc makes of the same ports.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ported_tree import SOURCES

from porter.core.edit import apply_edits
from porter.core.errors import InputError
from porter.core.span import SourceText
from porter.cuda.input import check_input
from porter.cuda.tokens import Kind, matching, split_arguments, tokenize
from porter.cuda.translation_unit import has_cuda, read_translation_unit
from porter.hip.options import HipOptions, Style
from porter.hip.translate import HipTranslation, translate_hip

PAGE = Path(__file__).parent.parent / "docs" / "port-properties.md"
REPOSITORIES = ("NVIDIA/cuda-samples", "karpathy/llm.c", "vetter/shoc", "yuhc/gpu-rodinia")
HEADING = """\
# What holds for every port

Written by `python benchmarks/port_properties.py --checkouts FOLDER`. Every source of the repositories that
holds CUDA is translated in both styles, and for each: the bytes between the planned edits are those of the
source, in order; porting the port changes nothing; line ends, a byte order mark and bytes that are no ASCII
stay; and what `--style shim` leaves for CUDA's compiler is the source's own tokens.
"""
NVCC_HEADING = """
## The CUDA branch of `--style shim` under nvcc

By `python benchmarks/shim_under_nvcc.py`, whose `all.sh` compiles each original and its port with nvcc for
sm_90. An original that does not compile needs what this nvcc or the machine lacks (texture references, which
CUDA 12 removed; another file before it; a graphics library). PTX is compared without comments and without
the names that nvcc makes from a file's path.
"""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkouts", type=Path, required=True, help="folder of the repositories")
    parser.add_argument("--nvcc", type=Path, help="shim.tsv, as all.sh of shim_under_nvcc.py writes it")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    tables = [_checked(options.checkouts, name, options.jobs) for name in REPOSITORIES]
    rows = _nvcc_rows(options.nvcc.read_text(encoding="utf-8")) if options.nvcc else []
    PAGE.write_text("\n".join(_page(tables, rows)) + "\n", encoding="utf-8")
    broken = sum(len(table.broken) for table in tables)
    print(f"{sum(table.files for table in tables)} CUDA files in both styles, {broken} broken properties")
    return 1 if broken else 0


@dataclass(frozen=True)
class Checked:
    """One repository: how many of its files hold CUDA, and what does not hold for which."""

    name: str
    files: int
    broken: tuple[tuple[str, str], ...]


def _checked(checkouts: Path, name: str, jobs: int) -> Checked:
    checkout = checkouts / name.replace("/", "+")
    paths = [p for p in sorted(checkout.rglob("*")) if p.suffix in SOURCES and p.is_file()]
    with ProcessPoolExecutor(jobs) as pool:
        results = list(zip(paths, pool.map(check_file, paths, chunksize=8), strict=True))
    broken = [(str(p.relative_to(checkout)), m) for p, messages in results for m in messages or ()]
    return Checked(name, sum(messages is not None for _, messages in results), tuple(broken))


def _page(tables: Sequence[Checked], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield HEADING
    yield from ("| repository | CUDA files | broken properties |", "|---|---:|---:|")
    yield from (f"| {table.name} | {table.files} | {len(table.broken)} |" for table in tables)
    for table in tables:
        yield from (f"\n{table.name}: {path}: {message}" for path, message in table.broken)
    if rows:
        yield from _nvcc_table(rows)


def _nvcc_rows(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines()[1:]]


def _nvcc_table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Counts by repository, then every original that compiles and whose port is not the same to nvcc."""
    yield NVCC_HEADING
    yield "| repository | `.cu` files | originals that compile | of their ports compile | PTX equal |"
    yield "|---|---:|---:|---:|---:|"
    for name in REPOSITORIES:
        own = [row for row in rows if row[0].startswith(name.replace("/", "+"))]
        good = [row for row in own if row[1] == "yes"]
        ports, equal = sum(row[2] == "yes" for row in good), sum(row[3] == "yes" for row in good)
        yield f"| {name} | {len(own)} | {len(good)} | {ports} | {equal} |"
    for row in rows:
        if row[1] == "yes" and (row[2] != "yes" or row[3] != "yes"):
            said = "other PTX" if row[2] == "yes" else row[2].removeprefix("no: ")
            yield f"\n{row[0].replace('+', '/', 1)}: {said}"


def check_file(path: Path) -> list[str] | None:
    """What does not hold for a file; None where it holds no CUDA."""
    try:
        source = check_input(path)
    except InputError:
        return None
    unit = read_translation_unit(source)
    if path.suffix not in (".cu", ".cuh") and not has_cuda(unit):
        return None
    broken = []
    for style in Style:
        once = translate_hip(unit, HipOptions(style=style))
        port = SourceText(source.path, once.text)
        twice = translate_hip(read_translation_unit(port), HipOptions(style=style))
        broken += [f"{style.value}: {message}" for message in _of_translation(source, once, twice)]
        if style is Style.SHIM and cuda_tokens(port) != _tokens(source):
            broken.append("shim: CUDA's compiler would see other tokens")
    return broken


def _of_translation(source: SourceText, once: HipTranslation, twice: HipTranslation) -> Iterator[str]:
    if not _is_kept(source.data, once):
        yield "bytes outside the edits changed"
    if twice.text != once.text:
        yield "porting the port changes it"
    if once.text.startswith(b"\xef\xbb\xbf") != source.data.startswith(b"\xef\xbb\xbf"):
        yield "the byte order mark changed"
    only_crlf = b"\r\n" in source.data and not re.search(rb"(?<!\r)\n", source.data)
    if only_crlf and re.search(rb"(?<!\r)\n", once.text):
        yield "a line does not end as the source's do"


def _is_kept(data: bytes, port: HipTranslation) -> bool:
    if apply_edits(data, port.edits) != port.text:
        return False
    at_source = at_port = 0
    for edit in port.edits:
        kept = edit.start - at_source
        if kept < 0 or data[at_source : edit.start] != port.text[at_port : at_port + kept]:
            return False
        at_source, at_port = edit.end, at_port + kept + len(edit.replacement)
    return data[at_source:] == port.text[at_port:]


def _tokens(source: SourceText) -> list[str]:
    return [t.text for t in tokenize(source).tokens if t.kind is not Kind.COMMENT]


def cuda_tokens(port: SourceText) -> list[str]:
    """The tokens of a dual source where PORTER_FOR_AMD is 0: no AMD branch, no `PORTER_EITHER`."""
    text = "\n".join(_cuda_lines(port.data.decode("latin-1").replace("\r\n", "\n").split("\n")))
    return _tokens(SourceText(port.path, _first_choices(text).encode("latin-1")))


def _cuda_lines(lines: list[str]) -> Iterator[str]:
    """The lines that CUDA's compiler keeps; conditions of the source's own stay as they are."""
    open_conditions: list[str] = []  # "amd": dropped, "cuda": kept without its directives, "own"
    for line in lines:
        words = line.strip()
        if words == "#if PORTER_FOR_AMD":
            open_conditions.append("amd")
        elif re.match(r"#if !PORTER_FOR_AMD\b|#ifndef HIP_INCLUDE_", words):
            open_conditions.append("cuda")
        elif re.match(r"#\s*if", words) and "amd" not in open_conditions:
            open_conditions.append("own")
            yield _cuda_condition(line)
        elif words == "#else" and open_conditions and open_conditions[-1] != "own":
            open_conditions[-1] = "cuda"
        elif re.match(r"#\s*endif", words) and open_conditions:
            if open_conditions.pop() == "own":
                yield line
        elif re.match(r'#include "cuda_to_hip.h"|#define PORTER_', words) or "amd" in open_conditions:
            continue
        else:
            yield _cuda_condition(line) if re.match(r"#\s*elif", words) else line


def _cuda_condition(line: str) -> str:
    """`#if (AMD && (a)) || (!AMD && (b))` as `#if b`."""
    condition = re.sub(r"\s*(//.*|/\*[^*]*\*/\s*)$", "", line)
    found = re.search(r"\) \|\| \(!.*? && \((?P<cuda>.*)\)\)\s*$", condition)
    if found is None or ("PORTER_FOR_AMD" not in line and "PORTER_SIM_HIP" not in line):
        return line
    keyword = re.match(r"\s*#\s*(\w+)", line)
    assert keyword is not None
    condition = found["cuda"]
    name = re.fullmatch(r"(!?)defined\((\w+)\)", condition)
    if name is not None and keyword[1] == "if":
        return f"#{'ifndef' if name[1] else 'ifdef'} {name[2]}"
    return f"#{keyword[1]} {condition}"


def _first_choices(text: str) -> str:
    """`PORTER_EITHER(cuda, hip)` as `cuda`, the innermost last."""
    while "PORTER_EITHER(" in text:
        source = SourceText("t.cu", text.encode("latin-1"))
        tokens = tokenize(source).tokens
        at = next((i for i, t in enumerate(tokens) if t.text == "PORTER_EITHER"), None)
        close = matching(tokens, at + 1) if at is not None else None
        if at is None or close is None:
            break
        start, end = split_arguments(tokens, at + 2, close)[0]
        kept = text[tokens[start].start : tokens[end - 1].end]
        text = text[: tokens[at].start] + kept + text[tokens[close].end :]
    return text


if __name__ == "__main__":
    sys.exit(main())
