"""What a host expression can be, through the parameters of the functions it stands in and all their calls."""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.span import SourceText
from porter.cuda.constants import fold, lookup_in
from porter.cuda.definitions import Definition, definitions_in, file_definitions, values_at
from porter.cuda.structure import Function, FunctionKind
from porter.cuda.tokens import Kind, matching, matching_angle, split_arguments, text_of, tokenize
from porter.cuda.translation_unit import TranslationUnit
from porter.cuda.writes import declared_names, doubtful_names, written_names

_DEPTH = 4
_MOST = 16


def possible_values(
    unit: TranslationUnit, expression: str, offset: int, depth: int = 0
) -> frozenset[int] | None:
    """Every value of `expression` as it stands at `offset`; None where that is not known.

    Assumes that all calls of the functions involved are in the file, as in a program of one file.
    """
    function = unit.function_at(offset)
    inside = function is not None and function.body is not None
    scope = _scope(unit, function, offset) if function and inside else dict(unit.constants)
    if may_change(unit, expression, offset) is not None:
        return None
    value = fold(expression, lookup_in(scope))
    if value is not None:
        return frozenset((value,))
    if function is None or depth == _DEPTH:
        return None
    open_names = _parameters_in(expression, function, scope)
    if len(open_names) != 1:
        return None
    (name,) = open_names
    values: set[int] = set()
    for argument, at in _arguments(unit, function, name):
        given = possible_values(unit, argument, at, depth + 1)
        if given is None:
            return None
        for one in given:
            result = fold(expression, lookup_in({**scope, name: str(one)}))
            if result is None:
                return None
            values.add(result)
    return frozenset(values) if 0 < len(values) <= _MOST else None


def _parameters_in(expression: str, function: Function, scope: dict[str, str]) -> set[str]:
    """The parameters that a value depends on, through constants of the function."""
    parameters = {p.name for p in function.parameters if _is_integer(p.type_text)}
    found: set[str] = set()
    pending, seen = [expression], set()
    while pending:
        for token in tokenize(SourceText("", pending.pop().encode("latin-1", "replace"))).code:
            if token.kind is not Kind.IDENTIFIER or token.text in seen:
                continue
            seen.add(token.text)
            if token.text in scope:
                pending.append(scope[token.text])
            elif token.text in parameters:
                found.add(token.text)
    return found


def _is_integer(type_text: str) -> bool:
    words = set(type_text.replace("&", " & ").replace("*", " * ").split())
    return bool(words) and words <= {"const", "int", "unsigned", "size_t", "long", "std::size_t", "uint32_t"}


def _arguments(unit: TranslationUnit, function: Function, name: str) -> Iterator[tuple[str, int]]:
    """What each call gives for a parameter; an empty text where that is not known."""
    index = [p.name for p in function.parameters].index(name)
    alone = sum(f.name == function.name for f in unit.functions) == 1
    if function.kind is not FunctionKind.HOST or not alone or _is_written(unit, function, name):
        yield "", 0
        return
    tokens = unit.tokenized.code
    calls = 0
    for i in range(len(tokens) - 1):
        if tokens[i].text != function.name or tokens[i].start == function.name_span.start:
            continue
        closed = matching_angle(tokens, i + 1) if tokens[i + 1].text == "<" else None
        open_ = i + 1 if closed is None else closed + 1
        close = matching(tokens, open_) if tokens[open_].text == "(" else None
        pieces = split_arguments(tokens, open_ + 1, close) if close is not None else ()
        calls += 1
        yield (text_of(unit.source, tokens, *pieces[index]) if index < len(pieces) else ""), tokens[i].start
    mentions = sum(t.text == function.name for t in unit.references)
    if mentions != calls + 1:
        yield "", 0


def _is_written(unit: TranslationUnit, function: Function, name: str) -> bool:
    """Whether a parameter may be another value, or its name another variable, somewhere in the body."""
    assert function.body is not None
    first, last = (unit.tokenized.code_index(at) for at in (function.body.start, function.body.end))
    return (
        name in written_names(unit.tokenized, first, last, set())
        or name in declared_names(unit.tokenized, first, last)
        or name in doubtful_names(unit.tokenized, unit.macros, first, last)
    )


def may_change(unit: TranslationUnit, expression: str, offset: int) -> str | None:
    """A variable behind `expression` that something not known may write; None where there is none."""
    function = unit.function_at(offset)
    if function is None or function.body is None:
        return None
    first, last = (unit.tokenized.code_index(at) for at in (function.body.start, function.body.end))
    doubtful = doubtful_names(unit.tokenized, unit.macros, first, last)
    scope = _scope(unit, function, offset)
    constant = {d.name for d in _local(unit, function) if _CONSTANT & set(d.type_text.split())}
    outside = _doubtful_of_the_file(unit)
    pending, seen = [expression], set[str]()
    while pending:
        for token in tokenize(SourceText("", pending.pop().encode("latin-1", "replace"))).code:
            if token.kind is not Kind.IDENTIFIER or token.text in seen:
                continue
            seen.add(token.text)
            if (token.text in doubtful and token.text not in constant) or token.text in outside:
                return token.text
            pending.append(scope.get(token.text, ""))
    return None


def _doubtful_of_the_file(unit: TranslationUnit) -> frozenset[str]:
    """Variables of the file, none of them `const`, that any function of it may give away."""
    variables = {
        d.name
        for d in file_definitions(unit.tokenized, unit.functions)
        if not _CONSTANT & set(d.type_text.split())
    }
    if not variables:
        return frozenset()
    return doubtful_names(unit.tokenized, unit.macros, 0, len(unit.tokenized.code)) & variables


_CONSTANT = frozenset(("const", "constexpr"))


def _local(unit: TranslationUnit, function: Function) -> tuple[Definition, ...]:
    assert function.body is not None
    return definitions_in(unit.tokenized, function.body.start, function.body.end)


def _scope(unit: TranslationUnit, function: Function, offset: int) -> dict[str, str]:
    """What names stand for at `offset`: the file's constants that nothing there hides, and the function's."""
    assert function.body is not None
    first, last = (unit.tokenized.code_index(at) for at in (function.body.start, function.body.end))
    own = {p.name for p in function.parameters} | declared_names(unit.tokenized, first, last)
    scope = {name: value for name, value in unit.constants.items() if name not in own}
    scope.update(values_at(unit.tokenized, _local(unit, function), offset))
    return scope
