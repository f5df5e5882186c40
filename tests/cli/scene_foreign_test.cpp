// Scenes of unknown authors: messages quote their words escaped and short, and only regular files are read.
#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>

#include "app/scene/scene.h"
#include "sims/foreign/words.h"
#include "tests/cli/scene_testing.h"

namespace simscope {
namespace {

using scene_test::message;
using scene_test::with;
using testing::AllOf;
using testing::HasSubstr;

// Any text at any place of a document: messages about it neither move the cursor nor fill the screen.
TEST(SceneTest, WordsOfADocumentAreToldEscapedAndShort) {
  const std::string evil = "\\u001b[2J\\u0007\\r\\nx\\u009b31m\\u202e", large(1'000'000, 'y');
  const std::vector<std::string> documents = {
      R"({"simscope": "EVIL"})",
      R"({"simscope": 1, "simulation": "EVIL"})",
      with(R"("preset": "EVIL")"),
      with(R"("seed": "EVIL")"),
      with(R"("EVIL": 1)"),
      with(R"("parameters": "EVIL")"),
      with(R"("parameters": {"EVIL": 1})"),
      with(R"("parameters": {"EVIL": [1]})"),
      with(R"("parameters": {"potential": "EVIL"})"),
      with(R"("parameters": {"barrier_height": "EVIL"})"),
      with(R"("parameters": {"barrier_height": {"EVIL": 1}})"),
      with(R"("parameters": {"grid_points": "EVIL"})"),
      with(R"("parameters": {"absorbing_edges": "EVIL"})"),
      with(R"("strokes": "EVIL")"),
      with(R"("strokes": [{"tool": "EVIL", "events": [{"step": 0}]}])"),
      with(R"("strokes": [{"tool": "kick", "events": [{"step": "EVIL"}]}])"),
      with(R"("strokes": [{"tool": "kick", "EVIL": 1, "events": [{"step": 0, "EVIL": 1}]}])"),
      with(R"("keyframes": [{"parameter": "EVIL", "points": [[0, 1]]}])"),
      with(R"("keyframes": [{"parameter": "barrier_height", "points": [[0, 1, "EVIL"]]}])"),
      with(R"("view": "EVIL")"),
      with(R"("view": {"key": "EVIL"})"),
      with(R"("view": {"EVIL": 1})"),
      with(R"("view": {"shown": {"EVIL": true}})"),
      with(R"("view": {"shown": {"EVIL": 1}})"),
      with(R"("view": {"theme": "EVIL"})"),
      with(R"("view": {"value_scale": "EVIL"})"),
      with(R"("view": {"x": "EVIL"})"),
      with(R"("view": {"camera": {"target": "EVIL"}})"),
      with(R"("recorder": {"frames": "EVIL"})"),
      R"({"simscope": 1, "simulation": "schrodinger2d", "parameters": {"formula": "EVIL"}})",
      R"({"simscope": 1, "simulation": "diffraction", "parameters": {"image_file": "EVIL"}})",
      R"({"simscope": 1, "simulation": "diffraction", "parameters": {"EVIL": 1}})",
      R"({"simscope": 1, "simulation": "diffraction", "parameters": {"scan": "EVIL"}})",
  };
  for (const std::string& document : documents) {
    for (const std::string& word : {evil, large}) {
      std::string text = document;
      for (std::size_t at = text.find("EVIL"); at != std::string::npos; at = text.find("EVIL"))
        text.replace(at, 4, word);
      std::vector<std::string> told;
      try {
        sceneFromJson(text, &told);
        EXPECT_FALSE(told.empty()) << document;
      } catch (const UsageError& error) {
        told.push_back(error.what());
      }
      for (const std::string& each : told) {
        EXPECT_EQ(foreign::findControl(each), std::string::npos) << document;
        EXPECT_THAT(each, testing::Not(HasSubstr("\u202e"))) << document;
        EXPECT_LT(each.size(), 1500u) << document;
      }
    }
  }
}

TEST(SceneTest, AControlCharacterInAFormulaIsRefused) {
  const auto formula = [](const std::string& text) {
    return message(R"({"simscope": 1, "simulation": "schrodinger2d", "parameters": {"formula": ")" + text + "\"}}");
  };
  EXPECT_EQ(formula("x^2 + y^2"), "(accepted)");
  for (const std::string bad : {"x^2\\u0000 + y^2", "x^2\\n", "x\\t+ y", "x\\u007f", "\\u0085x"}) {
    EXPECT_THAT(formula(bad), AllOf(HasSubstr("parameters.formula"), HasSubstr("control character"))) << bad;
  }
}

// A link to /dev/zero was read without end, and a pipe waited for.
TEST(SceneTest, OnlyRegularFilesAreRead) {
  std::string folder = (std::filesystem::temp_directory_path() / "simscope_scene_XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::filesystem::path here = folder;
  for (const std::string ending : {"json", "gif", "png"}) {
    const auto zero = here / ("zero." + ending), pipe = here / ("pipe." + ending);
    std::filesystem::create_symlink("/dev/zero", zero);
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    for (const auto& file : {zero, pipe}) {
      try {
        (void)readScene(file);
        ADD_FAILURE() << file;
      } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr(file.string()), HasSubstr("not a regular file")));
      }
    }
  }
  std::filesystem::remove_all(here);
}

}  // namespace
}  // namespace simscope
