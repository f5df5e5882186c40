// A picture of the framebuffer's size.
layout(binding = 0) uniform sampler2D picture;

in vec2 place;
layout(location = 0) out vec4 result;

void main() { result = texture(picture, place); }
