// Reduces a vector field to a lattice of arrows: a group of threads for each, which takes the mean over the square of
// cells around its point, each cell weighted with its share of the square.
layout(local_size_x = 64) in;

layout(std430, binding = 0) restrict readonly buffer Values { float values[]; };
layout(std430, binding = 1) restrict writeonly buffer Arrows { vec4 arrows[]; };  // middle, and tail to tip; pixels

layout(location = 0) uniform ivec2 cells;
layout(location = 1) uniform int components;
layout(location = 2) uniform ivec2 base;     // the cell at the lattice's lower left corner
layout(location = 3) uniform vec4 position;  // of that corner within the cell, and cells per step of the lattice
layout(location = 4) uniform vec3 corner;    // of the lattice in the figure, and its step; pixels
layout(location = 5) uniform vec3 lengths;   // pixels a unit of the field; of the longest arrow; of the shortest
layout(location = 6) uniform vec2 gaps;      // 1: cells that hold no number are gaps that no arrow touches; the scale

const int kThreads = 64;
const int kMostCells = 512;  // along one side of a square; beyond, evenly spread ones stand for all

shared vec4 sums[kThreads];  // of the weighted vectors, of the weights, and of the weights of gaps
shared int touched;          // gaps that the arrow would touch

const int kLooks = 96;  // along an arrow

vec2 valueOf(ivec2 cell) {
  ivec2 at = clamp(base + cell, ivec2(0), cells - 1);
  int element = (at.y * cells.x + at.x) * components;
  return vec2(values[element], values[element + 1]);
}

float share(int cell, float from, float to) { return min(float(cell + 1), to) - max(float(cell), from); }

void main() {
  ivec2 point = ivec2(gl_WorkGroupID.xy);
  int thread = int(gl_LocalInvocationIndex);
  vec2 from = position.xy + vec2(point) * position.zw, to = from + position.zw, middle = 0.5 * (from + to);
  vec2 low = vec2(-base), high = vec2(cells - base);
  bool inside = all(greaterThanEqual(middle, low)) && all(lessThan(middle, high));
  from = max(from, low);
  to = min(to, high);
  ivec2 first = ivec2(floor(from)), last = max(first, ivec2(ceil(to)) - 1);
  ivec2 hop = 1 + (last - first) / kMostCells, count = (last - first) / hop + 1;
  vec4 sum = vec4(0.0);
  for (int i = thread; inside && i < count.x * count.y; i += kThreads) {
    ivec2 cell = first + hop * ivec2(i % count.x, i / count.x);
    float weight = share(cell.x, from.x, to.x) * share(cell.y, from.y, to.y);
    if (!(weight > 0.0)) continue;  // it must not spread a NaN
    vec2 value = valueOf(cell);
    bool gap = gaps.x > 0.0 && !(isNumber(value.x) && isNumber(value.y));
    sum += gap ? vec4(0.0, 0.0, 0.0, weight) : weight * vec4(value, 1.0, 0.0);
  }
  sums[thread] = sum;
  barrier();
  for (int half_of = kThreads / 2; half_of > 0; half_of /= 2) {
    if (thread < half_of) sums[thread] += sums[thread + half_of];
    barrier();
  }
  vec2 along = sums[0].z > 0.0 ? sums[0].xy / sums[0].z * lengths.x : vec2(0.0);
  float pixels = length(along);
  if (!isNumber(pixels) || pixels < lengths.z) along = vec2(0.0);  // none, also where a cell holds no number
  if (pixels > lengths.y) along *= lengths.y / pixels;
  if (sums[0].w > 0.0) {
    // Every thread looks at some places all over the arrow: whether its ink would come to lie on a gap.
    if (thread == 0) touched = 0;
    barrier();
    vec2 cells_a_pixel = position.zw / corner.z;
    vec2 unit = along / max(length(along), 1e-6), aside = vec2(-unit.y, unit.x) * (kArrowHead.y + kArrowEdge) * gaps.y;
    vec2 half_way = 0.5 * along + unit * kArrowEdge * gaps.y;
    for (int i = thread; i < kLooks * 5; i += kThreads) {
      vec2 off = half_way * (2.0 * float(i / 5) / float(kLooks - 1) - 1.0) + aside * 0.5 * float(i % 5 - 2);
      vec2 value = valueOf(ivec2(floor(middle + off * cells_a_pixel)));
      if (!(isNumber(value.x) && isNumber(value.y))) atomicAdd(touched, 1);
    }
    barrier();
    if (touched > 0) along = vec2(0.0);
  }
  if (thread > 0) return;
  vec2 place = corner.xy + vec2(float(point.x) + 0.5, -float(point.y) - 0.5) * corner.z;
  arrows[point.y * int(gl_NumWorkGroups.x) + point.x] = vec4(place, along.x, -along.y);
}
