"""The wastes of a file's kernels, each with its fix or the reason for none; the file with fixes applied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from porter.analysis.access_values import LaunchShape
from porter.analysis.elementwise import elementwise
from porter.analysis.memory_access import accesses_of
from porter.core.edit import apply_edits
from porter.core.span import SourceText, Span
from porter.cuda.kir import Kernel
from porter.cuda.lower_kernel import Lowered, LoweredKernel
from porter.cuda.structure import Function
from porter.cuda.translation_unit import TranslationUnit, read_translation_unit
from porter.hardware.gpu import Gpu
from porter.hip.tune.block_order import scattered_blocks
from porter.hip.tune.block_size import idle_lanes
from porter.hip.tune.pad_shared import padded_arrays
from porter.hip.tune.records import NOT_ANALYSED, Change, KernelView, NotApplicable, Proposal, Tuning
from porter.hip.tune.uncoalesced import uncoalesced_accesses
from porter.hip.tune.vectorise import narrow_accesses

Finder = Callable[[KernelView], Proposal | None]

# One change of a kernel's whole body is enough: staging first, since it saves more than wide accesses do.
_BODIES: tuple[Finder, ...] = (uncoalesced_accesses, narrow_accesses, scattered_blocks)


def proposals(
    unit: TranslationUnit,
    lowered: Iterable[LoweredKernel],
    gpu: Gpu,
    shapes: Mapping[str, LaunchShape],
) -> tuple[Proposal, ...]:
    """Every waste of every kernel that could be read. `shapes` are the launches the figures are for."""
    found: list[Proposal] = []
    kernels = [item for item in lowered if isinstance(item, Lowered)]
    for span in dict.fromkeys(item.kernel.span for item in kernels):
        own = [item for item in kernels if item.kernel.span == span]
        name = own[0].kernel.name
        try:
            found += [p for view in kernel_views(unit, own, gpu, shapes) for p in _of_kernel(view)]
        except Exception as defect:  # a surprise in one kernel must not take the port along
            reason = f"a defect of porter's analysis: {type(defect).__name__}: {defect}"
            message = f"the memory accesses of {name} could not be analysed"
            found.append(Proposal(NOT_ANALYSED, name, message, own[0].kernel.span, NotApplicable(reason)))
    return tuple(found)


def _of_kernel(view: KernelView) -> Iterable[Proposal]:
    """The wastes of a kernel. Launches and figures are found by name, so that of kernels with one name none
    is changed."""
    alone = sum(f.name == view.kernel.name for f in view.unit.kernels if f.body is not None) == 1
    for proposal in _with_fixes(view):
        shared = NotApplicable("several kernels of the file have this name")
        yield proposal if alone or isinstance(proposal.fix, NotApplicable) else replace(proposal, fix=shared)


def _with_fixes(view: KernelView) -> Iterable[Proposal]:
    rewritten = False
    for finder in _BODIES:
        proposal = finder(view)
        if proposal is None or (rewritten and isinstance(proposal.fix, Change)):
            continue
        rewritten = rewritten or isinstance(proposal.fix, Change)
        yield proposal
    yield from padded_arrays(view)
    if (idle := idle_lanes(view)) is not None:
        yield idle


def kernel_views(
    unit: TranslationUnit,
    lowered: Iterable[LoweredKernel],
    gpu: Gpu,
    shapes: Mapping[str, LaunchShape],
) -> tuple[KernelView, ...]:
    """One view a kernel of this file, of its first instantiation; the text is found by its place, since
    overloads share a name."""
    kernels = [item.kernel for item in lowered if isinstance(item, Lowered)]
    instances = Counter(k.span for k in kernels)
    whole_program = any(f.name == "main" and f.body is not None for f in unit.functions)
    views: dict[Span, KernelView] = {}
    for kernel in kernels:
        function = next((f for f in unit.kernels if _is_text_of(f, kernel)), None)
        shape = shapes.get(kernel.name)
        if function is None or shape is None or kernel.span in views:
            continue
        views[kernel.span] = KernelView(
            unit=unit,
            function=function,
            kernel=kernel,
            launches=tuple(x for x in unit.launches if x.kernel == kernel.name),
            shape=shape,
            accesses=accesses_of(kernel, shape, gpu.memory, gpu.compute.wavefront_size),
            form=elementwise(kernel),
            gpu=gpu,
            instances=instances[kernel.span],
            whole_program=whole_program and _only_launched(unit, function),
        )
    return tuple(views.values())


def _is_text_of(function: Function, kernel: Kernel) -> bool:
    own = kernel.span
    named = function.name_span
    return named.path == own.path and own.start <= named.start < own.end and function.name == kernel.name


def _only_launched(unit: TranslationUnit, function: Function) -> bool:
    """Whether every mention of the kernel is its definition or a launch that was found."""
    mentions = sum(t.text == function.name for t in unit.references)
    launches = sum(x.kernel == function.name for x in unit.launches)
    definitions = sum(f.name == function.name for f in unit.functions)
    return mentions == launches + definitions


def tuned(
    unit: TranslationUnit, found: Iterable[Proposal], without: frozenset[str] = frozenset()
) -> Tuning | None:
    """The file with every applicable change, but none to kernels in `without`; None where there is none."""
    chosen = [p for p in found if isinstance(p.fix, Change) and p.kernel not in without]
    if not chosen:
        return None
    changes = [p.fix for p in chosen if isinstance(p.fix, Change)]
    data = apply_edits(unit.source.data, [edit for change in changes for edit in change.edits])
    return Tuning(
        read_translation_unit(SourceText(unit.source.path, data)),
        frozenset(name for change in changes for name in change.shims),
        tuple(chosen),
    )
