// needs: element_type
#ifndef PORTER_TRANSPOSED_TILE
#define PORTER_TRANSPOSED_TILE
// A value for each thread of an X x Y block in LDS, to be read by other threads than wrote it. It pays where
// neighbouring lanes would be a row apart in memory: with the roles of x and y changed they are neighbours
// there too, Y of them in a run. PAD keeps the columns of the tile in different banks.
template <typename T, int X, int Y, int PAD>
struct porter_transposed_tile {
  T row[Y][X + PAD];
};
// This thread's place when consecutive threads go down the columns of an X x Y block.
template <int X, int Y>
__device__ __forceinline__ uint3 porter_transposed_thread() {
  const unsigned number = threadIdx.y * X + threadIdx.x;
  uint3 place;
  place.x = number / Y;
  place.y = number % Y;
  place.z = 0;
  return place;
}
#endif
