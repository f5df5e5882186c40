// A rectangle around each piece of the trails: from a sample to the next, and from the last one to the body.
layout(std430, binding = 0) restrict readonly buffer Points { vec4 points[]; };
layout(std430, binding = 1) restrict readonly buffer Values { float values[]; };
layout(std430, binding = 3) restrict readonly buffer Trails { float places[]; };  // x, y, z; oldest first
layout(binding = 0) uniform samplerBuffer table;

layout(location = 0) uniform View view;  // 0 to 7
layout(location = 8) uniform int samples;
layout(location = 9) uniform ivec4 part;         // of the plot: its first pixel, and its size
layout(location = 10) uniform float half_width;  // at the body
layout(location = 13) uniform int scale;
layout(location = 14) uniform vec2 range;

flat out vec4 piece;  // both ends in pixels
flat out vec2 ages;   // at both ends: 0 oldest, 1 the body
flat out vec3 light;

const vec2 kCorners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));
const float kNear = 0.02;    // in distances of the target
const float kFar = 1e5;      // pixels
const float kShort = 1e-3;   // pixels: nothing that the neighbours do not show

vec3 place(int trail, int i) {
  if (i == samples) return points[trail].xyz;
  int at = 3 * (trail * samples + i);
  return vec3(places[at], places[at + 1], places[at + 2]);
}

float depth(vec3 p) { return view.distance - dot(view.towards_eye, (p - view.target) - view.target_rest); }

void main() {
  gl_Position = vec4(-2.0, -2.0, 0.0, 1.0);  // all corners there: nothing
  piece = vec4(0.0), ages = vec2(0.0), light = vec3(0.0);
  int index = gl_VertexID / 6, trail = index / samples, i = index % samples;
  vec3 a = place(trail, i), b = place(trail, i + 1);
  if (!isPlace(a) || !isPlace(b)) return;
  float near = kNear * view.distance, from = depth(a), to = depth(b);
  if (!(from > near || to > near)) return;
  if (from < near) a = mix(a, b, (near - from) / (to - from));
  if (to < near) b = mix(b, a, (near - to) / (depth(a) - to));
  vec2 start = seen(view, a).xy, end = seen(view, b).xy, along = end - start;
  float far = length(along);
  if (!(far > kShort && far < kFar)) return;

  piece = vec4(start, end);
  ages = vec2(i, i + 1) / float(samples);
  int last = textureSize(table) - 1;
  int entry = scale < 0 ? 0 : valueEntry(values[trail], scale, range, last);
  light = texelFetch(table, entry < 0 ? last : entry).rgb;
  along /= far;
  vec2 corner = 2.0 * kCorners[gl_VertexID % 6] - 1.0;
  float margin = half_width + 1.0;
  vec2 pixel = (corner.x < 0.0 ? start : end) + margin * (corner.x * along + corner.y * vec2(-along.y, along.x));
  gl_Position = onScreen(pixel, vec4(part));
}
