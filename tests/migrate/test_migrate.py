"""`porter migrate`, as a program: trees, branches, kills, and input that is no use."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.migrate.conftest import Git, WriteTree
from tests.migrate.trees import PROJECT

Run = Callable[..., subprocess.CompletedProcess[str]]
SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "docs" / "migration.schema.json").read_text())


def closed(schema: Any) -> Any:
    """The schema, without fields that it does not name."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    more = {"additionalProperties": False} if "properties" in schema else {}
    return {**more, **{name: closed(part) for name, part in schema.items()}}


def document(text: str) -> dict[str, Any]:
    """With all of the fields that the schema names, and no others."""
    found: dict[str, Any] = json.loads(text)
    jsonschema.Draft202012Validator(closed(SCHEMA)).validate(found)
    return found


def started(where: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "porter", "migrate", *arguments]
    return subprocess.Popen(
        command, cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def migrate(*arguments: str) -> subprocess.CompletedProcess[str]:
        process = started(tmp_path, *arguments)
        out, err = process.communicate(timeout=240)
        assert "Traceback" not in err, err
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    return migrate


def contents(root: Path) -> dict[str, bytes]:
    return {
        p.relative_to(root).as_posix(): p.read_bytes()
        for p in sorted(root.rglob("*"))
        if p.is_file() and ".git" not in p.parts
    }


def test_a_tree_of_its_own(run: Run, write_tree: WriteTree, tmp_path: Path) -> None:
    root = write_tree(PROJECT)
    (root / "tool.sh").chmod(0o755)
    (root / "link.txt").symlink_to("data/notes.txt")
    (root / "also").symlink_to("data")
    before = contents(root)

    done = run("tree", "--target", "hip", "-o", "out", "--json", "-j", "2")

    assert done.returncode == 0, done.stderr
    assert contents(root) == before
    ported = contents(tmp_path / "out")
    assert ported.keys() == before.keys()
    assert b"hipMalloc(&in" in ported["src/app.cu"]
    assert b"hipGetDeviceCount" in ported["src/device.cpp"]
    assert b"hip/hip_runtime.h" in ported["src/scale.cuh"]
    assert b"hipcc --offload-arch=gfx942 --offload-arch=gfx950" in ported["Makefile"]
    assert b"project(app HIP)" in ported["CMakeLists.txt"]
    for name in ("src/plain.cpp", "data/notes.txt", "tool.sh"):
        assert ported[name] == before[name]
    assert os.access(tmp_path / "out/tool.sh", os.X_OK)
    assert os.readlink(tmp_path / "out/link.txt") == "data/notes.txt"
    assert os.readlink(tmp_path / "out/also") == "data"
    report = document(done.stdout)
    assert report["files"] == {
        "build": {"translated": 2}, "cuda": {"translated": 2}, "kernels": {"ported": 1}
    }  # fmt: skip
    assert report["kernels"] == {"ported": 1}
    assert report["evidence"]["simulated:wave64"] == 1


def test_triton_adds_modules_and_leaves_the_rest(run: Run, write_tree: WriteTree, tmp_path: Path) -> None:
    before = contents(write_tree(PROJECT))
    done = run("tree", "--target", "triton", "-o", "out", "--no-check")
    assert done.returncode == 0, done.stderr + done.stdout
    ported = contents(tmp_path / "out")
    assert b"@triton.jit" in ported.pop("src/app.py")
    assert ported == before


def test_a_branch_with_a_commit_a_step(run: Run, write_tree: WriteTree, git: Git) -> None:
    root = write_tree(PROJECT)
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "begin")
    (root / "data/notes.txt").write_text("a change that is not committed\n")
    status = git("status", "--porcelain")

    done = run("tree", "--target", "hip", "--branch", "to-hip", "--no-check")

    assert done.returncode == 0, done.stderr
    assert git("status", "--porcelain") == status
    assert "not committed" not in done.stderr
    assert git("log", "--format=%s", "to-hip").split("\n")[:2] == [
        "Build with HIP",
        "Port sources to AMD GPUs",
    ]
    assert "hipMalloc" in git("show", "to-hip:src/app.cu")
    changed = git("diff", "--name-only", "HEAD", "to-hip").split()
    assert changed == ["CMakeLists.txt", "Makefile", "src/app.cu", "src/device.cpp", "src/scale.cuh"]
    again = run("tree", "--target", "hip", "--branch", "to-hip", "--no-check")
    assert again.returncode == 2
    assert "there is one of this name" in again.stderr
    (root / "src/app.cu").write_text(PROJECT["src/app.cu"] + "// more\n")
    mixed = run("tree", "--target", "hip", "--branch", "mixed", "--no-check")
    assert "changes that are not committed, of: src/app.cu\n" in mixed.stderr
    assert "// more" in git("show", "mixed:src/app.cu")


def test_in_place_wants_a_clean_tree(run: Run, write_tree: WriteTree, git: Git) -> None:
    root = write_tree(PROJECT)
    refused = run("tree", "--target", "hip", "--in-place", "--no-check")
    assert (refused.returncode, "no git repository" in refused.stderr) == (2, True)
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "begin")
    (root / "src/app.cu").write_text((root / "src/app.cu").read_text() + "// more\n")
    refused = run("tree", "--target", "hip", "--in-place", "--no-check")
    assert (refused.returncode, "not committed" in refused.stderr) == (2, True)
    git("commit", "-q", "-a", "-m", "more")
    assert run("tree", "--target", "hip", "--in-place", "--no-check").returncode == 0
    assert git("diff", "--name-only").split() == [
        "CMakeLists.txt", "Makefile", "src/app.cu", "src/device.cpp", "src/scale.cuh"
    ]  # fmt: skip


def many(n: int) -> dict[str, str]:
    return {f"src/k{i}.cu": PROJECT["src/app.cu"].replace("twice", f"twice{i}") for i in range(n)} | {
        "src/scale.cuh": PROJECT["src/scale.cuh"]
    }


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_killed_and_gone_on_with(kills: int, run: Run, write_tree: WriteTree, tmp_path: Path) -> None:
    """At random moments, again and again: what comes out is the tree of an undisturbed run, to the byte."""
    write_tree(many(4 * kills))
    options = ("tree", "--target", "hip", "--no-check", "-j", "2")
    begun = time.monotonic()
    assert run(*options, "-o", "whole").returncode == 0
    seconds = time.monotonic() - begun
    undisturbed = report(only_run(tmp_path))
    shutil.rmtree(tmp_path / ".porter")
    moments = random.Random(5)
    for _ in range(kills):
        process = started(tmp_path, *options, "-o", "resumed", *resumed(tmp_path))
        time.sleep(seconds * moments.uniform(0.1, 0.9))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        if (tmp_path / "resumed").exists():
            shutil.rmtree(tmp_path / "resumed")  # it had come to its end
    assert run(*options, "-o", "resumed", *resumed(tmp_path)).returncode == 0
    assert contents(tmp_path / "resumed") == contents(tmp_path / "whole")
    assert report(only_run(tmp_path)) == undisturbed


def resumed(where: Path) -> list[str]:
    """--resume, unless it was killed before it had begun a migration."""
    return ["--resume"] if list(where.glob(".porter/runs/*/migration.json")) else []


def only_run(where: Path) -> Path:
    (path,) = where.glob(".porter/runs/*/migration.json")
    return path.parent


def report(run: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted((run / "units").rglob("*.json"))}


@pytest.mark.parametrize(("by", "passing"), [("SIGABRT", False), ("SIGKILL", True)])
def test_a_worker_that_dies_is_the_result_of_its_file(
    by: str,
    run: Run,
    write_tree: WriteTree,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    passing: bool,
) -> None:
    write_tree(many(3))
    code = (
        "import os, signal, porter.migrate.repository.work as work\n"
        "perform = work.Worker.perform\n"
        "def die(self, unit):\n"
        f"    if 'k1' in unit.name: os.kill(os.getpid(), signal.{by})\n"
        "    return perform(self, unit)\n"
        "work.Worker.perform = die\n"
    )
    (tmp_path / "sitecustomize.py").write_text(code)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(tmp_path), os.getcwd())))
    done = run("tree", "--target", "hip", "--no-check", "-o", "out", "--json")
    assert done.returncode == 1
    found = document(done.stdout)
    assert found["files"]["kernels"] == {"crashed": 1, "translated": 2}
    (reason,) = found["reasons"]
    assert by in reason["message"]
    assert ("--resume tries it again" in reason["message"]) == passing
    assert reason["places"] == ["src/k1.cu"]


def test_a_unit_that_takes_too_long_is_stopped(
    run: Run, write_tree: WriteTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tree(many(2))
    code = (
        "import time, porter.migrate.repository.work as work\n"
        "perform = work.Worker.perform\n"
        "work.Worker.perform = lambda self, u: time.sleep(99) if 'k1' in u.name else perform(self, u)\n"
    )
    (tmp_path / "sitecustomize.py").write_text(code)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(tmp_path), os.getcwd())))
    done = run("tree", "--target", "hip", "--no-check", "-o", "out", "--json", "--unit-seconds", "8")
    assert json.loads(done.stdout)["files"]["kernels"] == {"crashed": 1, "translated": 1}


BAD = [
    (("tree", "-o", "out"), "missing option '--target'"),
    (("none", "--target", "hip", "-o", "out"), "no such folder"),
    (("tree", "--target", "hip"), "writes to one place"),
    (("tree", "--target", "hip", "-o", "out", "--in-place"), "writes to one place"),
    (("tree", "--target", "hip", "-o", "tree"), "is the tree itself"),
    (("tree", "--target", "hip", "-o", "full"), "exists and is not empty"),
    (("tree", "--target", "hip", "-o", "out", "--resume"), "no migration of"),
    (("tree", "--target", "hip", "--branch", "x"), "no git repository"),
    (("tree", "--target", "hip", "-o", "out", "--arch", "sm_80"), "no GPU of AMD"),
    (("tree", "--target", "hip", "-o", "out", "--compile-commands", "full/f"), "no JSON"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD, ids=[m for _, m in BAD])
def test_bad_input(
    arguments: tuple[str, ...], message: str, run: Run, write_tree: WriteTree, tmp_path: Path
) -> None:
    write_tree({"a.cu": "__global__ void k() {}\n"})
    (tmp_path / "full").mkdir()
    (tmp_path / "full/f").write_text("x")
    done = run(*arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    assert message in " ".join(done.stderr.split())
    assert not (tmp_path / "out").exists()


def test_files_that_are_no_use_are_no_end(run: Run, write_tree: WriteTree, tmp_path: Path) -> None:
    root = write_tree(
        {
            "broken.cu": "__global__ void k( {\n",
            "empty.cu": "",
            "binary.cu": b"__global__\0",
            "lfs.cu": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
            "CMakeLists.txt": 'project(p CUDA)\nset(x "never closed\n',
            "setup.py": "CUDAExtension(\n",
            "both/CMakeLists.txt": "project(p LANGUAGES CXX CUDA HIP)\n",
            "hip/CMakeLists.txt": "project(p LANGUAGES CXX HIP)\n",
            "good.cu": "__global__ void k(int* p) { *p = 1; }\n",
            os.fsdecode(b"caf\xe9.cu"): "__global__ void k(int* p) { *p = 1; }\n",
        }
    )
    (root / "loop").symlink_to(".")
    done = run("tree", "--target", "hip", "--no-check", "-o", "out", "--json")
    assert done.returncode == 1, done.stderr
    report = document(done.stdout)
    assert report["files"]["kernels"] == {"open": 4, "translated": 1}
    reasons = " ".join(r["message"] for r in report["reasons"])
    assert "a pointer of Git LFS" in reasons
    assert "a NUL byte" in reasons
    (unnamed,) = (r for r in report["reasons"] if r["message"] == "the name is not UTF-8")
    assert unnamed["places"] == ["caf\\xe9.cu"]
    assert report["files"]["build"] == {"open": 3, "unchanged": 1}
    assert "serves HIP already" in reasons
    assert contents(tmp_path / "out").keys() == contents(root).keys()


def test_hip_files_with_cuda_in_them(run: Run, write_tree: WriteTree, tmp_path: Path) -> None:
    hip = "#include <hip/hip_runtime.h>\n__global__ void k(int* p) { *p = 1; }\n"
    files = {
        "ported.hip": "__global__ void k(int* p) { *p = 1; }\nvoid f() { cudaDeviceReset(); }\n",
        "half.hip": f"{hip}void f() {{ cudaDeviceReset(); }}\n",
        "comment.hip": f"{hip}// was cudaDeviceReset\n",
        "hip.hip": hip,
    }
    write_tree(files)
    done = run("tree", "--target", "hip", "--no-check", "-o", "out", "--json")
    assert document(done.stdout)["files"] == {"kernels": {"translated": 2, "unchanged": 1}}
    ported = contents(tmp_path / "out")
    assert b"hipDeviceReset" in ported.pop("ported.hip")
    assert ported == {name: text.encode() for name, text in files.items() if name != "ported.hip"}
    assert "BLD001" in "".join(text.decode() for text in report(only_run(tmp_path)).values())


def test_names_that_a_terminal_would_obey(write_tree: WriteTree, tmp_path: Path) -> None:
    """Also on one, where a bar shows the file that is worked on."""
    names = ["esc\x1b[31m.cu", "line\nbreak.cu", "z[/b].cu"]
    write_tree(dict.fromkeys(names, "__global__ void k( {\n"))
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "porter", "migrate", "tree", "--target", "hip", "-o", "out", "-j", "1"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs, text=True)
    os.close(theirs)
    said = all_of(ours)
    shown, _ = process.communicate(timeout=240)
    assert process.returncode == 1
    assert b"internal error" not in said
    assert b"esc\x1b" not in said
    assert b"z[/b].cu" in said
    assert "esc[31m.cu" in shown
    assert "line\\nbreak.cu" in shown
    assert "\x1b" not in shown


def all_of(terminal: int) -> bytes:
    """Until nobody writes to it any more."""
    parts = []
    with os.fdopen(terminal, "rb"), contextlib.suppress(OSError):
        while part := os.read(terminal, 4096):
            parts.append(part)
    return b"".join(parts)


def test_submodules_are_not_in_the_port_and_told(
    run: Run, write_tree: WriteTree, git: Git, tmp_path: Path
) -> None:
    write_tree({"a.cu": "__global__ void k(int* p) { *p = 1; }\n", "third/b.cu": "__global__ void b() {}\n"})
    git("init", "-q", "third")
    git("-C", "third", "add", "-A")
    git("-C", "third", "commit", "-q", "-m", "begin")
    git("init", "-q")
    git("add", "a.cu", "third")
    git("commit", "-q", "-m", "begin")
    done = run("tree", "--target", "hip", "--no-check", "-o", "out")
    assert done.returncode == 0, done.stderr
    assert "not in it, being repositories of their own or unreadable: third\n" in done.stderr
    assert contents(tmp_path / "out").keys() == {"a.cu"}


def test_two_at_once_in_one_tree(run: Run, write_tree: WriteTree, tmp_path: Path) -> None:
    write_tree(many(12))
    first = started(tmp_path, "tree", "--target", "hip", "--no-check", "-o", "one")
    try:
        deadline = time.monotonic() + 30
        while not list(tmp_path.glob(".porter/runs/*/journal.sqlite")) and time.monotonic() < deadline:
            time.sleep(0.02)
        second = run("tree", "--target", "hip", "--no-check", "-o", "two")
    finally:
        os.killpg(first.pid, signal.SIGKILL)
        first.communicate()
    assert second.returncode == 2
    assert "another migration of it is under way" in second.stderr
