"""A function on several items at once, in threads that never keep the process from ending.

The threads of concurrent.futures are waited for when a process ends: Ctrl-C would wait for the answers of
models, up to an hour. These are left behind, and end with the process.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def together(
    function: Callable[[_Item], _Result], items: Iterable[_Item], workers: int
) -> tuple[_Result, ...]:
    """The results in the order of the items. The first exception, in that order, is raised once all ended."""
    waiting: queue.SimpleQueue[tuple[int, _Item]] = queue.SimpleQueue()
    results: dict[int, _Result] = {}
    errors: dict[int, BaseException] = {}
    for numbered in enumerate(items):
        waiting.put(numbered)

    def work() -> None:
        while True:
            try:
                number, item = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                results[number] = function(item)
            except BaseException as error:
                errors[number] = error

    threads = [threading.Thread(target=work, daemon=True) for _ in range(min(workers, waiting.qsize()))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[min(errors)]
    return tuple(results[number] for number in sorted(results))
