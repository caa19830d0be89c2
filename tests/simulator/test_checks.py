"""What the checks report beyond the seeded bugs, what they must not report, and how they are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.core.edit import apply_edits
from porter.core.errors import InputError
from porter.simulator.build import build_program
from porter.simulator.checks import (
    ALL_CHECKS,
    Check,
    checks_environment,
    needs_instrumentation,
    parse_checks,
)
from porter.simulator.ignored import ignored_call_edits
from porter.simulator.options import Face
from porter.simulator.run import run_program
from porter.simulator.tokens import tokenize
from tests.fixtures.references import FIXTURES
from tests.simulator.conftest import PROGRAMS, line_of

MARK = "::porter_sim::Ignored(), "


@pytest.mark.parametrize(
    ("letter", "mark", "says"),
    [
        ("a", "two writers", "writes 4 bytes at byte 0 of `s', which thread (0,0,0) writes"),
        ("b", "bytes", "writes"),
        ("c", "across tiles", "writes"),
        ("d", "plain after atomic", "updates 4 bytes at byte 0 of `total', which thread (0,0,0) reads"),
        ("e", "write after read", "reads"),
        ("f", "across warps", "writes"),
    ],
)
def test_race(letter: str, mark: str, says: str) -> None:
    program = build_program([PROGRAMS / "races.cu"], face=Face.CUDA, checks=frozenset({Check.RACE}))
    errors = run_program(program, [letter], threads=1).errors
    assert {e.code for e in errors} == {"SIM050"}
    (error,) = [e for e in errors if e.line == line_of("races.cu", mark)]
    assert says in error.message
    assert error.count > 1


@pytest.mark.parametrize("name", ["no_races.cu", "warps.cu", "kernels.cu", "wavefront.hip"])
@pytest.mark.parametrize("seed", [None, 4])
def test_correct_programs_are_clean(name: str, seed: int | None) -> None:
    face = Face.HIP if name.endswith(".hip") else Face.CUDA
    checks = ALL_CHECKS - {Check.LEAKS, Check.API}
    program = build_program([PROGRAMS / name], face=face, checks=checks)
    result = run_program(program, schedule_seed=seed)
    wrong_on_purpose = ("SIM010", "SIM053")  # kernels.cu looks at the statuses of such calls
    assert [e for e in result.errors if e.code not in wrong_on_purpose] == [], result.stderr.decode()
    assert result.returncode == 0


def test_algorithms_for_the_whole_device_access_its_memory_as_the_device() -> None:
    checks = frozenset({Check.MEMORY, Check.INIT})
    thrust = run_program(build_program([PROGRAMS / "algorithms.cu"], face=Face.CUDA, checks=checks))
    assert (thrust.errors, thrust.stdout) == ((), b"all passed\n")
    cub = build_program([PROGRAMS / "device_sort.cu"], face=Face.CUDA, checks=checks)
    assert run_program(cub).errors == ()
    (error,) = run_program(cub, ["read"]).errors
    assert (error.code, error.line) == ("SIM056", line_of("device_sort.cu", "the host's own"))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(p.parent.name for p in FIXTURES.glob("*/kernel.cu")))
def test_fixtures_are_clean(name: str) -> None:
    program = build_program([FIXTURES / name / "kernel.cu"], face=Face.CUDA, checks=ALL_CHECKS)
    result = run_program(program)
    assert result.ok, result.stderr.decode()


def test_checks_are_chosen_by_name() -> None:
    assert parse_checks("") == frozenset()
    assert parse_checks("memory, race") == {Check.MEMORY, Check.RACE}
    assert parse_checks("race,all") == ALL_CHECKS
    with pytest.raises(InputError, match="'races'"):
        parse_checks("races")
    assert checks_environment(parse_checks("race,init")) == {"PORTER_SIM_CHECKS": "init,race"}
    assert checks_environment(()) == {}
    assert needs_instrumentation({Check.API})
    assert not needs_instrumentation({Check.LEAKS})


def marked(text: str) -> str:
    edits = sorted(ignored_call_edits(tokenize(text)))
    return apply_edits(text.encode(), tuple(edits)).decode().replace(MARK, "@")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("void f() { cudaFree(p); }", "void f() { @cudaFree(p); }"),
        ("{ if (p) cudaFree(p); else hipFree(p); }", "{ if (p) @cudaFree(p); else @hipFree(p); }"),
        ("{ cudaMemcpy(a, g(b, c),\n 4, k); x(); }", "{ @cudaMemcpy(a, g(b, c),\n 4, k); x(); }"),
        ("#define FREE(p) { cudaFree(p); }\n", "#define FREE(p) { @cudaFree(p); }\n"),
        ("void f() { run([=] { cudaFree(p); }); }", "void f() { run([=] { @cudaFree(p); }); }"),
    ],
)  # fmt: skip
def test_thrown_away_status_is_marked(before: str, after: str) -> None:
    assert marked(before) == after


@pytest.mark.parametrize(
    "text",
    [
        "void f() { CHECK(cudaFree(p)); }",
        "void f() { e = cudaFree(p); }",
        "void f() { return cudaFree(p); }",
        "void f() { (void)cudaFree(p); }",
        "void f() { if (cudaFree(p) != 0) g(); }",
        "void f() { for (; cudaStreamQuery(s);) g(); }",
        "void f() { cudaGetLastError(); }",
        "void f() { cudaMine(p); }",
        "void f() { cudaFree(p), g(); }",
        "cudaError_t cudaFree(void *p);",
        "#define cudaFree(p) do { } while (0)\nvoid f() { cudaFree(p); }",
    ],
)
def test_other_calls_are_not_marked(text: str) -> None:
    assert "@" not in marked(text)


def test_leaks_need_no_build_of_their_own(tmp_path: Path) -> None:
    source = tmp_path / "leak.cu"
    source.write_text(
        "int main() {\n  int *p, *q;\n  cudaMalloc(&p, 40);\n  cudaMalloc(&q, 4);\n  cudaFree(q);\n}\n"
    )
    plain = build_program([source], face=Face.CUDA)
    checked = build_program([source], face=Face.CUDA, checks=frozenset({Check.LEAKS}))
    assert plain.path == checked.path
    assert run_program(plain).ok
    (error,) = run_program(checked).errors
    assert (error.code, error.line, error.kernel) == ("SIM055", 3, "")
