"""What of a program a kernel needs to be read: the kernel, what it calls, and the types, constants, macros
and launches of both. Found by names in the tokens, so that headers and errors elsewhere do not matter.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from porter.agent.quoting import readable
from porter.core.span import SourceText
from porter.cuda.structure import Function, FunctionKind
from porter.cuda.tokens import Kind, Token, matching
from porter.cuda.translation_unit import TranslationUnit


@dataclass(frozen=True)
class Part:
    """Bytes `[start, end)` of a file that give `names` a meaning."""

    unit: TranslationUnit
    start: int
    end: int
    names: frozenset[str]

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(t.text for t in self._tokens() if t.kind is Kind.IDENTIFIER)

    @cached_property
    def assembly(self) -> str:
        """The text of inline assembly."""
        tokens = tuple(self._tokens())
        return "\n".join(
            t.text
            for i, word in enumerate(tokens)
            if word.text in ("asm", "__asm__", "__asm")
            for t in tokens[i + 1 : _statement_end(tokens, i)]
            if t.kind is Kind.STRING
        )

    def _tokens(self) -> Iterator[Token]:
        tokens = self.unit.tokenized.tokens
        at = bisect_left(tokens, self.start, key=lambda t: t.start)
        while at < len(tokens) and tokens[at].start < self.end:
            if tokens[at].kind is not Kind.COMMENT:
                yield tokens[at]
            at += 1


def _statement_end(tokens: Sequence[Token], at: int) -> int:
    return next((i for i in range(at, len(tokens)) if tokens[i].text == ";"), len(tokens))


@dataclass(frozen=True)
class Excerpt:
    """`text` is made to be read: no control characters, no lines without end. `is_whole` says that it is all
    of the one file."""

    text: str
    is_whole: bool
    parts: tuple[Part, ...]

    @cached_property
    def words(self) -> frozenset[str]:
        """Every name in the parts, comments and strings apart."""
        return frozenset().union(*(p.words for p in self.parts))

    @cached_property
    def assembly(self) -> str:
        return "\n".join(p.assembly for p in self.parts)


def excerpt(
    units: Sequence[TranslationUnit], kernels: Sequence[str], *, whole_up_to: int, most: int
) -> Excerpt:
    """The parts of `units`, the first of which is the file itself and the others its own headers.

    A file without headers of up to `whole_up_to` characters is given whole; of others the text ends after
    `most` characters with a line that says so.
    """
    parts = tuple(_needed(units, frozenset(kernels)))
    if len(units) == 1 and len(units[0].source.data) <= whole_up_to:
        return Excerpt(readable(units[0].source.data), True, parts)
    text = "\n".join(_of_file(unit, [p for p in parts if p.unit is unit]) for unit in units)
    if len(text) > most:
        text = text[:most].rpartition("\n")[0] + "\n// (cut off here: read_source gives the rest)"
    return Excerpt(text, False, parts)


def _needed(units: Sequence[TranslationUnit], kernels: frozenset[str]) -> Iterator[Part]:
    """The kernels and their launches, then whatever gives a meaning to a name in what was taken so far."""
    known = [part for unit in units for part in _parts(unit)]
    wanted = [p for u in units for p in _kernels(u, kernels)]
    taken = {(id(p.unit), p.start) for p in wanted}
    launches = [p for u in units for p in _launches(u, kernels)]
    while wanted:
        part = wanted.pop()
        yield part
        for other in known:
            key = (id(other.unit), other.start)
            if key not in taken and not other.names.isdisjoint(part.words):
                taken.add(key)
                wanted.append(other)
    yield from launches


def _kernels(unit: TranslationUnit, kernels: frozenset[str]) -> Iterator[Part]:
    return (_of_function(unit, f) for f in unit.kernels if f.name in kernels)


def _launches(unit: TranslationUnit, kernels: frozenset[str]) -> Iterator[Part]:
    code = unit.tokenized.code
    for launch in unit.launches:
        if launch.kernel.rpartition("::")[2] not in kernels:
            continue
        end = next((t.end for t in code[unit.tokenized.code_index(launch.span.end) :] if t.text == ";"), 0)
        yield Part(unit, launch.span.start, max(end, launch.span.end), frozenset())


def _parts(unit: TranslationUnit) -> Iterator[Part]:
    for function in unit.functions:
        if function.kind is not FunctionKind.HOST and function.body is not None:
            yield _of_function(unit, function)
    for macro in unit.macros:
        yield Part(unit, macro.span.start, macro.span.end, frozenset((macro.name,)))
    yield from _declarations(unit)


def _of_function(unit: TranslationUnit, function: Function) -> Part:
    names = {function.name, *filter(None, (function.scope.rpartition("::")[2],))}
    return Part(unit, function.span.start, function.span.end, frozenset(names))


# --- declarations of types, constants and variables, outside of functions ---


def _declarations(unit: TranslationUnit) -> Iterator[Part]:
    tokens = unit.tokenized.code
    functions = {f.span.start: f.span.end for f in unit.functions if not f.scope or f.body is not None}
    start = at = 0
    while at < len(tokens):
        if at == start and tokens[at].start in functions:
            at = start = unit.tokenized.code_index(functions[tokens[at].start])
            continue
        text = tokens[at].text
        if text == "{" and tokens[start].text in ("namespace", "extern", "inline"):
            start = at + 1
        elif text in ("{", "(", "["):
            at = matching(tokens, at) or at
        elif text == "}":
            start = at + 1
        elif text == ";":
            names = _declared(tokens[start:at])
            if names:
                yield Part(unit, tokens[start].start, tokens[at].end, names)
            start = at + 1
        at += 1


def _declared(tokens: Sequence[Token]) -> frozenset[str]:
    """The names before an initialiser, a bracket or a base class; all names within an enumeration."""
    if tokens and tokens[0].text == "enum":
        return frozenset(t.text for t in tokens if t.kind is Kind.IDENTIFIER)
    ends = ("=", "[", "(", "{", ",", ":", ";")
    after = [t.text for t in tokens[1:]] + [";"]
    depth, names = 0, set()
    for token, following in zip(tokens, after, strict=True):
        depth += (token.text in "({[") - (token.text in ")}]") if len(token.text) == 1 else 0
        if depth == 0 and token.kind is Kind.IDENTIFIER and following in ends:
            names.add(token.text)
    return frozenset(names)


# --- the text ---


def _of_file(unit: TranslationUnit, parts: Sequence[Part]) -> str:
    """The includes and the lines of the parts in order, with a line for what is left out."""
    source = unit.source
    lines: set[int] = set()
    for include in unit.includes:
        lines.add(include.span.line)
    for part in parts:
        first, last = source.position(part.start)[0], source.position(max(part.end - 1, part.start))[0]
        lines.update(range(_comment_above(unit, first), last + 1))
    text = [f"// {source.path.rpartition('/')[2]}"]
    previous = 0
    for line in sorted(lines):
        text += _left_out(source, previous + 1, line - 1)
        text.append(readable(source.line_text(line).encode("latin-1")))
        previous = line
    n_lines = source.data.count(b"\n") + (not source.data.endswith(b"\n"))
    return "\n".join([*text, *_left_out(source, previous + 1, n_lines)])


def _left_out(source: SourceText, first: int, last: int) -> list[str]:
    """A line about the lines from `first` to `last`; an empty one where they have no text."""
    if first > last:
        return []
    if not any(source.line_text(line).strip() for line in range(first, last + 1)):
        return [""]
    return [f"// lines {first} to {last} are left out" if first < last else f"// line {first} is left out"]


def _comment_above(unit: TranslationUnit, line: int) -> int:
    """The first line of the comments that stand right above a line."""
    ends = _comment_lines(unit)
    while line - 1 in ends:
        line = ends[line - 1]
    return line


def _comment_lines(unit: TranslationUnit) -> dict[int, int]:
    """The last line of each comment that begins a line → its first line."""
    position = unit.source.position
    found = {}
    for comment in unit.tokenized.comments:
        line, column = position(comment.start)
        if not unit.source.line_text(line)[: column - 1].strip():
            found[position(comment.end - 1)[0]] = line
    return found
