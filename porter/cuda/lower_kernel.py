"""From a source file to its kernels in KIR: one per kernel and instantiation, or the reason why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import SourceText, Span
from porter.cuda import (
    lower_bytes,
    lower_calls,
    lower_decl,
    lower_loops,
    lower_math,
    lower_operators,
    lower_stmt,
    lower_switch,
)
from porter.cuda.clang_cursor import Cursor, as_written, type_spelling
from porter.cuda.clang_launches import Instantiation, find_instantiations, method_instances
from porter.cuda.clang_unit import ClangUnit, parse_unit
from porter.cuda.explicit_instantiations import explicit_instantiations
from porter.cuda.kir import Kernel, Return, Stmt, Storage, Struct, Variable
from porter.cuda.kir_verifier import InvalidKernel, verify_kernel
from porter.cuda.launch import LaunchSite
from porter.cuda.launch_bounds import launch_bounds
from porter.cuda.lower_context import Decline, Lowering, Program
from porter.cuda.lower_functions import bind_parameter, body_of, check_parsed, parameters_of
from porter.cuda.lower_reasons import classified
from porter.cuda.lower_types import is_erased
from porter.cuda.undeclared import missing_declarations
from porter.cuda.warp import WARP_SIZE

# Importing these is what registers the constructs they lower.
_REGISTERED = (
    lower_bytes, lower_calls, lower_decl, lower_loops, lower_math, lower_operators, lower_stmt, lower_switch,
)  # fmt: skip


@dataclass(frozen=True)
class Lowered:
    """A kernel in the IR; `launch` is its first launch, None where the file has none."""

    kernel: Kernel
    launch: LaunchSite | None

    @property
    def name(self) -> str:
        return self.kernel.name

    @property
    def span(self) -> Span:
        return self.kernel.span


@dataclass(frozen=True)
class NotLowered:
    """`span` is where the reason is, which may be in a function that the kernel calls."""

    kernel_name: str
    diagnostic: Diagnostic

    @property
    def name(self) -> str:
        return self.kernel_name

    @property
    def span(self) -> Span:
        return self.diagnostic.span


LoweredKernel = Lowered | NotLowered


def lower_kernels(
    source: SourceText,
    launches: tuple[LaunchSite, ...] = (),
    *,
    include_dirs: Sequence[str | Path] = (),
    defines: Sequence[str] = (),
    largest_tile: int = WARP_SIZE,
) -> tuple[LoweredKernel, ...]:
    """Every kernel of `source` (and of the headers it includes), in order of definition.

    A kernel template gives one result for each instantiation its launches ask for. Never raises for bad
    CUDA: what cannot be lowered is a `NotLowered` with a `TIL` code and a place. `largest_tile` is how many
    threads a tile of a cooperative group may have.
    """
    instances = explicit_instantiations(source.text)
    unit = parse_unit(source, include_dirs=include_dirs, defines=defines, appendix=instances)
    found = [(unit, instantiation) for instantiation in find_instantiations(unit, launches)]
    unresolved = [i for _, i in found if i.kernel is None and i.launch is not None]
    if unresolved:
        again = parse_unit(
            source,
            include_dirs=include_dirs,
            defines=defines,
            prelude=missing_declarations(unit),
            appendix="\n".join((instances, method_instances(unit), *(i.appendix for i in unresolved))),
        )
        found = _with_second_parse(found, again, launches)
    return tuple(_lower_one(unit, instantiation, largest_tile) for unit, instantiation in found)


_Found = list[tuple[ClangUnit, Instantiation]]


def _with_second_parse(first: _Found, again: ClangUnit, launches: tuple[LaunchSite, ...]) -> _Found:
    """The first parse's findings, those of templates it could not instantiate replaced by the second's."""
    unresolved = {i.name for _, i in first if i.kernel is None}
    second = [(again, i) for i in find_instantiations(again, launches) if i.name in unresolved]
    improved = {i.name for _, i in second if i.kernel is not None}
    kept = [(unit, i) for unit, i in first if i.name not in improved]
    return kept + [(unit, i) for unit, i in second if i.name in improved and i.kernel is not None]


def _lower_one(unit: ClangUnit, instantiation: Instantiation, largest_tile: int) -> LoweredKernel:
    if instantiation.kernel is None:
        return NotLowered(instantiation.name, classified(instantiation.problem(unit)))
    try:
        kernel = _lower_kernel(unit, instantiation, instantiation.kernel, largest_tile)
        verify_kernel(kernel)
    except Decline as declined:
        return NotLowered(instantiation.name, classified(declined.diagnostic))
    except InvalidKernel as invalid:
        return _defect(instantiation, f"the lowered kernel is not valid: {invalid}", invalid.span)
    except RecursionError:
        return _defect(instantiation, "the kernel is nested too deeply", unit.span(instantiation.kernel))
    except Exception as defect:  # one kernel's surprise must not take the file's other kernels along
        message = f"a defect of porter's lowering: {type(defect).__name__}: {defect}"
        return _defect(instantiation, message, unit.span(instantiation.kernel))
    return Lowered(kernel, instantiation.launch)


def _defect(instantiation: Instantiation, message: str, span: Span) -> NotLowered:
    return NotLowered(instantiation.name, Diagnostic("TIL021", Severity.ERROR, message, span))


def _lower_kernel(unit: ClangUnit, instantiation: Instantiation, kernel: Cursor, largest_tile: int) -> Kernel:
    program = Program(unit, block_is_1d=instantiation.block_is_1d, largest_tile=largest_tile)
    frame = Lowering(program, {}, program.assigned_in(kernel))
    check_parsed(frame, kernel)
    parameters = tuple(_parameter(frame, p) for p in parameters_of(kernel))
    body_cursor = body_of(kernel)
    assert body_cursor is not None
    body = _without_final_return((*frame.body(body_cursor),))
    body = (*program.hoisted_shared, *body)
    span = unit.span(kernel)
    return Kernel(
        name=instantiation.name,
        template_arguments=instantiation.template_arguments,
        parameters=parameters,
        body=body,
        span=span,
        functions=program.functions,
        globals=tuple(program.globals.values()),
        launch_bounds=launch_bounds(
            unit.text_of(span),
            span.start,
            instantiation.template,
            instantiation.template_arguments,
        ),
        comments=frame.comments(as_written(kernel)),
    )


def _parameter(frame: Lowering, parameter: Cursor) -> Variable:
    """One for each argument of the launch: a functor without fields is a struct without fields."""
    if not is_erased(parameter.type):
        return bind_parameter(frame, parameter, restrict=True)
    empty = Struct(type_spelling(parameter.type), ())
    return Variable(parameter.spelling, empty, Storage.PARAMETER, frame.span(parameter))


def _without_final_return(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    return body[:-1] if body and isinstance(body[-1], Return) else body
