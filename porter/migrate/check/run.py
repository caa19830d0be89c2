"""The order of a check: which files, what changed, the findings of each, and what of them is accepted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatch

from porter.core.check_report import CheckFinding, CheckReport, FailOn, Region
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.errors import InputError
from porter.core.outcome import Target
from porter.core.span import Span
from porter.migrate.check.affected import with_affected
from porter.migrate.check.baseline import Baseline
from porter.migrate.check.changes import FileChange, changes_since
from porter.migrate.check.configuration import CheckConfig
from porter.migrate.check.jobs import analyse_all
from porter.migrate.check.locate import fingerprint
from porter.migrate.check.request import CheckRequest, FileFindings, FileJob, Selection
from porter.migrate.compile_settings import TreeSettings, read_settings
from porter.migrate.discovery import Listed, Tree, find_files, is_ignored
from porter.migrate.pages import pages

BROKEN_DATABASE = "CHK009"


def run_check(request: CheckRequest, tree: Tree, config: CheckConfig) -> CheckReport:
    """Raises InputError for paths, a base or a baseline that cannot be used; never for what files hold."""
    baseline = Baseline.read(request.baseline) if request.baseline is not None else None
    changes = _changes(request, tree, config)
    settings = read_settings(tree, request.compile_commands) if _needs_settings(request) else TreeSettings()
    work = _work(request, tree, config, changes, settings)
    results = [FileFindings(settings.path, (_broken(settings),), analysed=False)] if settings.broken else []
    files = 0
    for result in analyse_all(work, request.jobs):
        files += result.analysed
        if result.findings:
            results.append(result)
    found = _numbered(_each_once(results))
    judged, stale = baseline.accept(found, tree.root) if baseline is not None else (found, 0)
    return CheckReport(
        target=request.target,
        arch=request.arch,
        findings=tuple(f for f in judged if f.acceptance is None),
        accepted=tuple(f for f in judged if f.acceptance is not None),
        files=files,
        fail_on=request.fail_on or config.fail_on or FailOn.WARNING,
        base=request.base,
        # A check of some of the files, or of changes, says nothing of entries for others.
        stale_baseline=stale if changes is None and _is_whole(request, tree) else 0,
        pages=pages(),
    )


def _files(request: CheckRequest, tree: Tree, config: CheckConfig) -> Iterator[Listed]:
    for file in find_files(tree, request.paths):
        asked_for = file.is_named and not request.force_exclude
        if asked_for or not (_excluded(file, config) or (file.is_named and is_ignored(tree, file.name))):
            yield file


def _work(
    request: CheckRequest,
    tree: Tree,
    config: CheckConfig,
    changes: Mapping[str, FileChange] | None,
    settings: TreeSettings,
) -> Iterator[FileJob]:
    selection = _selection(request.selection, config)
    for file in _files(request, tree, config):
        if changes is None or file.name in changes:
            yield FileJob(
                tree.root,
                file.name,
                file.is_cuda_by_name,
                request.target,
                request.arch,
                selection,
                changes[file.name] if changes is not None else None,
                request.verify,
                settings.of(file.name),
            )


def _needs_settings(request: CheckRequest) -> bool:
    """The text alone tells what a port to HIP does; other checks compile."""
    return request.compile_commands is not None or request.verify or request.target is Target.TRITON


def _broken(settings: TreeSettings) -> CheckFinding:
    hint = "configure the build again, or name another with --compile-commands"
    span = Span(settings.path, 0, 0, 1, 1)
    diagnostic = Diagnostic(BROKEN_DATABASE, Severity.WARNING, settings.broken, span, hint)
    name = fingerprint(BROKEN_DATABASE, "", settings.broken)
    return CheckFinding(diagnostic, Region(1, 1, 1, 1), fingerprint=name)


def _is_whole(request: CheckRequest, tree: Tree) -> bool:
    return any(path.resolve() == tree.root for path in request.paths)


def _selection(asked: Selection, config: CheckConfig) -> Selection:
    """What the command line selects goes before the configuration; what either ignores is ignored."""
    return Selection(
        _known(asked.select, "--select") or config.select,
        (*_known(asked.ignore, "--ignore"), *config.ignore),
        config.per_file_ignores,
    )


def _known(codes: tuple[str, ...], option: str) -> tuple[str, ...]:
    """Raises InputError for what is no code and no beginning of one."""
    for code in codes:
        if not code or not any(known.startswith(code) for known in pages()):
            raise InputError(
                f"{option} {code}: porter has no such finding", hint="porter rules lists the codes"
            )
    return codes


def _excluded(file: Listed, config: CheckConfig) -> bool:
    parts = file.name.split("/")
    places = ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
    return any(
        fnmatch(p, x.rstrip("/")) or fnmatch(p, f"*/{x.rstrip('/')}") for x in config.exclude for p in places
    )


def _changes(request: CheckRequest, tree: Tree, config: CheckConfig) -> dict[str, FileChange] | None:
    if not request.base:
        return None
    if not tree.is_git:
        raise InputError(f"--diff {request.base}: {tree.root} is no git repository", hint="check it whole")
    changes = changes_since(tree.root, request.base)
    return with_affected(tree.root, changes, (f.name for f in _files(request, tree, config)))


def _each_once(results: Iterable[FileFindings]) -> Iterator[CheckFinding]:
    """A header's finding is told once, whoever includes it."""
    every = (finding for result in results for finding in result.findings)
    return iter(dict.fromkeys(sorted(every, key=lambda f: (f.path, f.diagnostic.span, f.diagnostic.code))))


def _numbered(findings: Iterable[CheckFinding]) -> list[CheckFinding]:
    seen: Counter[tuple[str, str]] = Counter()
    numbered: list[CheckFinding] = []
    for finding in findings:
        key = (finding.path, finding.fingerprint)
        seen[key] += 1
        numbered.append(replace(finding, occurrence=seen[key]))
    return numbered
