"""The codes of the harness: why a port does not build, and what a Triton port may not do."""

from __future__ import annotations

from collections.abc import Mapping

CODES: Mapping[str, str] = {
    "BLD901": "the compiler rejects the port",
    "BLD902": "a warning of the compiler",
    "BLD903": "a kernel needs more LDS than a workgroup has",
    "BLD904": "a name is declared and defined nowhere",
    "BLD905": "a kernel is not in the code object",
    "BLD906": "Triton's compiler rejects a kernel",
    "BLD907": "a launcher of the Triton module failed",
    "BLD908": "the launchers of the Triton module launched nothing",
    "VER001": "the port is no Python module",
    "VER002": "a launcher launches no Triton kernel",
    "VER003": "an import that a port has no use for",
    "VER004": "numbers are computed outside of a Triton kernel",
    "VER005": "the port reaches outside of itself, or keeps state between launches",
    "VER006": "something Triton does not run as a kernel",
    "VER007": "no main() can be used to launch the kernel: its launches were inferred",
    "VER008": "no main() can be used to launch the kernel, and no launch could be inferred",
    "VER009": "the launches that a porter.toml gives a kernel do not compile, or fail",
    "VER010": "a HIP port that a model wrote reads files that are no part of it",
    "VER011": "a HIP port that a model wrote reaches outside of itself where the original does not",
    "VER012": "a HIP port that a model wrote is not the same code for every compiler",
}
