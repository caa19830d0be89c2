"""Files over processes. A process that dies costs only the file that it worked on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing import get_context

from porter.migrate.check.analyse import analyse, failed
from porter.migrate.check.request import FileFindings, FileJob

_FILES_A_PROCESS = 64
"""What a further process must have to do, to be worth its start."""

_BATCH = 1024
"""Files that are handed out at once: what is known of the others is not kept."""


def processes_for(jobs: int, files: int) -> int:
    """`jobs` where chosen; else as many as there are cores and work for them."""
    if jobs > 0:
        return min(jobs, max(files, 1))
    return max(1, min(os.cpu_count() or 1, files // _FILES_A_PROCESS))


def analyse_all(work: Iterable[FileJob], jobs: int) -> Iterator[FileFindings]:
    """In the order of `work`, which is read while its files are analysed."""
    waiting = iter(work)
    batch = list(islice(waiting, _BATCH))
    processes = processes_for(jobs, len(batch))
    if processes == 1:
        yield from map(analyse, chain(batch, waiting))
        return
    while batch:
        yield from _batch(batch, processes)
        batch = list(islice(waiting, _BATCH))


def _batch(work: list[FileJob], processes: int) -> Iterator[FileFindings]:
    done = 0
    try:
        with _pool(processes) as pool:
            for found in pool.map(analyse, work, chunksize=4):
                yield found
                done += 1
    except BrokenProcessPool:
        # Which of the files it was is not told: from here on each has a process of its own.
        yield from map(_alone, work[done:])


def _alone(job: FileJob) -> FileFindings:
    with _pool(1) as pool:
        try:
            return pool.submit(analyse, job).result()
        except BrokenProcessPool as error:
            return failed(job, error.with_traceback(None))


def _pool(processes: int) -> ProcessPoolExecutor:
    context = get_context("forkserver")
    context.set_forkserver_preload([analyse.__module__])  # once, rather than in each process
    return ProcessPoolExecutor(processes, mp_context=context)
