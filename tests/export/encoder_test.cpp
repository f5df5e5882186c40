// The Encoder: what it refuses, how it fails, and what it leaves behind when it is stopped.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>
#include <utility>

#include "app/export/embedded.h"
#include "app/export/encoder.h"
#include "app/export/files.h"
#include "sims/compute/error.h"
#include "tests/export/support.h"

namespace simscope::exporting::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

GifOptions optionsFor(int width, int height) {
  GifOptions options;
  options.width = width;
  options.height = height;
  options.exact_colours = distinctColours(200);
  return options;
}

Picture noisyPicture(int width, int height, Numbers& numbers) {
  return noiseOf(distinctColours(200), width, height, numbers);
}

template <typename Condition>
void waitFor(Condition&& condition) {
  while (!condition()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(Encoder, RefusesOptionsThatAGifCannotExpressAndCreatesNothing) {
  const Folder folder;
  const auto refused = [&](auto change) {
    GifOptions options = optionsFor(10, 10);
    change(options);
    EXPECT_THROW(Encoder(folder / "a.gif", options), UsageError);
  };
  refused([](GifOptions& o) { o.width = 0; });
  refused([](GifOptions& o) { o.height = -3; });
  refused([](GifOptions& o) { o.width = 65536; });
  refused([](GifOptions& o) { o.fps = 60; });
  refused([](GifOptions& o) { o.loop = -1; });
  refused([](GifOptions& o) { o.loop = 65536; });
  refused([](GifOptions& o) { o.exact_colours = distinctColours(256); });
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(Encoder, RefusesAnExistingFileUnlessForced) {
  const Folder folder;
  store(folder / "a.gif", "old");
  GifOptions options = optionsFor(4, 4);
  EXPECT_THAT(messageOf<UsageError>([&] { Encoder(folder / "a.gif", options); }), HasSubstr("--force"));
  EXPECT_THROW(Encoder(folder / "missing/a.gif", options), UsageError);
  options.overwrite = true;
  Numbers numbers(1);
  Encoder encoder(folder / "a.gif", options);
  encoder.add(noisyPicture(4, 4, numbers));
  EXPECT_EQ(contentOf(folder / "a.gif"), "old");
  encoder.finish();
  EXPECT_THAT(contentOf(folder / "a.gif"), ::testing::StartsWith("GIF89a"));
}

TEST(Encoder, RefusesPicturesOfAnotherSizeAndGoesOn) {
  const Folder folder;
  Numbers numbers(1);
  Encoder encoder(folder / "a.gif", optionsFor(4, 4));
  EXPECT_THROW(encoder.add(Picture(47)), Error);
  encoder.add(noisyPicture(4, 4, numbers));
  encoder.finish();
  EXPECT_EQ(encoder.progress().frames, 1);
}

TEST(Encoder, FinishWithoutAPictureIsAnErrorAndLeavesNothing) {
  const Folder folder;
  Encoder encoder(folder / "a.gif", optionsFor(4, 4));
  EXPECT_THAT(messageOf<Error>([&] { encoder.finish(); }), HasSubstr("no picture"));
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(Encoder, AfterFinishTakesNoPictureAndKeepsTheFile) {
  const Folder folder;
  Numbers numbers(1);
  {
    Encoder encoder(folder / "a.gif", optionsFor(4, 4));
    encoder.add(noisyPicture(4, 4, numbers));
    encoder.finish();
    encoder.finish();
    EXPECT_THROW(encoder.add(noisyPicture(4, 4, numbers)), Error);
    encoder.cancel();
  }
  EXPECT_THAT(folder.names(), ElementsAre("a.gif"));
}

TEST(Encoder, CancelledAtAnyStageLeavesNothing) {
  const Folder folder;
  Numbers numbers(1);
  for (const int pictures : {0, 1, 2, 20}) {
    for (const int encoded : {0, 1, 20}) {
      Encoder encoder(folder / "a.gif", optionsFor(120, 80));
      for (int i = 0; i < pictures; ++i) {
        encoder.add(noisyPicture(120, 80, numbers));
      }
      waitFor([&] { return encoder.progress().frames >= std::min(encoded, pictures); });
      encoder.cancel();
      EXPECT_THAT(folder.names(), IsEmpty()) << pictures << " pictures, " << encoded << " encoded";
      EXPECT_THROW(encoder.add(noisyPicture(120, 80, numbers)), Error);
      EXPECT_THAT(messageOf<Error>([&] { encoder.finish(); }), HasSubstr("cancelled"));
      encoder.cancel();
    }
  }
}

TEST(Encoder, DestroyedHalfWayLeavesNothing) {
  const Folder folder;
  Numbers numbers(1);
  for (const int pictures : {0, 1, 30}) {
    {
      Encoder encoder(folder / "a.gif", optionsFor(120, 80));
      for (int i = 0; i < pictures; ++i) {
        encoder.add(noisyPicture(120, 80, numbers));
      }
    }
    EXPECT_THAT(folder.names(), IsEmpty());
  }
}

TEST(Encoder, CancelFromAnotherThreadEndsTheProducersWait) {
  const Folder folder;
  Encoder encoder(folder / "a.gif", optionsFor(400, 400));
  std::atomic<int> added{0};
  std::string message;
  std::thread producer([&] {
    Numbers numbers(1);
    const Picture picture = noisyPicture(400, 400, numbers);
    try {
      for (;;) {
        encoder.add(picture);
        ++added;
      }
    } catch (const Error& error) {
      message = error.what();
    }
  });
  waitFor([&] { return added >= 3; });
  encoder.cancel();
  producer.join();
  EXPECT_THAT(message, HasSubstr("cancelled"));
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(Encoder, TwoAtOnceWriteTheirOwnFiles) {
  const Folder folder;
  Numbers numbers(1);
  GifOptions first = optionsFor(60, 50), second = optionsFor(31, 77);
  first.scene = R"({"simscope": 1, "n": 1})";
  second.scene = R"({"simscope": 1, "n": 2})";
  Encoder a(folder / "a.gif", first), b(folder / "b.gif", second);
  for (int i = 0; i < 20; ++i) {
    a.add(noisyPicture(60, 50, numbers));
    b.add(noisyPicture(31, 77, numbers));
  }
  b.finish();
  a.finish();
  EXPECT_THAT(folder.names(), ElementsAre("a.gif", "b.gif"));
  EXPECT_EQ(readEmbeddedScene(folder / "a.gif"), first.scene);
  EXPECT_EQ(readEmbeddedScene(folder / "b.gif"), second.scene);
}

TEST(Encoder, TwoToTheSameFileLeaveOneOfThemWhole) {
  const Folder folder;
  Numbers numbers(1);
  Encoder a(folder / "a.gif", optionsFor(9, 9)), b(folder / "a.gif", optionsFor(9, 9));
  a.add(noisyPicture(9, 9, numbers));
  b.add(noisyPicture(9, 9, numbers));
  a.finish();
  const std::string whole = contentOf(folder / "a.gif");
  EXPECT_THROW(b.finish(), Error);
  EXPECT_TRUE(contentOf(folder / "a.gif") == whole);
  EXPECT_THAT(folder.names(), ElementsAre("a.gif"));
}

TEST(Encoder, AGifWhoseSceneWasReplacedIsTheOneMadeWithThatSceneFromTheStart) {
  const Folder folder;
  const std::string last = R"({"simscope": 1, "frames": 2})";
  const std::string longer = R"({"simscope": 1, "note": ")" + std::string(400'000, 'x') + "\"}";
  GifOptions options = optionsFor(600, 400);  // several of a file's buffers
  options.scene = R"({"simscope": 1, "frames": 100})" + std::string(400, ' ');
  GifOptions told = options, told_longer = options;
  told.scene = last;
  told_longer.scene = longer;
  Encoder replaced(folder / "a.gif", options), grown(folder / "b.gif", options), wanted(folder / "c.gif", told);
  Encoder wanted_longer(folder / "d.gif", told_longer);
  for (Encoder* each : {&replaced, &grown, &wanted, &wanted_longer}) {
    Numbers numbers(1);
    each->add(noisyPicture(600, 400, numbers));
    each->add(noisyPicture(600, 400, numbers));
  }
  replaced.replaceScene(last);
  grown.replaceScene(longer);
  for (Encoder* each : {&replaced, &grown, &wanted, &wanted_longer}) {
    each->finish();
  }
  EXPECT_TRUE(contentOf(folder / "a.gif") == contentOf(folder / "c.gif"));
  EXPECT_TRUE(contentOf(folder / "b.gif") == contentOf(folder / "d.gif"));
  EXPECT_EQ(readEmbeddedScene(folder / "b.gif"), longer);
  EXPECT_EQ(fs::file_size(folder / "a.gif"), replaced.progress().bytes);
}

// What the first of many add() calls, or else finish(), fails with.
std::string failureOf(Encoder& encoder, int width, int height) {
  Numbers numbers(1);
  const Picture a = noisyPicture(width, height, numbers), b = noisyPicture(width, height, numbers);
  return messageOf<Error>([&] {
    for (int i = 0; i < 200; ++i) {
      encoder.add(i % 2 == 0 ? a : b);
    }
    encoder.finish();
  });
}

TEST(Encoder, AFullDeviceSurfacesAsAnError) {
  if (!fs::is_character_file("/dev/full")) {
    GTEST_SKIP() << "there is no /dev/full";
  }
  Encoder large("/dev/full", optionsFor(200, 200));
  EXPECT_THAT(failureOf(large, 200, 200), HasSubstr("No space left on device"));
  EXPECT_THROW(large.finish(), Error);
  // So little that it is written no earlier than at the end.
  Numbers numbers(1);
  Encoder small("/dev/full", optionsFor(2, 2));
  small.add(noisyPicture(2, 2, numbers));
  EXPECT_THAT(messageOf<Error>([&] { small.finish(); }), HasSubstr("No space left on device"));
}

TEST(Encoder, ADiskThatFillsUpHalfWaySurfacesAndLeavesNothing) {
  const Folder folder;
  std::string message;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  auto* const handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{1'000'000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  {
    Encoder encoder(folder / "a.gif", optionsFor(200, 200));
    message = failureOf(encoder, 200, 200);
    EXPECT_THAT(folder.names(), IsEmpty());
    EXPECT_THROW(encoder.finish(), Error);
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  EXPECT_THAT(message, HasSubstr("1000000 of"));
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(Encoder, ReportsProgress) {
  const Folder folder;
  Numbers numbers(1);
  GifOptions options = optionsFor(50, 40);
  options.expected_frames = 10;
  Encoder encoder(folder / "a.gif", options);
  EXPECT_EQ(encoder.progress().frames, 0);
  EXPECT_EQ(encoder.progress().expected, 10);
  for (int i = 0; i < 5; ++i) {
    encoder.add(noisyPicture(50, 40, numbers));
  }
  waitFor([&] { return encoder.progress().frames == 5; });
  const EncodingProgress half = encoder.progress();
  EXPECT_GT(half.frames_per_second, 0);
  EXPECT_GT(half.seconds_left, 0);
  for (int i = 0; i < 5; ++i) {
    encoder.add(noisyPicture(50, 40, numbers));
  }
  encoder.finish();
  const EncodingProgress end = encoder.progress();
  EXPECT_EQ(end.frames, 10);
  EXPECT_EQ(end.bytes, fs::file_size(folder / "a.gif"));
  EXPECT_EQ(end.estimated_bytes, end.bytes);
  EXPECT_EQ(end.seconds_left, 0);
  // Ten frames of noise are about alike.
  EXPECT_NEAR(static_cast<double>(half.estimated_bytes), static_cast<double>(end.bytes), 0.05 * end.bytes);
}

// A pipe without a reader acts as a very slow disk: the encoder must hold its producer back, and go on when the pipe is
// read.
TEST(Encoder, HoldsTheProducerBackWhenTheQueueIsFull) {
  const Folder folder;
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  constexpr int kSide = 600, kStripe = 100, kPictures = 600;
  constexpr int kFitting = static_cast<int>(Encoder::kQueueBytes / (3 * kSide * kSide));
  static_assert(kFitting < kPictures);
  std::optional<Encoder> encoder(std::in_place, pipe, optionsFor(kSide, kSide));
  std::atomic<int> added{0};
  std::thread producer([&] {
    Numbers numbers(1);
    const Picture a = noisyPicture(kSide, kSide, numbers), stripe = noisyPicture(kSide, kStripe, numbers);
    Picture b = a;
    std::copy(stripe.begin(), stripe.end(), b.begin());
    for (int i = 0; i < kPictures; ++i) {
      encoder->add(i % 2 == 0 ? a : b);
      ++added;
    }
    encoder->finish();
    encoder.reset();  // closes the pipe: the end for its reader
  });
  // Until the producer seems to be held; were it merely slow, the claim would still be true.
  int seen = -1;
  waitFor([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return added >= kFitting / 2 && std::exchange(seen, added.load()) == added;
  });
  EXPECT_LE(added, kFitting);
  EXPECT_EQ(::fcntl(reader, F_SETFL, 0), 0);
  std::string gif;
  std::vector<char> buffer(1 << 20);
  for (;;) {
    const ssize_t got = ::read(reader, buffer.data(), buffer.size());
    if (got <= 0) {
      EXPECT_EQ(got, 0);
      break;
    }
    // Noise does not compress: a frame was taken off the queue for each stripe that was read, and no more.
    const auto frames_read = static_cast<int>((gif.size() + buffer.size()) / (kSide * kStripe));
    EXPECT_LE(added, kFitting + frames_read);
    gif.append(buffer.data(), static_cast<std::size_t>(got));
  }
  producer.join();
  ::close(reader);
  EXPECT_EQ(added, kPictures);
  EXPECT_THAT(gif.substr(0, 6), "GIF89a");
  EXPECT_EQ(gif.back(), ';');
}

// A window asks before it draws, and must come to know of a failure.
TEST(Encoder, HasRoomUntilHalfOfTheQueueIsFullAndWhereItHasFailed) {
  const Folder folder;
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  auto* const handler = ::signal(SIGPIPE, SIG_IGN);
  constexpr int kSide = 600, kFitting = static_cast<int>(Encoder::kQueueBytes / (3 * kSide * kSide));
  Numbers numbers(1);
  const Picture picture = noisyPicture(kSide, kSide, numbers), other = noisyPicture(kSide, kSide, numbers);
  {
    Encoder encoder(pipe, optionsFor(kSide, kSide));
    int added = 0;
    for (; encoder.hasRoom(); ++added) encoder.add(added % 2 == 0 ? picture : other);
    EXPECT_GE(added, 2);
    EXPECT_LE(added, kFitting / 2);
    ::close(reader);
    waitFor([&] { return encoder.hasRoom(); });
    EXPECT_THAT(messageOf<Error>([&] { encoder.add(picture); }), HasSubstr("Broken pipe"));
  }
  ::signal(SIGPIPE, handler);
}

}  // namespace
}  // namespace simscope::exporting::testing
