// needs:
#ifndef PORTER_ELEMENT_TYPE
#define PORTER_ELEMENT_TYPE
// What a pointer points to, without const.
template <typename T>
struct porter_element_of;
template <typename T>
struct porter_element_of<T*> {
  typedef T type;
};
template <typename T>
struct porter_element_of<const T*> {
  typedef T type;
};
template <typename T>
struct porter_element_of<T* const> : porter_element_of<T*> {};
template <typename T>
struct porter_element_of<T* __restrict__> : porter_element_of<T*> {};
template <typename T>
struct porter_element_of<T* __restrict__ const> : porter_element_of<T*> {};
#endif
