// The mean of the pixels of a supersampled picture that share one of the figure's, in linear light.
layout(binding = 0) uniform sampler2D large;

layout(location = 2) uniform ivec2 first;  // the pixel of the figure that the picture begins with; bottom row first
layout(location = 3) uniform int samples;  // in both directions

layout(location = 0) out vec4 result;

vec3 decoded(vec3 v) { return mix(pow((v + 0.055) / 1.055, vec3(2.4)), v / 12.92, lessThanEqual(v, vec3(0.04045))); }
vec3 encoded(vec3 v) {
  return mix(1.055 * pow(v, vec3(1.0 / 2.4)) - 0.055, 12.92 * v, lessThanEqual(v, vec3(0.0031308)));
}

void main() {
  ivec2 corner = samples * (ivec2(gl_FragCoord.xy) - first);
  vec3 one = texelFetch(large, corner, 0).rgb;
  bool even = true;
  for (int i = 1; i < samples * samples; ++i) {
    even = even && texelFetch(large, corner + ivec2(i % samples, i / samples), 0).rgb == one;
  }
  if (even) {  // most are, and stay exactly what they were
    result = vec4(one, 1.0);
    return;
  }
  vec3 sum = vec3(0.0);
  for (int i = 0; i < samples * samples; ++i) {
    sum += decoded(texelFetch(large, corner + ivec2(i % samples, i / samples), 0).rgb);
  }
  result = vec4(encoded(sum / float(samples * samples)), 1.0);
}
