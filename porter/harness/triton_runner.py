"""Runs the launchers of a Triton module on given inputs. This file runs in a child that trusts nothing.

It stands alone (no import of porter), is copied beside the module and reads `job.json`:

    {"module": "port.py", "cpu_seconds": 60.0, "filter": "<BPF in hexadecimal digits>",
     "cases": [{"name", "launcher", "parameters", "grid", "block", "shared_bytes": 0,
     "inputs": "c.safetensors", "output": "…", "reverse": false,
     "watch": null | {"tensor": "<allocation>", "offset": bytes, "bytes": 4},
     "arguments": [{"tensor": "<allocation>", "offset": bytes, "dtype": "float32"} | {"value": 1} | null],
     "globals": {"weights": {"tensor", "offset", "dtype"}}}]}

Every allocation is one storage with guard bytes around it, so that pointers alias as they did in the
original, and a store outside shows. After each case it appends a line to `results.jsonl`, and one more when
it has done what it could. It never sees an expected value; of what it writes only the tensors of a case
decide what is equal. Before it loads the module it gives up starting processes; nothing that the module
leaves behind (threads, exit handlers) runs after the last case.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import inspect
import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import triton.language
from safetensors.torch import load_file, save_file
from torch.utils._python_dispatch import TorchDispatchMode
from triton.runtime.autotuner import Autotuner
from triton.runtime.interpreter import GridExecutor, interpreter_builder

GUARD_BYTES = 4096
GUARD_VALUE = 0xA5

# What host code may do with tensors: allocate, view, fill, copy, read a scalar.
_HOST_WORDS = """
    empty empty_like empty_strided new_empty new_empty_strided new_zeros new_ones new_full zeros
    zeros_like ones ones_like full full_like zero_ fill_ copy_ clone _to_copy to view _unsafe_view
    reshape _reshape_alias as_strided alias detach slice select squeeze unsqueeze expand permute
    transpose t arange lift_fresh scalar_tensor _local_scalar_dense set_ resize_ contiguous narrow
    unbind split
"""
HOST_OPERATIONS = frozenset(_HOST_WORDS.split())


class WrongSignature(Exception):
    """The launcher cannot be called with the kernel's arguments."""


class ComputesOutside(Exception):
    """The launcher computed with torch, or launched nothing."""


class NoKernel(Exception):
    """What the launcher gives to a kernel could not be given to a compiled one."""


class Allocation:
    """One storage: guard bytes, the allocation, guard bytes."""

    def __init__(self, contents: torch.Tensor) -> None:
        self.size = contents.numel()
        self.storage = torch.full((self.size + 2 * GUARD_BYTES,), GUARD_VALUE, dtype=torch.uint8)
        self.contents = self.storage[GUARD_BYTES : GUARD_BYTES + self.size]
        self.contents.copy_(contents)

    def view(self, offset: int, dtype: str) -> torch.Tensor:
        """The flat tensor a pointer stands for: from its offset to the end of the allocation."""
        element: torch.dtype = getattr(torch, dtype)
        tail = self.contents[offset:]
        whole = tail.numel() - tail.numel() % element.itemsize
        return tail[:whole].view(element)

    def intact(self) -> bool:
        guards = torch.cat((self.storage[:GUARD_BYTES], self.storage[GUARD_BYTES + self.size :]))
        return bool((guards == GUARD_VALUE).all())


def main() -> None:
    job = json.loads(Path("job.json").read_text())
    started = time.process_time()
    _install(bytes.fromhex(job.get("filter", "")))
    with Path("results.jsonl").open("a") as results:

        def record(line: dict[str, Any]) -> None:
            results.write(json.dumps(line) + "\n")
            results.flush()

        cases, module, failure = job["cases"], None, ""
        try:
            module = _load(Path(job["module"]))
        except BaseException as error:
            failure = _explain(error)
        for case in cases:
            if time.process_time() - started > job["cpu_seconds"]:
                break
            record({"case": case["name"], "status": "started", "cpu_seconds": time.process_time()})
            record(_result(case, "error", failure, time.monotonic()) if failure else _run_case(module, case))
        record({"case": "", "status": "ended"})
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _install(code: bytes) -> None:
    """A filter of system calls for this process, from now on; none where the system has none."""
    if not code:
        return
    libc = ctypes.CDLL(None)
    words = ctypes.create_string_buffer(code, len(code))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    program = Program(len(code) // 8, ctypes.addressof(words))
    libc.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    libc.prctl(22, 2, ctypes.byref(program), 0, 0)  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER


class _Configurations:
    """Nothing is timed here: the cases of a launcher go through the configurations of its kernels in turn."""

    def __init__(self) -> None:
        self.turns: dict[str, int] = {}
        self.turn = 0
        self.used: list[tuple[str, int, int]] = []

    def next_for(self, launcher: str) -> None:
        self.turn = self.turns.get(launcher, -1) + 1
        self.turns[launcher] = self.turn
        self.used = []

    def run(self, tuner: Any, *args: Any, **options: Any) -> Any:
        tuner.nargs = dict(zip(tuner.arg_names, args, strict=False))
        usable = tuner.prune_configs(options)
        chosen = self.turn % len(usable)
        self.used.append((tuner.base_fn.__name__, chosen, len(usable)))
        return tuner.fn.run(*args, **{**options, **usable[chosen].all_kwargs()})


_configurations = _Configurations()
Autotuner.run = lambda tuner, *args, **options: _configurations.run(tuner, *args, **options)


def _load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _run_case(module: Any, case: dict[str, Any]) -> dict[str, Any]:
    started = time.monotonic()
    _configurations.next_for(case["launcher"])
    try:
        allocations = {name: Allocation(t) for name, t in load_file(case["inputs"]).items()}
        launcher = getattr(module, case["launcher"], None)
        if launcher is None:
            return _result(case, "missing", f"the module has no {case['launcher']!r}", started)
        history = _call(launcher, case, allocations)
    except WrongSignature as error:
        return _result(case, "signature", str(error), started)
    except (ComputesOutside, NoKernel) as error:
        return _result(case, "outside_kernel", str(error), started)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return _result(case, "error", _explain(error), started)
    if damaged := [name for name, a in allocations.items() if not a.intact()]:
        return _result(case, "outside", f"writes outside its buffers (allocation {damaged[0]})", started)
    save_file({name: a.contents.clone() for name, a in allocations.items()}, case["output"])
    written = {"written": history, "configurations": _configurations.used}
    return {**_result(case, "ok", "", started), **written}


def _result(case: dict[str, Any], status: str, message: str, started: float) -> dict[str, Any]:
    seconds = round(time.monotonic() - started, 4)
    return {"case": case["name"], "status": status, "message": message, "seconds": seconds}


def _explain(error: BaseException) -> str:
    """The last own line of the traceback and the message: what a user needs to find the place."""
    root = error
    while root.__cause__ is not None:
        root = root.__cause__
    frames = [f for f in traceback.extract_tb(root.__traceback__) if f.filename.endswith("port.py")]
    place = f"line {frames[-1].lineno}: " if frames else ""
    return f"{place}{type(root).__name__}: {str(root)[:600]}"


def _call(launcher: Any, case: dict[str, Any], allocations: dict[str, Allocation]) -> dict[str, Any] | None:
    """Runs the case, and says who wrote the watched bytes last."""
    values = [_argument(a, allocations) for a in case["arguments"]]
    variables = {name: _argument(a, allocations) for name, a in case["globals"].items()}
    grid, block = tuple(case["grid"]), tuple(case["block"])
    watch = _Watch(reverse=case["reverse"])
    stores = _StoreWatch(case["watch"], allocations) if case.get("watch") else None
    with watch, stores or contextlib.nullcontext():
        if _is_jit(launcher):
            launcher[grid](*values, **_constexprs(launcher, values, block))
        else:
            names = case["parameters"]
            offered = {"grid": grid, "block": block, "shared_bytes": case.get("shared_bytes", 0), **variables}
            positional, keywords = _bind(launcher, values, names, offered)
            launcher(*positional, **keywords)
    if foreign := watch.operations - HOST_OPERATIONS:
        raise ComputesOutside(f"computes with torch outside a Triton kernel: {', '.join(sorted(foreign))}")
    if not watch.launches and all(grid):
        raise ComputesOutside("launches no Triton kernel")
    return stores.history() if stores else None


def _argument(raw: dict[str, Any] | None, allocations: dict[str, Allocation]) -> Any:
    if raw is None:
        return None
    if "tensor" in raw:
        return allocations[raw["tensor"]].view(raw["offset"], raw["dtype"])
    value = raw["value"]
    return float(value) if isinstance(value, str) else value


def _is_jit(launcher: Any) -> bool:
    return hasattr(launcher, "arg_names") and hasattr(launcher, "__getitem__")


def _constexprs(kernel: Any, values: list[Any], block: tuple[int, ...]) -> dict[str, Any]:
    """A bare kernel's parameters after the CUDA kernel's own: `BLOCK…` is the number of threads."""
    parameters = inspect.signature(kernel.fn).parameters
    rest = list(parameters.values())[len(values) :]
    if len(parameters) < len(values):
        raise WrongSignature(f"takes {len(parameters)} arguments where the kernel has {len(values)}")
    threads = block[0] * block[1] * block[2]
    known = {p.name: threads for p in rest if p.name.upper().startswith("BLOCK")}
    unknown = [p.name for p in rest if p.default is p.empty and p.name not in known]
    if unknown or len(known) > 1:
        raise WrongSignature(f"a bare kernel with parameters {unknown or sorted(known)} needs a launcher")
    return known


def _bind(
    launcher: Callable[..., Any],
    values: list[Any],
    names: list[str],
    offered: dict[str, Any],
) -> tuple[list[Any], dict[str, Any]]:
    """By position when the counts agree, else by the CUDA kernel's parameter names.

    Of `offered` (the launch's extents, the kernel's global variables) the launcher gets what it names.
    """
    parameters = inspect.signature(launcher).parameters
    keywords = {name: value for name, value in offered.items() if name in parameters and name not in names}
    own = [p for p in parameters.values() if p.name not in keywords]
    required = [p for p in own if p.default is p.empty and p.kind is not p.VAR_KEYWORD]
    variadic = any(p.kind is p.VAR_POSITIONAL for p in own)
    positional = [p for p in own if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if variadic or (len(required) <= len(values) <= len(positional) and _same_names(positional, names)):
        return values, keywords
    by_name = dict(zip(names, values, strict=False))
    missing = [p.name for p in required if p.name not in by_name]
    if missing or len(names) != len(values):
        shown = ", ".join(p.name for p in own)
        raise WrongSignature(
            f"takes ({shown}) where the kernel has {len(values)} arguments ({', '.join(names)}); "
            f"nothing matches {', '.join(missing) or 'them'}"
        )
    return [], {**keywords, **{p.name: by_name[p.name] for p in own if p.name in by_name}}


def _same_names(positional: list[inspect.Parameter], names: list[str]) -> bool:
    """False only when the launcher uses the kernel's names in another order."""
    own = [p.name for p in positional[: len(names)]]
    return own == names or set(own) != set(names)


class _Watch(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Sees what a launcher does besides launching, and may run the programs of a launch in reverse.

    Reversed programs show a missing atomic: a later program must not depend on an earlier one.
    """

    def __init__(self, *, reverse: bool) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.reverse = reverse
        self.operations: set[str] = set()  # also inside a launch: the interpreter only moves tensors
        self.launches = 0
        self.inside = False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        del types
        self.operations.add(func.overloadpacket.__name__)
        return func(*args, **(kwargs or {}))

    def __enter__(self) -> Any:
        self.plain_call = GridExecutor.__call__
        self.plain_index = interpreter_builder.set_grid_idx
        watch = self

        def call(executor: Any, *args: Any, **kwargs: Any) -> Any:
            _check_constants(executor, args, kwargs)
            watch.launches += 1
            watch.inside = True
            try:
                return watch.plain_call(executor, *args, **kwargs)
            finally:
                watch.inside = False

        GridExecutor.__call__ = call
        if self.reverse:
            interpreter_builder.set_grid_idx = self._mirrored
        return super().__enter__()  # type: ignore[no-untyped-call]

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)  # type: ignore[no-untyped-call]
        GridExecutor.__call__ = self.plain_call
        interpreter_builder.set_grid_idx = self.plain_index

    def _mirrored(self, x: int, y: int, z: int) -> None:
        gx, gy, gz = interpreter_builder.grid_dim
        self.plain_index(gx - 1 - x, gy - 1 - y, gz - 1 - z)


_CONSTANTS = (int, float, bool, str, type(None), triton.language.dtype, triton.language.constexpr)


def _check_constants(executor: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """The interpreter hands anything on to a kernel; the compiler only what is known when it compiles."""
    values = {**dict(zip(executor.arg_names, args, strict=False)), **kwargs}
    for name in executor.constexprs:
        if not _is_constant(values.get(name)):
            raise NoKernel(f"{name} of a Triton kernel is a {type(values[name]).__name__}, not a constant")


def _is_constant(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_is_constant(v) for v in value)
    return isinstance(value, _CONSTANTS) or _is_jit(value)


class _StoreWatch:
    """Which program wrote a few bytes last. A store into them counts whatever it writes, an atomic operation
    where it changes them: programs run one after the other.
    """

    def __init__(self, watched: dict[str, Any], allocations: dict[str, Allocation]) -> None:
        self.first = allocations[watched["tensor"]].contents.data_ptr() + watched["offset"]
        self.size = watched["bytes"]
        self.program: tuple[int, int, int] | None = None
        self.writer: tuple[int, int, int] | None = None
        self.stores = 0
        self.held = self._bytes()

    def _bytes(self) -> bytes:
        return ctypes.string_at(self.first, self.size)

    def __enter__(self) -> None:
        self.plain_index = interpreter_builder.set_grid_idx
        self.plain_store = interpreter_builder.create_masked_store
        interpreter_builder.set_grid_idx = self._next_program
        interpreter_builder.create_masked_store = self._store

    def __exit__(self, *error: object) -> None:
        interpreter_builder.set_grid_idx = self.plain_index
        interpreter_builder.create_masked_store = self.plain_store

    def _next_program(self, x: int, y: int, z: int) -> None:
        self._settle()
        self.plain_index(x, y, z)
        self.program = tuple(interpreter_builder.grid_idx)

    def _store(self, pointers: Any, value: Any, mask: Any, *rest: Any) -> Any:
        stored = self.plain_store(pointers, value, mask, *rest)
        places = pointers.data[mask.data.astype(bool)].astype("int64") - self.first
        if bool(((places >= 0) & (places < self.size)).any()):
            self._note()
        return stored

    def _settle(self) -> None:
        """What changed without a store that was seen is the running program's."""
        if self._bytes() != self.held and self.program is not None:
            self._note()
        self.held = self._bytes()

    def _note(self) -> None:
        self.held = self._bytes()
        self.stores += 1
        self.writer = self.program

    def history(self) -> dict[str, Any]:
        self._settle()
        return {"stores": self.stores, "program": list(self.writer or (0, 0, 0))}


if __name__ == "__main__":
    main()
