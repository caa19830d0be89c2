"""Whether a source ported with `--style shim` is still the same program to nvcc: the same PTX, file by file.

`python benchmarks/shim_under_nvcc.py --checkouts FOLDER --write TARGET` copies the sources of the public
repositories into TARGET/original and ports them into TARGET/port, with one compatibility header a folder.
`TARGET/all.sh` needs nvcc and nothing of porter: it compiles every `.cu` of both trees and writes
`$OUT/shim.tsv`: the file, whether the original compiles, whether the port does, whether their PTX is equal.
PTX is compared without comments and without the names that nvcc makes from a file's path.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path

from ported_tree import SOURCES
from public_programs import Entry, Repository, load

from porter.core.errors import InputError
from porter.cuda.input import check_input
from porter.cuda.translation_unit import has_cuda, read_translation_unit
from porter.hip.dual_header import COMPATIBILITY_HEADER, merge_headers
from porter.hip.options import HipOptions, Style
from porter.hip.translate import translate_hip

REPOSITORIES = ("karpathy/llm.c", "vetter/shoc", "yuhc/gpu-rodinia", "NVIDIA/cuda-samples")
# The OpenMP and OpenCL halves of Rodinia, and the samples that need a Tegra or a graphics library.
_SKIPPED = ("openmp/", "opencl/", "others/", "Samples/8_Platform_Specific/")
_COPIED = SOURCES | {".hxx"}

_ALL = """\
#!/usr/bin/env bash
# Compiles both trees and writes $OUT/shim.tsv. NVCC, JOBS and SECONDS_EACH may be set.
cd "$(dirname "$0")"
export NVCC=${NVCC:-/usr/local/cuda/bin/nvcc} OUT=${OUT:-$PWD} SECONDS_EACH=${SECONDS_EACH:-100}
# A folder "libraries" may hold headers that this machine's toolkit lacks: those of cuBLAS and the others.
LIBRARIES=""
[ -d libraries ] && LIBRARIES="-Xcompiler -idirafter,$PWD/libraries"
export LIBRARIES
printf 'file\\toriginal compiles\\tport compiles\\tPTX equal\\n' > "$OUT/shim.tsv"
tr '\\n' '\\0' < list.txt | xargs -0 -n 1 -P "${JOBS:-16}" bash ./one.sh >> "$OUT/shim.tsv"
awk -F '\\t' 'NR > 1 && $2 == "yes" { n++; p += $3 == "yes"; e += $4 == "yes" }
  END { printf "originals that compile: %d; of their ports compile: %d; with equal PTX: %d\\n", n, p, e }' \\
  "$OUT/shim.tsv" | tee "$OUT/shim.txt"
"""
_ONE = """\
# One line of list.txt: the file, then options. Prints its row; an error of the port goes to $OUT/errors.
IFS=$'\\t' read -r file options <<< "$1"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
compile() {
  mkdir "$scratch/$1"
  (cd "$1" && timeout "$SECONDS_EACH" "$NVCC" -c -arch=sm_90 -DNDEBUG -w -std=c++17 $options $LIBRARIES \\
    --keep --keep-dir "$scratch/$1" -o "$scratch/$1/out.o" "$file") > "$scratch/$1.log" 2>&1
}
ptx() { cat "$scratch/$1"/*.ptx | sed -E 's,//.*,,; /^[[:space:]]*\\.(file|loc)/d; /^[[:space:]]*$/d
  s/_ZN[0-9]+_INTERNAL/_INTERNAL/g
  s/(_INTERNAL|__nv_static_[0-9]+_|_GLOBAL__N_)[0-9A-Za-z_]*/\\1/g; s/_[0-9a-f]{8}_/_/g'; }
said() { grep -m1 -E 'error|fatal' "$scratch/$1.log" | tr '\\t' ' '; }
if ! compile original; then
  printf '%s\\tno: %s\\t-\\t-\\n' "$file" "$(said original)"
elif ! compile port; then
  mkdir -p "$OUT/errors"; cp "$scratch/port.log" "$OUT/errors/${file//\\//+}.log"
  printf '%s\\tyes\\tno: %s\\t-\\n' "$file" "$(said port)"
elif cmp -s <(ptx original) <(ptx port); then printf '%s\\tyes\\tyes\\tyes\\n' "$file"
else
  mkdir -p "$OUT/errors"
  diff <(ptx original) <(ptx port) | head -40 > "$OUT/errors/${file//\\//+}.ptx"
  printf '%s\\tyes\\tyes\\tno\\n' "$file"
fi
"""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkouts", type=Path, required=True, help="folder of the repositories")
    parser.add_argument("--write", type=Path, required=True, help="folder to write")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    entries = load()
    lines = chain.from_iterable(
        _write_repository(options.checkouts, options.write, name, entries, options.jobs)
        for name in REPOSITORIES
    )
    (options.write / "list.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (options.write / "all.sh").write_text(_ALL, encoding="utf-8")
    (options.write / "one.sh").write_text(_ONE, encoding="utf-8")
    return 0


def _write_repository(
    checkouts: Path, target: Path, name: str, entries: Sequence[Entry], jobs: int
) -> list[str]:
    """Both trees of one repository; the lines of `list.txt` for its `.cu` files."""
    own = [e for e in entries if e.repository.name == name]
    repository = own[0].repository
    checkout = checkouts / repository.folder
    paths = [p for p in sorted(checkout.rglob("*")) if p.is_file() and p.suffix in _COPIED]
    relative = [p.relative_to(checkout) for p in paths]
    chosen = [p for p in relative if ".git" not in p.parts and not str(p).startswith(_SKIPPED)]
    write = partial(_write_file, checkout, target, Path(repository.folder))
    with ProcessPoolExecutor(jobs) as pool:
        headers = list(pool.map(write, chosen, chunksize=8))
    _write_compatibility(target / "port" / repository.folder, zip(chosen, headers, strict=True))
    for tree in ("original", "port"):
        for header, text in repository.headers.items():
            (target / tree / repository.folder / header).write_text(text + "\n", encoding="utf-8")
    return [
        "\t".join((str(Path(repository.folder) / p), " ".join(_options(repository, own, checkout, p))))
        for p in chosen
        if p.suffix == ".cu"
    ]


def _write_file(checkout: Path, target: Path, folder: Path, path: Path) -> bytes:
    """The file in both trees; the compatibility header that its port needs, empty for none."""
    data = (checkout / path).read_bytes()
    port, header = _port(checkout / path)
    for tree, text in (("original", data), ("port", port)):
        place = target / tree / folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text)
    return header


def _port(path: Path) -> tuple[bytes, bytes]:
    try:
        unit = read_translation_unit(check_input(path))
    except InputError:
        return path.read_bytes(), b""
    if path.suffix not in (".cu", ".cuh") and not has_cuda(unit):
        return unit.source.data, b""
    port = translate_hip(unit, HipOptions(style=Style.SHIM))
    return port.text, next(iter(port.headers.values()), b"")


def _write_compatibility(folder: Path, ports: Iterable[tuple[Path, bytes]]) -> None:
    merged: dict[Path, bytes] = {}
    for path, header in ports:
        if header:
            before = merged.get(path.parent)
            merged[path.parent] = header if before is None else _merged(path, before, header)
    for place, header in merged.items():
        (folder / place / COMPATIBILITY_HEADER).write_bytes(header)


def _merged(path: Path, before: bytes, header: bytes) -> bytes:
    # A clash concerns AMD only: nvcc reads the first half of either header.
    try:
        return merge_headers(before, header)
    except ValueError as error:
        print(f"{path}: {error}")
        return before


def _options(repository: Repository, entries: Sequence[Entry], checkout: Path, path: Path) -> Iterator[str]:
    """The folders of headers and the macros of one source, relative to a tree."""
    entry = next((e for e in entries if Path(e.folder) in path.parents), None)
    folders = [path.parent]
    folders += [Path(entry.folder, d) for d in ("", *entry.include_dirs)] if entry is not None else []
    folders += [Path(d) for d in repository.include_dirs]
    folders += [Path()] if repository.headers else []
    folders += [
        d for d in _near(path.parent) if any((checkout / d / i).is_file() for i in _targets(checkout / path))
    ]
    for place in dict.fromkeys(folders):
        if (checkout / place).is_dir():
            yield f"-I{Path(repository.folder) / place}"
    yield from (f"-D{define}" for define in (*repository.defines, *(entry.defines if entry else ())))


def _near(folder: Path) -> tuple[Path, ...]:
    return folder / "inc", folder.parent / "inc", folder.parent / "common", folder.parent


def _targets(path: Path) -> tuple[str, ...]:
    try:
        return tuple(i.target for i in read_translation_unit(check_input(path)).includes)
    except InputError:
        return ()


if __name__ == "__main__":
    sys.exit(main())
