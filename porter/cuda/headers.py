"""What the user's own headers declare, as far as they lie beside the source.

Only quoted includes are read, a few levels deep, and only for the names they define: that tells the user's
`cudaCheck` from a CUDA name that porter does not know.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from porter.core.span import SourceText
from porter.cuda.directives import find_includes, find_macros
from porter.cuda.tokens import Kind, TokenizedSource, tokenize

_MAX_DEPTH = 4
_MAX_HEADER_BYTES = 1 << 20


def names_in_headers(source: SourceText) -> frozenset[str]:
    """Identifiers that the quoted includes of `source` define or declare; empty when none can be read."""
    return _names_below(tokenize(source), Path(source.path).parent, 0)


def _names_below(tokenized: TokenizedSource, directory: Path, depth: int) -> frozenset[str]:
    names: frozenset[str] = frozenset()
    for include in find_includes(tokenized):
        if not include.is_system and depth < _MAX_DEPTH:
            names |= _names_of(directory / include.target, depth + 1)
    return names


@lru_cache(maxsize=512)
def _names_of(path: Path, depth: int) -> frozenset[str]:
    try:
        if not path.is_file() or path.stat().st_size > _MAX_HEADER_BYTES:
            return frozenset()
        tokenized = tokenize(SourceText.read(path))
    except OSError:
        return frozenset()
    macros = {macro.name for macro in find_macros(tokenized)}
    return declared_identifiers(tokenized) | macros | _names_below(tokenized, path.parent, depth)


_NOT_A_TYPE = frozenset(("return", "else", "case", "throw", "new", "delete", "do", "goto", "sizeof", "const"))


def declared_identifiers(tokenized: TokenizedSource) -> frozenset[str]:
    """Identifiers that may be declared in the code: behind a type, `*`, `&` or `>`, before no operator."""
    tokens = tokenized.code
    return frozenset(
        token.text
        for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if token.kind is Kind.IDENTIFIER
        and (before.kind is Kind.IDENTIFIER or before.text in ("*", "&", ">"))
        and before.text not in _NOT_A_TYPE
        and after.text in ("=", ";", ",", ")", "[", "(", "{", ":")
    )
