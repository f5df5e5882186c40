// Finished pixels of a plot, or of a part of it; bottom row first.
layout(binding = 0) uniform sampler2D bitmap;

layout(location = 0) uniform vec4 place;
layout(location = 1) uniform vec4 tile;
layout(location = 33) uniform ivec2 first;  // the pixel of the plot that the picture begins with

layout(location = 0) out vec4 result;

void main() {
  vec2 at = pixelAt(gl_FragCoord.xy, tile), within = vec2(at.x - place.x, place.y + place.w - at.y);
  result = texelFetch(bitmap, ivec2(within) - first, 0);
}
