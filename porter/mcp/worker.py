"""One call of a tool in a process of its own: it can be stopped, and a fault of it stops no other.

A call runs compilers and programs and may take minutes. Where the client cancels it, or its time is up, the
process ends, and what it has started ends with it.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from porter.core.errors import PorterError
from porter.core.process import die_with_parent

Document = dict[str, Any]


class CallFailed(Exception):
    """What the client is told instead of an answer."""


async def call_in_worker(
    function: Callable[..., Document], folder: Path, arguments: Document, seconds: float
) -> Document:
    """What `function(**arguments)` returns, run in `folder`. Raises CallFailed."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(sender, function, str(folder), arguments))
    process.start()
    sender.close()
    try:
        wait = partial(receiver.poll, seconds)
        if not await anyio.to_thread.run_sync(wait, abandon_on_cancel=True):
            raise CallFailed(f"the call took longer than {seconds:g} s and was stopped")
        kind, answer = _received(receiver)
    finally:
        process.kill()
        process.join()
        receiver.close()
    if kind == "failed":
        raise CallFailed(str(answer))
    return dict(answer)


def _received(receiver: Connection) -> tuple[str, Any]:
    try:
        kind, answer = receiver.recv()
    except EOFError:
        return "failed", "the call ended without an answer"
    return kind, answer


def _work(sender: Connection, function: Callable[..., Document], folder: str, arguments: Document) -> None:
    """In the new process: the client's lines are none of its input, and its own output is none of theirs."""
    die_with_parent()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.chdir(folder)
    try:
        sender.send(("done", function(**arguments)))
    except PorterError as error:
        hint = f" ({error.hint})" if error.hint else ""
        sender.send(("failed", f"{error.message}{hint}"))
    except Exception as error:
        sender.send(("failed", f"an internal error of porter: {type(error).__name__}: {error}"))
