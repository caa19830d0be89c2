"""One unit, from its text to its port: what a worker does, in any process and on any machine.

The result depends on the tree and the request alone: no times, no folders of this machine are in it.
"""

from __future__ import annotations

import errno
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from porter.core.cache import digest
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.errors import ExitCode, PorterError, Refused
from porter.core.outcome import Target
from porter.core.result import Report
from porter.core.span import SourceText, Span
from porter.cuda.input import check_input
from porter.cuda.translation_unit import TranslationUnit, has_cuda, has_kernels, read_translation_unit
from porter.hip.build_files.build_file import SERVES_HIP, BuildFile
from porter.hip.build_files.cmake import ProjectPackages, project_packages, translate_cmake
from porter.hip.build_files.makefile import own_folders, translate_makefile
from porter.hip.build_files.presets import translate_presets
from porter.hip.build_files.reported import report_bazel, report_meson, report_pyproject
from porter.hip.build_files.setup_py import translate_setup_py
from porter.hip.dual_header import COMPATIBILITY_HEADER
from porter.hip.options import HipOptions
from porter.hip.own_headers import own_header_names
from porter.hip.rocm_version import installed_rocm
from porter.hip.translate import translate_hip
from porter.migrate.build_file_names import is_cmake, is_makefile, is_presets, is_pyproject, is_setup_py
from porter.migrate.build_settings import Found
from porter.migrate.compile_settings import TreeSettings
from porter.migrate.discovery import is_hip_alone
from porter.migrate.repository.request import MigrationRequest
from porter.migrate.repository.units import Kind, State, Unit, UnitDone, crashed
from porter.migrate.source_files import Unusable, read_source_file
from porter.pipeline.agent.agent import Agent
from porter.pipeline.header_kernels import with_header_kernels
from porter.pipeline.headers import with_the_users_includes
from porter.pipeline.launches import INFERRED
from porter.pipeline.port import PortResult, port
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory
from porter.report.json_report import finding_document, to_document
from porter.simulator.compile_commands import CompileSettings

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)


@dataclass(frozen=True)
class Worker:
    """`build_files` are the names of all build files of the tree: what one uses, another has to find.

    `candidates` is where ports are tried, in folders named by what is in them; below `conversations` each
    unit has a folder of what models were asked for it. `make_agent` is called in the process that works;
    None: no model is asked.
    """

    request: MigrationRequest
    build_files: tuple[str, ...]
    settings: TreeSettings
    candidates: Path
    conversations: Path
    make_agent: Callable[[], Agent | None] | None = None

    @cached_property
    def _agent(self) -> Agent | None:
        return self.make_agent() if self.make_agent is not None else None

    def perform(self, unit: Unit) -> UnitDone:
        """Never raises for what a unit holds."""
        try:
            os.chdir(self.request.root)  # so that paths in reports are those of the tree
            return self._perform(unit)
        except Refused as refused:
            return UnitDone(unit, State.OPEN, {}, _document(refused.diagnostics, "it cannot be parsed"))
        except PorterError as error:
            shown = os.fsencode(unit.name).decode("utf-8", "backslashreplace")
            return UnitDone(unit, State.OPEN, {}, _document(reason=error.message.removeprefix(f"{shown}: ")))
        except (Exception, RecursionError) as error:
            if isinstance(error, OSError) and error.errno in _NO_ROOM:
                return crashed(unit, f"no room for it on this machine: {error.strerror}", passing=True)
            what = " ".join(str(error).split())[:200]
            return crashed(unit, f"a defect of porter: {type(error).__name__}: {what}")

    def _perform(self, unit: Unit) -> UnitDone:
        found = read_source_file(Path(unit.name))
        if isinstance(found, Unusable):
            return UnitDone(unit, State.OPEN, {}, _document(reason=f"the file {found.message}"))
        if unit.kind is Kind.BUILD:
            return self._build_file(unit)
        return self._kernels(unit) if unit.kind is Kind.KERNELS else self._translated(unit)

    def _build_file(self, unit: Unit) -> UnitDone:
        built = translate_build_file(unit.name, self.request.architectures, self.build_files)
        reason = _serves_both(built)
        if reason or has_errors(built.findings):
            state = State.OPEN
        else:
            state = State.TRANSLATED if built.edits else State.UNCHANGED
        files = {unit.name: built.text} if built.edits else {}
        return UnitDone(unit, state, files, _document(built.findings, reason))

    def _translated(self, unit: Unit) -> UnitDone:
        """A header or host code, on its own; a file that turns out to hold no CUDA stays."""
        source = read_translation_unit(check_input(Path(unit.name)))
        if not has_cuda(source) or is_hip_alone(unit.name, source):
            return UnitDone(unit, State.UNCHANGED, {}, _document())
        options = HipOptions(arch=self.request.arch, style=self.request.style, rocm=installed_rocm())
        done = translate_hip(source, options)
        files = with_porters_headers(unit.name, done.text, done.headers) if done.edits else {}
        if has_errors(done.findings):
            state = State.OPEN
        else:
            state = State.TRANSLATED if files else State.UNCHANGED
        return UnitDone(unit, state, files, _document(done.findings))

    def _kernels(self, unit: Unit) -> UnitDone:
        settings, found = self._settings(unit.name)
        request = self._port_request(unit, settings)
        source = with_header_kernels(read_translation_unit(check_input(request.source)), request.search_path)
        has_any = has_kernels(source) or source.header_kernels
        if not has_any or is_hip_alone(unit.name, source):
            if self.request.target is Target.TRITON:
                return UnitDone(unit, State.UNCHANGED, {}, _document())
            return self._translated(unit)
        with tempfile.TemporaryDirectory(prefix="porter-unit-") as scratch:
            said = self.conversations / digest(os.fsencode(unit.name))[:16]
            run = RunDirectory(Path(scratch), self.candidates, said)
            result = port(request, run, agent=self._agent)
        files = self._files(unit, request, source, result)
        document = to_document(replace(result.report, run_directory=""))
        _name_in_the_tree(document, self.request.root)
        document["findings"] += [finding_document(_found(unit.name, place)) for place in found]
        for kernel in document["units"]:
            kernel["output"] = next(iter(files), None)  # where it is written, not where it was tried
        for conversation in _conversations(document):
            path = Path(conversation["trajectory"])
            conversation["trajectory"] = f"{self.conversations.name}/{path.parent.name}/{path.name}"
        return UnitDone(unit, self._state(result.report), files, document)

    def _state(self, report: Report) -> State:
        if report.exit_code is ExitCode.OK:
            return State.PORTED
        statuses = {u.status for u in report.units}
        unproved = not self.request.check and statuses == {"partial"} and not has_errors(report.findings)
        return State.TRANSLATED if unproved else State.OPEN

    def _files(
        self, unit: Unit, request: PortRequest, source: TranslationUnit, result: PortResult
    ) -> dict[str, bytes]:
        """A port that is wrong somewhere, or has no kernel, is not written."""
        statuses = {u.status for u in result.report.units}
        if not result.draft.text or "failed" in statuses or statuses <= {"declined"}:
            return {}
        draft = result.draft
        if self.request.target is Target.TRITON:
            name = str(PurePosixPath(unit.name).with_suffix(".py"))
            return with_porters_headers(name, draft.text, draft.headers)
        # The user's headers are units of their own, and ported where they are.
        text = with_the_users_includes(source, draft.text, request.search_path)
        return with_porters_headers(unit.name, text, draft.headers)

    def _settings(self, name: str) -> tuple[CompileSettings, tuple[Found, ...]]:
        """What a database says of the file; else what the build files say, and where headers are found."""
        root = self.request.root
        if name in self.settings.by_name:
            return self.settings.of(name), ()
        options = self.settings.build.of(name)
        given = (os.path.relpath(path, root) for path in self.request.include_dirs)
        found = self.settings.build.found_for(root, name, (*given, *options.include_dirs))
        folders = (*options.include_dirs, *(place.folder for place in found))
        return CompileSettings(tuple(root / folder for folder in folders), options.defines), found

    def _port_request(self, unit: Unit, settings: CompileSettings) -> PortRequest:
        return PortRequest(
            source=Path(unit.name),
            target=self.request.target,
            arch=self.request.arch,
            also=self.request.also,
            include_dirs=(*settings.include_dirs, *self.request.include_dirs),
            defines=(*settings.defines, *self.request.defines),
            check=self.request.check,
            seed=self.request.seed,
            style=self.request.style,
            rocm=installed_rocm(),
        )


def _name_in_the_tree(document: Mapping[str, Any], root: Path) -> None:
    """Places in headers, which folders of the search path lead to, by their names in the tree; no name of a
    folder that goes away with the unit."""
    for finding in (*document["findings"], *(f for u in document["units"] for f in u["findings"])):
        finding["path"] = os.path.normpath(finding["path"].removeprefix(f"{root}/"))
        if finding["code"] == INFERRED:
            finding["hint"] = f"porter translate {finding['path']} writes them as a porter.toml to change"


def _found(name: str, place: Found) -> Diagnostic:
    folder = "the repository's root" if place.folder == "." else place.folder
    message = f"{place.header} was found in {folder}, which no build file names for this one"
    hint = "-I or a compile_commands.json names others"
    return Diagnostic("BLD015", Severity.NOTE, message, Span(name, 0, 0, 1, 1), hint)


def _conversations(document: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    asked = document.get("agent") or {"work": ()}
    return (c for work in asked["work"] for c in work["conversations"])


def is_passing(document: Mapping[str, Any]) -> bool:
    """Whether a later run may come to something else: a worker had no room or was killed, or a model could
    not be asked to the end."""
    return bool(document.get("passing")) or any(c["unanswered"] for c in _conversations(document))


def with_porters_headers(name: str, text: bytes, headers: Mapping[str, bytes]) -> dict[str, bytes]:
    """A port and what porter wrote for it, which stands beside it. The user's own headers are units of their
    own."""
    folder = PurePosixPath(name).parent
    own = {*own_header_names(), COMPATIBILITY_HEADER}
    beside = {str(folder / header): data for header, data in headers.items() if header in own}
    return {name: text, **beside}


def translate_build_file(name: str, architectures: tuple[str, ...], all_names: tuple[str, ...]) -> BuildFile:
    """By its name; `all_names` are those of the tree's build files. Paths are relative to here."""
    source = SourceText.read(Path(name))
    base = PurePosixPath(name).name
    if is_setup_py(name):
        return translate_setup_py(source)
    if is_presets(name):
        return translate_presets(source, architectures)
    if is_pyproject(name):
        return report_pyproject(source)
    if base == "meson.build":
        return report_meson(source)
    if base.startswith("BUILD") or base.endswith(".bzl"):
        return report_bazel(source)
    if is_cmake(name):
        return translate_cmake(source, architectures, _packages(all_names))
    return translate_makefile(source, architectures, _own_folders(all_names))


def _serves_both(built: BuildFile) -> str:
    """What is said of a file that was left alone because it builds for HIP, if it builds for CUDA as well.

    Its sources are HIP's now."""
    left = next((f.message for f in built.findings if f.code == SERVES_HIP), "")
    return left if re.search(r"\bCUDA\b|\bnvcc\b", built.source.text) else ""


@lru_cache(maxsize=1)
def _packages(names: tuple[str, ...]) -> ProjectPackages:
    """A worker looks through the project's files of a kind once."""
    return project_packages([SourceText.read(Path(name)) for name in names if is_cmake(name)])


@lru_cache(maxsize=1)
def _own_folders(names: tuple[str, ...]) -> frozenset[str]:
    return own_folders([SourceText.read(Path(name)) for name in names if is_makefile(name)])


def has_errors(findings: Iterable[Diagnostic]) -> bool:
    return any(f.severity is Severity.ERROR for f in findings)


def _document(findings: Iterable[Diagnostic] = (), reason: str = "") -> dict[str, Any]:
    return {"units": [], "findings": [finding_document(f) for f in findings], "reason": reason}
