// Copies single elements of a channel, with all of their components, into a buffer that is small enough to be read.
layout(local_size_x = 64) in;

layout(std430, binding = 0) restrict readonly buffer Values { float values[]; };
layout(std430, binding = 1) restrict readonly buffer Indices { uint indices[]; };
layout(std430, binding = 2) restrict writeonly buffer Gathered { float gathered[]; };

layout(location = 0) uniform uint count;
layout(location = 1) uniform uint components;
layout(location = 2) uniform uint elements;  // of the channel
layout(location = 3) uniform uint first;     // of the indices
layout(location = 4) uniform uint offset;    // of the first number gathered

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  for (uint c = 0u; c < components; ++c) {
    uint element = indices[first + i];
    gathered[offset + i * components + c] =
        element < elements ? values[element * components + c] : uintBitsToFloat(0x7FC00000u);
  }
}
