// The point nearest to a pixel: a first run finds the smallest distance, a second the first point that has it.
layout(local_size_x = 64) in;

layout(std430, binding = 0) restrict readonly buffer Points { vec4 points[]; };
layout(std430, binding = 2) restrict buffer Nearest { uint nearest_square, nearest_index; };

layout(location = 0) uniform View view;  // 0 to 7
layout(location = 8) uniform int count;
layout(location = 9) uniform vec2 pixel;
layout(location = 10) uniform float reach;  // pixels
layout(location = 11) uniform int finding_index;

void main() {
  for (int i = int(gl_GlobalInvocationID.x); i < count; i += int(gl_NumWorkGroups.x * gl_WorkGroupSize.x)) {
    vec4 point = points[i];
    if (!isPlace(point.xyz)) continue;
    vec4 at = seen(view, point.xyz);
    vec2 away = at.xy - pixel;
    float square = dot(away, away);
    if (!(at.z > 0.0 && square <= reach * reach)) continue;
    // Floats that are not negative sort like their bits.
    if (finding_index == 0) {
      atomicMin(nearest_square, floatBitsToUint(square));
    } else if (floatBitsToUint(square) == nearest_square) {
      atomicMin(nearest_index, uint(i));
    }
  }
}
