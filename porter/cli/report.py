"""`porter report [RUN]`: what a run came to, as a page or in another format."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable
from enum import Enum
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Annotated

import typer

from porter.cli.console import err, out
from porter.core.atomic_file import write_atomically
from porter.core.errors import ExitCode, InputError
from porter.core.run_report import RunReport
from porter.migrate.pages import pages
from porter.migrate.read_run import find_run, read_run
from porter.report.migration_json import format_migration
from porter.report.migration_text import print_migration
from porter.report.run.html import format_html
from porter.report.run.junit import format_junit
from porter.report.run.markdown import format_markdown
from porter.report.run.sarif import format_sarif


class Format(str, Enum):
    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    SARIF = "sarif"
    JUNIT = "junit"


def report(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="folder of the run; default: the last one here")
    ] = "",
    html: Annotated[
        Path | None, typer.Option("--html", help="write one page that needs no network", show_default=False)
    ] = None,
    serve: Annotated[
        bool, typer.Option("--serve", help="show that page at an address of this machine")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="of --serve; 0: a free one")] = 0,
    format_: Annotated[Format, typer.Option("--format", help="of what is printed")] = Format.TEXT,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="file instead of the terminal", show_default=False)
    ] = None,
) -> int:
    """Show what a run came to: in the terminal, as a page, or for other tools.

    RUN is a folder below .porter/runs, of `porter migrate`, `translate` or `verify`. Exit code 0: it is
    shown; 2: there is no such run, or a file cannot be written.
    """
    if (html is not None) + serve + (format_ is not Format.TEXT or output is not None) > 1:
        raise InputError("--html, --serve and --format are three ways", hint="give one of them")
    found = read_run(find_run(Path(".porter"), run))
    if html is not None:
        _write(html, format_html(found))
    elif serve:
        _serve(format_html(found), port)
    elif format_ is Format.TEXT and output is None:
        print_migration(found.summary, out())
    else:
        text = _FORMATS[format_](found)
        if output is None:
            print(text, end="")
        else:
            _write(output, text)
    return ExitCode.OK


def _text(found: RunReport) -> str:
    console = out()
    with console.capture() as captured:
        print_migration(found.summary, console)
    return captured.get()


_FORMATS: dict[Format, Callable[[RunReport], str]] = {
    Format.TEXT: _text,
    Format.JSON: lambda found: format_migration(found.summary) + "\n",
    Format.MARKDOWN: format_markdown,
    Format.SARIF: lambda found: format_sarif(found, pages()),
    Format.JUNIT: format_junit,
}


def _write(path: Path, text: str) -> None:
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error
    err().print(f"wrote {path}", markup=False)


def _serve(page: str, port: int) -> None:
    """Until Ctrl-C or SIGTERM. One page, whatever is asked for; nobody else than this machine gets it."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.partition("?")[0] != "/":
                self.send_error(404)
                return
            data = page.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_arguments: object) -> None:
            pass

    try:
        server = HTTPServer(("127.0.0.1", port), Handler)
    except OSError as error:
        raise InputError(f"--port {port}: {error.strerror}", hint="--port 0 takes a free one") from error
    with server:
        print(f"http://127.0.0.1:{server.server_port}/", flush=True)
        # A shell has programs in the background ignore Ctrl-C.
        for sent in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sent, signal.default_int_handler)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()
