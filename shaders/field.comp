// Reduces a field to the plot's pixels: the nearest cell (or a straight line between cells) where cells are larger than
// pixels, else the exact mean over a pixel's area. The two directions are independent of each other.
layout(local_size_x = 16, local_size_y = 4) in;

layout(std430, binding = 0) restrict readonly buffer Values { float values[]; };
layout(binding = 0) uniform restrict writeonly image2D reduced;  // of the plot or a part of it; bottom row first

layout(location = 0) uniform ivec2 cells;
layout(location = 1) uniform int components;
layout(location = 2) uniform ivec2 base;     // the cell at the plot's lower left corner
layout(location = 3) uniform vec4 position;  // of that corner within the cell, and cells per pixel
layout(location = 4) uniform ivec2 pixels;    // of the picture
layout(location = 5) uniform int style;   // kScalar, kComplex, kColour
layout(location = 6) uniform int joined;  // 1: straight lines between cells
layout(location = 7) uniform int scale;   // 0: linear, 1: log, 2: square root, 3: square root to either side
layout(location = 8) uniform vec2 range;  // low (its logarithm for scale 1) and 1 / (high - low)
layout(location = 9) uniform ivec2 first;  // the pixel of the plot that the picture begins with

const float kSliver = 1e-3;   // of a cell: rounding, no share of a pixel
const int kMostCells = 1024;  // along one side of a pixel; beyond, evenly spread ones stand for all

struct Span {
  int first, last, hop;
  float first_weight, last_weight;
};

// Cells and their weights of pixel `i`; empty where it lies outside the field.
Span spanOf(int i, float offset, float per_pixel, int origin, int count) {
  Span s = Span(0, -1, 1, 1.0, 1.0);
  float from = offset + float(i) * per_pixel, to = offset + float(i + 1) * per_pixel, middle = 0.5 * (from + to);
  float low = float(-origin), high = float(count - origin);
  if (middle < low || middle >= high) return s;
  if (per_pixel < 1.0 + kSliver) {
    if (joined == 0) {
      s.first = s.last = clamp(origin + int(floor(middle)), 0, count - 1);
      return s;
    }
    float left = floor(middle - 0.5);
    s.first = clamp(origin + int(left), 0, count - 1);
    s.last = clamp(origin + int(left) + 1, 0, count - 1);
    s.last_weight = middle - 0.5 - left;
    s.first_weight = 1.0 - s.last_weight;
    return s;
  }
  from = max(from, low);
  to = min(to, high);
  int a = int(floor(from + kSliver)), b = int(ceil(to - kSliver)) - 1;
  s.first = clamp(origin + a, 0, count - 1);
  s.last = clamp(origin + max(a, b), 0, count - 1);
  if (s.last > s.first) {
    s.first_weight = float(a + 1) - max(from, float(a));
    s.last_weight = min(to, float(b + 1)) - float(b);
  }
  s.hop = 1 + (s.last - s.first) / kMostCells;
  return s;
}

float weightOf(Span s, int i) {
  if (i == s.first) return s.first_weight;
  return i == s.last ? s.last_weight : 1.0;
}

// The mean of one component, apart from the general case: most fields have one, and each cell of them is read here.
float scalarMean(Span across, Span along) {
  float sum = 0.0, weights = 0.0;
  int ends = across.last - across.first;
  for (int y = along.first; y <= along.last; y += along.hop) {
    int at = (y * cells.x + across.first) * components;
    float row = 0.0, row_weights = across.first_weight;
    if (across.first_weight > 0.0) row = across.first_weight * values[at];
    for (int x = across.hop; x < ends; x += across.hop) {
      row += values[at + x * components];
      row_weights += 1.0;
    }
    if (ends > 0 && across.last_weight > 0.0) {
      row += across.last_weight * values[at + ends * components];
      row_weights += across.last_weight;
    }
    float weight = weightOf(along, y);
    if (weight > 0.0) {
      sum += weight * row;
      weights += weight * row_weights;
    }
  }
  return sum / max(weights, 1e-30);
}

// Between cells of which some hold no number: the mean of the others, as if the field went on evenly; none within such a
// cell. Lines then run up to its edge.
float besideMissing(Span across, Span along) {
  float sum = 0.0, weights = 0.0;
  for (int i = 0; i < 4; ++i) {
    ivec2 at = ivec2(i % 2 == 0 ? across.first : across.last, i / 2 == 0 ? along.first : along.last);
    float weight = (i % 2 == 0 ? across.first_weight : across.last_weight) *
                   (i / 2 == 0 ? along.first_weight : along.last_weight);
    float value = values[(at.y * cells.x + at.x) * components];
    bool own = (i % 2 == 0) == (across.first_weight >= across.last_weight) &&
               (i / 2 == 0) == (along.first_weight >= along.last_weight);
    if (isNumber(value)) {
      sum += weight * value;
      weights += weight;
    } else if (own) {
      return value;
    }
  }
  return sum / max(weights, 1e-30);
}

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (pixel.x >= pixels.x || pixel.y >= pixels.y) return;
  Span across = spanOf(first.x + pixel.x, position.x, position.z, base.x, cells.x);
  Span along = spanOf(first.y + pixel.y, position.y, position.w, base.y, cells.y);
  vec4 result = vec4(kOutside);
  if (across.last >= across.first && along.last >= along.first && style == kScalar) {
    float mean = scalarMean(across, along);
    bool between = joined == 1 && position.z < 1.0 + kSliver && position.w < 1.0 + kSliver;
    if (between && !isNumber(mean)) mean = besideMissing(across, along);
    result = vec4(isNumber(mean) ? placeOf(mean, scale, range) : kMissing);
  } else if (across.last >= across.first && along.last >= along.first) {
    vec3 sum = vec3(0.0);
    float weights = 0.0, amplitude = 0.0;
    for (int y = along.first; y <= along.last; y += along.hop) {
      float row_weight = weightOf(along, y);
      vec3 row = vec3(0.0);
      float row_amplitude = 0.0, row_weights = 0.0;
      for (int x = across.first; x <= across.last; x += across.hop) {
        int at = (y * cells.x + x) * components;
        float weight = weightOf(across, x);
        if (weight * row_weight == 0.0) continue;  // a weight of zero must not spread a NaN
        vec3 value = vec3(values[at], values[at + 1], 0.0);
        if (style == kColour) value.z = values[at + 2];
        row += weight * value;
        if (style == kComplex) row_amplitude += weight * length(value.xy);
        row_weights += weight;
      }
      sum += row_weight * row;
      amplitude += row_weight * row_amplitude;
      weights += row_weight * row_weights;
    }
    sum /= max(weights, 1e-30);
    // One bad cell spoils the sum, and so is seen.
    if (!(isNumber(sum.x) && isNumber(sum.y) && isNumber(sum.z))) {
      result = vec4(kMissing);
    } else if (style == kComplex) {
      // The mean of the amplitudes, so that fine waves do not look like nothing.
      result.xy = vec2(placeOf(amplitude / max(weights, 1e-30), scale, range), turnsOf(sum.xy));
    } else {
      result = vec4(placeOf(sum.x, scale, range), placeOf(sum.y, scale, range), placeOf(sum.z, scale, range), 0.0);
    }
  }
  imageStore(reduced, pixel, result);
}
