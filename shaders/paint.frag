layout(binding = 0) uniform sampler2D atlas;  // coverage in red

in vec2 at;
in vec4 tint;
layout(location = 0) out vec4 result;

void main() { result = vec4(tint.rgb, tint.a * texture(atlas, at).r); }
