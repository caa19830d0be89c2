"""Runs as a program of its own: calls a Triton module's launchers with compilation in place of launching.

`python triton_child.py REQUEST.json REPLY.json`. It imports nothing of porter. The launch path of Triton
itself is used up to the launch (so signatures, specialisations and constants are those of a real launch):
the active driver is replaced by one that only names the target, and every run is a warm-up.
"""

from __future__ import annotations

import base64
import importlib.util
import inspect
import json
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.pop(0)  # this file's own folder, whose module names a user's imports must not find

import numpy as np
import torch
import triton
from triton.runtime.autotuner import Autotuner
from triton.runtime.jit import JITFunction

# safetensors' spellings beside torch's own
_DTYPES = {
    "F16": "float16", "BF16": "bfloat16", "F32": "float32", "F64": "float64", "BOOL": "bool",
    "I8": "int8", "I16": "int16", "I32": "int32", "I64": "int64",
    "U8": "uint8", "U16": "uint16", "U32": "uint32", "U64": "uint64",
}  # fmt: skip


def record_instead_of_launching(compiled: dict[str, dict[str, Any]]) -> None:
    """From now on `kernel[grid](...)` compiles, stores what came out under its hash, and launches nothing."""
    original = JITFunction.run

    def run(self: Any, *args: Any, grid: Any, warmup: bool = True, **options: Any) -> Any:
        del warmup
        kernel = original(self, *args, grid=grid, warmup=True, **options)
        if not hasattr(kernel, "asm"):  # an asynchronous compilation
            kernel = kernel.result()
        compiled.setdefault(kernel.metadata.hash, _describe(kernel))
        return kernel

    JITFunction.run = run
    Autotuner.run = _run_every_config


def _run_every_config(self: Any, *args: Any, **options: Any) -> Any:
    """An autotuned kernel may run in any of its configurations, so each of them has to compile."""
    kernel = None
    for config in self.configs:
        kernel = self.fn.run(*args, **{**options, **config.all_kwargs()})
    return kernel


def _describe(kernel: Any) -> dict[str, Any]:
    metadata = kernel.metadata
    return {
        "name": metadata.name,
        "shared_bytes": metadata.shared,
        "num_warps": metadata.num_warps,
        "num_stages": metadata.num_stages,
        "code_object": base64.b64encode(kernel.asm["hsaco"]).decode(),
        "assembly": kernel.asm["amdgcn"],
    }


def load_module(path: Path) -> ModuleType:
    """The user's module, which may import its neighbours."""
    sys.path.insert(0, str(path.parent))
    return load_file(path)


def load_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def call_launcher(module: ModuleType, call: dict[str, Any]) -> None:
    launcher = getattr(module, call["launcher"])
    arguments = [_argument(a) for a in call["arguments"]]
    if isinstance(launcher, JITFunction | Autotuner):
        launcher[tuple(call["grid"] or (1,))](*arguments, **call["keywords"])
        return
    accepted = inspect.signature(launcher).parameters
    keywords = {k: tuple(call[k]) for k in ("grid", "block") if call[k] and k in accepted}
    launcher(*arguments, **keywords, **call["keywords"])


def _argument(spec: dict[str, Any]) -> Any:
    if "scalar" in spec:
        return spec["scalar"]
    dtype = getattr(torch, _DTYPES.get(spec["dtype"], spec["dtype"]))
    # Zeros that the system hands out lazily: a tensor of gigabytes costs nothing until it is read.
    raw = np.zeros(max(spec["n_elems"], 1) * dtype.itemsize, dtype=np.uint8)
    return torch.from_numpy(raw).view(dtype)


def describe_error(error: BaseException, module: Path) -> dict[str, Any]:
    """What went wrong and where in the module: the kernel's line for a compilation, else the last frame's."""
    chain = [error]
    while (cause := chain[-1].__cause__) is not None:
        chain.append(cause)
    located = [e for e in chain if getattr(e, "node", None) is not None and getattr(e, "src", None)]
    if located:
        line, column = _place_in_kernel(located[-1], module)
        return {"kind": "compilation", "message": _reason(chain, located[-1]), "line": line, "column": column}
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(module)]
    compiling = any("triton/compiler" in f.filename for f in traceback.extract_tb(error.__traceback__))
    frame_line: int | None = frames[-1].lineno if frames else getattr(error, "lineno", None)
    message = f"{type(error).__name__}: {error}".splitlines()[0]
    return {
        "kind": "compilation" if compiling else "launcher",
        "message": message,
        "line": frame_line or 1,
        "column": 1,
    }


def _reason(chain: list[BaseException], located: BaseException) -> str:
    last = chain[-1]
    text = getattr(located, "error_message", None) or (str(last) if last is not located else "")
    return str(text or located).strip().splitlines()[-1]


def _place_in_kernel(error: Any, module: Path) -> tuple[int, int]:
    first = error.src.splitlines()[0].strip()
    lines = module.read_text(encoding="utf-8").splitlines()
    start = next((i for i, line in enumerate(lines) if line.strip() == first), 0)
    indent = len(lines[start]) - len(lines[start].lstrip())
    return start + error.node.lineno, error.node.col_offset + indent + 1


def local_files(module: Path) -> list[str]:
    """The module and what it imported from its own folder."""
    files = {str(module)}
    for other in list(sys.modules.values()):
        name = getattr(other, "__file__", None)
        if name and Path(name).parent == module.parent:
            files.add(name)
    return sorted(files)


def main() -> None:
    request = json.loads(Path(sys.argv[1]).read_text())
    module_path = Path(request["module"])
    driver = load_file(Path(__file__).with_name("triton_driver.py")).CompileOnlyDriver
    properties = request["device_properties"]
    triton.runtime.driver.set_active(driver(request["arch"], request["wavefront_size"], properties))
    compiled: dict[str, dict[str, Any]] = {}
    record_instead_of_launching(compiled)
    failure = None
    try:
        module = load_module(module_path)
        for call in request["calls"]:
            call_launcher(module, call)
    except (Exception, SystemExit) as error:
        failure = describe_error(error, module_path)
        traceback.print_exc()
    reply = {"kernels": list(compiled.values()), "failure": failure, "files": local_files(module_path)}
    Path(sys.argv[2]).write_text(json.dumps(reply))


if __name__ == "__main__":
    main()
