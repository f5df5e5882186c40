// Folders, recent scenes, and what is kept of a session: on a folder of their own.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>

#include "app/export/unfinished.h"
#include "app/gui/dialogs/file_dialog_entries.h"
#include "app/gui/dialogs/file_menu.h"
#include "app/session/stored/autosave.h"
#include "app/session/stored/recent.h"
#include "tests/window/sample_simulation.h"

namespace simscope::gui {
namespace {

namespace fs = std::filesystem;

class InAFolder : public ::testing::Test {
 protected:
  fs::path folder_ = fs::temp_directory_path() / ("simscope-documents-" + std::to_string(getpid()) + "-" +
                                                  ::testing::UnitTest::GetInstance()->current_test_info()->name());
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path file(const std::string& name, const std::string& content = "x") {
    std::ofstream(folder_ / name) << content;
    return folder_ / name;
  }
  std::string content(const fs::path& path) {
    std::ifstream stream(path);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::size_t files() { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {})); }
};

using Recents = InAFolder;
TEST_F(Recents, AreTheNewestTenOnceEach) {
  Recent recent(folder_);
  for (int i = 0; i < 12; ++i) recent.add("/scenes/" + std::to_string(i) + ".json");
  recent.add("/scenes/5.json");
  ASSERT_EQ(recent.files().size(), Recent::kMost);
  EXPECT_EQ(recent.files()[0], "/scenes/5.json");
  EXPECT_EQ(recent.files()[1], "/scenes/11.json");
  EXPECT_EQ(Recent(folder_).files(), recent.files()) << "the next start has them, too";
  recent.clear();
  EXPECT_TRUE(Recent(folder_).files().empty());
}

TEST_F(Recents, OfADamagedOrMissingListAreNone) {
  for (const char* text : {"", "{", "{\"a\": 1}", "[1, null, [\"a\"]]"}) {
    file("recent.json", text);
    EXPECT_TRUE(Recent(folder_).files().empty()) << text;
  }
  Recent nowhere(folder_ / "missing" / "deeper");
  nowhere.add("/a.json");
  EXPECT_EQ(nowhere.files().size(), 1u) << "they last as long as the program";
  Recent none((fs::path()));
  none.add("/a.json");
  EXPECT_EQ(none.files().size(), 1u);
}

TEST_F(Recents, OfTwoWindowsAreJoined) {
  Recent one(folder_), other(folder_);
  one.add("/a.json");
  other.add("/b.json");
  EXPECT_EQ(other.files(), (std::vector<fs::path>{"/b.json", "/a.json"}));
}

class Autosaving : public InAFolder {
 protected:
  Scene scene = Scene::fromPreset(sampleSimulation(), "usual");
  fs::path last() const { return folder_ / "last_session.json"; }
  fs::path autosaved() const { return folder_ / ("autosave-" + std::to_string(getpid()) + ".json"); }
  // What a window leaves that was killed: its files, and no lock on them.
  void crash(const std::string& name, const std::string& text) {
    file("autosave-" + name + ".lock", "");
    file("autosave-" + name + ".json", text);
  }
};

TEST_F(Autosaving, KeepsWhatHasChangedAndLeavesItAtTheEnd) {
  {
    Autosave autosave(folder_);
    EXPECT_FALSE(autosave.crashed());
    EXPECT_TRUE(autosave.lastSession().empty());
    autosave.keep(scene, 1, 0);
    EXPECT_EQ(files(), 1u) << "the lock alone: nothing has changed yet";
    scene.seed = 7;
    autosave.keep(scene, 2, 1);
    EXPECT_EQ(files(), 2u);
    const std::string first = toJson(scene);
    scene.seed = 9;
    autosave.keep(scene, 3, 2);
    EXPECT_EQ(content(autosaved()), first) << "not yet";
    autosave.keep(scene, 3, 2 + Autosave::kInterval);
    EXPECT_EQ(content(autosaved()), toJson(scene));
    scene.seed = 8;
    autosave.keepAtEnd(scene);
  }
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(content(last()), toJson(scene));
  Autosave next(folder_);
  EXPECT_FALSE(next.crashed()) << "an orderly end is nothing to restore from by itself";
  EXPECT_EQ(next.lastSession(), last());
}

// A signal that comes while the window opens.
TEST_F(Autosaving, AProcessThatEndsAtOnceTakesItsLockUnlessASceneIsLeftToRestore) {
  const auto left = [&](bool changed) {
    const pid_t child = fork();
    if (child == 0) {
      Autosave autosave(folder_);
      autosave.keep(scene, 1, 0);
      scene.seed = 7;
      if (changed) autosave.keep(scene, 2, 1);
      exporting::unfinished::abandonAll();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return files();
  };
  EXPECT_EQ(left(false), 0u);
  EXPECT_EQ(left(true), 2u);
  EXPECT_TRUE(Autosave(folder_).crashed());
}

TEST_F(Autosaving, AnUntouchedWindowLeavesTheLastSessionAsItWas) {
  file("last_session.json", "the one before");
  {
    Autosave autosave(folder_);
    autosave.keep(scene, 1, 0);
    autosave.keep(scene, 1, 100);
    autosave.keepAtEnd(scene);
  }
  EXPECT_EQ(content(last()), "the one before");
}

TEST_F(Autosaving, OffersWhatACrashedWindowLeftOnce) {
  crash("1", "older");
  fs::last_write_time(folder_ / "autosave-1.json", fs::file_time_type::clock::now() - std::chrono::hours(1));
  crash("2", "newest");
  crash("3", "middle");
  fs::last_write_time(folder_ / "autosave-3.json", fs::file_time_type::clock::now() - std::chrono::minutes(1));
  {
    Autosave autosave(folder_);
    EXPECT_TRUE(autosave.crashed());
    EXPECT_EQ(content(autosave.lastSession()), "newest");
    EXPECT_EQ(files(), 4u) << "that, the two others, and the lock of this window";
    ASSERT_EQ(autosave.earlierSessions().size(), 2u);
    EXPECT_EQ(content(autosave.earlierSessions()[0]), "middle");
    EXPECT_EQ(content(autosave.earlierSessions()[1]), "older");
  }
  const Autosave next(folder_);
  EXPECT_FALSE(next.crashed());
  EXPECT_EQ(next.earlierSessions().size(), 2u) << "they stay in the menu";
}

TEST_F(Autosaving, KeepsTheNewestOfTheEarlierSessions) {
  const std::size_t most = Autosave::kMostEarlier;
  for (std::size_t i = 0; i < most + 3; ++i) {
    crash("7", std::to_string(i));
    const Autosave autosave(folder_);
    EXPECT_EQ(content(autosave.lastSession()), std::to_string(i));
    EXPECT_EQ(autosave.earlierSessions().size(), std::min(i, most));
    for (const fs::path& each : autosave.earlierSessions()) EXPECT_NE(content(each), "");
  }
  crash("7", std::to_string(most + 2));
  EXPECT_EQ(Autosave(folder_).earlierSessions().size(), most)
      << "what is restored and left unchanged is no new session";
}

TEST_F(Autosaving, TheOfferGoesByItselfAfterAWhile) {
  crash("1", "scene");
  Autosave autosave(folder_);
  FileMenu menu(folder_, autosave);
  EXPECT_FALSE(menu.expire(100));
  EXPECT_FALSE(menu.expire(100 + FileMenu::kOfferSeconds / 2));
  EXPECT_TRUE(menu.expire(100 + FileMenu::kOfferSeconds));
  EXPECT_FALSE(menu.expire(101 + FileMenu::kOfferSeconds)) << "once";
  EXPECT_FALSE(Autosave(folder_).lastSession().empty()) << "the menu still has it";
  const Autosave nothing{fs::path()};
  FileMenu without{fs::path(), nothing};
  EXPECT_FALSE(without.expire(1e9));
}

TEST_F(Autosaving, LeavesAWindowThatRunsAlone) {
  auto first = std::make_unique<Autosave>(folder_);
  first->keep(scene, 1, 0);
  scene.seed = 9;
  first->keep(scene, 2, 100);
  {
    Autosave second(folder_);
    EXPECT_FALSE(second.crashed());
    EXPECT_EQ(files(), 3u) << "its scene, its lock, and a lock of another name";
  }
  first.reset();
  EXPECT_EQ(content(last()), toJson(scene));
}

TEST_F(Autosaving, WithoutAFolderKeepsNothingAndSaysNothing) {
  Autosave none((fs::path())), missing(folder_ / "missing");
  for (Autosave* each : {&none, &missing}) {
    each->keep(scene, 1, 0);
    scene.seed += 1;
    each->keepAtEnd(scene);
    EXPECT_FALSE(each->crashed());
  }
  EXPECT_EQ(files(), 0u);
}

class AFolder : public InAFolder {
 protected:
  static constexpr std::array<std::string_view, 2> kEndings = {".json", ".gif"};
  std::string error_;
  void SetUp() override {
    InAFolder::SetUp();
    fs::create_directories(folder_ / "Waves");
    fs::create_directories(folder_ / ".hidden");
    for (const char* name : {"talbot.json", "Barrier.JSON", "barrier-2.json", "notes.txt", "a.gif", ".secret.json"}) {
      file(name);
    }
  }
};

TEST_F(AFolder, ListsItsFoldersAndTheFilesThatFit) {
  const std::vector<FileEntry> expected{
      {"Waves", true}, {"a.gif"}, {"barrier-2.json"}, {"Barrier.JSON"}, {"talbot.json"}};
  EXPECT_EQ(listFolder(folder_, kEndings, error_), expected);
  EXPECT_EQ(error_, "");
  EXPECT_EQ(listFolder(folder_, kEndings, error_, 2).size(), 2u);
}

TEST_F(AFolder, ThatIsMissingIsEmptyAndSaidToBe) {
  EXPECT_TRUE(listFolder(folder_ / "nowhere", kEndings, error_).empty());
  EXPECT_NE(error_.find("nowhere"), std::string::npos) << error_;
}

TEST_F(AFolder, CompletesAsFarAsThereIsOneWay) {
  EXPECT_EQ(completed("ta", folder_, kEndings), "talbot.json");
  EXPECT_EQ(completed("bar", folder_, kEndings), "barrier-2.json");
  EXPECT_EQ(completed("W", folder_, kEndings), "Waves/");
  EXPECT_EQ(completed("", folder_, kEndings), "");
  EXPECT_EQ(completed("x", folder_, kEndings), "x");
  EXPECT_EQ(completed(folder_.string() + "/tal", "/", kEndings), folder_.string() + "/talbot.json");
  file("Waves/one.json");
  file("Waves/once.json");
  EXPECT_EQ(completed("Waves/o", folder_, kEndings), "Waves/on");
}

TEST_F(AFolder, MeansAPathInItOrAWholeOne) {
  EXPECT_EQ(pathMeant("a.json", "/scenes"), "/scenes/a.json");
  EXPECT_EQ(pathMeant("../b.json", "/scenes/deep"), "/scenes/b.json");
  EXPECT_EQ(pathMeant("/tmp/c.json", "/scenes"), "/tmp/c.json");
}

}  // namespace
}  // namespace simscope::gui
