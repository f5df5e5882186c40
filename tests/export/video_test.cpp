// Videos as ffmpeg and Pillow decode them; and every way in which an encoder can fail, acted out by small scripts under
// the name of ffmpeg.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "app/export/child_process.h"
#include "app/export/encoder.h"
#include "app/export/video_check.h"
#include "sims/compute/error.h"
#include "tests/export/support.h"

namespace simscope::exporting::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

VideoOptions optionsFor(VideoFormat format, int width = 64, int height = 48) {
  VideoOptions options;
  options.format = format;
  options.width = width;
  options.height = height;
  return options;
}

// Slow waves, which lossy codecs keep well.
Picture waves(int frame, int width, int height) {
  Picture picture;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < 3; ++c) {
        picture.push_back(
            static_cast<std::uint8_t>(std::lround(127 + 90 * std::sin(0.08 * x + 0.05 * y * c + 0.2 * frame + c))));
      }
    }
  }
  return picture;
}

void record(const fs::path& target, const VideoOptions& options, int frames, Picture* all = nullptr) {
  Encoder encoder(target, options);
  for (int i = 0; i < frames; ++i) {
    const Picture picture = waves(i, options.width, options.height);
    if (all != nullptr) {
      all->insert(all->end(), picture.begin(), picture.end());
    }
    encoder.add(picture);
  }
  EXPECT_FALSE(fs::exists(target));
  encoder.finish();
  EXPECT_EQ(encoder.progress().frames, frames);
  EXPECT_EQ(encoder.progress().bytes, fs::file_size(target));
}

#define SKIP_WITHOUT_FFMPEG()                                         \
  if (!findProgram("ffmpeg")) {                                       \
    GTEST_SKIP() << "there is no ffmpeg: install the package ffmpeg"; \
  }

class VideoDecodes
    : public ::testing::TestWithParam<std::tuple<VideoFormat, const char*, const char*, const char*, double>> {};

TEST_P(VideoDecodes, ToThePicturesThatWereRecorded) {
  SKIP_WITHOUT_FFMPEG();
  const auto [format, ending, codec, pixels, error] = GetParam();
  const Folder folder;
  std::string jobs;
  for (const auto& [width, height, frames, fps] : {std::tuple{96, 64, 9, 25.0}, {97, 65, 3, 30.0}}) {
    VideoOptions options = optionsFor(format, width, height);
    options.fps = fps;
    // A name that a shell, a URL, or a pattern would read as something else.
    const fs::path target = folder / fmt::format("-a'b $(x) http:%03d {}{}", width, ending);
    Picture all;
    record(target, options, frames, &all);
    const fs::path raw = folder / fmt::format("{}.raw", width);
    storeRaw(raw, all);
    jobs += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}{}\n", target.string(), raw.string(), width, height, frames, fps,
                        codec, pixels, error > 0 ? fmt::format("\t{}", error) : "");
  }
  expectScriptAgrees("check_video.py", folder, jobs);
}

INSTANTIATE_TEST_SUITE_P(Formats, VideoDecodes,
                         ::testing::Values(std::tuple{VideoFormat::Mp4, ".mp4", "h264", "yuv420p", 3.0},
                                           std::tuple{VideoFormat::Webm, ".webm", "vp9", "yuv420p", 4.0},
                                           std::tuple{VideoFormat::Webp, ".webp", "webp", "bgra", 0.0},
                                           std::tuple{VideoFormat::Mkv, ".mkv", "ffv1", "bgr0", 0.0}),
                         [](const auto& parameter) { return std::string(std::get<1>(parameter.param) + 1); });

TEST(Video, TheSamePicturesGiveTheSameFile) {
  SKIP_WITHOUT_FFMPEG();
  const Folder folder;
  for (const std::string name : {"a", "b"}) {
    record(folder / (name + ".mp4"), optionsFor(VideoFormat::Mp4), 5);
    record(folder / (name + ".mkv"), optionsFor(VideoFormat::Mkv), 5);
  }
  EXPECT_TRUE(contentOf(folder / "a.mp4") == contentOf(folder / "b.mp4"));
  EXPECT_TRUE(contentOf(folder / "a.mkv") == contentOf(folder / "b.mkv"));
}

TEST(Video, RefusesAnExistingFileUnlessForced) {
  SKIP_WITHOUT_FFMPEG();
  const Folder folder;
  store(folder / "a.mkv", "old");
  VideoOptions options = optionsFor(VideoFormat::Mkv);
  EXPECT_THAT(messageOf<UsageError>([&] { Encoder(folder / "a.mkv", options); }), HasSubstr("--force"));
  options.overwrite = true;
  {
    Encoder encoder(folder / "a.mkv", options);
    encoder.add(waves(0, 64, 48));
  }
  EXPECT_EQ(contentOf(folder / "a.mkv"), "old");
  Encoder encoder(folder / "a.mkv", options);
  encoder.add(waves(0, 64, 48));
  encoder.finish();
  EXPECT_NE(contentOf(folder / "a.mkv"), "old");
  EXPECT_THAT(folder.names(), ElementsAre("a.mkv"));
}

TEST(Video, ADiskThatFillsUpSurfacesAndLeavesNothing) {
  SKIP_WITHOUT_FFMPEG();
  const Folder folder;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  auto* const handler = ::signal(SIGXFSZ, SIG_IGN);  // ffmpeg inherits both
  const rlimit limit{200'000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::string message;
  {
    Encoder encoder(folder / "a.mkv", optionsFor(VideoFormat::Mkv, 200, 200));
    Numbers numbers(1);
    message = messageOf<Error>([&] {
      for (int i = 0; i < 30; ++i) {
        encoder.add(noise(200, 200, numbers));
      }
      encoder.finish();
    });
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  EXPECT_THAT(message, HasSubstr("ffmpeg"));
  EXPECT_THAT(folder.names(), IsEmpty());
}

class VideoIndex : public ::testing::TestWithParam<std::pair<VideoFormat, const char*>> {};

TEST_P(VideoIndex, TellsAWholeVideoFromAnyPartOfIt) {
  SKIP_WITHOUT_FFMPEG();
  const auto [format, ending] = GetParam();
  const Folder folder;
  for (const auto& [frames, fps] : {std::pair{1, 25.0}, {7, 25.0}, {40, 100 / 3.0}, {9, 24.0}}) {
    const fs::path whole = folder / (std::string("whole") + ending), part = folder / (std::string("part") + ending);
    VideoOptions options = optionsFor(format);
    options.fps = fps;
    options.overwrite = true;
    {
      Encoder encoder(whole, options);
      for (int i = 0; i < frames; ++i) {
        encoder.add(waves(i, 64, 48));
      }
      encoder.finish();
    }
    EXPECT_EQ(flawOf(whole, format, frames, fps), "");
    const bool still = format == VideoFormat::Webp && frames == 1;
    if (!still) {
      EXPECT_NE(flawOf(whole, format, frames + 3, fps), "");
    }
    if (frames > 1) {
      EXPECT_NE(flawOf(whole, format, frames, fps / 3), "");
    }
    const std::string bytes = contentOf(whole);
    const std::size_t step = std::max<std::size_t>(1, bytes.size() / 150);
    for (std::size_t length = 0; length < bytes.size(); length += step) {
      store(part, bytes.substr(0, length));
      EXPECT_NE(flawOf(part, format, frames, fps), "") << length << " of " << bytes.size() << " bytes";
    }
    store(part, bytes.substr(0, bytes.size() - 1));
    EXPECT_NE(flawOf(part, format, frames, fps), "") << "one byte less";
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, VideoIndex,
                         ::testing::Values(std::pair{VideoFormat::Mp4, ".mp4"}, std::pair{VideoFormat::Webm, ".webm"},
                                           std::pair{VideoFormat::Webp, ".webp"}, std::pair{VideoFormat::Mkv, ".mkv"}),
                         [](const auto& parameter) { return std::string(parameter.param.second + 1); });

// Equal pictures are kept once.
TEST(VideoIndex, TakesAWebpThatStandsStill) {
  SKIP_WITHOUT_FFMPEG();
  const Folder folder;
  for (const int pause : {0, 3, 12}) {
    VideoOptions options = optionsFor(VideoFormat::Webp);
    options.overwrite = true;
    Encoder encoder(folder / "a.webp", options);
    for (int i = 0; i < 12; ++i) {
      encoder.add(waves(i < pause ? 0 : pause > 3 ? 1 : i, 64, 48));
    }
    EXPECT_NO_THROW(encoder.finish()) << pause;
  }
}

// Wherever the disk ends, there is a whole file or none, and the reason is told.
TEST(Video, IsWholeOrNotThereWhereverTheDiskIsFull) {
  SKIP_WITHOUT_FFMPEG();
  const Folder folder;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  auto* const handler = ::signal(SIGXFSZ, SIG_IGN);  // ffmpeg inherits both
  for (const auto& [kind, ending] : {std::pair{VideoFormat::Mp4, ".mp4"},
                                     {VideoFormat::Webm, ".webm"},
                                     {VideoFormat::Webp, ".webp"},
                                     {VideoFormat::Mkv, ".mkv"}}) {
    const VideoFormat format = kind;  // clang before 16 does not capture structured bindings
    const fs::path target = folder / (std::string("a") + ending);
    record(target, optionsFor(format), 12);
    const auto whole = fs::file_size(target);
    fs::remove(target);
    for (const auto most : {whole - 1, whole - 30, whole - whole / 4, whole / 2, whole / 50}) {
      const rlimit limit{most, before.rlim_max};
      ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
      const std::string message = messageOf<Error>([&] { record(target, optionsFor(format), 12); });
      ::setrlimit(RLIMIT_FSIZE, &before);
      EXPECT_THAT(message, HasSubstr("File too large")) << most << " of " << whole;
      EXPECT_THAT(folder.names(), IsEmpty()) << ending << ", " << most << " of " << whole;
    }
  }
  ::signal(SIGXFSZ, handler);
}

TEST(Video, RefusesWhatTheFormatCannotExpress) {
  const Folder folder;
  const auto refused = [&](auto change) {
    VideoOptions options = optionsFor(VideoFormat::Webp);
    change(options);
    EXPECT_THROW(Encoder(folder / "a.webp", options), UsageError);
  };
  refused([](VideoOptions& o) { o.width = 0; });
  refused([](VideoOptions& o) { o.height = 16384; });
  refused([](VideoOptions& o) { o.fps = 0; });
  refused([](VideoOptions& o) { o.fps = std::nan(""); });
  refused([](VideoOptions& o) { o.loop = -1; });
  EXPECT_THAT(messageOf<UsageError>([&] { Encoder(folder / "a.mp4", optionsFor(VideoFormat::Mp4, 16384, 16384)); }),
              HasSubstr("choose 16384x16128 at most"));
  EXPECT_THAT(folder.names(), IsEmpty());
}

// With a PATH of its own, and an ffmpeg that says that it has the usual encoders, then does as it is told. The last
// argument is where it should write, after "file:".
class FakeFfmpeg : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* const path = std::getenv("PATH");
    before_ = path != nullptr ? path : "";
    ::setenv("PATH", folder_.path().c_str(), 1);
  }
  void TearDown() override { ::setenv("PATH", before_.c_str(), 1); }

  void does(const std::string& what, const std::string& encoders = "libx264 ffv1") {
    const fs::path program = folder_ / "ffmpeg";
    store(program,
          fmt::format("#!/bin/sh\nPATH=/usr/bin:/bin\nfor last; do :; done\nif [ \"$last\" = -encoders ]; then "
                      "echo ' V....D {}'; exit 0; fi\n{}\n",
                      encoders, what));
    fs::permissions(program, fs::perms::owner_all);
  }
  // What recording many pictures over an old file ends with.
  std::string failure() {
    store(target_folder_ / "a.mp4", "old");
    VideoOptions options = optionsFor(VideoFormat::Mp4, 300, 200);
    options.overwrite = true;
    Encoder encoder(target_folder_ / "a.mp4", options);
    const std::string message = messageOf<Error>([&] {
      for (int i = 0; i < 100; ++i) {
        encoder.add(Picture(300 * 200 * 3));
      }
      encoder.finish();
    });
    EXPECT_THAT(target_folder_.names(), ElementsAre("a.mp4"));
    EXPECT_EQ(contentOf(target_folder_ / "a.mp4"), "old");
    EXPECT_THROW(encoder.finish(), Error);
    return message;
  }

  Folder folder_, target_folder_;

 private:
  std::string before_;
};

TEST_F(FakeFfmpeg, AbsentIsAUsageErrorThatNamesThePackage) {
  EXPECT_THAT(messageOf<UsageError>([&] { Encoder(target_folder_ / "a.mp4", optionsFor(VideoFormat::Mp4)); }),
              HasSubstr("package ffmpeg"));
  EXPECT_THAT(target_folder_.names(), IsEmpty());
}

TEST_F(FakeFfmpeg, WithoutTheEncoderIsAUsageErrorThatNamesIt) {
  does("exit 1", "mpeg4");
  EXPECT_THAT(messageOf<UsageError>([&] { Encoder(target_folder_ / "a.mp4", optionsFor(VideoFormat::Mp4)); }),
              HasSubstr("built without libx264 and libopenh264"));
  EXPECT_THAT(target_folder_.names(), IsEmpty());
}

TEST_F(FakeFfmpeg, ThatDoesNotRunIsAUsageError) {
  store(folder_ / "ffmpeg", "#!/bin/sh\necho 'cannot open shared object' >&2\nexit 127\n");
  fs::permissions(folder_ / "ffmpeg", fs::perms::owner_all);
  EXPECT_THAT(messageOf<UsageError>([&] { Encoder(target_folder_ / "a.mp4", optionsFor(VideoFormat::Mp4)); }),
              HasSubstr("cannot open shared object"));
}

TEST_F(FakeFfmpeg, KilledSurfacesAndTheOldFileStays) {
  does("head -c 100000 > /dev/null; kill -9 $$");
  EXPECT_THAT(failure(), HasSubstr("killed by signal 9"));
}

TEST_F(FakeFfmpeg, ThatFailsIsQuoted) {
  does("cat > /dev/null; echo 'the disk is full' >&2; exit 3");
  const std::string message = failure();
  EXPECT_THAT(message, HasSubstr("status 3"));
  EXPECT_THAT(message, HasSubstr("the disk is full"));
}

TEST_F(FakeFfmpeg, ThatSaysMuchIsQuotedByItsLastLines) {
  does("cat > /dev/null; i=0; while [ $i -lt 400 ]; do echo \"line $i\" >&2; i=$((i+1)); done; exit 1");
  const std::string message = failure();
  EXPECT_LT(message.size(), 2000u);
  EXPECT_THAT(message, HasSubstr("\nline 399"));
  EXPECT_THAT(message, ::testing::Not(HasSubstr("line 1\n")));
}

TEST_F(FakeFfmpeg, ThatClosesItsInputAtOnceSurfaces) {
  does("exec < /dev/null; exit 0");
  EXPECT_THAT(failure(), HasSubstr("ended without a video"));
}

TEST_F(FakeFfmpeg, ThatReadsAllButWritesNothingSurfaces) {
  does("cat > /dev/null");
  EXPECT_THAT(failure(), HasSubstr("ended without a video"));
}

// As ffmpeg does where the disk is full for the trailer.
TEST_F(FakeFfmpeg, ThatEndsWellWithHalfAVideoSurfaces) {
  does("cat > /dev/null; echo half > \"${last#file:}\"; exit 0");
  EXPECT_THAT(failure(), HasSubstr("ffmpeg made a video that"));
}

TEST_F(FakeFfmpeg, ThatHangsEndsWithTheRecording) {
  does("sleep 1000");
  for (const bool cancelled : {true, false}) {
    {
      Encoder encoder(target_folder_ / "a.mp4", optionsFor(VideoFormat::Mp4, 1000, 1000));
      encoder.add(Picture(3'000'000));
      encoder.add(Picture(3'000'000));
      if (cancelled) {
        std::thread waiting([&] { EXPECT_THAT(messageOf<Error>([&] { encoder.finish(); }), HasSubstr("cancelled")); });
        encoder.cancel();
        waiting.join();
      }
    }
    EXPECT_THAT(target_folder_.names(), IsEmpty());
  }
}

TEST_F(FakeFfmpeg, ThatHangsAtTheEndIsKilledByCancel) {
  does("cat > /dev/null; touch \"${0%/*}/read\"; sleep 1000");
  Encoder encoder(target_folder_ / "a.mp4", optionsFor(VideoFormat::Mp4));
  encoder.add(Picture(64 * 48 * 3));
  std::thread waiting([&] { EXPECT_THAT(messageOf<Error>([&] { encoder.finish(); }), HasSubstr("cancelled")); });
  while (!fs::exists(folder_ / "read")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  encoder.cancel();
  waiting.join();
  EXPECT_THAT(target_folder_.names(), IsEmpty());
}

TEST_F(FakeFfmpeg, WithoutAPictureLeavesNothing) {
  does("cat > /dev/null");
  Encoder encoder(target_folder_ / "a.mp4", optionsFor(VideoFormat::Mp4));
  EXPECT_THAT(messageOf<Error>([&] { encoder.finish(); }), HasSubstr("no picture"));
  EXPECT_THAT(target_folder_.names(), IsEmpty());
}

}  // namespace
}  // namespace simscope::exporting::testing
