// Files that cannot be written, or not to their end: the stated exit status, and no partial file.
#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "tests/cli/program.h"

namespace simscope::cli_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Writer {
  std::string name;
  std::vector<std::string> arguments;  // the file's name comes last
  std::string extension;
};

void PrintTo(const Writer& writer, std::ostream* stream) {
  *stream << writer.name;
}

const std::vector<Writer>& writers() {
  static const std::vector<Writer> all = {
      {"Report", {"run", "tunneling", "--device", "cpu", "--steps", "1", "--report"}, ".json"},
      {"Save", {"run", "tunneling", "--device", "cpu", "--steps", "1", "--save"}, ".npy"},
      {"Gif",
       {"render", "tunneling", "--device", "cpu", "--frames", "3", "--size", "480x270", "--steps-per-frame", "5",
        "--out"},
       ".gif"},
      {"Png", {"render", "tunneling", "--device", "cpu", "--frames", "1", "--size", "480x270", "--out"}, ".png"},
  };
  return all;
}

class Files : public testing::TestWithParam<Writer> {
 protected:
  Outcome write(const std::string& target, const Settings& settings = {}, bool force = false) const {
    std::vector<std::string> arguments = GetParam().arguments;
    arguments.push_back(target);
    if (force) arguments.push_back("--force");
    return simscope(folder_, arguments, settings);
  }
  std::string name() const { return "file" + GetParam().extension; }
  const Folder folder_;
};

TEST_P(Files, AppearWhole) {
  const Outcome outcome = write(name());
  EXPECT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_THAT(folder_.names(), ElementsAre(name()));
}

TEST_P(Files, InAMissingFolderAreRefused) {
  const Outcome outcome = write("missing/" + name());
  EXPECT_EQ(outcome.status, 2) << told(outcome);
  EXPECT_THAT(outcome.err, HasSubstr("missing"));
  EXPECT_THAT(folder_.names(), IsEmpty());
}

TEST_P(Files, ThatExistAreKeptWithoutForce) {
  std::ofstream(folder_ / name()) << "precious";
  const Outcome refused = write(name());
  EXPECT_EQ(refused.status, 2) << told(refused);
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  EXPECT_EQ(contentOf(folder_ / name()), "precious");
  const Outcome forced = write(name(), {}, true);
  EXPECT_EQ(forced.status, 0) << told(forced);
  EXPECT_NE(contentOf(folder_ / name()), "precious");
  EXPECT_THAT(folder_.names(), ElementsAre(name()));
}

TEST_P(Files, InAFolderWithoutPermissionAreRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  std::filesystem::create_directory(folder_ / "locked");
  std::filesystem::permissions(folder_ / "locked",
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const Outcome outcome = write("locked/" + name());
  std::filesystem::permissions(folder_ / "locked", std::filesystem::perms::owner_all);
  EXPECT_EQ(outcome.status, 2) << told(outcome);
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "locked"));
}

TEST_P(Files, OnAFullDiskFailAndLeaveNothing) {
  Settings settings;
  settings.largest_file = 1000;
  const Outcome outcome = write(name(), settings);
  EXPECT_EQ(outcome.status, 1) << told(outcome);
  EXPECT_THAT(outcome.err, HasSubstr(name()));
  EXPECT_THAT(folder_.names(), IsEmpty());
}

TEST_P(Files, KeepTheOldOneWhereTheDiskIsFull) {
  std::ofstream(folder_ / name()) << "precious";
  Settings settings;
  settings.largest_file = 1000;
  const Outcome outcome = write(name(), settings, true);
  EXPECT_EQ(outcome.status, 1) << told(outcome);
  EXPECT_EQ(contentOf(folder_ / name()), "precious");
  EXPECT_THAT(folder_.names(), ElementsAre(name()));
}

INSTANTIATE_TEST_SUITE_P(Written, Files, testing::ValuesIn(writers()),
                         [](const auto& each) { return each.param.name; });

TEST(StandardOutput, ThatIsFullIsAFailure) {
  const Folder folder;
  Settings settings;
  settings.out_to = "/dev/full";
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"list"}, {"--help"}, {"run", "tunneling", "--device", "cpu", "--steps", "1", "--report", "-"}}) {
    const Outcome outcome = simscope(folder, arguments, settings);
    EXPECT_EQ(outcome.status, 1) << told(outcome);
    EXPECT_THAT(outcome.err, HasSubstr("standard output"));
  }
}

TEST(StandardOutput, ReportToAFullDeviceIsAFailure) {
  const Folder folder;
  const Outcome outcome =
      simscope(folder, {"run", "tunneling", "--device", "cpu", "--steps", "1", "--report", "/dev/full"});
  EXPECT_EQ(outcome.status, 1) << told(outcome);
  EXPECT_THAT(outcome.err, HasSubstr("/dev/full"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(StandardOutput, WithoutAReaderEndsQuietly) {
  const Folder folder;
  Settings settings;
  settings.out_without_reader = true;
  const Outcome outcome = simscope(folder, {"list"}, settings);
  EXPECT_EQ(outcome.status, 1) << told(outcome);
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(StandardOutput, ThatIsClosedIsAFailureAndTakesNoFile) {
  const Folder folder;
  Settings settings;
  settings.close_out = true;
  const Outcome outcome =
      simscope(folder, {"run", "tunneling", "--device", "cpu", "--steps", "1", "--report", "-"}, settings);
  EXPECT_EQ(outcome.status, 1) << told(outcome);
  EXPECT_THAT(folder.names(), IsEmpty());
}

}  // namespace
}  // namespace simscope::cli_test
