// needs:
#ifndef PORTER_WIDE_WORD
#define PORTER_WIDE_WORD
// An integer or vector of BYTES bytes that may hold any type's bytes. One load or store instruction moves it
// where the address is a multiple of it: global_load_dwordx4 for 16 bytes.
template <int BYTES>
struct porter_wide_word;
template <>
struct porter_wide_word<2> {
  typedef unsigned short __attribute__((may_alias)) type;
};
template <>
struct porter_wide_word<4> {
  typedef unsigned __attribute__((may_alias)) type;
};
template <>
struct porter_wide_word<8> {
  typedef unsigned long long __attribute__((may_alias)) type;
};
template <>
struct porter_wide_word<16> {
  typedef unsigned __attribute__((vector_size(16), may_alias)) type;
};
#endif
