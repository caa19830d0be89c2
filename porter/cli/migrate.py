"""`porter migrate REPO --target hip|triton`: a whole repository, with its build files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from porter.agent.budget import Budget, Ledger
from porter.agent.shared_ledger import shared
from porter.cli.agent_options import (
    AgentMaker,
    AgentModel,
    AgentName,
    AgentOptions,
    AgentStrategy,
    BaseUrl,
    BudgetSeconds,
    BudgetSteps,
    BudgetTokens,
    BudgetUsd,
    Candidates,
    Mailbox,
    PriceOption,
    Replay,
    chosen_agent,
    described,
    given_budget,
)
from porter.cli.console import err, out
from porter.cli.migration_plan import print_plan
from porter.cli.options import Arch, Define, Include, Seed
from porter.core.errors import InputError
from porter.core.outcome import Target
from porter.hip.options import Style
from porter.migrate.discovery import Tree, all_names, whole_tree
from porter.migrate.executors.local import LocalExecutor
from porter.migrate.executors.protocol import Executor, Finished
from porter.migrate.executors.ray_cluster import RayExecutor, connected
from porter.migrate.repository.output import (
    check_branch,
    check_in_place,
    check_output,
    port_of,
    write_branch,
    write_in_place,
    write_tree,
)
from porter.migrate.repository.request import MigrationRequest
from porter.migrate.repository.run import Migration, opened
from porter.report.check.shown import counted, one_line
from porter.report.migration_json import format_migration
from porter.report.migration_text import print_migration


def migrate(
    repository: Annotated[
        Path, typer.Argument(metavar="REPO", help="the folder of the repository", show_default=False)
    ],
    target: Annotated[
        Target, typer.Option("--target", "-t", help="what to port to", show_default=False)
    ] = ...,  # type: ignore[assignment]
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="new folder for the whole ported tree", show_default=False),
    ] = None,
    in_place: Annotated[bool, typer.Option("--in-place", help="write into the repository")] = False,
    branch: Annotated[str, typer.Option(help="commit the port on a new branch; the working tree stays")] = "",
    plan_only: Annotated[
        bool, typer.Option("--plan", help="say what would be done; do and write nothing")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="go on with the last migration of this repository")
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="files at a time; 0: one a core")] = 0,
    ray: Annotated[
        str, typer.Option("--ray", help="work on a Ray cluster: auto, local, HOST:PORT or ray://HOST:PORT")
    ] = "",
    arch: Arch = "gfx950",
    style: Annotated[
        Style, typer.Option(help="HIP: spelled out, or CUDA's spelling with one compatibility header")
    ] = Style.REWRITE,
    no_check: Annotated[
        bool, typer.Option("--no-check", help="translate only: build and run nothing")
    ] = False,
    compile_commands: Annotated[
        Path | None,
        typer.Option(help="how sources are compiled; default: the repository's own", show_default=False),
    ] = None,
    include: Include = None,
    define: Define = None,
    unit_seconds: Annotated[float, typer.Option(min=1, help="most seconds for one file")] = 1800.0,
    agent: AgentName = None,
    agent_model: AgentModel = None,
    base_url: BaseUrl = None,
    price: PriceOption = None,
    mailbox: Mailbox = None,
    replay: Replay = None,
    strategy: AgentStrategy = None,
    candidates: Candidates = None,
    budget_usd: BudgetUsd = None,
    budget_tokens: BudgetTokens = None,
    budget_steps: BudgetSteps = None,
    budget_seconds: BudgetSeconds = None,
    force: Annotated[
        bool, typer.Option("--force", help="--in-place: also without git, or with changes")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="print the report as JSON (porter-migration-1)")
    ] = False,
    seed: Seed = 0,
) -> int:
    """Port a repository: its kernels with their proof, its host code, headers and build files.

    The repository stays as it is unless --in-place is given. A run that was interrupted, or killed, goes on
    with --resume. Exit code 0: everything was ported; 1: something needs a person; 2: the input or the
    options cannot be used.
    """
    tree = whole_tree(repository)
    options = AgentOptions(
        name=agent,
        models=tuple(agent_model or ()),
        base_url=base_url,
        price=price,
        mailbox=mailbox.resolve() if mailbox else None,
        replay=replay.resolve() if replay else None,
        strategy=strategy,
        candidates=candidates,
        budget=given_budget(budget_usd, budget_tokens, budget_steps, budget_seconds),
    )
    asked = chosen_agent(options, checked=not no_check)
    if plan_only:
        return print_plan(tree, target, asked)
    _check_destination(tree, output, in_place, branch, force=force)
    request = MigrationRequest(
        root=tree.root,
        target=target,
        arch=arch,
        style=style,
        check=not no_check,
        seed=seed,
        database=compile_commands,
        include_dirs=tuple(path.resolve() for path in include or ()),
        defines=tuple(define or ()),
        unit_seconds=unit_seconds,
        agent=described(options),
    )
    with opened(request, tree, Path(".porter").resolve(), resume=resume) as migration:
        if migration.settings.broken:
            err().print(f"{migration.settings.path}: not used: {migration.settings.broken}", markup=False)
        with _executor(migration, options, ray, jobs) as executor, _progress(migration) as tell:
            report = migration.run(executor, tell)
        port = port_of(migration.journal, migration.results)
        left_out, uncommitted = [], []
        if output is not None:
            left_out = write_tree(tree, port, output)
        elif in_place:
            write_in_place(tree, port)
        else:
            uncommitted = write_branch(tree, port, branch)
    _say("not in it, being repositories of their own or unreadable", left_out)
    _say("on the branch too are changes that are not committed, of", uncommitted)
    if json:
        print(format_migration(report))
    else:
        print_migration(report, out())
        where = f"branch {branch}" if branch else str(output or tree.root)
        err().print(f"wrote {counted(len(port.files), 'ported file')} to {where}", markup=False)
    return report.exit_code


def _say(what: str, names: list[str]) -> None:
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    if names:
        err().print(f"{what}: {', '.join(map(one_line, names[:5]))}{more}", markup=False)


@contextmanager
def _executor(migration: Migration, options: AgentOptions, address: str, jobs: int) -> Iterator[Executor]:
    """The workers, with their agents: processes of this machine, or actors of a cluster."""
    if not address:
        with _agent_maker(options, migration, None) as make_agent:
            yield LocalExecutor(migration.worker(make_agent), jobs or os.cpu_count() or 1)
        return
    with connected(address) as cluster, _agent_maker(options, migration, cluster.host) as make_agent:
        names = tuple(all_names(migration.tree))
        yield RayExecutor(migration.worker(make_agent), cluster, jobs, migration.folder, names)


@contextmanager
def _agent_maker(
    options: AgentOptions, migration: Migration, host: str | None
) -> Iterator[AgentMaker | None]:
    """What workers make their agents with: one budget for all, and for what was spent before a kill."""
    if not migration.request.agent:
        yield None
        return
    spending = migration.spending
    ledger = Ledger(options.budget or Budget(), spending.by_conversation(), spending.add)
    with shared(ledger, host) as account:
        yield AgentMaker(options, account)


def _check_destination(tree: Tree, output: Path | None, in_place: bool, branch: str, *, force: bool) -> None:
    """Raises InputError unless there is one place to write to, and it can be written."""
    if (output is not None) + in_place + bool(branch) != 1:
        raise InputError(
            "a migration writes to one place", hint="give one of -o FOLDER, --branch NAME, --in-place"
        )
    if output is not None:
        check_output(output, tree)
    elif in_place:
        check_in_place(tree, force=force)
    else:
        check_branch(tree, branch)


@contextmanager
def _progress(migration: Migration) -> Iterator[Callable[[Finished], None]]:
    """A bar with the time left on a terminal, nothing elsewhere."""
    counts = migration.journal.counts()
    name = TextColumn("{task.description}", markup=False)
    columns = (name, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err(), disable=not err().is_terminal, transient=True) as bar:
        done = counts.total() - sum(n for (_, state), n in counts.items() if state is None)
        task = bar.add_task("porting", total=counts.total(), completed=done)

        def tell(finished: Finished) -> None:
            bar.update(task, advance=1, description=one_line(finished.done.unit.name)[-40:])

        yield tell
