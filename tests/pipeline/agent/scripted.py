"""Models and checks that follow a script, and a program whose kernels the compiler declines."""

from __future__ import annotations

import re
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from porter.agent.protocols import Reply, Request, Usage
from porter.core.outcome import Comparison, Evidence
from porter.cuda.translation_unit import TranslationUnit
from porter.harness.capture import Launch, PointerArgument
from porter.harness.judge import Judged, JudgedKernel
from porter.harness.verdict import KernelVerdict, Mismatched, Passed, ProgramNotRun, Verification
from porter.pipeline.build import Builds
from porter.pipeline.decide import Checked
from porter.pipeline.draft import Draft
from porter.pipeline.original import Original
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import UnitDirectory

_KERNEL = """\
__global__ void {name}(int* out) {{
  int v;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(v));
  out[threadIdx.x] = v;
}}
"""


_PLAIN_KERNEL = "__global__ void {name}(int* out) {{ out[threadIdx.x] = 1; }}\n"
_LAUNCH_OF_64 = (
    *(1, (1, 1, 1), (64, 1, 1), 0, False, False),
    (PointerArgument("int*", const=False, allocation=None, offset_bytes=0),),
    *((), None),
)


def program(kernels: tuple[str, ...], *, plain: bool = False) -> str:
    """Kernels that only assembly explains, or plain ones, and a main() that launches them."""
    launches = "".join(f"  {name}<<<1, 64>>>(nullptr);\n" for name in kernels)
    bodies = "".join((_PLAIN_KERNEL if plain else _KERNEL).format(name=name) for name in kernels)
    return f"#include <cuda_runtime.h>\n{bodies}int main() {{\n{launches}  return 0;\n}}\n"


def module(kernel: str, mark: str = "right") -> str:
    """A Triton module as a model would answer with it; `mark` is what the scripted check looks for."""
    return (
        f"import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef {kernel}_kernel(out):\n"
        f"    pass  # {mark}\n\n\ndef {kernel}(out, *, grid):\n    {kernel}_kernel[grid](out)\n"
    )


def hip_file(marks: dict[str, str]) -> str:
    """A HIP file as a model would answer with it, with a mark for each kernel."""
    bodies = (f"__global__ void {k}(int* out) {{ // {mark}\n}}\n" for k, mark in marks.items())
    return "#include <hip/hip_runtime.h>\n" + "".join(bodies)


def original(kernels: tuple[str, ...]) -> Original:
    """A program that was judged fit, with a launch of each kernel, and a case that nothing can be made of."""
    case = cast(Any, _Case(_Planned(_Lengths({0: 1}))))
    launches = tuple(Launch(i, name, *_LAUNCH_OF_64) for i, name in enumerate(kernels))
    judged = Judged(
        capture=cast(Any, _Launches(launches)),
        kernels=tuple(JudgedKernel(name, (case,), {}) for name in kernels),
        transfers=(),
        transfers_reason="",
        tools={},
        workspace=cast("tempfile.TemporaryDirectory[str]", None),
    )
    return Original(judged)


@dataclass(frozen=True)
class _Lengths:
    lengths: dict[int, int]


@dataclass(frozen=True)
class _Planned:
    case: _Lengths


@dataclass(frozen=True)
class _Case:
    planned: _Planned


@dataclass(frozen=True)
class _Launches:
    launches: tuple[Launch, ...]


@dataclass(frozen=True)
class Marked:
    """Stands for the check: a kernel is right where its text has one of the marks, or is the
    compilers', whose mark is `compiler`. `instructions` says how many wavefront instructions a mark stands
    for, of 64 threads."""

    instructions: dict[str, int] = field(default_factory=lambda: {"right": 64})

    def __call__(
        self,
        request: PortRequest,
        unit: TranslationUnit,
        draft: Draft,
        original: Original,
        folder: UnitDirectory,
        *,
        log: str = "",
    ) -> Checked:
        judged = original.judgement
        assert isinstance(judged, Judged)
        names = tuple(k.name for k in judged.kernels)
        verdicts = tuple(self._verdict(name, draft.text.decode()) for name in names)
        return Checked(draft, "port", Builds(), Verification(verdicts, ProgramNotRun("a module")))

    def _verdict(self, kernel: str, text: str) -> KernelVerdict:
        found = re.search(rf"\b{kernel}(_kernel\(out\):\s+pass  #|\(int\* out\) \{{ //) (\w+)", text)
        mark = found[2] if found else "compiler" * (f"{kernel}_kernel(" in text or f"{kernel}(" in text)
        if mark not in self.instructions:
            return Mismatched(kernel, f"{kernel} is wrong", Comparison(1, 1, 1, 1.0, 1.0, 1.0))
        details = {"wavefront_instructions": self.instructions[mark], "threads": 64}
        evidence = Evidence("executed-isa", "gfx950", details=details)
        return Passed(kernel, Comparison(1, 1, 0, 0.0, 0.0, 0.0), (evidence,))


@dataclass
class Scripted:
    """Answers what `answer` says of the kernel that is asked for and the turn, which counts from 0."""

    answer: Callable[[str, int, Request], str]
    name: str = "scripted"
    asked: list[Request] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def most_cost_usd(self, _request: Request, /) -> float | None:
        return 0.0

    def respond(self, request: Request) -> Reply:
        with self._lock:
            self.asked.append(request)
        kernel, turn = asked_kernel(request), (len(request.messages) - 1) // 2
        text = self.answer(kernel, turn, request)
        return Reply(f"It is correct.\n```python\n{text}```\n", Usage(100, 10), cost_usd=0.125)


def asked_kernel(request: Request) -> str:
    """The first kernel that the first message names."""
    found = re.search(r"\bk\d\d\b", request.messages[0].text)
    assert found is not None, request.messages[0].text
    return found[0]


def write_program(folder: Path, kernels: tuple[str, ...], *, plain: bool = False) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "program.cu"
    path.write_text(program(kernels, plain=plain))
    return path
