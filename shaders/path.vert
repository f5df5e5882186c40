// A rectangle around each piece of a path, from a place to the next; nothing where either is no number.
layout(std430, binding = 0) restrict readonly buffer Places { float places[]; };

layout(location = 0) uniform vec4 tile;
layout(location = 1) uniform vec4 limits;  // low and one over the extent, of x and y
layout(location = 2) uniform vec4 plot;    // left, top, width, height [pixels]
layout(location = 3) uniform ivec2 shape;  // places of a path, floats of a place
layout(location = 4) uniform float half_width;

layout(location = 0) flat out vec4 piece;  // both ends in pixels

const vec2 kCorners[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(-1, 1), vec2(1, -1), vec2(1, 1));
const float kFar = 1e6;  // pixels

vec2 pixelOf(int index) {
  vec2 share = (vec2(places[index * shape.y], places[index * shape.y + 1]) - limits.xz) * limits.yw;
  return plot.xy + plot.zw * vec2(share.x, 1.0 - share.y);
}

void main() {
  gl_Position = vec4(-2.0, -2.0, 0.0, 1.0);  // all corners there: nothing
  piece = vec4(0.0);
  int pieces = shape.x - 1, path = gl_InstanceID / pieces, first = path * shape.x + gl_InstanceID % pieces;
  vec2 start = pixelOf(first), end = pixelOf(first + 1);
  if (!(isNumber(start.x) && isNumber(start.y) && isNumber(end.x) && isNumber(end.y))) return;
  if (max(max(abs(start.x), abs(start.y)), max(abs(end.x), abs(end.y))) > kFar) return;
  vec2 along = end - start;
  along = dot(along, along) > 0.0 ? normalize(along) : vec2(1.0, 0.0);
  vec2 corner = kCorners[gl_VertexID] * (half_width + 1.0);
  vec2 pixel = (corner.x < 0.0 ? start : end) + corner.x * along + corner.y * vec2(-along.y, along.x);
  piece = vec4(start, end);
  gl_Position = onScreen(pixel, tile);
}
