"""PTX whose text a macro puts together: `asm("add."#type" %0, %1, %2;" …)`, `type` being its parameter.

The C++ for such a statement depends on what the macro is called with. Each way in which this file calls it
gets a macro of its own in the text's prelude; the macro's body calls the one whose name its arguments paste
together. A call from another file pastes a name that is not defined, and the name says why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from porter.simulator.tokens import CLOSING, OPENING, Kind, Token, matching_close, tokenize

# What a compiler says of a call from another file: this name "was not declared in this scope".
_NAME = "PTX_that_a_macro_of_another_file_puts_together_is_not_simulated"
_DEPTH = 8
_PIECE = re.compile(r"\w*\Z")


@dataclass(frozen=True)
class Macro:
    """A definition: its parameters (None for one without parentheses), and its body's range of tokens."""

    name: str
    parameters: tuple[str, ...] | None
    first: int
    last: int


def defined_macros(tokens: list[Token]) -> tuple[Macro, ...]:
    """Every `#define` of the text, in order; one name may have several."""
    return tuple(_definitions(tokens))


def _definitions(tokens: list[Token]) -> Iterator[Macro]:
    for index, token in enumerate(tokens[:-2]):
        if token.kind is not Kind.DIRECTIVE or tokens[index + 1].text != "define":
            continue
        end = next(i for i in range(index, len(tokens)) if tokens[i].kind is Kind.END)
        name = tokens[index + 2]
        opening = index + 3
        # A parenthesis right behind the name, with no blank between, begins the parameters.
        if opening < end and tokens[opening].text == "(" and tokens[opening].start == name.end:
            close = matching_close(tokens, opening)
            if close is not None:
                names = tuple(t.text for t in tokens[opening + 1 : close] if t.text != ",")
                yield Macro(name.text, names, close + 1, end)
        else:
            yield Macro(name.text, None, opening, end)


def string_macros(tokens: list[Token]) -> dict[str, list[Token]]:
    """`#define OP "add.f32"`: the strings of macros that are nothing else, whichever branch defines them."""
    bodies: dict[str, list[list[Token]]] = {}
    for macro in defined_macros(tokens):
        bodies.setdefault(macro.name, []).append([] if macro.parameters else tokens[macro.first : macro.last])
    return {
        name: found[0]
        for name, found in bodies.items()
        if len(found) == 1 and found[0] and all(t.kind is Kind.STRING for t in found[0])
    }


def enclosing_macro(macros: tuple[Macro, ...], index: int) -> Macro | None:
    """The macro with parameters whose body holds token `index`."""
    return next((m for m in macros if m.parameters and m.first <= index < m.last), None)


def pasted_parameters(tokens: list[Token], first: int, last: int, macro: Macro) -> tuple[str, ...]:
    """The parameters that become part of a string or of a name between two tokens."""
    names = macro.parameters or ()
    found: dict[str, None] = {}
    for index in range(first, last):
        around = (tokens[index - 1].text, tokens[index + 1].text)
        if tokens[index].text in names and (around[0] == "#" or "##" in around):
            found[tokens[index].text] = None
    return tuple(found)


def dispatching_call(tokens: list[Token], macro: Macro, span: tuple[int, int], number: int) -> str:
    """What stands in the macro's body instead of the statement between the tokens of `span`."""
    name = f"{_NAME}_{number}_##" + "##_##".join(pasted_parameters(tokens, *span, macro))
    return f"{name}({', '.join(_passed(tokens, macro, span))})"


def _passed(tokens: list[Token], macro: Macro, span: tuple[int, int]) -> tuple[str, ...]:
    """The parameters that the statement uses as values."""
    used = {token.text for token in tokens[span[0] : span[1]]}
    pasted = pasted_parameters(tokens, *span, macro)
    return tuple(name for name in macro.parameters or () if name in used and name not in pasted)


def dispatched(
    text: str,
    tokens: list[Token],
    macros: tuple[Macro, ...],
    macro: Macro,
    span: tuple[int, int],
    number: int,
    replace: Callable[[str], str],
) -> Iterator[str]:
    """The prelude's definitions for the statement between the tokens of `span`, one for each way to call it.

    `replace` turns the statement's text, its parameters put in, into C++.
    """
    first, last = span
    pasted = pasted_parameters(tokens, first, last, macro)
    seen = set()
    for arguments in _calls(text, tokens, macros, macro, 0):
        values = dict(zip(macro.parameters or (), arguments, strict=True))
        pieces = tuple(values[name] for name in pasted)
        if pieces in seen or not all(_PIECE.match(piece) for piece in pieces):
            continue
        seen.add(pieces)
        chosen = {name: values[name] for name in pasted}
        statement = replace(_substituted(text, tokens, first, last, chosen))
        name = "_".join([f"{_NAME}_{number}", *pieces])
        yield f"#define {name}({', '.join(_passed(tokens, macro, span))}) {statement}\n"


def _calls(
    text: str, tokens: list[Token], macros: tuple[Macro, ...], macro: Macro, depth: int
) -> Iterator[tuple[str, ...]]:
    """The arguments of every call of `macro`; of calls in another macro's body as that one is called."""
    count = len(macro.parameters or ())
    for index, token in enumerate(tokens[:-1]):
        if token.text != macro.name or tokens[index + 1].text != "(" or tokens[index - 1].text == "define":
            continue
        arguments = _arguments(text, tokens, index + 1)
        if arguments is None or len(arguments) != count:
            continue
        outer = enclosing_macro(macros, index)
        if outer is None:
            yield arguments
        elif depth < _DEPTH:
            for given in _calls(text, tokens, macros, outer, depth + 1):
                values = dict(zip(outer.parameters or (), given, strict=True))
                yield tuple(_replaced(argument, values) for argument in arguments)


def _arguments(text: str, tokens: list[Token], opening: int) -> tuple[str, ...] | None:
    close = matching_close(tokens, opening)
    if close is None:
        return None
    found, start, depth = [], tokens[opening].end, 0
    for index in range(opening + 1, close):
        depth += (tokens[index].text in OPENING) - (tokens[index].text in CLOSING)
        if tokens[index].text == "," and depth == 0:
            found.append(text[start : tokens[index].start])
            start = tokens[index].end
    found.append(text[start : tokens[close].start])
    return tuple(" ".join(argument.replace("\\\n", " ").split()) for argument in found)


def _replaced(text: str, values: dict[str, str]) -> str:
    tokens = tokenize(text)
    return _substituted(text, tokens, 0, len(tokens), values) if tokens else text


def _substituted(text: str, tokens: list[Token], first: int, last: int, values: dict[str, str]) -> str:
    """The text of some tokens with `values` in the place of their names, `#` and `##` done."""
    parts: list[str] = []
    index = first
    while index < last:
        token = tokens[index]
        after = tokens[index + 1].text if index + 1 < last else ""
        if token.text == "#" and after in values:
            parts.append('"' + values[after].replace("\\", "\\\\").replace('"', '\\"') + '"')
            index += 1
        elif token.text == "##":
            index += 1
            following = tokens[index].text if index < last else ""
            parts[-1:] = [(parts[-1] if parts else "") + values.get(following, following)]
        else:
            parts.append(values.get(token.text, text[token.start : token.end]))
        index += 1
    return _joined(parts)


def _joined(parts: list[str]) -> str:
    """With blanks between, but one string where several stand side by side: constraints are read as one."""
    out: list[str] = []
    for part in parts:
        if out and out[-1].startswith('"') and part.startswith('"'):
            out[-1] = out[-1][:-1] + part[1:]
        else:
            out.append(part)
    return " ".join(out)
