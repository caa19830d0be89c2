"""Public CUDA code ported to HIP: every file built for an AMD GPU, and the programs among it run at 64 lanes.

`python benchmarks/public_ports.py --checkouts FOLDER` ports every source of the repositories below in place
into a mirror, builds each `.cu` and `.cuh` there to object code, runs the programs of `public_programs.toml`
that pass in the simulator at 32 lanes again as HIP at 64, and writes `docs/public-ports.md`. FOLDER holds
each repository as `<owner>+<name>`. `--only TEXT` does some files or programs again and keeps the rows of the
others.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from port_verdict import verdict
from ported_tree import PortedFile, PortedTree, port_tree
from public_ports_page import page
from public_programs import Entry, attempt, kept, load, written_headers

from porter.core.cache import cache_directory
from porter.harness.toolchains.amd_clang import build_hip
from porter.harness.toolchains.records import BuildFailed, BuildResult
from porter.simulator.options import Face

PAGE = Path(__file__).parent.parent / "docs" / "public-ports.md"
ARCH = "gfx950"
REPOSITORIES = ("NVIDIA/cuda-samples", "yuhc/gpu-rodinia", "vetter/shoc", "karpathy/llm.c")

# Headers that say a file draws, or talks to something that is no GPU computing; by how they begin.
_OUT_OF_SCOPE = {
    "GL/": "OpenGL", "GLUT/": "OpenGL", "GLES": "OpenGL", "cuda_gl_interop.h": "OpenGL",
    "helper_gl.h": "OpenGL", "vulkan": "Vulkan", "EGL/": "EGL", "cudaEGL": "EGL",
    "d3d": "Direct3D", "dxgi": "Direct3D", "ShaderStructs.h": "Direct3D", "FreeImage.h": "FreeImage",
    "nvsci": "NvSci", "cudla": "cuDLA",
}  # fmt: skip


_NOT_BUILT = ("fails", "refused", "within")


@dataclass(frozen=True)
class FileResult:
    """How one file ended: builds, within (another file), refused, fails, or excluded; `reason` says why."""

    repository: str
    path: str
    status: str
    reason: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class ProgramResult:
    """One program at 64 lanes; `reason` is empty when its own check passed."""

    repository: str
    name: str
    reason: str
    seconds: float


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkouts", type=Path, required=True, help="folder of the repositories")
    parser.add_argument("--jobs", type=int, default=2, help="files or programs at a time")
    parser.add_argument("--only", action="append", default=[], help="only what holds this text (repeatable)")
    parser.add_argument("--failed", action="store_true", help="build only what did not build before")
    parser.add_argument("--resume", action="store_true", help="leave out programs that passed already")
    parser.add_argument("--step", choices=("build", "run", "all"), default="all", help="one step only")
    options = parser.parse_args()
    for name in REPOSITORIES:
        if not (options.checkouts / _folder(name)).is_dir():
            print(f"git clone --depth 1 https://github.com/{name} {options.checkouts / _folder(name)}")
            return 2
    entries = load()
    for name in REPOSITORIES:
        checkout = options.checkouts / _folder(name)
        tree = port_tree(checkout.resolve(), ARCH, options.jobs)
        own = [e for e in entries if e.repository.name == name]
        with ThreadPoolExecutor(options.jobs) as pool:
            if options.step != "run":
                again = [f.path for f in _load_files() if f.repository == name and f.status in _NOT_BUILT]
                build_files(name, tree, own, again if options.failed else options.only, pool)
            if options.step != "build":
                run_programs(
                    tree, [e for e in own if not (options.resume and _passed(e))], options.only, pool
                )
    PAGE.write_text(page(_load_files(), _load_programs(entries), ARCH), encoding="utf-8")
    return 0


def _folder(name: str) -> str:
    return name.replace("/", "+")


def build_files(
    name: str, tree: PortedTree, entries: Sequence[Entry], only: Sequence[str], pool: ThreadPoolExecutor
) -> None:
    """Builds what `only` names and keeps the results; then fragments take the result of their includers."""
    files = [f for p, f in tree.files.items() if p.suffix in (".cu", ".cuh") and _wanted(str(p), only)]
    results = list(pool.map(lambda f: _shown(build_file(name, tree, f, entries)), files))
    known = {r.path: r for r in [*_load_files(), *results] if r.repository == name}
    known |= {r.path: r for r in _host_users(name, tree, list(known.values()), entries)}
    _store("files", name, [asdict(r) for r in _with_fragments(tree, known) if Path(r.path).suffix != ".cpp"])


def _wanted(text: str, only: Sequence[str]) -> bool:
    return not only or any(part in text for part in only)


def _shown(result: FileResult) -> FileResult:
    print(f"{result.seconds:5.1f} {result.status:8} {result.path}: {result.reason}", flush=True)
    return result


def build_file(name: str, tree: PortedTree, file: PortedFile, entries: Sequence[Entry]) -> FileResult:
    """One file for `ARCH`. What porter says cannot be ported is not built."""
    path = file.path.relative_to(tree.checkout)
    if reason := _out_of_scope(tree, file):
        return FileResult(name, str(path), "excluded", reason)
    if file.errors:
        first = file.errors[0]
        return FileResult(name, str(path), "refused", f"[{first.code}] line {first.line}: {first.message}")
    start = time.perf_counter()
    folders, defines = _search(tree, path, entries)
    built = build_hip(tree.root / path, ARCH, include_dirs=folders, defines=defines)
    while (folder := _lacking_folder(tree, path, built)) not in (None, *folders):
        folders.append(folder)
        built = build_hip(tree.root / path, ARCH, include_dirs=folders, defines=defines)
    seconds = time.perf_counter() - start
    return FileResult(name, str(path), *verdict(tree, built), seconds)


def _out_of_scope(tree: PortedTree, file: PortedFile) -> str:
    for reached in (file, *_reached(tree, file)):
        for target in reached.includes:
            why = next((w for start, w in _OUT_OF_SCOPE.items() if target.startswith(start)), "")
            if why:
                return f"{why}: includes <{target}>"
    return ""


def _reached(tree: PortedTree, file: PortedFile) -> Iterator[PortedFile]:
    """The files of the tree that `file` includes, however deep."""
    seen: set[Path] = set()
    waiting = [file]
    while waiting:
        for inner in _included(tree, waiting.pop()):
            if inner.path not in seen:
                seen.add(inner.path)
                waiting.append(inner)
                yield inner


def _included(tree: PortedTree, file: PortedFile) -> Iterator[PortedFile]:
    """Direct includes that lie in the same folder, or one with `Common` in its path."""
    for target in file.includes:
        for folder in (file.path.parent, file.path.parent / "inc", tree.checkout / "Common"):
            found = tree.files.get(_normal(folder / target, tree.checkout))
            if found is not None:
                yield found
                break


def _normal(path: Path, checkout: Path) -> Path:
    resolved = Path(*_without_dots(path.parts))
    return resolved.relative_to(checkout) if resolved.is_relative_to(checkout) else resolved


def _without_dots(parts: Sequence[str]) -> list[str]:
    kept_parts: list[str] = []
    for part in parts:
        if part == ".." and kept_parts:
            kept_parts.pop()
        elif part != ".":
            kept_parts.append(part)
    return kept_parts


def _search(tree: PortedTree, path: Path, entries: Sequence[Entry]) -> tuple[list[Path], tuple[str, ...]]:
    """The folders of headers and the macros of a file: its own, its program's, its repository's."""
    own = [tree.root / path.parent]
    own += [own[0].parent, own[0] / "inc", own[0].parent / "inc", own[0].parent / "common"]
    entry = next((e for e in entries if Path(e.folder) in path.parents), None)
    repository = entries[0].repository
    if entry is not None:
        own += [tree.root / entry.folder / d for d in ("", *entry.include_dirs)]
    own += [tree.root / d for d in repository.include_dirs]
    own += written_headers(repository)
    defines = (*repository.defines, *(entry.defines if entry else ()))
    return [d for d in dict.fromkeys(own) if d.is_dir()], defines


def _lacking_folder(tree: PortedTree, path: Path, built: BuildResult) -> Path | None:
    """The folder that holds the header which was not found, the program's own before another's."""
    if not isinstance(built, BuildFailed):
        return None
    errors = [d.message for d in built.diagnostics if "file not found" in d.message]
    target = errors[0].split("'")[1] if errors else ""
    held = [p for p in tree.files if target and str(p).endswith(f"/{target}")]
    found = sorted(held, key=lambda p: p.parts[:2] != path.parts[:2])
    return tree.root.joinpath(*found[0].parts[: -len(Path(target).parts)]) if found else None


def _host_users(
    name: str, tree: PortedTree, results: Sequence[FileResult], entries: Sequence[Entry]
) -> Iterator[FileResult]:
    """The builds of the host sources that include a CUDA header which fails by itself."""
    failing = [Path(r.path) for r in results if r.status == "fails" and r.path.endswith(".cuh")]
    for user in {u for path in failing for u in _users(tree, path) if u.suffix == ".cpp"}:
        yield _shown(build_file(name, tree, tree.files[user], entries))


def _with_fragments(tree: PortedTree, known: dict[str, FileResult]) -> Iterator[FileResult]:
    """A file that others include and that is nothing by itself counts as what the first of them does."""
    for result in known.values():
        if result.status not in ("fails", "excluded", "within"):
            yield result
            continue
        users = [u for u in _users(tree, Path(result.path)) if u != Path(result.path)]
        good = next((u for u in users if known.get(str(u), result).status == "builds"), None)
        if good:
            reason = f"builds within {good}"
            yield FileResult(result.repository, result.path, "within", reason, result.seconds)
        elif result.status == "fails" and (reason := _excluded_users(tree, users)):
            yield FileResult(result.repository, result.path, "excluded", reason, result.seconds)
        elif result.status == "fails" and (refused := _refused_user(users, known)):
            reason = f"part of {refused.path}: {refused.reason}"
            yield FileResult(result.repository, result.path, "refused", reason, result.seconds)
        else:
            yield result


def _refused_user(users: Sequence[Path], known: dict[str, FileResult]) -> FileResult | None:
    """The first of the files which include a fragment, where porter refuses all of them."""
    results = [known[str(user)] for user in users if str(user) in known]
    return results[0] if results and all(r.status == "refused" for r in results) else None


def _excluded_users(tree: PortedTree, users: Sequence[Path]) -> str:
    """Why nothing that includes a fragment is in scope; "" where something is, or nothing includes it."""
    reasons = [_out_of_scope(tree, tree.files[user]) for user in users]
    return f"part of {users[0]}: {reasons[0]}" if reasons and all(reasons) else ""


def _users(tree: PortedTree, path: Path) -> Iterator[Path]:
    seen: set[Path] = set()
    waiting = [path]
    while waiting:
        included = waiting.pop()
        for user in tree.includers.get(included.name, ()):
            relative = user if not user.is_absolute() else user.relative_to(tree.checkout)
            if relative not in seen and (_names(tree, relative, included) or _are_near(path, relative)):
                seen.add(relative)
                waiting.append(relative)
                yield relative


def _names(tree: PortedTree, user: Path, included: Path) -> bool:
    """Whether an include of `user` gives the path from its own folder to `included`."""
    places = (_without_dots((user.parent / target).parts) for target in tree.files[user].includes)
    return any(tuple(place) == included.parts for place in places)


def _are_near(path: Path, other: Path) -> bool:
    return path.parent.parts[:3] == other.parent.parts[:3]


def run_programs(
    tree: PortedTree, entries: Sequence[Entry], only: Sequence[str], pool: ThreadPoolExecutor
) -> None:
    """Runs the ports of the programs that pass at 32 lanes; each one's result is kept at once."""
    passed = {(o.entry.repository.name, o.entry.name) for o in kept() if not o.reason}
    chosen = [e for e in entries if (e.repository.name, e.name) in passed and _wanted(e.name, only)]
    for result in pool.map(lambda e: _run(tree, e), chosen):
        print(f"{result.seconds:5.1f} {result.name}: {result.reason or 'passed'}", flush=True)
        _store("programs", f"{_folder(result.repository)}+{result.name}", asdict(result))


def _run(tree: PortedTree, entry: Entry) -> ProgramResult:
    if refusal := _refusal(tree, entry):
        return ProgramResult(entry.repository.name, entry.name, f"refused: {refusal}", 0.0)
    outcome = attempt(entry, tree.root.parent, face=Face.HIP)
    return ProgramResult(
        entry.repository.name, entry.name, outcome.reason, outcome.build_seconds + outcome.run_seconds
    )


def _refusal(tree: PortedTree, entry: Entry) -> str:
    """What porter says cannot be ported in the program's own sources."""
    folder = tree.checkout / entry.folder
    for path in (p for pattern in entry.sources for p in sorted(folder.glob(pattern))):
        file = tree.files.get(_normal(path, tree.checkout))
        for part in () if file is None else (file, *_reached(tree, file)):
            # The samples' common headers name what few of them use.
            if part.errors and "Common" not in part.path.parts:
                first = part.errors[0]
                return f"[{first.code}] {part.path.name}:{first.line}: {first.message}"
    return ""


def _store(kind: str, name: str, value: object) -> None:
    path = cache_directory("public-ports-results") / kind / f"{_folder(name)}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")


def _load_files() -> list[FileResult]:
    paths = sorted((cache_directory("public-ports-results") / "files").glob("*.json"))
    return [FileResult(**r) for path in paths for r in json.loads(path.read_text(encoding="utf-8"))]


def _passed(entry: Entry) -> bool:
    path = _program_record(entry)
    return path.exists() and not json.loads(path.read_text(encoding="utf-8"))["reason"]


def _program_record(entry: Entry) -> Path:
    name = f"{entry.repository.folder}+{entry.name}"
    return cache_directory("public-ports-results") / "programs" / f"{name}.json"


def _load_programs(entries: Sequence[Entry]) -> list[ProgramResult]:
    """The latest result of every program of the repositories, with those that do not pass at 32 lanes."""
    at_32 = {(o.entry.repository.name, o.entry.name): o.reason for o in kept()}
    found = []
    for entry in (e for e in entries if e.repository.name in REPOSITORIES):
        path = _program_record(entry)
        if reason := at_32[(entry.repository.name, entry.name)]:
            found.append(ProgramResult(entry.repository.name, entry.name, f"not at 32 lanes: {reason}", 0.0))
        elif path.exists():
            found.append(ProgramResult(**json.loads(path.read_text(encoding="utf-8"))))
        else:
            found.append(ProgramResult(entry.repository.name, entry.name, "not run yet", 0.0))
    return found


if __name__ == "__main__":
    sys.exit(main())
