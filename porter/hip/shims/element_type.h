// needs:
#ifndef PORTER_ELEMENT_TYPE
#define PORTER_ELEMENT_TYPE
// What a pointer points to, without const.
template <typename T>
struct porter_element_type;
template <typename T>
struct porter_element_type<T*> {
  typedef T type;
};
template <typename T>
struct porter_element_type<const T*> {
  typedef T type;
};
template <typename T>
struct porter_element_type<T* const> : porter_element_type<T*> {};
template <typename T>
struct porter_element_type<T* __restrict__> : porter_element_type<T*> {};
template <typename T>
struct porter_element_type<T* __restrict__ const> : porter_element_type<T*> {};
#endif
