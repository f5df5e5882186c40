// How fine the details of a picture or a drawing are, and how much of its light cells of a grid blur.
//
// Along a line across openings and bars of width w on average, a share 1/w of the light lies beside an edge. A cell
// that an edge cuts in the middle transmits half of the amplitude: it passes a quarter of the power instead of a half.
// So the cells' means lose a share of up to dx/2w of the power, along each axis. Plain data; any thread.
#pragma once

#include "sims/image/image.h"

namespace simscope::diffraction {

// 1/w along x and y: of a picture in pixels, or of an aperture in half-widths of the window.
struct PictureDetails {
  double edges_x = 0, edges_y = 0;
  double longer = 1;  // side of the picture, in the same unit

  PictureDetails scaled(double side) const { return {edges_x * longer / side, edges_y * longer / side, side}; }
  double finest() const { return 1 / (edges_x > edges_y ? edges_x : edges_y); }
  // The share of the power that cells of edge `cell` lose at most, while they are finer than the details.
  double blurredBy(double cell) const { return 0.5 * cell * (edges_x + edges_y); }
};
PictureDetails pictureDetails(const image::GreyImage& picture);

struct Details {
  bool freehand = false;   // a picture or a drawing
  PictureDetails picture;  // in half-widths; no edges where there is no picture
  double blurred = 0;      // share of the power that varies within cells, as measured
};

}  // namespace simscope::diffraction
