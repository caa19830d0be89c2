"""`porter inspect`: the page and its JSON, without a run and (where it says so) without a compiler."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from porter.harness.toolchains.amd_compiler import find_amd_compiler
from porter.harness.toolchains.records import NotAvailable
from tests.cli.conftest import FIXTURES, ROOT, Porter

SCHEMA = json.loads((ROOT / "docs" / "inspect.schema.json").read_text())
TEN = ROOT / "tests" / "hip" / "tuning" / "ten_kernels.cu"


def document(porter: Porter, *arguments: object, code: int = 0) -> dict[str, Any]:
    ran = porter("inspect", *arguments, "--json")
    assert ran.code == code, ran.err
    found: dict[str, Any] = json.loads(ran.out)
    jsonschema.validate(found, SCHEMA)
    return found


def kernels(found: dict[str, Any]) -> dict[str, Any]:
    return {k["name"]: k for k in found["kernels"]}


def test_every_access_has_its_place_and_efficiency(porter: Porter) -> None:
    found = kernels(document(porter, TEN, "--gpu", "gfx942", "--no-compile"))
    push = found["push"]["accesses"]
    mass = next(a for a in push["global"] if a["text"] == "p[i].mass")
    assert (mass["operation"], mass["buffer"], mass["pattern"]) == ("load", "p", "strided")
    assert (mass["stride_bytes"], mass["efficiency"]) == (64, 4 * 64 / (32 * 128))
    store = next(a for a in found["transpose"]["accesses"]["global"] if a["operation"] == "store")
    assert store["efficiency"] == pytest.approx(1 / 16)
    assert found["tiled_transpose"]["static_shared_bytes"] == 32 * 32 * 4
    loads = [a for a in found["tiled_transpose"]["accesses"]["shared"] if a["operation"] == "load"]
    assert [a["conflict_degree"] for a in loads] == [32]
    codes = {name: {w["code"] for w in kernel["wastes"]} for name, kernel in found.items()}
    assert codes["saxpy"] == {"MEM010"}
    assert codes["scale"] == {"MEM010", "LCH011"}
    assert found["dot_rows"]["launches"][0]["grid_dim"] == [8, 32, 1]


def test_banks_are_those_of_the_gpu(porter: Porter) -> None:
    found = document(porter, TEN, "--gpu", "MI355X", "--kernel", "tiled_transpose", "--no-compile")
    (kernel,) = found["kernels"]
    assert found["gpu"]["lds_banks"] == 64
    assert max(a["conflict_degree"] for a in kernel["accesses"]["shared"]) == 16


def test_known_arguments_put_the_kernel_on_the_roofline(porter: Porter) -> None:
    saxpy = FIXTURES / "saxpy" / "kernel.cu"
    (kernel,) = document(porter, saxpy, "--set", "n=262144", "--gpu", "MI300X", "--no-compile")["kernels"]
    roofline = kernel["roofline"]
    # Two loads and a store of 4 bytes, two operations: 1/6 of an operation a byte, far below 163.4/5.3.
    assert roofline["intensity"] == pytest.approx(2 / 12)
    assert roofline["ridge"] == pytest.approx(163.4e3 / 5300)
    assert roofline["bound"] in ("memory", "launch")


def test_registers_come_from_the_compiler(porter: Porter) -> None:
    if isinstance(missing := find_amd_compiler(), NotAvailable):
        pytest.skip(str(missing))
    (kernel,) = document(porter, FIXTURES / "saxpy" / "kernel.cu")["kernels"]
    compiled = kernel["compiled"]
    assert 0 < compiled["vgprs"] < 64
    assert (compiled["lds_bytes"], compiled["spills"], compiled["waves_per_simd"]) == (0, 0, 8)


def test_the_page_is_plain_text_in_a_pipe(porter: Porter) -> None:
    ran = porter("inspect", FIXTURES / "layer_norm" / "kernel.cu", "--gpu", "sm_90")
    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert "1 kernel, on H100" in ran.out
    assert "porter compiles for AMD GPUs" in ran.out
    assert "contiguous (4 B)" in ran.out
    assert "32 lanes         39:22 lane index: threadIdx.x % WARP_SIZE" in ran.out


def test_exit_codes(porter: Porter, tmp_path: Path) -> None:
    unread = tmp_path / "unread.cu"
    unread.write_text("__global__ void k(int* x) { goto out; out: x[0] = 1; }\n")
    (kernel,) = document(porter, unread, "--no-compile", code=1)["kernels"]
    assert kernel["unread"]["line"] == 1
    assert kernel["accesses"] is None
    assert porter("inspect", unread, "--gpu", "gfx000").code == 2
    assert porter("inspect", unread, "--set", "n").code == 2
    assert porter("inspect", tmp_path / "none.cu").code == 2


def test_the_kernel_ir_before_and_after_the_passes(porter: Porter) -> None:
    source = FIXTURES / "shuffle_reduction" / "kernel.cu"
    lowered = porter("inspect", source, "--ir", "lowered")
    assert (lowered.code, lowered.err) == (0, "")
    assert "@block_reduce_sum<float>(sum)" in lowered.out
    assert lowered.out.count("\nkernel reduce_sum<") == 2
    raised = porter("inspect", source, "--ir", "raised")
    assert raised.code == 0
    assert raised.out.startswith("# For blocks of (256, 1, 1), which is assumed.\nkernel reduce_sum<float>(")
    assert 'op="+" group=none' in raised.out
    assert "__shfl_down_sync" not in raised.out


def test_a_kernel_without_ir_is_told(porter: Porter, tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        '__global__ void bad(int *x) { asm("trap;"); }\n__global__ void good(int *x) { x[0] = 1; }\n'
        "int main() { good<<<1, 32>>>(nullptr); bad<<<1, 32>>>(nullptr); }\n"
    )
    ran = porter("inspect", source, "--ir", "raised")
    assert ran.code == 1
    assert "TIL008" in ran.err
    assert ran.out == "# For blocks of (32, 1, 1).\nkernel good(x: *int32) {\n  x[0] = 1\n}\n"
    only = porter("inspect", source, "--ir", "lowered", "--kernel", "good")
    assert (only.code, only.out) == (0, "kernel good(x: *int32) {\n  x[0] = 1\n}\n")
    assert porter("inspect", source, "--ir", "lowered", "--json").code == 2
