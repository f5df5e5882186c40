// Arrows over fields, measured in the picture.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "app/render/figure/colormap.h"
#include "app/render/figure/figure.h"
#include "app/render/figure/plan.h"
#include "app/render/figure/theme.h"
#include "app/render/gl/gl_context.h"
#include "app/render/layers/field/arrow_layer.h"
#include "app/render/layers/field/field_plan.h"
#include "sims/compute/error.h"
#include "tests/figure/sample_field.h"
#include "tests/figure/sample_view.h"

namespace simscope::render {
namespace {

// How the ink of one square of the lattice lies.
struct Ink {
  double amount = 0;    // pixels
  double x = 0, y = 0;  // centre, from that of the square; y up
  double angle = 0;     // of the arrow, radians: towards where more of it lies far out across
  double length = 0;    // between the ends of what is at least half covered, along the angle
};

class ArrowTest : public testing::Test {
 protected:
  void SetUp() override {
    options.view = "heat";
    options.width = 480;
    options.height = 400;
    options.arrows = true;
    addField(frame, device, "heat", {8, 8, 0, 4, 0, 4}, 1, [](int, int) { return std::vector{0.3f}; });
    options.shown["walls"] = false;
  }
  Rgb draw() {
    figure.draw(fieldDescription(), fieldDescription().defaults(), frame, options);
    return figure.read();
  }
  using Vector = std::function<std::pair<double, double>(int column, int row)>;
  void setFlux(const SampleGrid& grid, const Vector& vector, double high = 1) {
    addField(
        frame, device, "flux", grid, 2,
        [&](int c, int r) {
          const auto [x, y] = vector(c, r);
          return std::vector{static_cast<float>(x), static_cast<float>(y)};
        },
        0, high);
  }
  void setUniform(double x, double y, double high = 1) {
    setFlux(
        {16, 16, 0, 4, 0, 4},
        [=](int, int) {
          return std::pair{x, y};
        },
        high);
  }
  ArrowLattice lattice() const { return arrowLattice(figure.plotArea(), options.scale); }

  // How much of a pixel is bright ink: the ground is darker.
  double inkAt(const Rgb& rgb, int column, int row) const {
    const std::uint32_t colour = pixelAt(rgb, options.width, column, row);
    const auto ground = static_cast<int>(colormap("inferno")[colourEntry(0.3, kFieldColours)] >> 8 & 0xff);
    const auto full = static_cast<int>(kLinesOnDark >> 8 & 0xff);
    const double covered = (static_cast<double>(colour >> 8 & 0xff) - ground) / (full - ground);
    return std::clamp(covered, 0.0, 1.0);
  }
  Ink measure(const Rgb& rgb, int column, int row) const {
    const ArrowLattice l = lattice();
    const double left = l.left + column * l.step, bottom = l.bottom - row * l.step;
    struct Pixel {
      double x, y, ink;
    };
    std::vector<Pixel> pixels;
    Ink ink;
    for (int r = static_cast<int>(bottom - l.step); r < bottom; ++r) {
      for (int c = static_cast<int>(left); c < left + l.step; ++c) {
        const Pixel p{c + 0.5 - left - l.step / 2, bottom - l.step / 2 - (r + 0.5), inkAt(rgb, c, r)};
        pixels.push_back(p);
        ink.amount += p.ink;
        ink.x += p.ink * p.x;
        ink.y += p.ink * p.y;
      }
    }
    if (!(ink.amount > 0)) return ink;
    ink.x /= ink.amount;
    ink.y /= ink.amount;
    double xx = 0, xy = 0, yy = 0;
    for (const Pixel& p : pixels) {
      xx += p.ink * (p.x - ink.x) * (p.x - ink.x);
      xy += p.ink * (p.x - ink.x) * (p.y - ink.y);
      yy += p.ink * (p.y - ink.y) * (p.y - ink.y);
    }
    ink.angle = 0.5 * std::atan2(2 * xy, xx - yy);
    // The head is heavier: the centre of all ink lies towards it from the middle of the square.
    if (ink.x * std::cos(ink.angle) + ink.y * std::sin(ink.angle) < 0) ink.angle += std::numbers::pi;
    double low = 1e9, high = -1e9;
    for (const Pixel& p : pixels) {
      if (p.ink < 0.5) continue;
      const double along = p.x * std::cos(ink.angle) + p.y * std::sin(ink.angle);
      low = std::min(low, along);
      high = std::max(high, along);
    }
    ink.length = high - low + 1;
    return ink;
  }

  HeadlessContext context;
  compute::DevicePtr device = compute::Device::open("cpu", 1);
  Frame frame = sampleFields(device, {32, 32, 0, 4, 0, 4});
  Figure figure;
  FigureOptions options;
};

TEST_F(ArrowTest, PointAlongTheField) {
  options.scale = 2;
  options.width = options.height = 640;
  for (const double degrees : {0.0, 30.0, 45.0, 90.0, 137.0, 180.0, 200.0, 270.0, 315.0}) {
    const double angle = degrees * std::numbers::pi / 180;
    setUniform(0.9 * std::cos(angle), 0.9 * std::sin(angle));
    const Rgb rgb = draw();
    for (const auto& [column, row] : {std::pair{0, 0}, {1, 2}}) {
      const Ink ink = measure(rgb, column, row);
      EXPECT_NEAR(std::remainder(ink.angle - angle, 2 * std::numbers::pi), 0, 0.03) << degrees;
    }
  }
}

TEST_F(ArrowTest, LengthsAreProportionalUpToTheLongest) {
  for (const double scale : {1.0, 2.0}) {
    options.scale = scale;
    options.width = options.height = static_cast<int>(360 * scale);
    const double longest = longestArrow(scale);
    EXPECT_GT(longest, 22 * scale);
    EXPECT_LE(longest, 26 * scale);
    for (const auto& [value, expected] :
         {std::pair{2.0, 1.0}, {1.4, 0.7}, {1.0, 0.5}, {0.5, 0.25}, {3.0, 1.0}, {1e9, 1.0}}) {
      for (const double angle : {0.0, std::numbers::pi / 2}) {
        setUniform(value * std::cos(angle), value * std::sin(angle), 2);
        const Ink ink = measure(draw(), 2, 2);
        // The tip is thinner than half a pixel at its end.
        EXPECT_NEAR(ink.length, expected * longest - 1, 1.1) << value << " at " << scale;
        EXPECT_NEAR(ink.x * std::sin(angle) - ink.y * std::cos(angle), 0, 0.2);
      }
    }
  }
}

TEST_F(ArrowTest, NoneWhereTheFieldIsNearlyZeroOrNoNumber) {
  const Rgb plain = [&] {
    setUniform(0, 0);
    return draw();
  }();
  const auto inked = [&](const Rgb& rgb) {
    int count = 0;
    for (int r = 0; r < lattice().rows; ++r) {
      for (int c = 0; c < lattice().columns; ++c) count += measure(rgb, c, r).amount > 0;
    }
    return count;
  };
  const int all = lattice().columns * lattice().rows;
  EXPECT_EQ(inked(plain), 0);
  setUniform(0.02, 0);
  EXPECT_EQ(inked(draw()), 0);
  setUniform(0.05, 0);
  EXPECT_EQ(inked(draw()), all);
  setUniform(std::nan(""), 1);
  EXPECT_EQ(draw(), plain);
  setUniform(std::numeric_limits<double>::infinity(), 1);
  EXPECT_EQ(draw(), plain);
  // One cell of them all: those that have a share of it are missing, the others are not.
  setFlux({16, 16, 0, 4, 0, 4}, [](int c, int r) { return std::pair{c == 8 && r == 8 ? std::nan("") : 1.0, 0.0}; });
  const int some = inked(draw());
  EXPECT_LT(some, all);
  EXPECT_GT(some, all - 10);
}

TEST_F(ArrowTest, NoneTouchesAnAbsentCellAndOthersLeaveThemOut) {
  // A wall one cell wide, upright in the middle; its neighbours' flux is along it, or through it.
  options.view = "plate";
  options.width = 600;
  options.height = 520;
  const int n = 128, wall = 61;
  for (const auto& [x, y] : {std::pair{0.9, 0.0}, {0.0, 0.9}, {0.6, 0.6}}) {
    addField(frame, device, "heat", {n, n, 0, 4, 0, 4}, 1,
             [&](int c, int) { return std::vector{c == wall ? std::nanf("") : 0.3f}; });
    const auto flux = [&](double u, double v) {
      setFlux({n, n, 0, 4, 0, 4}, [=](int c, int) { return std::pair{c == wall ? std::nan("") : u, v}; });
    };
    flux(0, 0);
    const Rgb plain = draw();
    flux(x, y);
    const Rgb drawn = draw();
    const PlotArea& a = figure.plotArea();
    const double left = a.left + a.width * wall / n, right = a.left + a.width * (wall + 1) / n;
    int across = 0;
    for (int r = static_cast<int>(a.top); r < a.top + a.height; ++r) {
      for (int c = static_cast<int>(std::floor(left)); c < right; ++c) {
        across += pixelAt(plain, options.width, c, r) != pixelAt(drawn, options.width, c, r);
      }
    }
    EXPECT_EQ(across, 0) << x << ", " << y;
    int inked = 0, all = 0;
    for (int c = 0; c < lattice().columns; ++c) {
      const double from = lattice().left + c * lattice().step;
      if (from >= right || from + lattice().step <= left) {
        ++all;
        inked += measure(drawn, c, 3).amount > 0;
      }
    }
    EXPECT_EQ(inked, all) << "squares beside the wall keep their arrows";
  }
}

TEST_F(ArrowTest, EachIsTheMeanOfItsCells) {
  // From cell to cell the x component turns about; the y component stays.
  const int n = 1600;
  setFlux({n, n, 0, 4, 0, 4}, [](int c, int r) { return std::pair{(c + r) % 2 == 0 ? 5.0 : -5.0, 0.8}; });
  const Ink fine = measure(draw(), 5, 6);
  EXPECT_NEAR(fine.angle, std::numbers::pi / 2, 0.06);
  EXPECT_NEAR(fine.length, 0.8 * longestArrow(1), 1.6);
  // A cell larger than a square: its own value, next to that of its neighbour.
  setFlux({2, 1, 0, 4, 0, 4}, [](int c, int) { return c == 0 ? std::pair{0.9, 0.0} : std::pair{0.0, -0.9}; });
  const Rgb rgb = draw();
  EXPECT_NEAR(measure(rgb, 1, 3).angle, 0, 0.06);
  EXPECT_NEAR(std::remainder(measure(rgb, lattice().columns - 2, 3).angle + std::numbers::pi / 2, 2 * std::numbers::pi),
              0, 0.06);
}

TEST_F(ArrowTest, CellsCountByTheirShareOfTheSquare) {
  // Turns by a right angle from cell to cell; squares that two cells share show the direction between.
  const int n = 7;
  const auto turning = [](int c, int r) { return (c + r) % 2 == 0 ? std::pair{0.9, 0.0} : std::pair{0.0, 0.9}; };
  // The angle in a square that begins at some share of the plot and covers some share of it.
  const auto expected = [](double begin, double extent) {
    const double from = begin * n, part = extent * n;
    const double share = std::min(1.0, (std::floor(from) + 1 - from) / part);  // of the first cell
    const double even = static_cast<int>(from) % 2 == 0 ? share : 1 - share;
    return std::atan2(1 - even, even);
  };
  setFlux({n, 1, 0, 4, 0, 4}, turning);
  const Rgb across = draw();
  setFlux({1, n, 0, 4, 0, 4}, turning);
  const Rgb upwards = draw();
  const ArrowLattice l = lattice();
  const PlotArea& a = figure.plotArea();
  ASSERT_GT(a.width / n, l.step);
  for (int column = 0; column < l.columns; ++column) {
    const double begin = (l.left + column * l.step - a.left) / a.width;
    EXPECT_NEAR(measure(across, column, 3).angle, expected(begin, l.step / a.width), 0.06) << column;
  }
  for (int row = 0; row < l.rows; ++row) {
    const double begin = (a.top + a.height - l.bottom + row * l.step) / a.height;
    EXPECT_NEAR(measure(upwards, 3, row).angle, expected(begin, l.step / a.height), 0.06) << row;
  }
}

TEST_F(ArrowTest, PlacesFollowTheAxes) {
  // Upwards in the lower left quarter, to the right elsewhere; the view is of the lower half.
  setFlux({64, 64, 0, 4, 0, 4}, [](int c, int r) {
    return c < 32 && r < 32 ? std::pair{0.0, 0.9} : std::pair{0.9, 0.0};
  });
  options.x = Limits{0, 4};
  options.y = Limits{0, 3};
  const Rgb rgb = draw();
  const ArrowLattice l = lattice();
  const PlotArea& a = figure.plotArea();
  ASSERT_GT(l.columns, 5);
  for (int row = 0; row < l.rows; ++row) {
    for (int column = 0; column < l.columns; ++column) {
      const double x = a.xAt(l.left + (column + 0.5) * l.step), y = a.yAt(l.bottom - (row + 0.5) * l.step);
      const double step = l.step / a.width * 4;
      if (std::abs(x - 2) < step || std::abs(y - 2) < step) continue;
      EXPECT_NEAR(measure(rgb, column, row).angle, x < 2 && y < 2 ? std::numbers::pi / 2 : 0, 0.06) << x << ", " << y;
    }
  }
  options.x = options.y = Limits{-6, -1};
  setUniform(1, 0);
  const Rgb outside = draw();
  options.arrows = false;
  const auto plot = [&](const Rgb& picture) {
    std::vector<std::uint32_t> pixels;
    for (int r = static_cast<int>(a.top); r < a.top + a.height; ++r) {
      pixels.push_back(pixelAt(picture, options.width, static_cast<int>(a.left + a.width / 2), r));
    }
    return pixels;
  };
  EXPECT_THAT(plot(outside), testing::Each(themeColours(Theme::Dark).plot));
}

TEST_F(ArrowTest, StandOutFromBrightAndDark) {
  setUniform(0.9, 0.2);
  for (const double value : {0.0, 0.5, 1.0}) {
    for (const char* map : {"gray", "viridis"}) {
      addField(frame, device, "heat", {8, 8, 0, 4, 0, 4}, 1,
               [=](int, int) { return std::vector{static_cast<float>(value)}; });
      options.colormap = map;
      const Rgb rgb = draw();
      const ArrowLattice l = lattice();
      int bright = 0, dark = 0;
      for (int r = 0; r < l.step; ++r) {
        for (int c = 0; c < l.step; ++c) {
          const std::uint32_t green = pixelAt(rgb, options.width, static_cast<int>(l.left + 4 * l.step) + c,
                                              static_cast<int>(l.bottom - 4 * l.step) + r) >>
                                          8 &
                                      0xff;
          bright += green > 0xe0;
          dark += green < 0x60;
        }
      }
      EXPECT_GT(bright, 15) << map << " " << value;
      EXPECT_GT(dark, 15) << map << " " << value;
    }
  }
}

TEST_F(ArrowTest, KeyShowsTheLengthOfARoundValue) {
  setUniform(1, 0, 2.3);
  options.width = 720, options.height = 600, options.scale = 1.5;
  const Rgb rgb = draw();
  Canvas canvas;
  canvas.begin(options.width, options.height, options.scale);
  const FigurePlan plan = planFigure(fieldDescription(), fieldDescription().defaults(), frame, options, canvas);
  canvas.finish();
  const PlannedArrows& arrows = plan.panels.front().contentAs<PlannedField>().arrows;
  EXPECT_EQ(arrows.value, "2 K/length");
  EXPECT_EQ(arrows.title, "heat flux");
  EXPECT_NEAR(arrows.key_length, 2 / 2.3 * longestArrow(1.5), 1e-9);
  EXPECT_LT(arrows.key_middle, figure.plotArea().top);
  const std::uint32_t text = themeColours(Theme::Dark).text;
  int first = -1, last = -1;
  for (int c = static_cast<int>(arrows.key_left) - 3; c < arrows.key_left + arrows.key_length + 3; ++c) {
    bool inked = false;
    for (const int d : {-1, 0}) {
      inked = inked || pixelAt(rgb, options.width, c, static_cast<int>(arrows.key_middle) + d) == text;
    }
    if (inked && first < 0) first = c;
    if (inked) last = c;
  }
  EXPECT_NEAR(first, arrows.key_left, 1.01);
  EXPECT_NEAR(last + 1, arrows.key_left + arrows.key_length, 2.5);  // the tip is thinner than a pixel
}

TEST_F(ArrowTest, NothingChangesUntilAskedFor) {
  options.arrows = false;
  const Rgb plain = draw();
  std::erase_if(frame.channels, [](const Channel& c) { return c.key == "flux"; });
  EXPECT_EQ(draw(), plain);
  options.arrows = true;
  EXPECT_THAT([&] { draw(); }, testing::ThrowsMessage<Error>(testing::HasSubstr("\"flux\"")));
  options.view = "signed";  // has none
  const Rgb asked = draw();
  options.arrows = false;
  EXPECT_EQ(draw(), asked);
}

TEST_F(ArrowTest, EqualInputGivesEqualPixelsAtEverySize) {
  frame = sampleFields(device, {300, 200, 0, 6, 0, 4});
  for (const auto& [w, h, scale] : {std::tuple{64, 64, 1.0}, {64, 64, 3.0}, {240, 180, 1.0}, {960, 540, 1.0}}) {
    options.width = w, options.height = h, options.scale = scale;
    const Rgb first = draw();
    Figure other;
    other.draw(fieldDescription(), fieldDescription().defaults(), frame, options);
    EXPECT_EQ(other.read(), first);
  }
  for (const double high : {0.0, -1.0, std::nan("")}) {
    setUniform(1, 1, high);
    EXPECT_NO_THROW(draw());
  }
}

}  // namespace
}  // namespace simscope::render
