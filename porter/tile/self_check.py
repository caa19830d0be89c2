"""What a generated module does when it is run: it repeats captured launches and compares the results."""

from __future__ import annotations

from porter.tile.api import Sample, SampleBuffer
from porter.tile.launcher import LauncherPlan
from porter.tile.printer import INDENT, print_literal

_PER_LINE = 8


def sample_lines(samples: tuple[Sample, ...], plans: tuple[LauncherPlan, ...]) -> list[str]:
    """The body of `check()`: one launch a sample, its outputs compared with what the original wrote."""
    by_kernel = {plan.kernel_name: plan for plan in plans} | {plan.name: plan for plan in plans}
    lines: list[str] = []
    for sample in samples:
        plan = by_kernel.get(sample.kernel)
        if plan is not None:
            lines += _one_sample(sample, plan)
    return lines


def _one_sample(sample: Sample, plan: LauncherPlan) -> list[str]:
    lines: list[str] = [f"# A launch of the original on grid {sample.grid}, with the results it gave."]
    arguments: list[str] = []
    checks: list[str] = []
    for variable, value in zip((*plan.parameters, *plan.globals_), sample.arguments, strict=False):
        if not isinstance(value, SampleBuffer):
            arguments.append(print_literal(value))
            continue
        arguments.append(variable.name)
        lines += _tensor(variable.name, value.before, value.dtype)
        if value.after is not None:
            lines += _tensor(f"expected_{variable.name}", value.after, value.dtype)
            checks.append(
                f"torch.testing.assert_close({variable.name}, expected_{variable.name}, equal_nan=True)"
            )
    lines.append(f"{plan.name}({', '.join(arguments)}, grid={sample.grid})")
    return [*lines, *checks, f'print("{plan.name}: agrees with the original")']


def _tensor(name: str, values: tuple[int | float, ...], dtype: str) -> list[str]:
    tail = f", dtype=torch.{dtype}, device=device)"
    texts = [print_literal(value, single=dtype == "float32") for value in values]
    line = f"{name} = torch.tensor([{', '.join(texts)}]{tail}"
    if len(line) <= 96:
        return [line]
    rows = [texts[i : i + _PER_LINE] for i in range(0, len(texts), _PER_LINE)]
    return [f"{name} = torch.tensor([", *(f"{INDENT}{', '.join(row)}," for row in rows), f"]{tail}"]


def print_check(plans: tuple[LauncherPlan, ...], body: list[str]) -> list[str]:
    """`check()` and the `__main__` guard."""
    del plans
    lines = ['if __name__ == "__main__":']
    lines += [f'{INDENT}device = "cuda" if torch.cuda.is_available() else "cpu"']
    return lines + [f"{INDENT}{line}" for line in body]
