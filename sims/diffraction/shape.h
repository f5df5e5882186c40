// The aperture's transmission, cell by cell: 1 where light passes, 0 where it does not, and the open share of the
// cell's area where an edge cuts it. Patterns then converge to those of the ideal shape with the square of the cells'
// edge.
//
// Lengths are cells, measured from the middle of the window (the centre of cell N/2). Straight edges parallel to the
// axes are exact; others count as straight within a cell. Plain data for host and device.
#pragma once

#include <cmath>
#include <cstddef>

#include "sims/compute/host_device.h"
#include "sims/diffraction/parameters.h"

namespace simscope::diffraction {

// The share of [x - ½, x + ½] within [low, high].
SIMSCOPE_HD inline double overlap(double x, double low, double high) {
  const double from = x - 0.5 > low ? x - 0.5 : low, to = x + 0.5 < high ? x + 0.5 : high;
  return to > from ? to - from : 0;
}

// The share of a unit square within a half-plane whose edge, with unit normal (nx, ny), passes the square's centre at
// `depth`; positive: the centre is inside.
SIMSCOPE_HD inline double halfPlaneShare(double depth, double nx, double ny) {
  nx = nx < 0 ? -nx : nx;
  ny = ny < 0 ? -ny : ny;
  const double major = nx > ny ? nx : ny, minor = nx > ny ? ny : nx;
  const double away = depth < 0 ? -depth : depth;
  double beyond = 0.5 - away / major;  // the share on the smaller side
  if (away > 0.5 * (major - minor)) {
    const double corner = 0.5 * (major + minor) - away;
    beyond = corner > 0 ? corner * corner / (2 * major * minor) : 0;
  }
  return depth < 0 ? beyond : 1 - beyond;
}

// The share of the cell at (x, y) within a disc of `radius`.
SIMSCOPE_HD inline double discShare(double x, double y, double radius) {
  constexpr double kHalfDiagonal = 0.70710678118654757;
  const double r = sqrt(x * x + y * y);
  if (r <= radius - kHalfDiagonal) return 1;
  if (r >= radius + kHalfDiagonal) return 0;
  return r > 0 ? halfPlaneShare(radius - r, x / r, y / r) : 3.14159265358979324 * radius * radius;
}

// An F, in radii: no reflection and no rotation maps it to itself.
struct LetterBar {
  double left, right, bottom, top;
};
inline constexpr int kLetterBars = 3;
SIMSCOPE_HD inline LetterBar letterBar(int i) {
  constexpr LetterBar kBars[kLetterBars] = {{-0.55, -0.2, -1, 1}, {-0.2, 0.65, 0.65, 1}, {-0.2, 0.4, -0.1, 0.25}};
  return kBars[i];
}

struct Shape {
  Aperture kind = Aperture::Circle;
  int n = 0;
  double radius = 0, inner = 0, width = 0, separation = 0;
  int slits = 0, zones = 0;
  const float* image = nullptr;  // on the device, row 0 at the top
  int image_width = 0, image_height = 0;
  bool operator==(const Shape&) const = default;

  SIMSCOPE_HD double slitsShare(double x, int count) const {
    const double first = -0.5 * (count - 1) * separation;
    double from = ceil((x - 0.5 - 0.5 * width - first) / separation);
    double to = floor((x + 0.5 + 0.5 * width - first) / separation);
    from = from > 0 ? from : 0;
    to = to < count - 1 ? to : count - 1;
    double sum = 0;
    for (double k = from; k <= to; ++k) {
      const double middle = first + k * separation;
      sum += overlap(x, middle - 0.5 * width, middle + 0.5 * width);
    }
    return sum < 1 ? sum : 1;
  }

  SIMSCOPE_HD double hexagonShare(double x, double y) const {
    constexpr double kRoot3 = 1.7320508075688772;
    const double ax = x < 0 ? -x : x, ay = y < 0 ? -y : y, apothem = 0.5 * kRoot3 * radius;
    const double slanted = 0.5 * (kRoot3 * ax + ay);
    return slanted > ay ? halfPlaneShare(apothem - slanted, 0.5 * kRoot3, 0.5) : halfPlaneShare(apothem - ay, 0, 1);
  }

  // Secondary mirror and four vanes in front of a round mirror.
  SIMSCOPE_HD double telescopeShare(double x, double y) const {
    const double vane = 0.02 * radius, across = overlap(x, -vane, vane), along = overlap(y, -vane, vane);
    return (discShare(x, y, radius) - discShare(x, y, inner)) * (1 - across) * (1 - along);
  }

  // Zone m lies between the radii √(m - 1) and √m, in units of the first; odd zones are open. That is the sum of the
  // discs up to odd zones minus those up to even ones; all but a few discs contain or miss the whole cell.
  SIMSCOPE_HD double zonesShare(double x, double y) const {
    const int last = zones % 2 == 1 ? zones : zones - 1;
    const double r = sqrt(x * x + y * y), inner_share = r > 1 ? (r - 1) / radius : 0, outer_share = (r + 1) / radius;
    const double missing = zones * inner_share * inner_share, holding = zones * outer_share * outer_share;
    const int first = static_cast<int>(missing < last ? missing : last) + 1;
    const int end = static_cast<int>(holding < last ? holding : last);
    double sum = (last - end) % 2 == 0 ? 0 : 1;
    for (int m = first; m <= end; ++m) {
      const double share = discShare(x, y, radius * sqrt(static_cast<double>(m) / zones));
      sum += m % 2 == 0 ? -share : share;
    }
    return sum;
  }

  SIMSCOPE_HD double letterShare(double x, double y) const {
    double sum = 0;
    for (int i = 0; i < kLetterBars; ++i) {
      const LetterBar bar = letterBar(i);
      sum += overlap(x, bar.left * radius, bar.right * radius) * overlap(y, bar.bottom * radius, bar.top * radius);
    }
    return sum;
  }

  // The picture's longer side spans the aperture's diameter; the mean of its pixels, or of their squares, over the
  // cell.
  SIMSCOPE_HD double imageMean(double x, double y, bool of_squares = false) const {
    const int longer = image_width > image_height ? image_width : image_height;
    const double pixels = longer / (2 * radius);  // a cell's
    const double left = (x - 0.5) * pixels + 0.5 * image_width, top = 0.5 * image_height - (y + 0.5) * pixels;
    const double right = left + pixels, bottom = top + pixels;
    const int first_column = left > 0 ? static_cast<int>(left) : 0, first_row = top > 0 ? static_cast<int>(top) : 0;
    double sum = 0;
    for (int row = first_row; row < image_height && row < bottom; ++row) {
      double line = 0;
      for (int column = first_column; column < image_width && column < right; ++column) {
        const auto pixel = static_cast<double>(image[static_cast<std::size_t>(row) * image_width + column]);
        line += overlap(column + 0.5, left, right) * (of_squares ? pixel * pixel : pixel);
      }
      sum += line * overlap(row + 0.5, top, bottom);
    }
    return sum / (pixels * pixels);
  }

  SIMSCOPE_HD float at(int column, int row) const {
    const double x = column - n / 2, y = row - n / 2;
    switch (kind) {
      case Aperture::Circle:
        return static_cast<float>(discShare(x, y, radius));
      case Aperture::Square:
        return static_cast<float>(overlap(x, -radius, radius) * overlap(y, -radius, radius));
      case Aperture::Slit:
        return static_cast<float>(overlap(x, -0.5 * width, 0.5 * width) * overlap(y, -radius, radius));
      case Aperture::DoubleSlit:
        return static_cast<float>(slitsShare(x, 2) * overlap(y, -radius, radius));
      case Aperture::Grating:
        return static_cast<float>(slitsShare(x, slits) * overlap(y, -radius, radius));
      case Aperture::Hexagon:
        return static_cast<float>(hexagonShare(x, y));
      case Aperture::Annulus:
        return static_cast<float>(discShare(x, y, radius) - discShare(x, y, inner));
      case Aperture::Telescope:
        return static_cast<float>(telescopeShare(x, y));
      case Aperture::ZonePlate:
        return static_cast<float>(zonesShare(x, y));
      case Aperture::Letter:
        return static_cast<float>(letterShare(x, y));
      case Aperture::Image:
        return static_cast<float>(imageMean(x, y));
    }
    return 0;
  }

  // The share of the power that a picture lets pass in the cell: the mean of the squared transmission.
  SIMSCOPE_HD double imagePower(int column, int row) const { return imageMean(column - n / 2, row - n / 2, true); }
};

// The shape of an aperture on the grid; the owner of an image's pixels adds them.
inline Shape shapeOf(const Parameters& p) {
  const double cells = 0.5 * p.grid_points;  // of the half-width
  Shape shape;
  shape.kind = p.aperture;
  shape.n = p.grid_points;
  shape.radius = p.aperture_radius * cells;
  shape.inner = p.obstruction * shape.radius;
  shape.width = p.slit_width * cells;
  shape.separation = p.slit_separation * cells;
  shape.slits = p.slits;
  shape.zones = p.zones;
  return shape;
}

}  // namespace simscope::diffraction
