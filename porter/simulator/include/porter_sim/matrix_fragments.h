// Fragments and the functions on them, for the namespace that includes this: it has defined `fragment_traits` (stored
// type, map, shape and length of each kind), `multiplied` (an element as a factor) and the names of uses and layouts.

enum layout_t { mem_row_major, mem_col_major };

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment {
  using Traits = fragment_traits<Use, M, N, K, T>;

 public:
  using element_type = T;
  using storage_element_type = typename Traits::Stored;
  using Map = typename Traits::Map;
  static constexpr int rows = Traits::rows, columns = Traits::columns;
  static constexpr int num_elements = Traits::elements, num_storage_elements = Traits::elements;
  storage_element_type x[num_elements];
  constexpr int size() const { return num_elements; }
};

template <class Fragment>
inline constexpr ::porter_sim::Owners<typename Fragment::Map, Fragment::rows, Fragment::columns, PORTER_SIM_LANES> owners{};

template <class Use, int M, int N, int K, class T, class Layout, class Value>
void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, const Value &value) {
  for (auto &x : f.x) x = typename fragment<Use, M, N, K, T, Layout>::storage_element_type(value);
}

template <class Fragment, class From>
void load_fragment(Fragment &f, const From *from, unsigned stride, bool by_row, const char *file, int line) {
  ::porter_sim::meet_warp(file, line);
  for (unsigned i = 0; i < Fragment::num_elements; ++i) {
    auto at = Fragment::Map::place(::porter_sim::lane_id(), i % Fragment::Map::count);
    f.x[i] = from[by_row ? at.row * stride + at.column : at.column * stride + at.row];
  }
}
template <class Use, int M, int N, int K, class T, class Layout, class From>
void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f, const From *from, unsigned stride, PORTER_HERE) {
  static_assert(!std::is_void_v<Layout>, "a fragment of an accumulator is loaded with a layout");
  load_fragment(f, from, stride, std::is_same_v<Layout, row_major>, porter_file, porter_line);
}
template <int M, int N, int K, class T, class Layout, class From>
void load_matrix_sync(fragment<accumulator, M, N, K, T, Layout> &f, const From *from, unsigned stride, layout_t layout,
                      PORTER_HERE) {
  load_fragment(f, from, stride, layout == mem_row_major, porter_file, porter_line);
}
template <class Fragment, class To>
void store_fragment(To *to, const Fragment &f, unsigned stride, bool by_row, const char *file, int line) {
  for (unsigned i = 0; i < Fragment::Map::count; ++i) {
    auto at = Fragment::Map::place(::porter_sim::lane_id(), i);
    to[by_row ? at.row * stride + at.column : at.column * stride + at.row] = f.x[i];
  }
  ::porter_sim::meet_warp(file, line);
}
template <int M, int N, int K, class T, class Layout, class To>
void store_matrix_sync(To *to, const fragment<accumulator, M, N, K, T, Layout> &f, unsigned stride, layout_t layout,
                       PORTER_HERE) {
  store_fragment(to, f, stride, layout == mem_row_major, porter_file, porter_line);
}
template <int M, int N, int K, class T, class Layout, class To>
void store_matrix_sync(To *to, const fragment<accumulator, M, N, K, T, Layout> &f, unsigned stride, PORTER_HERE) {
  static_assert(!std::is_void_v<Layout>, "a fragment without a layout is stored with one");
  store_fragment(to, f, stride, std::is_same_v<Layout, row_major>, porter_file, porter_line);
}

template <int M, int N, int K, class A, class B, class C, class D, class LayoutA, class LayoutB, class LayoutC, class LayoutD>
void mma_sync(fragment<accumulator, M, N, K, D, LayoutD> &d, const fragment<matrix_a, M, N, K, A, LayoutA> &a,
              const fragment<matrix_b, M, N, K, B, LayoutB> &b, const fragment<accumulator, M, N, K, C, LayoutC> &c,
              bool saturates = false, PORTER_HERE) {
  using FragmentA = fragment<matrix_a, M, N, K, A, LayoutA>;
  using FragmentB = fragment<matrix_b, M, N, K, B, LayoutB>;
  struct Operands {
    const FragmentA *a;
    const FragmentB *b;
  } mine{&a, &b};
  ::porter_sim::shown(::porter_sim::linear_thread()) = &mine;
  ::porter_sim::meet_warp(porter_file, porter_line);
  auto result = d;
  for (unsigned i = 0; i < result.num_elements; ++i) {
    auto at = fragment<accumulator, M, N, K, D, LayoutD>::Map::place(::porter_sim::lane_id(), i);
    auto left = [&](unsigned k) {
      ::porter_sim::Owner o = owners<FragmentA>.of[at.row][k];
      return multiplied<A>(::porter_sim::shown_by<Operands>(o.lane).a->x[o.index]);
    };
    auto right = [&](unsigned k) {
      ::porter_sim::Owner o = owners<FragmentB>.of[k][at.column];
      return multiplied<B>(::porter_sim::shown_by<Operands>(o.lane).b->x[o.index]);
    };
    if constexpr (std::is_same_v<C, int>) {
      if (saturates) {
        result.x[i] = ::porter_sim::saturated_dot(K, c.x[i], left, right);
        continue;
      }
    }
    result.x[i] = ::porter_sim::dot<D>(K, c.x[i], left, right);
  }
  ::porter_sim::meet_warp(porter_file, porter_line);
  d = result;
}
