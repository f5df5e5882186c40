// list, describe, devices, --help, --version, and the window without a display.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "tests/cli/program.h"

namespace simscope::cli_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

nlohmann::json entry(const nlohmann::json& list, const std::string& field, const std::string& value) {
  for (const auto& each : list) {
    if (each.at(field) == value) return each;
  }
  ADD_FAILURE() << "no entry with " << field << " = " << value;
  return {};
}

TEST(Queries, ListIsAJsonArrayOfSimulations) {
  const Folder folder;
  const Outcome outcome = simscope(folder, {"list", "--json"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_THAT(outcome.err, IsEmpty());
  const nlohmann::json list = jsonOf(outcome);
  ASSERT_TRUE(list.is_array());
  const nlohmann::json tunneling = entry(list, "id", "tunneling");
  EXPECT_THAT(tunneling.at("title").get<std::string>(), Not(IsEmpty()));
  EXPECT_THAT(tunneling.at("summary").get<std::string>(), Not(IsEmpty()));
}

TEST(Queries, ListForPeopleHasALineForEachSimulation) {
  const Folder folder;
  const auto count = static_cast<std::ptrdiff_t>(jsonOf(simscope(folder, {"list", "--json"})).size());
  const Outcome outcome = simscope(folder, {"list"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), count);
  EXPECT_THAT(outcome.out, HasSubstr("tunneling"));

  const Outcome markdown = simscope(folder, {"list", "--markdown"});
  ASSERT_EQ(markdown.status, 0) << told(markdown);
  EXPECT_EQ(std::count(markdown.out.begin(), markdown.out.end(), '\n'), count + 2);
  EXPECT_THAT(markdown.out, HasSubstr("(sims/tunneling/README.md)"));
}

TEST(Queries, DescribeTellsTheWholeDescription) {
  const Folder folder;
  const Outcome outcome = simscope(folder, {"describe", "tunneling", "--json"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  const nlohmann::json description = jsonOf(outcome);
  EXPECT_EQ(description.at("id"), "tunneling");
  EXPECT_EQ(description.at("state_array"), "psi");

  const nlohmann::json points = entry(description.at("parameters"), "key", "grid_points");
  EXPECT_EQ(points.at("kind"), "integer");
  EXPECT_EQ(points.at("default"), 2048);
  EXPECT_EQ(points.at("applies"), "on_reset");
  EXPECT_LT(points.at("minimum"), points.at("maximum"));
  const nlohmann::json height = entry(description.at("parameters"), "key", "barrier_height");
  EXPECT_EQ(height.at("default"), 1.5);
  const nlohmann::json potential = entry(description.at("parameters"), "key", "potential");
  EXPECT_THAT(potential.at("choices"),
              ElementsAre("barrier", "double_barrier", "step", "well", "harmonic", "none", "formula"));
  const nlohmann::json edges = entry(description.at("parameters"), "key", "absorbing_edges");
  EXPECT_EQ(edges.at("default"), true);

  const nlohmann::json animation = entry(description.at("presets"), "key", "animation");
  EXPECT_EQ(animation.at("ending"), "loop");
  EXPECT_EQ(animation.at("flaw"), "");
  EXPECT_EQ(animation.at("changes").at("packet_center"), -70);
  for (const char* key : {"norm", "energy", "reflection", "transmission", "inside", "mean_position", "mean_momentum",
                          "spread", "transmission_exact", "norm_drift"}) {
    entry(description.at("diagnostics"), "key", key);
  }
  EXPECT_THAT(description.at("views"), Not(IsEmpty()));
  EXPECT_EQ(description.at("first_view"), "wave");
  EXPECT_EQ(animation.at("view"), "wave");
  EXPECT_TRUE(animation.at("camera").is_null());
  EXPECT_EQ(description.at("size_key"), "grid_points");
  for (const char* backend : {"cpu", "cuda"}) EXPECT_GT(animation.at("memory_bytes").at(backend), 2048 * 8);
  EXPECT_EQ(entry(description.at("tools"), "key", "kick").at("gesture"), "paint");
}

TEST(Queries, EveryDescriptionTellsHowItsTextsToolsAndViewsAreMeant) {
  const Folder folder;
  for (const auto& each : jsonOf(simscope(folder, {"list", "--json"}))) {
    const nlohmann::json d = jsonOf(simscope(folder, {"describe", each.at("id"), "--json"}));
    for (const auto& parameter : d.at("parameters")) {
      EXPECT_EQ(parameter.contains("text_use"), parameter.at("kind") == "text") << parameter;
    }
    for (const auto& tool : d.at("tools")) EXPECT_TRUE(tool.contains("gesture") && tool.contains("view")) << tool;
    for (const auto& view : d.at("views")) {
      EXPECT_TRUE(view.contains("key") && view.contains("title")) << view;
      EXPECT_EQ(view.contains("arrow_channel"), view.at("kind") == "field") << view;
      EXPECT_EQ(view.contains("panels"), view.at("kind") == "linked") << view;
    }
    for (const auto& preset : d.at("presets")) EXPECT_TRUE(preset.at("view").is_string()) << preset;
    EXPECT_EQ(simscope(folder, {"describe", each.at("id")}).status, 0) << each;
  }
}

TEST(Queries, DescribeTellsWhenSomethingMattersAndWhatChoicesAreCalled) {
  const Folder folder;
  const nlohmann::json d = jsonOf(simscope(folder, {"describe", "diffraction", "--json"}));
  const nlohmann::json width = entry(d.at("parameters"), "key", "slit_width");
  EXPECT_EQ(width.at("relevant"), nlohmann::json::parse(R"([[{"parameter": "aperture", "is": ["slit", "double_slit",
                                                             "grating"]}]])"));
  EXPECT_TRUE(entry(d.at("parameters"), "key", "wavelength").at("relevant").is_null());
  const nlohmann::json method = entry(d.at("parameters"), "key", "propagation");
  EXPECT_THAT(method.at("choices"), ElementsAre("fraunhofer", "angular_spectrum", "fresnel"));
  EXPECT_EQ(method.at("choice_titles").at("angular_spectrum"), "Angular spectrum");
  EXPECT_EQ(d.at("random"), nlohmann::json::array()) << "never";
  EXPECT_NE(entry(d.at("presets"), "key", "airy").at("equation"),
            entry(d.at("presets"), "key", "talbot").at("equation"));

  const Outcome people = simscope(folder, {"describe", "diffraction"});
  ASSERT_EQ(people.status, 0) << told(people);
  EXPECT_THAT(people.out, HasSubstr("Width of each slit (with aperture=slit, double_slit, or grating)"));
  EXPECT_THAT(people.out, HasSubstr("angular_spectrum: Angular spectrum"));
  EXPECT_THAT(people.out, HasSubstr("nothing is drawn at random"));
  EXPECT_THAT(simscope(folder, {"describe", "nbody"}).out, HasSubstr("(with method=tree)"));
}

TEST(Queries, DescribeForPeopleHasAllTitlesAndBounds) {
  const Folder folder;
  for (const auto& each : jsonOf(simscope(folder, {"list", "--json"}))) {
    const std::string id = each.at("id");
    const std::string text = simscope(folder, {"describe", id}).out;
    const nlohmann::json d = jsonOf(simscope(folder, {"describe", id, "--json"}));
    for (const char* kind : {"parameters", "diagnostics"}) {
      for (const auto& info : d.at(kind)) EXPECT_THAT(text, HasSubstr(info.at("title").get<std::string>())) << id;
    }
    std::size_t promised = 0, listed = 0;
    for (const auto& info : d.at("diagnostics")) promised += info.at("bound") > 0 || info.at("tolerance") > 0 ? 1 : 0;
    for (const char* mark : {" at most ", " of it\n"}) {
      for (std::size_t at = text.find(mark, text.find("\nDiagnostics")); at < text.find("\nViews");
           at = text.find(mark, at + 1)) {
        ++listed;
      }
    }
    EXPECT_GE(listed, promised) << id;
  }
  EXPECT_THAT(simscope(folder, {"describe", "histograms"}).out, HasSubstr("χ²/ndf"));
}

TEST(Queries, DescribeForPeopleNamesKeysRangesAndPresets) {
  const Folder folder;
  const Outcome outcome = simscope(folder, {"describe", "tunneling"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  for (const char* text :
       {"grid_points", "2048", "barrier_height", "--set KEY=VALUE", "resonant_double_barrier", "transmission_exact",
        "wave *", "takes 5", " steps, then starts again", "Mouse tools", "kick"}) {
    EXPECT_THAT(outcome.out, HasSubstr(text));
  }
}

TEST(Queries, DevicesStartWithTheProcessor) {
  const Folder folder;
  const Outcome outcome = simscope(folder, {"devices", "--json"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  const nlohmann::json devices = jsonOf(outcome);
  ASSERT_FALSE(devices.empty());
  EXPECT_EQ(devices[0].at("id"), "cpu");
  EXPECT_EQ(devices[0].at("backend"), "cpu");
  EXPECT_GE(devices[0].at("threads"), 1);
  EXPECT_GT(devices[0].at("memory_bytes"), 0);
  const Outcome people = simscope(folder, {"devices"});
  ASSERT_EQ(people.status, 0) << told(people);
  EXPECT_THAT(people.out, HasSubstr(devices[0].at("name").get<std::string>()));
  if (devices.size() == 1) {
    EXPECT_THAT(people.out, HasSubstr("No CUDA device: "));
  }
}

TEST(Queries, HelpListsEveryCommandAndItsOptions) {
  const Folder folder;
  const Outcome help = simscope(folder, {"--help"});
  ASSERT_EQ(help.status, 0) << told(help);
  for (const char* text :
       {"gui", "list", "describe", "devices", "run", "render", "bench", "--version", "SIMSCOPE_DEVICE"}) {
    EXPECT_THAT(help.out, HasSubstr(text));
  }
  const Outcome render = simscope(folder, {"render", "--help"});
  ASSERT_EQ(render.status, 0) << told(render);
  for (const char* text :
       {"--preset", "--set",    "--seed",   "--device",          "--threads",  "--force",     "--out",
        "--size",   "--frames", "--fps",    "--steps-per-frame", "--theme",    "--scale",     "--show",
        "--hide",   "--arrows", "--camera", "--follow",          "--exposure", "--point-size"}) {
    EXPECT_THAT(render.out, HasSubstr(text));
  }
  EXPECT_THAT(render.out, HasSubstr("tunneling: wave\n")) << "the keys for --view";
  EXPECT_EQ(simscope(folder, {"help", "render"}).out, render.out);
  const Outcome run = simscope(folder, {"run", "-h"});
  ASSERT_EQ(run.status, 0) << told(run);
  for (const char* text : {"--steps", "--report", "--save"}) EXPECT_THAT(run.out, HasSubstr(text));
}

TEST(Queries, VersionIsOneLine) {
  const Folder folder;
  const Outcome outcome = simscope(folder, {"--version"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_THAT(outcome.out, testing::MatchesRegex("simscope [0-9]+\\.[0-9]+\\.[0-9]+ \\(CPU( and CUDA)?\\)\n"));
}

TEST(Queries, WindowWithoutADisplaySaysWhatWorksInstead) {
  const Folder folder;
  const std::string first = jsonOf(simscope(folder, {"list", "--json"})).at(0).at("id");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{}, {"gui"}, {"tunneling"}, {SIMSCOPE_SCENES "/resonance.json"}}) {
    Settings settings;  // not the user's state, which may name another last simulation
    settings.environment["SIMSCOPE_STATE_DIR"] = (folder / "state").string();
    const Outcome outcome = simscope(folder, arguments, settings);
    EXPECT_EQ(outcome.status, 1) << told(outcome);
    EXPECT_THAT(outcome.err, HasSubstr("no display"));
    const std::string id = arguments.empty() || arguments[0] == "gui" ? first : "tunneling";
    EXPECT_THAT(outcome.err, HasSubstr("simscope render " + id + " --out " + id + ".gif"));
  }
}

}  // namespace
}  // namespace simscope::cli_test
