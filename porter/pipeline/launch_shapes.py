"""What is known of each kernel's launches: of captured ones everything, of others what the source fixes."""

from __future__ import annotations

from collections.abc import Iterable

from porter.analysis.access_values import LaunchShape
from porter.cuda.constants import fold, lookup_in
from porter.cuda.kir import Kernel
from porter.cuda.launch import LaunchSite
from porter.cuda.lower_kernel import Lowered, LoweredKernel
from porter.cuda.translation_unit import TranslationUnit
from porter.harness.capture import Launch, ScalarArgument
from porter.pipeline.original import Original

ASSUMED_BLOCK = (256, 1, 1)


def launch_shapes(
    unit: TranslationUnit, lowered: Iterable[LoweredKernel], original: Original | None = None
) -> dict[str, LaunchShape]:
    """A shape for each kernel: its largest captured launch, else its first launch in the source."""
    shapes: dict[str, LaunchShape] = {}
    for item in lowered:
        if not isinstance(item, Lowered) or item.kernel.name in shapes:
            continue
        captured = original.launches(item.kernel.name) if original is not None else ()
        if captured:
            largest = max(captured, key=lambda x: (x.grid[0] * x.grid[1] * x.grid[2], -x.index))
            shapes[item.kernel.name] = _captured(item.kernel, largest)
        else:
            shapes[item.kernel.name] = source_shape(unit, item.kernel, item.launch)
    return shapes


def _captured(kernel: Kernel, launch: Launch) -> LaunchShape:
    scalars: dict[str, int] = {}
    for parameter, argument in zip(kernel.parameters, launch.arguments, strict=False):
        value = argument.value() if isinstance(argument, ScalarArgument) else None
        if isinstance(value, int):
            scalars[parameter.name] = int(value)
    return LaunchShape(launch.block, launch.grid, scalars)


def source_shape(unit: TranslationUnit, kernel: Kernel, launch: LaunchSite | None) -> LaunchShape:
    """What the launch says in constants; a block of 256 threads where it does not."""
    if launch is None:
        return LaunchShape(ASSUMED_BLOCK)
    lookup = lookup_in(dict(launch.resolved), unit.constants)
    values = {
        parameter.name: fold(argument, lookup)
        for parameter, argument in zip(kernel.parameters, launch.arguments, strict=False)
    }
    scalars = {name: value for name, value in values.items() if value is not None}
    return LaunchShape(launch.block_dim or ASSUMED_BLOCK, launch.grid_dim, scalars)
