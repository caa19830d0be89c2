"""Launches of kernels in host code: `k<<<grid, block, shared, stream>>>(…)`, also inside macros.

Found by tokens, so strings, comments, templates, lambdas and unparsable neighbours do no harm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from porter.core.span import SourceText
from porter.cuda.constants import Lookup, dim3_of, fold, lookup_in
from porter.cuda.definitions import (
    Definition,
    definitions_in,
    file_definitions,
    macro_definitions,
    values_at,
)
from porter.cuda.directives import Macro, find_macros
from porter.cuda.launch import LaunchSite
from porter.cuda.structure import Function, find_functions
from porter.cuda.tokens import (
    Kind,
    Token,
    TokenizedSource,
    matching,
    matching_angle,
    split_arguments,
    text_of,
    tokenize,
)
from porter.cuda.writes import declared_names

_MAX_RESOLVED = 64


@dataclass(frozen=True)
class _Scope:
    """What a launch can see: the locals declared before it, and the constants of file and template."""

    tokenized: TokenizedSource
    local: tuple[Definition, ...]
    outer: Mapping[str, str]

    def at(self, offset: int) -> dict[str, str]:
        return {**self.outer, **values_at(self.tokenized, self.local, offset)}


@lru_cache(maxsize=16)
def find_launches(source: SourceText) -> tuple[LaunchSite, ...]:
    """Every `<<<…>>>` launch, in order; one in a macro has the macro's name as its function."""
    tokenized = tokenize(source)
    return launches_in(tokenized, find_functions(tokenized), find_macros(tokenized))


def launches_in(
    tokenized: TokenizedSource,
    functions: tuple[Function, ...],
    macros: tuple[Macro, ...],
    included: Mapping[str, str] = MappingProxyType({}),
) -> tuple[LaunchSite, ...]:
    """`find_launches` for a file that was read already; `included` is what names of headers stand for."""
    if not any(t.text == "<<<" for t in tokenized.tokens):
        return ()
    source = tokenized.source
    file_scope = {d.name: d.value for d in file_definitions(tokenized, functions)}
    outer = {**included, **macro_definitions(macros), **file_scope}
    found = list(_launches_in_code(tokenized, functions, outer))
    for macro in macros:
        found.extend(_launches_in(source, macro.tokens, macro.name, _Scope(tokenized, (), outer)))
    return tuple(sorted(found, key=lambda launch: launch.span))


def _launches_in_code(
    tokenized: TokenizedSource, functions: tuple[Function, ...], outer: Mapping[str, str]
) -> Iterator[LaunchSite]:
    for function in functions:
        if function.body is None:
            continue
        first, last = tokenized.code_index(function.body.start), tokenized.code_index(function.body.end)
        if not any(t.text == "<<<" for t in tokenized.code[first:last]):
            continue
        local = definitions_in(tokenized, function.body.start, function.body.end)
        template = _template_constants(tokenized, function)
        own = {p.name for p in function.parameters} | declared_names(tokenized, first, last)
        scope = _Scope(tokenized, local, {**{n: v for n, v in outer.items() if n not in own}, **template})
        yield from _launches_in(
            tokenized.source,
            tokenized.code[first:last],
            function.name,
            scope,
        )


def _template_constants(tokenized: TokenizedSource, function: Function) -> dict[str, str]:
    """Template parameters of a host function that every explicit call in the file gives the same constant."""
    names = [p.name for p in function.template_parameters]
    given: list[tuple[str, ...]] = []
    tokens = tokenized.code
    for i in range(len(tokens) - 1) if names else ():
        if tokens[i].text != function.name or tokens[i + 1].text != "<":
            continue
        closed = matching_angle(tokens, i + 1)
        if closed is not None and closed + 1 < len(tokens) and tokens[closed + 1].text == "(":
            pieces = split_arguments(tokens, i + 2, closed, angles=True)
            given.append(tuple(text_of(tokenized.source, tokens, *piece) for piece in pieces))
    result: dict[str, str] = {}
    for index, parameter in enumerate(function.template_parameters):
        values = {call[index] if index < len(call) else parameter.default for call in given}
        if len(values) == 1 and parameter.kind not in ("typename", "class") and "" not in values:
            result[parameter.name] = values.pop()
    return result


def _launches_in(
    source: SourceText, tokens: tuple[Token, ...], function: str, scope: _Scope
) -> Iterator[LaunchSite]:
    for i, token in enumerate(tokens):
        if token.text == "<<<":
            launch = _launch(source, tokens, i, function, scope.at(token.start))
            if launch is not None:
                yield launch


def _launch(
    source: SourceText,
    tokens: tuple[Token, ...],
    at: int,
    function: str,
    scope: Mapping[str, str],
) -> LaunchSite | None:
    name = _kernel_name(tokens, at)
    close = closing_of_launch(tokens, at)
    if name is None or close is None:
        return None
    end = matching(tokens, close + 1)
    if end is None:
        return None
    first, name_at, template_arguments = name
    pieces = split_arguments(tokens, at + 1, close)
    configuration = [text_of(source, tokens, *piece) for piece in pieces] + [""] * 4
    arguments = tuple(text_of(source, tokens, *piece) for piece in split_arguments(tokens, close + 2, end))
    lookup = lookup_in(scope)
    return LaunchSite(
        kernel=tokens[name_at].text,
        template_arguments=tuple(text_of(source, tokens, *piece) for piece in template_arguments),
        grid=configuration[0],
        block=configuration[1],
        shared=configuration[2],
        stream=configuration[3],
        arguments=arguments,
        span=source.span(tokens[first].start, tokens[end].end),
        enclosing_function=function,
        block_dim=_dimensions(configuration[1], lookup),
        grid_dim=_dimensions(configuration[0], lookup),
        resolved=_resolved((*configuration[:3], *arguments), scope),
    )


def _kernel_name(tokens: tuple[Token, ...], at: int) -> tuple[int, int, tuple[tuple[int, int], ...]] | None:
    """First token, name token and template argument ranges of the kernel expression that ends before `at`."""
    name = at - 1
    template_arguments: tuple[tuple[int, int], ...] = ()
    if name >= 0 and tokens[name].text in (">", ">>", ">>>"):
        opened = _opening_angle(tokens, name)
        if opened is None:
            return None
        template_arguments = split_arguments(tokens, opened + 1, name, angles=True)
        name = opened - 1
    if name < 0 or tokens[name].kind is not Kind.IDENTIFIER:
        return None
    first = name
    while first >= 2 and tokens[first - 1].text == "::" and tokens[first - 2].kind is Kind.IDENTIFIER:
        first -= 2
    return first, name, template_arguments


def _opening_angle(tokens: tuple[Token, ...], close: int) -> int | None:
    """The `<` of the template argument list whose last `>` stands in token `close`, looking backwards."""
    for i in range(close - 1, max(0, close - 200) - 1, -1):
        if tokens[i].text == "<" and i > 0 and tokens[i - 1].kind is Kind.IDENTIFIER:
            if matching_angle(tokens, i) == close and _outermost(tokens, i, close):
                return i
        elif tokens[i].text in (";", "{", "}"):
            return None
    return None


def _outermost(tokens: tuple[Token, ...], open_: int, close: int) -> bool:
    """Whether the list that opens at `open_` uses the last `>` of the token at `close`."""
    depth, i = 0, open_
    while i <= close:
        text = tokens[i].text
        if text in ("(", "[", "{"):
            i = matching(tokens, i) or close
        depth += (text == "<") - (len(text) if text in (">", ">>", ">>>") else 0)
        i += 1
    return depth == 0


def closing_of_launch(tokens: tuple[Token, ...], at: int) -> int | None:
    """The index of the `>>>` that ends the configuration opened at `at`: at depth 0 and before `(`."""
    i = at + 1
    while i + 1 < len(tokens):
        text = tokens[i].text
        if text == ">>>" and tokens[i + 1].text == "(":
            return i
        if text in ("(", "[", "{"):
            i = matching(tokens, i) or len(tokens)
        elif text == ";":
            return None
        i += 1
    return None


def _dimensions(expression: str, lookup: Lookup) -> tuple[int, int, int] | None:
    """The three extents of a grid or block expression, when all are constant."""
    for _ in range(8):
        parts = dim3_of(expression)
        if parts is not None:
            values = [fold(part, lookup) for part in parts] + [1] * (3 - len(parts))
            x, y, z = values
            return None if x is None or y is None or z is None else (x, y, z)
        value = fold(expression, lookup)
        if value is not None:
            return value, 1, 1
        named = lookup(expression.strip())
        if named is None:
            return None
        expression = named
    return None


def _resolved(expressions: tuple[str, ...], scope: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The names of `expressions` that `scope` knows, and those of their initialisers."""
    found: dict[str, str] = {}
    pending = list(expressions)
    while pending and len(found) < _MAX_RESOLVED:
        expression = pending.pop(0)
        for token in tokenize(SourceText("", expression.encode("latin-1", "replace"))).code:
            if token.kind is Kind.IDENTIFIER and token.text in scope and token.text not in found:
                found[token.text] = scope[token.text]
                pending.append(scope[token.text])
    return tuple(found.items())
