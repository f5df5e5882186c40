layout(binding = 0) uniform samplerBuffer columns;
layout(binding = 1) uniform samplerBuffer wheel;

layout(location = 0) uniform vec4 plot;
layout(location = 1) uniform vec4 tile;
layout(location = 2) uniform float zero;
layout(location = 3) uniform vec4 colour;   // used where alpha > 0, else the wheel's

layout(location = 0) out vec4 result;

void main() {
  vec2 pixel = pixelAt(gl_FragCoord.xy, tile);
  float y = pixel.y;
  int column = clamp(int(pixel.x - plot.x), 0, int(plot.z) - 1);
  vec4 c = texelFetch(columns, 2 * column);
  vec2 span = c.z > c.w ? vec2(zero) : vec2(min(c.z, zero), max(c.w, zero));
  // How much of this pixel's height the span covers: a smooth edge without several samples a pixel.
  float covered = clamp(min(span.y, y + 0.5) - max(span.x, y - 0.5), 0.0, 1.0);
  vec3 tint = colour.a > 0.0 ? colour.rgb : texelFetch(wheel, int(texelFetch(columns, 2 * column + 1).x)).rgb;
  result = vec4(tint, covered);
}
