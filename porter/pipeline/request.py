"""What is asked of the ladder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from porter.core.outcome import Target
from porter.hip.options import Style, Warps
from porter.hip.rocm_version import RocmVersion


@dataclass(frozen=True)
class PortRequest:
    """Port `source` to `target` for the GPU architecture `arch` (`gfx942`, `gfx950`, `gfx90a`).

    `also` are architectures whose build is extra evidence and no condition. `kernels` restricts the run to
    kernels of those names (empty: all). `arguments` are the command-line arguments of the program when it is
    run to verify the port. With `check` off nothing is built or run, and no unit can be more than partial.
    `mapping` pairs kernels with the port's functions of another name. A `capture` (a folder that `porter
    capture` made) is what the port is compared with instead of a run of the program. With `on_isa` the
    machine code built for `arch` is executed on the CPU, on small cases of every kernel that has passed.
    `case` restricts the comparison to the cases of that name.
    `config` is the porter.toml that launches kernels without a main(), in place of the user's own; with
    `ignores_main` also those of a program whose main() is of no use.
    `style` is how a HIP port is spelled; a port `in_place` keeps the names of the user's headers. With `tune`
    a HIP port's memory accesses are made faster where that can be proved to change no result. `rocm` is the
    version whose names a HIP port may use; None: any. `warps` says whether kernels may work in wavefronts of
    64 lanes instead of groups of 32, where that is proved. A Triton port is written with `autotune` to choose
    its configurations by timing, and with `allow_tf32` to multiply float32 matrices in TF32.
    """

    source: Path
    target: Target
    arch: str = "gfx950"
    also: tuple[str, ...] = ("gfx942",)
    kernels: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    check: bool = True
    seed: int = 0
    mapping: tuple[tuple[str, str], ...] = ()
    capture: Path | None = None
    case: str = ""
    on_isa: bool = False
    style: Style = Style.REWRITE
    in_place: bool = False
    config: Path | None = None
    ignores_main: bool = False
    tune: bool = False
    rocm: RocmVersion | None = None
    warps: Warps = Warps.PRESERVE
    autotune: bool = False
    allow_tf32: bool = False

    @property
    def search_path(self) -> tuple[Path, ...]:
        """Where the user's own headers are looked for: beside the source, then `include_dirs`."""
        return (self.source.parent, *self.include_dirs)

    def wants(self, kernel: str) -> bool:
        return not self.kernels or kernel in self.kernels


_SUFFIX = {Target.HIP: ".hip", Target.TRITON: ".py"}


def default_output(request: PortRequest) -> Path:
    """Where the port goes without `-o`: the source's name, here, with the target's suffix."""
    return Path(request.source.stem + _SUFFIX[request.target])
