// Each kernel stores what it computes; a C++ compiler and the lowered IR must agree on every value.
// The host compiler sees these as plain functions.

__global__ void increments(long long *out, int n)
{
    int i = 0;
    out[i++] = n;
    out[i++] = i;
    int j = i-- + 3;
    out[++i] = j;
    out[3] = i++ * 2 + n--;
    out[4] = n;
    out[5] = --n - i;
    int a[3] = {1, 2};
    a[i % 3]++;
    a[(i + 1) % 3] += a[i % 3]-- * 5;
    out[6] = a[0] * 100 + a[1] * 10 + a[2];
    int k = n, l;
    l = k = n + 7;
    out[7] = (k += 2, k * l);
}

__global__ void narrow_types(long long *out, int n)
{
    unsigned char b = (unsigned char)(n * 77);
    b += 200;
    signed char s = (signed char)(n * 55);
    s *= 3;
    short h = (short)(n * 12345);
    h -= b;
    unsigned u = n - 5;
    u /= 3;
    int m = -n - 7;
    bool flag = n & 2;
    flag |= b > 100;
    out[0] = b, out[1] = s, out[2] = h, out[3] = u;
    out[4] = m / 4, out[5] = m % 4, out[6] = m >> 1, out[7] = (unsigned)m >> 3;
    out[8] = flag + 5, out[9] = !n, out[10] = ~n, out[11] = -(long long)u;
    n += 2.75f;
    out[12] = n;
    n *= 0.5;
    out[13] = n;
    out[14] = 3000000000u + n;
    out[15] = (long long)n * 1000000007 ^ 0x5a5a5a5aLL;
}

__device__ int logged(long long *out, int at, int value)
{
    out[at] += 1;
    return value;
}

__global__ void short_circuit(long long *out, int n)
{
    if (n > 2 && logged(out, 0, n) > 3) out[1] = 1;
    if (n > 2 || logged(out, 2, n) > 0) out[3] = 1;
    int chosen = n % 2 ? logged(out, 4, 10) : logged(out, 5, 20);
    out[6] = chosen;
    bool both = n > 1 && logged(out, 7, n) && n < 6 && logged(out, 8, 0);
    out[9] = both;
    int steps = 0;
    while (steps++ < n && logged(out, 10, 1)) out[11] += steps;
    n > 4 && logged(out, 12, 1);
    n > 4 ? (void)(out[13] = 7) : (void)(out[14] = 8);
}

__global__ void loops(long long *out, int n)
{
    for (int i = 0, j = n; i < j; ++i, j--) out[0] += i * j;
    int k = 0;
    for (;;) {
        if (k > n) break;
        k += 2;
        if (k == 4) continue;
        out[1] += k;
    }
    do {
        k--;
        if (k % 3 == 0) continue;
        out[2] += k;
    } while (k > 0);
    int m = n;
    while (int left = m - 1) {
        out[3] += left;
        if (--m < 1) break;
    }
    for (int i = 0; i < n;) {
        for (int j = 0; j < 3; j++) {
            if (j == 2) break;
            out[4] += i ^ j;
        }
        i += 2;
    }
    int t;
    while ((t = n / 2) > 0) {
        out[5] = out[5] * 3 + t;
        n = t;
    }
    do out[6]++; while (0);
    int c = 9;
    do {
        if (c == 7) continue;
        for (int i = 0; i < 2; i++) if (i == 0) continue; else out[9] += c;
        if (c < 4) {
            out[9] *= 3;
            if (c == 2) continue;
            out[9] -= c;
        }
    } while (c-- > m && logged(out, 10, 1));
    for (int i = 8; int left = i - m; --i) out[7] += left;
    for (int i = 8; int left = i - m;) out[8] += left, i--;
}

__global__ void choices(long long *out, int n)
{
    for (int i = 0; i <= n; i++) {
        switch (i) {
        case 0:
            out[0] += 1;
            break;
        case 1:
        case 2:
            out[0] += 10;
            if (i == 2) break;
            out[1] += 3;
            break;
        case 3:
            out[2] += 5;
        case 4:
            out[2] += 7;
            break;
        case 5: {
            for (int j = 0; j < 4; j++) {
                if (j == 3) break;
                out[3] += j;
            }
            if (n > 6) continue;
            out[4] += 1;
            break;
        }
        default:
            out[5] += i;
        }
        out[6] += 1;
    }
    switch (n % 3) {
    default:
        out[7] = 1;
        break;
    case 1:
        out[7] = 2;
    }
}

__device__ int first_multiple(int from, int of, int limit)
{
    if (of <= 0) return -1;
    for (int i = from; i < limit; i++) {
        for (int j = 0; j < 2; j++)
            if ((i + j) % of == 0) return i * 10 + j;
        if (i > from + 20) break;
    }
    int fallback = from;
    if (fallback % 2) {
        fallback *= 2;
        if (fallback > 8) return fallback;
    }
    return fallback + 1000;
}

__device__ void swap_if(int &a, int &b, bool wanted)
{
    if (!wanted) return;
    int saved = a;
    a = b;
    b = saved;
}

__device__ void both(int value, int *half, int *twice)
{
    *half = value / 2;
    if (value < 3) return;
    *twice = value * 2;
}

__device__ int &slot(int *table, int index) { return table[index & 3]; }

__device__ int next_random(unsigned &state)
{
    state = state * 1664525u + 1013904223u;
    return state >> 24;
}

__global__ void functions(long long *out, int n)
{
    out[0] = first_multiple(n, n - 2, 30);
    out[1] = first_multiple(n, 7, n + 3) + first_multiple(1, 3, 4);
    int x = n, y = 4;
    swap_if(x, y, n > 3);
    out[2] = x * 100 + y;
    int h = -1, t = -1;
    both(n, &h, &t);
    out[3] = h * 1000 + t;
    int table[4] = {0};
    slot(table, n) += 5;
    slot(table, n + 1) = slot(table, n) * 2;
    int &last = table[(n + 2) % 4];
    last += n;
    n += 100;
    last -= 1;
    out[4] = table[0] + 10 * table[1] + 100 * table[2] + 1000 * table[3];
    unsigned state = n;
    out[5] = next_random(state) * 1000 + next_random(state);
    out[6] = next_random(state) > 100 && next_random(state) > 3;
    out[7] = state;
}

struct Fraction {
    int top = 1, bottom = 2;
    __device__ Fraction() {}
    __device__ Fraction(int t, int b) : top(t), bottom(b)
    {
        if (bottom < 0) {
            bottom = -bottom;
            top = -top;
        }
    }
    __device__ Fraction operator*(const Fraction &o) const { return Fraction(top * o.top, bottom * o.bottom); }
    __device__ Fraction &operator+=(const Fraction &o)
    {
        top = top * o.bottom + o.top * bottom;
        bottom *= o.bottom;
        return *this;
    }
    __device__ bool operator<(Fraction o) const { return top * o.bottom < o.top * bottom; }
    __device__ int &part(int i) { return i ? bottom : top; }
    __device__ long long value() const { return top * 1000LL / bottom; }
};

struct Range {
    int low, high;
    static constexpr int width = 4;
    __device__ bool has(int x) const { return low <= x && x < high; }
};

struct Counter : Range {
    int count;
    __device__ void see(int x)
    {
        if (has(x)) count++;
    }
};

__device__ Fraction larger(Fraction a, Fraction b) { return a < b ? b : a; }

__global__ void records(long long *out, int n)
{
    Fraction a(n, -3), b, c = a * Fraction{2, 5};
    a += b;
    out[0] = a.value();
    out[1] = c.value();
    Fraction d = larger(b, c);
    d.top += 1;
    out[2] = d.value();
    Range r{2, n};
    out[3] = r.has(3) + Range::width * r.high;
    Counter counter;
    counter.low = 1, counter.high = n, counter.count = 0;
    for (int i = 0; i < 9; i++) counter.see(i * 2);
    out[4] = counter.count;
    Range copies[2] = {{1, 2}, {n, n + 1}};
    copies[0] = copies[1];
    copies[1].low = 9;
    out[5] = copies[0].low * 10 + copies[1].low;
    Range *p = &copies[1];
    p->high += 4;
    out[6] = p->high + (*p).low;
}

enum Mode { first_mode = 3, second_mode };
static constexpr int kTable[2][3] = {{1, 2, 3}, {4, 5}};
constexpr int square(int x) { return x * x; }

template <int N, typename T> __device__ T power(T x)
{
    T result = 1;
    for (int i = 0; i < N; i++) result *= x;
    return result;
}

template <typename T> struct Doubling {
    T extra;
    __device__ T operator()(T x) const { return 2 * x + extra; }
};

template <typename F> __device__ long long apply(F f, int n)
{
    long long sum = 0;
    for (int i = 0; i < n; i++) sum += f(i);
    return sum;
}

__global__ void constants_and_templates(long long *out, int n)
{
    const int local = square(5) + second_mode;
    out[0] = local + sizeof(double) * n;
    out[1] = kTable[n & 1][n % 3];
    out[2] = power<3>(n) + power<2>(n + 0.5f);
    out[3] = apply(Doubling<int>{n}, 4);
    int seen = 0;
    auto add = [&](int x) {
        seen += x;
        return x % 2 ? seen : -seen;
    };
    out[4] = add(n) * 1000 + add(3);
    out[5] = apply([=](int x) { return x * n; }, 5);
    if constexpr (local > 20) out[6] = 1;
    else out[6] = 2;
    int grid[2][3] = {{1, n}, {5}};
    int(&row)[3] = grid[1];
    row[2] = 8;
    int sum = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) sum = sum * 3 + grid[i][j];
    out[7] = sum;
    float f = n * 0.1f;
    double g = f;
    out[8] = (int)(g * 1e6);
    const char letter = 'b';
    out[9] = letter + '\n';
}

__global__ void pointers(long long *out, int n)
{
    int buffer[12];
    for (int *p = buffer, i = 0; p < buffer + 12; ++p, ++i) *p = i * n;
    int *q = buffer + 5;
    out[0] = q[-2] + *(q + 1) + q - buffer;
    *q++ = 70;
    *++q = 80;
    out[1] = buffer[5] + buffer[7];
    q -= 3;
    out[2] = *q-- + q[0];
    long long *tail = out + 3;
    tail[0] = n;
    *(tail + 1) = tail[0]++;
    int *none = nullptr;
    out[5] = none ? 1 : 2;
    out[6] = q != none && *q == buffer[3];
}
