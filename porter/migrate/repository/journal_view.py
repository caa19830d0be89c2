"""A look into a journal that another process may be writing: nothing in it is changed, nobody is held up."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from porter.core.run_record import FileEnded, Working
from porter.migrate.repository.journal import check_version, usable

_LATE_SECONDS = 600.0
"""The rate is that of so long a time, or of the time since the work began."""

_LATE = "SELECT count(*) FROM unit WHERE state IS NOT NULL AND ended > ?"
_LAST = """
SELECT name, state, seconds FROM unit WHERE state IS NOT NULL AND ended > 0 ORDER BY ended DESC LIMIT ?
"""


class JournalView:
    """Of an open, read-only connection. Every method raises InputError where the file cannot be used."""

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self._path = path
        self._database = database

    def files(self) -> dict[str, dict[str, int]]:
        """Files by what is done with them, and by state; `waiting` for those to come."""
        counts: dict[str, dict[str, int]] = {}
        query = "SELECT kind, coalesce(state, 'waiting'), count(*) FROM unit GROUP BY 1, 2 ORDER BY 1, 2"
        for kind, state, count in self._rows(query):
            counts.setdefault(str(kind), {})[str(state)] = int(count)
        return counts

    def working(self) -> Working | None:
        rows = self._rows("SELECT since, pid, host FROM working ORDER BY since DESC LIMIT 1")
        return next((Working(int(pid), str(host), float(since)) for since, pid, host in rows), None)

    def per_minute(self) -> float | None:
        """How many files ended a minute; None before two of them did."""
        working = self.working()
        if working is None:
            return None
        now = time.time()
        begin = max(working.since, now - _LATE_SECONDS)
        ((count,),) = self._rows(_LATE, begin)
        return count / (now - begin) * 60 if count >= 2 and now > begin else None

    def last(self, number: int) -> tuple[FileEnded, ...]:
        return tuple(
            FileEnded(os.fsdecode(name), state, seconds) for name, state, seconds in self._rows(_LAST, number)
        )

    def _rows(self, query: str, *values: float) -> list[tuple[Any, ...]]:
        with usable(self._path):
            return self._database.execute(query, values).fetchall()


@contextmanager
def viewed(path: Path) -> Iterator[JournalView]:
    """Raises InputError where there is no journal, or none that this version reads."""
    with usable(path):
        database = sqlite3.connect(f"file:{quote(os.fsencode(path.resolve()))}?mode=ro", uri=True)
    with closing(database):
        with usable(path):
            check_version(database)
        yield JournalView(path, database)
