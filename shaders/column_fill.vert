// A rectangle a group of columns, from the curve to the line of zero.
layout(binding = 0) uniform samplerBuffer columns;

layout(location = 0) uniform vec4 plot;     // left, top, width, height in pixels
layout(location = 1) uniform vec4 tile;
layout(location = 2) uniform float zero;    // height of the line of zero in pixels

const vec2 kCorners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));

void main() {
  int left = (int(plot.x) / kGroup + gl_VertexID / 6) * kGroup;  // pixels
  vec2 corner = kCorners[gl_VertexID % 6];
  float top = zero, bottom = zero;
  int first = max(left - int(plot.x), 0), last = min(left + kGroup - int(plot.x), int(plot.z)) - 1;
  for (int i = first; i <= last; ++i) {
    vec4 c = texelFetch(columns, 2 * i);
    if (c.z > c.w) continue;
    top = min(top, c.z);
    bottom = max(bottom, c.w);
  }
  top = clamp(top, plot.y - 1.0, plot.y + plot.w + 1.0);
  bottom = clamp(bottom, plot.y - 1.0, plot.y + plot.w + 1.0);
  vec2 pixel = vec2(float(left) + corner.x * float(kGroup), corner.y > 0.5 ? ceil(bottom) : floor(top));
  gl_Position = onScreen(pixel, tile);
}
