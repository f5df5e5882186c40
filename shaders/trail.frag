// Light by the distance to the piece, fading with age. The brightest of overlapping pieces is kept, so that joints do
// not show and the order does not matter.
layout(location = 9) uniform ivec4 part;  // of the plot: its first pixel, and its size
layout(location = 10) uniform float half_width;

flat in vec4 piece;
flat in vec2 ages;
flat in vec3 light;

layout(location = 0) out vec4 result;

void main() {
  vec2 at = pixelAt(gl_FragCoord.xy, vec4(part));
  vec2 along = piece.zw - piece.xy;
  float share = clamp(dot(at - piece.xy, along) / dot(along, along), 0.0, 1.0);
  float age = mix(ages.x, ages.y, share);
  float half_here = half_width * mix(0.55, 1.0, age);
  float covered = clamp(half_here + 0.5 - distance(at, piece.xy + share * along), 0.0, 1.0);
  result = vec4(light * covered * age * sqrt(age), 1.0);
}
