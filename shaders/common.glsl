#version 450 core
// What the shaders share. Pixels count from the figure's top left corner, y down.
//
// Large figures are drawn tile by tile: left, top, width, and height of the part of the figure that is being drawn.
vec4 onScreen(vec2 pixel, vec4 tile) {
  return vec4(2.0 * (pixel.x - tile.x) / tile.z - 1.0, 1.0 - 2.0 * (pixel.y - tile.y) / tile.w, 0.0, 1.0);
}
// Of gl_FragCoord.
vec2 pixelAt(vec2 fragment, vec4 tile) { return vec2(fragment.x + tile.x, tile.y + tile.w - fragment.y); }

// A curve is reduced to the figure's resolution first: one column per pixel, with the curve's height where it enters
// and leaves the column, and its extremes between. However many samples there are, none is missed.
//
// Two vectors a column: (height at its left, at its right, top, bottom), all in pixels, top > bottom where the curve has
// no value; and (entry of the phase wheel, what to draw, place of the upright from 0 to 1, 0).
const float kChord = 0.0;  // a straight line from left to right
const float kTurn = 1.0;   // that, and an upright from top to bottom: the curve turns within the column
const float kEdge = 2.0;   // level to the upright, and level after it: one step makes up the column
//
// Curves are drawn in groups of columns, one rectangle each, that begin at multiples of the group's width: software
// renderers shade blocks of 4×4 pixels whole, so that narrower or shifted rectangles would cost several times as much.
const int kGroup = 4;
//
// A field is reduced to the plot's pixels: the place of its value in the range of colours, or one of two marks.
const int kScalar = 0, kComplex = 1, kColour = 2, kWheel = 3;
const float kMissing = -1e30;  // no number
const float kOutside = -4e30;  // no cell
const float kNoValue = -1e20;  // both are below this
const int kBrightness = 64;    // steps of a complex field's amplitude
const int kMostLevels = 24;    // isolines
//
// Arrows at scale 1, in pixels: length and half the width of the head, half the width of the shaft, the edge around both.
const vec2 kArrowHead = vec2(7.5, 3.4);
const float kArrowShaft = 0.8, kArrowEdge = 1.0;
//
// Views of points: pixels count from the plot's upper left corner. A float is too coarse for the target of a close view:
// what it lacks comes apart.
struct View {
  vec3 right, up, towards_eye;
  vec3 target, target_rest;
  vec2 centre;     // pixels
  float distance;  // of the eye from the target
  float focal;     // pixels
};

// The pixel, the depth, and the pixels a unit has there. Behind the eye the depth is not positive.
vec4 seen(View view, vec3 place) {
  vec3 from = (place - view.target) - view.target_rest;
  float depth = view.distance - dot(view.towards_eye, from);
  float per_unit = view.focal / depth;
  return vec4(view.centre + per_unit * vec2(dot(view.right, from), -dot(view.up, from)), depth, per_unit);
}

float rootOf(float x) { return sign(x) * sqrt(abs(x)); }

// From a field's value to its place in the range of colours, finite in any case. `scale`: 0: linear, 1: log, 2: square
// root, 3: square root to either side; `range`: as below.
const float kFarPlace = 1e6;
float placeOf(float value, int scale, vec2 range) {
  float at = 0.0;
  if (scale == 1) {
    at = value > 0.0 ? (log(value) - range.x) * range.y : -1.0;
  } else {
    at = (value - range.x) * range.y;
    if (scale == 2) at = rootOf(at);
    if (scale == 3) at = 0.5 + 0.5 * rootOf(2.0 * at - 1.0);
  }
  return clamp(at, -kFarPlace, kFarPlace);
}

// Of the phase of a complex number; 0 for 0.
float turnsOf(vec2 z) { return dot(z, z) > 0.0 ? atan(z.y, z.x) / 6.28318530718 : 0.0; }

bool isNumber(float value) { return (floatBitsToUint(value) & 0x7f800000u) != 0x7f800000u; }
bool isPlace(vec3 place) { return isNumber(place.x) && isNumber(place.y) && isNumber(place.z); }

// The entry of a colour table of some size, 0 at the range's low end; −1 for what is no number. `scale`: 0: linear,
// 1: log, 2: square root; `range`: low (its logarithm for scale 1) and 1 / (high − low).
int valueEntry(float value, int scale, vec2 range, int entries) {
  if (!isNumber(value)) return -1;
  float at = scale == 1 ? (value > 0.0 ? log(value) : -1e30) : value;
  at = (at - range.x) * range.y;
  if (scale == 2) at = sqrt(max(at, 0.0));
  return clamp(int(floor(clamp(at, 0.0, 1.0) * float(entries))), 0, entries - 1);
}
