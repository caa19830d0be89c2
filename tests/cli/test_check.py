"""`porter check` as it is used: on trees, on changes, with a baseline, with comments, with bad input."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Porter

WARPS = "__global__ void k(int* p) {\n  p[threadIdx.x % 32] = 1;\n}\n"
LAUNCH = "void f() {\n  k<<<1, 2048>>>();\n}\n"
LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"


def write(files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(content.encode() if isinstance(content, str) else content)


def git(*arguments: str) -> None:
    who = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    env = {**os.environ, **who, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *arguments], env=env, check=True, capture_output=True)


def commit(message: str = "x") -> None:
    git("add", "-A")
    git("commit", "-qm", message)


def places(text: str) -> list[tuple[str, int, str]]:
    return [(f["path"], f["line"], f["code"]) for f in json.loads(text)["findings"]]


def test_findings_of_a_tree_with_places_and_the_exit_code(porter: Porter) -> None:
    write({"src/a.cu": WARPS + LAUNCH, "b.cpp": "int main() {}\n", "c.h": "// cuda\nint x;\n"})
    ran = porter("check", "--format", "json")
    assert ran.code == 1
    assert places(ran.out) == [("src/a.cu", 2, "WAV001"), ("src/a.cu", 5, "LCH002")]
    assert json.loads(ran.out)["files"] == 1
    assert porter("check", "--fail-on", "never").code == 0
    assert porter("check", "--ignore", "lch").code == 0
    assert places(porter("check", "--select", "WAV,SYN", "--format", "json").out) == [
        ("src/a.cu", 2, "WAV001")
    ]


def test_only_changed_lines_and_what_they_affect(porter: Porter) -> None:
    header = "#define WARP 32\n#define OTHER 3\n"
    uses = '#include "w.h"\n__global__ void k(int* p) {\n  p[threadIdx.x % WARP] = 1;\n}\n'
    write({"w.h": header, "uses.cu": uses, "old.cu": WARPS + LAUNCH, "quiet.cu": WARPS.replace("k", "q")})
    git("init", "-q", "-b", "main")
    commit()
    assert porter("check", "--diff", "main").out.startswith("no findings in 0 files")
    write({"old.cu": WARPS + LAUNCH + LAUNCH.replace("f()", "g()"), "new.cu": LAUNCH})
    ran = porter("check", "--diff", "main", "--format", "json")
    assert places(ran.out) == [("new.cu", 2, "LCH002"), ("old.cu", 8, "LCH002")]
    git("checkout", "-q", ".")
    Path("new.cu").unlink()
    write({"w.h": header.replace("32", "(32)")})
    (found,) = json.loads(porter("check", "--diff", "main", "--format", "json").out)["findings"]
    assert (found["path"], found["line"]) == ("uses.cu", 3)
    assert found["because"] == "k uses WARP, which changed (w.h:1)"


def test_a_baseline_accepts_what_was_there_while_lines_move(porter: Porter) -> None:
    write({"a.cu": WARPS + LAUNCH})
    assert porter("check", "--write-baseline", "b.json").code == 0
    write({"a.cu": "// new first line\n\n" + WARPS + LAUNCH})
    ran = porter("check", "--baseline", "b.json")
    assert (ran.code, ran.out) == (0, "no findings in 1 file; accepted: 2 by the baseline\n")
    write({"a.cu": WARPS + LAUNCH.replace("2048", "4096"), "porter.toml": '[check]\nbaseline = "b.json"\n'})
    ran = porter("check")
    assert ran.code == 1
    assert "blocks of 4096 threads" in ran.out
    assert "1 entry of the baseline found nothing any more" in ran.out


def test_a_comment_accepts_with_a_reason_and_fix_removes_one_that_is_not_needed(porter: Porter) -> None:
    line = "  k<<<1, 2048>>>();"
    write({"a.cu": WARPS + LAUNCH.replace(line, f"{line}  // porter: ignore[LCH002] never run")})
    ran = porter("check", "--ignore", "WAV")
    assert (ran.code, ran.out) == (0, "no findings in 1 file; accepted: 1 by comments\n")
    write({"a.cu": LAUNCH.replace("2048", "64").replace(";\n}", ";  // porter: ignore[LCH002] never run\n}")})
    ran = porter("check", "--fail-on", "note", "--fix")
    assert (ran.code, ran.out) == (0, "no findings in 1 file\n")
    assert Path("a.cu").read_text() == LAUNCH.replace("2048", "64")


def test_excluded_files_unless_they_are_named(porter: Porter) -> None:
    config = '[check]\nexclude = ["third_party"]\n[check.per-file-ignores]\n"tests/*" = ["LCH"]\n'
    write({"porter.toml": config, "third_party/x/a.cu": LAUNCH, "tests/b.cu": LAUNCH})
    assert porter("check").out == "no findings in 1 file\n"
    assert porter("check", "third_party/x/a.cu").code == 1
    assert porter("check", "--force-exclude", "third_party/x/a.cu").out == "no findings in 0 files\n"


def test_files_that_cannot_be_analysed_are_findings_and_cost_only_themselves(porter: Porter) -> None:
    write({"lfs.cu": LFS, "binary.cu": b"\0\1", "good.cu": LAUNCH, os.fsdecode(b"caf\xe9.cu"): WARPS})
    with open("large.cu", "wb") as out:
        out.truncate(200 << 20)
    Path("loop").symlink_to(".")
    Path("dangling.cu").symlink_to("nowhere")
    ran = porter("check", "--format", "json")
    assert places(ran.out) == [
        ("binary.cu", 1, "CHK001"),
        ("caf\\xe9.cu", 2, "WAV001"),
        ("good.cu", 2, "LCH002"),
        ("large.cu", 1, "CHK002"),
        ("lfs.cu", 1, "CHK003"),
    ]


def test_other_targets_have_other_findings(porter: Porter) -> None:
    kernel = "__global__ void k(int* p) { goto end; end: p[threadIdx.x] = 1; }\n"
    write({"a.cu": kernel + "void f(int* p) { k<<<1, 64>>>(p); }\n"})
    assert porter("check").out == "no findings in 1 file\n"
    assert "TIL005" in porter("check", "--target", "triton").out


@pytest.mark.parametrize("format_", ["text", "json", "sarif", "junit", "github", "markdown"])
def test_every_format_into_a_file(porter: Porter, format_: str) -> None:
    write({"a.cu": LAUNCH})
    ran = porter("check", "--format", format_, "-o", "out")
    assert ran.code == 1
    assert "LCH002" in Path("out").read_text()
    assert ran.out == ("" if format_ == "text" else "1 error in 1 file\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.cu",), "nowhere.cu: no such file or folder"),
        (("--diff", "main"), "is no git repository"),
        (("--baseline", "none.json"), "none.json: No such file or directory"),
        (("--baseline", "a.cu"), "a.cu: is no baseline"),
        (("--select", "XYZ"), "--select XYZ: porter has no such finding"),
        (("--format", "yaml"), "yaml"),
        (("--fail-on", "sometimes"), "sometimes"),
        (("--jobs", "-1"), "greater than or equal to 0"),
    ],
)
def test_what_cannot_be_used_is_one_message(porter: Porter, arguments: tuple[str, ...], message: str) -> None:
    write({"a.cu": LAUNCH})
    ran = porter("check", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("porter: error: ")
    assert message in ran.err


def test_a_machine_without_git_checks_all_and_says_so_for_changes(
    porter: Porter, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"a.cu": LAUNCH})
    git("init", "-q")
    monkeypatch.setenv("PATH", "/nowhere")
    assert porter("check").code == 1
    ran = porter("check", "--diff", "main")
    assert (ran.code, "is no git repository" in ran.err) == (2, True)


def test_rules_are_listed(porter: Porter) -> None:
    listed = porter("rules").out.splitlines()
    assert any(line.startswith("WAV001   hardcoded-warp-size") for line in listed)
    document = json.loads(porter("rules", "--json").out)
    assert len(document["rules"]) == len(listed)
    assert "What it finds:" in porter("explain", "wav001").out


def test_a_database_of_commands_is_used_and_a_broken_one_is_a_finding(porter: Porter) -> None:
    kernel = '#include "size.h"\n__global__ void k(float* p) { p[threadIdx.x + blockIdx.x * N] = EXTRA; }\n'
    write({"src/a.cu": kernel + "void f(float* p) { k<<<2, 64>>>(p); }\n", "inc/size.h": "#define N 64\n"})
    command = [{"directory": ".", "file": "src/a.cu", "command": "nvcc -Iinc -DEXTRA=1 -c src/a.cu"}]
    write({"compile_commands.json": json.dumps(command)})
    assert porter("check", "--target", "triton").out == "no findings in 1 file\n"
    write({"compile_commands.json": "[{"})
    ran = porter("check", "--target", "triton", "--format", "json")
    assert {("compile_commands.json", "CHK009"), ("src/a.cu", "TIL001")} <= {
        (p, c) for p, _, c in places(ran.out)
    }
    assert porter("check", "--compile-commands", "compile_commands.json").code == 2


@pytest.mark.slow
def test_verify_says_what_is_not_proved(porter: Porter) -> None:
    right = "__global__ void k(float* p, int n) { int i = threadIdx.x; if (i < n) p[i] = 2.f * i; }\n"
    write(
        {
            "right.cu": right,
            "wrong.cu": '__global__ void w(float* p) { asm("madeup.f32 %0;" : "=f"(p[0])); }\n',
        }
    )
    ran = porter("check", "--verify", "--format", "json", "--select", "VER")
    found = places(ran.out)
    assert ("wrong.cu", 1, "CHK008") in found
    assert not any(path == "right.cu" and code == "CHK008" for path, _, code in found)
    assert {path.name for path in Path().iterdir()} == {"right.cu", "wrong.cu", ".porter"}
