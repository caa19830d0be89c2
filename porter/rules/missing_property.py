"""Fields of `cudaDeviceProp` that `hipDeviceProp_t` does not have.

What it finds: such a field, read from a variable that the file declares as `cudaDeviceProp`.

Why it matters: it does not compile, or (deviceOverlap) does not say what it says on NVIDIA.

What porter does: leaves it and reports it.

Example: `prop.gpuPciDeviceID` becomes `prop.pciDeviceID`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.tokens import Kind
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

# Fields of CUDA 13's cudaDeviceProp that HIP 7.1's hipDeviceProp_t lacks.
_MISSING = {
    "deferredMappingCudaArraySupported": "remove the test",
    "deviceNumaConfig": "read the topology from the operating system",
    "deviceNumaId": "read the topology from the operating system",
    "gpuPciDeviceID": "use pciDeviceID",
    "gpuPciSubsystemID": "use pciDeviceID",
    "hostNumaId": "read the topology from the operating system",
    "hostNumaMultinodeIpcSupported": "remove the test",
    "mpsEnabled": "there is no multi-process service on AMD: remove the test",
    "sparseCudaArraySupported": "remove the test",
}
_DIFFERENT = {"deviceOverlap": "use asyncEngineCount", "kernelExecTimeoutEnabled": "remove the test"}


@rule("API011", "missing-property")
def missing_property(unit: TranslationUnit) -> Iterator[Diagnostic]:
    if "cudaDeviceProp" not in unit.words:
        return
    tokens = unit.tokenized.code
    declared = {
        tokens[i + 1].text
        for i, token in enumerate(tokens[:-1])
        if token.text == "cudaDeviceProp" and tokens[i + 1].kind is Kind.IDENTIFIER
    }
    for i in range(2, len(tokens)):
        if tokens[i - 1].text not in (".", "->") or tokens[i - 2].text not in declared:
            continue
        field, span = tokens[i].text, unit.span_of(tokens[i])
        if field in _MISSING:
            message = f"hipDeviceProp_t has no field {field}"
            yield Diagnostic("API011", Severity.ERROR, message, span, _MISSING[field])
        elif field in _DIFFERENT:
            message = f"{field} says nothing useful on AMD"
            yield Diagnostic("API011", Severity.WARNING, message, span, _DIFFERENT[field])
