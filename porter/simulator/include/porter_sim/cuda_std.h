// cuda::std, as the host's own standard library.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
