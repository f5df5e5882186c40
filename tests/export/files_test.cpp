// PendingFile: whole or not there.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <thread>

#include "app/export/child_process.h"
#include "app/export/files.h"
#include "app/export/unfinished.h"
#include "sims/compute/error.h"
#include "tests/export/support.h"

namespace simscope::exporting::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(PendingFile, AppearsUnderItsNameOnlyWhenCommitted) {
  const Folder folder;
  PendingFile file(folder / "a.txt", false);
  file.write("hello", 5);
  EXPECT_THAT(folder.names(), SizeIs(1));
  EXPECT_FALSE(fs::exists(folder / "a.txt"));
  file.commit();
  EXPECT_THAT(folder.names(), ElementsAre("a.txt"));
  EXPECT_EQ(contentOf(folder / "a.txt"), "hello");
  EXPECT_EQ(file.bytes(), 5u);
}

TEST(PendingFile, KeepsTheOrderOfSmallAndLargeWrites) {
  const Folder folder;
  Numbers numbers(1);
  std::string expected;
  PendingFile file(folder / "a.bin", false);
  for (const std::size_t bytes : {1u, 200'000u, 0u, 100'000u, 1'000'000u, 3u, 262'144u, 7u}) {
    std::string part(bytes, '\0');
    for (char& c : part) {
      c = static_cast<char>(numbers.next());
    }
    file.write(part.data(), part.size());
    expected += part;
  }
  file.commit();
  EXPECT_TRUE(contentOf(folder / "a.bin") == expected);
}

TEST(PendingFile, DestroyedBeforeCommitLeavesNothing) {
  const Folder folder;
  {
    PendingFile file(folder / "a.txt", false);
    const std::string data(1'000'000, 'x');
    file.write(data.data(), data.size());
    const PendingFile moved(std::move(file));
    EXPECT_THAT(folder.names(), SizeIs(1));
  }
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(PendingFile, AMovedFileIsWrittenByItsNewOwner) {
  const Folder folder;
  PendingFile file(folder / "a.txt", false);
  file.write("ab", 2);
  PendingFile moved(std::move(file));
  moved.write("cd", 2);
  moved.commit();
  EXPECT_EQ(contentOf(folder / "a.txt"), "abcd");
}

TEST(PendingFile, RefusesAnExistingFileUnlessForced) {
  const Folder folder;
  store(folder / "a.txt", "old");
  EXPECT_THAT(messageOf<UsageError>([&] { PendingFile(folder / "a.txt", false); }), HasSubstr("--force"));
  {
    PendingFile dropped(folder / "a.txt", true);
    dropped.write("new", 3);
  }
  EXPECT_EQ(contentOf(folder / "a.txt"), "old");
  writeText(folder / "a.txt", "new", true);
  EXPECT_EQ(contentOf(folder / "a.txt"), "new");
  EXPECT_THAT(folder.names(), ElementsAre("a.txt"));
}

TEST(PendingFile, RefusesAFileThatAppearedMeanwhile) {
  const Folder folder;
  PendingFile file(folder / "a.txt", false);
  store(folder / "a.txt", "theirs");
  EXPECT_THAT(messageOf<Error>([&] { file.commit(); }), HasSubstr("a.txt"));
  EXPECT_EQ(contentOf(folder / "a.txt"), "theirs");
  EXPECT_THAT(folder.names(), ElementsAre("a.txt"));
}

TEST(PendingFile, NamesWhatIsWrongWithTheTarget) {
  const Folder folder;
  store(folder / "file", "");
  const auto message = [](const fs::path& target) { return messageOf<UsageError>([&] { PendingFile(target, true); }); };
  EXPECT_THAT(message(""), HasSubstr("no file name"));
  EXPECT_THAT(message(folder.path()), HasSubstr("is a folder"));
  EXPECT_THAT(message(folder / ""), HasSubstr("is a folder"));
  EXPECT_THAT(message(folder / "missing/a.gif"), HasSubstr("missing"));
  EXPECT_THAT(message(folder / "file/a.gif"), HasSubstr("file"));
  EXPECT_THAT(message(folder / std::string(300, 'n')), HasSubstr("too long"));
  EXPECT_THAT(message("/proc/simscope-test.gif"), HasSubstr("/proc"));
  EXPECT_THAT(folder.names(), ElementsAre("file"));
}

TEST(PendingFile, RefusesAFolderWithoutPermission) {
  if (::geteuid() == 0) {
    GTEST_SKIP() << "root may write everywhere";
  }
  const Folder folder;
  fs::create_directory(folder / "locked");
  fs::permissions(folder / "locked", fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT(messageOf<UsageError>([&] { PendingFile(folder / "locked/a.gif", false); }), HasSubstr("locked"));
  fs::permissions(folder / "locked", fs::perms::owner_all);
}

TEST(PendingFile, TakesNamesOfTheGreatestLength) {
  const Folder folder;
  std::string name;
  while (name.size() + 2 <= 254) {
    name += "ψ";
  }
  writeText(folder / name, "text", false);
  EXPECT_THAT(folder.names(), ElementsAre(name));
}

TEST(PendingFile, FollowsALinkAndKeepsIt) {
  const Folder folder;
  fs::create_directory(folder / "there");
  store(folder / "there/real", "old");
  fs::create_symlink("there/real", folder / "link");
  EXPECT_THROW(writeText(folder / "link", "new", false), UsageError);
  writeText(folder / "link", "new", true);
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(contentOf(folder / "there/real"), "new");
  fs::create_symlink("nowhere", folder / "dangling");
  EXPECT_THROW(writeText(folder / "dangling", "new", false), UsageError);
}

TEST(PendingFile, HasThePermissionsThatTheUmaskAllows) {
  const Folder folder;
  const mode_t before = ::umask(027);
  writeText(folder / "a.txt", "", false);
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat((folder / "a.txt").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0640u);
}

TEST(PendingFile, CanBeOpenedByItsOwnerUntilItIsCompleteWhateverTheUmask) {
  const Folder folder;
  const auto modeOf = [](const fs::path& file) {
    struct stat status {};
    EXPECT_EQ(::stat(file.c_str(), &status), 0) << file;
    return status.st_mode & 0777u;
  };
  const mode_t before = ::umask(0277);
  PendingFile file(folder / "a.mp4", false);
  const PendingFolder pictures(folder / "a.png");
  ::umask(before);
  EXPECT_EQ(modeOf(file.temporary()), 0600u);
  EXPECT_EQ(modeOf(pictures.path()), 0700u);
  file.write("a", 1);
  file.commit();
  EXPECT_EQ(modeOf(folder / "a.mp4"), 0400u);
}

TEST(PendingFile, StaysInTheFolderThatWasMeantWhenTheProgramMovesOn) {
  const Folder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  PendingFile file("a.txt", false);
  fs::current_path(before);
  file.commit();
  EXPECT_THAT(folder.names(), ElementsAre("a.txt"));
}

TEST(PendingFile, WritesToDevicesDirectly) {
  PendingFile null("/dev/null", false);
  null.write("x", 1);
  null.commit();
  struct stat status {};
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
}

TEST(PendingFile, ReportsAFullDevice) {
  if (!fs::is_character_file("/dev/full")) {
    GTEST_SKIP() << "there is no /dev/full";
  }
  EXPECT_THAT(messageOf<Error>([] { writeText("/dev/full", "text", false); }),
              HasSubstr("No space left on device (0 of 4 bytes were written)"));
}

TEST(PendingFile, WritesThroughAPipe) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const int reader = ::open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  writeText(folder / "pipe", "through", false);
  char buffer[16] = {};
  EXPECT_EQ(::read(reader, buffer, sizeof buffer), 7);
  EXPECT_STREQ(buffer, "through");
  ::close(reader);
  EXPECT_THAT(folder.names(), ElementsAre("pipe"));
}

// The nearest thing to a full disk that needs no privileges.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(PendingFile, SaysHowMuchFittedAndLeavesNothing) {
  const Folder folder;
  const std::string data(400'000, 'x');
  std::string message;
  {
    const FileSizeLimit limit(1'000'000);
    PendingFile file(folder / "a.bin", false);
    message = messageOf<Error>([&] {
      for (int i = 0; i < 10; ++i) {
        file.write(data.data(), data.size());
      }
    });
    EXPECT_THROW(file.write("x", 1), Error);
    EXPECT_THROW(file.commit(), Error);
  }
  EXPECT_THAT(message, HasSubstr("1000000 of 1200000 bytes were written; the partial file was deleted"));
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(PendingFile, KeepsTheOldFileWhenTheDiskFills) {
  const Folder folder;
  store(folder / "a.txt", "old");
  {
    const FileSizeLimit limit(1000);
    EXPECT_THROW(writeText(folder / "a.txt", std::string(2000, 'x'), true), Error);
  }
  EXPECT_EQ(contentOf(folder / "a.txt"), "old");
  EXPECT_THAT(folder.names(), ElementsAre("a.txt"));
}

// Ended; whoever inherits it may not have waited for it yet.
bool isGone(int process) {
  const std::string stat = contentOf("/proc/" + std::to_string(process) + "/stat");
  const auto name = stat.rfind(')');
  return name == std::string::npos || stat.at(name + 2) == 'Z';
}

TEST(PendingFile, ManyAtOnce) {
  const Folder folder;
  std::vector<std::unique_ptr<PendingFile>> files;
  for (int i = 0; i < 100; ++i) {
    files.push_back(std::make_unique<PendingFile>(folder / std::to_string(i), false));
  }
  files.clear();
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(PendingFile, KeepsThePermissionsAndTheOwnerOfTheFileThatItReplaces) {
  const Folder folder;
  const mode_t before = ::umask(022);
  for (const mode_t mode : {0600u, 0640u, 0664u, 0400u, 0755u}) {
    store(folder / "a.txt", "old");
    ASSERT_EQ(::chmod((folder / "a.txt").c_str(), mode), 0);
    const bool root = ::geteuid() == 0;
    if (root) {
      ASSERT_EQ(::chown((folder / "a.txt").c_str(), 1234, 4321), 0);
    }
    PendingFile file(folder / "a.txt", true);
    struct stat status {};
    ASSERT_EQ(::stat(file.temporary().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0077u & ~mode, 0u) << "more may read it while it is made";
    file.write("new", 3);
    file.commit();
    EXPECT_EQ(contentOf(folder / "a.txt"), "new");
    ASSERT_EQ(::stat((folder / "a.txt").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777u, mode);
    if (root) {
      EXPECT_EQ(status.st_uid, 1234u);
      EXPECT_EQ(status.st_gid, 4321u);
    }
  }
  ::umask(before);
}

TEST(PendingFile, SaysThatTheWorkingFolderIsGone) {
  const Folder folder;
  const fs::path before = fs::current_path();
  fs::create_directory(folder / "gone");
  fs::current_path(folder / "gone");
  fs::remove(folder / "gone");
  const std::string message = messageOf<UsageError>([] { PendingFile("a.txt", false); });
  fs::current_path(before);
  EXPECT_THAT(message, HasSubstr("the working directory no longer exists"));
}

TEST(RequireRegular, RefusesAPipeWithoutOpeningIt) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(messageOf<UsageError>([&] { requireRegular(folder / "pipe", "a snapshot"); }),
              HasSubstr("a snapshot can only be written to one"));
  requireRegular(folder / "nothing", "a snapshot");
}

// Files that appear together.
class PlaceAll : public ::testing::Test {
 protected:
  // Complete, but for their names; the last one's appears meanwhile where `blocked`.
  void make(bool overwrite, bool blocked) {
    for (const char* name : {"a", "b", "c"}) {
      files_.push_back(std::make_unique<PendingFile>(folder_ / name, overwrite));
      files_.back()->write("new", 3);
      files_.back()->complete();
      placements_.push_back(*files_.back()->placement());
    }
    if (blocked) {
      fs::remove(folder_ / "c");
      fs::create_directories(folder_ / "c/full");
    }
  }
  std::string all() const {
    std::string text;
    for (const char* name : {"a", "b", "c"}) {
      text += fs::is_regular_file(folder_ / name) ? contentOf(folder_ / name) + " " : "- ";
    }
    return text;
  }

  const Folder folder_;
  std::vector<std::unique_ptr<PendingFile>> files_;
  std::vector<Placement> placements_;
};

TEST_F(PlaceAll, NewOnesAndOldOnesTogether) {
  store(folder_ / "b", "old");
  make(true, false);
  EXPECT_EQ(all(), "- old - ");
  placeAll(placements_);
  EXPECT_EQ(all(), "new new new ");
  EXPECT_THAT(folder_.names(), ElementsAre("a", "b", "c")) << "the old one is gone";
}

TEST_F(PlaceAll, AllOrNone) {
  store(folder_ / "b", "old");
  make(true, true);
  EXPECT_THAT(messageOf<Error>([&] { placeAll(placements_); }), HasSubstr("/c'"));
  EXPECT_EQ(all(), "- old - ");
  files_.clear();
  EXPECT_THAT(folder_.names(), ElementsAre("b", "c"));
  EXPECT_EQ(contentOf(folder_ / "b"), "old");
}

TEST_F(PlaceAll, RefusesWhatAppearedMeanwhile) {
  make(false, false);
  store(folder_ / "c", "other");
  EXPECT_THROW(placeAll(placements_), Error);
  EXPECT_EQ(all(), "- - other ");
  files_.clear();
  EXPECT_THAT(folder_.names(), ElementsAre("c"));
}

// In a process of its own, for afterwards nothing can be made any more.
TEST(AbandonAll, LeavesNeitherFilesNorFoldersNorPrograms) {
  const Folder folder;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::vector<std::unique_ptr<PendingFile>> files;
    for (int i = 0; i < 5; ++i) {
      files.push_back(std::make_unique<PendingFile>(folder / std::to_string(i), false));
      files.back()->write("x", 1);
    }
    files[2]->commit();
    files[3]->complete();
    const PendingFolder frames(folder / "frames.png");
    const PendingFile frame(folder / "frame1.png", false, &frames);
    const ChildProcess sleeper("/bin/sh", {"-c", "echo $$ > " + (folder / "pid").string() + "; sleep 1000"});
    while (contentOf(folder / "pid").find('\n') == std::string::npos) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    // Others go on all the while.
    std::vector<std::thread> busy;
    for (int i = 0; i < 4; ++i) {
      busy.emplace_back([&folder, i] {
        for (;;) {
          PendingFile(folder / ("busy" + std::to_string(i)), false).write("x", 1);
        }
      });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    unfinished::abandonAll();
    ::_exit(::kill(std::stoi(contentOf(folder / "pid")), 0) == 0 ? 8 : 7);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_THAT(WEXITSTATUS(status), ::testing::AnyOf(7, 8)) << "8: killed, but not yet waited for";
  EXPECT_THAT(folder.names(), ElementsAre("2", "pid"));
  EXPECT_TRUE(isGone(std::stoi(contentOf(folder / "pid"))));
}

}  // namespace
}  // namespace simscope::exporting::testing
