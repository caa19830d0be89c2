"""A port on whole wavefronts: proved, built and verified like any port, and as it was where that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from porter.analysis.effects.collectives import WAVEFRONT_SIZE
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import SourceText
from porter.cuda.lower_kernel import LoweredKernel, lower_kernels
from porter.cuda.translation_unit import TranslationUnit, read_translation_unit
from porter.hip.widen.records import KEPT, Widening, finding_of
from porter.hip.widen.widen import widen
from porter.pipeline.decide import Checked
from porter.pipeline.draft import Draft
from porter.pipeline.request import PortRequest
from porter.pipeline.translate import translate_to_hip
from porter.pipeline.tune import not_verified

ROUNDS = 2
"""How many widened ports are built and verified at most; each takes as long as the plain one did."""

GROUPS_RULE = "WAV001"


def widen_port(
    request: PortRequest,
    unit: TranslationUnit,
    lowered: Iterable[LoweredKernel],
    plain: Checked,
    check: Callable[[Draft], Checked],
) -> Checked:
    """The port with every kernel widened that provably can be and verifies, and why others are not."""
    known = tuple(lowered)
    failed: dict[str, str] = {}
    for _ in range(ROUNDS):
        widening = _widening(request, unit, known, frozenset(failed))
        if not widening.widened:
            return _with_findings(plain, unit, widening, failed)
        draft = translate_to_hip(request, widening.unit, widening.shims)
        draft = replace(
            draft,
            findings=plain.draft.findings,
            declined=plain.draft.declined,
            grid_scale={w.kernel: w.grid_scale for w in widening.widened if w.grid_scale > 1},
        )
        checked = replace(plain, draft=draft) if not request.check else check(draft)
        wrong = not_verified(sorted(widening.kernels), checked, plain) if request.check else {}
        if not wrong:
            return _with_findings(checked, unit, widening, failed)
        failed |= wrong
    nothing = replace(widening, unit=unit, widened=())
    return _with_findings(plain, unit, nothing, failed)


def _widening(
    request: PortRequest, unit: TranslationUnit, lowered: tuple[LoweredKernel, ...], without: frozenset[str]
) -> Widening:
    def lower(source: SourceText) -> tuple[LoweredKernel, ...]:
        launches = read_translation_unit(source).launches
        return lower_kernels(
            source,
            launches,
            include_dirs=request.search_path,
            defines=request.defines,
            largest_tile=WAVEFRONT_SIZE,
        )

    return widen(unit, lowered, lower, wanted=request.wants, without=without)


def _with_findings(
    checked: Checked, unit: TranslationUnit, widening: Widening, failed: dict[str, str]
) -> Checked:
    """Findings point into the user's source, which the widened text is not."""
    names = {name for w in widening.widened for name in (w.kernel, *w.functions)}
    own = [f for f in checked.draft.findings if f.code != GROUPS_RULE or not _stands_in(unit, f, names)]
    told = [*map(finding_of, widening.widened), *map(finding_of, widening.kept)]
    told += [_not_kept(unit, kernel, reason) for kernel, reason in failed.items()]
    return replace(checked, draft=replace(checked.draft, findings=(*own, *told)))


def _stands_in(unit: TranslationUnit, finding: Diagnostic, names: set[str]) -> bool:
    function = unit.function_at(finding.span.start)
    return function is not None and function.name in names


def _not_kept(unit: TranslationUnit, kernel: str, reason: str) -> Diagnostic:
    span = next(k.name_span for k in unit.all_kernels if k.name == kernel)
    message = f"{kernel} keeps its groups of 32 lanes: with 64 it was not verified: {reason}"
    return Diagnostic(KEPT, Severity.NOTE, message, span, "a proof said it can: please report this")
