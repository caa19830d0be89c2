"""The hook in the verdict: evidence where the machine code agrees, failure where it does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from porter.core.outcome import Target
from porter.harness.isa_cases import IsaRequest
from porter.harness.isa_verify import execute_isa
from porter.harness.judge import Judged, judge_original
from porter.harness.verdict import CouldNotRun, Mismatched, Passed, Verification, VerifyOptions
from porter.harness.verify import verify_hip
from tests.harness.isa.compiled import image_of

pytest.importorskip("tinygrad")
OPTIONS = VerifyOptions(check_memory=False, schedules=0, max_cases=6, shrink_seconds=0.0)
ORIGINAL = """#include <cuda_runtime.h>
__constant__ float offset[2];
__global__ void scale(const float* x, float* y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + offset[i & 1];
}
int main()
{
    const int n = 200;
    float host[n], two[2] = {0.5f, -2.0f};
    for (int i = 0; i < n; i++) host[i] = i * 0.25f;
    float *x, *y;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(offset, two, sizeof two);
    scale<<<2, 128>>>(x, y, 1.5f, n);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    return 0;
}
"""
STATEMENT = "if (i < n) y[i] = a * x[i] + offset[i & 1];"
# Seen by the compiler for this GPU only: the simulator runs the other branch.
WRONG_NUMBER = f"""
#ifdef __gfx950__
    if (i < n) y[i] = a * x[i] + offset[0];
#else
    {STATEMENT}
#endif
"""
PAST_THE_END = f"""
#ifdef __gfx950__
    y[i] = a * x[i] + offset[i & 1];
#else
    {STATEMENT}
#endif
"""


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Judged]:
    image_of("gfx950")  # skips where there is no compiler
    path = tmp_path_factory.mktemp("isa") / "scale.cu"
    path.write_text(ORIGINAL)
    judged = judge_original(path, OPTIONS)
    assert isinstance(judged, Judged), judged
    return path, judged


def _port(original: Path, name: str, statement: str) -> Path:
    text = ORIGINAL.replace("cuda_runtime.h", "hip/hip_runtime.h").replace("cuda", "hip")
    text = text.replace("hipMemcpyToSymbol(offset", "hipMemcpyToSymbol(HIP_SYMBOL(offset)")
    path = original.with_name(name)
    path.write_text(text.replace(STATEMENT, statement))
    return path


def _verified(original: tuple[Path, Judged], port: Path) -> Verification:
    source, judged = original
    verification = verify_hip(source, port, OPTIONS, judged)
    assert isinstance(verification.of("scale"), Passed), verification.of("scale")
    return execute_isa(verification, judged, IsaRequest(source, port, Target.HIP, "gfx950"), OPTIONS)


def test_agreement_is_evidence(original: tuple[Path, Judged]) -> None:
    verdict = _verified(original, _port(original[0], "right.hip", STATEMENT)).of("scale")
    assert isinstance(verdict, Passed)
    found = [e for e in verdict.evidence if str(e) == "executed-isa:gfx950"]
    assert found
    assert int(found[0].details["cases"]) >= 3
    assert int(found[0].details["wavefront_instructions"]) > int(found[0].details["threads"]) / 64


def test_another_number_fails_the_kernel(original: tuple[Path, Judged]) -> None:
    verdict = _verified(original, _port(original[0], "wrong.hip", WRONG_NUMBER)).of("scale")
    assert isinstance(verdict, Mismatched)
    assert "gfx950 code" in verdict.reason
    assert verdict.comparison.first_mismatches[0].index % 2 == 1


def test_an_access_outside_fails_the_kernel(original: tuple[Path, Judged]) -> None:
    verdict = _verified(original, _port(original[0], "outside.hip", PAST_THE_END)).of("scale")
    assert isinstance(verdict, CouldNotRun)
    assert "ISA010" in verdict.reason


def test_a_kernel_that_did_not_pass_is_left_alone(original: tuple[Path, Judged]) -> None:
    source, judged = original
    port = _port(source, "right.hip", STATEMENT)
    failed = CouldNotRun("scale", "for another reason")
    before = replace(verify_hip(source, port, OPTIONS, judged), kernels=(failed,))
    after = execute_isa(before, judged, IsaRequest(source, port, Target.HIP, "gfx950"), OPTIONS)
    assert after.kernels == (failed,)
