"""Structs by value as a Triton launcher takes them: component by component."""

from pathlib import Path

import numpy as np

from porter.harness.capture import InnerPointer, ScalarArgument, StructArgument, read_capture
from porter.harness.cases import Case
from porter.harness.dtypes import F32, I32
from porter.harness.launches import instances
from porter.harness.plan import CaseInputs
from porter.harness.struct_fields import is_aggregate, struct_parameters
from porter.harness.triton_child import LauncherCall, _job_arguments, _parameter_names
from porter.harness.triton_verify import structs_of
from porter.harness.truths import JudgedCase, Planned
from porter.harness.verdict import VerifyOptions
from tests.harness.captures import PROGRAM, integer, launch_of, write_events

SOURCE = """
struct Range { int first; float2 limits; };
struct Params { float scale; const float* weights; Range range; };
__global__ void k(float* out, Params p, int n, float3 shift)
{
    if (threadIdx.x < n) out[threadIdx.x] = p.scale * p.weights[p.range.first] + p.range.limits.y + shift.z;
}
void run(float* out, Params p) { k<<<1, 64>>>(out, p, 3, make_float3(1, 2, 3)); }
"""


def test_components_in_order_with_names_offsets_and_values(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(SOURCE)
    found = struct_parameters(source, VerifyOptions())
    (params,) = found[("k", 1)]
    assert params.size_bytes == 32
    names = ["p_scale", "p_weights", "p_range_first", "p_range_limits_x", "p_range_limits_y"]
    assert [c.name for c in params.components] == names
    assert [c.offset for c in params.components] == [0, 8, 16, 24, 28]
    assert [c.dtype for c in params.components] == [F32, F32, I32, F32, F32]
    assert [c.is_pointer for c in params.components] == [False, True, False, False, False]

    data = np.zeros(8, dtype=np.float32)
    data[0], data[6], data[7] = 0.5, -1.0, 4.0
    data.view(np.int32)[4] = 9
    struct = StructArgument("Params", data.tobytes(), (InnerPointer(8, 5, 16),))
    shift = ScalarArgument("float3", np.float32([1, 2, 3]).tobytes())
    launch = launch_of(integer(0), struct, integer(3), shift)
    judged = JudgedCase(Planned(Case("c", 0, "captured"), launch, (), CaseInputs({})), (), True)
    call = LauncherCall(judged, "k", ("out", "p", "n", "shift"), structs=structs_of(judged, found))
    assert _parameter_names(call) == ["out", *names, "n", "shift_x", "shift_y", "shift_z"]
    assert _job_arguments(call, {5: "5"})[1:] == [
        {"value": "0.5"},
        {"tensor": "5", "offset": 16, "dtype": "float32"},
        {"value": 9},
        {"value": "-1.0"},
        {"value": "4.0"},
        {"value": 3},
        {"value": "1.0"},
        {"value": "2.0"},
        {"value": "3.0"},
    ]


def test_only_what_has_parts_is_taken_apart() -> None:
    assert is_aggregate(StructArgument("Params", b"", ()))
    assert is_aggregate(ScalarArgument("float2", bytes(8)))
    assert not is_aggregate(integer(1))
    assert ScalarArgument("float2", bytes(8)).value() is None


def test_instantiations_with_other_types_are_kernels_of_their_own(tmp_path: Path) -> None:
    def launch(index: int, kernel: str, type_: str) -> dict[str, object]:
        argument = {"kind": "pointer", "type": type_, "const": False, "allocation": None}
        return {"event": "launch", "index": index, "kernel": kernel, "grid": [1, 1, 1], "block": [1, 1, 1],
                "truncated": True, "arguments": [argument]}  # fmt: skip

    events = [launch(0, "scale", "float*"), launch(1, "scale", "double*"), launch(2, "copy", "int*")]
    found = instances(read_capture(write_events(tmp_path, PROGRAM, *events)))
    assert {name: [x.index for x in launches] for name, launches in found.items()} == {
        "scale<float*>": [0],
        "scale<double*>": [1],
        "copy": [2],
    }


def test_arrays_component_by_component(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text("""
struct Inner { short a; float2 b; };
struct Params { float w[2][2]; float* at[2]; Inner inner[2]; };
__global__ void k(Params p) { p.at[0][0] = p.w[1][0]; }
void run(Params p) { k<<<1, 64>>>(p); }
""")
    ((params,),) = struct_parameters(source, VerifyOptions()).values()
    assert params.size_bytes == 64
    assert [(c.name, c.offset) for c in params.components] == [
        ("p_w_0_0", 0),
        ("p_w_0_1", 4),
        ("p_w_1_0", 8),
        ("p_w_1_1", 12),
        ("p_at_0", 16),
        ("p_at_1", 24),
        ("p_inner_0_a", 32),
        ("p_inner_0_b_x", 40),
        ("p_inner_0_b_y", 44),
        ("p_inner_1_a", 48),
        ("p_inner_1_b_x", 56),
        ("p_inner_1_b_y", 60),
    ]
    assert [c.is_pointer for c in params.components] == [False] * 4 + [True] * 2 + [False] * 6


def test_structs_of_a_kernel_that_the_ir_cannot_say(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    body = "again: if (threadIdx.x < n) goto done; goto again; done: out[threadIdx.x] = p.scale;"
    before, after = SOURCE.split("    if (threadIdx.x < n)")
    source.write_text(f"{before}{body}{after[after.index('}') :]}")
    found = struct_parameters(source, VerifyOptions())
    assert {key: [split.size_bytes for split in splits] for key, splits in found.items()} == {
        ("k", 1): [32],
        ("k", 3): [12],
    }
