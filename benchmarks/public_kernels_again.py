"""A second opinion on a ported kernel: the module on recorded launches, compared by numpy, not by porter.

`python benchmarks/public_kernels_again.py MODULE FOLDER KERNEL…` runs the launches that FOLDER holds (a
capture, docs/capture-format.md) on the module in Triton's interpreter and prints one JSON object for each.
Integers and booleans have to be equal; floats may differ by `RELATIVE` of the largest value of their buffer.
"""

from __future__ import annotations

import json
import os
import re
import runpy
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ["TRITON_INTERPRET"] = "1"

import numpy as np
import torch
from safetensors.numpy import load_file

# Sums of some thousands of terms in another order, and one rounding more or less of a product.
RELATIVE = {"f2": 4e-3, "f4": 2e-5, "f8": 1e-12}
LAUNCHES_A_KERNEL = 12
SECONDS_A_LAUNCH = 90

_DTYPES = {
    "bool": "?", "char": "i1", "signed char": "i1", "int8_t": "i1", "unsigned char": "u1", "uint8_t": "u1",
    "short": "i2", "int16_t": "i2", "unsigned short": "u2", "uint16_t": "u2", "int": "i4", "int32_t": "i4",
    "unsigned int": "u4", "unsigned": "u4", "uint32_t": "u4", "long": "i8", "long long": "i8",
    "int64_t": "i8",
    "unsigned long": "u8", "unsigned long long": "u8", "size_t": "u8", "uint64_t": "u8", "ull": "u8",
    "float": "f4", "real": "f8", "double": "f8", "__half": "f2", "half": "f2", "float2": "f4", "float3": "f4",
    "float4": "f4", "int2": "i4", "int4": "i4", "half2": "f2", "__half2": "f2", "double2": "f8",
    "DATA_TYPE": "f4", "floatX": "f4", "uint": "u4",
}  # fmt: skip


class TooLong(Exception):
    """A launch took more than `SECONDS_A_LAUNCH`."""


@dataclass(frozen=True)
class Launch:
    """One launch of a capture; `event` is its line, `tensors` the memory before and after."""

    event: Mapping[str, Any]
    tensors: Mapping[str, np.ndarray]


def launches(folder: Path, kernel: str) -> Iterator[Launch]:
    """At most `LAUNCHES_A_KERNEL` whole launches of a kernel, spread over the run."""
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    mine = [e for e in events if e["event"] == "launch" and e["kernel"].partition("<")[0] == kernel]
    whole = [e for e in mine if not e["truncated"] and e.get("tensors")]
    step = max(1, len(whole) / LAUNCHES_A_KERNEL)
    for at in sorted({int(i * step) for i in range(min(len(whole), LAUNCHES_A_KERNEL))}):
        yield Launch(whole[at], load_file(folder / whole[at]["tensors"]))


def dtype_of(spelling: str) -> np.dtype[Any] | None:
    """The elements of a C type; None for what is not in the table."""
    words = [w for w in re.findall(r"\w+", spelling.replace("std::", "")) if w not in ("const", "volatile")]
    words = sorted((w for w in words if not w.startswith("__restrict")), key=lambda w: w != "unsigned")
    plain = " ".join(words)
    plain = plain.removesuffix(" int") if plain.count(" ") and plain != "unsigned int" else plain
    return np.dtype(_DTYPES[plain]) if plain in _DTYPES else None


def run_launch(module: Mapping[str, Any], launch: Launch) -> dict[str, Any]:
    """`status` is equal, differs, or why the launch says nothing; `detail` the first element that differs."""
    event = launch.event
    launcher = _launcher(module, event)
    if launcher is None:
        return {"status": "not in the module"}
    if unknown := [
        a["type"] for a in event["arguments"] if a["kind"] == "struct" or dtype_of(a["type"]) is None
    ]:
        return {"status": f"argument of type {unknown[0]}"}
    memory = {
        n.partition("/")[0]: torch.from_numpy(t.copy()) for n, t in launch.tensors.items() if "before" in n
    }
    values = [_value(a, memory) for a in event["arguments"]]
    keywords = {g["name"]: _symbol(g, memory) for g in event["globals"]}
    taken = launcher.__code__.co_varnames[
        : launcher.__code__.co_argcount + launcher.__code__.co_kwonlyargcount
    ]
    keywords = {k: v for k, v in {**keywords, "block": tuple(event["block"])}.items() if k in taken}
    launcher(*values, grid=tuple(event["grid"]), **keywords)
    return _compared(launch, memory)


def _launcher(module: Mapping[str, Any], event: Mapping[str, Any]) -> Any:
    base = event["kernel"].partition("<")[0].rpartition("::")[2]
    words = [w for a in event.get("template_arguments", ()) for w in re.findall(r"\w+", a)]
    return module.get("_".join([base, *words])) or module.get(base) or module.get(f"{base}_")


def _value(argument: Mapping[str, Any], memory: Mapping[str, torch.Tensor]) -> object:
    dtype = dtype_of(argument["type"])
    assert dtype is not None
    if argument["kind"] == "scalar":
        return np.frombuffer(bytes.fromhex(argument["bytes"]), dtype)[0].item()
    if argument.get("allocation") is None:
        return None
    return _view(memory[str(argument["allocation"])], argument["offset_bytes"], dtype)


def _symbol(variable: Mapping[str, Any], memory: Mapping[str, torch.Tensor]) -> torch.Tensor:
    return _view(memory[str(variable["allocation"])], 0, dtype_of(variable.get("type", "")) or np.dtype("f4"))


def _view(storage: torch.Tensor, offset: int, dtype: np.dtype[Any]) -> torch.Tensor:
    tail = storage[offset:]
    element = torch.from_numpy(np.empty(0, dtype)).dtype
    return tail[: tail.numel() - tail.numel() % dtype.itemsize].view(element)


def _compared(launch: Launch, memory: Mapping[str, torch.Tensor]) -> dict[str, Any]:
    """Every allocation, by the type of the first pointer into it."""
    types = {str(g["allocation"]): g.get("type", "") for g in launch.event["globals"]}
    pointers = [a for a in launch.event["arguments"] if a.get("allocation") is not None]
    types |= {str(a["allocation"]): a["type"] for a in reversed(pointers)}
    elements = 0
    for identifier, contents in memory.items():
        dtype = dtype_of(types.get(identifier, "")) or np.dtype("u1")
        size = contents.numel() // dtype.itemsize * dtype.itemsize
        actual = contents.numpy()[:size].view(dtype)
        expected = launch.tensors[f"{identifier}/after"][:size].view(dtype)
        elements += int((expected != launch.tensors[f"{identifier}/before"][:size].view(dtype)).sum())
        if problem := difference(expected, actual):
            return {"status": "differs", "detail": f"allocation {identifier} ({dtype}): {problem}"}
    return {"status": "equal", "elements": elements}


def difference(expected: np.ndarray, actual: np.ndarray) -> str:
    """The first element that differs too much; equal in another order counts as equal."""
    wrong = _wrong(expected, actual)
    if not wrong.any() or not _wrong(np.sort(expected), np.sort(actual)).any():
        return ""
    at = int(np.flatnonzero(wrong)[0])
    return f"[{at}] is {actual[at]}, not {expected[at]}; {int(wrong.sum())} of {wrong.size}"


def _wrong(expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
    relative = RELATIVE.get(expected.dtype.str[1:])
    if relative is None:
        return np.asarray(expected != actual)
    a, b = expected.astype("f8"), actual.astype("f8")
    finite = a[np.isfinite(a)]
    with np.errstate(invalid="ignore"):
        near = np.abs(a - b) <= relative * (float(np.abs(finite).max()) if finite.size else 0.0)
    return ~(near | (a == b) | (np.isnan(a) & np.isnan(b)))


def main(module: str, folder: str, kernels: Sequence[str]) -> None:
    names = runpy.run_path(module)
    signal.signal(signal.SIGALRM, _stop)
    for kernel in kernels:
        for launch in launches(Path(folder), kernel):
            print(
                json.dumps({"kernel": kernel, "launch": launch.event["index"], **_timed(names, launch)}),
                flush=True,
            )


def _timed(module: Mapping[str, Any], launch: Launch) -> dict[str, Any]:
    start = time.perf_counter()
    signal.alarm(SECONDS_A_LAUNCH)
    try:
        result = run_launch(module, launch)
    except Exception as error:
        # The interpreter wraps whatever is raised in a kernel.
        late = time.perf_counter() - start >= SECONDS_A_LAUNCH
        text = f"{type(error).__name__}: {error}"[:300]
        result = (
            {"status": f"longer than {SECONDS_A_LAUNCH} s"} if late else {"status": "raises", "detail": text}
        )
    finally:
        signal.alarm(0)
    return {**result, "seconds": round(time.perf_counter() - start, 2)}


def _stop(*_: object) -> None:
    raise TooLong


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
