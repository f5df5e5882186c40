layout(binding = 0) uniform sampler2D atlas;  // coverage in red

in vec2 at;
in vec4 tint;
layout(location = 0) out vec4 result;

// The place of a letter's texel is rounded a little differently in every tile: made even here. Lines, whose texels lie in
// one row, are left as they are.
const float kSteps = 64.0;

void main() {
  vec2 size = vec2(textureSize(atlas, 0)), texel = at * size;
  bool letter = fwidth(texel.y) > 0.25;
  vec2 place = letter ? floor(texel * kSteps + 0.5) / kSteps / size : at;
  result = vec4(tint.rgb, tint.a * texture(atlas, place).r);
}
