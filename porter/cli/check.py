"""`porter check [PATHS]`: what in a repository will not carry over to AMD GPUs; nothing is built or run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from porter.cli.console import err
from porter.cli.options import Arch
from porter.cli.output import write_output
from porter.core.check_report import CheckReport, FailOn
from porter.core.errors import ExitCode, InputError
from porter.core.outcome import Target
from porter.migrate.check.baseline import baseline_text
from porter.migrate.check.configuration import CheckConfig, read_check_config
from porter.migrate.check.fixes import apply_fixes
from porter.migrate.check.request import CheckRequest, Selection
from porter.migrate.check.run import run_check
from porter.migrate.discovery import find_tree
from porter.report.check.formats import FORMATTERS, CheckFormat
from porter.report.check.shown import summary_of


def check(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PATHS]...", help="files and folders; default: here", show_default=False),
    ] = None,
    diff: Annotated[
        str,
        typer.Option("--diff", metavar="BASE", help="only what changed since BASE, and what that affects"),
    ] = "",
    target: Annotated[
        Target, typer.Option("--target", "-t", help="what the code is to be ported to")
    ] = Target.HIP,
    arch: Arch = "gfx950",
    fail_on: Annotated[
        FailOn | None,
        typer.Option(
            help="the least severity that makes the check fail; default: warning", show_default=False
        ),
    ] = None,
    format_: Annotated[
        CheckFormat, typer.Option("--format", help="how findings are printed")
    ] = CheckFormat.TEXT,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="write them to a file instead", show_default=False)
    ] = None,
    write: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FORMAT=FILE", help="write a further format to a file (repeatable)", show_default=False
        ),
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(help="findings in this file are accepted", show_default=False)
    ] = None,
    write_baseline: Annotated[
        Path | None,
        typer.Option(
            help="accept what is found: write it to this file and fail for nothing", show_default=False
        ),
    ] = None,
    select: Annotated[
        list[str] | None, typer.Option(help="only codes that start like this (repeatable, or with commas)")
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(help="no codes that start like this (repeatable, or with commas)")
    ] = None,
    fix: Annotated[bool, typer.Option("--fix", help="apply the safe fixes, and check again")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="also port, build and prove each kernel, which takes long")
    ] = False,
    compile_commands: Annotated[
        Path | None,
        typer.Option(
            "--compile-commands",
            metavar="FILE",
            help="headers and macros of the sources, for --verify and Triton; default: one in the tree",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="processes; 0: by the work")] = 0,
    force_exclude: Annotated[
        bool, typer.Option("--force-exclude", help="exclude files also where they are named here")
    ] = False,
) -> int:
    """Find what will not carry over to AMD GPUs, without building or running anything.

    Exit code 0: nothing was found that counts. 1: findings. 2: the options, the configuration, the baseline
    or the base of --diff cannot be used.
    """
    chosen = tuple(paths or (Path(),))
    further = tuple(_further_format(text) for text in write or ())
    tree = find_tree(chosen)
    config = read_check_config(tree.root)
    request = CheckRequest(
        paths=chosen,
        target=target,
        arch=arch,
        base=diff,
        fail_on=fail_on,
        selection=Selection(_codes(select), _codes(ignore)),
        baseline=None if write_baseline is not None else baseline or _configured_baseline(config, tree.root),
        jobs=jobs,
        verify=verify,
        force_exclude=force_exclude,
        compile_commands=compile_commands,
    )
    report = run_check(request, tree, config)
    if fix:
        fixed = apply_fixes(tree.root, report.findings)
        for line in fixed.messages:
            err().print(f"porter: {line}", markup=False)
        if fixed.files:
            report = run_check(request, tree, config)
    if write_baseline is not None:
        write_output(write_baseline, baseline_text(report.findings).encode())
        err().print(f"porter: {len(report.findings)} findings accepted in {write_baseline}", markup=False)
        return ExitCode.OK
    for name, file in further:
        write_output(file, FORMATTERS[name](report).encode())
    _print(report, format_, output)
    return report.exit_code


def _further_format(text: str) -> tuple[CheckFormat, Path]:
    name, _, file = text.partition("=")
    try:
        chosen = CheckFormat(name)
    except ValueError:
        chosen = None
    if chosen is None or not file:
        raise InputError(f"--write {text}: FORMAT=FILE is expected, with one of {', '.join(CheckFormat)}")
    return chosen, Path(file)


def _print(report: CheckReport, format_: CheckFormat, output: Path | None) -> None:
    text = FORMATTERS[format_](report)
    if output is None:
        print(text, end="")
        return
    write_output(output, text.encode())
    if format_ is not CheckFormat.TEXT:
        print(summary_of(report))


def _configured_baseline(config: CheckConfig, root: Path) -> Path | None:
    return root / config.baseline if config.baseline else None


def _codes(given: list[str] | None) -> tuple[str, ...]:
    return tuple(code.strip().upper() for text in given or () for code in text.split(",") if code.strip())
