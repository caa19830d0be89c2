"""What a generated module does when it is run: small launches whose results the CUDA program gave.

Inputs come from one formula, so that the module carries no data; a few of the original's results stand in
the text.
"""

from __future__ import annotations

from porter.tile.api import Sample, SampleBuffer
from porter.tile.launcher import SHARED_BYTES, LauncherPlan
from porter.tile.names import legal
from porter.tile.printer import INDENT, LINE_WIDTH, print_literal

_PATTERN = '''\
def pattern(n, dtype):
    """The inputs of the check: small values, exact in every dtype."""
    steps = torch.arange(n, device=device) * 37 % 101
    return ((steps - 50) / 16 if dtype.is_floating_point else steps).to(dtype)
'''
_EXPECT = '''\
def expect(tensor, results):
    """Compares elements of `tensor` with what the CUDA program computed from the same inputs."""
    for index, wanted in results.items():
        got = tensor[index].item()
        if not math.isclose(got, wanted, rel_tol=1e-4, abs_tol=1e-6):
            raise SystemExit(f"element {index}: {got}, but the CUDA program gave {wanted}")
'''


def checked_samples(samples: tuple[Sample, ...], plans: tuple[LauncherPlan, ...]) -> tuple[Sample, ...]:
    """The samples of kernels that the module has, at most one a kernel."""
    names = {plan.kernel_name for plan in plans}
    chosen: dict[str, Sample] = {}
    for sample in samples:
        if sample.kernel in names:
            chosen.setdefault(sample.kernel, sample)
    return tuple(chosen.values())


def print_check(plans: tuple[LauncherPlan, ...], samples: tuple[Sample, ...]) -> list[str]:
    """The lines of the `__main__` block; empty when there is no sample to check with."""
    if not samples:
        return []
    by_kernel = {plan.kernel_name: plan for plan in reversed(plans)}
    lines = ['device = "cuda" if torch.cuda.is_available() else "cpu"', ""]
    if any(_is_pattern(value) for sample in samples for value in sample.arguments):
        lines += [*_PATTERN.splitlines(), ""]
    lines += _EXPECT.splitlines()
    for sample in samples:
        lines += ["", *_one_sample(sample, by_kernel[sample.kernel])]
    return ['if __name__ == "__main__":', *(f"{INDENT}{line}".rstrip() for line in lines)]


def _is_pattern(value: object) -> bool:
    return isinstance(value, SampleBuffer) and value.constant is None


def _one_sample(sample: Sample, plan: LauncherPlan) -> list[str]:
    lines: list[str] = []
    arguments: list[str] = []
    checks: list[str] = []
    for variable, value in zip((*plan.parameters, *plan.globals_), sample.arguments, strict=True):
        if not isinstance(value, SampleBuffer):
            arguments.append(print_literal(value))
            continue
        name = legal(variable.name)
        arguments.append(name)
        lines.append(f"{name} = {_tensor(value)}")
        checks += _expectation(name, value)
    arguments.append(f"grid={sample.grid}")
    if not plan.is_fixed:
        arguments.append(f"block={sample.block}")
    if plan.takes_shared_bytes:
        arguments.append(f"{SHARED_BYTES}={sample.shared_bytes}")
    call = f"{plan.name}({', '.join(arguments)})"
    return [*lines, call, *checks, f'print("{plan.name}: agrees with the CUDA program")']


def _tensor(value: SampleBuffer) -> str:
    if value.constant is None:
        return f"pattern({value.elements}, torch.{value.dtype})"
    constant = print_literal(value.constant, single=value.dtype == "float32")
    return f"torch.full(({value.elements},), {constant}, dtype=torch.{value.dtype}, device=device)"


def _expectation(name: str, value: SampleBuffer) -> list[str]:
    if not value.expected:
        return []
    single = value.dtype == "float32"
    pairs = [f"{index}: {print_literal(result, single=single)}" for index, result in value.expected]
    line = f"expect({name}, {{{', '.join(pairs)}}})"
    if len(line) + len(INDENT) <= LINE_WIDTH:
        return [line]
    lines = [f"{INDENT}{name},", f"{INDENT}{{", *(f"{INDENT * 2}{pair}," for pair in pairs), f"{INDENT}}},"]
    return ["expect(", *lines, ")"]
