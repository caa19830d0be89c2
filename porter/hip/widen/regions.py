"""The text that belongs to a kernel: its own, that of the functions it calls, and of the macros it uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from porter.cuda.constants import fold, lookup_in
from porter.cuda.definitions import definitions_in
from porter.cuda.structure import Function
from porter.cuda.tokens import Kind, Token, text_of
from porter.cuda.translation_unit import TranslationUnit

_COLLECTIVE = (
    "__shfl", "__ballot", "__any", "__all", "__reduce_", "__match_", "__activemask", "tiled_partition",
)  # fmt: skip
_RANKS = frozenset(("threadIdx", "thread_rank", "meta_group_rank"))


@dataclass(frozen=True)
class Region:
    """A function or a macro body; `scope` says what its names stand for."""

    unit: TranslationUnit
    name: str
    tokens: tuple[Token, ...]
    scope: Mapping[str, str]
    function: Function | None

    def text(self, start: int, end: int) -> str:
        return text_of(self.unit.source, self.tokens, start, end)

    def value(self, start: int, end: int) -> int | None:
        """What the tokens `[start, end)` fold to."""
        return fold(self.text(start, end).replace("warpSize", "32"), lookup_in(self.scope))

    @cached_property
    def template_names(self) -> frozenset[str]:
        return frozenset(p.name for p in self.function.template_parameters) if self.function else frozenset()

    @cached_property
    def ranks(self) -> frozenset[str]:
        """Names of what is computed from a thread's own index."""
        names = (
            {p.name for p in self.function.parameters if _sounds_like_rank(p.name)}
            if self.function
            else set()
        )
        before = -1
        while len(names) != before:
            before = len(names)
            names |= {name for name, value in _assignments(self.tokens) if self.is_rank(value, names)}
        return frozenset(names)

    def is_rank(self, tokens: Iterable[Token], names: Iterable[str] | None = None) -> bool:
        """Whether tokens, apart from those in square brackets, have a thread's index in them."""
        known = self.ranks if names is None else set(names)
        depth = 0
        for token in tokens:
            depth += (token.text == "[") - (token.text == "]")
            if depth == 0 and (token.text in _RANKS or token.text in known):
                return True
        return False


def _sounds_like_rank(name: str) -> bool:
    return any(word in name.lower() for word in ("lane", "warp", "tid", "thread"))


def _assignments(tokens: tuple[Token, ...]) -> Iterator[tuple[str, tuple[Token, ...]]]:
    """`name = value` and `name += value`, each with the tokens of its value."""
    for i in range(len(tokens) - 1):
        if tokens[i].kind is Kind.IDENTIFIER and tokens[i + 1].text in ("=", "+="):
            end, depth = i + 2, 0
            while end < len(tokens) and (depth or tokens[end].text not in (";", ",")):
                depth += (tokens[end].text in "([{") - (tokens[end].text in ")]}")
                if depth < 0:
                    break
                end += 1
            yield tokens[i].text, tokens[i + 2 : end]


def regions_of(unit: TranslationUnit, kernel: Function) -> tuple[Region, ...]:
    """The kernel's text first, then what it reaches in this file."""
    by_name: dict[str, list[Function]] = {}
    for function in unit.device_functions:
        if function.body is not None:
            by_name.setdefault(function.name, []).append(function)
    macros = {m.name: m for m in unit.macros}
    found: dict[str, Region] = {f"kernel {kernel.span.start}": of_function(unit, kernel)}
    pending = list(found.values())
    while pending:
        words = {t.text for t in pending.pop().tokens}
        reached = [of_function(unit, f) for name in sorted(words & by_name.keys()) for f in by_name[name]]
        for name in sorted(words & macros.keys()):
            macro = macros[name]
            if len(macro.tokens) > 1 or macro.parameters is not None:
                reached.append(Region(unit, name, macro.tokens, unit.constants, None))
        for region in reached:
            place = f"{region.name} {region.tokens[0].start if region.tokens else 0}"
            if place not in found and region.tokens and region.tokens[0].start != kernel.span.start:
                found[place] = region
                pending.append(region)
    return tuple(found.values())


def of_function(unit: TranslationUnit, function: Function) -> Region:
    first, last = (unit.tokenized.code_index(at) for at in (function.span.start, function.span.end))
    local = definitions_in(unit.tokenized, function.span.start, function.span.end)
    scope = {**unit.constants, **{d.name: d.value for d in local}}
    scope.update({p.name: p.default for p in function.template_parameters if p.default})
    return Region(unit, function.name, unit.tokenized.code[first:last], scope, function)


def works_in_warps(regions: Iterable[Region]) -> bool:
    """Whether any operation of warps stands in the text."""
    return any(t.text.startswith(_COLLECTIVE) for region in regions for t in region.tokens)
