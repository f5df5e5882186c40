// Coverage from the distance to the curve in this column and its neighbours.
layout(binding = 0) uniform samplerBuffer columns;

layout(location = 0) uniform vec4 plot;
layout(location = 1) uniform vec4 tile;
layout(location = 2) uniform float half_width;
layout(location = 3) uniform vec4 colour;
layout(location = 5) uniform float zero;   // height of the line of zero in pixels
layout(location = 6) uniform vec2 fading;  // y: columns taller than x to y pixels fade; 0: none

layout(location = 0) out vec4 result;

// The squared distance from x = 0 and height y to a rectangle parallel to the axes.
float toBox(float y, float left, float right, float top, float bottom) {
  float dx = max(max(left, -right), 0.0), dy = max(max(top - y, y - bottom), 0.0);
  return dx * dx + dy * dy;
}

void main() {
  vec2 pixel = pixelAt(gl_FragCoord.xy, tile);
  float y = pixel.y;
  int column = clamp(int(pixel.x - plot.x), 0, int(plot.z) - 1);
  int reach = int(ceil(half_width + 1.0)) - 1;  // columns further away begin beyond the line's edge
  float nearest = 1e9, tallest = 0.0, highest = 0.0;
  for (int i = max(column - reach, 0); i <= min(column + reach, int(plot.z) - 1); ++i) {
    vec4 c = texelFetch(columns, 2 * i);
    if (c.z > c.w) continue;
    vec4 kind = texelFetch(columns, 2 * i + 1);
    float left = float(i - column) - 0.5, upright = left + kind.z;
    if (kind.y != kEdge) {
      float rise = c.y - c.x;  // over one pixel
      float along = clamp(((y - c.x) * rise - left) / (1.0 + rise * rise), 0.0, 1.0);
      vec2 away = vec2(left + along, c.x + along * rise - y);
      nearest = min(nearest, dot(away, away));
    } else {
      nearest = min(nearest, toBox(y, left, upright, c.x, c.x));
      nearest = min(nearest, toBox(y, upright, left + 1.0, c.y, c.y));
    }
    if (kind.y != kChord) nearest = min(nearest, toBox(y, upright, upright, c.z, c.w));
    tallest = max(tallest, c.w - c.z);
    highest = max(highest, max(abs(zero - c.z), abs(zero - c.w)));
  }
  float opacity = colour.a * clamp(half_width + 0.5 - sqrt(nearest), 0.0, 1.0);
  if (fading.y > 0.0) {
    // Dense fringes would drown in their outlines, and a curve of nothing is no more than the axis.
    opacity *= 1.0 - 0.7 * smoothstep(fading.x, fading.y, tallest);
    opacity *= smoothstep(0.2, 1.5, highest);
  }
  result = vec4(colour.rgb, opacity);
}
