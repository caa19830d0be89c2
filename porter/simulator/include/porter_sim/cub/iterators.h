// CUB's iterators.
#pragma once

#include "porter_sim/cub/device_call.h"

namespace PORTER_CUB {

// What random access iterators share: a position; `Derived` says what is at `at(i)`.
template <class Derived, class Value, class Reference, class Distance = ptrdiff_t>
class IndexedIterator {
 public:
  typedef Derived self_type;
  typedef Distance difference_type;
  typedef Value value_type;
  typedef Value *pointer;
  typedef Reference reference;
  typedef std::random_access_iterator_tag iterator_category;

  Reference operator*() const { return self().at(position_); }
  template <class N>
  Reference operator[](N n) const {
    return self().at(position_ + Distance(n));
  }
  Derived operator++(int) {
    Derived old = self();
    ++position_;
    return old;
  }
  Derived &operator++() {
    ++position_;
    return static_cast<Derived &>(*this);
  }
  template <class N>
  Derived operator+(N n) const {
    Derived moved = self();
    moved.position_ += Distance(n);
    return moved;
  }
  template <class N>
  Derived &operator+=(N n) {
    position_ += Distance(n);
    return static_cast<Derived &>(*this);
  }
  template <class N>
  Derived operator-(N n) const {
    return *this + -Distance(n);
  }
  Distance operator-(const Derived &other) const { return position_ - other.position_; }
  bool operator==(const Derived &other) const { return position_ == other.position_; }
  bool operator!=(const Derived &other) const { return position_ != other.position_; }

 protected:
  Distance position_ = 0;

 private:
  const Derived &self() const { return static_cast<const Derived &>(*this); }
};

template <class T, class Distance = ptrdiff_t>
class CountingInputIterator : public IndexedIterator<CountingInputIterator<T, Distance>, T, T, Distance> {
  T first_;

 public:
  explicit CountingInputIterator(const T &first) : first_(first) {}
  T at(Distance i) const { return T(first_ + T(i)); }
};

template <class T, class Distance = ptrdiff_t>
class ConstantInputIterator : public IndexedIterator<ConstantInputIterator<T, Distance>, T, T, Distance> {
  T value_;

 public:
  explicit ConstantInputIterator(T value, Distance = 0) : value_(value) {}
  T at(Distance) const { return value_; }
};

template <class T, class Op, class In, class Distance = ptrdiff_t>
class TransformInputIterator : public IndexedIterator<TransformInputIterator<T, Op, In, Distance>, T, T, Distance> {
  In in_;
  Op op_;

 public:
  TransformInputIterator(In in, Op op) : in_(in), op_(op) {}
  T at(Distance i) const {
    Op op = op_;
    return op(in_[i]);
  }
};

template <class In, class Distance = ptrdiff_t, class T = ValueOf<In>>
class ArgIndexInputIterator
    : public IndexedIterator<ArgIndexInputIterator<In, Distance, T>, KeyValuePair<Distance, T>, KeyValuePair<Distance, T>,
                             Distance> {
  In in_;

 public:
  ArgIndexInputIterator(In in, Distance = 0) : in_(in) {}
  KeyValuePair<Distance, T> at(Distance i) const { return {i, in_[i]}; }
};

template <CacheLoadModifier Modifier, class T, class Distance = ptrdiff_t>
class CacheModifiedInputIterator : public IndexedIterator<CacheModifiedInputIterator<Modifier, T, Distance>, T, T, Distance> {
  const T *from_;

 public:
  CacheModifiedInputIterator(const T *from) : from_(from) {}
  T at(Distance i) const { return from_[i]; }
};
template <CacheStoreModifier Modifier, class T, class Distance = ptrdiff_t>
class CacheModifiedOutputIterator
    : public IndexedIterator<CacheModifiedOutputIterator<Modifier, T, Distance>, T, T &, Distance> {
  T *to_;

 public:
  CacheModifiedOutputIterator(T *to) : to_(to) {}
  T &at(Distance i) const { return to_[i]; }
};

template <class Distance = ptrdiff_t>
class DiscardOutputIterator
    : public IndexedIterator<DiscardOutputIterator<Distance>, void, NullType, Distance> {
 public:
  explicit DiscardOutputIterator(Distance = 0) {}
  NullType at(Distance) const { return {}; }
};

}  // namespace PORTER_CUB
