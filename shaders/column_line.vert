// A rectangle a group of columns, tall enough for the line through them and their neighbours.
layout(binding = 0) uniform samplerBuffer columns;

layout(location = 0) uniform vec4 plot;    // left, top, width, height in pixels
layout(location = 1) uniform vec4 tile;
layout(location = 2) uniform float half_width;

const vec2 kCorners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));

void main() {
  int left = (int(plot.x) / kGroup + gl_VertexID / 6) * kGroup;  // pixels
  vec2 corner = kCorners[gl_VertexID % 6];
  int reach = int(ceil(half_width + 1.0)) - 1;
  int first = left - int(plot.x), last = first + kGroup - 1;
  float top = 1e9, bottom = -1e9;
  for (int i = max(first - reach, 0); i <= min(last + reach, int(plot.z) - 1); ++i) {
    vec4 c = texelFetch(columns, 2 * i);
    if (c.z > c.w) continue;
    top = min(top, c.z);
    bottom = max(bottom, c.w);
  }
  top = max(top - half_width - 1.0, plot.y - 1.0);
  bottom = min(bottom + half_width + 1.0, plot.y + plot.w + 1.0);
  if (!(top < bottom)) top = bottom = -4.0;
  vec2 pixel = vec2(float(left) + corner.x * float(kGroup), corner.y > 0.5 ? ceil(bottom) : floor(top));
  gl_Position = onScreen(pixel, tile);
}
