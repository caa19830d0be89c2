"""Inline PTX: what statements are rewritten to, what instructions compute, what is refused and where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from porter.simulator.build import CompileError, build_program
from porter.simulator.options import Face
from porter.simulator.ptx.text import Declaration, Instruction, Label, parse
from porter.simulator.rewrite import rewrite
from tests.simulator.conftest import run


@pytest.mark.parametrize("seed", [None, 2])
def test_instructions(seed: int | None) -> None:
    result = run("ptx.cu", schedule_seed=seed)
    assert (result.returncode, result.stdout, result.errors) == (0, b"all passed\n", ())


def test_text_from_macros() -> None:
    result = run("ptx_macros.cu")
    assert (result.returncode, result.stdout, result.errors) == (0, b"all passed\n", ())


def test_a_macro_called_from_another_file_is_refused_where_it_is_called(tmp_path: Path) -> None:
    header = '#define ADD(type, r, a, b) asm("add." #type " %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b))\n'
    (tmp_path / "ops.h").write_text(header)
    program = tmp_path / "prog.cu"
    program.write_text(
        '#include "ops.h"\n__global__ void k(int *x) {\n  ADD(s32, *x, 1, 2);\n}\nint main() {}\n'
    )
    with pytest.raises(CompileError) as caught:
        build_program([program], face=Face.CUDA)
    first = caught.value.diagnostics[0]
    assert (Path(first.span.path).name, first.span.line) in (("prog.cu", 3), ("ops.h", 1))
    assert "macro_of_another_file" in first.message


def test_statements_are_taken_apart() -> None:
    text = "{ .reg .pred p<2>; LOOP: @!p0 ld.global.v2.f32 {%0, %1}, [%2+4]; bra LOOP; // end\n}"
    declaration, label, load, branch = parse(text)
    assert declaration == Declaration("pred", ("p0", "p1"))
    assert label == Label("LOOP")
    assert load == Instruction("ld", ("global", "v2", "f32"), ("{%0, %1}", "[%2+4]"), "p0", negated=True)
    assert branch == Instruction("bra", (), ("LOOP",))


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("" ::: "memory");',
        'asm volatile("rdtsc" : "=a"(low), "=d"(high));',
        'asm("mov %1, %0" : "=r"(x) : "r"(y));',
        'register int r asm("eax");',
    ],
)
def test_other_assembly_is_left_alone(statement: str) -> None:
    assert rewrite("a.cu", statement.encode()).data.decode() == statement


def test_lines_are_kept() -> None:
    text = 'void f(int &x) {\n  asm("mov.u32 %0, 1;"\n      : "=r"(x)\n      :\n  );\n  int y;\n}\n'
    rewritten = rewrite("a.cu", text.encode()).data.decode()
    assert rewritten.count("\n") == text.count("\n")
    assert rewritten.splitlines()[5] == "  int y;"


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ('asm volatile("wgmma.fence.sync.aligned;");', "wgmma.fence.sync.aligned"),
        ('asm("vadd.s32.s32.s32 %0, %1, %2;" : "=r"(*x) : "r"(1), "r"(2));', "vadd.s32.s32.s32"),
        ('asm("add.s32 %0, %1, someone;" : "=r"(*x) : "r"(1));', "someone"),
        ('asm volatile("s_waitcnt vmcnt(0)");', "AMD"),
        ('asm("add.s32 %[a], %[b], 1;" : [a] "=r"(*x) : [b] "r"(1));', "named operands"),
    ],
)
def test_what_is_not_simulated_is_an_error_at_its_place(
    statement: str, named: str, program_file: Callable[[str, str], Path]
) -> None:
    path = program_file(
        f"__global__ void k(int *x) {{\n  x[0] = 1;\n  {statement}\n}}\nint main() {{}}\n", "p.cu"
    )
    with pytest.raises(CompileError) as caught:
        build_program([path], face=Face.CUDA)
    first = caught.value.diagnostics[0]
    assert first.span.line == 3
    assert named in first.message
