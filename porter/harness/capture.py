"""A capture directory as frozen records (the format is described in docs/capture-format.md).

Tensors stay on disk until asked for. A directory that is damaged or cut short raises InputError with the
file and line; a program that crashed leaves a valid capture without an `exit` event.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from porter.core.errors import InputError
from porter.harness.dtypes import BF16, BOOL, ElementType, Layout, element_type
from porter.harness.tensors import Tensor, TensorFile

FORMAT = "porter-capture-1"


@dataclass(frozen=True)
class ScalarArgument:
    """`data` are the bytes as passed, little endian."""

    type: str
    data: bytes

    @property
    def dtype(self) -> ElementType | None:
        dtype = None if "*" in self.type else element_type(self.type)
        return dtype if dtype is not None and dtype.size_bytes == len(self.data) else None

    def value(self) -> int | float | bool | None:
        """The number, or None where the type is none that is known (an enum of odd size, a small struct)."""
        if self.dtype is None:
            return None if element_type(self.type) else _integer_of_enum(self.data)
        if self.dtype is BOOL:
            return self.data != b"\0"
        if self.dtype is BF16:
            return float(struct.unpack("<f", b"\0\0" + self.data)[0])
        element = self.dtype.decode(self.data)[0]
        return float(element) if self.dtype.is_float else int(element)


def _integer_of_enum(data: bytes) -> int | None:
    return int.from_bytes(data, "little", signed=True) if len(data) in (1, 2, 4, 8) else None


@dataclass(frozen=True)
class PointerArgument:
    """A pointer into `allocation`; None for a null pointer. `layout` is that of the structs it points to.

    `words` is what the memory holds where the C type is that of wider words (`uint4` for eight halves).
    """

    type: str
    const: bool
    allocation: int | None
    offset_bytes: int
    layout: Layout | None = None
    words: ElementType | None = None

    @property
    def dtype(self) -> ElementType | None:
        return element_type(self.type) if self.type.count("*") <= 1 else None


@dataclass(frozen=True)
class InnerPointer:
    at: int
    allocation: int
    offset_bytes: int


@dataclass(frozen=True)
class StructArgument:
    type: str
    data: bytes
    pointers: tuple[InnerPointer, ...]


Argument: TypeAlias = ScalarArgument | PointerArgument | StructArgument


@dataclass(frozen=True)
class Allocation:
    id: int
    bytes: int
    kind: str
    name: str


@dataclass(frozen=True)
class Global:
    """A `__constant__` or `__device__` variable that the program has."""

    name: str
    allocation: int
    type: str = ""


def _without_template_arguments(name: str) -> str:
    """`ns::A<int>::scale` for `ns::A<int>::scale<float, 4>`."""
    name = name.strip()
    if not name.endswith(">"):
        return name
    depth = 0
    for index in range(len(name) - 1, -1, -1):
        depth += (name[index] == ">") - (name[index] == "<")
        if depth == 0:
            return name[:index].strip()
    return name


@dataclass(frozen=True)
class Launch:
    """One kernel launch; `occurrence` counts the launches of kernels of this name from 0.

    `function` is the kernel's full name, `callee` what stands at the launch; empty where the capture does
    not say.
    """

    index: int
    kernel: str
    line: int
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    cooperative: bool
    truncated: bool
    arguments: tuple[Argument, ...]
    globals: tuple[Global, ...]
    tensors: Path | None
    occurrence: int = 0
    function: str = ""
    callee: str = ""
    template_arguments: tuple[str, ...] = ()

    @property
    def qualified_name(self) -> str:
        """`ns::scale`: the kernel with its namespaces as far as the capture knows them."""
        name = _without_template_arguments(self.function or self.callee)
        return name if name.endswith("::" + self.kernel) else self.kernel

    def before(self) -> dict[int, Tensor]:
        """Allocation id → its bytes when the launch began."""
        return self._side("before")

    def after(self) -> dict[int, Tensor]:
        return self._side("after")

    def _side(self, side: str) -> dict[int, Tensor]:
        if self.tensors is None:
            return {}
        file = TensorFile(self.tensors)
        suffix = "/" + side
        return {int(name[: -len(suffix)]): file[name] for name in file if name.endswith(suffix)}


@dataclass(frozen=True)
class Transfer:
    """A copy from device to host. `after_launch` is the index of the last launch before it."""

    index: int
    allocation: int | None
    offset_bytes: int
    bytes: int
    after_launch: int
    tensors: Path | None

    def data(self) -> Tensor | None:
        return None if self.tensors is None else TensorFile(self.tensors)["data"]


@dataclass(frozen=True)
class RuntimeFault:
    """An error the simulator found while a kernel ran."""

    code: str
    kernel: str
    block: tuple[int, ...]
    thread: tuple[int, ...]
    file: str
    line: int
    message: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: " if self.file else ""
        who = f" block {self.block} thread {self.thread}" if self.block else ""
        return f"{where}{self.kernel}: {self.message} [{self.code}]{who}"


@dataclass(frozen=True)
class ReplayRecord:
    """How one replayed case ended: `status` is "ok", "crashed", "error", "timeout" or "starved".

    "timeout": it used up its processor time; "starved": it never had that much in many times as long.
    `cpu_seconds` is what it used; None in captures that do not say.
    """

    case: str
    launch: int
    status: str
    message: str
    cpu_seconds: float | None = None


@dataclass(frozen=True)
class StoreRecord:
    """Who wrote the bytes that a replay watched last, of `stores` in all; without any there is nobody."""

    case: str
    stores: int
    block: tuple[int, int, int]
    thread: tuple[int, int, int]
    file: str
    line: int


@dataclass(frozen=True)
class Capture:
    """Everything one run of a program left. `exit_code` is None when it did not come to its end.

    `stopped`: the runtime ended it after the recorded launches, as it was asked to. `device` is the GPU it
    ran on; empty for the simulator. `out_of_time`: the run was stopped, replays may be missing.
    """

    directory: Path
    face: str
    lanes: int
    wide: bool
    allocations: Mapping[int, Allocation]
    launches: tuple[Launch, ...]
    transfers: tuple[Transfer, ...]
    faults: tuple[RuntimeFault, ...]
    replays: tuple[ReplayRecord, ...]
    exit_code: int | None
    device: str = ""
    stores: tuple[StoreRecord, ...] = ()
    out_of_time: bool = False
    stopped: bool = False

    def replay_file(self, case: str) -> TensorFile:
        return TensorFile(self.directory / f"replay-{case}.safetensors")


def captured_on(capture: Capture) -> dict[str, str]:
    """A detail of evidence: the GPU whose numbers a port was compared with; nothing for the simulator."""
    return {"captured_on": capture.device} if capture.device else {}


@dataclass
class _Collected:
    program: dict[str, Any] | None = None
    allocations: dict[int, Allocation] = field(default_factory=dict)
    launches: list[Launch] = field(default_factory=list)
    occurrences: dict[str, int] = field(default_factory=dict)
    transfers: list[Transfer] = field(default_factory=list)
    faults: list[RuntimeFault] = field(default_factory=list)
    replays: list[ReplayRecord] = field(default_factory=list)
    stores: list[StoreRecord] = field(default_factory=list)
    stopped: bool = False
    exit_code: int | None = None


def read_capture(directory: Path) -> Capture:
    """Reads `events.jsonl`. A last line cut off by a crash is left out; any other damage is an InputError."""
    path = directory / "events.jsonl"
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except OSError as error:
        raise InputError(f"{path}: no capture here: {error.strerror}") from error
    collected = _Collected()
    for number, line in enumerate(lines, 1):
        complete = line.endswith(b"\n")
        _read_event(
            collected, directory, path, number, line, may_be_cut=number == len(lines) and not complete
        )
    if collected.program is None:
        raise InputError(f"{path}: the capture has no program event")
    return _finish(collected, directory)


def _finish(collected: _Collected, directory: Path) -> Capture:
    program = collected.program or {}
    return Capture(
        directory=directory,
        face=str(program["face"]),
        lanes=int(program["lanes"]),
        wide=bool(program.get("wide", False)),
        allocations=collected.allocations,
        launches=tuple(collected.launches),
        transfers=tuple(collected.transfers),
        faults=tuple(collected.faults),
        replays=tuple(collected.replays),
        exit_code=collected.exit_code,
        device=str(program.get("device", "")),
        stores=tuple(collected.stores),
        stopped=collected.stopped,
    )


def _read_event(
    collected: _Collected, directory: Path, path: Path, number: int, line: bytes, *, may_be_cut: bool
) -> None:
    try:
        event = json.loads(line)
    except ValueError as error:
        if may_be_cut:
            return
        raise InputError(f"{path}:{number}: not a JSON object: {error}") from error
    try:
        _add_event(collected, directory, event)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InputError(f"{path}:{number}: damaged event: {error!r}") from error


def _add_event(collected: _Collected, directory: Path, event: dict[str, Any]) -> None:
    match event["event"]:
        case "program":
            if event["format"] != FORMAT:
                raise ValueError(f"format {event['format']!r}, expected {FORMAT!r}")
            collected.program = event
        case "allocation":
            allocation = Allocation(
                event["id"], event["bytes"], event.get("kind", "device"), event.get("name", "")
            )
            collected.allocations[allocation.id] = allocation
        case "launch":
            kernel = event["kernel"]
            occurrence = collected.occurrences.get(kernel, 0)
            collected.occurrences[kernel] = occurrence + 1
            collected.launches.append(_launch(directory, event, occurrence))
        case "transfer":
            if event.get("direction", "device_to_host") == "device_to_host":
                collected.transfers.append(_transfer(directory, event))
        case "error":
            collected.faults.append(_fault(event))
        case "replay":
            message, used = event.get("message", ""), event.get("cpu_seconds")
            seconds = float(used) if isinstance(used, int | float) else None
            collected.replays.append(
                ReplayRecord(event["case"], event["launch"], event["status"], message, seconds)
            )
        case "written":
            collected.stores.append(_store(event))
        case "stopped":
            collected.stopped = True
        case "exit":
            collected.exit_code = int(event["code"])


def _launch(directory: Path, event: dict[str, Any], occurrence: int) -> Launch:
    return Launch(
        index=event["index"],
        kernel=event["kernel"],
        line=event.get("line", 0),
        grid=_triple(event["grid"]),
        block=_triple(event["block"]),
        shared_bytes=event.get("shared_bytes", 0),
        cooperative=event.get("cooperative", False),
        truncated=event.get("truncated", False),
        arguments=tuple(_argument(a) for a in event["arguments"]),
        globals=tuple(
            Global(g["name"], g["allocation"], g.get("type", "")) for g in event.get("globals", ())
        ),
        tensors=_tensor_path(directory, event),
        occurrence=occurrence,
        function=event.get("function", ""),
        callee=event.get("callee", ""),
        template_arguments=tuple(event.get("template_arguments", ())),
    )


def _tensor_path(directory: Path, event: dict[str, Any]) -> Path | None:
    name = event.get("tensors")
    return None if not name or event.get("truncated") else directory / name


def _triple(values: list[int]) -> tuple[int, int, int]:
    x, y, z = (int(v) for v in values)
    return x, y, z


def _argument(raw: dict[str, Any]) -> Argument:
    match raw["kind"]:
        case "scalar":
            return ScalarArgument(raw["type"], bytes.fromhex(raw["bytes"]))
        case "pointer":
            return PointerArgument(
                raw["type"], raw.get("const", False), raw.get("allocation"), raw.get("offset_bytes", 0)
            )
        case "struct":
            pointers = tuple(
                InnerPointer(p["at"], p["allocation"], p.get("offset_bytes", 0))
                for p in raw.get("pointers", ())
                if p.get("allocation") is not None
            )
            return StructArgument(raw["type"], bytes.fromhex(raw["bytes"]), pointers)
    raise ValueError(f"unknown kind of argument {raw['kind']!r}")


def _transfer(directory: Path, event: dict[str, Any]) -> Transfer:
    return Transfer(
        index=event["index"],
        allocation=event.get("allocation"),
        offset_bytes=event.get("offset_bytes", 0),
        bytes=event["bytes"],
        after_launch=event.get("after_launch", -1),
        tensors=_tensor_path(directory, event),
    )


def _store(event: dict[str, Any]) -> StoreRecord:
    nobody = [0, 0, 0]
    return StoreRecord(
        event["case"],
        int(event["stores"]),
        _triple(event.get("block", nobody)),
        _triple(event.get("thread", nobody)),
        event.get("file", ""),
        event.get("line", 0),
    )


def _fault(event: dict[str, Any]) -> RuntimeFault:
    return RuntimeFault(
        code=event.get("code", ""),
        kernel=event.get("kernel", ""),
        block=tuple(event.get("block") or ()),
        thread=tuple(event.get("thread") or ()),
        file=event.get("file", ""),
        line=event.get("line", 0),
        message=event.get("message", ""),
    )
