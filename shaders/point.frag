// The light of points and trails as colours of the screen: hues stay, brightness is compressed, and what is blinding
// turns white. app/render/point_tone.cpp has the same formulas.
layout(std430, binding = 2) restrict readonly buffer Light { uint light[]; };
layout(binding = 0) uniform sampler2D trails;

layout(location = 0) uniform vec4 place;   // left, top, width, height in pixels
layout(location = 1) uniform vec2 figure;  // size in pixels
layout(location = 2) uniform float gain;   // of the sums: their unit, and the exposure
layout(location = 3) uniform float trail_gain;  // 0: none

layout(location = 0) out vec4 result;

const vec2 kWhite = vec2(1.5, 9.0);  // log2 of the light that begins to turn white, and that has
const float kWhitest = 0.9;
const float kFull = 4294967296.0;

vec3 encoded(vec3 linear) {
  return mix(1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, 12.92 * linear, lessThanEqual(linear, vec3(0.0031308)));
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.x - place.x, figure.y - gl_FragCoord.y - place.y);
  uint at = 4u * uint(pixel.y * int(place.z) + pixel.x);
  uint full = light[at + 3u];
  vec3 sum = vec3(light[at], light[at + 1u], light[at + 2u]);
  for (int k = 0; k < 3; ++k) {
    if ((full & (1u << k)) != 0u) sum[k] = kFull;
  }
  sum *= gain;
  if (trail_gain > 0.0) {
    sum += trail_gain * texelFetch(trails, ivec2(pixel.x, int(place.w) - 1 - pixel.y), 0).rgb;
  }
  float most = max(max(sum.r, sum.g), sum.b);
  if (!(most > 0.0)) discard;
  float bright = most / (1.0 + most);
  vec3 hue = sum / most;
  vec3 colour = bright * mix(hue, vec3(1.0), kWhitest * smoothstep(kWhite.x, kWhite.y, log2(most)));
  result = vec4(encoded(colour), encoded(vec3(bright)).r);
}
