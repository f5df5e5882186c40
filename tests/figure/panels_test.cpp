// Figures of several panels: where they lie, and that each shows its own view.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/render/figure/colormap.h"
#include "app/render/figure/decoration.h"
#include "app/render/figure/exact_colours.h"
#include "app/render/figure/figure.h"
#include "app/render/figure/plan_parts.h"
#include "app/render/figure/theme.h"
#include "app/render/gl/gl_context.h"
#include "sims/compute/error.h"
#include "sims/core/testing/refusal.h"
#include "tests/figure/sample_field.h"
#include "tests/figure/sample_view.h"

namespace simscope::render {
namespace {

using Font = Canvas::Font;

class PanelsTest : public testing::Test {
 protected:
  Rgb draw(const Description& of = fieldDescription()) {
    figure.draw(of, of.defaults(), frame, options);
    return figure.read();
  }
  FigurePlan plan() {
    canvas.begin(options.width, options.height, options.scale);
    const FigurePlan made = planFigure(fieldDescription(), fieldDescription().defaults(), frame, options, canvas);
    canvas.finish();
    return made;
  }
  std::uint32_t at(const Rgb& rgb, double column, double row) const {
    return pixelAt(rgb, options.width, static_cast<int>(column), static_cast<int>(row));
  }
  // At a place of a panel's axes.
  std::uint32_t atPoint(const Rgb& rgb, std::size_t panel, double x, double y) const {
    const PlotArea& a = figure.panels().at(panel).area;
    return at(rgb, pixelX(a, x), pixelY(a, a.y, y));
  }
  // The pixels of a panel's plot.
  std::vector<std::uint32_t> plot(const Rgb& rgb, std::size_t panel) const {
    std::vector<std::uint32_t> pixels;
    const PlotArea& a = figure.panels().at(panel).area;
    for (int r = 0; r < static_cast<int>(a.height); ++r) {
      for (int c = 0; c < static_cast<int>(a.width); ++c) pixels.push_back(at(rgb, a.left + c, a.top + r));
    }
    return pixels;
  }

  HeadlessContext context;
  compute::DevicePtr device = compute::Device::open("cpu", 1);
  Frame frame = sampleFields(device, {32, 32, 0, 4, 0, 4});
  Canvas canvas;
  Figure figure;
  FigureOptions options;
};

bool apart(const Room& a, const Room& b) {
  constexpr double kRounding = 1e-6;
  return a.right <= b.left + kRounding || b.right <= a.left + kRounding || a.bottom <= b.top + kRounding ||
         b.bottom <= a.top + kRounding;
}

// What a panel's plot, labels, titles, and key cover.
std::vector<Room> covered(const PanelPlan& panel, const Canvas& canvas) {
  const PlotArea& a = panel.area;
  const double right = a.left + a.width, bottom = a.top + a.height, hair = hairWidth(panel.scale);
  const Spacing d(panel.scale);
  const double small = canvas.lineHeight(Font::Small), normal = canvas.lineHeight(Font::Normal);
  std::vector<Room> all = {{a.left - hair, a.top - hair, right + hair, bottom + hair}};
  if (panel.texts >= Texts::Caption && !panel.caption.empty()) {
    const double left = captionLeft(panel, canvas), top = captionTop(panel, canvas);
    all.push_back({left, top, left + canvas.textWidth(Font::Normal, shownCaption(panel, canvas)), top + normal});
  }
  if (panel.texts >= Texts::Labels) {
    const double beside = hair + d.tick + d.gap;
    all.push_back({a.left - beside - widest(canvas, panel.y_ticks), a.top, a.left, bottom});
    all.push_back({a.left, bottom, right, bottom + beside + small});
    if (panel.key.width > 0) {
      const double labels =
          panel.viewAs<FieldView>().style == FieldStyle::Scalar ? beside + widest(canvas, panel.key.ticks) : 0;
      all.push_back(
          {panel.key.left, panel.key.top, panel.key.left + panel.key.width + labels, panel.key.top + panel.key.height});
    }
  }
  if (panel.texts >= Texts::All) {
    all.push_back({panel.y_title_left, a.top, panel.y_title_left + normal, bottom});
    const double title = bottom + d.tick + d.gap + small + 2 * panel.scale;
    all.push_back({a.left, title, right, title + normal});
    if (panel.view->as<FieldView>() && panel.viewAs<FieldView>().style == FieldStyle::Scalar) {
      all.push_back({panel.right_title_left, a.top, panel.right_title_left + normal, bottom});
    }
  }
  return all;
}

// Labels of neighbouring ticks keep their distance.
void expectLabelsApart(const PanelPlan& panel, const Canvas& canvas) {
  if (panel.texts < Texts::Labels) return;
  const PlotArea& a = panel.area;
  const AxisTicks& x = panel.x_ticks;
  for (std::size_t i = 1; i < x.major.size(); ++i) {
    const double apart = pixelX(a, x.major[i]) - pixelX(a, x.major[i - 1]);
    const double widths = canvas.textWidth(Font::Small, x.labels[i]) + canvas.textWidth(Font::Small, x.labels[i - 1]);
    EXPECT_GT(apart, widths / 2 + 2 * panel.scale);
  }
  const AxisTicks& y = panel.y_ticks;
  for (std::size_t i = 1; i < y.major.size(); ++i) {
    EXPECT_GT(pixelY(a, a.y, y.major[i - 1]) - pixelY(a, a.y, y.major[i]), canvas.lineHeight(Font::Small));
  }
}

TEST_F(PanelsTest, InTallFiguresPanelsStandOneAboveTheOther) {
  options.view = "two";
  const auto stacked = [&] {
    draw();
    const PlotArea &first = figure.panels()[0].area, &second = figure.panels()[1].area;
    return second.top >= first.top + first.height;
  };
  EXPECT_FALSE(stacked());
  std::swap(options.width, options.height);
  EXPECT_TRUE(stacked());
}

TEST_F(PanelsTest, ALegendWithoutRoomBesideTheCaptionComesBelowIt) {
  Description description = fieldDescription();
  options.view = "two";
  const auto below = [&](const std::string& title) {
    viewIn(description, "row").as<CurveView>()->traces[0].forms = {{"u"}, {title}};
    canvas.begin(options.width, options.height, options.scale);
    const FigurePlan made = planFigure(description, description.defaults(), frame, options, canvas);
    canvas.finish();
    const PanelPlan& curves = made.panels[0].view->as<CurveView>() ? made.panels[0] : made.panels[1];
    EXPECT_TRUE(curves.view->as<CurveView>());
    return curves.legend_below;
  };
  EXPECT_FALSE(below("v"));
  EXPECT_TRUE(below("one of the forms that is so long that it cannot be"));
}

// What keyframes move is told as it is now, with as many digits at every time, and does not make the run another
// preset.
TEST_F(PanelsTest, TextsTellTheValuesThatKeyframesMoveTo) {
  Description description = fieldDescription();
  auto infos = std::make_shared<std::vector<ParameterInfo>>(*description.parameters);
  infos->push_back({.key = "distance",
                    .title = "Distance z",
                    .unit = "m",
                    .kind = Kind::Real,
                    .initial = 0.02,
                    .minimum = 0,
                    .maximum = 100});
  description.parameters = infos;
  description.presets = {{.key = "far", .title = "Far away", .changes = {{"distance", "0.05"}}}};
  const auto texts = [&](const ParameterSet& parameters) {
    canvas.begin(options.width, options.height, options.scale);
    FigurePlan made = planFigure(description, parameters, frame, options, canvas);
    canvas.finish();
    return made;
  };
  ParameterSet parameters = description.preset("far");
  EXPECT_EQ(texts(parameters).parameters, "Distance z = 50 mm");
  const std::string time = texts(parameters).time;
  frame.followed = {1};
  const std::pair<double, const char*> told[] = {
      {0.0983412, "98.3 mm"}, {0.098, "98.0 mm"}, {0.9997, "1.00 m"}, {3.2e-6, "3.20 µm"}, {0.02, "20.0 mm"}};
  for (const auto& [value, text] : told) {
    parameters.set("distance", value);
    const FigurePlan now = texts(parameters);
    EXPECT_EQ(now.subtitle, "Far away");
    EXPECT_EQ(now.time, std::string("Distance z = ") + text + "   " + time);
    EXPECT_EQ(now.parameters, std::string("Distance z = ") + text) << "also at the default";
  }
  parameters.setText("diffusivity", "2");
  EXPECT_NE(texts(parameters).subtitle, "Far away");
  EXPECT_EQ(texts(parameters).parameters, "Diffusivity α = 2   ·   Distance z = 20.0 mm");
}

TEST_F(PanelsTest, TitlesFollowTheFormOfTheirChannel) {
  Description description = fieldDescription();
  viewIn(description, "heat").as<FieldView>()->value.forms = {{"T", "K"}, {"log T"}};
  viewIn(description, "row").as<CurveView>()->y.forms = {{"u"}, {"log u"}};
  const auto titles = [&](int form) {
    for (Channel& channel : frame.channels) channel.form = form;
    std::vector<std::string> found;
    canvas.begin(options.width, options.height, options.scale);
    for (const char* view : {"heat", "row"}) {
      options.view = view;
      const PanelPlan panel = planFigure(description, description.defaults(), frame, options, canvas).panels.at(0);
      found.push_back(panel.view->as<FieldView>() ? panel.key.title : panel.y_title);
    }
    canvas.finish();
    return found;
  };
  EXPECT_EQ(titles(0), (std::vector<std::string>{"T  [K]", "u"}));
  EXPECT_EQ(titles(1), (std::vector<std::string>{"log T", "log u"}));
}

TEST_F(PanelsTest, NothingOverlapsAtAnySize) {
  for (const char* view : {"heat", "two", "three", "four"}) {
    options.view = view;
    for (const bool arrows : {false, true}) {
      options.arrows = arrows;
      for (const auto& [w, h, scale] : {std::tuple{240, 180, 1.0},
                                        {320, 200, 1.0},
                                        {480, 300, 1.0},
                                        {500, 900, 1.0},
                                        {640, 360, 1.0},
                                        {960, 540, 1.0},
                                        {960, 540, 0.5},
                                        {1280, 400, 1.0},
                                        {1600, 900, 1.25},
                                        {1920, 1080, 2.0},
                                        {3840, 2160, 1.0},
                                        {3840, 2160, 4.0},
                                        {400, 300, 3.0},
                                        {64, 64, 1.0}}) {
        SCOPED_TRACE(testing::Message() << view << " " << w << "x" << h << " at " << scale);
        options.width = w;
        options.height = h;
        options.scale = scale;
        const FigurePlan made = plan();
        const bool linked = made.panels.size() > 1;
        for (std::size_t i = 0; i < made.panels.size(); ++i) {
          const PanelPlan& panel = made.panels[i];
          for (std::size_t j = 0; j < i; ++j) EXPECT_TRUE(apart(panel.room, made.panels[j].room));
          EXPECT_GE(panel.area.width, 8);
          EXPECT_GE(panel.area.height, 8);
          EXPECT_EQ(panel.area.left, std::round(panel.area.left));
          EXPECT_EQ(panel.area.top, std::round(panel.area.top));
          EXPECT_EQ(panel.area.width, std::round(panel.area.width));
          EXPECT_EQ(panel.area.height, std::round(panel.area.height));
          if (!linked) continue;
          for (const Room& part : covered(panel, canvas)) {
            EXPECT_GE(part.left, panel.room.left - 1);
            EXPECT_GE(part.top, panel.room.top - 1);
            EXPECT_LE(part.right, panel.room.right + 1);
            EXPECT_LE(part.bottom, panel.room.bottom + 1);
          }
          expectLabelsApart(panel, canvas);
        }
      }
    }
  }
}

TEST_F(PanelsTest, SmallPanelsSayLessInTurn) {
  options.view = "four";
  Texts before = Texts::All;
  std::set<Texts> seen;
  for (int width = 1200; width >= 200; width -= 20) {
    options.width = width;
    options.height = width * 9 / 16;
    const Texts texts = plan().panels[1].texts;
    EXPECT_LE(texts, before);
    seen.insert(before = texts);
  }
  EXPECT_EQ(seen.size(), 4u);
}

TEST_F(PanelsTest, EveryPanelShowsItsOwnView) {
  // Three fields in one picture: none shows another's values, colours, or size.
  options.view = "four";
  addField(
      frame, device, "signed", {8, 8, 0, 4, 0, 4}, 1, [](int, int) { return std::vector{0.31f}; }, -1, 1);
  addField(frame, device, "light", {4, 4, 0, 4, 0, 4}, 3, [](int, int) { return std::vector{1.0f, 0.0f, 1.0f}; });
  addField(frame, device, "wave", {16, 8, 0, 4, 0, 2}, 2, [](int, int) { return std::vector{-1.0f, 0.0f}; });
  const Rgb rgb = draw();
  ASSERT_EQ(figure.panels().size(), 4u);
  EXPECT_EQ(atPoint(rgb, 0, 1, 1), colormap("coolwarm")[colourEntry(0.655, kFieldColours)]);
  EXPECT_EQ(atPoint(rgb, 1, 3, 1), 0xff00ffu);
  EXPECT_EQ(atPoint(rgb, 3, 3, 1), themeColours(Theme::Dark).phase[kPhaseColours / 2]);
  const std::vector<std::uint32_t> curves = plot(rgb, 2);
  EXPECT_TRUE(std::count(curves.begin(), curves.end(), themeColours(Theme::Dark).lines[0]) > 0);
  // Fields keep equal units on both axes.
  for (const std::size_t i : {0, 1, 3}) {
    const PlotArea& a = figure.panels()[i].area;
    EXPECT_NEAR(a.width / (a.x.high - a.x.low), a.height / (a.y.high - a.y.low), 0.6) << i;
  }
}

TEST_F(PanelsTest, AreasAreListedInOrderTheMainOneFirst) {
  options.view = "three";
  draw();
  std::vector<std::string> keys;
  for (const Figure::PanelArea& panel : figure.panels()) keys.push_back(panel.view);
  EXPECT_EQ(keys, (std::vector<std::string>{"heat", "wave", "row"}));
  EXPECT_EQ(figure.plotArea().left, figure.panels()[0].area.left);
  EXPECT_EQ(figure.plotArea().width, figure.panels()[0].area.width);
  EXPECT_GT(figure.panels()[1].area.left, figure.panels()[0].area.left + figure.panels()[0].area.width);
  EXPECT_GT(figure.panels()[2].area.top, figure.panels()[0].area.top + figure.panels()[0].area.height);
  // Neighbours line up.
  EXPECT_EQ(figure.panels()[1].area.top, figure.panels()[0].area.top);
  EXPECT_EQ(figure.panels()[2].area.left, figure.panels()[0].area.left);
  // Also where labels of one need more room.
  addField(
      frame, device, "row", {32, 1, 0, 4, 0, 4}, 1, [](int, int) { return std::vector{0.5f}; }, 0.3331, 0.3339);
  draw();
  EXPECT_EQ(figure.panels()[2].area.left, figure.panels()[0].area.left);
}

TEST_F(PanelsTest, OptionsOfLimitsAndColoursAreTheMainPanels) {
  options.view = "three";
  const Rgb plain = draw();
  const auto wave = plot(plain, 1), row = plot(plain, 2);
  options.x = Limits{1, 2};
  options.y = Limits{2, 3};
  options.range = Limits{0, 0.5};
  options.colormap = "viridis";
  options.reversed = true;
  options.isolines = true;
  options.arrows = true;
  const Rgb changed = draw();
  EXPECT_EQ(figure.plotArea().x, (Limits{1, 2}));
  EXPECT_EQ(figure.plotArea().y, (Limits{2, 3}));
  EXPECT_EQ(figure.panels()[1].area.x, (Limits{0, 4}));
  EXPECT_EQ(figure.panels()[2].area.x, (Limits{0, 4}));
  EXPECT_EQ(plot(changed, 1), wave);
  EXPECT_EQ(plot(changed, 2), row);
  options.isolines = options.arrows = false;
  addField(frame, device, "heat", {8, 8, 0, 4, 0, 4}, 1, [](int, int) { return std::vector{0.126f}; });
  EXPECT_EQ(atPoint(draw(), 0, 1.5, 2.5), colormap("viridis", true)[50]);
}

TEST_F(PanelsTest, MarkerIsInItsPanelAndReadsItsValue) {
  options.view = "three";
  const Rgb plain = draw();
  options.marker_panel = 1;
  options.marker_x = 1.0;
  options.marker_y = 0.5;
  const Rgb marked = draw();
  const PlotArea a = figure.panels()[1].area;
  const std::uint32_t hair = themeColours(Theme::Dark).marker;
  EXPECT_EQ(at(marked, std::round(pixelX(a, 1.0) - 0.5), a.top + 5), hair);
  EXPECT_EQ(at(marked, a.left + 3, std::round(pixelY(a, a.y, 0.5) - 0.5)), hair);
  EXPECT_EQ(plot(marked, 0), plot(plain, 0));
  EXPECT_EQ(plot(marked, 2), plot(plain, 2));

  // What is read beside it: the wave's amplitude and phase there, whatever the other panels hold.
  const auto setWave = [&](float value) {
    addField(frame, device, "wave", {4, 4, 0, 4, 0, 4}, 2, [value](int c, int r) {
      return std::vector{c == 1 && r == 0 ? value : 0.5f, 0.0f};
    });
  };
  setWave(0.5f);
  const Rgb half = draw();
  setWave(0.501f);
  EXPECT_NE(plot(draw(), 1), plot(half, 1));
  setWave(0.5f);
  addField(frame, device, "heat", {4, 4, 0, 4, 0, 4}, 1, [](int, int) { return std::vector{0.9f}; });
  EXPECT_EQ(plot(draw(), 1), plot(half, 1));

  options.marker_panel = 2;  // of curves: needs no height
  options.marker_y.reset();
  const PlotArea row = figure.panels()[2].area;
  EXPECT_EQ(at(draw(), std::round(pixelX(row, 1.0) - 0.5), row.top + row.height - 3), hair);
  options.marker_panel = 9;
  EXPECT_NO_THROW(draw());
}

TEST_F(PanelsTest, PicturesDoNotDependOnWhatWasDrawnBefore) {
  options.view = "four";
  const Rgb four = draw();
  options.view = "heat";
  const Rgb heat = draw();
  options.view = "two";
  options.width = 500;
  draw();
  options = {};
  options.view = "heat";
  EXPECT_EQ(draw(), heat);
  options.view = "four";
  EXPECT_EQ(draw(), four);
  Figure other;
  other.draw(fieldDescription(), fieldDescription().defaults(), frame, options);
  EXPECT_EQ(other.read(), four);
}

TEST_F(PanelsTest, OpeningViewIsTheDescriptionsFirst) {
  Description d = fieldDescription();
  options.view = "heat";
  const Rgb heat = draw(d);
  options.view.clear();
  EXPECT_EQ(draw(d), heat);
  std::swap(d.views.front(), viewIn(d, "two"));
  EXPECT_NE(draw(d), heat);
  EXPECT_EQ(figure.panels().size(), 2u);
  d.views.clear();
  EXPECT_THROW(draw(d), Error);
}

TEST_F(PanelsTest, NeedsTheChannelsOfItsPanelsThatAreNotHidden) {
  using testing::UnorderedElementsAre;
  const auto needed = [&] { return neededChannels(fieldDescription(), options); };
  options.view = "three";
  EXPECT_THAT(needed(), UnorderedElementsAre("heat", "walls", "wave", "row"));
  options.arrows = true;
  options.shown["walls"] = false;
  EXPECT_THAT(needed(), UnorderedElementsAre("heat", "flux", "wave", "row"));
  std::erase_if(frame.channels, [&](const Channel& c) {
    const auto keys = needed();
    return std::find(keys.begin(), keys.end(), c.key) == keys.end();
  });
  EXPECT_NO_THROW(draw());
  options.view = "nowhere";
  EXPECT_THROW(needed(), UsageError);
}

TEST_F(PanelsTest, UnknownViewsAreRefusedWithTheNamesOfAll) {
  options.view = "thre";
  const std::string said = tests::refusal([&] { draw(); });
  EXPECT_THAT(said, testing::HasSubstr("did you mean 'three'?"));
  for (const std::string& key : fieldDescription().viewKeys()) EXPECT_THAT(said, testing::HasSubstr(key));
  Description d = fieldDescription();
  viewIn(d, "two").as<LinkedView>()->panels[1].view = "nothing";
  options.view = "two";
  EXPECT_THROW(draw(d), Error);
}

TEST_F(PanelsTest, HiddenOverlaysAreNotDrawn) {
  options.view = "heat";
  const Rgb with = draw();
  options.shown["walls"] = false;
  const Rgb without = draw();
  EXPECT_NE(with, without);
  Description d = fieldDescription();
  viewIn(d, "heat").as<FieldView>()->overlay_channel.clear();
  EXPECT_EQ(draw(d), without);
  std::erase_if(frame.channels, [](const Channel& c) { return c.key == "walls"; });
  EXPECT_EQ(draw(), without);
}

TEST_F(PanelsTest, PaletteHoldsSomeOfEveryPanel) {
  options.view = "four";
  const auto colours = exactColours(fieldDescription(), options);
  EXPECT_LE(colours.size(), 255u);
  EXPECT_EQ(std::set<std::uint32_t>(colours.begin(), colours.end()).size(), colours.size());
  const ThemeColours& c = themeColours(Theme::Dark);
  for (const Colour colour : {c.background, c.plot, c.text, c.text_dim, c.axis, c.marker, c.lines[0], kLinesOnDark}) {
    EXPECT_THAT(colours, testing::Contains(colour));
  }
  // Nothing of a panel is far from all of them.
  const Rgb rgb = draw();
  for (const std::size_t panel : {0, 1, 2, 3}) {
    for (const std::uint32_t seen : plot(rgb, panel)) {
      int nearest = 1000;
      for (const std::uint32_t colour : colours) {
        int furthest = 0;
        for (const int shift : {0, 8, 16}) {
          const int of_seen = (seen >> shift) & 0xff, of_palette = (colour >> shift) & 0xff;
          furthest = std::max(furthest, std::abs(of_seen - of_palette));
        }
        nearest = std::min(nearest, furthest);
      }
      ASSERT_LE(nearest, 64) << panel << ": " << std::hex << seen;
    }
  }
}

}  // namespace
}  // namespace simscope::render
