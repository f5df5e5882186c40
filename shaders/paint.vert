// Triangles of the draw list: rectangles, polygons, and text.
layout(location = 0) in vec2 position;  // pixels, y down
layout(location = 1) in vec2 texture_position;
layout(location = 2) in vec4 colour;

layout(location = 0) uniform vec4 tile;

out vec2 at;
out vec4 tint;

void main() {
  at = texture_position;
  tint = colour;
  gl_Position = onScreen(position, tile);
}
