// A line with round ends and smooth edges.
layout(location = 0) uniform vec4 tile;
layout(location = 4) uniform float half_width;
layout(location = 5) uniform vec3 colour;

layout(location = 0) flat in vec4 piece;
layout(location = 0) out vec4 result;

void main() {
  vec2 at = pixelAt(gl_FragCoord.xy, tile), along = piece.zw - piece.xy;
  float length_squared = dot(along, along);
  float share = length_squared > 0.0 ? clamp(dot(at - piece.xy, along) / length_squared, 0.0, 1.0) : 0.0;
  result = vec4(colour, clamp(half_width + 0.5 - distance(at, piece.xy + share * along), 0.0, 1.0));
}
