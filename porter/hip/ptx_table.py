"""PTX instructions and the C++ that means the same, after NVIDIA's PTX ISA reference.

Templates name operands by position: `{0}` is the destination, `{1}` … the sources, as C++ expressions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from porter.hip.ptx_atomics import translate_atomic


@dataclass(frozen=True)
class Translated:
    text: str
    shims: frozenset[str] = frozenset()


_LANE = "porter_lane_in_warp()"
_THREAD = "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))"
# Special registers read by `mov`.
_REGISTERS = {
    "%laneid": (_LANE, "lane_in_warp"),
    "%warpid": (f"({_THREAD} / 32)", ""),
    "%lanemask_eq": (f"(1u << {_LANE})", "lane_in_warp"),
    "%lanemask_lt": (f"((1u << {_LANE}) - 1u)", "lane_in_warp"),
    "%lanemask_le": (f"((2u << {_LANE}) - 1u)", "lane_in_warp"),
    "%lanemask_ge": (f"~((1u << {_LANE}) - 1u)", "lane_in_warp"),
    "%lanemask_gt": (f"~((2u << {_LANE}) - 1u)", "lane_in_warp"),
    "%clock": ("static_cast<unsigned>(clock64())", ""),
    "%clock64": ("clock64()", ""),
    "%globaltimer": ("porter_globaltimer()", "globaltimer"),
    "%smid": ("__smid()", ""),
    "%tid.x": ("threadIdx.x", ""),
    "%tid.y": ("threadIdx.y", ""),
    "%tid.z": ("threadIdx.z", ""),
    "%ntid.x": ("blockDim.x", ""),
    "%ntid.y": ("blockDim.y", ""),
    "%ntid.z": ("blockDim.z", ""),
    "%ctaid.x": ("blockIdx.x", ""),
    "%ctaid.y": ("blockIdx.y", ""),
    "%ctaid.z": ("blockIdx.z", ""),
    "%nctaid.x": ("gridDim.x", ""),
    "%nctaid.y": ("gridDim.y", ""),
    "%nctaid.z": ("gridDim.z", ""),
}
_SIGNED, _UNSIGNED = r"\.s(?:16|32|64)", r"\.[ub](?:16|32|64)"
# Instruction pattern (without operands), statement, shim.
_TABLE: tuple[tuple[str, str, str], ...] = (
    (r"fma\.rn(?:\.ftz)?\.f32", "{0} = fmaf({1}, {2}, {3});", ""),
    (r"fma\.rn\.f64", "{0} = fma({1}, {2}, {3});", ""),
    (r"add(?:\.rn)?(?:\.ftz)?\.f32", "{0} = porter_fadd_rn({1}, {2});", "unfused"),
    (r"sub(?:\.rn)?(?:\.ftz)?\.f32", "{0} = porter_fsub_rn({1}, {2});", "unfused"),
    (r"mul(?:\.rn)?(?:\.ftz)?\.f32", "{0} = porter_fmul_rn({1}, {2});", "unfused"),
    (r"add(?:\.rn)?\.f64", "{0} = porter_dadd_rn({1}, {2});", "unfused"),
    (r"mul(?:\.rn)?\.f64", "{0} = porter_dmul_rn({1}, {2});", "unfused"),
    (r"add\.[su](?:16|32|64)", "{0} = ({1}) + ({2});", ""),
    (r"sub\.[su](?:16|32|64)", "{0} = ({1}) - ({2});", ""),
    (r"mul\.lo\.[su](?:16|32|64)", "{0} = ({1}) * ({2});", ""),
    (r"mad\.lo\.[su](?:16|32|64)", "{0} = ({1}) * ({2}) + ({3});", ""),
    (r"mul\.wide\.u32", "{0} = static_cast<unsigned long long>({1}) * ({2});", ""),
    (r"mul\.wide\.s32", "{0} = static_cast<long long>({1}) * ({2});", ""),
    (r"mul\.hi\.u32", "{0} = __umulhi({1}, {2});", ""),
    (r"mul\.hi\.s32", "{0} = __mulhi({1}, {2});", ""),
    (r"mul\.hi\.u64", "{0} = __umul64hi({1}, {2});", ""),
    (r"and\.b(?:16|32|64)", "{0} = ({1}) & ({2});", ""),
    (r"or\.b(?:16|32|64)", "{0} = ({1}) | ({2});", ""),
    (r"xor\.b(?:16|32|64)", "{0} = ({1}) ^ ({2});", ""),
    (r"not\.b(?:16|32|64)", "{0} = ~({1});", ""),
    # PTX clamps the amount to the width where C++ has no defined result.
    (r"shl\.b32", "{0} = ({2}) < 32u ? ({1}) << ({2}) : 0;", ""),
    (r"shr\.[ub]32", "{0} = ({2}) < 32u ? static_cast<unsigned>({1}) >> ({2}) : 0u;", ""),
    (r"shr\.s32", "{0} = static_cast<int>({1}) >> (({2}) < 32u ? ({2}) : 31u);", ""),
    (r"popc\.b32", "{0} = __popc({1});", ""),
    (r"popc\.b64", "{0} = __popcll({1});", ""),
    (r"clz\.b32", "{0} = __clz({1});", ""),
    (r"clz\.b64", "{0} = __clzll({1});", ""),
    # The place of the highest bit, all ones for none; __clz(0) is the width.
    (r"bfind\.u32", "{0} = 31u - __clz({1});", ""),
    (r"bfind\.u64", "{0} = 63u - __clzll({1});", ""),
    (r"vabsdiff4\.u32\.u32\.u32\.add", "{0} = porter_sad4({1}, {2}) + ({3});", "sad4"),
    (r"brev\.b32", "{0} = __brev({1});", ""),
    (r"brev\.b64", "{0} = __brevll({1});", ""),
    (r"bfe\.u32", "{0} = porter_bfe(static_cast<unsigned>({1}), {2}, {3});", "bfe"),
    (r"bfe\.s32", "{0} = porter_bfe(static_cast<int>({1}), {2}, {3});", "bfe"),
    (r"bfi\.b32", "{0} = porter_bfi({1}, {2}, {3}, {4});", "bfi"),
    (r"prmt\.b32", "{0} = __byte_perm({1}, {2}, {3});", ""),
    (r"lop3\.b32", "{0} = porter_lop3({1}, {2}, {3}, {4});", "lop3"),
    (r"shf\.l\.wrap\.b32", "{0} = __funnelshift_l({1}, {2}, {3});", ""),
    (r"shf\.r\.wrap\.b32", "{0} = __funnelshift_r({1}, {2}, {3});", ""),
    (r"shf\.l\.clamp\.b32", "{0} = __funnelshift_lc({1}, {2}, {3});", ""),
    (r"shf\.r\.clamp\.b32", "{0} = __funnelshift_rc({1}, {2}, {3});", ""),
    (r"dp4a\.[su]32\.[su]32", "{0} = porter_dp4a({1}, {2}, {3});", "dp4a"),
    (r"min(?:\.ftz)?\.f32", "{0} = fminf({1}, {2});", ""),
    (r"max(?:\.ftz)?\.f32", "{0} = fmaxf({1}, {2});", ""),
    (r"min\.[su]32", "{0} = min({1}, {2});", ""),
    (r"max\.[su]32", "{0} = max({1}, {2});", ""),
    (r"abs(?:\.ftz)?\.f32", "{0} = fabsf({1});", ""),
    (r"neg(?:\.ftz)?\.f32", "{0} = -({1});", ""),
    (r"ex2\.approx(?:\.ftz)?\.f32", "{0} = exp2f({1});", ""),
    (r"lg2\.approx(?:\.ftz)?\.f32", "{0} = log2f({1});", ""),
    (r"rcp\.(?:approx|rn)(?:\.ftz)?\.f32", "{0} = 1.0f / ({1});", ""),
    (r"div\.(?:rn|approx|full)(?:\.ftz)?\.f32", "{0} = ({1}) / ({2});", ""),
    (r"rsqrt\.approx(?:\.ftz)?\.f32", "{0} = rsqrtf({1});", ""),
    (r"sqrt\.(?:rn|approx)(?:\.ftz)?\.f32", "{0} = sqrtf({1});", ""),
    (r"sqrt\.rn\.f64", "{0} = sqrt({1});", ""),
    (r"sin\.approx(?:\.ftz)?\.f32", "{0} = __sinf({1});", ""),
    (r"cos\.approx(?:\.ftz)?\.f32", "{0} = __cosf({1});", ""),
    (r"tanh\.approx\.f32", "{0} = tanhf({1});", ""),
    (r"cvt\.rn\.f32\.[su]32", "{0} = static_cast<float>({1});", ""),
    (r"cvt\.rn\.f32\.f16", "{0} = __half2float(__ushort_as_half({1}));", ""),
    (r"cvt\.rn\.f16\.f32", "{0} = __half_as_ushort(__float2half_rn({1}));", ""),
    (r"cvt\.f32\.f16", "{0} = __half2float(__ushort_as_half({1}));", ""),
    (r"cvt\.rn\.f32\.f64", "{0} = static_cast<float>({1});", ""),
    (r"cvt\.rn\.f64\.[su]32", "{0} = static_cast<double>({1});", ""),
    (r"cvt\.rzi(?:\.ftz)?\.u32\.f32", "{0} = __float2uint_rz({1});", ""),
    (r"cvt\.rni(?:\.ftz)?\.u32\.f32", "{0} = __float2uint_rn({1});", ""),
    (r"cvt\.s64\.s32", "{0} = static_cast<long long>(static_cast<int>({1}));", ""),
    (r"cvt\.u32\.u64", "{0} = static_cast<unsigned>({1});", ""),
    (r"cvt\.u32\.u16", "{0} = static_cast<unsigned short>({1});", ""),
    (r"cvt\.sat\.f32\.f32", "{0} = __saturatef({1});", ""),
    (r"cvt\.rzi(?:\.ftz)?\.s32\.f32", "{0} = __float2int_rz({1});", ""),
    (r"cvt\.rni(?:\.ftz)?\.s32\.f32", "{0} = __float2int_rn({1});", ""),
    (r"cvt\.rmi(?:\.ftz)?\.s32\.f32", "{0} = __float2int_rd({1});", ""),
    (r"cvt\.rpi(?:\.ftz)?\.s32\.f32", "{0} = __float2int_ru({1});", ""),
    (r"cvt\.f64\.f32", "{0} = static_cast<double>({1});", ""),
    (r"cvt\.u64\.u32", "{0} = static_cast<unsigned long long>({1});", ""),
    (r"mov\.[bsuf](?:16|32|64)", "{0} = {1};", ""),
)
_STATEMENTS: tuple[tuple[str, str, str], ...] = (
    (r"(?:bar|barrier)\.(?:cta\.)?sync(?:\.aligned)? 0", "__syncthreads();", ""),
    (r"bar\.warp\.sync .+", "porter_syncwarp();", "syncwarp"),
    (r"membar\.gl|fence\.(?:acq_rel|sc)\.gpu", "__threadfence();", ""),
    (r"membar\.cta|fence\.(?:acq_rel|sc)\.cta", "__threadfence_block();", ""),
    (r"membar\.sys|fence\.(?:acq_rel|sc)\.sys", "__threadfence_system();", ""),
    (r"trap", "__builtin_trap();", ""),
    (r"exit", "return;", ""),
    (r"prefetch\.global\.L[12] .+|prefetchu\.L1 .+", "", ""),
)
TYPES = {
    "f32": "float",
    "f64": "double",
    "s32": "int",
    "u32": "unsigned",
    "b32": "unsigned",
    "s64": "long long",
    "u64": "unsigned long long",
    "b64": "unsigned long long",
    "u16": "unsigned short",
    "s16": "short",
    "b16": "unsigned short",
    "u8": "unsigned char",
    "s8": "signed char",
}
_LOAD = re.compile(
    r"ld(?:\.volatile)?(?:\.global)?(?:\.(?:nc|ca|cg|cs|cv|lu|L1::\w+|L2::\w+))*"
    r"\.(\w+) (\S+), ?\[(%\d+)\]$"
)
_STORE = re.compile(
    r"st(?:\.volatile)?(?:\.global)?(?:\.(?:wb|cg|cs|wt|L1::\w+|L2::\w+))*\.(\w+) \[(%\d+)\], ?(%\d+)$"
)
_RED = re.compile(r"red(?:\.relaxed)?(?:\.gpu)?\.global(?:\.gpu)?\.add\.(\w+) \[(%\d+)\], ?(%\d+)$")


_VECTOR_LOAD = re.compile(
    r"ld(?:\.volatile)?(?:\.global)?(?:\.(?:nc|ca|cg|cs|cv|lu|L1::\w+|L2::\w+))*"
    r"\.v([24])\.(\w+) \{([^}]*)\}, ?\[(%\d+)\]$"
)
_VECTOR_STORE = re.compile(
    r"st(?:\.volatile)?(?:\.global)?(?:\.(?:wb|cg|cs|wt|L1::\w+|L2::\w+))*"
    r"\.v([24])\.(\w+) \[(%\d+)\], ?\{([^}]*)\}$"
)


def _vector(instruction: str, match: re.Match[str], operands: tuple[str, ...]) -> Translated | None:
    """Two or four values at once; the access is as wide as its alignment, which PTX asks for too."""
    loads = instruction.startswith("ld")
    elements, place = (match.group(3), match.group(4)) if loads else (match.group(4), match.group(3))
    names = [_operand(part.strip(), operands) for part in elements.split(",")]
    address, kind = _operand(place, operands), TYPES.get(match.group(2))
    count = int(match.group(1))
    if address is None or kind is None or len(names) != count or None in names:
        return None
    struct = f"struct alignas({count} * sizeof({kind})) porter_vector {{ {kind} at[{count}]; }};"
    if loads:
        values = " ".join(f"{name} = porter_read.at[{i}];" for i, name in enumerate(names))
        read = f"const porter_vector porter_read = *reinterpret_cast<const porter_vector*>({address});"
        return Translated(f"{{ {struct} {read} {values} }}")
    values = ", ".join(f"static_cast<{kind}>({name})" for name in names)
    return Translated(
        f"{{ {struct} *reinterpret_cast<porter_vector*>({address}) = porter_vector{{{{{values}}}}}; }}"
    )


def translate_instruction(instruction: str, operands: tuple[str, ...]) -> Translated | None:
    """C++ for one PTX instruction whose `%0`, `%1` … are the C++ expressions `operands`, or None."""
    for pattern, statement, shim in _STATEMENTS:
        if re.fullmatch(pattern, instruction):
            return Translated(statement, frozenset((shim,)) if shim else frozenset())
    memory = _memory(instruction, operands)
    if memory is not None:
        return memory
    name, _, rest = instruction.partition(" ")
    values = [_operand(part.strip(), operands) for part in rest.split(",")]
    if any(value is None for value in values):
        return None
    shims = {_register_shim(part.strip()) for part in rest.split(",")} - {""}
    for pattern, statement, shim in _TABLE:
        if re.fullmatch(pattern, name) and statement.count("{") == len(values):
            return Translated(statement.format(*values), frozenset(shims | ({shim} - {""})))
    return None


def _operand(text: str, operands: tuple[str, ...]) -> str | None:
    """A C++ expression for `%0`, a special register or an immediate; None for a PTX register or label."""
    placeholder = re.fullmatch(r"%(\d+)", text)
    if placeholder:
        index = int(placeholder.group(1))
        return operands[index] if index < len(operands) else None
    if text in _REGISTERS:
        return _REGISTERS[text][0]
    return text if re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)U?", text) else None


def _register_shim(text: str) -> str:
    return _REGISTERS[text][1] if text in _REGISTERS else ""


def _memory(instruction: str, operands: tuple[str, ...]) -> Translated | None:
    """Loads, stores and reductions of one scalar through a generic or global pointer."""
    vector = _VECTOR_LOAD.match(instruction) or _VECTOR_STORE.match(instruction)
    if vector is not None:
        return _vector(instruction, vector, operands)
    load = _LOAD.match(instruction)
    if load and load.group(1) in TYPES:
        target, address = _operand(load.group(2), operands), _operand(load.group(3), operands)
        if target is not None and address is not None:
            return Translated(f"{target} = *reinterpret_cast<const {TYPES[load.group(1)]}*>({address});")
    store = _STORE.match(instruction)
    if store and store.group(1) in TYPES:
        address, value = _operand(store.group(2), operands), _operand(store.group(3), operands)
        return Translated(f"*reinterpret_cast<{TYPES[store.group(1)]}*>({address}) = {value};")
    reduction = _RED.match(instruction)
    if reduction and reduction.group(1) in TYPES:
        address, value = _operand(reduction.group(2), operands), _operand(reduction.group(3), operands)
        return Translated(f"atomicAdd(reinterpret_cast<{TYPES[reduction.group(1)]}*>({address}), {value});")
    atomic = translate_atomic(instruction, lambda text: _operand(text, operands), TYPES)
    return Translated(atomic) if atomic is not None else None
