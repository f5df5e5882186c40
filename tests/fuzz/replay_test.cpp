// Every kept input once more, also where there is no libFuzzer: seeds, and what was found.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/targets.h"

namespace simscope::fuzzing {
namespace {

void replay(const std::string& target, bool (*run)(std::string_view)) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(SIMSCOPE_CORPUS) / target)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  ASSERT_FALSE(files.empty());
  for (const std::filesystem::path& file : files) {
    SCOPED_TRACE(file.string());
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    EXPECT_EQ(run(bytes), !file.filename().string().starts_with("refused_"));
    // Cut short anywhere, it is refused as cleanly.
    const std::size_t stride = std::max<std::size_t>(1, bytes.size() / 50);
    for (std::size_t length = 0; length < bytes.size(); length += stride) {
      EXPECT_NO_THROW(run(std::string_view(bytes).substr(0, length))) << "the first " << length << " bytes";
    }
  }
}

TEST(CorpusTest, EverySceneIsReadOrRefusedAsItsNameSays) {
  replay("scene", scene);
}

TEST(CorpusTest, EveryRunOfTheLabIsReadOrRefusedAsItsNameSays) {
  replay("lab_run", lab_run);
}

// Too large to keep: nesting that the stack would have to follow.
std::string nestedLists() {
  constexpr std::size_t kDepth = 500'000;
  return std::string(kDepth, '[') + std::string(kDepth, ']');
}

TEST(CorpusTest, ASceneNestedBeyondMeasureIsRefused) {
  const std::string nested = nestedLists();
  for (const char* field : {"seed", "unknown", "view", "strokes", "keyframes"}) {
    EXPECT_NO_THROW(
        scene(R"({"simscope": 1, "simulation": "tunneling", ")" + std::string(field) + "\": " + nested + "}"));
  }
}

TEST(CorpusTest, ARunOfTheLabNestedBeyondMeasureIsRefused) {
  EXPECT_FALSE(lab_run(R"({"lesson": "a", "rows": )" + nestedLists() + "}"));
}

TEST(CorpusTest, EveryPictureIsReadOrRefusedAsItsNameSays) {
  replay("embedded", embedded);
}

TEST(CorpusTest, EveryFilmIsReadOrRefusedAsItsNameSays) {
  replay("film", film);
}

TEST(CorpusTest, EveryArrayIsReadOrRefusedAsItsNameSays) {
  replay("array", array);
}

TEST(CorpusTest, EveryImageIsReadOrRefusedAsItsNameSays) {
  replay("picture", picture);
}

TEST(CorpusTest, EveryMessageIsReadOrRefusedAsItsNameSays) {
  replay("message", message);
}

TEST(CorpusTest, AMessageNestedBeyondMeasureIsRefused) {
  EXPECT_FALSE(message(std::string("SIMS\3\0\1\0", 8) + R"({"shape": )" + nestedLists().substr(499'000, 2000) + "}"));
}

TEST(CorpusTest, EverySnapshotIsReadOrRefusedAsItsNameSays) {
  replay("snapshot", snapshot);
}

TEST(CorpusTest, AStateNestedBeyondMeasureIsRefused) {
  const std::string scene_member = "@@scene.json\n{\"simscope\": 1, \"simulation\": \"heat\"}";
  const std::string state_member = "@@state.json\n{\"simscope_state\": 1, \"simulation\": \"heat\", \"steps\": ";
  EXPECT_FALSE(snapshot(scene_member + state_member + nestedLists() + "}"));
}

}  // namespace
}  // namespace simscope::fuzzing
