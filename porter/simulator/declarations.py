"""Edits for declarations: `__shared__` variables become storage of the block, symbols are registered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from porter.core.edit import Edit
from porter.simulator.tokens import CLOSING, OPENING, Kind, Token, matching_close

_DECLARATION_STARTS = (";", "{", "}", ")", ":")
_SYMBOL_QUALIFIERS = ("__device__", "__constant__", "__managed__")


def shared_edits(tokens: list[Token]) -> Iterator[Edit]:
    """`__shared__ T a[N], b;` → a typedef of each variable's type and a reference to the block's storage.

    In a function the declarators are renamed in place, so that their types stay exactly as written.
    """
    namespace_scope = _namespace_scopes(tokens)
    for index, token in enumerate(tokens):
        if token.text != "__shared__" or token.kind is not Kind.NAME:
            continue
        first = _specifiers_start(tokens, index)
        last = _declaration_end(tokens, index)
        if last is None or tokens[last].text != ";":
            continue
        names = declared_names(tokens, index + 1, last)
        if not names:
            continue
        dynamic = any(t.text == "extern" for t in tokens[first:last])
        yield from _drop_keywords(tokens[first:last])
        yield Edit(tokens[first].start, tokens[first].start, b"typedef ")
        yield from _storage(tokens, names, last, dynamic, namespace_scope[index])


def _drop_keywords(tokens: list[Token]) -> Iterator[Edit]:
    for index, token in enumerate(tokens):
        if token.kind is not Kind.NAME:
            continue
        if token.text in ("__shared__", "extern", "static"):
            yield Edit(token.start, token.end, b"", "shared")
        close = matching_close(tokens, index + 1) if token.text == "alignas" else None
        if close is not None:
            # An attribute of the typedef: its argument is a number or a type.
            opening = b"__attribute__((aligned(::porter_sim::alignment_asked<"
            yield Edit(token.start, tokens[index + 1].end, opening, "alignment")
            yield Edit(tokens[close].start, tokens[close].end, b">())))", "alignment")


def _storage(
    tokens: list[Token], names: list[int], last: int, dynamic: bool, at_namespace: bool
) -> Iterator[Edit]:
    definitions = []
    for at in names:
        name = tokens[at].text
        kind = f"porter_type_{name}"
        yield Edit(tokens[at].start, tokens[at].end, kind.encode("latin-1"), "shared")
        if dynamic and at_namespace:
            definitions.append(f"static const ::porter_sim::DynamicShared<{kind}> {name}{{}};")
        elif dynamic:
            definitions.append(f"auto &{name} = ::porter_sim::shared_dynamic<{kind}>();")
        elif at_namespace:
            slot = f"static thread_local ::porter_sim::SharedSlot porter_slot_{name} = "
            definitions.append(f'{slot}{{"{name}", __FILE__, __LINE__, 0, 0}};')
            definitions.append(
                f"static const ::porter_sim::FileShared<{kind}, porter_slot_{name}> {name}{{}};"
            )
        else:
            definitions.append(f"PORTER_SHARED({kind}, {name});")
    end = tokens[last].end
    yield Edit(end, end, (" " + " ".join(definitions)).encode("latin-1"), "shared")


def _declaration_end(tokens: list[Token], index: int) -> int | None:
    """Index of the `;`, or of what shows that this is no variable declaration."""
    while index < len(tokens):
        token = tokens[index]
        if token.text == ";" or token.kind is Kind.END:
            return index
        if token.text in OPENING and token.kind is Kind.PUNCTUATION:
            close = matching_close(tokens, index)
            if close is None:
                return None
            index = close
        elif token.text in CLOSING:
            return None
        index += 1
    return None


def declared_names(tokens: list[Token], first: int, last: int) -> list[int]:
    """Indices of the declared names in `specifiers a[N], *b, (*c)[4]` between `first` and `last`."""
    names: list[int] = []
    start = first
    depth = 0
    for index in range(first, last + 1):
        text = tokens[index].text
        if index == last or (text == "," and depth == 0):
            name = _declarator_name(tokens, start, index)
            if name is not None:
                names.append(name)
            start = index + 1
        elif text in ("<", *OPENING):
            depth += 1
        elif text in (">", *CLOSING):
            depth -= 1
        elif text == ">>" and depth >= 2:
            depth -= 2
    return names


def _declarator_name(tokens: list[Token], start: int, stop: int) -> int | None:
    """The last name before the array bounds, bit width or initialiser; attributes' arguments do not count."""
    name = None
    index = start
    while index < stop:
        token = tokens[index]
        if token.text in ("struct", "union", "class", "enum"):
            index = _after_type_body(tokens, index, stop)
            continue
        if token.text in ("[", "=", "{", ":"):
            break
        if token.text in ("__align__", "alignas", "__attribute__", "__launch_bounds__") and index + 1 < stop:
            close = matching_close(tokens, index + 1)
            index = stop if close is None else close + 1
            continue
        if token.text == "<":
            index = _skip_template(tokens, index, stop)
            continue
        if token.kind is Kind.NAME:
            name = index
        index += 1
    return name


def _after_type_body(tokens: list[Token], index: int, stop: int) -> int:
    """Behind `union { … }` or `struct s`."""
    index += 1
    if index < stop and tokens[index].kind is Kind.NAME:
        index += 1
    if index < stop and tokens[index].text == "{":
        close = matching_close(tokens, index)
        return stop if close is None else close + 1
    return index


def _skip_template(tokens: list[Token], index: int, stop: int) -> int:
    depth = 0
    while index < stop:
        text = tokens[index].text
        if text == "<":
            depth += 1
        elif text == ">":
            depth -= 1
        elif text == ">>":
            depth -= 2
        elif text in OPENING:
            close = matching_close(tokens, index)
            index = stop if close is None else close
        index += 1
        if depth <= 0:
            break
    return index


def _namespace_scopes(tokens: list[Token]) -> list[bool]:
    """For every token whether it stands at namespace scope (a macro's body counts as inside a function)."""
    scopes: list[bool] = []
    stack: list[bool] = []
    in_directive = False
    for index, token in enumerate(tokens):
        if token.kind is Kind.DIRECTIVE:
            in_directive = True
        elif token.kind is Kind.END:
            in_directive = False
        scopes.append(not in_directive and all(stack))
        if in_directive or token.kind is not Kind.PUNCTUATION:
            continue
        if token.text == "{":
            stack.append(_opens_namespace(tokens, index))
        elif token.text == "}" and stack:
            stack.pop()
    return scopes


def _opens_namespace(tokens: list[Token], brace: int) -> bool:
    for back in range(brace - 1, max(-1, brace - 12), -1):
        token = tokens[back]
        if token.text == "namespace":
            return True
        if token.kind is Kind.STRING:
            return tokens[back - 1].text == "extern"
        if token.kind is not Kind.NAME and token.text != "::":
            return False
    return False


def launch_bound_edits(text: str, tokens: list[Token]) -> Iterator[Edit]:
    """`__global__ void __launch_bounds__(T, …) k(…) {` checks T as its first statement, clusters likewise."""
    for index, token in enumerate(tokens[:-2]):
        if token.text not in ("__launch_bounds__", "__cluster_dims__") or tokens[index + 1].text != "(":
            continue
        close = matching_close(tokens, index + 1)
        body = _function_body(tokens, close + 1) if close is not None else None
        if close is None or body is None:
            continue
        bounds = token.text == "__launch_bounds__"
        last = _first_comma(tokens, index + 2, close) if bounds else close
        check = "check_launch_bounds" if bounds else "check_cluster"
        arguments = text[tokens[index + 1].end : tokens[last].start]
        call = f" ::porter_sim::{check}({arguments});"
        yield Edit(tokens[body].end, tokens[body].end, call.encode("latin-1"), "launch bounds")


def _first_comma(tokens: list[Token], first: int, close: int) -> int:
    depth = 0
    for index in range(first, close):
        text = tokens[index].text
        if text == "," and depth == 0:
            return index
        depth += (text in OPENING) - (text in CLOSING)
    return close


def _function_body(tokens: list[Token], index: int) -> int | None:
    """Index of the `{` of the function whose declarator starts at `index`; None for a mere declaration."""
    while index < len(tokens):
        token = tokens[index]
        if token.text == "{" and token.kind is Kind.PUNCTUATION:
            return index
        if token.text in (";", "}") or token.kind in (Kind.DIRECTIVE, Kind.END):
            return None
        if token.text == "(":
            close = matching_close(tokens, index)
            if close is None:
                return None
            index = close
        index += 1
    return None


@dataclass(frozen=True)
class DeviceSymbol:
    """A `__constant__`, `__device__` or `__managed__` variable; its declaration ends at offset `end`."""

    name: str
    managed: bool
    end: int


def symbol_edits(tokens: list[Token]) -> Iterator[Edit]:
    """`__constant__ float w[9];` at namespace scope gets a registration, so that capture knows its name."""
    for symbol in device_symbols(tokens):
        name = symbol.name
        text = (
            f" static const ::porter_sim::SymbolRegistration porter_symbol_{name}"
            f'("{name}", &{name}, sizeof({name}), {"true" if symbol.managed else "false"}, '
            f"::porter_sim::element_spelling({name}));"
        )
        yield Edit(symbol.end, symbol.end, text.encode("latin-1"), f"symbol {name}")


def device_symbols(tokens: list[Token]) -> Iterator[DeviceSymbol]:
    """The device variables that are defined at namespace scope."""
    namespace_scope = _namespace_scopes(tokens)
    previous_end = -1
    for index, token in enumerate(tokens):
        if token.text not in _SYMBOL_QUALIFIERS or not namespace_scope[index] or index < previous_end:
            continue
        last = _symbol_declaration_end(tokens, index)
        if last is None:
            continue
        previous_end = last
        first = _specifiers_start(tokens, index)
        specifiers = {t.text for t in tokens[first:last] if t.kind is Kind.NAME}
        if "extern" in specifiers or "template" in specifiers or "__shared__" in specifiers:
            continue
        for at in declared_names(tokens, index + 1, last):
            yield DeviceSymbol(tokens[at].text, "__managed__" in specifiers, tokens[last].end)


def _specifiers_start(tokens: list[Token], index: int) -> int:
    """The declaration's first token: `extern double __shared__ …` starts at `extern`."""
    while index > 0:
        before = tokens[index - 1]
        if before.text in _DECLARATION_STARTS or before.kind in (Kind.END, Kind.DIRECTIVE):
            break
        if index > 1 and tokens[index - 2].text == "define" and before.kind is Kind.NAME:
            break
        index -= 1
    return index


def _symbol_declaration_end(tokens: list[Token], index: int) -> int | None:
    """Index of the `;` of a variable's declaration; None for functions, types and anything else."""
    seen_initialiser = False
    while index < len(tokens):
        token = tokens[index]
        if token.text == ";":
            return index
        if token.kind in (Kind.DIRECTIVE, Kind.END) or token.text in (
            "operator",
            "struct",
            "class",
            "union",
            "enum",
        ):
            return None
        if token.text == "=":
            seen_initialiser = True
        if token.text in OPENING and token.kind is Kind.PUNCTUATION:
            attribute = tokens[index - 1].text in ("__align__", "alignas", "__attribute__")
            if token.text == "(" and not seen_initialiser and not attribute:
                return None
            if token.text == "{":
                seen_initialiser = True
            close = matching_close(tokens, index)
            if close is None:
                return None
            index = close
        index += 1
    return None
