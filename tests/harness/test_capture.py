"""Reading a capture directory: every event, crashes, damage."""

from pathlib import Path

import numpy as np
import pytest

from porter.core.errors import InputError
from porter.harness.capture import (
    PointerArgument,
    ScalarArgument,
    StructArgument,
    read_capture,
)
from tests.harness.captures import PROGRAM, write_bytes, write_events

LAUNCH = {
    "event": "launch",
    "index": 0,
    "kernel": "saxpy",
    "line": 41,
    "grid": [64, 1, 1],
    "block": [256, 1, 1],
    "shared_bytes": 0,
    "cooperative": False,
    "truncated": False,
    "tensors": "launch-0000.safetensors",
    "arguments": [
        {"kind": "scalar", "type": "int", "bytes": "00100000"},
        {"kind": "pointer", "type": "float*", "const": False, "allocation": 3, "offset_bytes": 8},
        {"kind": "pointer", "type": "int*", "const": True, "allocation": None, "offset_bytes": 0},
        {
            "kind": "struct",
            "type": "Params",
            "bytes": "00" * 16,
            "pointers": [{"at": 8, "allocation": 3, "offset_bytes": 4}],
        },
    ],
    "globals": [{"name": "weights", "allocation": 5}],
}
ALLOCATION = {"event": "allocation", "id": 3, "bytes": 16, "kind": "device", "name": ""}


def test_a_launch_with_every_kind_of_argument(tmp_path: Path) -> None:
    write_events(tmp_path, PROGRAM, ALLOCATION, LAUNCH, {"event": "exit", "code": 0})
    write_bytes(
        tmp_path / "launch-0000.safetensors",
        **{"3__before": np.zeros(4, dtype=np.float32), "3__after": np.ones(4, dtype=np.float32)},
    )
    capture = read_capture(tmp_path)
    assert (capture.face, capture.lanes, capture.wide, capture.exit_code) == ("cuda", 32, False, 0)
    (launch,) = capture.launches
    scalar, pointer, null, struct = launch.arguments
    assert isinstance(scalar, ScalarArgument)
    assert scalar.value() == 4096
    assert isinstance(pointer, PointerArgument)
    assert (pointer.allocation, pointer.offset_bytes) == (3, 8)
    assert isinstance(null, PointerArgument)
    assert null.allocation is None
    assert isinstance(struct, StructArgument)
    assert struct.pointers[0].at == 8
    assert launch.globals[0].name == "weights"
    assert launch.before()[3].values.tobytes() == bytes(16)
    assert np.frombuffer(launch.after()[3].values.tobytes(), np.float32).tolist() == [1.0] * 4


@pytest.mark.parametrize(
    ("type_", "data", "value"),
    [
        ("float", "0000803f", 1.0),
        ("double", "000000000000f03f", 1.0),
        ("bool", "01", True),
        ("unsigned int", "ffffffff", 4294967295),
        ("int", "ffffffff", -1),
        ("__nv_bfloat16", "803f", 1.0),
        ("Mode", "02000000", 2),
        ("Triple", "000000000000000000000000", None),
    ],
)
def test_scalar_values(type_: str, data: str, value: object) -> None:
    assert ScalarArgument(type_, bytes.fromhex(data)).value() == value


def test_occurrences_count_per_kernel(tmp_path: Path) -> None:
    bare = {**LAUNCH, "arguments": [], "globals": [], "truncated": True}
    events = [{**bare, "index": i, "kernel": name} for i, name in enumerate("abab")]
    launches = read_capture(write_events(tmp_path, PROGRAM, *events)).launches
    assert [(x.kernel, x.occurrence) for x in launches] == [("a", 0), ("b", 0), ("a", 1), ("b", 1)]


def test_a_truncated_launch_has_no_tensors(tmp_path: Path) -> None:
    launch = {**LAUNCH, "truncated": True}
    (read,) = read_capture(write_events(tmp_path, PROGRAM, launch)).launches
    assert read.truncated
    assert read.before() == {}


def test_transfers_errors_and_replays(tmp_path: Path) -> None:
    transfer = {"event": "transfer", "index": 0, "direction": "device_to_host", "allocation": 3}
    transfer |= {"offset_bytes": 0, "bytes": 4, "after_launch": 0, "tensors": "transfer-0000.safetensors"}
    error = {"event": "error", "code": "OOB", "kernel": "k", "block": [0, 0, 0], "thread": [31, 0, 0]}
    error |= {"file": "kernel.cu", "line": 12, "message": "out of bounds"}
    replay = {"event": "replay", "case": "c1", "launch": 0, "status": "error", "message": "no"}
    write_events(tmp_path, PROGRAM, transfer, {**transfer, "direction": "host_to_device"}, error, replay)
    write_bytes(tmp_path / "transfer-0000.safetensors", data=np.float32(2.0))
    capture = read_capture(tmp_path)
    (copied,) = capture.transfers
    data = copied.data()
    assert data is not None
    assert data.values.tobytes() == np.float32(2.0).tobytes()
    assert str(capture.faults[0]).startswith("kernel.cu:12: k: out of bounds [OOB]")
    assert capture.replays[0].status == "error"
    assert capture.exit_code is None


def test_a_last_line_cut_by_a_crash_is_left_out(tmp_path: Path) -> None:
    write_events(tmp_path, PROGRAM, ALLOCATION)
    path = tmp_path / "events.jsonl"
    path.write_bytes(path.read_bytes() + b'{"event":"laun')
    assert read_capture(tmp_path).allocations[3].bytes == 16


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"event":"laun', "events.jsonl:2: not a JSON object"),
        ('{"event":"allocation"}', "events.jsonl:2: damaged event"),
        ('{"no":"event"}', "events.jsonl:2: damaged event"),
        ("[1]", "events.jsonl:2: damaged event"),
        ('{"event":"program","format":"other-2"}', "format 'other-2'"),
    ],
)
def test_damage_names_file_and_line(tmp_path: Path, line: str, message: str) -> None:
    write_events(tmp_path, PROGRAM)
    path = tmp_path / "events.jsonl"
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(InputError, match=message):
        read_capture(tmp_path)


def test_an_empty_or_missing_capture(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no capture here"):
        read_capture(tmp_path)
    write_events(tmp_path)
    with pytest.raises(InputError, match="no program event"):
        read_capture(tmp_path)
