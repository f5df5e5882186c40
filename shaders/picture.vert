// The whole framebuffer.
out vec2 place;  // of a picture that fills it

const vec2 kCorners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(1, 1), vec2(0, 0), vec2(1, 1), vec2(0, 1));

void main() {
  place = kCorners[gl_VertexID];
  gl_Position = vec4(2.0 * place - 1.0, 0.0, 1.0);
}
