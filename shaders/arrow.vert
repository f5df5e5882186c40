// A rectangle an arrow, turned along it; nothing for one of no length.
layout(binding = 0) uniform samplerBuffer arrows;

layout(location = 0) uniform vec4 tile;
layout(location = 1) uniform float scale;
layout(location = 2) uniform vec4 single;  // drawn instead of those of the buffer if it has a length

layout(location = 0) out vec2 at;  // pixels from the arrow's middle, along it and across
layout(location = 1) flat out float pixels;

const vec2 kCorners[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(-1, 1), vec2(1, -1), vec2(1, 1));

void main() {
  vec4 arrow = single.zw != vec2(0.0) ? single : texelFetch(arrows, gl_InstanceID);
  pixels = length(arrow.zw);
  vec2 along = pixels > 0.0 ? arrow.zw / pixels : vec2(0.0);
  at = kCorners[gl_VertexID] * vec2(0.5 * pixels + kArrowEdge * scale + 1.0, (kArrowHead.y + kArrowEdge) * scale + 1.0);
  vec2 place = arrow.xy + at.x * along + at.y * vec2(-along.y, along.x);
  gl_Position = onScreen(place, tile);
}
