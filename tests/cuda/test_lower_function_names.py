"""Functions that share a name: overloads, and the functions that are template arguments."""

from porter.cuda.kir import CallFunction
from porter.cuda.kir_walk import expressions
from tests.cuda.lowering import only_kernel

SOURCE = """
__device__ float f(float a) { return a + 1; }
__device__ int f(int a) { return a - 1; }
__device__ float f(float a, float b) { return f(a) * f((int)b); }
__device__ float g(float v) { if (v > 3) return v * 2; return v; }
template <float (*F)(float)> __device__ float twice(float v) { return F(F(v)); }
__global__ void k(float* x) { x[0] = twice<g>(x[1]) + f(x[2], x[3]) + f(3);
    x[1] = twice<(float (*)(float))f>(2); }
"""


def test_every_call_has_the_arguments_of_its_function():
    kernel = only_kernel(SOURCE)
    bodies = [kernel.body, *(function.body for function in kernel.functions.values())]
    calls = [e for body in bodies for e in expressions(body) if isinstance(e, CallFunction)]
    assert len(calls) >= 8
    for call in calls:
        parameters = kernel.functions[call.function].parameters
        assert [str(a.type) for a in call.arguments] == [str(p.type) for p in parameters]


def test_an_array_parameter_is_a_pointer():
    source = """
    __device__ void halve(int v, unsigned char bytes[2]) { bytes[0] = v; bytes[1] = v >> 8; }
    __global__ void k(int* x) { unsigned char b[2] = {0, 0}; halve(x[0], b); x[1] = b[1]; }"""
    assert only_kernel(source).functions == {}
