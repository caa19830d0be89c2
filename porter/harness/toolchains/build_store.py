"""Results of builds by content: the same source, headers, flags and tools need no second compilation.

An entry lists the user's files that were read, with their digests; it counts only while all of them are
unchanged. Only successes are kept: why a build failed may lie outside the files (a missing include).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path

from porter.core.atomic_file import write_atomically
from porter.core.cache import cache_directory, digest
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.outcome import Evidence
from porter.core.span import Span
from porter.harness.toolchains.records import Built, CodeObject, InstructionMix, KernelResources

HIP_BUILDS, TRITON_BUILDS = BUILD_STORES = ("hip-builds", "triton-builds")


def load(kind: str, key: str) -> Built | None:
    """The stored result, or None when there is none or a file it depends on has changed."""
    entry = cache_directory(kind) / key
    try:
        stored = json.loads((entry / "result.json").read_text())
        if any(_digest_of(path) != known for path, known in stored["files"].items()):
            return None
        return Built(
            evidence=Evidence(**stored["evidence"]),
            kernels=tuple(_kernel(k) for k in stored["kernels"]),
            code_objects=tuple(_code_object(entry, i, name) for i, name in enumerate(stored["code_objects"])),
            warnings=tuple(_diagnostic(d) for d in stored["warnings"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None  # a damaged or older entry is no entry


def save(kind: str, key: str, built: Built, files: Iterable[Path]) -> None:
    """Stores `built`; `files` are the user's files it was made from."""
    entry = cache_directory(kind) / key
    entry.mkdir(exist_ok=True)
    for index, code in enumerate(built.code_objects):
        write_atomically(entry / f"{index}.hsaco", code.data)
        write_atomically(entry / f"{index}.s", code.assembly.encode())
    document = {
        "files": {str(path): _digest_of(str(path)) for path in files},
        "evidence": {
            "kind": built.evidence.kind,
            "subject": built.evidence.subject,
            "tools": dict(built.evidence.tools),
            "details": dict(built.evidence.details),
        },
        "kernels": [dataclasses.asdict(kernel) for kernel in built.kernels],
        "code_objects": [code.name for code in built.code_objects],
        "warnings": [dataclasses.asdict(warning) for warning in built.warnings],
    }
    write_atomically(entry / "result.json", json.dumps(document).encode())


def _code_object(entry: Path, index: int, name: str) -> CodeObject:
    return CodeObject(name, (entry / f"{index}.hsaco").read_bytes(), (entry / f"{index}.s").read_text())


def _kernel(stored: dict[str, object]) -> KernelResources:
    mix = InstructionMix(**stored.pop("instructions"))  # type: ignore[arg-type]
    return KernelResources(**stored, instructions=mix)  # type: ignore[arg-type]


def _diagnostic(stored: dict[str, object]) -> Diagnostic:
    span = Span(**stored.pop("span"))  # type: ignore[arg-type]
    severity = Severity(stored.pop("severity"))
    return Diagnostic(**stored, span=span, severity=severity)  # type: ignore[arg-type]


def _digest_of(path: str) -> str:
    try:
        return digest(Path(path).read_bytes())
    except OSError:
        return ""
