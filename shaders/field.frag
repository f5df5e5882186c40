// A reduced field, or the part of it that a tile shows, through its colours, with contours. Each pixel's colour is an
// entry of a table, but for the soft edges of the contours.
//
// MEANS: for software OpenGL, where the processor has made the means and the lines: `field` has means, not places, and
// `joined` tells how far lines cover each pixel. STYLE and LINES then say what there is, for all branches are taken.
layout(binding = 0) uniform sampler2D field;       // bottom row first
layout(binding = 1) uniform sampler2D joined;      // the same with straight lines between cells: for isolines
layout(binding = 2) uniform sampler2D overlay;     // the array to outline, between cells likewise
layout(binding = 3) uniform samplerBuffer table;   // the colormap, or the phase wheel

layout(location = 0) uniform vec4 place;
layout(location = 1) uniform vec4 tile;
#ifdef MEANS
const int style = STYLE;
layout(location = 34) uniform int scale;
layout(location = 35) uniform vec2 range;
#else
layout(location = 2) uniform int style;  // kScalar, kComplex, kColour, or kWheel: the key of complex fields
#endif
layout(location = 3) uniform vec3 missing;
layout(location = 4) uniform vec3 ink_on_dark;  // of contours
layout(location = 5) uniform vec3 ink_on_bright;
layout(location = 6) uniform vec2 half_width;  // of isolines and of the overlay's outline; 0: none
layout(location = 7) uniform float overlay_level;
layout(location = 8) uniform int level_count;
layout(location = 9) uniform float levels[kMostLevels];  // in the units of `joined`
layout(location = 33) uniform ivec2 first;  // the pixel of the plot that the reduced pictures begin with

layout(location = 0) out vec4 result;

// As bright as its place, in kBrightness steps.
vec3 complexColour(float amplitude, float turns) {
  float bright = clamp(floor(amplitude * float(kBrightness)), 0.0, float(kBrightness - 1)) / float(kBrightness - 1);
  int hues = textureSize(table);
  int hue = int(floor(fract(turns) * float(hues) + 0.5)) % hues;
  return bright * texelFetch(table, hue).rgb;
}

float encoded(float linear) {
  float v = clamp(linear, 0.0, 1.0);
  return v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1.0 / 2.4) - 0.055;
}

vec3 colourOf(vec4 value) {
  if (value.x < kNoValue) return missing;
  if (style == kComplex) return complexColour(value.x, value.y);
  if (style == kColour) return vec3(encoded(value.x), encoded(value.y), encoded(value.z));
  int entries = textureSize(table);
  return texelFetch(table, clamp(int(floor(value.x * float(entries))), 0, entries - 1)).rgb;
}

// Around a pixel: its value, slope, and extremes within the line's reach.
struct Around {
  float value, slope, low, high;
};

float valueAt(sampler2D image, ivec2 pixel, float otherwise) {
  float value = texelFetch(image, clamp(pixel, ivec2(0), textureSize(image, 0) - 1), 0).x;
  return value < kNoValue ? otherwise : value;
}

Around around(sampler2D image, ivec2 pixel, float half_line) {
  Around a;
  a.value = texelFetch(image, pixel, 0).x;
  a.low = a.high = a.value;
  int reach = int(ceil(half_line + 0.3));  // further away the line has all but faded
  for (int y = -reach; y <= reach; ++y) {
    for (int x = -reach; x <= reach; ++x) {
      float value = valueAt(image, pixel + ivec2(x, y), a.value);
      a.low = min(a.low, value);
      a.high = max(a.high, value);
    }
  }
  a.slope = 0.0;
  if (a.low == a.high) return a;
  // The steeper side: at a sudden step the mean of both would put the line too far away.
  vec4 sides = abs(vec4(valueAt(image, pixel + ivec2(1, 0), a.value), valueAt(image, pixel - ivec2(1, 0), a.value),
                        valueAt(image, pixel + ivec2(0, 1), a.value), valueAt(image, pixel - ivec2(0, 1), a.value)) -
                   a.value);
  a.slope = length(vec2(max(sides.x, sides.y), max(sides.z, sides.w)));
  return a;
}

float coverage(Around a, float level, float half_line) {
  if (a.low > level || a.high <= level || a.slope <= 0.0) return 0.0;
  return clamp(half_line + 0.5 - abs(a.value - level) / a.slope, 0.0, 1.0);
}

vec3 inked(vec3 colour, float covered) {
  // As bright as the eye sees it; contours take the ink that stands out.
  float bright = dot(pow(colour, vec3(2.2)), vec3(0.2126, 0.7152, 0.0722));
  return mix(colour, bright < 0.18 ? ink_on_dark : ink_on_bright, covered);
}

#ifdef MEANS
vec4 placesOf(vec4 mean) {
  if (style == kScalar) return vec4(mean.x < kNoValue ? mean.x : placeOf(mean.x, scale, range));
  if (mean.w < kNoValue) return mean.wwww;
  if (style == kComplex) return vec4(placeOf(mean.z, scale, range), turnsOf(mean.xy), 0.0, 0.0);
  return vec4(placeOf(mean.x, scale, range), placeOf(mean.y, scale, range), placeOf(mean.z, scale, range), 0.0);
}

void main() {
  vec2 at = pixelAt(gl_FragCoord.xy, tile), within = vec2(at.x - place.x, place.y + place.w - at.y);
  ivec2 pixel = ivec2(within) - first;
  vec4 value = placesOf(texelFetch(field, pixel, 0));
  if (value.x < 2.0 * kMissing) discard;  // outside the field
  vec3 colour = colourOf(value);
#ifdef LINES
  float covered = texelFetch(joined, pixel, 0).x;
  if (covered > 0.0) colour = inked(colour, covered);
#endif
  result = vec4(colour, 1.0);
}
#else
void main() {
  vec2 at = pixelAt(gl_FragCoord.xy, tile), within = vec2(at.x - place.x, place.y + place.w - at.y);
  if (style == kWheel) {
    vec2 from = within - 0.5 * place.zw;
    float radius = 0.5 * place.z - 1.0, away = length(from);
    result = vec4(complexColour(min(away / radius, 1.0), atan(from.y, from.x) / 6.28318530718),
                  clamp(radius + 0.5 - away, 0.0, 1.0));
    return;
  }
  ivec2 pixel = ivec2(within) - first;
  vec4 value = texelFetch(field, pixel, 0);
  if (value.x < 2.0 * kMissing) discard;  // outside the field
  vec3 colour = colourOf(value);
  float covered = 0.0;
  if (half_width.x > 0.0 && texelFetch(joined, pixel, 0).x > kNoValue) {
    Around a = around(joined, pixel, half_width.x);
    for (int i = 0; i < level_count; ++i) covered = max(covered, coverage(a, levels[i], half_width.x));
    covered *= 0.7;
  }
  if (half_width.y > 0.0 && texelFetch(overlay, pixel, 0).x > kNoValue) {
    covered = max(covered, coverage(around(overlay, pixel, half_width.y), overlay_level, half_width.y));
  }
  if (covered > 0.0) colour = inked(colour, covered);
  result = vec4(colour, 1.0);
}
#endif
