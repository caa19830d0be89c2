"""What a migration has paid its models, as lines in a file of its folder: each charge at once.

So a migration that was killed knows what it had spent, also on files that it had not done. A key is never in
it, nor anything that was said.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from porter.agent.budget import Spent
from porter.agent.protocols import Usage


@dataclass(frozen=True)
class Spending:
    """One process writes it."""

    path: Path

    def add(self, conversation: str, spent: Spent) -> None:
        """It is on the disk when this returns. Raises OSError where it cannot be."""
        document = {"conversation": conversation, **asdict(spent)}
        cut = not self._ends_in_a_line()
        with self.path.open("ab") as out:
            out.write(b"\n" * cut + json.dumps(document).encode() + b"\n")
            out.flush()
            os.fsync(out.fileno())

    def by_conversation(self) -> dict[str, Spent]:
        """A line that a kill or a full disk cut short says nothing."""
        sums: dict[str, Spent] = {}
        for line in self._lines():
            try:
                found = json.loads(line)
                spent = Spent(int(found["requests"]), Usage(**found["usage"]), found["cost_usd"])
                name = str(found["conversation"])
                sums[name] = sums.get(name, Spent()) + spent
            except (ValueError, KeyError, TypeError):
                continue
        return sums

    def total(self) -> Spent:
        return sum(self.by_conversation().values(), start=Spent())

    def _lines(self) -> list[bytes]:
        return self.path.read_bytes().splitlines() if self.path.exists() else []

    def _ends_in_a_line(self) -> bool:
        if not self.path.exists() or not self.path.stat().st_size:
            return True
        with self.path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read() == b"\n"


def spending_of(folder: Path) -> Spending:
    """That of the migration in `folder`."""
    return Spending(folder / "spending.jsonl")
