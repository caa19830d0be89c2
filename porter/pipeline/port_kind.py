"""What kind of port a file is, told before anything is built: a file of the wrong kind is one clear error."""

from __future__ import annotations

import re
from pathlib import Path

from porter.core.errors import InputError
from porter.core.outcome import Target
from porter.cuda.input import check_input
from porter.cuda.platform import Platform
from porter.cuda.translation_unit import TranslationUnit, has_cuda, read_translation_unit

_TARGETS = {
    ".py": Target.TRITON,
    ".hip": Target.HIP,
    ".cpp": Target.HIP,
    ".cu": Target.HIP,
    ".cc": Target.HIP,
}
_EXPECTED = "a port is HIP (.hip, .cpp, .cu) or a Triton module (.py)"


def port_target(original: Path, port: Path) -> Target:
    """Raises InputError where `original` is no CUDA source, or `port` is no port or the original itself."""
    target = _TARGETS.get(port.suffix)
    if target is None:
        raise InputError(f"{port}: HIP (.hip, .cpp, .cu) or a Triton module (.py) is expected")
    if original.suffix == ".py":
        raise InputError(f"{original}: the original is a Python file", hint="porter verify ORIGINAL.cu PORT")
    check_input(original)
    text = check_input(port)
    if original.exists() and original.samefile(port):
        raise InputError(f"{port}: the port is the original itself", hint=_EXPECTED)
    if target is Target.HIP:
        _check_hip(port, read_translation_unit(text))
    elif not re.search(r"^\s*(import|from)\s+triton\b", text.text, re.MULTILINE):
        raise InputError(f"{port}: no Triton in this file: it never imports it", hint=_EXPECTED)
    return target


def _check_hip(port: Path, unit: TranslationUnit) -> None:
    if not has_cuda(unit) and unit.platform is not Platform.HIP:
        raise InputError(f"{port}: no HIP in this file", hint=_EXPECTED)
    if unit.platform is Platform.CUDA and _is_cuda(unit):
        raise InputError(
            f"{port}: this file is CUDA, not a port of it",
            hint=f"{_EXPECTED}; `porter translate {port} --target hip` makes one",
        )


def _is_cuda(unit: TranslationUnit) -> bool:
    """Whether it uses CUDA by name: kernels alone, without a runtime, are HIP as well."""
    included = any(i.target.startswith("cuda") for i in unit.includes)
    return included or any(t.text.startswith("cuda") and t.text[4:5].isupper() for t in unit.references)
