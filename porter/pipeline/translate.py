"""Step 3 of the ladder: the deterministic producers, by target."""

from __future__ import annotations

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.outcome import Producer, Target
from porter.cuda.lower_kernel import Lowered, LoweredKernel, NotLowered
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.options import HipOptions
from porter.hip.translate import translate_hip
from porter.pipeline.draft import Draft
from porter.pipeline.headers import port_headers, porters_headers, rename_includes
from porter.pipeline.original import Original
from porter.pipeline.request import PortRequest
from porter.pipeline.samples import samples_for
from porter.tile.api import KernelLaunch, TileOptions
from porter.tile.lower import translate_triton

NO_BLOCK = "TIL040"


def translate(
    request: PortRequest, unit: TranslationUnit, lowered: tuple[LoweredKernel, ...], original: Original
) -> Draft:
    """Never raises for what a kernel contains: what cannot be translated is in `declined` with its reason."""
    if request.target is Target.HIP:
        return translate_to_hip(request, unit)
    return _to_triton(request, lowered, original)


def translate_to_hip(
    request: PortRequest, unit: TranslationUnit, called: frozenset[str] = frozenset()
) -> Draft:
    """`called` are definitions of porter that the text of `unit` calls already."""
    options = HipOptions(arch=request.arch, style=request.style, rocm=request.rocm)
    translation = translate_hip(unit, options, called=called)
    headers = port_headers(unit, request.search_path, options, renamed=not request.in_place)
    written = [*headers.written, translation.headers]
    return Draft(
        target=Target.HIP,
        producer=Producer.RULES,
        text=rename_includes(unit.source.path, translation.text, headers.names),
        declined=translation.declined_kernels,
        findings=(*translation.findings, *headers.findings),
        headers={**headers.contents, **porters_headers(written)},
    )


def _to_triton(request: PortRequest, lowered: tuple[LoweredKernel, ...], original: Original) -> Draft:
    declined = {item.kernel_name: item.diagnostic for item in lowered if isinstance(item, NotLowered)}
    kernels: list[KernelLaunch] = []
    for item in lowered:
        if not isinstance(item, Lowered) or not request.wants(item.kernel.name):
            continue
        blocks = _blocks(item, original)
        if blocks:
            kernels.append(KernelLaunch(item.kernel, item.launch, blocks[0], blocks[1:]))
        else:
            declined[item.kernel.name] = _no_block(item, original)
    translation = translate_triton(
        tuple(kernels),
        TileOptions(
            arch=request.arch,
            autotune=request.autotune,
            allow_tf32=request.allow_tf32,
            samples=samples_for(request, original, tuple(k.kernel for k in kernels)),
        ),
        source_name=request.source.name,
    )
    declined.update(translation.declined)
    return Draft(
        target=Target.TRITON,
        producer=Producer.COMPILER,
        text=translation.text.encode(),
        declined=declined,
        idioms={kernel.launcher_name: kernel.raised for kernel in translation.kernels},
    )


def _blocks(item: Lowered, original: Original) -> tuple[tuple[int, int, int], ...]:
    """The block that the source fixes, else those that the program used."""
    fixed = item.launch.block_dim if item.launch else None
    return (fixed,) if fixed else original.blocks_of(item.kernel.name)


def _no_block(item: Lowered, original: Original) -> Diagnostic:
    return Diagnostic(
        NO_BLOCK,
        Severity.ERROR,
        f"the number of threads a block of {item.kernel.name} is not known: no launch with a constant block "
        f"size was found, and no run of the program shows it ({original.reason or 'it is never launched'})",
        item.launch.span if item.launch else item.kernel.span,
        "launch it with a constant block size, or let porter run the program",
    )
