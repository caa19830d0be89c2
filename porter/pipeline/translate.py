"""Step 3 of the ladder: the deterministic producers, by target."""

from __future__ import annotations

from dataclasses import replace

from porter.analysis.walk import walk
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.outcome import Producer, Target
from porter.cuda.kir import Builtin, Kernel
from porter.cuda.launch import LaunchSite
from porter.cuda.lower_kernel import Lowered, LoweredKernel, NotLowered
from porter.cuda.translation_unit import TranslationUnit
from porter.harness.judge import Judged
from porter.hip.options import HipOptions
from porter.hip.translate import translate_hip
from porter.pipeline.draft import Draft
from porter.pipeline.headers import port_headers, porters_headers, rename_includes
from porter.pipeline.missing_includes import missing_includes
from porter.pipeline.original import NotRun, Original
from porter.pipeline.read import reported_kernels
from porter.pipeline.request import PortRequest
from porter.pipeline.samples import samples_for
from porter.tile.api import KernelLaunch, TileOptions, TileTranslation
from porter.tile.lower import translate_triton
from porter.tile.unused_functions import without_unused_functions

NO_BLOCK = "TIL040"
_NO_BLOCK_HINT = "launch the kernel with a constant block size, or write a porter.toml with a launch of it"
_USUAL_THREADS = 256


def translate(
    request: PortRequest, unit: TranslationUnit, lowered: tuple[LoweredKernel, ...], original: Original
) -> Draft:
    """Never raises for what a kernel contains: what cannot be translated is in `declined` with its reason."""
    if request.target is Target.HIP:
        draft = translate_to_hip(request, unit)
        names = reported_kernels(request, unit, lowered)
        return replace(draft, translated=tuple(name for name in names if name not in draft.declined))
    draft = _to_triton(request, lowered, original)
    return replace(draft, findings=missing_includes(request, unit))


def translate_to_hip(
    request: PortRequest, unit: TranslationUnit, called: frozenset[str] = frozenset()
) -> Draft:
    """`called` are definitions of porter that the text of `unit` calls already."""
    options = HipOptions(arch=request.arch, style=request.style, rocm=request.rocm)
    translation = translate_hip(unit, options, called=called)
    headers = port_headers(unit, request.search_path, options, renamed=not request.in_place)
    written = [*headers.written, translation.headers]
    ours = {kernel.name for kernel in unit.header_kernels}
    declined = {name: why for name, why in headers.declined.items() if name in ours}
    return Draft(
        target=Target.HIP,
        producer=Producer.RULES,
        text=rename_includes(unit.source.path, translation.text, headers.names),
        declined={**declined, **translation.declined_kernels},
        findings=(*translation.findings, *headers.findings),
        headers={**headers.contents, **porters_headers(written)},
    )


def _to_triton(request: PortRequest, lowered: tuple[LoweredKernel, ...], original: Original) -> Draft:
    declined = {item.kernel_name: item.diagnostic for item in lowered if isinstance(item, NotLowered)}
    kernels: list[KernelLaunch] = []
    for item in lowered:
        if not isinstance(item, Lowered) or not request.wants(item.kernel.name):
            continue
        launch = _with_used_blocks(item, original)
        blocks = _blocks(item.kernel.name, launch, original)
        assumed = None if blocks else _assumed_block(item.kernel, original)
        if blocks:
            kernels.append(KernelLaunch(item.kernel, launch, blocks[0], blocks[1:]))
        elif assumed is not None:
            kernels.append(KernelLaunch(item.kernel, launch, assumed, is_assumed=True))
        else:
            declined[item.kernel.name] = _no_block(item, original)
    translation = translate_triton(
        tuple(kernels),
        TileOptions(
            arch=request.arch,
            autotune=request.autotune,
            allow_tf32=request.allow_tf32,
            samples=samples_for(request, original, tuple(k.kernel for k in kernels)),
            checked=request.check,
        ),
        source_name=request.source.name,
    )
    declined.update(translation.declined)
    return Draft(
        target=Target.TRITON,
        producer=Producer.COMPILER,
        text=translation.text.encode(),
        declined=declined,
        translated=tuple(k.kernel.name for k in kernels if k.kernel.name not in declined),
        idioms={kernel.launcher_name: kernel.raised for kernel in translation.kernels},
        notes=_notes(translation),
    )


def _notes(translation: TileTranslation) -> dict[str, tuple[Diagnostic, ...]]:
    """By the original's name; the instantiations of a template share theirs."""
    found: dict[str, tuple[Diagnostic, ...]] = {}
    for kernel in translation.kernels:
        found[kernel.original] = tuple(dict.fromkeys((*found.get(kernel.original, ()), *kernel.notes)))
    return found


def _with_used_blocks(item: Lowered, original: Original) -> LaunchSite | None:
    """The launch, told of blocks that the program used where none of the launches that were found has them.

    A template's launches are not told apart in a run, so that the source alone says what its blocks are.
    """
    launch = item.launch
    if launch is None or launch.block_dim is None or item.kernel.template_arguments:
        return launch
    known = {launch.block_dim, *launch.other_blocks}
    more = tuple(b for b in original.blocks_of(item.kernel.name) if b not in known)
    return replace(launch, other_blocks=(*launch.other_blocks, *more))


def _blocks(kernel: str, launch: LaunchSite | None, original: Original) -> tuple[tuple[int, int, int], ...]:
    """The block that the source fixes, else those of all launches and those that the program used."""
    if launch is None:
        return original.blocks_of(kernel)
    used, others = original.blocks_of(kernel), [b for b in launch.other_blocks if b is not None]
    if launch.block_dim is None:
        return tuple(dict.fromkeys((*used, *others)))
    if not launch.other_blocks:
        return (launch.block_dim,)
    return tuple(dict.fromkeys((launch.block_dim, *others, *used)))


def _assumed_block(kernel: Kernel, original: Original) -> tuple[int, int, int] | None:
    """A usual block where no run of the program could tell one, for kernels that know only x.

    The launcher asks for the block then, and takes those only that the kernel was shown right for.
    """
    if isinstance(original.judgement, Judged):
        return None
    functions = without_unused_functions(kernel).functions.values()
    bodies = (kernel.body, *(function.body for function in functions))
    for node in (node for body in bodies for node in walk(body)):
        if isinstance(node, Builtin) and node.name in ("threadIdx", "blockDim") and node.axis in ("y", "z"):
            return None
    return min((_USUAL_THREADS, *kernel.launch_bounds[:1])), 1, 1


def _no_block(item: Lowered, original: Original) -> Diagnostic:
    return Diagnostic(
        NO_BLOCK,
        Severity.ERROR,
        f"the number of threads a block of {item.kernel.name} is not known: no launch with a constant block "
        f"size was found, and no run of the program shows it ({original.reason or 'it is never launched'})",
        item.launch.span if item.launch else item.kernel.span,
        f"leave out --no-check, {_NO_BLOCK_HINT}"
        if isinstance(original.judgement, NotRun)
        else _NO_BLOCK_HINT,
    )
