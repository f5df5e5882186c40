// A rectangle of pixels.
layout(location = 0) uniform vec4 place;   // left, top, width, height in pixels, y down
layout(location = 1) uniform vec4 tile;

const vec2 kCorners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));

void main() {
  vec2 pixel = place.xy + kCorners[gl_VertexID] * place.zw;
  gl_Position = onScreen(pixel, tile);
}
