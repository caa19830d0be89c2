"""Functions of a translation unit, found by brackets: names, parameters, bodies, template heads.

Works on tokens rather than on a grammar, so a macro or an error elsewhere never hides a kernel. Where the
branches of an `#if` each open the same block, the first branch counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from porter.core.span import SourceText, Span
from porter.cuda.tokens import (
    Directive,
    Kind,
    Token,
    TokenizedSource,
    matching,
    matching_angle,
    split_arguments,
    text_of,
)


class FunctionKind(Enum):
    KERNEL = "kernel"
    DEVICE = "device"
    HOST_DEVICE = "host_device"
    HOST = "host"

    @property
    def on_device(self) -> bool:
        return self is not FunctionKind.HOST


@dataclass(frozen=True)
class Parameter:
    """`text` is the declaration as written (`const float* __restrict__ x`), `type_text` without the name."""

    name: str
    type_text: str
    text: str
    span: Span


@dataclass(frozen=True)
class TemplateParameter:
    """`kind` is `typename`, `class` or the type of a value (`int`); `default` is "" for none."""

    kind: str
    name: str
    default: str


@dataclass(frozen=True)
class Function:
    """A function definition, or a declaration when `body` is None. `scope` is `ns::Class` or ""."""

    name: str
    kind: FunctionKind
    scope: str
    template_parameters: tuple[TemplateParameter, ...]
    returns: str
    parameters: tuple[Parameter, ...]
    launch_bounds: tuple[str, ...]
    doc_comment: str
    span: Span
    name_span: Span
    body: Span | None

    def instantiated(self, text: str, arguments: Sequence[str]) -> str:
        """Text of a template with `arguments` in place of its parameters, one for each."""
        names = (parameter.name for parameter in self.template_parameters)
        by_name = dict(zip(names, arguments, strict=True))
        return re.sub(r"\w+", lambda m: by_name.get(m[0], m[0]), text)


@dataclass
class _Block:
    kind: str  # "scope", "function" or "other"
    name: str
    parens: int


_NOT_A_NAME = frozenset(
    (
        "__launch_bounds__",
        "__attribute__",
        "__declspec",
        "alignas",
        "noexcept",
        "decltype",
        "__align__",
        "throw",
        "requires",
        "sizeof",
        "__cluster_dims__",
        "__block_size__",
        "__maxnreg__",
        "if",
        "for",
        "while",
        "switch",
        "return",
        "catch",
        "static_assert",
    )
)


def find_functions(tokenized: TokenizedSource) -> tuple[Function, ...]:
    """All function definitions outside other functions, and the declarations of kernels, in source order."""
    return tuple(_scan(tokenized))


def _scan(tokenized: TokenizedSource) -> Iterator[Function]:
    tokens = tokenized.code
    stack: list[_Block] = []
    parens = head = 0
    skipped = _later_branches(tokenized)
    for i, token in enumerate(tokens):
        if token.text not in _STRUCTURE or token.start in skipped:
            continue
        inside = any(b.kind == "function" for b in stack)
        if token.text == "{":
            block, function = _opened(tokenized, head, i, stack, parens, inside)
            if function is not None:
                yield function
            stack.append(block)
            parens, head = 0, i + 1
        elif token.text == "}":
            parens = stack.pop().parens if stack else 0
            head = i + 1
        elif token.text in ("(", "["):
            parens += 1
        elif token.text in (")", "]"):
            parens = max(0, parens - 1)
        elif token.text == ";" and parens == 0:
            if not inside:
                yield from _declared_kernel(tokenized, head, i, stack)
            head = i + 1
        elif token.text == ":" and tokens[i - 1].text in ("public", "private", "protected"):
            head = i + 1


_STRUCTURE = frozenset("{}()[];:")


def _later_branches(tokenized: TokenizedSource) -> frozenset[int]:
    """Starts of the tokens in later branches of conditionals whose branches all leave a block open."""
    skipped: set[int] = set()
    for branches in conditional_branches(tokenized.directives):
        depths = [_depth(tokenized, *branch) for branch in branches]
        if len(branches) > 1 and depths[0] != 0:
            for start, end in branches[1:]:
                first, last = tokenized.code_index(start), tokenized.code_index(end)
                skipped.update(t.start for t in tokenized.code[first:last])
    return frozenset(skipped)


def _depth(tokenized: TokenizedSource, start: int, end: int) -> int:
    texts = [t.text for t in tokenized.code[tokenized.code_index(start) : tokenized.code_index(end)]]
    return texts.count("{") - texts.count("}") + texts.count("(") - texts.count(")")


def conditional_branches(directives: tuple[Directive, ...]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each `#if … #endif` the byte ranges between its directives, one per branch."""
    result: list[tuple[tuple[int, int], ...]] = []
    open_: list[tuple[list[tuple[int, int]], int]] = []
    for directive in directives:
        if directive.name in ("if", "ifdef", "ifndef"):
            open_.append(([], directive.end))
        elif directive.name in ("else", "elif", "elifdef", "elifndef") and open_:
            branches, start = open_.pop()
            open_.append(([*branches, (start, directive.start)], directive.end))
        elif directive.name == "endif" and open_:
            branches, start = open_.pop()
            result.append((*branches, (start, directive.start)))
    return tuple(result)


def _opened(
    tokenized: TokenizedSource, head: int, brace: int, stack: list[_Block], parens: int, inside: bool
) -> tuple[_Block, Function | None]:
    """What the `{` at `brace` opens; a function only where one can stand."""
    if inside or parens:
        return _Block("other", "", parens), None
    head = _after_macros(tokenized.code, head, brace)
    scope = _scope_name(tokenized.code, head, brace)
    if scope is not None:
        return _Block("scope", scope, parens), None
    function = _function(tokenized, head, brace, stack, has_body=True)
    return _Block("function" if function else "other", "", parens), function


def _scope_name(tokens: tuple[Token, ...], head: int, brace: int) -> str | None:
    """The name of the namespace or class whose body opens, "" for `extern "C"`, None for anything else."""
    i = _after_template(tokens, head, brace)
    if i < brace and tokens[i].text in ("inline", "typedef", "static", "const"):
        i += 1
    if i < brace and tokens[i].text == "extern" and i + 1 < brace and tokens[i + 1].kind is Kind.STRING:
        return "" if i + 2 == brace else None
    if i >= brace or tokens[i].text not in ("namespace", "class", "struct", "union"):
        return None
    names = [t.text for t in tokens[i + 1 : brace] if t.kind is Kind.IDENTIFIER and t.text not in _NOT_A_NAME]
    if tokens[i].text == "namespace":
        return "::".join(names)
    if _parameter_list(tokens, i, brace) is not None and ":" not in [t.text for t in tokens[i:brace]]:
        return None  # `struct P f() {` defines a function
    return names[0] if names else ""


def _after_macros(tokens: tuple[Token, ...], head: int, end: int) -> int:
    """Words and calls before a `template <…>` can only be macros, such as one that opens a namespace."""
    i = head
    while i < end and tokens[i].kind is Kind.IDENTIFIER and tokens[i].text != "template":
        closed = matching(tokens, i + 1) if tokens[i + 1].text == "(" else i
        if closed is None:
            return head
        i = closed + 1
    is_template = i + 1 < end and tokens[i].text == "template" and tokens[i + 1].text == "<"
    return i if is_template else head


def _after_template(tokens: tuple[Token, ...], i: int, end: int) -> int:
    while i + 1 < end and tokens[i].text == "template" and tokens[i + 1].text == "<":
        closed = matching_angle(tokens, i + 1)
        if closed is None:
            return i
        i = closed + 1
    return i


def _declared_kernel(
    tokenized: TokenizedSource, head: int, end: int, stack: list[_Block]
) -> Iterator[Function]:
    if any(t.text == "__global__" for t in tokenized.code[head:end]):
        head = _after_macros(tokenized.code, head, end)
        function = _function(tokenized, head, end, stack, has_body=False)
        if function is not None:
            yield function


def _function(
    tokenized: TokenizedSource, head: int, end: int, stack: list[_Block], *, has_body: bool
) -> Function | None:
    tokens, source = tokenized.code, tokenized.source
    found = _parameter_list(tokens, head, end)
    if found is None:
        return None
    open_, close = found
    closing = matching(tokens, end) if has_body else None
    last = closing if closing is not None else end
    after_template = _after_template(tokens, head, open_)
    declarator = tokens[after_template:open_]
    body = source.span(tokens[end].start, tokens[last].end) if has_body else None
    return Function(
        name=(name := _name(tokens, open_)),
        kind=FunctionKind.HOST if name == "main" else _kind(_words(tokenized, declarator)),
        scope="::".join(b.name for b in stack if b.kind == "scope" and b.name),
        template_parameters=_template_parameters(source, tokens, head, after_template),
        returns=_return_type(tokens, after_template, open_),
        parameters=_parameters(source, tokens, open_ + 1, close),
        launch_bounds=_launch_bounds(source, tokens, head, end),
        doc_comment=_doc_comment(tokenized, tokens[head].start),
        span=source.span(tokens[head].start, tokens[last].end),
        name_span=source.span(tokens[open_ - 1].start, tokens[open_ - 1].end),
        body=body,
    )


def _parameter_list(tokens: tuple[Token, ...], head: int, end: int) -> tuple[int, int] | None:
    """The brackets of the parameter list in a declarator: the last `name(…)` before qualifiers."""
    found: tuple[int, int] | None = None
    i = _after_template(tokens, head, end)
    while i < end:
        text = tokens[i].text
        if text == "=" or (text == ":" and found is not None):
            break
        if text == "(" and tokens[i - 1].text == "operator":
            i += 1  # the `()` of `operator()` is its name
        elif text == "(":
            close = matching(tokens, i)
            if close is None or close >= end:
                break
            previous = tokens[i - 1] if i > head else None
            if previous is not None and _can_name(previous, tokens[i - 2] if i - 2 >= head else None):
                found = (i, close)
            i = close
        i += 1
    return found


def _can_name(token: Token, before: Token | None) -> bool:
    if token.kind is Kind.IDENTIFIER:
        return token.text not in _NOT_A_NAME and token.text != "operator"
    return before is not None and (before.text == "operator" or token.text in (">", ")"))


def _name(tokens: tuple[Token, ...], open_: int) -> str:
    if tokens[open_ - 1].kind is Kind.IDENTIFIER:
        return tokens[open_ - 1].text
    symbol = "()" if tokens[open_ - 1].text == ")" else tokens[open_ - 1].text
    return "operator" + symbol


def _words(tokenized: TokenizedSource, declarator: tuple[Token, ...]) -> set[str]:
    """The declarator's words, with object-like macros such as `HD` replaced by what they stand for."""
    words = {t.text for t in declarator}
    return words.union(*(tokenized.macro_words.get(word, ()) for word in words))


def _kind(words: set[str]) -> FunctionKind:
    if "__global__" in words:
        return FunctionKind.KERNEL
    if "__device__" in words:
        return FunctionKind.HOST_DEVICE if "__host__" in words else FunctionKind.DEVICE
    return FunctionKind.HOST


def _return_type(tokens: tuple[Token, ...], start: int, open_: int) -> str:
    skipped = {"__global__", "__device__", "__host__", "static", "inline", "extern", "__forceinline__"}
    words: list[str] = []
    i = start
    while i < open_ - 1:
        if tokens[i].text in _NOT_A_NAME and tokens[i + 1].text == "(":
            i = matching(tokens, i + 1) or i
        elif tokens[i].text not in skipped and tokens[i].kind is not Kind.STRING:
            words.append(tokens[i].text)
        i += 1
    return " ".join(words)


def _template_parameters(
    source: SourceText, tokens: tuple[Token, ...], head: int, end: int
) -> tuple[TemplateParameter, ...]:
    if end - head < 3 or tokens[head].text != "template":
        return ()
    pieces = split_arguments(tokens, head + 2, end - 1, angles=True)
    return tuple(_template_parameter(source, tokens, *piece) for piece in pieces)


def _template_parameter(
    source: SourceText, tokens: tuple[Token, ...], start: int, end: int
) -> TemplateParameter:
    equals = next((i for i in range(start, end) if tokens[i].text == "="), end)
    default = text_of(source, tokens, equals + 1, end)
    if equals - start > 1 and tokens[equals - 1].kind is Kind.IDENTIFIER:
        return TemplateParameter(text_of(source, tokens, start, equals - 1), tokens[equals - 1].text, default)
    return TemplateParameter(text_of(source, tokens, start, equals), "", default)


def _parameters(source: SourceText, tokens: tuple[Token, ...], start: int, end: int) -> tuple[Parameter, ...]:
    if end - start == 1 and tokens[start].text == "void":
        return ()
    pieces = split_arguments(tokens, start, end, angles=True)
    return tuple(_parameter(source, tokens, *piece) for piece in pieces if piece[0] < piece[1])


def _parameter(source: SourceText, tokens: tuple[Token, ...], start: int, end: int) -> Parameter:
    text = text_of(source, tokens, start, end)
    limit = next((i for i in range(start, end) if tokens[i].text in ("=", "[")), end)
    span = source.span(tokens[start].start, tokens[end - 1].end)
    at = _declared_name(tokens, start, limit)
    if at is None:
        return Parameter("", text, text, span)
    rest = text_of(source, tokens, limit, end) if limit < end and tokens[limit].text == "[" else ""
    type_text = text_of(source, tokens, start, at).rstrip() + rest
    return Parameter(tokens[at].text, type_text, text, span)


def _declared_name(tokens: tuple[Token, ...], start: int, limit: int) -> int | None:
    """The index of the declared name: the last identifier, or the one in `(*name)` or `(&name)`."""
    for i in range(start, limit - 2):
        if (
            tokens[i].text == "("
            and tokens[i + 1].text in ("*", "&")
            and tokens[i + 2].kind is Kind.IDENTIFIER
        ):
            return i + 2
    last = limit - 1
    if last > start and tokens[last].kind is Kind.IDENTIFIER and tokens[last].text not in _BUILTIN_TYPES:
        return last
    return None


_BUILTIN_TYPES = frozenset(
    (
        "int",
        "unsigned",
        "signed",
        "char",
        "short",
        "long",
        "float",
        "double",
        "bool",
        "void",
        "const",
        "auto",
    )
)


def _launch_bounds(source: SourceText, tokens: tuple[Token, ...], start: int, end: int) -> tuple[str, ...]:
    for i in range(start, end - 1):
        if tokens[i].text == "__launch_bounds__" and tokens[i + 1].text == "(":
            close = matching(tokens, i + 1) or end
            pieces = split_arguments(tokens, i + 2, close)
            return tuple(text_of(source, tokens, *piece) for piece in pieces)
    return ()


def _doc_comment(tokenized: TokenizedSource, start: int) -> str:
    """The comments directly above `start`, without a blank line between, as written."""
    text = tokenized.source.text
    first = start
    for comment in reversed([c for c in tokenized.comments if c.end <= start]):
        between = text[comment.end : first]
        line_start = text.rfind("\n", 0, comment.start) + 1
        if between.strip() or between.count("\n") > 1 or text[line_start : comment.start].strip():
            break
        first = comment.start
    return text[first:start].rstrip()
