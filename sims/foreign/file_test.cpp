#include "sims/foreign/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>

#include "sims/compute/error.h"

namespace simscope::foreign {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ForeignFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "simscope_foreign_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path path(const std::string& name) const { return folder_ / name; }
  fs::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  // What the refusal says, at once.
  static std::string refusal(const fs::path& file, std::uint64_t most = 1000) {
    const auto start = std::chrono::steady_clock::now();
    std::string why = "accepted";
    try {
      (void)readFile(file, most);
    } catch (const UsageError& error) {
      why = error.what();
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
    return why;
  }

 private:
  fs::path folder_;
};

TEST_F(ForeignFile, IsReadAsItIs) {
  const std::string bytes("a\0b\n\xff", 5);
  EXPECT_EQ(readFile(write("file", bytes), 5), bytes);
  EXPECT_EQ(readFile(write("empty", ""), 0), "");
  fs::create_symlink(path("file"), path("link"));
  EXPECT_EQ(readFile(path("link"), 100), bytes);
  const std::string large(300'000, 'x');
  EXPECT_EQ(readFile(write("large", large), 1 << 20), large);
}

TEST_F(ForeignFile, MoreThanIsAskedForIsRefused) {
  EXPECT_THAT(refusal(write("file", std::string(6, 'x')), 5), HasSubstr("more than 5 bytes"));
}

// Files whose size says 0 and that hold more, as those of /proc, are counted as they are read.
TEST_F(ForeignFile, IsBoundedByWhatIsReadNotByWhatItsSizeSays) {
  if (!fs::exists("/proc/self/maps")) GTEST_SKIP() << "no /proc here";
  EXPECT_GT(readFile("/proc/self/maps", 1 << 24).size(), 100u);
  EXPECT_THAT(refusal("/proc/self/maps", 100), HasSubstr("more than 100 bytes"));
}

TEST_F(ForeignFile, DevicesPipesSocketsAndFoldersAreRefusedAtOnce) {
  fs::create_symlink("/dev/zero", path("zero"));
  fs::create_symlink(path("circle"), path("circle"));
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const int socket_descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path("socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(socket_descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  for (const fs::path& file : {path("zero"), path("pipe"), path("socket"), fs::path("/dev/urandom")}) {
    EXPECT_THAT(refusal(file), HasSubstr("not a regular file")) << file;
  }
  ::close(socket_descriptor);
  EXPECT_THAT(refusal(path(".")), HasSubstr("this is a folder"));
  EXPECT_THAT(refusal(path("none")), HasSubstr("no such file"));
  EXPECT_THAT(refusal(write("file", "x") / "within"), HasSubstr("no such file"));
  EXPECT_THAT(refusal(path("circle")), HasSubstr("loop"));
}

TEST_F(ForeignFile, ReadsInPiecesAndSkips) {
  File file(write("file", "0123456789"));
  EXPECT_EQ(file.size(), 10u);
  char piece[8] = {};
  EXPECT_EQ(file.read(piece, 3), 3u);
  file.skip(4);
  EXPECT_EQ(file.read(piece, 8), 3u);
  EXPECT_EQ(std::string(piece, 3), "789");
  file.skip(UINT64_MAX);
  EXPECT_EQ(file.read(piece, 8), 0u);
}

}  // namespace
}  // namespace simscope::foreign
