"""Many kernels in one program: run in the simulator, translated, run in Triton's interpreter, compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import torch

from porter.core.span import SourceText
from porter.harness.tolerance import fallback_bound
from porter.simulator.build import build_program
from porter.simulator.options import Face
from porter.simulator.run import run_program
from tests.tile.random_kernels.hazards import watched
from tests.tile.random_kernels.kernels import Buffer, RandomKernel, Scalar
from tests.tile.replay import import_text, translate_source

GUARD = 1 << 16
_HOST = r"""
static FILE* in;
static FILE* out;
static char* up(size_t bytes) {
  char* host = (char*)malloc(bytes);
  if (fread(host, 1, bytes, in) != bytes) abort();
  char* device;
  cudaMalloc(&device, bytes);
  cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
  free(host);
  return device;
}
static void down(char* device, size_t bytes) {
  char* host = (char*)malloc(bytes);
  cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost);
  fwrite(host, 1, bytes, out);
  cudaFree(device);
  free(host);
}
"""


@dataclass(frozen=True)
class Agrees:
    """Every buffer is the same, floats that are rounded within the harness's tolerance."""


@dataclass(frozen=True)
class Declines:
    code: str
    message: str


@dataclass(frozen=True)
class Differs:
    """`problem` is the first buffer with other contents, or what the module raised."""

    problem: str
    module: str = ""


Result = Agrees | Declines | Differs


def compare(kernels: Sequence[RandomKernel], folder: Path) -> list[Result]:
    """One result a kernel. Raises where the simulator finds a fault: the generator is wrong then."""
    source = program_text(kernels)
    path = folder / "kernels.cu"
    path.write_text(source, encoding="utf-8")
    expected = _simulated(kernels, path, folder)
    blocks = {f"k{at}": [k.block] for at, k in enumerate(kernels)}
    translation = translate_source(SourceText("kernels.cu", source.encode()), blocks)
    declined = {name: Declines(d.code, d.message) for name, d in translation.declined}
    known = {k.launcher_name for k in translation.kernels}
    module = import_text(translation.text, folder / f"port_{folder.name.replace('-', '_')}.py")
    results: list[Result] = []
    for at, kernel in enumerate(kernels):
        name = f"k{at}"
        if name in declined:
            results.append(declined[name])
        elif name not in known:
            results.append(_not_lowered(source, name))
        else:
            results.append(_compared(kernel, getattr(module, name), expected[at], translation.text))
    return results


def _not_lowered(source: str, name: str) -> Declines:
    from porter.cuda.launches import find_launches
    from porter.cuda.lower_kernel import NotLowered, lower_kernels

    text = SourceText("kernels.cu", source.encode())
    lowered = [k for k in lower_kernels(text, find_launches(text)) if isinstance(k, NotLowered)]
    found = next(k.diagnostic for k in lowered if k.kernel_name == name)
    return Declines(found.code, found.message)


def program_text(kernels: Sequence[RandomKernel]) -> str:
    """The kernels, and a main() that launches each once on the contents of in.bin."""
    parts = ["#include <cstdio>", "#include <cstdlib>", "#include <cuda_runtime.h>", ""]
    parts += [k.text(f"k{at}") for at, k in enumerate(kernels)]
    parts.append(_HOST)
    parts += [_launch(k, f"k{at}") for at, k in enumerate(kernels)]
    calls = "".join(f"  run_k{at}({k.block[0]}, {k.block[1]});\n" for at, k in enumerate(kernels))
    parts.append(
        'int main() {\n  in = fopen("in.bin", "rb");\n  out = fopen("out.bin", "wb");\n'
        f"{calls}  fclose(out);\n  return 0;\n}}\n"
    )
    return "\n".join(parts)


def _launch(kernel: RandomKernel, name: str) -> str:
    x, y, z = kernel.block
    block = f"dim3({x}, {y}, {z})" if kernel.fixed_block else "dim3(width, height)"
    grid = ", ".join(map(str, kernel.grid))
    lines = [f"  char* {b.name} = up({b.contents.nbytes});" for b in kernel.buffers]
    arguments = ", ".join(_argument(p) for p in kernel.parameters)
    lines.append(f"  {name}<<<dim3({grid}), {block}>>>({arguments});")
    lines += [f"  down({b.name}, {b.contents.nbytes});" for b in kernel.buffers]
    return f"static void run_{name}(int width, int height) {{\n" + "\n".join(lines) + "\n}\n"


def _argument(parameter: Buffer | Scalar) -> str:
    if isinstance(parameter, Buffer):
        return f"({parameter.type.name}*){parameter.name}"
    if parameter.type.is_float:
        return repr(parameter.value)
    return f"{parameter.value}{'ull' if parameter.type.bits == 64 else ''}"


def _simulated(kernels: Sequence[RandomKernel], path: Path, folder: Path) -> list[list[np.ndarray]]:
    (folder / "in.bin").write_bytes(b"".join(b.contents.tobytes() for k in kernels for b in k.buffers))
    done = run_program(build_program([path], face=Face.CUDA), cwd=folder)
    assert done.ok, (
        done.returncode,
        [str(e) for e in done.errors],
        done.stderr.decode(errors="replace")[-500:],
    )
    data = (folder / "out.bin").read_bytes()
    found, at = [], 0
    for kernel in kernels:
        own = []
        for buffer in kernel.buffers:
            own.append(np.frombuffer(data[at : at + buffer.contents.nbytes], buffer.type.dtype))
            at += buffer.contents.nbytes
        found.append(own)
    return found


def _compared(kernel: RandomKernel, launcher: object, expected: list[np.ndarray], text: str) -> Result:
    memory = [_guarded(b.contents) for b in kernel.buffers]
    tensors = [
        m[GUARD : m.numel() - GUARD].view(torch.from_numpy(b.contents).dtype)
        for m, b in zip(memory, kernel.buffers, strict=True)
    ]
    waiting = iter(tensors)
    arguments = [next(waiting) if isinstance(p, Buffer) else p.value for p in kernel.parameters]
    code = launcher.__code__  # type: ignore[attr-defined]
    taken = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    keywords = {"block": kernel.block} if "block" in taken else {}
    try:
        with undefined_values(), watched(tensors) as hazards:
            launcher(*arguments, grid=kernel.grid, **keywords)  # type: ignore[operator]
    except Exception as error:
        return Differs(f"raises {type(error).__name__}: {error}"[:600], text)
    if hazards.found:
        return Differs(hazards.found, text)
    for buffer, storage, tensor, wanted in zip(kernel.buffers, memory, tensors, expected, strict=True):
        if not bool((torch.cat((storage[:GUARD], storage[-GUARD:])) == 0xA5).all()):
            return Differs(f"writes outside of {buffer.name}", text)
        if problem := difference(buffer, wanted, tensor.numpy()):
            return Differs(problem, text)
    return Agrees()


@contextmanager
def undefined_values() -> Iterator[None]:
    """What a GPU leaves open is not 0: what masked loads without `other` give, and fresh memory."""
    # Here, because `tests.tile.replay` tells Triton first that it is to interpret.
    from triton.runtime.interpreter import TensorHandle, interpreter_builder

    plain_load, plain_empty = interpreter_builder.create_masked_load, torch.empty

    def load(pointers: Any, mask: Any, other: Any, *rest: Any) -> Any:
        if other is None:
            type_ = pointers.get_element_ty()
            found = plain_load(pointers, mask, None, *rest).data
            other = TensorHandle(_garbage(found), type_)
        return plain_load(pointers, mask, other, *rest)

    def empty(*arguments: Any, **keywords: Any) -> torch.Tensor:
        made = plain_empty(*arguments, **keywords)
        return torch.from_numpy(_garbage(made.numpy()))

    with (
        mock.patch.object(interpreter_builder, "create_masked_load", load),
        mock.patch.object(torch, "empty", empty),
    ):
        yield


def _garbage(like: np.ndarray) -> np.ndarray:
    if like.dtype.kind == "f":
        return np.full_like(like, np.nan)
    return np.full(like.nbytes, 0x5B, np.uint8).view(like.dtype).reshape(like.shape) if like.size else like


def _guarded(contents: np.ndarray) -> torch.Tensor:
    """The bytes of a buffer between guards, in which a store outside of it shows."""
    storage = torch.full((contents.nbytes + 2 * GUARD,), 0xA5, dtype=torch.uint8)
    storage[GUARD : GUARD + contents.nbytes] = torch.from_numpy(contents.view(np.uint8).copy())
    return storage


def difference(buffer: Buffer, expected: np.ndarray, actual: np.ndarray) -> str:
    if buffer.rounded:
        from porter.harness.dtypes import F32, F64

        bound = fallback_bound(expected.astype("f8"), F32 if buffer.type.bits == 32 else F64, 1)
        with np.errstate(invalid="ignore"):
            near = np.abs(expected.astype("f8") - actual.astype("f8")) <= bound
        wrong = ~(near | (expected == actual) | (np.isnan(expected) & np.isnan(actual)))
    else:
        wrong = expected != actual
    if not wrong.any():
        return ""
    at = int(np.flatnonzero(wrong)[0])
    return (
        f"{buffer.name}[{at}] is {actual[at]}, not {expected[at]}; {int(wrong.sum())} of {wrong.size} differ"
    )
