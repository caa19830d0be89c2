"""PTX instructions of a warp or block: shuffles, votes, barriers, matrix products, control."""

from __future__ import annotations

from collections.abc import Callable

from porter.simulator.ptx.emit import HERE, Emitter, Unsupported
from porter.simulator.ptx.text import Instruction

Handler = Callable[[Emitter, Instruction], str]


def _shuffle(e: Emitter, i: Instruction) -> str:
    if len(i.modifiers) != 3 or i.modifiers[0] != "sync" or len(i.operands) != 5:
        raise Unsupported(f"'{i.name}' is not simulated")
    mode = {"up": "shuffle_up", "down": "shuffle_down", "bfly": "shuffle_xor", "idx": "shuffle_index"}[
        i.modifiers[1]
    ]
    target, _, inside = i.operands[0].partition("|")
    value, lane, clamp, mask = (e.read(o, "u32") for o in i.operands[1:])
    arguments = f"{mask}, {value}, {lane}, {clamp}, porter_inside, {HERE}"
    call = f"::porter_sim::ptx::shfl(::porter_sim::Op::{mode}, {arguments})"
    text = f"bool porter_inside = false; {e.write(target.strip(), 'u32', call)}"
    if inside:
        text += " " + e.write(inside.strip(), "pred", "porter_inside")
    return f"{{ {text} }}"


def _vote(e: Emitter, i: Instruction) -> str:
    if i.modifiers[0] != "sync":
        raise Unsupported(f"'{i.name}' is not simulated")
    source, mask = e.predicate(i.operands[1]), e.read(i.operands[2], "u32")
    mode = i.modifiers[1]
    if mode == "ballot":
        return e.write(
            i.operands[0],
            "b32",
            f"::porter_sim::ptx::vote(::porter_sim::Op::ballot, {mask}, {source}, {HERE})",
        )
    if mode == "uni":
        call = f"::porter_sim::ptx::vote_uniform({mask}, {source}, {HERE})"
    else:
        call = f"::porter_sim::ptx::vote(::porter_sim::Op::{mode}, {mask}, {source}, {HERE})"
    return e.write(i.operands[0], "pred", f"{call} != 0")


def _match(e: Emitter, i: Instruction) -> str:
    kind = i.modifiers[-1]
    target, _, same = i.operands[0].partition("|")
    value, mask = e.read(i.operands[1], kind), e.read(i.operands[2], "u32")
    operation = "match_any" if "any" in i.modifiers else "match_all"
    call = f"::porter_sim::ptx::match(::porter_sim::Op::{operation}, {mask}, {value}, {HERE})"
    text = f"uint32_t porter_mask = {call}; {e.write(target.strip(), 'b32', 'porter_mask')}"
    if same:
        text += " " + e.write(same.strip(), "pred", "porter_mask != 0")
    return f"{{ {text} }}"


def _reduce(e: Emitter, i: Instruction) -> str:
    operation, kind = i.modifiers[1], i.modifiers[-1]
    if operation not in ("add", "min", "max", "and", "or", "xor") or kind not in ("u32", "s32", "b32"):
        raise Unsupported(f"'{i.name}' is not simulated")
    value, mask = e.read(i.operands[1], kind), e.read(i.operands[2], "u32")
    call = f"::porter_sim::ptx::redux(::porter_sim::Op::reduce_{operation}, {mask}, {value}, {HERE})"
    return e.write(i.operands[0], kind, call)


def _active(e: Emitter, i: Instruction) -> str:
    return e.write(i.operands[0], "b32", f"::porter_sim::ptx::active({HERE})")


def _elect(e: Emitter, i: Instruction) -> str:
    target, _, chosen = i.operands[0].partition("|")
    mask = e.read(i.operands[1], "u32")
    text = f"uint32_t porter_leader = ::porter_sim::ptx::elect({mask}, {HERE});"
    text += " " + e.write(target.strip(), "b32", "porter_leader")
    if chosen:
        text += " " + e.write(chosen.strip(), "pred", "porter_leader == ::porter_sim::lane_id()")
    return f"{{ {text} }}"


def _barrier(e: Emitter, i: Instruction) -> str:
    words = [m for m in i.modifiers if m not in ("aligned", "cta")]
    if words[:2] == ["warp", "sync"]:
        return f"::porter_sim::ptx::meet({e.read(i.operands[0], 'u32')}, {HERE});"
    if words == ["cluster", "arrive"]:
        return ";"
    if words[:1] == ["red"]:
        return _barrier_vote(e, i, words)
    if i.opcode == "barrier" and words[:1] == ["cluster"]:
        return f"::porter_sim::block_barrier(::porter_sim::Vote::none, 0, {HERE});"
    if words not in (["sync"], ["arrive"]):
        raise Unsupported(f"'{i.name}' is not simulated")
    number = e.read(i.operands[0], "u32")
    count = e.read(i.operands[1], "u32") if len(i.operands) > 1 else "0"
    return f"::porter_sim::ptx::bar({number}, {count}, {'true' if words == ['sync'] else 'false'}, {HERE});"


def _barrier_vote(e: Emitter, i: Instruction, words: list[str]) -> str:
    vote = {"popc": "count", "and": "all", "or": "any"}.get(words[1])
    if vote is None or len(i.operands) != 3:
        raise Unsupported(f"'{i.name}' is not simulated")
    test = e.predicate(i.operands[2])
    call = f"::porter_sim::block_barrier(::porter_sim::Vote::{vote}, {test}, {HERE})"
    return e.write(i.operands[0], "u32" if vote == "count" else "pred", call)


_MMA_TYPES = {
    "f16": "Half",
    "bf16": "Bfloat",
    "tf32": "Tf32",
    "f64": "double",
    "f32": "float",
    "s32": "int32_t",
    "s8": "int8_t",
    "u8": "uint8_t",
}


def _matrix_product(e: Emitter, i: Instruction) -> str:
    """`mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d, a, b, c`."""
    words = [m for m in i.modifiers if m not in ("sync", "aligned", "satfinite")]
    shape = words[0]
    known = ("m16n8k16", "m16n8k8", "m16n8k32", "m16n8k4", "m8n8k4", "m8n8k16")
    if shape not in known or words[1:3] != ["row", "col"] or any(w not in _MMA_TYPES for w in words[3:]):
        raise Unsupported(f"'{i.name}' is not simulated")
    if shape == "m8n8k4" and words[4] != "f64":
        raise Unsupported(f"'{i.name}' has Volta's layout, which is not simulated")
    m, rest = shape[1:].split("n")
    n, k = rest.split("k")
    d, a, b, c = words[3:7]
    types = ", ".join(
        f"::porter_sim::ptx::{_MMA_TYPES[t]}" if t in ("f16", "bf16", "tf32") else _MMA_TYPES[t]
        for t in (d, a, b, c)
    )
    word = "uint64_t" if d == "f64" else "uint32_t"
    kind = "b64" if d == "f64" else "b32"
    arrays = " ".join(
        f"{word} porter_{name}[] = {e.array(o, kind)};" for name, o in zip("abc", i.operands[1:], strict=True)
    )
    targets = e.vector(i.operands[0])
    saturates = "true" if "satfinite" in i.modifiers else "false"
    call = (
        f"{word} porter_d[{len(targets)}]; ::porter_sim::ptx::mma<{m}, {n}, {k}, {types}>"
        f"(porter_d, porter_a, porter_b, porter_c, {saturates}, {HERE});"
    )
    results = " ".join(e.write(t, kind, f"porter_d[{index}]") for index, t in enumerate(targets))
    return f"{{ {arrays} {call} {results} }}"


def _load_matrices(e: Emitter, i: Instruction) -> str:
    words = [m for m in i.modifiers if m not in ("sync", "aligned", "shared", "shared::cta")]
    if words[:1] != ["m8n8"] or words[-1] != "b16" or words[1] not in ("x1", "x2", "x4"):
        raise Unsupported(f"'{i.name}' is not simulated")
    targets = e.vector(i.operands[0])
    transposed = "true" if "trans" in words else "false"
    address = e.address(
        i.operands[1], "shared" if any(m.startswith("shared") for m in i.modifiers) else "generic"
    )
    results = " ".join(e.write(t, "b32", f"porter_d[{index}]") for index, t in enumerate(targets))
    call = f"::porter_sim::ptx::ldmatrix<{len(targets)}, {transposed}>(porter_d, {address}, {HERE});"
    return f"{{ uint32_t porter_d[{len(targets)}]; {call} {results} }}"


def _sleep(e: Emitter, i: Instruction) -> str:
    del e, i
    return f"::porter_sim::pause(::porter_sim::Until::world, false, {HERE});"


def _trap(e: Emitter, i: Instruction) -> str:
    del e, i
    return f'::porter_sim::device_trap("SIM008", "the kernel trapped", {HERE});'


def _nothing(e: Emitter, i: Instruction) -> str:
    del e, i
    return ";"


WARP: dict[str, Handler] = {
    "shfl": _shuffle,
    "vote": _vote,
    "match": _match,
    "redux": _reduce,
    "activemask": _active,
    "elect": _elect,
    "bar": _barrier,
    "barrier": _barrier,
    "mma": _matrix_product,
    "ldmatrix": _load_matrices,
    "nanosleep": _sleep,
    "trap": _trap,
    "brkpt": _nothing,
    "pmevent": _nothing,
    "griddepcontrol": _nothing,
    "setmaxnreg": _nothing,
}
