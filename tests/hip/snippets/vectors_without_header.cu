// expect: builds
struct Box { float4 low, high; };
inline float width(Box b) { return b.high.x - b.low.x; }
