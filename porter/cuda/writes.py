"""Which names of a range of code may change after their declaration: assigned, or reachable by a reference.

Works by names, so that a name written in one scope counts as written in all of the range.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from porter.cuda.directives import Macro
from porter.cuda.structure import Function, find_functions
from porter.cuda.tokens import Kind, Token, TokenizedSource, matching

_ASSIGNMENTS = frozenset(["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"])
_REFERENCES = frozenset(("&", "&&"))
_BEFORE_ADDRESS = frozenset(("(", ",", "=", "return", "[", "{", "?", ":", ";", "}"))
_STANDARD_WRITES = frozenset(
    ("swap", "exchange", "ref", "tie", "addressof", "forward_as_tuple", "bind_front")
)
_VALUES = frozenset(
    ("if", "while", "for", "switch", "return", "sizeof", "alignof", "dim3", "uint3", "int", "unsigned",
     "long", "short", "char", "bool", "float", "double", "auto", "size_t", "ssize_t", "ptrdiff_t", "int8_t",
     "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "make_uint3",
     "static_cast", "printf", "fprintf", "snprintf", "sprintf", "puts", "exit", "abort", "abs", "min", "max",
     "ceil", "floor", "sqrt", "sqrtf", "pow", "powf", "log2", "malloc", "calloc", "realloc", "memset",
     "memcpy", "assert", "vector", "array", "string", "unique_ptr", "resize", "reserve", "push_back", "at",
     "assign")
)  # fmt: skip
_COPIES = _VALUES | {"const", "return"}
_RUNTIME = ("cuda", "cublas", "curand", "cufft", "cusparse", "hip")


def written_names(tokenized: TokenizedSource, first: int, last: int, declared_at: set[int]) -> set[str]:
    """Names that are written, or bound to something that writes, outside their declaration."""
    tokens = tokenized.code
    written = _assigned(tokens, first, last, declared_at)
    for i in range(max(first, 2), last - 1):
        if tokens[i].kind is Kind.IDENTIFIER and _declares_reference(tokens, i):
            end = i + 1
            while end < last and tokens[end].text != ";":
                end += 1
            written |= {t.text for t in tokens[i + 1 : end] if t.kind is Kind.IDENTIFIER}
    references = _reference_parameters(tokenized)
    for name, callee, place in _given(tokens, first, last):
        text = tokens[callee].text
        standard = text in _STANDARD_WRITES and tokens[callee - 1].text == "::"
        if standard or any(places[min(place, len(places) - 1)] for places in references.get(text, ())):
            written.add(name.text)
    return written


def doubtful_names(
    tokenized: TokenizedSource, macros: tuple[Macro, ...], first: int, last: int
) -> frozenset[str]:
    """Names that may be written besides: given to what is not known, or named by a macro that writes."""
    tokens, known = tokenized.code, {f.name for f in find_functions(tokenized)}
    found: set[str] = set()
    for name, callee, _ in _given(tokens, first, last):
        text = tokens[callee].text
        if text in known or text in _VALUES or text.startswith(_RUNTIME):
            continue
        if text == ">>>" or (callee + 1 < last and _is_value_declaration(tokens, callee)):
            continue
        if tokens[callee - 1].text != "::" or tokens[callee - 2].text != "std":
            found.add(name.text)
    found |= _aliased(tokens, first, last)
    for macro in macros:
        names = _assigned(macro.tokens, 0, len(macro.tokens) + 1, set())
        found |= names - set(macro.parameters or ())
    return frozenset(found)


def _aliased(tokens: tuple[Token, ...], first: int, last: int) -> set[str]:
    """Names that an expression may give to be written: `(name) = …`, `(int&)name`, `Type other = name`."""
    found: set[str] = set()
    own = {tokens[i + 1].text for i in range(len(tokens) - 1) if tokens[i].text == "operator"} - {"(", "["}
    gives = any(tokens[i].text in _REFERENCES and tokens[i + 1].text == "{" for i in range(first, last - 1))
    for i in range(max(first, 3), last - 1):
        before, after = tokens[i - 1].text, tokens[i + 1].text
        if tokens[i].text == "(":
            close = matching(tokens, i) or i
            written = close + 1 < last and tokens[close + 1].text in _ASSIGNMENTS
            cast = before == ">" and tokens[i - 2].text in _REFERENCES
            if written or cast or before in ("++", "--"):
                found |= {t.text for t in tokens[i:close]}
        elif tokens[i].text == "decltype":
            return {t.text for t in tokens[first:last]}
        elif tokens[i].kind is Kind.IDENTIFIER:
            typed = tokens[i - 3].kind is Kind.IDENTIFIER or tokens[i - 3].text == ">"
            copied = before == "=" and after in (";", ",") and typed and tokens[i - 3].text not in _COPIES
            cast = before == ")" and tokens[i - 2].text in _REFERENCES
            if copied or cast or before in own or after in own or (gives and before == "return"):
                found.add(tokens[i].text)
    return found


def declared_names(tokenized: TokenizedSource, first: int, last: int) -> set[str]:
    """Names of numbers that a range may declare, with a value or without; pointers are none."""
    tokens = tokenized.code
    found: set[str] = set()
    for i in range(max(first, 1), last - 1):
        before, after = tokens[i - 1], tokens[i + 1].text
        if tokens[i].kind is not Kind.IDENTIFIER or after in ("::", "<"):
            continue
        typed = before.kind is Kind.IDENTIFIER and before.text not in _NO_TYPES
        referred = before.text in _REFERENCES and after in ("=", ":")
        later = before.text == "," and after in ("=", ";")
        if typed or later or referred or (after in (",", "]") and _is_bound(tokens, i)):
            found.add(tokens[i].text)
    return found


def valueless_names(tokenized: TokenizedSource, first: int, last: int) -> set[str]:
    """Names declared without a value, as the parameters of a lambda and the elements of a range."""
    tokens = tokenized.code
    return {
        tokens[i].text
        for i in range(max(first, 1), last - 1)
        if tokens[i].kind is Kind.IDENTIFIER
        and tokens[i + 1].text in (")", ",", ";", "]", ":")
        and (tokens[i - 1].kind is Kind.IDENTIFIER or _is_range_reference(tokens, i))
        and tokens[i - 1].text not in _NO_TYPES
    }


def _is_range_reference(tokens: tuple[Token, ...], at: int) -> bool:
    """`for (auto& name : …)`, and `(int& name)` of a lambda."""
    is_reference = tokens[at - 1].text in _REFERENCES and tokens[at - 2].kind is Kind.IDENTIFIER
    return is_reference and tokens[at - 3].text in ("(", ",", "const")


def _is_bound(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether a name stands in the brackets of `auto [a, b]`."""
    i = at - 1
    while i > 1 and (tokens[i].text == "," or tokens[i].kind is Kind.IDENTIFIER):
        i -= 1
    return tokens[i].text == "[" and tokens[i - 1].text in ("auto", "&", "&&")


_NO_TYPES = frozenset(
    ("return", "case", "else", "goto", "throw", "new", "delete", "sizeof", "do", "namespace")
)


def _assigned(tokens: tuple[Token, ...], first: int, last: int, declared_at: set[int]) -> set[str]:
    """Names assigned, incremented, or whose address is taken."""
    written: set[str] = set()
    for i in range(first, min(last, len(tokens))):
        token = tokens[i]
        if token.kind is not Kind.IDENTIFIER or token.start in declared_at:
            continue
        after = tokens[i + 1].text if i + 1 < len(tokens) else ""
        before = tokens[i - 1].text if i else ""
        if before in (".", "->"):
            continue
        member_write = after == "." and i + 3 < min(last, len(tokens)) and tokens[i + 3].text in _ASSIGNMENTS
        if after in _ASSIGNMENTS or before in ("++", "--", ">>") or member_write or _is_address(tokens, i):
            written.add(token.text)
    return written


def _is_address(tokens: tuple[Token, ...], at: int) -> bool:
    """`&name` as an operand: not `a & name`."""
    if at < 2 or tokens[at - 1].text != "&":
        return False
    cast = tokens[at - 2].text == ")" and tokens[at - 3].text == "*"
    return cast or tokens[at - 2].text in _BEFORE_ADDRESS


def _declares_reference(tokens: tuple[Token, ...], at: int) -> bool:
    """`T& name = …`, with `(` or `{` where only a type can stand before it; not for a constant `T`."""
    if tokens[at - 1].text not in _REFERENCES or tokens[at + 1].text not in ("=", "(", "{"):
        return False
    start = at - 2
    while start >= 0 and tokens[start].text not in (";", "{", "}", "(", ",", "[", ")", "="):
        start -= 1
    type_ = tokens[start + 1 : at - 1]
    if any(t.text == "const" for t in type_):
        return False
    is_statement = start < 0 or tokens[start].text in (";", "{", "}", "(", ")", "[")
    return tokens[at + 1].text == "=" or (is_statement and tokens[start].text not in ("(", "["))


@lru_cache(maxsize=16)
def _reference_parameters(tokenized: TokenizedSource) -> dict[str, list[tuple[bool, ...]]]:
    """For each function, and each of its definitions, which parameters it can write through."""
    found: dict[str, list[tuple[bool, ...]]] = {}
    for function in find_functions(tokenized):
        if function.parameters:
            found.setdefault(function.name, []).append(_writable(function))
    return found


def _writable(function: Function) -> tuple[bool, ...]:
    own = [("&" in p.text and "const" not in p.type_text.split()) for p in function.parameters]
    is_pack = "..." in function.parameters[-1].text
    return tuple(own) if is_pack else (*own, False)


def _given(tokens: tuple[Token, ...], first: int, last: int) -> Iterator[tuple[Token, int, int]]:
    """Each name that is an argument, or whose member is; what stands before the bracket; its place."""
    for i in range(max(first, 1), last - 1):
        if tokens[i].kind is not Kind.IDENTIFIER:
            continue
        end = i + 2 if tokens[i + 1].text == "." else i
        after = tokens[end + 1].text if end + 1 < last else ""
        if tokens[i - 1].text in ("(", ",", "?", ":", "{") and after in (")", ",", ":", "}"):
            opened = _opening(tokens, i, first)
            if opened is not None:
                yield tokens[i], opened[0], opened[1]


_CALLED = {"(": (">", ">>>", "]", ")"), "{": (">", "=", "]")}


def _opening(tokens: tuple[Token, ...], at: int, first: int) -> tuple[int, int] | None:
    """What stands before the bracket around token `at`, and how many commas lie between."""
    depth, commas, i = 0, 0, at - 1
    while i > first:
        text = tokens[i].text
        if text in (")", "]", "}"):
            depth += 1
        elif text in ("(", "[", "{"):
            if depth:
                depth -= 1
            elif text == "[":
                return None
            elif tokens[i - 1].kind is not Kind.PUNCTUATOR or tokens[i - 1].text in _CALLED[text]:
                return _callee(tokens, i - 1), commas
            elif text == "{":
                return None
            else:
                commas = 0
        elif text == "," and depth == 0:
            commas += 1
        elif text == ";" and depth == 0:
            return None
        i -= 1
    return None


def _callee(tokens: tuple[Token, ...], at: int) -> int:
    """The name before a list of template arguments, or of a variable before `=`."""
    if tokens[at].text == "=" and at:
        return at - 1
    if tokens[at].text != ">":
        return at
    depth, i = 0, at
    while i > 0:
        depth += (tokens[i].text == ">") - (tokens[i].text == "<")
        if depth == 0:
            return i - 1
        i -= 1
    return at


def _is_value_declaration(tokens: tuple[Token, ...], name: int) -> bool:
    """`dim3 name(…)`, `std::vector<float> name(…)`, `int name[] = {…}`, and the cast `(int)(…)`."""
    before = name - 1
    if tokens[name].text == "]":
        return tokens[name + 1].text != "("
    if tokens[before].text == ">":
        before = _callee(tokens, before)
    return tokens[before].text in _VALUES and tokens[before].text not in ("return",)
