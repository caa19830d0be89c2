"""PTX instructions on memory: loads, stores, atomics, copies, fences, barrier objects, addresses."""

from __future__ import annotations

from collections.abc import Callable

from porter.simulator.ptx.emit import C_TYPES, HERE, Emitter, Unsupported
from porter.simulator.ptx.text import Instruction

Handler = Callable[[Emitter, Instruction], str]

_SPACES = ("global", "shared", "const", "local", "param")
_HINTS = frozenset(
    [
        "volatile",
        "relaxed",
        "acquire",
        "release",
        "acq_rel",
        "sc",
        "weak",
        "cta",
        "gpu",
        "sys",
        "cluster",
        "nc",
        "ca",
        "cg",
        "cs",
        "lu",
        "cv",
        "wb",
        "wt",
        "L1::evict_last",
        "L1::no_allocate",
        "L1::evict_first",
        "L1::evict_normal",
        "L1::evict_unchanged",
        "L2::64B",
        "L2::128B",
        "L2::256B",
        "L2::cache_hint",
        "L2::evict_last",
        "L2::evict_first",
        "mmio",
        "noftz",
        "unified",
        "shared::cta",
        "global",
        "shared",
        "const",
        "local",
    ]
)


def _space(i: Instruction) -> str:
    if any(m.startswith("shared::cluster") for m in i.modifiers) or "param" in i.modifiers:
        raise Unsupported(f"'{i.name}' is not simulated")
    return next((m for m in i.modifiers if m.split("::")[0] in _SPACES), "generic")


def _kind(i: Instruction, *others: str) -> str:
    """The type; all that says how to cache, order or scope is without effect here."""
    if not i.modifiers or i.modifiers[-1] not in C_TYPES:
        raise Unsupported(f"'{i.name}' is not simulated")
    unknown = set(i.modifiers[:-1]) - _HINTS - set(others)
    if unknown:
        raise Unsupported(f"'{i.name}' is not simulated (.{min(unknown)})")
    return i.modifiers[-1]


def _load(e: Emitter, i: Instruction) -> str:
    kind = _kind(i, "v2", "v4")
    address, targets = e.address(i.operands[1], _space(i)), e.vector(i.operands[0])
    loads = [
        e.write(
            t,
            kind,
            f"::porter_sim::ptx::load<{e.type(kind)}>(porter_from, {n}, {len(targets)}, {HERE})",
        )
        for n, t in enumerate(targets)
    ]
    return f"{{ const char *porter_from = {address}; {' '.join(loads)} }}"


def _store(e: Emitter, i: Instruction) -> str:
    kind = _kind(i, "v2", "v4")
    address, sources = e.address(i.operands[0], _space(i)), e.vector(i.operands[1])
    stores = [
        f"::porter_sim::ptx::store<{e.type(kind)}>"
        f"(porter_to, {n}, {len(sources)}, {e.read(s, kind)}, {HERE});"
        for n, s in enumerate(sources)
    ]
    return f"{{ char *porter_to = {address}; {' '.join(stores)} }}"


_ATOMICS = {
    "add": "add",
    "min": "min",
    "max": "max",
    "and": "and_",
    "or": "or_",
    "xor": "xor_",
    "inc": "inc",
    "dec": "dec",
    "exch": "exch",
    "cas": "cas",
}


def _atomic(e: Emitter, i: Instruction) -> str:
    operation = next((m for m in i.modifiers if m in _ATOMICS), None)
    if operation is None:
        raise Unsupported(f"'{i.name}' is not simulated")
    kind = _kind(i, operation)
    returns = i.opcode == "atom"
    operands = i.operands[1:] if returns else i.operands
    values = ", ".join(e.read(o, kind) for o in operands[1:])
    at = e.address(operands[0], _space(i))
    call = f"::porter_sim::ptx::atomic_{_ATOMICS[operation]}<{e.type(kind)}>({at}, {values})"
    return e.write(i.operands[0], kind, call) if returns else f"(void){call};"


def _fence(e: Emitter, i: Instruction) -> str:
    del e, i
    return "__atomic_thread_fence(__ATOMIC_SEQ_CST);"


def _nothing(e: Emitter, i: Instruction) -> str:
    del e, i
    return ";"


def _copy(e: Emitter, i: Instruction) -> str:
    if i.modifiers[:1] != ("async",) or "bulk" in i.modifiers:
        raise Unsupported(f"'{i.name}' is not simulated")
    if "commit_group" in i.modifiers:
        return "::porter_sim::close_copies();"
    if "wait_group" in i.modifiers:
        return f"::porter_sim::wait_for_copies({e.read(i.operands[0], 'u32')});"
    if "wait_all" in i.modifiers:
        return "::porter_sim::wait_for_all_copies();"
    if "mbarrier" in i.modifiers:
        word = e.address(i.operands[0], _space(i))
        arrives = f"::porter_sim::ptx::barrier_at({word})->arrive(1, 0, {HERE});"
        return f"::porter_sim::wait_for_all_copies(); {arrives}"
    to, source = e.address(i.operands[0], "shared"), e.address(i.operands[1], "global")
    bytes_ = e.read(i.operands[2], "u32")
    given = (
        e.read(i.operands[3], "u32")
        if len(i.operands) > 3 and "L2::cache_hint" not in i.modifiers
        else bytes_
    )
    return f"::porter_sim::start_copy({to}, {source}, {bytes_}, {bytes_} - {given}, {HERE});"


def _barrier_object(e: Emitter, i: Instruction) -> str:
    action = i.modifiers[0]
    if action == "inval":
        return ";"
    at = 0 if action == "init" or (action == "arrive" and len(i.operands) == 1) else 1
    word = f"::porter_sim::ptx::barrier_at({e.address(i.operands[at], _space(i))})"
    if action == "init":
        return f"{word}->open({e.read(i.operands[1], 'u32')});"
    if action == "arrive" and not {"expect_tx", "noComplete"} & set(i.modifiers):
        count = e.read(i.operands[at + 1], "u32") if len(i.operands) > at + 1 else "1"
        call = f"{word}->arrive({count}, 0, {HERE})"
        return e.write(i.operands[0], "u64", f"uint64_t({call})") if at else f"(void){call};"
    if action in ("test_wait", "try_wait"):
        if "parity" in i.modifiers:
            test = f"{word}->passed_parity({e.read(i.operands[2], 'u32')})"
        else:
            test = f"{word}->passed(unsigned({e.read(i.operands[2], 'u64')}))"
        look = f"::porter_sim::pause(::porter_sim::Until::world, false, {HERE});"
        return f"{{ {look} {e.write(i.operands[0], 'pred', test)} ::porter_sim::note_order(); }}"
    raise Unsupported(f"'{i.name}' is not simulated")


def _convert_address(e: Emitter, i: Instruction) -> str:
    kind = i.modifiers[-1]
    space = _space(i)
    value = e.read(i.operands[1], kind)
    if space == "shared":
        to = "to" in i.modifiers
        value = f"::porter_sim::ptx::{'to' if to else 'from'}_shared({value})"
    return e.write(i.operands[0], kind, f"({e.type(kind)})({value})")


def _is_in_space(e: Emitter, i: Instruction) -> str:
    call = {"global": "::__isGlobal", "shared": "::__isShared", "local": "::__isLocal"}.get(i.modifiers[0])
    if call is None:
        raise Unsupported(f"'{i.name}' is not simulated")
    return e.write(i.operands[0], "pred", f"{call}((const void *)({e.read(i.operands[1], 'u64')}))")


MEMORY: dict[str, Handler] = {
    "ld": _load,
    "ldu": _load,
    "st": _store,
    "atom": _atomic,
    "red": _atomic,
    "membar": _fence,
    "fence": _fence,
    "prefetch": _nothing,
    "prefetchu": _nothing,
    "discard": _nothing,
    "applypriority": _nothing,
    "cp": _copy,
    "mbarrier": _barrier_object,
    "cvta": _convert_address,
    "isspacep": _is_in_space,
}
