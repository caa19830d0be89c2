// The C++ library as far as the host code of CUDA programs needs it to parse: names, types, no bodies.
#pragma once
#include "porter_libc.h"
#include "porter_math.h"
namespace std {
using ::size_t; using ::ptrdiff_t; using ::int8_t; using ::uint8_t; using ::int16_t; using ::uint16_t;
using ::int32_t; using ::uint32_t; using ::int64_t; using ::uint64_t; using ::intptr_t; using ::uintptr_t;
using ::printf; using ::fprintf; using ::snprintf; using ::sprintf; using ::puts; using ::malloc; using ::free; using ::calloc;
using ::realloc; using ::memcpy; using ::memset; using ::memcmp; using ::memmove; using ::strlen; using ::strcmp; using ::strncmp; using ::strcpy; using ::exit;
using ::abort; using ::getenv; using ::atoi; using ::atof; using ::strtol; using ::strtoul; using ::rand; using ::srand; using ::fopen; using ::fclose;
using ::fread; using ::fwrite; using ::fflush; using ::FILE; using ::time; using ::time_t; using ::clock_t; using ::strtod; using ::strtof;
using ::sqrt; using ::exp; using ::log; using ::pow; using ::fabs; using ::abs; using ::sin; using ::cos; using ::tan; using ::tanh;
using ::floor; using ::ceil; using ::round; using ::fmax; using ::fmin; using ::isnan; using ::isinf; using ::isfinite; using ::fmod;
using ::log2; using ::exp2; using ::log10; using ::log1p; using ::expm1; using ::erf; using ::fma; using ::atan2; using ::atan; using ::hypot;
using ::trunc; using ::lround; using ::nearbyint; using ::rint; using ::cbrt; using ::ldexp; using ::copysign; using ::signbit; using ::sinh; using ::cosh; using ::nextafter;
using ::asin; using ::acos; using ::lgamma; using ::tgamma;
typedef decltype(nullptr) nullptr_t;
template <class T, T V> struct integral_constant { static constexpr T value = V; typedef T value_type; PORTER_HD constexpr operator T() const { return V; } };
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template <bool B> using bool_constant = integral_constant<bool, B>;
template <class...> using void_t = void;
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class F> struct conditional { typedef T type; };
template <class T, class F> struct conditional<false, T, F> { typedef F type; };
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template <class T, class U> struct is_same : false_type {};
template <class T> struct is_same<T, T> : true_type {};
template <class T, class U> inline constexpr bool is_same_v = is_same<T, U>::value;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T&> { typedef T type; };
template <class T> struct remove_reference<T&&> { typedef T type; };
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> struct remove_cv { typedef T type; };
template <class T> struct remove_cv<const T> { typedef T type; };
template <class T> struct remove_cv<volatile T> { typedef T type; };
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> struct decay { typedef remove_cv_t<remove_reference_t<T>> type; };
template <class T> struct is_pointer : false_type {};
template <class T> struct is_pointer<T*> : true_type {};
template <class T> inline constexpr bool is_pointer_v = is_pointer<T>::value;
template <class T> struct is_void : is_same<remove_cv_t<T>, void> {};
template <class T> struct is_trivially_copyable : true_type {};
template <class T> struct is_signed { static constexpr bool value = T(-1) < T(0); };
template <class T> struct is_unsigned { static constexpr bool value = !(T(-1) < T(0)); };
template <class T> inline constexpr bool is_signed_v = is_signed<T>::value;
template <class T> inline constexpr bool is_unsigned_v = is_unsigned<T>::value;
template <class T> struct make_unsigned;
template <> struct make_unsigned<int> { typedef unsigned int type; };
template <> struct make_unsigned<long> { typedef unsigned long type; };
template <> struct make_unsigned<short> { typedef unsigned short type; };
template <> struct make_unsigned<char> { typedef unsigned char type; };
template <class T> using make_unsigned_t = typename make_unsigned<T>::type;
template <class T> using decay_t = remove_cv_t<remove_reference_t<T>>;
template <class T> struct is_integral { static constexpr bool value = porter_is_integer<remove_cv_t<T>>::value; };
template <class T> inline constexpr bool is_integral_v = is_integral<T>::value;
template <class T> struct is_floating_point { static constexpr bool value = is_same_v<remove_cv_t<T>, float> || is_same_v<remove_cv_t<T>, double>; };
template <class T> inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T> struct is_arithmetic { static constexpr bool value = is_integral<T>::value || is_floating_point<T>::value; };
template <class T> inline constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template <class T> PORTER_HD constexpr remove_reference_t<T>&& move(T&& x) { return static_cast<remove_reference_t<T>&&>(x); }
template <class T> PORTER_HD constexpr T&& forward(remove_reference_t<T>& x) { return static_cast<T&&>(x); }
template <class T> PORTER_HD constexpr void swap(T& a, T& b) { T saved = a; a = b; b = saved; }
template <class T> PORTER_HD constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> PORTER_HD constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> T declval();
template <class T> struct numeric_limits;
#define PORTER_LIMITS(T, low, smallest, high, integer, eps, inf)                    \
    template <> struct numeric_limits<T> {                                      \
        static constexpr bool is_integer = integer;                             \
        PORTER_HD static constexpr T lowest() { return low; }                   \
        PORTER_HD static constexpr T min() { return smallest; }                 \
        PORTER_HD static constexpr T max() { return high; }                     \
        PORTER_HD static constexpr T epsilon() { return eps; }                  \
        PORTER_HD static constexpr T infinity() { return inf; }                 \
        PORTER_HD static constexpr T quiet_NaN() { return integer ? 0 : (T)__builtin_nan(""); } \
    };
PORTER_LIMITS(float, -FLT_MAX, FLT_MIN, FLT_MAX, false, FLT_EPSILON, __builtin_inff())
PORTER_LIMITS(double, -DBL_MAX, DBL_MIN, DBL_MAX, false, DBL_EPSILON, __builtin_inf())
PORTER_LIMITS(signed char, -128, -128, 127, true, 0, 0)
PORTER_LIMITS(unsigned char, 0, 0, 255, true, 0, 0)
PORTER_LIMITS(short, SHRT_MIN, SHRT_MIN, SHRT_MAX, true, 0, 0)
PORTER_LIMITS(unsigned short, 0, 0, USHRT_MAX, true, 0, 0)
PORTER_LIMITS(int, INT_MIN, INT_MIN, INT_MAX, true, 0, 0)
PORTER_LIMITS(unsigned int, 0, 0, UINT_MAX, true, 0, 0)
PORTER_LIMITS(long, LONG_MIN, LONG_MIN, LONG_MAX, true, 0, 0)
PORTER_LIMITS(unsigned long, 0, 0, ULONG_MAX, true, 0, 0)
PORTER_LIMITS(long long, LLONG_MIN, LLONG_MIN, LLONG_MAX, true, 0, 0)
PORTER_LIMITS(unsigned long long, 0, 0, ULLONG_MAX, true, 0, 0)
#undef PORTER_LIMITS
template <class T> struct initializer_list { const T* begin() const; const T* end() const; size_t size() const; };
template <class T> struct allocator {};
template <class A, class B> struct pair { A first; B second; };
template <class A, class B> pair<A, B> make_pair(A a, B b);
template <class T> struct porter_container {
    typedef T value_type; typedef T* iterator; typedef const T* const_iterator; typedef size_t size_type;
    T* begin(); T* end(); const T* begin() const; const T* end() const; const T* cbegin() const; const T* cend() const;
    T& operator[](size_t i); const T& operator[](size_t i) const; T& at(size_t i); const T& at(size_t i) const;
    T& front(); T& back(); const T& front() const; const T& back() const; T* data(); const T* data() const;
    size_t size() const; size_t length() const; bool empty() const; void clear();
};
template <class T, class A = allocator<T>> struct vector : porter_container<T> {
    vector(); explicit vector(size_t n); vector(size_t n, const T& value); vector(initializer_list<T> list);
    template <class I> vector(I first, I last);
    void push_back(const T& x); template <class... X> T& emplace_back(X&&... x); void pop_back(); void resize(size_t n);
    void resize(size_t n, const T& value); void reserve(size_t n); void assign(size_t n, const T& value);
    template <class I> void assign(I first, I last); template <class I> T* insert(T* at, I first, I last); T* insert(T* at, const T& x); void shrink_to_fit(); void swap(vector& other); size_t capacity() const;
};
template <class T, size_t N> struct array : porter_container<T> { void fill(const T& x); };
template <class C> struct basic_string : porter_container<C> {
    static constexpr size_t npos = (size_t)-1;
    basic_string(); basic_string(const C* text); basic_string(const C* text, size_t n); basic_string(size_t n, C c);
    const C* c_str() const; basic_string substr(size_t at, size_t n = (size_t)-1) const; size_t find(const basic_string& part, size_t at = 0) const; size_t find(C c, size_t at = 0) const; size_t rfind(C c) const; size_t find_last_of(C c) const; size_t find_first_of(C c) const; basic_string& replace(size_t at, size_t n, const basic_string& text); basic_string& erase(size_t at = 0, size_t n = npos);
    basic_string& operator+=(const basic_string& other); basic_string& operator+=(C c); basic_string& append(const basic_string& other); void push_back(C c);
    int compare(const basic_string& other) const;
};
typedef basic_string<char> string;
string operator+(const string& a, const string& b);
bool operator==(const string& a, const string& b);
bool operator!=(const string& a, const string& b);
bool operator<(const string& a, const string& b);
template <class T> string to_string(T x);
int stoi(const string& text, size_t* at = nullptr, int base = 10);
long stol(const string& text); long long stoll(const string& text); unsigned long stoul(const string& text);
float stof(const string& text); double stod(const string& text);
struct porter_manipulator {};
struct ios_base { static constexpr int in = 1, out = 2, binary = 4, app = 8; };
typedef ios_base ios;
struct ostream { template <class T> ostream& operator<<(const T& x); ostream& operator<<(ostream& (*f)(ostream&)); ostream& write(const char* from, size_t n); int precision(int n); int width(int n); ostream& flush(); };
struct istream { template <class T> istream& operator>>(T& x); istream& read(char* to, size_t n); explicit operator bool() const; bool good() const; bool eof() const; };
extern ostream cout, cerr, clog; extern istream cin;
ostream& endl(ostream& stream); ostream& flush(ostream& stream);
porter_manipulator setw(int n); porter_manipulator setprecision(int n); porter_manipulator setfill(char c);
extern const porter_manipulator fixed, scientific, left, right, hex, dec, boolalpha;
istream& getline(istream& stream, string& line); istream& getline(istream& stream, string& line, char separator);
struct ofstream : ostream { ofstream(); explicit ofstream(const char* path, int mode = 0); explicit ofstream(const string& path, int mode = 0); void close(); bool is_open() const; explicit operator bool() const; };
struct ifstream : istream { ifstream(); explicit ifstream(const char* path, int mode = 0); explicit ifstream(const string& path, int mode = 0); void close(); bool is_open() const; };
struct fstream : ostream { fstream(); explicit fstream(const char* path, int mode = 0); void open(const char* path, int mode = 0); void close(); bool good() const; bool is_open() const; fstream& read(char* to, size_t n); template <class T> fstream& operator>>(T& x); explicit operator bool() const; bool eof() const; };
struct stringstream : ostream { stringstream(); explicit stringstream(const string& text); string str() const; template <class T> stringstream& operator>>(T& x); };
typedef stringstream ostringstream; typedef stringstream istringstream;
template <class I, class T> T accumulate(I first, I last, T start); template <class I, class T, class F> T accumulate(I first, I last, T start, F f);
template <class I> void sort(I first, I last); template <class I, class F> void sort(I first, I last, F f); template <class I, class F> void stable_sort(I first, I last, F f);
template <class I, class T> void fill(I first, I last, const T& x); template <class I, class N, class T> void fill_n(I first, N n, const T& x);
template <class I, class T> void iota(I first, I last, T x); template <class I, class O> O copy(I first, I last, O to);
template <class I, class F> F for_each(I first, I last, F f); template <class I, class O, class F> O transform(I first, I last, O to, F f);
template <class I, class F> void generate(I first, I last, F f); template <class I, class G> void shuffle(I first, I last, G&& g);
template <class I> I max_element(I first, I last); template <class I> I min_element(I first, I last); template <class I> void reverse(I first, I last);
template <class I, class J> bool equal(I first, I last, J other); template <class I, class T> I find(I first, I last, const T& x); template <class I> I unique(I first, I last);
template <class I, class T> long count(I first, I last, const T& x); template <class T> const T& clamp(const T& x, const T& low, const T& high);
template <class I, class O> O partial_sum(I first, I last, O to); template <class I, class O, class T> O exclusive_scan(I first, I last, O to, T start);
template <class I, class J, class T> T inner_product(I first, I last, J other, T start);
template <class T> T* begin(T* p); template <class C> auto begin(C& c) -> decltype(c.begin()); template <class C> auto end(C& c) -> decltype(c.end());
struct mt19937 { mt19937(unsigned long seed = 5489u); unsigned int operator()(); typedef unsigned int result_type; void seed(unsigned long seed); };
typedef mt19937 mt19937_64; typedef mt19937 default_random_engine; typedef mt19937 minstd_rand;
struct random_device { unsigned int operator()(); };
template <class T = double> struct uniform_real_distribution { uniform_real_distribution(T a = 0, T b = 1); template <class G> T operator()(G& g); };
template <class T = int> struct uniform_int_distribution { uniform_int_distribution(T a = 0, T b = 0); template <class G> T operator()(G& g); };
template <class T = double> struct normal_distribution { normal_distribution(T a = 0, T b = 1); template <class G> T operator()(G& g); };
struct bernoulli_distribution { bernoulli_distribution(double p = 0.5); template <class G> bool operator()(G& g); };
template <class T> struct default_delete {};
template <class T> struct porter_element { typedef T type; };
template <class T> struct porter_element<T[]> { typedef T type; };
template <class T, class D = default_delete<T>> struct unique_ptr { typedef typename porter_element<T>::type E; unique_ptr(); explicit unique_ptr(E* p); unique_ptr(E* p, D d); E* get() const; E& operator*() const; E* operator->() const; E& operator[](size_t i) const; E* release(); void reset(E* p = nullptr); };
template <class T> struct shared_ptr { shared_ptr(); explicit shared_ptr(T* p); T* get() const; T& operator*() const; T* operator->() const; };
template <class T, class... A> unique_ptr<T> make_unique(A&&... a); template <class T, class... A> shared_ptr<T> make_shared(A&&... a);
template <class F> struct function; template <class R, class... A> struct function<R(A...)> { function(); template <class F> function(F f); R operator()(A... a) const; };
template <class K, class V> struct map { V& operator[](const K& k); size_t size() const; pair<const K, V>* begin(); pair<const K, V>* end(); pair<const K, V>* find(const K& k); size_t count(const K& k) const; };
template <class K, class V> using unordered_map = map<K, V>;
template <class K> struct set { void insert(const K& k); size_t size() const; size_t count(const K& k) const; const K* begin() const; const K* end() const; };
template <class K> using unordered_set = set<K>;
struct type_info { const char* name() const; bool operator==(const type_info& other) const; };
struct exception { virtual const char* what() const; virtual ~exception(); };
struct runtime_error : exception { explicit runtime_error(const string& text); explicit runtime_error(const char* text); };
struct invalid_argument : runtime_error { using runtime_error::runtime_error; };
struct logic_error : runtime_error { using runtime_error::runtime_error; };
struct out_of_range : runtime_error { using runtime_error::runtime_error; };
struct bad_alloc : exception {};
template <class T> struct complex { T re, im; PORTER_HD constexpr complex(T r = T(), T i = T()) : re(r), im(i) {} PORTER_HD constexpr T real() const { return re; } PORTER_HD constexpr T imag() const { return im; } };
template <class T> struct atomic { atomic(T x = T()); T load() const; void store(T x); T operator++(); operator T() const; };
struct thread { thread(); template <class F, class... A> explicit thread(F f, A... a); void join(); };
struct mutex { void lock(); void unlock(); }; template <class M> struct lock_guard { explicit lock_guard(M& m); };
template <class T> struct plus { PORTER_HD constexpr T operator()(T a, T b) const { return a + b; } };
template <class T> struct multiplies { PORTER_HD constexpr T operator()(T a, T b) const { return a * b; } };
template <class T> struct less { PORTER_HD constexpr bool operator()(T a, T b) const { return a < b; } };
template <class T> struct greater { PORTER_HD constexpr bool operator()(T a, T b) const { return a > b; } };
namespace chrono {
struct duration_value { double count() const; template <class T> operator T() const; };
template <class R, class P = int> struct duration { double count() const; duration(); template <class T> duration(T other); };
typedef duration<long> milliseconds; typedef duration<long> microseconds; typedef duration<long> nanoseconds; typedef duration<long> seconds;
struct time_point { duration_value operator-(const time_point& other) const; duration_value time_since_epoch() const; };
struct high_resolution_clock { typedef chrono::time_point time_point; static time_point now(); };
typedef high_resolution_clock steady_clock; typedef high_resolution_clock system_clock;
template <class D, class S> D duration_cast(const S& s);
}
namespace this_thread { template <class D> void sleep_for(const D& d); }
}
namespace std { struct milli {}; struct micro {}; struct nano {}; }
