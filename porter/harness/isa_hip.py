"""A HIP port's kernels as machine code on judged cases: launches, arguments, device variables."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from porter.harness.capture import Argument as CapturedArgument
from porter.harness.capture import Capture, Global, PointerArgument, ScalarArgument, StructArgument
from porter.harness.dtypes import U8
from porter.harness.hip_replay import Replay, match_launches
from porter.harness.isa.dispatch import Argument, IsaLaunch, PointerAt, execute
from porter.harness.isa.errors import IsaError
from porter.harness.isa.image import Image, load_image
from porter.harness.isa_cases import CaseOutputs, IsaCase, IsaRequest, NotExecuted, chosen
from porter.harness.isa_symbols import symbol_of
from porter.harness.judge import JudgedKernel
from porter.harness.plan import encode_scalar
from porter.harness.programs import ProgramFailure, build, run
from porter.harness.tensors import Tensor
from porter.harness.toolchains.amd_clang import build_hip
from porter.harness.toolchains.code_object import source_name
from porter.harness.toolchains.records import Built
from porter.harness.triton_child import starting_contents
from porter.harness.verdict import VerifyOptions
from porter.simulator.options import Face


@dataclass(frozen=True)
class _Port:
    image: Image
    symbol: str
    arch: str


def hip_cases(
    kernel: JudgedKernel, request: IsaRequest, options: VerifyOptions
) -> list[IsaCase] | NotExecuted:
    """The cases of one kernel, each with the launch of the port that stands for the original's."""
    built = build_hip(request.port, request.arch, include_dirs=options.include_dirs, defines=options.defines)
    if not isinstance(built, Built):
        return NotExecuted(f"no code object: {built}")
    capture = _launches_of(request.port, options)
    if isinstance(capture, ProgramFailure):
        return NotExecuted(f"the port's launches are not known: {capture.reason}")
    matched = match_launches(kernel, capture, options)
    if matched.reason:
        return NotExecuted(matched.why)
    picked = {case.planned.case.name for case in chosen(replay.judged for replay in matched.replays)}
    replays = [replay for replay in matched.replays if replay.judged.planned.case.name in picked]
    try:
        image = load_image(built.code_objects[0].data)
        return [IsaCase(r.judged, partial(_run, _port_of(image, request.arch, r), r)) for r in replays]
    except IsaError as error:
        return NotExecuted(str(error))


def _launches_of(port: Path, options: VerifyOptions) -> Capture | ProgramFailure:
    """The port's own launches: grids, blocks and shared memory are the port's to choose."""
    built = build(port, options, face=Face.HIP)
    if isinstance(built, ProgramFailure):
        return built
    with tempfile.TemporaryDirectory(prefix="porter-isa-") as scratch:
        ran = run(built, options, Path(scratch) / "capture", hostile=True)
        return ran if isinstance(ran, ProgramFailure) else ran.capture


def _port_of(image: Image, arch: str, replay: Replay) -> _Port:
    return _Port(image, symbol_of(image.kernels, replay.judged.planned.launch), arch)


def _run(port: _Port, replay: Replay) -> CaseOutputs | IsaError:
    planned = replay.judged.planned
    contents = {name: tensor.values.tobytes() for name, tensor in starting_contents(planned).items()}
    try:
        launch = IsaLaunch(
            kernel=port.symbol,
            grid=replay.grid or replay.launch.grid,
            block=replay.launch.block,
            arguments=_arguments(replay),
            dynamic_lds_bytes=replay.launch.shared_bytes,
            symbols=_symbols(port.image, planned.launch.globals, contents),
        )
        done = execute(port.image, port.arch, launch, contents)
    except IsaError as error:
        return error
    outputs = {b.tensor: Tensor(U8, U8.decode(done.buffers[str(b.allocation)])) for b in planned.buffers}
    return CaseOutputs(outputs, done.instructions, done.wavefront_instructions)


def _arguments(replay: Replay) -> tuple[Argument, ...]:
    """Pointers are the original's (its allocations hold the inputs), scalars the port's own or the case's."""
    planned = replay.judged.planned
    return tuple(
        _argument(ours, theirs, planned.case.scalars.get(position))
        for position, (ours, theirs) in enumerate(
            zip(planned.launch.arguments, replay.launch.arguments, strict=True)
        )
    )


def _argument(original: CapturedArgument, port: CapturedArgument, value: int | float | None) -> Argument:
    match original:
        case PointerArgument():
            if original.allocation is None:
                return Argument(bytes(8))
            return Argument.pointer(str(original.allocation), original.offset_bytes)
        case StructArgument():
            pointers = tuple(PointerAt(p.at, str(p.allocation), p.offset_bytes) for p in original.pointers)
            return Argument(original.data, pointers)
    if value is not None:
        return Argument(encode_scalar(value, original))
    return Argument(port.data if isinstance(port, ScalarArgument) else original.data)


def _symbols(image: Image, known: Sequence[Global], contents: Mapping[str, bytes]) -> dict[str, str]:
    """Code object symbol → buffer, for the device variables that the code object has."""
    variables = {g.name: str(g.allocation) for g in known}
    found: dict[str, str] = {}
    for symbol, place in image.symbols.items():
        name = variables.get(source_name(symbol)) if symbol and symbol not in image.kernels else None
        if name is None or name not in contents or not place.size:
            continue
        if place.size != len(contents[name]):
            sizes = f"{place.size} bytes, captured {len(contents[name])}"
            raise IsaError("ISA004", f"the variable {symbol} has {sizes}")
        found[symbol] = name
    return found
