// A full disk, simulated by a small tmpfs in its own name space: no partial file stays, the reason is correct, and old
// files stay.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "tests/cli/program.h"

namespace simscope::cli_test {
namespace {

using testing::HasSubstr;

// Runs the program in a folder of so many kilobytes, and prints what is left there, one name and its size a line; of
// PNGs the first three letters of what is in them.
class FullDisk : public testing::Test {
 protected:
  void SetUp() override {
    Settings settings = unshared();
    const Outcome outcome = Program(folder_.path(), script("true", 16), settings).wait();
    if (outcome.status != 0) GTEST_SKIP() << "no tmpfs can be mounted here: " << outcome.err;
  }

  static Settings unshared() {
    Settings settings;
    settings.program = "/usr/bin/unshare";
    return settings;
  }
  std::vector<std::string> script(const std::string& command, int kilobytes) const {
    std::filesystem::create_directories(folder_ / "disk");
    std::vector<std::string> words = {"-m"};
    if (geteuid() != 0) words = {"-U", "-r", "-m"};
    words.insert(words.end(),
                 {"sh", "-c",
                  "mount -t tmpfs -o size=" + std::to_string(kilobytes) + "k none disk && cd disk || exit 99; " +
                      command + "; status=$?; ls -A -s -1; exit $status"});
    return words;
  }
  Outcome on(int kilobytes, const std::string& command) const {
    return Program(folder_.path(), script(command, kilobytes), unshared()).wait();
  }

  const Folder folder_;
};

const std::string kFilm = SIMSCOPE_PROGRAM " render tunneling --device cpu --frames 25 --size 320x200 --out ";

TEST_F(FullDisk, AVideoIsWholeOrNotThere) {
  if (!std::filesystem::exists("/usr/bin/ffmpeg")) GTEST_SKIP() << "there is no ffmpeg: install the package ffmpeg";
  for (const std::string name : {"film.mp4", "film.webm", "film.webp", "film.mkv"}) {
    const Outcome room = on(16384, kFilm + name + " && stat -c 'takes %s' " + name);
    ASSERT_EQ(room.status, 0) << told(room);
    const int bytes = std::stoi(room.out.substr(room.out.find("takes ") + 6));
    const int pages = (bytes + 4095) / 4096;
    for (const int fewer : {1, pages / 2}) {
      if (fewer >= pages) continue;
      const Outcome full = on(4 * (pages - fewer), kFilm + name);
      EXPECT_EQ(full.status, 1) << name << ", " << fewer << " of " << pages << " pages too few\n" << told(full);
      EXPECT_THAT(full.err, HasSubstr("No space left on device")) << name;
      EXPECT_THAT(full.err, testing::Not(HasSubstr("built without")));
      EXPECT_EQ(full.out, "total 0\n") << name;
    }
  }
}

TEST_F(FullDisk, OldNumberedPicturesStay) {
  const std::string old = "for i in 1 2 3 4 5 6 7 8; do echo old > t000$i.png; done; ";
  const Outcome full =
      on(96, old + SIMSCOPE_PROGRAM
                 " render tunneling --device cpu --frames 8 --size 320x200 --sequence --force --out t.png; "
                 "status=$?; cat t*.png; (exit $status)");
  EXPECT_EQ(full.status, 1) << told(full);
  EXPECT_THAT(full.err, HasSubstr("No space left on device"));
  EXPECT_THAT(full.out, HasSubstr("old\nold\nold\nold\nold\nold\nold\nold\n"));
  EXPECT_THAT(full.out, testing::Not(HasSubstr("part")));
}

TEST_F(FullDisk, OneOfSeveralFilesTakesTheOthersWithIt) {
  const Outcome full = on(64, kFilm + "film.gif --out numbers.csv --out field.npy");
  EXPECT_EQ(full.status, 1) << told(full);
  EXPECT_EQ(full.out, "total 0\n");
}

}  // namespace
}  // namespace simscope::cli_test
