// The window's look, as far as it can be told without a display: what is remembered, sizes, the panels' places, and
// that every letter of every simulation is there.
#include <gtest/gtest.h>
#include <imgui.h>
#include <stdlib.h>

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/gui/widgets/theme.h"
#include "app/gui/window/content_scale.h"
#include "app/gui/window/layout.h"
#include "app/render/figure/plain_text.h"
#include "app/session/stored/settings.h"
#include "app/session/stored/stored_json.h"
#include "app/session/stored/ui_scale.h"
#include "sims/core/registry.h"

namespace simscope::gui {
namespace {

class AStateFolder : public ::testing::Test {
 protected:
  std::filesystem::path folder;
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "simscope-settings-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  void put(const std::string& text) const { std::ofstream(folder / "settings.json") << text; }
  nlohmann::json document() const { return nlohmann::json::parse(std::ifstream(folder / "settings.json")); }
};

TEST_F(AStateFolder, KeepsTheSettings) {
  const SettingsFile file(folder);
  EXPECT_EQ(file.read(), Settings{}) << "none yet";
  Settings settings;
  settings.theme = render::Theme::Light;
  settings.scale = 1.5;
  settings.width = 1200;
  settings.height = 700;
  settings.maximised = settings.plots_folded = true;
  settings.simulation = "heat";
  file.write(settings);
  EXPECT_EQ(SettingsFile(folder).read(), settings);
}

TEST_F(AStateFolder, LeavesWhatOthersKeepInTheFile) {
  put(R"({"hints": ["first"], "scale": 2})");
  const SettingsFile file(folder);
  Settings settings = file.read();
  EXPECT_EQ(settings.scale, 2);
  settings.scale = 3;
  file.write(settings);
  EXPECT_EQ(document()["hints"][0], "first");
  EXPECT_EQ(document()["scale"], 3);
}

TEST_F(AStateFolder, TakesDefaultsForWhatIsDamaged) {
  const SettingsFile file(folder);
  for (const char* text : {"", "{", "[1, 2]", "null", R"({"scale": "large", "theme": 7, "width": -5, "height": 1e99,
       "maximised": "yes", "simulation": {}, "plots_folded": 1})",
                           R"({"scale": 400, "theme": "pink"})"}) {
    put(text);
    EXPECT_EQ(file.read(), Settings{}) << text;
  }
}

TEST_F(AStateFolder, PutsAsideWhatCannotBeReadAndSaysSo) {
  const SettingsFile file(folder);
  stored::takeNotices();
  for (const std::string& text : {std::string("{\"scale\": 2"), std::string("[1]"), std::string(200'000, '[')}) {
    put(text);
    EXPECT_EQ(file.read(), Settings{});
    const std::vector<std::string> said = stored::takeNotices();
    ASSERT_EQ(said.size(), 1u) << text.substr(0, 20);
    EXPECT_NE(said[0].find("settings.json.unreadable"), std::string::npos) << said[0];
    EXPECT_FALSE(std::filesystem::exists(folder / "settings.json"));
    std::ostringstream kept;
    kept << std::ifstream(folder / "settings.json.unreadable").rdbuf();
    EXPECT_EQ(kept.str(), text);
    file.write({});  // no copy of what is nested deep
  }
  EXPECT_EQ(document()["scale"], 0);
}

TEST(ASettingsFile, WithoutAFolderKeepsNothing) {
  const SettingsFile file({});
  file.write({});
  EXPECT_EQ(file.read(), Settings{});
}

TEST(TheScale, GoesFromStepToStepAndStopsAtTheLast) {
  EXPECT_EQ(nextScale(1, 1), 1.25);
  EXPECT_EQ(nextScale(1, -1), 0.75);
  EXPECT_EQ(nextScale(1.1, 1), 1.25) << "from a monitor's own";
  EXPECT_EQ(nextScale(1.1, -1), 1);
  EXPECT_EQ(nextScale(4, 1), 4);
  EXPECT_EQ(nextScale(0.75, -1), 0.75);
  double scale = 1;
  for (int i = 0; i < 20; ++i) scale = nextScale(scale, 1);
  EXPECT_EQ(scale, kUiScales.back());
}

TEST(PanelFolds, KeepWhatALargeWindowHadWhileItIsSmall) {
  PanelFolds folds;
  folds.fit(1440, 900);
  folds.toggle(SidePanel::Simulations);
  EXPECT_FALSE(folds.open(SidePanel::Simulations));
  EXPECT_TRUE(folds.open(SidePanel::Parameters));
  folds.fit(640, 480);
  EXPECT_FALSE(folds.open(SidePanel::Plots));
  folds.toggle(SidePanel::Plots);
  EXPECT_TRUE(folds.open(SidePanel::Plots));
  folds.show(SidePanel::Simulations);
  EXPECT_TRUE(folds.open(SidePanel::Simulations));
  EXPECT_FALSE(folds.open(SidePanel::Parameters)) << "one at a time";
  folds.fit(1440, 900);
  EXPECT_FALSE(folds.open(SidePanel::Simulations));
  EXPECT_TRUE(folds.open(SidePanel::Parameters));
  EXPECT_TRUE(folds.opensWide(SidePanel::Plots));
}

TEST(PanelFolds, LeaveTheFigureATinyWindow) {
  PanelFolds folds;
  folds.fit(320, 240);  // 640×480 at 200 %
  for (const auto panel : {SidePanel::Simulations, SidePanel::Parameters, SidePanel::Plots}) {
    EXPECT_FALSE(folds.open(panel));
  }
  const Layout at = Splitters().arrange(2, 640, 480, folds);
  EXPECT_GT(at.figure.height, 200);
  EXPECT_GT(at.figure.width, 600);
  EXPECT_EQ(at.status.width, 0);
  EXPECT_LE(at.transport.bottom(), 480);
  folds.show(SidePanel::Simulations);
  folds.show(SidePanel::Parameters);
  EXPECT_FALSE(folds.open(SidePanel::Simulations)) << "one at a time";
  folds.fit(640, 480);
  EXPECT_TRUE(folds.open(SidePanel::Parameters));
}

bool overlap(const Rect& a, const Rect& b) {
  return a.width > 0 && b.width > 0 && a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

// At every size and scale, whatever is folded.
TEST(TheLayout, HasNoPartOverAnotherOrOutsideOfTheWindow) {
  const Splitters splitters;
  for (const ImVec2 size : {ImVec2(640, 480), ImVec2(1024, 600), ImVec2(1440, 900), ImVec2(3840, 2160)}) {
    for (const float scale : {1.0f, 1.5f, 2.0f, 3.0f}) {
      for (int which = 0; which < 8; ++which) {
        PanelFolds folds;
        folds.fit(size.x / scale, size.y / scale);
        for (int panel = 0; panel < 3; ++panel) {
          if ((which >> panel & 1) != 0) folds.toggle(static_cast<SidePanel>(panel));
        }
        const Layout at = splitters.arrange(scale, size.x, size.y, folds);
        const Rect parts[] = {at.bar, at.simulations, at.figure, at.parameters, at.transport, at.plots, at.status};
        // Less than that is no window: at 640×480 and 300 % the panels are larger than it.
        if (size.y / scale < 280) continue;
        for (const Rect& a : parts) {
          EXPECT_GE(a.x, 0);
          EXPECT_LE(a.right(), size.x + 0.5f);
          EXPECT_LE(a.bottom(), size.y + 0.5f);
          for (const Rect& b : parts) {
            EXPECT_TRUE(&a == &b || !overlap(a, b)) << size.x << "x" << size.y << " at " << scale << ", " << which;
          }
        }
        EXPECT_GT(at.figure.width, 0.3f * size.x) << size.x << "x" << size.y << " at " << scale << ", " << which;
        EXPECT_EQ(at.simulations.width > 0, folds.open(SidePanel::Simulations));
        EXPECT_EQ(at.plots.width > 0, folds.open(SidePanel::Plots));
        EXPECT_EQ(at.parameters.width > 0, folds.open(SidePanel::Parameters));
      }
    }
  }
}

TEST(APresentation, HasFigureAndTransportAlone) {
  const Layout at = Splitters::present(1.6f, 1440, 900);
  EXPECT_EQ(at.figure.width, 1440);
  EXPECT_LE(at.transport.bottom(), 900.5f);
  EXPECT_FALSE(overlap(at.figure, at.transport));
  for (const Rect& part : {at.bar, at.simulations, at.parameters, at.plots, at.status}) EXPECT_EQ(part.width, 0);
}

TEST(APresentation, HasLargerLettersWhereThePictureKeepsItsRoom) {
  EXPECT_EQ(presenterLetters(1440, 900), 1.6f);
  EXPECT_EQ(presenterLetters(1280, 640), 1.6f);
  EXPECT_FLOAT_EQ(presenterLetters(720, 450), 1.125f) << "1440×900 at 200 %";
  EXPECT_FLOAT_EQ(presenterLetters(640, 480), 1.2f);
  EXPECT_EQ(presenterLetters(320, 240), 1) << "never smaller than in the window";
  for (const ImVec2 size : {ImVec2(640, 480), ImVec2(720, 450), ImVec2(1024, 768), ImVec2(1920, 1080)}) {
    const float scale = presenterLetters(size.x, size.y);
    EXPECT_GT(Splitters::present(scale, size.x, size.y).figure.height / scale, 300) << size.x << "x" << size.y;
  }
}

TEST(PlainText, NamesWhatAFontDoesNotHave) {
  const auto ascii = [](char32_t c) { return c < 0x80; };
  EXPECT_EQ(render::plainText("|ψ|² ≤ 1", ascii), "|psi|^2 <= 1");
  EXPECT_EQ(render::plainText("iħ ∂ψ/∂t", ascii), "ihbar dpsi/dt");
  EXPECT_EQ(render::plainText("x₀ → ∞, Ω", ascii), "x_0 -> inf, Omega");
  EXPECT_EQ(render::plainText("Schrödinger · Ångström", ascii), "Schrodinger * Angstrom");
  EXPECT_EQ(render::plainText("\xF0\x9D\x9C\x93 = \xF0\x9D\x91\xA5", ascii), "psi = x") << "italic letters of formulas";
  EXPECT_EQ(render::plainText("ψ", [](char32_t) { return true; }), "ψ") << "where the font has it, it stays";
  EXPECT_EQ(render::plainText("漢", ascii), "漢") << "no plain form";
  EXPECT_EQ(render::plainText("a\xff\xc3", ascii), "a??") << "no UTF-8";
}

class TheFonts : public ::testing::Test {
 protected:
  ImGuiContext* context = ImGui::CreateContext();
  Fonts fonts = loadFonts(1, 1);
  void SetUp() override { ImGui::GetIO().Fonts->Build(); }
  void TearDown() override { ImGui::DestroyContext(context); }

  // The characters of a text that the font does not have, written plainly.
  void expectAll(const std::string& text) const {
    std::string missing;
    render::plainText(text, [&](char32_t c) {
      const bool control = c < 0x20;
#if IMGUI_VERSION_NUM >= 19200
      const bool has = control || fonts.regular->IsGlyphInFont(static_cast<ImWchar>(c));
#else
      const bool has = control || fonts.regular->FindGlyphNoFallback(static_cast<ImWchar>(c)) != nullptr;
#endif
      if (!has) missing += " U+" + std::to_string(static_cast<unsigned>(c));
      return has;
    });
    EXPECT_EQ(missing, "") << text;
  }
};

TEST_F(TheFonts, SetTextsInLinesThatEndAtBlanks) {
  ImGui::GetIO().DisplaySize = {800, 600};
  ImGui::NewFrame();
  const std::string text =
      "Off by 0.015, more than 0.0001: steps are too long.\nA path /home/someone/a.long/name.of/files.json at the end.";
  const auto wide = [](const std::string& line) { return ImGui::CalcTextSize(line.c_str()).x; };
  for (float width = 20; width < 500; width += 7) {
    SCOPED_TRACE(width);
    const std::string set = linesOf(text, width);
    std::istringstream lines(set);
    std::string joined, before;
    for (std::string line; std::getline(lines, line); before = line) {
      if (line.find(' ') != std::string::npos) EXPECT_LE(wide(line), width) << line;
      const bool breaks = !joined.empty() && text[joined.size()] == ' ';
      if (breaks) EXPECT_GT(wide(before + " " + line.substr(0, line.find(' '))), width) << before << " has room";
      joined += (joined.empty() ? "" : std::string(1, text[joined.size()])) + line;
    }
    EXPECT_EQ(joined, text);
  }
  ImGui::EndFrame();
}

TEST_F(TheFonts, HaveEveryLetterOfEverySimulation) {
  for (const Description* each : simulations()) {
    expectAll(each->title + each->summary + each->equation + each->clock.symbol);
    for (const Preset& preset : each->presets) expectAll(preset.title + preset.summary + preset.flaw);
    for (const ParameterInfo& info : *each->parameters) {
      expectAll(info.title + info.help + info.unit + info.group);
      for (const Choice& choice : info.choices) expectAll(choice.title);
    }
    for (const DiagnosticInfo& info : each->diagnostics) expectAll(info.title + info.unit + info.help);
    for (const View& view : each->views) expectAll(view.title);
    for (const ToolInfo& tool : each->tools) expectAll(tool.title);
  }
  expectAll("ψ π ħ ∂ ∇ ₀ ² ≤ → ∞ ⟨H⟩ μ Ω √ Δ · × − … “ ” ᵖ");
}

// X11: the window's coordinates are pixels, and the monitor's scale is the letters'. Wayland, macOS: they are scaled.
TEST(ContentScale, IsTheMonitorsUnlessSomebodySaysOtherwise) {
  ContentScale scale(0, 1.5f);
  EXPECT_EQ(scale.scale(1), 1.5f);
  scale.setMonitor(2);
  EXPECT_EQ(scale.scale(1), 2) << "moved to a finer monitor";
  EXPECT_EQ(scale.scale(2), 1) << "whose coordinates are of two pixels";
  EXPECT_EQ(scale.scale(8), 0.5f);
  scale.choose(3);
  EXPECT_EQ(scale.scale(1), 3);
  scale.choose(0);
  EXPECT_EQ(scale.scale(1), 2);
  ContentScale forced(1.25f, 2);
  EXPECT_TRUE(forced.isForced());
  forced.setMonitor(3);
  EXPECT_EQ(forced.scale(2), 1.25f);
}

TEST(ContentScale, TakesNoNonsenseFromAMonitor) {
  ContentScale scale(0, 2);
  for (const float nonsense : {0.0f, -1.0f, 1e9f, std::numeric_limits<float>::quiet_NaN()}) {
    scale.setMonitor(nonsense);
    EXPECT_EQ(scale.scale(1), 2) << nonsense;
    EXPECT_EQ(ContentScale(0, nonsense).scale(1), 1) << nonsense;
  }
}

TEST(PixelRatio, IsOfSizesOfOneMoment) {
  EXPECT_EQ(pixelRatioOf({1280, 860}, {1280, 860}, {1280, 860}), 1);
  EXPECT_EQ(pixelRatioOf({640, 430}, {1280, 860}, {640, 430}), 2);
  EXPECT_EQ(pixelRatioOf({1, 1}, {1280, 860}, {1280, 860}), std::nullopt) << "it has grown in between";
  EXPECT_EQ(pixelRatioOf({1, 1}, {1280, 860}, {1, 1}), std::nullopt) << "it has grown and shrunk";
  EXPECT_EQ(pixelRatioOf({0, 0}, {0, 0}, {0, 0}), std::nullopt);
  EXPECT_EQ(pixelRatioOf({1280, 860}, {0, 0}, {1280, 860}), std::nullopt);
}

}  // namespace
}  // namespace simscope::gui
