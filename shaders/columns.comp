// Reduces a curve to pixel columns: extremes, end points, the mean phase (weighted with the curve's own value), and the
// place of the steepest step where one makes up most of the column's extent: edges then stand upright.
layout(local_size_x = 64) in;

layout(std430, binding = 0) restrict readonly buffer Values { float values[]; };
layout(std430, binding = 1) restrict readonly buffer Phases { float phases[]; };
layout(std430, binding = 2) restrict writeonly buffer Columns { vec4 columns[]; };  // two a column: see common.glsl

layout(location = 0) uniform int count;        // samples
layout(location = 1) uniform ivec2 stride;     // floats from one sample to the next: values, phases
layout(location = 2) uniform int base;         // the sample at or before the plot's left edge
layout(location = 3) uniform vec2 position;    // of the left edge from `base`, and samples per pixel
layout(location = 4) uniform int column_count;
layout(location = 5) uniform vec2 to_pixel;    // height in pixels = x + y·value, y < 0
layout(location = 6) uniform float wheel;      // phase colours; 0: no phase
layout(location = 7) uniform int bars;         // above 0: each sample fills its width

const int kMostSamples = 8192;  // in one column; beyond, evenly spread ones stand for all
const float kFar = 1e6;         // pixels; keeps far values finite
const float kLowest = 3.0;      // pixels; lower steps need no care
const float kWideBar = 4.0;     // pixels: from here on bars stand apart

float valueAt(int i) { return values[clamp(i, 0, count - 1) * stride.x]; }
vec2 phasorAt(int i) {
  float phase = phases[clamp(i, 0, count - 1) * stride.y];
  return vec2(cos(phase), sin(phase));
}

bool usable(float value) { return !isnan(value) && !isinf(value); }

// The tallest and the lowest of the bars in the column; none in the gap before a wide one.
vec4 barsOf(int column) {
  vec4 none = vec4(0.0, 0.0, 1.0, 0.0);
  float from = max(position.x + float(column) * position.y, float(-base));
  float to = min(position.x + float(column + 1) * position.y, float(count - base));
  if (!(from < to)) return none;
  if (position.y * kWideBar <= 1.0 && ceil(from) < to) return none;
  int begin = int(floor(from)), last = int(ceil(to)) - 1, hop = max(1, (last - begin) / kMostSamples);
  vec2 extent = vec2(0.0);  // low, high
  for (int k = begin; k <= last; k += hop) {
    float value = valueAt(base + k);
    if (usable(value)) extent = vec2(min(extent.x, value), max(extent.y, value));
  }
  vec2 height = clamp(to_pixel.x + to_pixel.y * extent, -kFar, kFar);
  return height.yyyx;
}

void main() {
  int column = int(gl_GlobalInvocationID.x);
  if (column >= column_count) return;
  if (bars > 0) {
    columns[2 * column] = barsOf(column);
    columns[2 * column + 1] = vec4(0.0, kChord, 0.5, 0.0);
    return;
  }

  // Sample positions relative to base: small numbers, so that floats stay exact when zoomed in.
  float first = float(-base), last = float(count - 1 - base);
  float from = max(position.x + float(column) * position.y, first);
  float to = min(position.x + float(column + 1) * position.y, last);
  vec4 span = vec4(0.0, 0.0, 1.0, 0.0);
  float entry = 0.0;
  vec2 upright = vec2(kChord, 0.5);
  if (from <= to) {
    int from_cell = int(floor(from)), to_cell = int(floor(to));
    float from_part = from - float(from_cell), to_part = to - float(to_cell);
    // A weight of zero must not spread a NaN of the neighbour.
    float a = from_part > 0.0 ? mix(valueAt(base + from_cell), valueAt(base + from_cell + 1), from_part)
                              : valueAt(base + from_cell);
    float b = to_part > 0.0 ? mix(valueAt(base + to_cell), valueAt(base + to_cell + 1), to_part)
                            : valueAt(base + to_cell);
    float low = 1.0, high = -1.0;
    bool any = false;
    vec2 phasor = vec2(0.0);

    if (usable(a)) {
      low = high = a;
      any = true;
    }
    if (usable(b)) {
      low = any ? min(low, b) : b;
      high = any ? max(high, b) : b;
      any = true;
    }
    if (wheel > 0.0) {
      phasor += abs(usable(a) ? a : 0.0) * mix(phasorAt(base + from_cell), phasorAt(base + from_cell + 1), from_part);
      phasor += abs(usable(b) ? b : 0.0) * mix(phasorAt(base + to_cell), phasorAt(base + to_cell + 1), to_part);
    }
    int begin = int(ceil(from)), end = to_cell;
    int hop = max(1, (end - begin) / kMostSamples);
    float before = a, before_at = from;
    vec3 steepest = vec3(from, a, a);
    for (int k = begin; k <= end; k += hop) {
      float value = valueAt(base + k);
      if (!usable(value)) continue;
      if (abs(value - before) > abs(steepest.z - steepest.y)) {
        steepest = vec3(0.5 * (float(k) + before_at), before, value);
      }
      before = value;
      before_at = float(k);
      low = any ? min(low, value) : value;
      high = any ? max(high, value) : value;
      any = true;
      if (wheel > 0.0) phasor += abs(value) * phasorAt(base + k);
    }
    if (any) {
      if (!usable(a)) a = usable(b) ? b : low;
      if (!usable(b)) b = a;
      if (abs(b - before) > abs(steepest.z - steepest.y)) steepest = vec3(0.5 * (to + before_at), before, b);
      span = clamp(to_pixel.x + to_pixel.y * vec4(a, b, high, low), -kFar, kFar);
      if (span.z < min(span.x, span.y) - 0.01 || span.w > max(span.x, span.y) + 0.01) upright.x = kTurn;
      float extent = high - low;
      if (position.y >= 2.0 && -to_pixel.y * extent > kLowest && abs(steepest.z - steepest.y) > 0.7 * extent) {
        upright = vec2(kEdge, clamp((steepest.x - position.x) / position.y - float(column), 0.0, 1.0));
      }
    }
    if (wheel > 0.0 && dot(phasor, phasor) > 0.0) {
      float turns = atan(phasor.y, phasor.x) / 6.28318530718;
      entry = mod(floor(fract(turns) * wheel + 0.5), wheel);
    }
  }
  columns[2 * column] = span;
  columns[2 * column + 1] = vec4(entry, upright, 0.0);
}
