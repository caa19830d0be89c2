// Declined: goto. Every thread scans one record of text like JSON with a state machine of labels and jumps, and tells
// the deepest nesting, the number of values, and whether the record is well formed.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

enum Verdict { kGood = 0, kUnbalanced = 1, kBadEscape = 2, kOpenString = 3, kTooDeep = 4 };

constexpr int kMostDepth = 32;

__global__ void json_depths(const char* text, const int* starts, int* depths, int* values, int* verdicts, int records)
{
    const int record = blockIdx.x * blockDim.x + threadIdx.x;
    if (record >= records) return;
    int at = starts[record];
    const int end = starts[record + 1];
    int depth = 0, deepest = 0, count = 0, verdict = kGood;
    unsigned kinds = 0;  // one bit a level: 1 for an object, 0 for an array
    char c;

between:
    if (at >= end) goto finished;
    c = text[at++];
    switch (c) {
        case '{':
        case '[':
            if (depth == kMostDepth) {
                verdict = kTooDeep;
                goto stopped;
            }
            kinds = kinds << 1 | (c == '{');
            ++depth;
            deepest = max(deepest, depth);
            goto between;
        case '}':
        case ']':
            if (depth == 0 || (kinds & 1) != (c == '}')) {
                verdict = kUnbalanced;
                goto stopped;
            }
            kinds >>= 1;
            --depth;
            goto between;
        case '"': goto in_string;
        case ' ':
        case ',':
        case ':': goto between;
        default: goto in_word;
    }

in_string:
    if (at >= end) {
        verdict = kOpenString;
        goto stopped;
    }
    c = text[at++];
    if (c == '\\') goto escaped;
    if (c != '"') goto in_string;
    ++count;
    goto between;

escaped:
    if (at >= end) {
        verdict = kOpenString;
        goto stopped;
    }
    c = text[at++];
    if (c == 'n' || c == 't' || c == '"' || c == '\\') goto in_string;
    verdict = kBadEscape;
    goto stopped;

in_word:
    if (at < end) {
        c = text[at];
        if (c != ' ' && c != ',' && c != ':' && c != '{' && c != '}' && c != '[' && c != ']' && c != '"') {
            ++at;
            goto in_word;
        }
    }
    ++count;
    goto between;

finished:
    if (depth != 0) verdict = kUnbalanced;
stopped:
    depths[record] = deepest;
    values[record] = count;
    verdicts[record] = verdict;
}

struct Expected {
    const char* text;
    int depth, values, verdict;
};

int main()
{
    const std::vector<Expected> all = {
        {"{\"a\": [1, 2, {\"b\": null}], \"c\": \"x\"}", 3, 7, kGood},
        {"[]", 1, 0, kGood},
        {"", 0, 0, kGood},
        {"[1, 2", 1, 2, kUnbalanced},
        {"[1, 2}", 1, 2, kUnbalanced},
        {"\"tab\\t and \\\"quote\\\"\" 12", 0, 2, kGood},
        {"\"bad \\q\"", 0, 0, kBadEscape},
        {"\"never closed", 0, 0, kOpenString},
        {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", 32, 0, kTooDeep},
        {"true false,null", 0, 3, kGood},
    };
    const int repeats = 7, records = repeats * int(all.size());
    std::string text;
    std::vector<int> starts = {0};
    for (int r = 0; r < records; ++r) {
        text += all[r % all.size()].text;
        starts.push_back(int(text.size()));
    }
    char* d_text;
    int *d_starts, *d_depths, *d_values, *d_verdicts;
    cudaMalloc(&d_text, text.size());
    cudaMalloc(&d_starts, starts.size() * sizeof(int));
    cudaMalloc(&d_depths, records * sizeof(int));
    cudaMalloc(&d_values, records * sizeof(int));
    cudaMalloc(&d_verdicts, records * sizeof(int));
    cudaMemcpy(d_text, text.data(), text.size(), cudaMemcpyHostToDevice);
    cudaMemcpy(d_starts, starts.data(), starts.size() * sizeof(int), cudaMemcpyHostToDevice);
    json_depths<<<(records + 31) / 32, 32>>>(d_text, d_starts, d_depths, d_values, d_verdicts, records);
    std::vector<int> depths(records), values(records), verdicts(records);
    cudaMemcpy(depths.data(), d_depths, records * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(values.data(), d_values, records * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(verdicts.data(), d_verdicts, records * sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int r = 0; r < records; ++r) {
        const Expected& e = all[r % all.size()];
        wrong += depths[r] != e.depth || values[r] != e.values || verdicts[r] != e.verdict;
    }
    cudaFree(d_text), cudaFree(d_starts), cudaFree(d_depths), cudaFree(d_values), cudaFree(d_verdicts);
    std::printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
