"""Names built by `##`: `cuda##fn`. The licence is every use of the macro in the file.

Where each use gives a name that HIP has under the same rule, the prefix in the macro's body is ported; else
the finding stands at the macro.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.cuda.directives import Macro
from porter.cuda.tokens import Kind, Token, matching, split_arguments
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.name_table import load_tables
from porter.hip.step import Step, error, join, replace

PASTED_NAME = "API003"

_PREFIX = re.compile(r"^(cuda|cu|cublas|cufft|curand|cusparse|cusolver|nvrtc|nvtx)\w*$")
_UPPER_PREFIX = re.compile(r"^(CUDA_|CU_|CUBLAS_|CUFFT_|CURAND_|CUSPARSE_)\w*$")


def port_pasted_names(unit: TranslationUnit) -> Step:
    """Edits in macro bodies that paste API names; an error where the pasted names are not known."""
    return join(_macro(unit, macro) for macro in unit.macros if macro.parameters)


def _macro(unit: TranslationUnit, macro: Macro) -> Step:
    return join(
        _pasted(unit, macro, prefix, macro.tokens[i + 2])
        for i, prefix in enumerate(macro.tokens[:-2])
        if macro.tokens[i + 1].text == "##"
        and _is_prefix(prefix)
        and prefix.text not in (macro.parameters or ())
    )


def _is_prefix(token: Token) -> bool:
    upper_or_lower = _PREFIX.match(token.text) or _UPPER_PREFIX.match(token.text)
    return token.kind is Kind.IDENTIFIER and bool(upper_or_lower)


def _pasted(unit: TranslationUnit, macro: Macro, prefix: Token, operand: Token) -> Step:
    suffixes = set(_suffixes(unit, macro, operand.text))
    replacements = {_ported_prefix(prefix.text, suffix) for suffix in suffixes}
    if len(replacements) == 1 and None not in replacements:
        ported = str(replacements.pop())
        return Step((replace(prefix, ported, f"every use of {macro.name} names a function that HIP has"),))
    span = unit.source.span(prefix.start, operand.end)
    why = (
        f"with {', '.join(sorted(suffixes))} it gives names of different kinds"
        if suffixes
        else ("no use of the macro in this file shows which names it makes")
    )
    message = f"'{prefix.text}##{operand.text}' builds a CUDA name; {why}"
    return Step(findings=(error(PASTED_NAME, message, span, "write the names out"),))


def _suffixes(unit: TranslationUnit, macro: Macro, parameter: str) -> Iterator[str]:
    """What the uses of `macro` pass for `parameter`."""
    if macro.parameters is None or parameter not in macro.parameters:
        return
    index = macro.parameters.index(parameter)
    tokens = unit.tokenized.code
    for i in range(len(tokens) - 1):
        if tokens[i].text == macro.name and tokens[i + 1].text == "(":
            close = matching(tokens, i + 1)
            pieces = split_arguments(tokens, i + 2, close) if close is not None else ()
            if index < len(pieces):
                yield "".join(t.text for t in tokens[pieces[index][0] : pieces[index][1]])


def _ported_prefix(prefix: str, suffix: str) -> str | None:
    """`hip` for `cuda` + `Malloc`: what precedes the same suffix in HIP's name."""
    hip = load_tables().hip_name(prefix + suffix)
    if hip is None or not hip.endswith(suffix):
        return None
    return hip[: len(hip) - len(suffix)]
