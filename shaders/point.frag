// The light of points and trails as colours of the screen: hues stay, brightness is compressed, and what is blinding
// turns white. app/render/layers/points/point_tone.cpp has the same formulas.
layout(binding = 0) uniform sampler2D trails;
layout(binding = 1) uniform usamplerBuffer light;  // r, g, b, bits of those beyond 2³²

layout(location = 0) uniform vec4 place;   // left, top, width, height in pixels
layout(location = 1) uniform vec4 tile;
layout(location = 2) uniform float gain;   // of the sums: their unit, and the exposure
layout(location = 3) uniform float trail_gain;  // 0: none
layout(location = 4) uniform ivec4 part;        // of the plot, that the sums are of: its first pixel, and its size
layout(location = 5) uniform int subtractive;   // 1: the sums are what ink takes away

layout(location = 0) out vec4 result;

const vec2 kWhite = vec2(1.5, 9.0);  // log2 of the light that begins to turn white, and that has
const float kWhitest = 0.9;
const float kFull = 4294967296.0;

vec3 encoded(vec3 linear) {
  return mix(1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, 12.92 * linear, lessThanEqual(linear, vec3(0.0031308)));
}

void main() {
  ivec2 pixel = ivec2(pixelAt(gl_FragCoord.xy, tile) - place.xy) - part.xy;
  uvec4 found = texelFetch(light, pixel.y * part.z + pixel.x);
  vec3 sum = vec3(found.rgb);
  for (int k = 0; k < 3; ++k) {
    if ((found.a & (1u << k)) != 0u) sum[k] = kFull;
  }
  sum *= gain;
  if (trail_gain > 0.0) {
    sum += trail_gain * texelFetch(trails, ivec2(pixel.x, part.w - 1 - pixel.y), 0).rgb;
  }
  float most = max(max(sum.r, sum.g), sum.b);
  if (!(most > 0.0)) discard;
  float bright = most / (1.0 + most);
  vec3 hue = sum / most;
  vec3 colour = bright * mix(hue, vec3(1.0), kWhitest * smoothstep(kWhite.x, kWhite.y, log2(most)));
  result = subtractive != 0 ? vec4(1.0 - encoded(colour), 1.0) : vec4(encoded(colour), encoded(vec3(bright)).r);
}
