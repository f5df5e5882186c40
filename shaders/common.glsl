#version 450 core
// What the curve shaders share. Pixels count from the figure's top left corner, y down.
//
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
