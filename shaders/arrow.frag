// Coverage from the distance to the arrow: its shaft and its head in ink, and around both an edge of another colour, so
// that it stands out from whatever lies beneath.
layout(location = 1) uniform float scale;
layout(location = 3) uniform vec3 ink;
layout(location = 4) uniform vec4 edge;  // and its opacity

layout(location = 0) in vec2 at;  // pixels from the middle, along and across
layout(location = 1) flat in float pixels;

layout(location = 0) out vec4 result;

float toSegment(vec2 place, vec2 a, vec2 b) {
  vec2 along = b - a;
  return distance(place, a + clamp(dot(place - a, along) / dot(along, along), 0.0, 1.0) * along);
}

float toBox(vec2 place, vec2 low, vec2 high) {
  vec2 beyond = max(low - place, place - high);
  return length(max(beyond, 0.0)) + min(max(beyond.x, beyond.y), 0.0);
}

// Of half the head, above its axis: the slanted side, the base.
float toHead(vec2 place, vec2 tip, vec2 base, float half_width) {
  vec2 shoulder = base + vec2(0.0, half_width);
  vec2 outwards = normalize(vec2(half_width, tip.x - base.x));
  float beyond = max(dot(place - tip, outwards), base.x - place.x);
  float nearest = min(toSegment(place, tip, shoulder), toSegment(place, base, shoulder));
  return beyond > 0.0 ? nearest : -nearest;
}

void main() {
  vec2 place = vec2(at.x, abs(at.y));
  // Short arrows keep their shape but for the shaft, which must stay visible.
  float head = min(kArrowHead.x * scale, 0.5 * pixels), half_width = kArrowHead.y / kArrowHead.x * head;
  vec2 tip = vec2(0.5 * pixels, 0.0), base = tip - vec2(head, 0.0);
  float shaft = toBox(place, vec2(-tip.x, -kArrowShaft * scale), vec2(base.x + 0.5 * head, kArrowShaft * scale));
  float away = min(shaft, toHead(place, tip, base, half_width));
  float inner = clamp(0.5 - away, 0.0, 1.0), outer = clamp(0.5 + kArrowEdge * scale - away, 0.0, 1.0) * edge.a;
  float covered = inner + outer * (1.0 - inner);
  result = vec4(covered > 0.0 ? mix(edge.rgb, ink, inner / covered) : ink, covered);
}
