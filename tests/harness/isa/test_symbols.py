"""Instantiations are told apart by argument types and template arguments, or not at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from porter.harness.capture import Argument, Launch, PointerArgument, ScalarArgument
from porter.harness.isa.errors import IsaError
from porter.harness.isa_symbols import symbol_of
from porter.harness.toolchains.demangle import demangled

if demangled("_Z1fv") == "_Z1fv":
    pytest.skip("no C++ library to demangle with", allow_module_level=True)
SUMS = ("_Z10reduce_sumIfEvPKT_PS0_i", "_Z10reduce_sumIiEvPKT_PS0_i", "_Z5otherv")
SCANS = ("_Z4scanILi128EEvPfi", "_Z4scanILi256EEvPfi")


def _launch(kernel: str, *types: str) -> Launch:
    arguments: list[Argument] = [
        PointerArgument(t, False, 1, 0) if "*" in t else ScalarArgument(t, bytes(4)) for t in types
    ]
    return Launch(0, kernel, 1, (1, 1, 1), (64, 1, 1), 0, False, False, tuple(arguments), (), None)


def test_argument_types_tell_instantiations_apart() -> None:
    assert symbol_of(SUMS, _launch("reduce_sum<T>", "const float*", "float*", "int")) == SUMS[0]
    assert symbol_of(SUMS, _launch("reduce_sum<T>", "const int*", "int*", "int")) == SUMS[1]
    assert symbol_of(SUMS, _launch("other")) == SUMS[2]


def test_numbers_tell_the_rest_apart() -> None:
    assert symbol_of(SCANS, _launch("scan<256>", "float*", "int")) == SCANS[1]


def test_what_cannot_be_told_apart_is_refused() -> None:
    with pytest.raises(IsaError, match="0 kernels"):
        symbol_of(SCANS, _launch("scan<BLOCK>", "float*", "int"))
    with pytest.raises(IsaError, match="0 kernels"):
        symbol_of(SUMS, _launch("missing", "int"))


def test_the_launched_functions_own_arguments_tell_values_apart() -> None:
    """`scan<BLOCK>` is written at the launch; which function that was, the capture knows."""
    launch = replace(_launch("scan", "float*", "int"), function="scan<256>", callee="scan<BLOCK>")
    assert symbol_of(SCANS, launch) == SCANS[1]
    assert symbol_of(SCANS, replace(launch, template_arguments=("128u",))) == SCANS[0]


@pytest.mark.parametrize(
    ("spelled", "mangled"),
    [
        ("long unsigned int", "m"),
        ("unsigned long", "m"),
        ("size_t", "m"),
        ("unsigned", "j"),
        ("long long int", "x"),
        ("short int", "s"),
        ("unsigned char", "h"),
        ("char", "c"),
        ("signed char", "a"),
    ],
)
def test_integers_are_one_type_however_they_are_spelled(spelled: str, mangled: str) -> None:
    symbols = [f"_Z3addIfEvPT_{mangled}", f"_Z3addIiEvPT_{mangled}"]
    if spelled == "size_t":
        with pytest.raises(IsaError, match="ISA004"):
            symbol_of(symbols, _launch("add", "int*", spelled))
    else:
        assert symbol_of(symbols, _launch("add", "int*", spelled)) == symbols[1]
