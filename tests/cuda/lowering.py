"""What the lowering tests share: source text to kernels, and a C++ compiler to compare with."""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec

from porter.core.span import SourceText
from porter.cuda.kir import Kernel
from porter.cuda.kir_printer import print_kernel
from porter.cuda.launches import find_launches
from porter.cuda.lower_kernel import Lowered, LoweredKernel, NotLowered, lower_kernels


def lower_text(text: str, path: str = "kernel.cu") -> tuple[LoweredKernel, ...]:
    source = SourceText(path, text.encode())
    return lower_kernels(source, find_launches(source))


def only_kernel(text: str) -> Kernel:
    (result,) = lower_text(text)
    assert isinstance(result, Lowered), result.diagnostic
    return result.kernel


def printed(text: str) -> str:
    return print_kernel(only_kernel(text))


def body_lines(text: str) -> list[str]:
    """The statements of the only kernel, without its head and closing brace."""
    lines = printed(text).rstrip("\n").split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("kernel "))
    return [line[2:] for line in lines[start + 1 : -1]]


def refusal(text: str) -> NotLowered:
    (result,) = [r for r in lower_text(text) if isinstance(r, NotLowered)]
    return result


def host_compiler() -> list[str] | None:
    """A C++17 compiler as a command, None where the machine has none."""
    for name in ("g++", "clang++", "c++"):
        found = shutil.which(name)
        if found:
            return [found]
    return [sys.executable, "-m", "ziglang", "c++"] if find_spec("ziglang") else None
