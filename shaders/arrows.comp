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

const int kThreads = 64;
const int kMostCells = 512;  // along one side of a square; beyond, evenly spread ones stand for all

shared vec3 sums[kThreads];  // of the weighted vectors, and of the weights

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
  vec3 sum = vec3(0.0);
  for (int i = thread; inside && i < count.x * count.y; i += kThreads) {
    ivec2 cell = first + hop * ivec2(i % count.x, i / count.x);
    float weight = share(cell.x, from.x, to.x) * share(cell.y, from.y, to.y);
    if (!(weight > 0.0)) continue;  // it must not spread a NaN
    ivec2 at = clamp(base + cell, ivec2(0), cells - 1);
    int element = (at.y * cells.x + at.x) * components;
    sum += weight * vec3(values[element], values[element + 1], 1.0);
  }
  sums[thread] = sum;
  barrier();
  for (int half_of = kThreads / 2; half_of > 0; half_of /= 2) {
    if (thread < half_of) sums[thread] += sums[thread + half_of];
    barrier();
  }
  if (thread > 0) return;

  vec2 along = sums[0].z > 0.0 ? sums[0].xy / sums[0].z * lengths.x : vec2(0.0);
  float pixels = length(along);
  if (!isNumber(pixels) || pixels < lengths.z) along = vec2(0.0);  // none, also where a cell holds no number
  if (pixels > lengths.y) along *= lengths.y / pixels;
  vec2 place = corner.xy + vec2(float(point.x) + 0.5, -float(point.y) - 0.5) * corner.z;
  arrows[point.y * int(gl_NumWorkGroups.x) + point.x] = vec4(place, along.x, -along.y);
}
