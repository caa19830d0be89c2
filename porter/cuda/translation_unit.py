"""A CUDA source file as porter sees it: functions, launches, includes, macros and uses of names, with spans.

Everything is found in the file's own bytes, whether or not its includes exist and whatever else is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from porter.core.diagnostic import Diagnostic
from porter.core.span import SourceText, Span
from porter.cuda.definitions import file_definitions, macro_definitions
from porter.cuda.directives import Include, Macro, find_includes, find_macros
from porter.cuda.launch import LaunchSite
from porter.cuda.launches import launches_in
from porter.cuda.platform import Platform, platform_of
from porter.cuda.structure import Function, FunctionKind, find_functions
from porter.cuda.syntax import syntax_errors
from porter.cuda.tokens import Kind, Token, TokenizedSource, tokenize


@dataclass(frozen=True, eq=False)
class TranslationUnit:
    """One source file, read but not judged; `functions` has kernels too; `syntax_errors` hide nothing.

    `included` is what names of its headers stand for, as far as whoever read it asked them. `header_kernels`
    are kernels of the user's headers that belong to this program, as far as whoever read it looked for them.
    A unit is equal only to itself, so that what is found in it can be kept by it.
    """

    source: SourceText
    tokenized: TokenizedSource
    functions: tuple[Function, ...]
    launches: tuple[LaunchSite, ...]
    includes: tuple[Include, ...]
    macros: tuple[Macro, ...]
    platform: Platform
    syntax_errors: tuple[Diagnostic, ...]
    included: Mapping[str, str] = field(default_factory=dict)
    header_kernels: tuple[Function, ...] = ()

    @cached_property
    def kernels(self) -> tuple[Function, ...]:
        """Kernel definitions of the file, in source order."""
        return tuple(f for f in self.functions if f.kind is FunctionKind.KERNEL and f.body is not None)

    @property
    def all_kernels(self) -> tuple[Function, ...]:
        """Those of the file, then those of headers."""
        return (*self.kernels, *self.header_kernels)

    @cached_property
    def launched_names(self) -> frozenset[str]:
        """The kernels that the file's text launches, without their namespaces."""
        return frozenset(launch.kernel.rpartition("::")[2] for launch in self.launches)

    def kernel_named(self, name: str) -> Function | None:
        """The first of `all_kernels` of this name, which has no namespace."""
        return next((k for k in self.all_kernels if k.name == name), None)

    @cached_property
    def device_functions(self) -> tuple[Function, ...]:
        return tuple(f for f in self.functions if f.kind in (FunctionKind.DEVICE, FunctionKind.HOST_DEVICE))

    @cached_property
    def constants(self) -> Mapping[str, str]:
        """What macros and file-scope constants stand for, as expressions."""
        found = {**self.included, **macro_definitions(self.macros)}
        found.update({d.name: d.value for d in file_definitions(self.tokenized, self.functions)})
        return found

    @cached_property
    def words(self) -> frozenset[str]:
        """Every token's text, comments apart: what is not among them need not be looked for."""
        return frozenset(t.text for t in self.tokenized.tokens if t.kind is not Kind.COMMENT)

    @cached_property
    def references(self) -> tuple[Token, ...]:
        """Every identifier outside comments, strings and include lines, macro bodies included."""
        skipped = {
            i for i, d in enumerate(self.tokenized.directives) if d.name in ("include", "error", "warning")
        }
        return tuple(
            t
            for t in self.tokenized.tokens
            if t.kind is Kind.IDENTIFIER and (t.directive < 0 or t.directive not in skipped)
        )

    def function_at(self, offset: int) -> Function | None:
        """The function whose definition covers a byte offset."""
        return next((f for f in self.functions if f.span.start <= offset < f.span.end), None)

    def span_of(self, token: Token) -> Span:
        return self.source.span(token.start, token.end)


def read_translation_unit(
    source: SourceText, included: Mapping[str, str] = MappingProxyType({})
) -> TranslationUnit:
    """Reads a file; never raises for what stands in it. `included` is what names of headers stand for."""
    tokenized = tokenize(source)
    macros = find_macros(tokenized)
    functions = find_functions(tokenized)
    # A name that the file defines itself has no value but the file's, and none where those differ.
    own = {macro.name for macro in macros}
    outer = {name: value for name, value in included.items() if name not in own}
    return TranslationUnit(
        source=source,
        tokenized=tokenized,
        functions=functions,
        launches=launches_in(tokenized, functions, macros, outer),
        includes=find_includes(tokenized),
        macros=macros,
        platform=platform_of(tokenized, macros),
        syntax_errors=syntax_errors(source),
        included=outer,
    )


_CUDA_WORDS = re.compile(
    r"__CUDACC__|__CUDA_ARCH__|__NVCC__|__global__|__device__|__shared__|threadIdx|<<<|\bcuda[A-Z_.]"
    r"|\bnvrtc|\bcublas|\bcudnn|\bCU(result|device|context|module|function|stream|event|deviceptr)\b"
    r"|\bcu(Init|Get|Device|Driver|Ctx|Module|Library|Mem|Launch|Stream|Event|Func|Graph|Array|Tex|Link)\w*"
)

_CUDA_HEADERS = re.compile(
    r"\bcu\w*\.(h|cuh)\b|hip/|\b(vector|driver|builtin|texture|surface)_types\.h|\bvector_functions\.h"
    r"|\bmath_constants\.h|\bdevice_launch_parameters\.h|\bdevice_functions\.h|\bhost_defines\.h"
)


def has_cuda(unit: TranslationUnit) -> bool:
    """Whether anything in the file is CUDA: a qualifier, a launch, an include or an API name."""
    if unit.kernels or unit.device_functions or unit.launches:
        return True
    included = " ".join(i.target for i in unit.includes)
    words = " ".join(t.text for t in unit.references)
    return bool(_CUDA_WORDS.search(words) or _CUDA_HEADERS.search(included))


def has_kernels(unit: TranslationUnit) -> bool:
    return bool(unit.kernels) or writes_kernels_by_macro(unit)


def writes_kernels_by_macro(unit: TranslationUnit) -> bool:
    """Whether a macro with a body in it defines kernels, which the text alone does not show."""
    return any({"__global__", "{"} <= {token.text for token in macro.tokens} for macro in unit.macros)
