// Points as light: each adds its disc to the pixels' sums. Sums are whole numbers, so that the order of the points does
// not matter to the last bit. Small discs are added as they are found; large ones are noted, and drawn by a second run
// with a group of threads each.
layout(local_size_x = 64) in;

layout(std430, binding = 0) restrict readonly buffer Points { vec4 points[]; };   // x, y, z, size
layout(std430, binding = 1) restrict readonly buffer Values { float values[]; };
layout(std430, binding = 2) restrict buffer Light { uint light[]; };  // 4 a pixel: r, g, b, bits of those beyond 2³²
layout(std430, binding = 3) restrict buffer Large {
  uint large_count;
  uint large[];
};
layout(binding = 0) uniform samplerBuffer table;  // light by value; the last entry is for what is no number

layout(location = 0) uniform View view;  // 0 to 7
layout(location = 8) uniform int count;
layout(location = 9) uniform ivec4 part;             // of the plot: its first pixel, and its size
layout(location = 10) uniform float radius;          // of the disc of a point of size 1, in simulation units
layout(location = 11) uniform vec2 disc_limits;      // smallest and largest radius in pixels
layout(location = 12) uniform float surface;         // light of a disc's middle, in the sums' units
layout(location = 13) uniform int scale;             // as valueEntry takes it; −1: all points show the first entry
layout(location = 14) uniform vec2 range;
layout(location = 15) uniform int drawing_large;
layout(location = 16) uniform float halo;  // of the light in the middle, around large discs

const float kSmall = 2.5;                  // pixels; up to here a disc is a matter of one thread
const vec2 kFading = vec2(0.02, 0.15);     // points nearer than this, in distances of the target, fade out
const vec2 kHaloFrom = vec2(kSmall, 7.0);  // radii in pixels where the halo appears, and is whole
const float kHaloReach = 3.5;              // radii
const float kMostLight = 2147483520.0;

struct Disc {
  vec2 centre;
  float radius;  // 0: not to be seen
  float true_radius;
  vec3 light;  // in the middle, were it of its true size
};

Disc discOf(int i) {
  Disc d = Disc(vec2(0.0), 0.0, 0.0, vec3(0.0));
  vec4 point = points[i];
  if (!isPlace(point.xyz) || !isNumber(point.w) || !(point.w > 0.0)) return d;
  vec4 at = seen(view, point.xyz);
  float nearness = smoothstep(kFading.x, kFading.y, at.z / view.distance);
  if (!(nearness > 0.0)) return d;
  d.centre = at.xy;
  d.true_radius = min(point.w * radius * at.w, disc_limits.y);
  float shown = max(d.true_radius, disc_limits.x), reach = shown * kHaloReach;
  vec2 low = vec2(part.xy) - reach, high = vec2(part.xy + part.zw) + reach;
  if (!(all(greaterThan(at.xy, low)) && all(lessThan(at.xy, high)))) return d;
  d.radius = shown;
  int last = textureSize(table) - 1;
  int entry = scale < 0 ? 0 : valueEntry(values[i], scale, range, last);
  d.light = surface * nearness * texelFetch(table, entry < 0 ? last : entry).rgb;
  return d;
}

void add(ivec2 pixel, vec3 amount) {
  uint at = 4u * uint((pixel.y - part.y) * part.z + pixel.x - part.x);
  uvec3 whole = uvec3(min(amount, vec3(kMostLight)) + 0.5);
  for (uint k = 0u; k < 3u; ++k) {
    if (whole[k] == 0u) continue;
    uint before = atomicAdd(light[at + k], whole[k]);
    if (before + whole[k] < before) atomicOr(light[at + 3u], 1u << k);
  }
}

// The disc's light over its pixels, 1 in the middle, smooth to its edge.
float disc(vec2 away, float radius) {
  float inside = max(1.0 - dot(away, away) / (radius * radius), 0.0);
  return inside * inside * inside;
}
const float kDiscIntegral = 3.14159265 / 4.0;  // over a disc of radius 1

// Fainter, wider, and steep in the middle.
float glow(vec2 away, float radius) {
  float inside = max(1.0 - length(away) / radius, 0.0);
  return inside * inside * inside;
}

void addSmall(Disc d) {
  ivec2 first = ivec2(ceil(d.centre - d.radius - 0.5)), last = ivec2(floor(d.centre + d.radius - 0.5));
  float weights = 0.0;
  for (int y = first.y; y <= last.y; ++y) {
    for (int x = first.x; x <= last.x; ++x) weights += disc(vec2(x, y) + 0.5 - d.centre, d.radius);
  }
  // Divided by their sum, so that no light is lost or won wherever between pixels the middle lies.
  vec3 whole = d.light * (kDiscIntegral * d.true_radius * d.true_radius / weights);
  for (int y = max(first.y, part.y); y <= min(last.y, part.y + part.w - 1); ++y) {
    for (int x = max(first.x, part.x); x <= min(last.x, part.x + part.z - 1); ++x) {
      float weight = disc(vec2(x, y) + 0.5 - d.centre, d.radius);
      if (weight > 0.0) add(ivec2(x, y), whole * weight);
    }
  }
}

void addLarge(Disc d) {
  float around = halo * smoothstep(kHaloFrom.x, kHaloFrom.y, d.radius);
  float reach = d.radius * (around > 0.0 ? kHaloReach : 1.0);
  ivec2 first = max(ivec2(ceil(d.centre - reach - 0.5)), part.xy);
  ivec2 size = min(ivec2(floor(d.centre + reach - 0.5)), part.xy + part.zw - 1) - first + 1;
  if (size.x <= 0 || size.y <= 0) return;
  // Where the smallest radius is large, light is spread as it is for small discs.
  float spread = d.true_radius / d.radius;
  vec3 middle = d.light * (spread * spread);
  for (int i = int(gl_LocalInvocationID.x); i < size.x * size.y; i += int(gl_WorkGroupSize.x)) {
    ivec2 pixel = first + ivec2(i % size.x, i / size.x);
    vec2 away = vec2(pixel) + 0.5 - d.centre;
    float amount = disc(away, d.radius) + around * glow(away, reach);
    if (amount > 0.0) add(pixel, middle * amount);
  }
}

void main() {
  if (drawing_large != 0) {
    for (uint i = gl_WorkGroupID.x; i < large_count; i += gl_NumWorkGroups.x) addLarge(discOf(int(large[i])));
    return;
  }
  for (int i = int(gl_GlobalInvocationID.x); i < count; i += int(gl_NumWorkGroups.x * gl_WorkGroupSize.x)) {
    Disc d = discOf(i);
    if (!(d.radius > 0.0)) continue;
    if (d.radius <= kSmall) {
      addSmall(d);
    } else {
      large[atomicAdd(large_count, 1u)] = uint(i);
    }
  }
}
