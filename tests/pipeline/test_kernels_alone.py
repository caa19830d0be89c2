"""Kernels of a program whose libraries are not there: checked in a copy without the host code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from porter.core.diagnostic import Severity
from porter.core.outcome import Declined, Failed, Outcome, Ported, Producer, Target
from porter.core.result import Report
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.pipeline import port as port_module
from porter.pipeline.alone_report import same_declarations
from porter.pipeline.draft import Draft
from porter.pipeline.kernels_alone import KernelsAlone, kernels_alone
from porter.pipeline.port import PortResult, port
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory

HEADER = """\
#pragma once
#include "../tensors.h"
#define CHECK(x) TENSOR_ASSERT(x.is_cuda(), #x)
__forceinline__ __device__ float twice(float v) { return v + v; }
lib::Tensor scale(const lib::Tensor& x, double a);
"""
TENSORS = "#include <lib/tensor.h>\nusing lib::Tensor;\nstruct Options { int device; };\n"
SOURCE = """\
#include "scale.cuh"
#include <lib/cuda_context.h>

namespace own {
template <typename scalar_t, int VEC>
__global__ void scale_kernel(scalar_t* __restrict__ y, const scalar_t* __restrict__ x, scalar_t a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * twice(x[i]) + VEC;
}
static lib::Registry registry("scale");
lib::Tensor scale(const lib::Tensor& x, double a) {
  CHECK(x);
  auto y = lib::empty_like(x);
  DISPATCH_TYPES(x.type(), "scale", [&] {
    scale_kernel<scalar_t, 2><<<4, 256, 0, lib::stream()>>>(y.data<scalar_t>(), x.data<scalar_t>(), a, 1000);
  });
  return y;
}
}  // namespace own

LIB_MODULE(name, m) { m.def("scale", &own::scale); }
"""


@pytest.fixture(autouse=True)
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"csrc/cuda/scale.cuh": HEADER, "csrc/tensors.h": TENSORS}.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def ported(text: str = SOURCE, target: Target = Target.HIP) -> PortResult:
    source = Path("csrc/cuda/scale.cu")
    source.write_text(text)
    run = RunDirectory.create(Path(".porter"), "translate", b"")
    return port(PortRequest(source, target, also=()), run)


def only(report: Report) -> Outcome:
    (unit,) = report.units
    assert unit.source == "csrc/cuda/scale.cu"
    return unit.outcome


@pytest.mark.parametrize(("target", "evidence"), [(Target.HIP, "simulated"), (Target.TRITON, "interpreted")])
def test_a_kernel_is_proved_without_its_library(target: Target, evidence: str) -> None:
    result = ported(target=target)
    outcome = only(result.report)
    assert isinstance(outcome, Ported)
    assert evidence in {e.kind for e in outcome.evidence}
    notes = {f.code: f for f in outcome.findings}
    assert "scale_kernel<float, 2> was checked in a copy" in notes["VER022"].message
    assert "lib/tensor.h" in notes["VER022"].message
    assert notes["VER022"].span.path == "csrc/cuda/scale.cu"
    assert {f.severity for f in result.report.findings if f.code == "TIL041"} == {Severity.WARNING}
    # The port of the file is whole where the target has host code.
    assert (b"lib::empty_like" in result.draft.text) == (target is Target.HIP)
    assert "porter-alone" not in repr(result.report)


def test_a_program_of_several_files_has_its_kernels_proved() -> None:
    """It does not link alone, and one of its kernels is in a header."""
    Path("csrc/cuda/kernels.cuh").write_text(
        "__global__ void shift(float* y, float a, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] += a;\n}\n"
    )
    report = ported(
        '#include <cstdio>\n#include "kernels.cuh"\nint size_of(const char* text);\n'
        "int main(int, char** argv) {\n  int n = size_of(argv[0]);\n  float* y;\n"
        "  cudaMalloc(&y, n * sizeof(float));\n  shift<<<(n + 63) / 64, 64>>>(y, 1.0f, n);\n}\n"
    ).report
    assert isinstance(only(report), Ported)


def test_what_cannot_be_ported_stays_declined() -> None:
    wrong = SOURCE.replace(
        "if (i < n)", 'asm volatile("redux.sync.add.u32 %0, %0, -1;" : "+r"(n)); if (i < n)'
    )
    assert isinstance(only(ported(wrong).report), Declined)


def test_a_wrong_port_of_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    translate = port_module.translate

    def wrongly(*arguments: object) -> object:
        draft = translate(*arguments)  # type: ignore[arg-type]
        return port_module.replace(draft, text=draft.text.replace(b"a * twice", b"a + twice"))

    monkeypatch.setattr(port_module, "translate", wrongly)
    assert isinstance(only(ported().report), Failed)


def test_a_port_with_other_functions_is_not_called_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy's port is right, the file's is another one."""
    translate = port_module.translate

    def differently(request: PortRequest, *arguments: object) -> object:
        draft = translate(request, *arguments)  # type: ignore[arg-type]
        if "porter-alone" in str(request.source):
            return draft
        return port_module.replace(draft, text=draft.text.replace(b"a * twice", b"a + twice"))

    monkeypatch.setattr(port_module, "translate", differently)
    assert not isinstance(only(ported().report), Ported | Failed)


def test_every_byte_of_the_copy_keeps_its_place() -> None:
    Path("csrc/cuda/scale.cu").write_text(SOURCE)
    source = Path("csrc/cuda/scale.cu")
    unit = read_translation_unit(SourceText.read(source))
    alone = kernels_alone(PortRequest(source, Target.HIP), unit)
    assert alone is not None
    text = alone.request.source.read_text()
    kernel = SOURCE[SOURCE.index("template <typename") : SOURCE.index("static lib")]
    assert text.index(kernel) == SOURCE.index(kernel)
    assert "lib::" not in text
    assert "LIB_MODULE" not in text
    assert (alone.request.source.parent / "scale.cuh").read_text().count("\n") == HEADER.count("\n")
    assert "struct Options" in (alone.request.source.parents[1] / "tensors.h").read_text()


def test_a_file_that_can_be_built_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port_module, "kernels_alone", lambda *_: pytest.fail("copied"))
    text = SOURCE.partition("namespace own {")[2].partition("static lib")[0].replace("twice(x[i])", "x[i]")
    plain = text.replace(
        "template <typename scalar_t, int VEC>", "constexpr int VEC = 1; using scalar_t = float;"
    )
    assert isinstance(only(ported(plain).report), Ported)


OWN = """\
#include <lib/lib.h>
%s
__global__ void k(float* y, const float* x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + %s;
}
"""


def copied(before: str, value: str) -> KernelsAlone | None:
    source = Path("csrc/own.cu")
    source.write_text(OWN % (before, value))
    unit = read_translation_unit(SourceText.read(source))
    return kernels_alone(PortRequest(source, Target.HIP), unit)


@pytest.mark.parametrize(
    "before",
    [
        "void host() {\n#define TILE 32\n}\n#ifndef TILE\n#define TILE 16\n#endif",
        "#define TILE 16\nvoid host() {\n#undef TILE\n#define TILE 32\n}",
    ],
)
def test_directives_in_what_is_blanked_stay(before: str) -> None:
    alone = copied(before, "TILE")
    assert alone is not None
    text = alone.request.source.read_text()
    assert "host" not in text
    assert "#define TILE 32" in text
    assert not alone.lost


def test_what_a_comment_behind_a_missing_include_hides_stays_hidden() -> None:
    alone = copied("#include <lib/more.h> /* once\n#define TILE 16\n*/", "1.0f")
    assert alone is not None
    text = alone.request.source.read_text()
    assert "/* once\n#define TILE 16\n*/" in text


@pytest.mark.parametrize(
    ("before", "value"),
    [
        ("#define DEV __device__\nDEV float rsqrtf(float v) { return v; }", "rsqrtf(x[i])"),
        (
            "template <class T> struct Tr { static constexpr int N = 4; };\n"
            "template <> struct Tr<float> { static constexpr int N = lib::n; };",
            "Tr<float>::N",
        ),
        (
            "__device__ float f(double v) { return v; }\n"
            "template <class T> constexpr float f(T v) { return lib::g<float>(v); }\n"
            "#define F(v) f(v)",
            "F(x[i])",
        ),
    ],
    ids=["a function by a macro", "a specialisation", "an overload"],
)
def test_a_kernel_that_uses_what_the_copy_lost_is_told(before: str, value: str) -> None:
    alone = copied(before, value)
    assert alone is not None
    assert alone.lost == {"k"}


def test_a_host_function_of_a_parameters_name_is_no_loss() -> None:
    alone = copied("void a() {}\nvoid i() {}\nlib::T n;", "1.0f")
    assert alone is not None
    assert not alone.lost


def test_names_that_the_missing_file_may_define_are_told() -> None:
    alone = copied("#ifdef LIB_FAST\n#endif\n#if __CUDA_ARCH__ > 700\n#endif", "1.0f")
    assert alone is not None
    assert alone.undefined == ("LIB_FAST",)


def test_an_include_that_the_copy_alone_lacks_makes_no_copy() -> None:
    Path("csrc/real").mkdir()
    Path("csrc/real/b.cuh").write_text("#define TILE 32\n")
    Path("csrc/linked.cuh").symlink_to("real/b.cuh")
    assert copied('#include "linked.cuh"', "1.0f") is None


def test_a_macro_of_another_value_is_no_same_port() -> None:
    whole = b"#define W 64\nvoid host();\n__global__ void k(int* y) { *y = W; }\n"
    own = Draft(Target.HIP, Producer.RULES, whole)
    alone = replace(own, text=whole.replace(b"void host();", b""))
    assert same_declarations(own, alone)
    assert not same_declarations(own, replace(alone, text=alone.text.replace(b"64", b"32")))
