"""The journal of a migration: the state of every unit, in SQLite, with one writer.

It is an index: what a unit came to lies in files beside it, written before the journal says so. A kill or a
loss of power loses at most the units that were being worked on. Names are bytes, as the file system has them.
"""

from __future__ import annotations

import os
import socket
import sqlite3
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from porter.core.errors import InputError
from porter.migrate.repository.units import Kind, State, Unit

JOURNAL = "journal.sqlite"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS unit (
    name BLOB PRIMARY KEY,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    state TEXT,
    seconds REAL,
    ended REAL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_number ON unit (number);
CREATE INDEX IF NOT EXISTS by_end ON unit (ended);
CREATE TABLE IF NOT EXISTS working (since REAL NOT NULL, pid INTEGER NOT NULL, host TEXT NOT NULL);
"""
VERSION = 2
"""Of the tables above; a journal has it as SQLite's `user_version`."""
_PLANNED = "CREATE TEMPORARY TABLE planned (name BLOB PRIMARY KEY, number INTEGER, kind TEXT, key TEXT)"
_MERGE = """
DELETE FROM unit WHERE name NOT IN (SELECT name FROM planned);
INSERT INTO unit (name, number, kind, key) SELECT name, number, kind, key FROM planned WHERE true
    ON CONFLICT (name) DO UPDATE SET number = excluded.number, kind = excluded.kind, key = excluded.key;
DROP TABLE planned;
"""
_CHUNK = 1000

_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)


class Journal:
    """Opened by one process at a time. What is not SQLite's, or of another version, is an InputError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._usable():
            self._database = sqlite3.connect(path, isolation_level=None)
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            check_version(self._database)
            self._database.executescript(_SCHEMA + f"PRAGMA user_version = {VERSION};")

    def close(self) -> None:
        self._database.close()

    def plan(self, units: Iterable[Unit]) -> None:
        """The units of the tree as it is now. What was done of files that are there still stays done; whether
        that counts, the results know."""
        rows = ((os.fsencode(u.name), u.number, u.kind.value, u.key) for u in units)
        with self._usable(), self._transaction():
            self._database.execute(_PLANNED)
            self._database.executemany("INSERT INTO planned VALUES (?, ?, ?, ?)", rows)
            for statement in _MERGE.split(";\n"):
                self._database.execute(statement)

    def waiting(self) -> Iterator[Unit]:
        """In the order of the plan. Units may be finished meanwhile."""
        yield from self._units("state IS NULL")

    def done(self) -> Iterator[Unit]:
        yield from self._units("state IS NOT NULL")

    def _units(self, condition: str) -> Iterator[Unit]:
        last = -1
        query = f"SELECT number, name, kind, key FROM unit WHERE {condition} AND number > ?"
        query += f" ORDER BY number LIMIT {_CHUNK}"
        while True:
            with self._usable():
                rows = self._database.execute(query, (last,)).fetchall()
            if not rows:
                return
            for number, name, kind, key in rows:
                yield Unit(number, os.fsdecode(name), Kind(kind), key)
                last = number

    def working(self) -> None:
        """This process works on the units from now on."""
        with self._usable():
            row = (time.time(), os.getpid(), socket.gethostname())
            self._database.execute("INSERT INTO working VALUES (?, ?, ?)", row)

    def finished(self, unit: Unit, state: State, seconds: float) -> None:
        with self._usable():
            self._database.execute(
                "UPDATE unit SET state = ?, seconds = ?, ended = ? WHERE name = ?",
                (state.value, seconds, time.time(), os.fsencode(unit.name)),
            )

    def found(self, results: Iterable[tuple[Unit, State]]) -> None:
        """Units that have a result already, from before."""
        rows = ((state.value, os.fsencode(unit.name)) for unit, state in results)
        with self._usable(), self._transaction():
            self._database.executemany(
                "UPDATE unit SET state = ?, seconds = 0, ended = 0 WHERE name = ?", rows
            )

    def again(self, units: Iterable[Unit]) -> None:
        """The results of these are lost, and they wait once more."""
        names = ((os.fsencode(unit.name),) for unit in units)
        with self._usable(), self._transaction():
            self._database.executemany("UPDATE unit SET state = NULL WHERE name = ?", names)

    def counts(self) -> Counter[tuple[Kind, State | None]]:
        """None: waiting."""
        with self._usable():
            rows = self._database.execute(
                "SELECT kind, state, count(*) FROM unit GROUP BY kind, state"
            ).fetchall()
        return Counter({(Kind(kind), State(state) if state else None): n for kind, state, n in rows})

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    @contextmanager
    def _usable(self) -> Iterator[None]:
        with usable(self._path):
            yield


@contextmanager
def usable(path: Path) -> Iterator[None]:
    """What SQLite says of the journal at `path`, as an InputError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        hint = "move it away: --resume makes it again from the results beside it"
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _NO_ROOM:
            hint = "make room; --resume goes on"
        raise InputError(f"{path}: the journal cannot be used: {error}", hint=hint) from error


def check_version(database: sqlite3.Connection) -> None:
    """Raises DatabaseError for tables that another version of porter made; an empty file has none."""
    ((version,),) = database.execute("PRAGMA user_version")
    ((tables,),) = database.execute("SELECT count(*) FROM sqlite_master")
    if version != VERSION and (version or tables):
        raise sqlite3.DatabaseError("another version of porter wrote it")
