// Triangles of the draw list: rectangles, polygons, and text.
layout(location = 0) in vec2 position;  // pixels, y down
layout(location = 1) in vec2 texture_position;
layout(location = 2) in vec4 colour;

layout(location = 0) uniform vec2 figure;

out vec2 at;
out vec4 tint;

void main() {
  at = texture_position;
  tint = colour;
  gl_Position = vec4(2.0 * position.x / figure.x - 1.0, 1.0 - 2.0 * position.y / figure.y, 0.0, 1.0);
}
