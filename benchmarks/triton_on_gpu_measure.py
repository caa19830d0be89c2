"""Run on a machine with an NVIDIA GPU, from the folder that `triton_on_gpu.py prepare` has made."""

from __future__ import annotations

import functools
import importlib.util
import inspect
import os
import re
import statistics
import subprocess
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cupy
import numpy
import tomllib
import torch
import triton

HERE = Path(__file__).parent
TYPES = {
    "float": torch.float32, "double": torch.float64, "half": torch.float16, "int": torch.int32,
    "int64": torch.int64, "int8": torch.int8, "uint8": torch.uint8,
}  # fmt: skip
WARM_UP, REPLAYS = 5, 30


def compile_original(name: str) -> tuple[str, str]:
    """PTX names and the cubin of a fixture, or what nvcc said."""
    cubin, ptx = HERE / f"{name}.cubin", HERE / f"{name}.ptx"
    for kind, output in (("-cubin", cubin), ("-ptx", ptx)):
        done = subprocess.run(
            ["nvcc", kind, "-O3", "-arch=sm_90", "-std=c++17", "-w", "-o", output, HERE / f"{name}.cu"],
            capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(done.stderr[-500:])
    return str(cubin), ptx.read_text()


def entry(ptx: str, kernel: str, template: str) -> str:
    """The mangled name of the kernel's instantiation; the first one where the spec names none."""
    names = re.findall(r"\.entry (\w+)", ptx)
    plain = subprocess.run(["c++filt", *names], capture_output=True, text=True).stdout.splitlines()
    for mangled, text in zip(names, plain, strict=True):
        if re.search(rf"\b{kernel}(<|\()", text) and (
            not template or re.search(rf"<[^>]*\b{template}\b", text)
        ):
            return mangled
    raise RuntimeError(f"no kernel {kernel}<{template}> among {plain}")


def array(spec: dict, generator: torch.Generator) -> torch.Tensor:
    dtype, count, fill = TYPES[spec["type"]], spec["count"], spec.get("fill", "normal")
    if fill == "zeros":
        return torch.zeros(count, dtype=dtype, device="cuda")
    if fill == "normal":
        return torch.randn(count, device="cuda", generator=generator).to(dtype)
    if "step" in fill:
        return (torch.arange(count, device="cuda") * fill["step"]).to(dtype)
    drawn = torch.randint(fill["low"], fill["high"] + 1, (count,), device="cuda", generator=generator)
    return (drawn.sort().values if fill.get("sorted") else drawn).to(dtype)


def arguments_of(launch: dict) -> list:
    generator = torch.Generator(device="cuda")
    generator.manual_seed(7)
    return [array(a, generator) if isinstance(a, dict) and "type" in a else a for a in launch["args"]]


def for_cuda(argument: object) -> object:
    match argument:
        case torch.Tensor():
            return numpy.uint64(argument.data_ptr())
        case bool():
            return numpy.bool_(argument)
        case int():
            return numpy.int32(argument) if argument < 2**31 else numpy.uint32(argument)
        case float():
            return numpy.float32(argument)
        case {"i64": value}:
            return numpy.int64(value)
        case {"bool": value}:
            return numpy.bool_(value)
    raise TypeError(argument)


def for_triton(argument: object) -> object:
    return next(iter(argument.values())) if isinstance(argument, dict) else argument


def extent(value: object) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def original(launch: dict, compiled: tuple[str, str], arguments: list) -> object:
    cubin, ptx = compiled
    module = cupy.RawModule(path=cubin)
    function = module.get_function(entry(ptx, launch["kernel"], launch.get("template", "")))
    for name, values in launch.get("constants", {}).items():
        data = numpy.array(values, numpy.float32)
        module.get_global(name).copy_from_host(data.ctypes.data, data.nbytes)
    packed = tuple(map(for_cuda, arguments))
    grid, block = ((*extent(launch[key]), 1, 1)[:3] for key in ("grid", "block"))

    def run() -> None:
        with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            function(grid, block, packed, shared_mem=launch.get("shared_bytes", 0))

    return run


def port(launch: dict, arguments: list) -> object:
    path = HERE / f"{launch['fixture']}.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    launcher = getattr(module, launch.get("launcher", launch["kernel"]))
    given, grid = list(map(for_triton, arguments)), extent(launch["grid"])
    given += [torch.tensor(values, device="cuda") for values in launch.get("constants", {}).values()]
    block = " x ".join(map(str, extent(launch["block"])))
    taken = inspect.signature(launcher).parameters
    if "shared_bytes" in taken:
        launcher = functools.partial(launcher, shared_bytes=launch.get("shared_bytes", 0))
    if "block" in taken:
        whole = (*extent(launch["block"]), 1, 1)[:3]
        return lambda: launcher(*given, grid=grid, block=whole)
    written = " ".join((launcher.__doc__ or "").split())
    if not re.search(rf"blocks? of {block} threads|a program for each tile of the result", written):
        raise RuntimeError(f"the port is not for blocks of {block}: {launcher.__doc__}")
    return lambda: launcher(*given, grid=grid)


def milliseconds(run: object) -> float:
    run()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        run()
    times = []
    for k in range(WARM_UP + REPLAYS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        times += [begin.elapsed_time(end)] if k >= WARM_UP else []
    return statistics.median(times)


def compare(left: list, right: list) -> str:
    """Equal, or the largest difference over the buffer's largest value; sorted where that is smaller."""
    worst = 0.0
    for a, b in zip(left, right, strict=True):
        if not isinstance(a, torch.Tensor) or torch.equal(a, b):
            continue
        a, b = a.double(), b.double()
        scale = a.abs().max().item() or 1.0
        difference = ((a - b).abs().max() / scale).item()
        if difference > 1e-3:
            difference = ((a.sort().values - b.sort().values).abs().max() / scale).item()
        worst = max(worst, difference if difference == difference else float("inf"))
    return f"{worst:.0e}" if worst else "equal"


def measure(launch: dict, compiled: tuple[str, str]) -> tuple[str, str, str]:
    mine, theirs = arguments_of(launch), arguments_of(launch)
    cuda, triton = original(launch, compiled, mine), port(launch, theirs)
    cuda()
    triton()
    torch.cuda.synchronize()
    result = compare(mine, theirs)
    return f"{milliseconds(cuda):.4f}", f"{milliseconds(triton):.4f}", result


def main() -> None:
    launches = tomllib.loads((HERE / "launches.toml").read_text())["launch"]
    names = sorted({launch["fixture"] for launch in launches})
    with ThreadPoolExecutor(12) as pool:
        compiled = dict(zip(names, pool.map(compile_original, names), strict=True))
    out = Path(os.environ.get("OUT", HERE)) / "triton-on-gpu.tsv"
    only = set(sys.argv[1:])
    with out.open("w") as table:
        for launch in launches:
            if only and launch["kernel"] not in only:
                continue
            try:
                row = measure(launch, compiled[launch["fixture"]])
            except Exception as error:
                traceback.print_exc(limit=3)
                row = ("-", "-", f"{type(error).__name__}: {' '.join(str(error).split())[:200]}")
            line = "\t".join((launch["kernel"], *row))
            print(line, flush=True)
            table.write(line + "\n")
            table.flush()
            torch.cuda.empty_cache()
    print(torch.cuda.get_device_name(), torch.version.cuda, torch.__version__, triton.__version__)


if __name__ == "__main__":
    main()
