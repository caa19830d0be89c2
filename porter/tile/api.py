"""What goes into the SIMT-to-Triton compiler and what comes out."""

from __future__ import annotations

from dataclasses import dataclass

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import Span
from porter.cuda.kir import Kernel
from porter.cuda.launch import LaunchSite


@dataclass(frozen=True)
class SampleBuffer:
    """A pointer argument of a sample: what it holds before the launch, and a few elements after it.

    `dtype` is torch's name (`float32`). `constant` fills the whole buffer; None stands for the formula
    `i * 37 % 101`, for floats minus 50 and divided by 16. `expected` are pairs of index and value.
    """

    dtype: str
    elements: int
    constant: int | float | None
    expected: tuple[tuple[int, int | float], ...] = ()


@dataclass(frozen=True)
class Sample:
    """One small launch of the original: arguments in the order of the parameters, then of the globals."""

    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    arguments: tuple[int | float | bool | SampleBuffer, ...]
    shared_bytes: int = 0


@dataclass(frozen=True)
class TileOptions:
    """`autotune` writes `@triton.autotune` in place of chosen numbers; `allow_tf32` lets float32 products be
    computed with 10 bits of mantissa where the GPU has such units. Where `checked` is off, nobody builds the
    module or compares it with the original, and its text says so.
    """

    arch: str = "gfx950"
    autotune: bool = False
    allow_tf32: bool = False
    samples: tuple[Sample, ...] = ()
    checked: bool = True


@dataclass(frozen=True)
class KernelLaunch:
    """A kernel with the thread block it is compiled for; `launch` is where the host code starts it.

    `other_blocks` are further blocks that the program launches it with, when the source does not fix one.
    `is_assumed`: no launch tells the block, which is a usual one; the launcher's caller has to say it.
    """

    kernel: Kernel
    launch: LaunchSite | None
    block: tuple[int, int, int]
    other_blocks: tuple[tuple[int, int, int], ...] = ()
    is_assumed: bool = False


@dataclass(frozen=True)
class TranslatedKernel:
    """`name` is the jit function, `launcher_name` the function to call; `raised` one line an idiom.

    `notes` tell of the `original` kernel what was left out, and what looks like an idiom and was kept.
    """

    name: str
    launcher_name: str
    raised: tuple[str, ...] = ()
    original: str = ""
    notes: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class TileTranslation:
    """`text` is the whole Python module (empty when every kernel was declined)."""

    text: str
    kernels: tuple[TranslatedKernel, ...]
    declined: tuple[tuple[str, Diagnostic], ...]


class Declined(Exception):
    """The compiler cannot translate a kernel faithfully. Caught per kernel by `translate_triton`.

    Codes: TIL050 a construct without a Triton equivalent, TIL051 a type, TIL052 a call, TIL053 control
    flow, TIL054 memory that cannot be addressed, TIL055 the launch, TIL056 an internal limit.
    """

    def __init__(self, code: str, reason: str, span: Span, hint: str = "") -> None:
        super().__init__(reason)
        self.diagnostic = Diagnostic(code, Severity.ERROR, reason, span, hint)
