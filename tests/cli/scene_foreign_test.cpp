// Scenes of unknown authors: messages quote their words escaped and short, and only regular files are read.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "app/scene/scene.h"
#include "sims/core/testing/folder.h"
#include "sims/core/testing/refusal.h"
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
  const std::string evil = "\\u001b[2J\\u0007\\r\\nx\\u009b31m\\u202e", large(100'000, 'y');
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
  EXPECT_EQ(formula("x^2 + y^2"), "");
  for (const std::string bad : {"x^2\\u0000 + y^2", "x^2\\n", "x\\t+ y", "x\\u007f", "\\u0085x"}) {
    EXPECT_THAT(formula(bad), AllOf(HasSubstr("parameters.formula"), HasSubstr("control character"))) << bad;
  }
}

// A link to /dev/zero was read without end, and a pipe waited for.
TEST(SceneTest, OnlyRegularFilesAreRead) {
  const tests::Folder here;
  for (const std::string ending : {"json", "gif", "png"}) {
    const auto zero = here / ("zero." + ending), pipe = here / ("pipe." + ending);
    std::filesystem::create_symlink("/dev/zero", zero);
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    for (const auto& file : {zero, pipe}) {
      EXPECT_THAT([&] { (void)readScene(file); },
                  testing::ThrowsMessage<UsageError>(AllOf(HasSubstr(file.string()), HasSubstr("not a regular file"))));
    }
  }
}

class NoScene : public tests::InFolder {
 protected:
  std::string refusal(const std::string& name, const std::string& content) const {
    return tests::refusal([&] { (void)readScene(write(name, content)); });
  }
};

TEST_F(NoScene, AFileIsNamedByItsContentAndItsUse) {
  const std::string zeros(64, '\0');
  struct Case {
    const char* name;
    std::string content;
    const char* what;
    const char* use;
  };
  const std::vector<Case> cases = {
      {"a.mp4", zeros.substr(0, 3) + " ftypisom" + zeros, "an MP4 video", "--scene-file writes the scene beside"},
      {"a.webm", "\x1a\x45\xdf\xa3 webm" + zeros, "a WebM video", "--scene-file"},
      {"a.mkv", "\x1a\x45\xdf\xa3 matroska" + zeros, "an MKV video", "--scene-file"},
      {"a.webp", "RIFF1234WEBPVP8X" + zeros, "a WebP", "--scene-file"},
      {"a.npy", "\x93NUMPY\x01" + zeros, "a NumPy array", "simscope judge"},
      {"a.jpg", "\xff\xd8\xff\xe0" + zeros, "a JPEG picture", "--set image_file="},
      {"a.pgm", "P5 2 2 255\n1234", "a PNM picture", "--set image_file="},
      {"a.csv", "step,time,energy [J]\n0,0,1.5\n1,0.1,1.5\n", "a table of diagnostics", "carries no scene"},
      {"b.csv", "event;pt\n1;45.2\n", "a table", "--set data_file="},
      {"a.dat", "# from another program\n1 2 3\n4 5 6\n", "a table", "--set data_file="},
      {"a.vti", "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\">", "a VTK file", "carries no scene"},
      {"a.h5", "\x89HDF\r\n\x1a\n" + zeros, "an HDF5 file", "carries no scene"},
      {"a.pdf", "%PDF-1.7", "a PDF", "carries no scene"},
      {"a.txt", "Dear reader,\n", "a text that is not JSON", "carries no scene"},
      {"a.bin", "abc" + zeros, "binary data", "carries no scene"},
      {"a.json", "", "an empty file", "carries no scene"},
  };
  for (const Case& each : cases) {
    const std::string said = refusal(each.name, each.content);
    EXPECT_THAT(said, AllOf(HasSubstr(std::string("this is ") + each.what), HasSubstr(each.use)));
    EXPECT_THAT(said, AllOf(HasSubstr(".json files"), testing::StartsWith((folder_ / each.name).string())));
  }
}

TEST_F(NoScene, ASnapshotIsNoSceneWhereNoStateIsTaken) {
  const std::string npz = "PK\3\4" + std::string(22, '\0') + '\12' + std::string(3, '\0') + "scene.json";
  EXPECT_THAT(refusal("a.npz", npz), HasSubstr("which holds the state of one run; here a scene is needed"));
  EXPECT_THAT(refusal("a.zip", npz), HasSubstr("but not named so"));
}

TEST_F(NoScene, ATextInUtf16IsToBeSavedAsUtf8) {
  using namespace std::string_literals;
  for (const std::string& text : {"\xff\xfe{\0}\0"s, "\xfe\xff\0{\0}"s}) {
    EXPECT_EQ(refusal("a.json", text),
              (folder_ / "a.json").string() + ": this is a text in UTF-16; a scene is in UTF-8. Save it as UTF-8.");
  }
}

TEST_F(NoScene, AMarkOfOrderAndTheLineEndsOfWindowsAreTaken) {
  EXPECT_EQ(refusal("a.json", "\xef\xbb\xbf{\r\n\"simscope\": 1,\r\n\"simulation\": \"heat\"\r\n}\r\n"), "");
}

TEST_F(NoScene, ADocumentThatIsDamagedIsToldByLineAndColumn) {
  EXPECT_THAT(refusal("a.json", "{\n  \"simscope\": 1,,"), HasSubstr("line 2, column"));
  EXPECT_THAT(refusal("a.scene", "{\"simscope\": 1"), HasSubstr("ends too early"));
  EXPECT_THAT(refusal("b.json", "simscope: 1\n"), HasSubstr("line 1, column 1: this is not JSON"));
}

TEST_F(NoScene, ADialectOfJsonIsToldWithWhatToWrite) {
  using namespace std::string_literals;
  const std::string start = R"({"simscope": 1, "simulation": "heat")";
  const std::vector<std::pair<std::string, std::string>> all = {
      {"// mine\n" + start + "}", "line 1, column 1: this is not JSON: JSON has no comments"},
      {start + "} # mine", "column 39: this is not JSON: JSON has no comments"},
      {start + ",\n}", "line 2, column 1: this is not JSON: remove the comma before this"},
      {start + R"(, "strokes": [1, ]})", "remove the comma before this"},
      {"{'simscope': 1}", "column 2: this is not JSON: keys and texts are in double quotes"},
      {"{\u201csimscope\u201d: 1}", "keys and texts are in double quotes"},
      {start + R"(, "parameters": {"diffusivity": NaN}})", "JSON has no NaN and no Infinity"},
      {start + R"(, "parameters": {"diffusivity": -Infinity}})", "JSON has no NaN and no Infinity"},
      {start + R"(, "parameters": {"x": True}})", "JSON writes true, false, and null"},
      {start + "}\n" + start + "}\n", "line 2, column 1: this is not JSON: the document ends before this"},
      {start + ", \"note\": \"\xe9\"}", "it is not UTF-8. Save it as UTF-8."},
      {"{\0\"\0"s, "Save it as UTF-8."},
      {start + "}\0x"s, "it has a character NUL"},
  };
  for (const auto& [text, said] : all) EXPECT_THAT(refusal("a.json", text), HasSubstr(said)) << text;
}

// A parser keeps the last of two, so the first was lost without a word.
TEST_F(NoScene, AKeyThatIsTwiceInOneObjectIsRefused) {
  const std::string start = R"({"simscope": 1, "simulation": "heat", )";
  for (const std::string& text :
       {start + R"("seed": 1, "seed": 2})", start + R"("parameters": {"diffusivity": 0.5, "\u0064iffusivity": 1}})",
        start + R"("view": {"x": [1, 2], "x": [2, 3]}})"}) {
    EXPECT_THAT(refusal("a.json", text), HasSubstr("is twice in one object; remove one of them")) << text;
  }
}

TEST_F(NoScene, WhatIsBesideAndHasASceneIsNamed) {
  write("film.simscope.json", R"({"simscope": 1, "simulation": "heat"})");
  write("other.json", R"({"simulation": "heat"})");
  const std::string video = std::string(4, '\0') + "ftypisom";
  EXPECT_THAT(refusal("film.mp4", video), HasSubstr("film.simscope.json beside it has a scene"));
  EXPECT_THAT(refusal("other.mp4", video), testing::Not(HasSubstr("beside it has")));
}

TEST_F(NoScene, AGifIsReadWhateverItsName) {
  const std::string scene = R"({"simscope": 1, "simulation": "heat"})";
  std::string gif = "GIF89a" + std::string({1, 0, 1, 0, 0, 0, 0, 0x21, '\xfe'});
  gif += static_cast<char>(scene.size());
  gif += scene;
  gif += std::string({0, ';'});
  EXPECT_EQ(refusal("film", gif), "");
  EXPECT_EQ(refusal("film.json", gif), "");
}

}  // namespace
}  // namespace simscope
