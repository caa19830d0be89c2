"""A small launch of the original on inputs by formula, for the check that a generated module carries.

Buffers hold one constant or `fills.pattern`, so that the module needs no data; of what the original wrote,
a few elements are kept. It is a smoke test for the reader of the module, not a verdict.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from porter.harness.capture import Launch, PointerArgument, ScalarArgument
from porter.harness.cases import Case
from porter.harness.dtypes import Array, ElementType
from porter.harness.fills import PATTERN, Fill
from porter.harness.judge import Judged
from porter.harness.launches import base_name
from porter.harness.outputs import buffer_arrays, captured_arrays
from porter.harness.plan import build_inputs, plan_line, write_inputs
from porter.harness.programs import Build, Ran, build, run
from porter.harness.regions import Buffer
from porter.harness.truths import Planned
from porter.harness.verdict import VerifyOptions

_CHECKED_ELEMENTS = 6
_FEWEST_ELEMENTS = 64
_ORDERS = 3


@dataclass(frozen=True)
class SampledBuffer:
    """`constant` fills the buffer before the launch; None: `fills.pattern`. `checked` are (index, value)."""

    dtype: ElementType
    n_elements: int
    constant: float | int | None
    checked: tuple[tuple[int, float | int], ...]


@dataclass(frozen=True)
class SampledLaunch:
    """`arguments` are in the kernel's order, `globals` its symbols by name."""

    launch: Launch
    arguments: tuple[SampledBuffer | float | int | bool, ...]
    globals: dict[str, SampledBuffer]


def sample_launch(
    judged: Judged, original: Path, options: VerifyOptions, kernel: str
) -> SampledLaunch | None:
    """A small judged launch of `kernel`, run again on the formula's inputs in several thread orders.

    None where there is no such launch, an argument is neither number nor array, or the result is not the
    same in every order.
    """
    planned = _smallest(judged, kernel)
    built = build(original, options)
    if planned is None or not isinstance(built, Build) or not _representable(planned):
        return None
    before = captured_arrays(planned.launch, planned.buffers, after=False)
    fills = {b.name: Fill(PATTERN, 0) for b in planned.buffers if _constant(before[b.name]) is None}
    case = Case("sample", planned.launch.index, "sample", fills=fills)
    after = _run(built, options, planned, case)
    if after is None:
        return None
    sampled = {b.name: _sampled(b, before[b.name], after[b.name], b.name in fills) for b in planned.buffers}
    if not any(buffer.checked for buffer in sampled.values()):
        return None
    return _assemble(planned.launch, sampled)


def _smallest(judged: Judged, kernel: str) -> Planned | None:
    every = (c.planned for k in judged.kernels if base_name(k.name) == kernel for c in k.cases)
    return min((p for p in every if not p.case.lengths), key=_cost, default=None)


def _cost(planned: Planned) -> tuple[bool, int]:
    """A launch of a few elements shows nothing; beyond that, the smaller the better."""
    elements = sum(b.n_elements for b in planned.buffers)
    return elements < _FEWEST_ELEMENTS, elements


def _representable(planned: Planned) -> bool:
    """Every buffer is one whole allocation of a known type, and every argument a buffer or a number."""
    names = {b.name for b in planned.buffers}
    whole = all(b.typed and b.start == 0 and "." not in b.name for b in planned.buffers)
    return whole and all(
        f"a{k}" in names and a.words is None
        if isinstance(a, PointerArgument)
        else isinstance(a, ScalarArgument) and a.value() is not None
        for k, a in enumerate(planned.launch.arguments)
    )


def _constant(values: Array) -> float | int | None:
    """The one value of all elements; None where they differ."""
    if len(values) and (values == values[0]).all():
        value = values[0].item()
        return value if isinstance(value, float | int) else None
    return None


def _run(built: Build, options: VerifyOptions, planned: Planned, case: Case) -> dict[str, Array] | None:
    """The buffers after the case; None where it fails or depends on the order of the threads."""
    with tempfile.TemporaryDirectory(prefix="porter-sample-") as scratch:
        root = Path(scratch)
        inputs = write_inputs(root / "in.safetensors", build_inputs(case, planned.launch, planned.buffers))
        lines = [
            plan_line(case, planned.launch, inputs, name=f"sample-{order}", schedule=order or None)
            for order in range(_ORDERS)
        ]
        (root / "plan").write_text("\n".join(lines) + "\n")
        ran = run(built, options, root / "replay", plan=root / "plan")
        if not isinstance(ran, Ran) or any(r.status != "ok" for r in ran.capture.replays):
            return None
        outputs = [_outputs(ran, f"sample-{order}", planned) for order in range(_ORDERS)]
    first = outputs[0]
    if any(o is None or o[n].tobytes() != v.tobytes() for o in outputs for n, v in (first or {}).items()):
        return None
    return first


def _outputs(ran: Ran, case: str, planned: Planned) -> dict[str, Array] | None:
    tensors = ran.capture.replay_file(case)
    return {n: np.array(a, copy=True) for n, a in buffer_arrays(tensors, planned.buffers).items()} or None


def _sampled(buffer: Buffer, before: Array, after: Array, by_formula: bool) -> SampledBuffer:
    start = Fill(PATTERN, 0).values(buffer.dtype, before) if by_formula else before
    changed = np.flatnonzero(start != after)
    places = np.linspace(0, max(len(changed) - 1, 0), _CHECKED_ELEMENTS).astype(np.int64)
    picks = np.unique(places)[: len(changed)]
    doubles = buffer.dtype.to_double(after) if buffer.dtype.is_float else after
    checked = tuple((int(changed[i]), doubles[changed[i]].item()) for i in picks)
    return SampledBuffer(buffer.dtype, buffer.n_elements, None if by_formula else _constant(before), checked)


def _assemble(launch: Launch, sampled: dict[str, SampledBuffer]) -> SampledLaunch:
    arguments = [
        sampled[f"a{k}"] if isinstance(a, PointerArgument) else a.value()
        for k, a in enumerate(launch.arguments)
        if isinstance(a, PointerArgument | ScalarArgument)
    ]
    symbols = {name.removeprefix("g:"): b for name, b in sampled.items() if name.startswith("g:")}
    return SampledLaunch(launch, tuple(a for a in arguments if a is not None), symbols)
