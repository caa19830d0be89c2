// Arrays: opaque storage of textures and surfaces, and copies between them and pitched memory.
#include "porter_sim/array_core.h"

#include "device.h"
#include "errors.h"
#include "grid.h"
#include "memory.h"
#include "porter_sim/api_core.h"
#include "status.h"

namespace porter_sim {

namespace {

bool valid_channel(const Channel &c) {
  auto known = [](int bits) { return bits == 0 || bits == 8 || bits == 16 || bits == 32; };
  if (!known(c.x) || !known(c.y) || !known(c.z) || !known(c.w)) return false;
  return c.x && c.components() != 3 && c.kind != ChannelKind::none && (!c.z || c.w);
}

bool valid_shape(size_t width, size_t height, size_t depth, unsigned flags) {
  if (!width) return false;
  if (!(flags & array_cubemap)) return !(flags & array_layered) || depth;
  return width == height && ((flags & array_layered) ? depth % 6 == 0 && depth : depth == 6);
}

// The first byte of a row of one side, or null when the row is not whole inside its array.
char *row_of(const api::Side &side, size_t row, size_t slice, size_t width_bytes) {
  const size_t y = side.y + row, z = side.z + slice;
  if (!side.array) return side.memory + (z * side.rows + y) * side.pitch + side.x_bytes;
  const Array &a = *side.array;
  if (side.x_bytes + width_bytes > a.row_bytes() || y >= a.rows() || z >= a.slices()) return nullptr;
  return a.data + (z * a.rows() + y) * a.row_bytes() + side.x_bytes;
}

}  // namespace

namespace api {

int array_create(Array **out, Channel channel, size_t width, size_t height, size_t depth, unsigned flags) {
  *out = nullptr;
  if (sticky_error()) return sticky_error();
  if (!valid_channel(channel) || !valid_shape(width, height, depth, flags)) return status_invalid_value;
  Array made{channel, width, height, depth, flags, nullptr};
  void *data = nullptr;
  int status = malloc_device(&data, made.row_bytes() * made.rows() * made.slices(), int(Kind::device));
  if (status) return status;
  made.data = static_cast<char *>(data);
  *out = new Array(made);
  return status_success;
}

int array_destroy(Array *array) {
  if (!array) return status_success;
  int status = free_device(array->data);
  delete array;
  return status;
}

int copy_box(Side to, Side from, size_t width_bytes, size_t height, size_t depth, int direction) {
  if ((!to.array && !to.memory) || (!from.array && !from.memory)) return status_invalid_value;
  if (!to.array && width_bytes > to.pitch && height * depth > 1) return status_invalid_pitch;
  if (!from.array && width_bytes > from.pitch && height * depth > 1) return status_invalid_pitch;
  for (size_t slice = 0; slice < depth; ++slice) {
    for (size_t row = 0; row < height; ++row) {
      char *target = row_of(to, row, slice, width_bytes), *source = row_of(from, row, slice, width_bytes);
      int status = target && source ? copy(target, source, width_bytes, direction) : int(status_invalid_value);
      if (status) return status;
    }
  }
  return status_success;
}

int fill_box(char *memory, size_t pitch, size_t rows, int value, size_t width_bytes, size_t height, size_t depth) {
  for (size_t slice = 0; slice < depth; ++slice) {
    int status = fill_2d(memory + slice * rows * pitch, pitch, value, width_bytes, height);
    if (status) return status;
  }
  return status_success;
}

}  // namespace api

}  // namespace porter_sim
