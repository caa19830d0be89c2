"""PTX's loads, stores and atomics with an order and a scope, as HIP's builtins of the same.

After the PTX ISA ("ld", "st", "atom", "red", memory consistency model). Only generic and global addresses:
those in shared memory are 32-bit numbers in PTX. Qualifiers may stand in any order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_INSTRUCTION = re.compile(r"(ld|st|atom|red)\.([\w.]+) (.+)")
_ORDERS = {
    "relaxed": "__ATOMIC_RELAXED",
    "acquire": "__ATOMIC_ACQUIRE",
    "release": "__ATOMIC_RELEASE",
    "acq_rel": "__ATOMIC_ACQ_REL",
}
_SCOPES = {
    "cta": "__HIP_MEMORY_SCOPE_WORKGROUP",
    "gpu": "__HIP_MEMORY_SCOPE_AGENT",
    "sys": "__HIP_MEMORY_SCOPE_SYSTEM",
}
_FETCH = frozenset(("add", "min", "max", "and", "or", "xor"))
_OPERATIONS = _FETCH | {"exch", "cas"}
_BITS = frozenset(("b32", "b64"))
_ATOMIC = frozenset(("u32", "s32", "u64", "s64", *_BITS))


def translate_atomic(
    instruction: str, value: Callable[[str], str | None], types: dict[str, str]
) -> str | None:
    """The C++ statement, or None. `value` gives the C++ of an operand, `types` that of a PTX type."""
    found = _INSTRUCTION.fullmatch(instruction)
    if found is None:
        return None
    name, qualifiers = found.group(1), found.group(2).split(".")
    kind = qualifiers[-1]
    order = _chosen(qualifiers, _ORDERS)
    scope = _chosen(qualifiers, _SCOPES) or _SCOPES["gpu"]
    operation = next((q for q in qualifiers if q in _OPERATIONS), "")
    known = {*_ORDERS, *_SCOPES, *_OPERATIONS, "global", kind}
    operands = [value(part.strip().removeprefix("[").removesuffix("]")) for part in found.group(3).split(",")]
    if kind not in types or not known.issuperset(qualifiers) or None in operands:
        return None
    texts = [str(operand) for operand in operands]
    if name in ("ld", "st"):
        return _access(name, types[kind], order, scope, texts) if order and not operation else None
    if kind not in _ATOMIC and (operation, kind) not in (("add", "f32"), ("add", "f64")):
        return None
    target = texts.pop(0) if name == "atom" and texts else ""
    return _update(operation, types[kind], order or _ORDERS["relaxed"], scope, target, texts)


def _chosen(qualifiers: Sequence[str], texts: dict[str, str]) -> str:
    return next((texts[q] for q in qualifiers if q in texts), "")


def _access(name: str, kind: str, order: str, scope: str, operands: list[str]) -> str | None:
    if len(operands) != 2:
        return None
    if name == "ld":
        target, address = operands
        return f"{target} = __hip_atomic_load(reinterpret_cast<const {kind}*>({address}), {order}, {scope});"
    address, value = operands
    place = f"reinterpret_cast<{kind}*>({address})"
    return f"__hip_atomic_store({place}, static_cast<{kind}>({value}), {order}, {scope});"


def _update(
    operation: str, kind: str, order: str, scope: str, target: str, operands: list[str]
) -> str | None:
    if not operation or len(operands) != (3 if operation == "cas" else 2):
        return None
    place = f"reinterpret_cast<{kind}*>({operands[0]})"
    value = f"static_cast<{kind}>({operands[-1]})"
    result = f"{target} = " if target else ""
    if operation == "cas":
        failed = {"__ATOMIC_ACQ_REL": "__ATOMIC_ACQUIRE", "__ATOMIC_RELEASE": "__ATOMIC_RELAXED"}.get(
            order, order
        )
        seen = f"{kind} porter_seen = static_cast<{kind}>({operands[1]});"
        rest = f"&porter_seen, {value}, {order}, {failed}, {scope}"
        exchange = f"__hip_atomic_compare_exchange_strong({place}, {rest});"
        return f"{{ {seen} {exchange} {result}porter_seen; }}" if target else f"{{ {seen} {exchange} }}"
    function = "exchange" if operation == "exch" else f"fetch_{operation}"
    return f"{result}__hip_atomic_{function}({place}, {value}, {order}, {scope});"
