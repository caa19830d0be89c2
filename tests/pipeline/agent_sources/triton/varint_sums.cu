// Declined: the decoder jumps with goto (TIL005).
// Each row is a stream of bytes with numbers of 7 bits a byte; adds up the numbers, -1 for a broken stream.
#include <cstdio>
#include <vector>

__global__ void varint_sums(const unsigned char* bytes, const int* start, const int* end, int* sum, int rows)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    int at = start[row], total = 0, value, shift;
next:
    if (at >= end[row]) goto done;
    value = 0;
    shift = 0;
more:
    if (at >= end[row] || shift > 21) goto broken;
    value |= (bytes[at] & 127) << shift;
    shift += 7;
    if (bytes[at++] & 128) goto more;
    total += value;
    goto next;
broken:
    total = -1;
done:
    sum[row] = total;
}

int main()
{
    const int rows = 70, width = 11;
    std::vector<unsigned char> bytes(rows * width);
    std::vector<int> start(rows), end(rows), sum(rows);
    for (int i = 0; i < rows * width; ++i) bytes[i] = (unsigned char)(i * 73 % 251 * (i % 3 != 1));
    for (int r = 0; r < rows; ++r) start[r] = r * width, end[r] = r * width + r % (width + 1);
    unsigned char* d_bytes;
    int *d_start, *d_end, *d_sum;
    cudaMalloc(&d_bytes, bytes.size());
    cudaMalloc(&d_start, rows * sizeof(int));
    cudaMalloc(&d_end, rows * sizeof(int));
    cudaMalloc(&d_sum, rows * sizeof(int));
    cudaMemcpy(d_bytes, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
    cudaMemcpy(d_start, start.data(), rows * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_end, end.data(), rows * sizeof(int), cudaMemcpyHostToDevice);
    varint_sums<<<(rows + 63) / 64, 64>>>(d_bytes, d_start, d_end, d_sum, rows);
    cudaMemcpy(sum.data(), d_sum, rows * sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int r = 0; r < rows; ++r) {
        int total = 0, value = 0, shift = 0;
        for (int at = start[r]; at < end[r] && total >= 0; ++at) {
            value |= (bytes[at] & 127) << shift;
            shift += 7;
            const bool more = bytes[at] & 128;
            if (more && (at + 1 == end[r] || shift > 21)) total = -1;
            if (!more) total += value, value = 0, shift = 0;
        }
        wrong += sum[r] != total;
    }
    cudaFree(d_bytes), cudaFree(d_start), cudaFree(d_end), cudaFree(d_sum);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
