"""Which of a program's launches are replayed: few, different, and small enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from porter.harness.capture import Allocation, Capture, Launch, ScalarArgument
from porter.harness.regions import buffers_of

LARGEST_LAUNCH_BYTES = 256 << 20
CASE_BYTES = 128 << 20
MIN_CASES = 4


def base_name(kernel: str) -> str:
    """The source name: `void ns::scale<float, 4>` gives `scale`."""
    name = kernel.replace("(anonymous namespace)::", "").split("(")[0].split("<")[0].strip()
    return name.split()[-1].rsplit("::", 1)[-1] if name else kernel


def row_name(kernel: str) -> str:
    """What a report calls a kernel of `instances`: without types, and with namespaces where it has some."""
    return kernel.split("<")[0]


def instances(capture: Capture) -> dict[str, list[Launch]]:
    """The launches of every kernel, in the order of their first. Kernels of one name in different namespaces
    are named with these; instantiations of a template that take other types are kernels of their own, named
    `scale<float*, int>`.
    """
    spaces: dict[str, set[str]] = {}
    for launch in capture.launches:
        spaces.setdefault(launch.kernel, set()).add(launch.qualified_name)
    by_kernel: dict[str, list[Launch]] = {}
    for launch in capture.launches:
        name = launch.qualified_name if len(spaces[launch.kernel]) > 1 else launch.kernel
        by_kernel.setdefault(name, []).append(launch)
    found: dict[str, list[Launch]] = {}
    for kernel, launches in by_kernel.items():
        several = len({_types(launch) for launch in launches}) > 1
        for launch in launches:
            name = f"{kernel}<{', '.join(_types(launch))}>" if several else kernel
            found.setdefault(name, []).append(launch)
    return found


def is_wanted(kernel: str, chosen: Sequence[str]) -> bool:
    """Whether a kernel of `instances` is among those a user named; no names at all mean every kernel."""
    return not chosen or bool({kernel, row_name(kernel), base_name(kernel)} & set(chosen))


def _types(launch: Launch) -> tuple[str, ...]:
    return tuple(argument.type.removeprefix("const ") for argument in launch.arguments)


def select_launches(
    launches: Sequence[Launch], allocations: Mapping[int, Allocation], limit: int
) -> list[Launch]:
    """At most `limit` launches of one kernel that differ in shape or integer arguments.

    The smallest and the largest are always among them; a launch that was not recorded whole never is.
    """
    distinct: dict[object, Launch] = {}
    for launch in launches:
        if launch.tensors is not None and launch_bytes(launch, allocations) <= LARGEST_LAUNCH_BYTES:
            distinct.setdefault(_signature(launch), launch)
    ordered = sorted(distinct.values(), key=lambda x: (launch_bytes(x, allocations), x.index))
    if len(ordered) > limit:
        steps = max(limit - 1, 1)
        ordered = [ordered[round(i * (len(ordered) - 1) / steps)] for i in range(limit)]
    return ordered


def _signature(launch: Launch) -> object:
    integers = tuple(
        argument.data
        for argument in launch.arguments
        if isinstance(argument, ScalarArgument) and (argument.dtype is None or not argument.dtype.is_float)
    )
    return launch.grid, launch.block, launch.shared_bytes, integers


def launch_bytes(launch: Launch, allocations: Mapping[int, Allocation]) -> int:
    """The bytes of all allocations the launch reaches."""
    reached = {buffer.allocation for buffer in buffers_of(launch, allocations)}
    return sum(allocations[identifier].bytes for identifier in reached)


def cases_per_launch(
    launches: Sequence[Launch], allocations: Mapping[int, Allocation], max_cases: int
) -> dict[int, int]:
    """Launch index → how many cases. The largest launch that is still cheap gets most of them."""
    cost = {launch.index: max(launch_bytes(launch, allocations), 1) for launch in launches}
    cheap = [index for index, size in cost.items() if size * max_cases <= CASE_BYTES]
    main = cheap[-1] if cheap else min(cost, key=lambda index: cost[index], default=-1)
    few = max(MIN_CASES, max_cases // 4)
    return {
        index: min(max(CASE_BYTES // size, MIN_CASES), max_cases if index == main else few)
        for index, size in cost.items()
    }
