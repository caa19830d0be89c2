"""The compute capability, asked for as a device attribute.

What it finds: `cudaDevAttrComputeCapabilityMajor`, its name in the driver interface, and
`cuDeviceComputeCapability`; not the minor version, which is asked for beside them.

Why it matters: on AMD the values mean GPU generations (9 to 12): a decision that was made for compute
capabilities is made by chance.

What porter does: renames the attribute, and reports it.

Example: ask for the feature itself, such as the shared memory a block can have, or compare
`prop.gcnArchName`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_NAMES = frozenset(
    (
        "cudaDevAttrComputeCapabilityMajor",
        "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR",
        "cuDeviceComputeCapability",
    )
)


@rule("API027", "compute-capability-attribute")
def compute_capability_attribute(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for token in unit.references if not _NAMES.isdisjoint(unit.words) else ():
        if token.text in _NAMES:
            message = f"{token.text} is a GPU generation on AMD (9 to 12), no compute capability"
            hint = "ask for the feature that is needed, or compare gcnArchName"
            yield Diagnostic("API027", Severity.WARNING, message, unit.span_of(token), hint)
