"""The order of a migration: plan, units, results. It can be killed at any point and gone on with."""

from __future__ import annotations

import fcntl
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from porter.core.atomic_file import write_atomically
from porter.core.cache import cache_directory, digest
from porter.core.errors import InputError
from porter.core.migration_report import MigrationReport
from porter.migrate.build_file_names import is_build_file
from porter.migrate.build_settings import read_build_settings
from porter.migrate.compile_settings import TreeSettings, read_settings
from porter.migrate.discovery import Tree, list_files
from porter.migrate.executors.protocol import Executor, Finished
from porter.migrate.repository.journal import JOURNAL, Journal
from porter.migrate.repository.planning import Surroundings, plan
from porter.migrate.repository.request import MigrationRequest
from porter.migrate.repository.results import Result, Results
from porter.migrate.repository.spending import Spending, spending_of
from porter.migrate.repository.summary import summary
from porter.migrate.repository.units import Unit
from porter.migrate.repository.work import Worker, is_passing
from porter.pipeline.agent.agent import Agent
from porter.pipeline.run_directory import RunDirectory, cannot_be_kept
from porter.pipeline.run_lock import in_use

RECORD = "migration.json"


@dataclass(frozen=True)
class Migration:
    """A migration that is open: nobody else works on its tree."""

    request: MigrationRequest
    tree: Tree
    folder: Path
    journal: Journal
    results: Results
    settings: TreeSettings

    def worker(self, make_agent: Callable[[], Agent | None] | None = None) -> Worker:
        names = tuple(list_files(self.tree, is_build_file))
        candidates = self.folder.parent.parent / "candidates"
        return Worker(self.request, names, self.settings, candidates, self.folder / "agent", make_agent)

    def run(self, executor: Executor, progress: Callable[[Finished], None]) -> MigrationReport:
        """Works on what waits. Raises InputError where results cannot be kept, with what is done kept."""
        start = time.monotonic()
        self.journal.working()
        for finished in executor.run(self.journal.waiting()):
            done = finished.done
            try:
                self.results.save(done)
            except OSError as error:
                raise cannot_be_kept(error) from error
            self.journal.finished(done.unit, done.state, finished.seconds)
            progress(finished)
        return self.report(time.monotonic() - start)

    @property
    def spending(self) -> Spending:
        return spending_of(self.folder)

    def report(self, seconds: float = 0.0) -> MigrationReport:
        return summary(self.request, self.journal, self.results, str(self.folder), seconds)


@contextmanager
def opened(request: MigrationRequest, tree: Tree, base: Path, *, resume: bool) -> Iterator[Migration]:
    """A new migration below `base`, or the last one there of the same tree and options.

    Raises InputError where another process works on the tree, and where there is nothing to resume.
    """
    settings = replace(read_settings(tree, request.database), build=read_build_settings(tree))
    with _alone(tree.root):
        folder = _last(base, request) if resume else _new(base, request)
        with in_use(folder):
            journal = Journal(folder / JOURNAL)
            try:
                around = Surroundings(repr(settings))
                journal.plan(plan(tree, request.target, around))
                results = Results(folder, around.by_kind())
                _agree(journal, results)
                yield Migration(request, tree, folder, journal, results, settings)
            finally:
                journal.close()


def _agree(journal: Journal, results: Results) -> None:
    """The files are what counts: what has a result that stays is done, all else is not."""
    journal.again(unit for unit in journal.done() if _lasting(results, unit) is None)
    journal.found((u, found.state) for u in journal.waiting() if (found := _lasting(results, u)) is not None)


def _lasting(results: Results, unit: Unit) -> Result | None:
    found = results.whole(unit)
    return None if found is None or is_passing(found.document) else found


def _new(base: Path, request: MigrationRequest) -> Path:
    named = {"subject": str(request.root), "target": str(request.target)}
    folder = RunDirectory.create(base, "migrate", request.key.encode(), **named).path
    record = {
        "root": str(request.root),
        "target": request.target.value,
        "arch": request.arch,
        "check": request.check,
        "agent": request.agent,
        "key": request.key,
    }
    try:
        write_atomically(folder / RECORD, json.dumps(record, indent=2).encode())
    except OSError as error:
        raise cannot_be_kept(error) from error
    return folder


def _last(base: Path, request: MigrationRequest) -> Path:
    same_tree = False
    for path in sorted((base / "runs").glob(f"*/{RECORD}"), reverse=True):
        try:
            record = json.loads(path.read_bytes())
        except (OSError, ValueError):
            continue
        if record.get("key") == request.key:
            return path.parent
        same_tree = same_tree or record.get("root") == str(request.root)
    if same_tree:
        raise InputError(
            f"--resume: no migration of {request.root} with these options was begun here",
            hint="give the options that it was begun with, or begin a new one",
        )
    raise InputError(f"--resume: no migration of {request.root} was begun here", hint="leave out --resume")


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """The lock goes with the process, however it ends."""
    with (cache_directory("locks") / digest(str(root))).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(
                f"{root}: another migration of it is under way", hint="wait for its end"
            ) from None
        yield
