// Declined: pointers to functions. Each thread runs a small program of a stack machine on its own number; operations
// are called through a table.
#include <cmath>
#include <cstdio>
#include <vector>

enum Operation { kPush, kAdd, kSubtract, kMultiply, kMinimum, kMaximum, kDuplicate, kSwap, kAbsolute, kOperations };

struct Machine {
    float stack[16];
    int top;
};

using Handler = void (*)(Machine&, float);

__device__ void push(Machine& m, float value) { m.stack[m.top++] = value; }

__device__ float pop(Machine& m) { return m.stack[--m.top]; }

__device__ void add(Machine& m, float)
{
    const float right = pop(m), left = pop(m);
    push(m, left + right);
}

__device__ void subtract(Machine& m, float)
{
    const float right = pop(m), left = pop(m);
    push(m, left - right);
}

__device__ void multiply(Machine& m, float)
{
    const float right = pop(m), left = pop(m);
    push(m, left * right);
}

__device__ void minimum(Machine& m, float)
{
    const float right = pop(m), left = pop(m);
    push(m, fminf(left, right));
}

__device__ void maximum(Machine& m, float)
{
    const float right = pop(m), left = pop(m);
    push(m, fmaxf(left, right));
}

__device__ void duplicate(Machine& m, float)
{
    const float value = pop(m);
    push(m, value);
    push(m, value);
}

__device__ void exchange(Machine& m, float)
{
    const float right = pop(m), left = pop(m);
    push(m, right);
    push(m, left);
}

__device__ void absolute(Machine& m, float) { push(m, fabsf(pop(m))); }

__device__ const Handler kHandlers[kOperations] = {push,    add,       subtract, multiply, minimum,
                                                   maximum, duplicate, exchange, absolute};

// The stack starts with the thread's number; `starts` says where each program's instructions begin, and thread i runs
// program i % programs. What an instruction outside of the table would do is not defined: there is none.
__global__ void stack_machine(const unsigned char* operations, const float* constants, const int* starts,
                              const float* in, float* out, int programs, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int program = i % programs;
    Machine machine;
    machine.top = 0;
    push(machine, in[i]);
    for (int at = starts[program]; at < starts[program + 1]; ++at) {
        const int operation = operations[at] % kOperations;
        // Too few or too many values on the stack: the instruction is skipped.
        const int needed = operation == kPush ? 0 : operation == kDuplicate || operation == kAbsolute ? 1 : 2;
        if (machine.top < needed || machine.top > 14) continue;
        kHandlers[operation](machine, constants[at]);
    }
    float sum = 0.0f;
    while (machine.top > 0) sum = sum * 0.5f + pop(machine);
    out[i] = sum;
}

static float on_host(float x, int program)
{
    switch (program) {
        case 0: return x * x + 3.0f;
        case 1: return std::fabs(x - 2.0f);
        default: return std::fmin(std::fmax(x, -1.0f), 1.0f);
    }
}

int main()
{
    const int programs = 3, n = 150;
    const std::vector<unsigned char> operations = {kDuplicate, kMultiply, kPush, kAdd,     // x * x + 3
                                                   kPush, kSubtract, kAbsolute,            // |x - 2|
                                                   kPush, kMaximum, kPush, kMinimum};      // clamped to -1 … 1
    const std::vector<float> constants = {0, 0, 3, 0, 2, 0, 0, -1, 0, 1, 0};
    const std::vector<int> starts = {0, 4, 7, 11};
    std::vector<float> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = float(i * 11 % 23) / 4.0f - 2.5f;
    unsigned char* d_operations;
    float *d_constants, *d_in, *d_out;
    int* d_starts;
    cudaMalloc(&d_operations, operations.size());
    cudaMalloc(&d_constants, constants.size() * sizeof(float));
    cudaMalloc(&d_starts, starts.size() * sizeof(int));
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_operations, operations.data(), operations.size(), cudaMemcpyHostToDevice);
    cudaMemcpy(d_constants, constants.data(), constants.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_starts, starts.data(), starts.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    stack_machine<<<(n + 63) / 64, 64>>>(d_operations, d_constants, d_starts, d_in, d_out, programs, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += std::fabs(out[i] - on_host(in[i], i % programs)) > 1e-5f;
    cudaFree(d_operations), cudaFree(d_constants), cudaFree(d_starts), cudaFree(d_in), cudaFree(d_out);
    std::printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
