"""Runs the launchers of a Triton module with compiled machine code in place of the interpreter.

Runs in the same child as `triton_runner.py` (copied beside it as `runner.py`) and like it, but for the
launches: each kernel is compiled for the GPU that the job names, and its code object is executed on the
launch's tensors.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import struct
import sys
from pathlib import Path
from typing import Any, ClassVar

_JOB = json.loads(Path("job.json").read_text())
sys.path.insert(0, os.getcwd())
sys.path.append(_JOB["porter"])

import torch  # noqa: E402
import triton  # noqa: E402
from triton.runtime.autotuner import Autotuner  # noqa: E402
from triton.runtime.jit import JITFunction  # noqa: E402

from porter.harness.isa.dispatch import Argument, IsaLaunch, execute  # noqa: E402
from porter.harness.isa.image import load_image  # noqa: E402
from porter.harness.toolchains.triton_driver import CompileOnlyDriver  # noqa: E402

runner: Any = importlib.import_module("runner")  # the copy in the child's folder
WAVEFRONT_SIZE = 64
_SCALARS = {"fp32": "<f", "fp64": "<d", "fp16": "<e"}
_PLAIN_RUN = JITFunction.run
_PLAIN_CASE = runner._run_case
_executed: list[int] = []


class Storages:
    """The tensors of one launch by their storage, so that pointers alias as they do in the program."""

    def __init__(self) -> None:
        self.bytes: dict[str, torch.Tensor] = {}

    def argument(self, tensor: torch.Tensor) -> Argument:
        """A pointer to the tensor's first element, within what the pointer may reach."""
        whole, start = _reachable(tensor)
        name = f"the buffer at {whole.data_ptr():x}"
        self.bytes[name] = whole
        return Argument.pointer(name, start)


def _reachable(tensor: torch.Tensor) -> tuple[torch.Tensor, int]:
    """The allocation's bytes without the runner's guards, or the whole storage of another tensor."""
    address = tensor.data_ptr()
    for allocation in GuardedAllocation.known:
        base = allocation.contents.data_ptr()
        if base <= address <= base + allocation.size:
            return allocation.contents, address - base
    storage = tensor.untyped_storage()
    whole = torch.empty(0, dtype=torch.uint8).set_(storage, 0, (storage.nbytes(),), (1,))
    return whole, address - storage.data_ptr()


class GuardedAllocation(runner.Allocation):  # type: ignore[misc]
    """Remembers itself, so that a launch knows where its pointers end."""

    known: ClassVar[list[GuardedAllocation]] = []

    def __init__(self, contents: torch.Tensor) -> None:
        super().__init__(contents)
        GuardedAllocation.known.append(self)


class _ExecutingWatch(runner._Watch):  # type: ignore[misc]
    """Executes machine code where the interpreter's watch counts interpreted launches."""

    def __enter__(self) -> Any:
        watch = self

        def run(kernel: Any, *args: Any, grid: Any, warmup: bool = False, **options: Any) -> Any:
            del warmup
            watch.launches += 1
            watch.inside = True
            try:
                return _launch(kernel, args, grid, options)
            finally:
                watch.inside = False

        JITFunction.run = run
        Autotuner.run = _first_config
        return super(runner._Watch, self).__enter__()

    def __exit__(self, *error: Any) -> None:
        super(runner._Watch, self).__exit__(*error)
        JITFunction.run = _PLAIN_RUN


def _counted_case(module: Any, case: dict[str, Any]) -> dict[str, Any]:
    """What the runner says of a case, with the instructions of the code that it launched."""
    _executed.clear()
    return {**_PLAIN_CASE(module, case), "wavefront_instructions": sum(_executed)}


def _first_config(self: Any, *args: Any, **options: Any) -> Any:
    """Any configuration computes the same; which is the fastest cannot be measured here."""
    return self.fn.run(*args, **{**options, **self.configs[0].all_kwargs()})


def _launch(kernel: Any, args: tuple[Any, ...], grid: Any, options: dict[str, Any]) -> Any:
    compiled = _PLAIN_RUN(kernel, *args, grid=grid, warmup=True, **options)
    if not hasattr(compiled, "asm"):
        compiled = compiled.result()
    values = _bound(kernel, args, options)
    sizes = tuple(grid(values) if callable(grid) else grid)
    storages = Storages()
    arguments = [
        _argument(values[name], kind, storages)
        for name, kind in compiled.src.signature.items()
        if kind != "constexpr"
    ]
    # The compiler adds two pointers to scratch memory in global memory; kernels that need it are refused.
    if getattr(compiled.metadata, "global_scratch_size", 0):
        raise NotImplementedError("the kernel needs scratch memory in global memory")
    image = load_image(compiled.asm["hsaco"])
    (described,) = image.kernels.values()
    explicit = [a for a in described.arguments if not a.kind.startswith("hidden_")]
    arguments += [Argument(bytes(8))] * (len(explicit) - len(arguments))
    launch = IsaLaunch(
        kernel=described.symbol,
        grid=(*sizes, 1, 1)[:3],
        block=(compiled.metadata.num_warps * WAVEFRONT_SIZE, 1, 1),
        arguments=tuple(arguments),
        dynamic_lds_bytes=compiled.metadata.shared,
    )
    done = execute(image, _JOB["arch"], launch, {n: t.numpy().tobytes() for n, t in storages.bytes.items()})
    _executed.append(done.wavefront_instructions)
    for name, tensor in storages.bytes.items():
        if tensor.numel():
            tensor.copy_(torch.frombuffer(bytearray(done.buffers[name]), dtype=torch.uint8))
    return compiled


def _bound(kernel: Any, args: tuple[Any, ...], options: dict[str, Any]) -> dict[str, Any]:
    """The kernel's parameters by name."""
    signature = inspect.signature(kernel.fn)
    own = {name: value for name, value in options.items() if name in signature.parameters}
    bound = signature.bind(*args, **own)
    bound.apply_defaults()
    return dict(bound.arguments)


def _argument(value: Any, kind: str, storages: Storages) -> Argument:
    if kind.startswith("*"):
        return storages.argument(value)
    if kind in _SCALARS:
        return Argument(struct.pack(_SCALARS[kind], float(value)))
    bits = int(kind.lstrip("iu"))
    size = max(1, bits // 8)
    return Argument((int(value) % (1 << (8 * size))).to_bytes(size, "little"))


if __name__ == "__main__":
    properties = json.loads(_JOB["device_properties"])
    triton.runtime.driver.set_active(CompileOnlyDriver(_JOB["arch"], WAVEFRONT_SIZE, properties))
    runner._Watch = _ExecutingWatch
    runner.Allocation = GuardedAllocation
    runner._run_case = _counted_case
    runner.main()
