"""Parses exact bytes with tree-sitter's CUDA grammar and says where the text is no CUDA C++.

The tree is used for what needs a grammar; spans are byte offsets of `SourceText`. The grammar does not expand
macros, so an error node can be legal code: only an unmatched bracket is certain and has severity ERROR.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import tree_sitter
import tree_sitter_cuda

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import SourceText
from porter.cuda.tokens import CLOSING, OPENING, Kind, Token, TokenizedSource, tokenize

UNMATCHED_BRACKET = "API090"
NOT_PARSED = "API091"
_MAX_REPORTED = 5


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))


def parse(source: SourceText) -> tree_sitter.Tree:
    """The syntax tree of `source`; never raises, what is not understood is an ERROR node."""
    return _parser().parse(source.data)


def syntax_errors(source: SourceText) -> tuple[Diagnostic, ...]:
    """Unmatched brackets (errors), else the first places that the grammar does not accept (warnings)."""
    unmatched = _unmatched_brackets(tokenize(source))
    if unmatched:
        return tuple(_unmatched(source, token) for token in unmatched[:_MAX_REPORTED])
    return tuple(_not_parsed_diagnostics(source))[:_MAX_REPORTED]


def _unmatched(source: SourceText, token: Token) -> Diagnostic:
    return Diagnostic(
        UNMATCHED_BRACKET,
        Severity.ERROR,
        f"'{token.text}' has no matching bracket",
        source.span(token.start, token.end),
        "the rest of the file was still translated; fix the bracket and run porter again",
    )


def _unmatched_brackets(tokenized: TokenizedSource) -> list[Token]:
    """Brackets without a partner, when a file's conditionals do not open and close any by branch."""
    if any(d.name in ("else", "elif") for d in tokenized.directives):
        return []  # each branch may open the same block; the compiler is the one to judge that
    opened: list[Token] = []
    stray: list[Token] = []
    for token in tokenized.code:
        if token.kind is not Kind.PUNCTUATOR:
            continue
        if token.text in OPENING:
            opened.append(token)
        elif token.text in CLOSING:
            partner = next(
                (i for i in reversed(range(len(opened))) if opened[i].text == CLOSING[token.text]), None
            )
            if partner is None:
                stray.append(token)
            else:
                stray.extend(opened[partner + 1 :])
                del opened[partner:]
    return sorted(stray + opened, key=lambda token: token.start)


def _not_parsed_diagnostics(source: SourceText) -> Iterator[Diagnostic]:
    for node in _error_nodes(parse(source).root_node):
        if _explained_by_macros(source, node):
            continue
        start = node.start_byte
        shown = source.text[start : min(node.end_byte, start + 40)].split("\n")[0].strip()
        message = f"missing '{node.type}'" if node.is_missing else f"cannot be parsed: '{shown}'"
        yield Diagnostic(
            NOT_PARSED,
            Severity.WARNING,
            message,
            source.span(start, max(node.end_byte, start + 1)),
            "a macro can cause this; if the compiler accepts the file, ignore it",
        )


def _error_nodes(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    if node.type == "ERROR" or node.is_missing:
        yield node
    elif node.has_error:
        for child in node.children:
            yield from _error_nodes(child)


def _explained_by_macros(source: SourceText, node: tree_sitter.Node) -> bool:
    """Whether the error touches a directive, `typeid(type)` or an upper-case macro used as a keyword."""
    line_start = source.text.rfind("\n", 0, node.start_byte) + 1
    previous_start = source.text.rfind("\n", 0, max(line_start - 1, 0)) + 1
    line_end = source.text.find("\n", node.end_byte)
    around = source.text[previous_start : line_end if line_end >= 0 else None]
    directive_near = any(line.lstrip().startswith("#") for line in around.splitlines())
    if directive_near or "typeid" in around or "template class" in around:
        return True
    before = source.text[line_start : node.start_byte].split()
    word = source.text[node.start_byte : node.end_byte].split("(")[0].split()
    return any(w.isupper() for w in (*before[-1:], *word[:1]))
