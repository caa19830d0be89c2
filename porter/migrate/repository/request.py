"""What is asked of a migration."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from porter.core.cache import digest
from porter.core.outcome import Target
from porter.hip.options import Style


@dataclass(frozen=True)
class MigrationRequest:
    """Port the tree at `root` for `arch`, and for `also`. With `check` off nothing is built or run.

    `agent` names the models that are asked, and how; their keys and budgets are no part of it.
    A HIP port keeps the names of all files; a Triton port adds a module beside each file with kernels.
    `database` is a compile_commands.json. A unit that takes longer than `unit_seconds` is stopped.
    """

    root: Path
    target: Target
    arch: str = "gfx950"
    also: tuple[str, ...] = ("gfx942",)
    style: Style = Style.REWRITE
    check: bool = True
    seed: int = 0
    database: Path | None = None
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    unit_seconds: float = 1800.0
    agent: str = ""

    @property
    def key(self) -> str:
        """Migrations with the same key may go on with each other's work."""
        return digest(repr(sorted(asdict(self).items())))

    @property
    def architectures(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.also, self.arch)))
