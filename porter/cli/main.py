"""The `porter` command: registers the subcommands and turns every error into one message and an exit code."""

from __future__ import annotations

import re
import sys
import time
import traceback
from pathlib import Path
from typing import Annotated, Any

import typer

from porter import __version__
from porter.cli import commands
from porter.cli.console import err
from porter.core.errors import ExitCode, InputError, PorterError, Refused
from porter.core.garbage import collect_rarely
from porter.report.json_report import format_error

app = typer.Typer(
    name="porter",
    cls=commands.LazyCommands,
    help="Ports CUDA code to AMD GPUs as HIP C++ or Triton, with a numerical proof for every kernel.",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
commands.register(app)

# Typer uses click or brings its own, by version; its own name for this class is none of its interface.
_CommandLineError: Any = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"porter {__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Ports CUDA code to AMD GPUs as HIP C++ or Triton, with a numerical proof for every kernel."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(ExitCode.USAGE)


def main() -> None:
    """Entry point. Exit codes are those of `porter.core.errors.ExitCode`."""
    collect_rarely()
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Runs one command line and returns its exit code; never raises for a user's error."""
    try:
        result = app(args=arguments, prog_name="porter", standalone_mode=False)
        return int(result or 0)
    except typer.Exit as exit_:
        return exit_.exit_code
    except _CommandLineError as error:
        usage = InputError(_plain(error.format_message()), hint=_usage(error))
        _say(usage)
        _print_document(arguments, usage)
        return ExitCode.USAGE
    except Refused as error:
        for diagnostic in error.diagnostics:
            err().print(str(diagnostic), markup=False)
        _print_document(arguments, error)
        return error.exit_code
    except PorterError as error:
        _say(error)
        _print_document(arguments, error)
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        err().print("porter: interrupted")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        return ExitCode.OK
    except Exception as error:
        return _internal_error(error)


_REWORDED = (
    (r"Value error, ", ""),
    (r"Input should be a valid integer, unable to parse string as an integer", "a whole number is expected"),
    (r"Input should be a valid number, unable to parse string as a number", "a number is expected"),
    (r"Input should be", "it must be"),
    (r"Choose from:\s*", "one of "),
    (r"\s*\n\s*", " "),
    (r"\.\Z", ""),
)
"""What the library that reads the command line says, in words that are the user's."""


def _plain(message: str) -> str:
    for pattern, words in _REWORDED:
        message = re.sub(pattern, words, message)
    return message[:1].lower() + message[1:]


def _usage(error: Any) -> str:
    context = getattr(error, "ctx", None)
    return f"{context.command_path} --help" if context is not None else "porter --help"


def _say(error: PorterError) -> None:
    err().print(f"porter: error: {error.message}", markup=False)
    if error.hint:
        err().print(f"  hint: {error.hint}", markup=False)


def _print_document(arguments: list[str], error: PorterError) -> None:
    """Who asked for JSON gets a document on stdout whatever happens."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if "--json" in own:
        print(format_error(error))


def _internal_error(error: Exception) -> int:
    """A defect of porter: keeps the traceback in a file instead of throwing it at the user."""
    path = Path(".porter") / f"crash-{time.strftime('%Y%m%d-%H%M%S')}.txt"
    text = "".join(traceback.format_exception(error))
    try:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        where = f"details in {path}"
    except OSError:
        where = text
    err().print(f"porter: internal error: {type(error).__name__}: {error}; {where}", markup=False)
    return ExitCode.INTERNAL
