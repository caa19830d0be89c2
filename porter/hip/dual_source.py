"""`--style shim`: source that still builds with nvcc, plus one header that makes it build for AMD.

The edits of the rewriting style are taken as planned, and expressed without touching the CUDA build: names by
`#define` in the header where every use of a name gets the same edit; warp intrinsics by macros there;
conditions by both spellings; a replaced expression by `PORTER_EITHER(cuda, hip)`; and what is left by the
lines themselves in both versions between `#if`, `#else` and `#endif`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from porter.core.edit import Edit, apply_edits
from porter.cuda.call_sites import calls, is_free_name
from porter.cuda.directives import Include
from porter.cuda.structure import conditional_branches
from porter.cuda.tokens import Directive, Kind
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.dual_header import COMPATIBILITY_HEADER, COMPILES_FOR_AMD, FOR_AMD, WARP_MACROS, Compatibility
from porter.hip.includes import c_linkage, hip_header, newline, prologue_end
from porter.hip.linkage import LINKAGE

_NAME = re.compile(r"[A-Za-z_]\w*")
_CONDITIONS = ("if", "elif", "ifdef", "ifndef")


@dataclass(frozen=True)
class DualSource:
    """The edits that keep the CUDA build, and the text of the header that the source then includes."""

    edits: tuple[Edit, ...]
    header: bytes


def keep_cuda(unit: TranslationUnit, planned: tuple[Edit, ...], shims: frozenset[str]) -> DualSource:
    """Expresses `planned`, the settled edits of a port, so that the source serves both platforms."""
    moved = tuple(
        i for i in unit.includes if hip_header(i.target) is not None and not _is_conditional(unit, i)
    )
    # An edit across an include has arguments that end behind it: no C++.
    rest = [
        e
        for e in planned
        if not any(_on_line_of(unit, e, i) or e.start < i.span.start < e.end for i in moved)
        and e.reason != LINKAGE
        and _word(unit, e).encode("latin-1") != e.replacement
    ]
    defined = _definitions(unit, rest)
    by_macros = tuple(_warp_calls(unit))
    left = [e for e in rest if _word(unit, e) not in defined and not _is_inside(e, by_macros)]
    included = list(_include_edits(unit, moved))
    edits = [*included, *_conditions(unit, left, included[0].start)]
    inside = [e for e in left if _condition_at(unit, e) is None]
    either = [_either(unit, e) for e in inside if _fits_either(unit, e)]
    guards = [e for e in inside if e.start == e.end and e.replacement.startswith(b"#")]
    doubled = [e for e in inside if not _fits_either(unit, e) and e not in guards]
    edits += _both_versions(unit, doubled, either + [_for_amd_only(e) for e in guards])
    names = {name: text for name, text in defined.items() if name not in WARP_MACROS}
    targets = [hip for i in moved if (hip := hip_header(i.target))]
    return DualSource(tuple(sorted(edits)), Compatibility(tuple(targets), names, shims).text.encode())


def _word(unit: TranslationUnit, edit: Edit) -> str:
    return unit.source.data[edit.start : edit.end].decode("latin-1")


def _is_conditional(unit: TranslationUnit, include: Include) -> bool:
    """Whether the include depends on a condition other than the header's own guard."""
    start = prologue_end(unit)
    branches = [b for group in conditional_branches(unit.tokenized.directives) for b in group]
    return any(b[0] <= include.span.start < b[1] and not b[0] <= start < b[1] for b in branches)


def _line(unit: TranslationUnit, start: int, end: int) -> tuple[int, int]:
    """The whole lines of `[start, end)`, with the directive they stand in."""
    text = unit.source.text
    for directive in unit.tokenized.directives:
        if directive.start <= start < directive.end or directive.start < end <= directive.end:
            start, end = min(start, directive.start), max(end, directive.end)
    first = text.rfind("\n", 0, start) + 1
    if end > first and text[end - 1 : end] == "\n" and end > start:
        return first, end
    last = text.find("\n", end)
    return first, last + 1 if last >= 0 else len(text)


def _on_line_of(unit: TranslationUnit, edit: Edit, include: Include) -> bool:
    first, last = _line(unit, include.span.start, include.span.end)
    return first <= edit.start and edit.end <= last and edit.start < last


def _include_edits(unit: TranslationUnit, moved: tuple[Include, ...]) -> Iterator[Edit]:
    """The compatibility header in front, and CUDA's includes, as they are, for CUDA only."""
    end = newline(unit)
    line = f'#include "{COMPATIBILITY_HEADER}"{end}'
    in_front = prologue_end(unit)
    if not moved or any(start < i.span.start < end for i in moved for start, end in c_linkage(unit)):
        yield Edit(in_front, in_front, line.encode(), "the names for AMD")
        line = ""
    for first, last in _runs(unit, moved):
        yield Edit(first, first, f"{line}#if !{FOR_AMD}{end}".encode(), "CUDA's own headers")
        yield Edit(last, last, f"#endif{end}".encode(), "CUDA's own headers")
        line = ""


def _runs(unit: TranslationUnit, includes: tuple[Include, ...]) -> list[tuple[int, int]]:
    """The lines of `includes`, neighbours as one range."""
    runs: list[tuple[int, int]] = []
    for include in includes:
        first, last = _line(unit, include.span.start, include.span.end)
        runs.append((runs.pop()[0] if runs and runs[-1][1] == first else first, last))
    return runs


def _definitions(unit: TranslationUnit, edits: list[Edit]) -> dict[str, str]:
    """Names of which every use gets the same edit, a new name: a macro can say so."""
    wanted: dict[str, set[bytes]] = {}
    counted: dict[str, int] = {}
    for edit in edits:
        word = _word(unit, edit)
        if _NAME.fullmatch(word) and _condition_at(unit, edit) is None:
            wanted.setdefault(word, set()).add(edit.replacement)
            counted[word] = counted.get(word, 0) + 1
    uses = _uses(unit)
    return {
        word: next(iter(texts)).decode("latin-1")
        for word, texts in wanted.items()
        if len(texts) == 1
        and uses.get(word, 0) == counted[word]
        and _NAME.fullmatch(next(iter(texts)).decode("latin-1"))
        and word != "cuda"
    }


def _uses(unit: TranslationUnit) -> dict[str, int]:
    """How often each name stands in code or in a macro's body, as no member and outside conditions."""
    counted: dict[str, int] = {}
    tokens = tuple(t for t in unit.tokenized.tokens if t.kind is not Kind.COMMENT)
    directives = unit.tokenized.directives
    for i, token in enumerate(tokens):
        if token.directive >= 0 and directives[token.directive].name != "define":
            continue
        if token.kind is Kind.IDENTIFIER and is_free_name(tokens, i):
            counted[token.text] = counted.get(token.text, 0) + 1
    return counted


def _is_inside(edit: Edit, places: tuple[tuple[int, int], ...]) -> bool:
    return any(start <= edit.start and edit.end <= end for start, end in places)


def _warp_calls(unit: TranslationUnit) -> Iterator[tuple[int, int]]:
    """The places in warp intrinsics' calls that the rewriting style edits: the name, the mask, the end."""
    for call in calls(unit, frozenset(WARP_MACROS)):
        tokens = call.stream.tokens
        yield call.name.start, call.name.end
        yield tokens[call.close].start, tokens[call.close].start
        if call.arguments:
            after = call.arguments[1][0] if len(call.arguments) > 1 else call.close
            yield call.open.end, tokens[after].start


def _condition_at(unit: TranslationUnit, edit: Edit) -> Directive | None:
    # What is inserted in front of a directive is no part of it.
    first = edit.start - (edit.start == edit.end)
    found = (d for d in unit.tokenized.directives if d.start <= first and edit.start < d.end)
    directive = next(found, None)
    return directive if directive is not None and directive.name in _CONDITIONS else None


def _conditions(unit: TranslationUnit, edits: list[Edit], header_at: int) -> Iterator[Edit]:
    """`#if A` as `#if (AMD and A in HIP's spelling) or (not AMD and A)`."""
    by_directive: dict[int, list[Edit]] = {}
    for edit in edits:
        directive = _condition_at(unit, edit)
        if directive is not None:
            by_directive.setdefault(directive.start, []).append(edit)
    for directive in unit.tokenized.directives:
        inside = by_directive.get(directive.start)
        if inside:
            # Before the header is included, its macro does not say yet which platform it is.
            amd = FOR_AMD if directive.start > header_at else f"({COMPILES_FOR_AMD})"
            yield _condition(unit, directive, inside, amd.encode())


def _condition(unit: TranslationUnit, directive: Directive, edits: list[Edit], amd: bytes) -> Edit:
    start, end = directive.tokens[2].start, directive.tokens[-1].end
    shifted = [Edit(e.start - start, e.end - start, e.replacement) for e in edits]
    cuda = unit.source.data[start:end]
    hip = apply_edits(cuda, shifted)
    if directive.name in ("ifdef", "ifndef"):
        sign = "" if directive.name == "ifdef" else "!"
        cuda, hip = (f"{sign}defined({t.decode('latin-1')})".encode("latin-1") for t in (cuda, hip))
        keyword = b"if "
    else:
        keyword = directive.name.encode() + b" "
    text = keyword + b"(" + amd + b" && (" + hip + b")) || (!" + amd + b" && (" + cuda + b"))"
    return Edit(directive.tokens[1].start, end, text, "both spellings")


def _for_amd_only(guard: Edit) -> Edit:
    """A guard of `merged_overloads` for AMD; in CUDA the overloads stay apart."""
    opening = b"#ifndef PORTER_"
    if not guard.replacement.startswith(opening):
        return guard
    name, _, rest = guard.replacement[len(b"#ifndef ") :].partition(b" ")
    text = b"#if !" + FOR_AMD.encode() + b" || !defined(" + name + b") " + rest
    return Edit(guard.start, guard.end, text, guard.reason)


def _fits_either(unit: TranslationUnit, edit: Edit) -> bool:
    """Whether the edit replaces one expression by another, outside macro definitions."""
    both = (_word(unit, edit), edit.replacement.decode("latin-1"))
    if edit.start == edit.end or any(not t.strip() or re.search(r"[;{}#\"\n]", t) for t in both):
        return False
    return all(_is_one_argument(t) for t in both) and not any(
        d.start <= edit.start < d.end for d in unit.tokenized.directives
    )


def _is_one_argument(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if depth < 0 or (character == "," and depth == 0):
            return False
    return depth == 0


def _either(unit: TranslationUnit, edit: Edit) -> Edit:
    text = f"PORTER_EITHER({_word(unit, edit)}, ".encode("latin-1") + edit.replacement + b")"
    return Edit(edit.start, edit.end, text, edit.reason)


def _both_versions(unit: TranslationUnit, edits: list[Edit], others: list[Edit]) -> list[Edit]:
    """`edits` as whole lines in both versions; `others` as they are, within those lines too."""
    groups: list[tuple[int, int]] = []
    for edit in sorted(edits):
        first, last = _line(unit, edit.start, edit.end)
        if groups and first <= groups[-1][1]:
            first, last = groups.pop()[0], max(last, groups[-1][1] if groups else last, last)
        groups.append((first, last))
    result = [e for e in others if not any(first <= e.start < last for first, last in groups)]
    for first, last in groups:
        inside = [e for e in (*edits, *others) if first <= e.start and e.end <= last and e.start < last]
        result.append(_doubled(unit, first, last, inside))
    return result


def _doubled(unit: TranslationUnit, first: int, last: int, edits: list[Edit]) -> Edit:
    cuda = unit.source.data[first:last]
    hip = apply_edits(cuda, [Edit(e.start - first, e.end - first, e.replacement) for e in edits])
    line_end = newline(unit).encode()
    parts = [f"#if {FOR_AMD}".encode(), hip.rstrip(b"\r\n"), b"#else", cuda.rstrip(b"\r\n"), b"#endif"]
    return Edit(first, last, line_end.join(parts) + line_end, "both versions")
