// What an animated PNG holds, as Pillow decodes it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>

#include "app/export/embedded.h"
#include "app/export/encoder.h"
#include "app/export/files.h"
#include "app/export/png.h"
#include "sims/compute/error.h"
#include "sims/core/testing/refusal.h"
#include "tests/export/support.h"

namespace simscope::exporting::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ApngOptions apngOf(int width, int height) {
  ApngOptions options;
  options.width = width;
  options.height = height;
  options.overwrite = true;
  return options;
}

// Recorded one by one, then compared with their pictures by Pillow.
class Films {
 public:
  void add(const std::vector<Picture>& pictures, const ApngOptions& options, const std::string& replaced = {}) {
    const std::string base = (folder_ / std::to_string(count_++)).string();
    Encoder encoder(base + ".apng", options);
    Picture all;
    for (const Picture& picture : pictures) {
      all.insert(all.end(), picture.begin(), picture.end());
      encoder.add(picture);
    }
    if (!replaced.empty()) encoder.replaceScene(replaced);
    encoder.finish();
    const std::string& scene = replaced.empty() ? options.scene : replaced;
    EXPECT_EQ(encoder.progress().frames, static_cast<std::int64_t>(pictures.size()));
    EXPECT_EQ(encoder.progress().bytes, fs::file_size(base + ".apng"));
    if (!scene.empty()) {
      EXPECT_EQ(readEmbeddedScene(base + ".apng"), scene);
    }
    storeRaw(base + ".raw", all);
    store(base + ".scene", scene);
    const ApngDelay delay = apngDelay(options.fps);
    jobs_ += fmt::format("{0}.apng {0}.raw {1} {2} {3} {4} {5} {6} {7}\n", base, options.width, options.height,
                         pictures.size(), delay.numerator, delay.denominator, options.loop,
                         scene.empty() ? "-" : base + ".scene");
  }
  void expectDecode() const { expectScriptAgrees("check_apng.py", folder_, jobs_); }

 private:
  Folder folder_;
  int count_ = 0;
  std::string jobs_;
};

std::vector<Picture> noisyPatches(int width, int height, int count, Numbers& numbers) {
  std::vector<Picture> pictures{noise(width, height, numbers)};
  for (int t = 1; t < count; ++t) {
    Picture picture = pictures.back();
    const int left = static_cast<int>(numbers.below(static_cast<std::uint32_t>(width)));
    const int top = static_cast<int>(numbers.below(static_cast<std::uint32_t>(height)));
    for (int y = top; y < std::min(height, top + 9); ++y) {
      for (int x = left; x < std::min(width, left + 14); ++x) {
        setPixel(picture, static_cast<std::size_t>(y) * width + x,
                 static_cast<std::uint32_t>(numbers.next() & 0xffffff));
      }
    }
    pictures.push_back(std::move(picture));
  }
  return pictures;
}

TEST(Apng, EveryColourOfEveryPictureIsExact) {
  Films films;
  Numbers numbers(1);
  films.add({noise(150, 100, numbers), noise(150, 100, numbers), noise(150, 100, numbers)}, apngOf(150, 100));
  films.add(noisyPatches(201, 131, 25, numbers), apngOf(201, 131));
  films.expectDecode();
}

TEST(Apng, OddSizesSingleFramesAndEqualPicturesAreExactToo) {
  Films films;
  Numbers numbers(2);
  for (const auto& [width, height, frames] :
       {std::tuple{1, 1, 1}, {1, 1, 5}, {2, 3, 4}, {17, 1, 3}, {1, 19, 3}, {129, 67, 2}}) {
    std::vector<Picture> pictures;
    for (int t = 0; t < frames; ++t) pictures.push_back(noise(width, height, numbers));
    films.add(pictures, apngOf(width, height));
  }
  const Picture still = noise(40, 30, numbers);
  Picture corner = still;
  corner.back() ^= 1;  // the last bit of the last pixel's blue
  films.add({still, still, corner, corner, still}, apngOf(40, 30));
  films.expectDecode();
}

TEST(Apng, CarriesDelayLoopAndScene) {
  Films films;
  Numbers numbers(3);
  const std::vector<Picture> pictures = noisyPatches(20, 10, 3, numbers);
  ApngOptions options = apngOf(20, 10);
  for (const double fps : {60.0, 30000.0 / 1001, 100.0 / 3, 24.0, 0.5}) {
    options.fps = fps;
    films.add(pictures, options);
    options.loop += 7;
    options.scene = fmt::format(R"({{"simscope": 1, "note": "ψ {}"}})", options.loop);
  }
  films.add(pictures, options, options.scene + std::string(100'000, ' '));
  films.expectDecode();
}

TEST(ApngDelay, IsTheRateAsAFraction) {
  EXPECT_EQ(apngDelay(25), (ApngDelay{1, 25}));
  EXPECT_EQ(apngDelay(60), (ApngDelay{1, 60}));
  EXPECT_EQ(apngDelay(100 / 3.0), (ApngDelay{3, 100}));
  EXPECT_EQ(apngDelay(30000 / 1001.0), (ApngDelay{1001, 30000}));
  EXPECT_EQ(apngDelay(29.97), (ApngDelay{100, 2997}));
  EXPECT_EQ(apngDelay(0.5), (ApngDelay{2, 1}));
  EXPECT_EQ(apngDelay(0.01), (ApngDelay{100, 1}));
  EXPECT_THAT(messageOf<UsageError>([] { apngDelay(0); }), HasSubstr("fps"));
}

TEST(Apng, OnlyWhatChangesIsWritten) {
  const Folder folder;
  Numbers numbers(4);
  const Picture still = noise(300, 200, numbers);
  Picture dot = still;
  dot[3 * (100 * 300 + 150)] ^= 0xff;
  const auto sizeOf = [&](const std::vector<Picture>& pictures) {
    Encoder encoder(folder / "a.apng", apngOf(300, 200));
    for (const Picture& each : pictures) encoder.add(each);
    encoder.finish();
    return fs::file_size(folder / "a.apng");
  };
  const auto one = sizeOf({still});
  EXPECT_GT(one, 300u * 200 * 3) << "noise does not compress";
  EXPECT_LT(sizeOf({still, dot, still, still}) - one, 3u * 120);
}

TEST(Apng, TheSamePicturesGiveTheSameFile) {
  const Folder folder;
  Numbers numbers(5);
  const std::vector<Picture> pictures = noisyPatches(60, 40, 20, numbers);
  for (const std::string name : {"a.apng", "b.apng"}) {
    Encoder encoder(folder / name, apngOf(60, 40));
    for (const Picture& each : pictures) encoder.add(each);
    encoder.finish();
  }
  EXPECT_TRUE(contentOf(folder / "a.apng") == contentOf(folder / "b.apng"));
}

TEST(Apng, CancelledOrWithoutRoomOnTheDiskLeavesNothing) {
  const Folder folder;
  Numbers numbers(6);
  {
    Encoder encoder(folder / "a.apng", apngOf(100, 100));
    encoder.add(noise(100, 100, numbers));
    encoder.cancel();
  }
  EXPECT_THAT(folder.names(), IsEmpty());
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  auto* const handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{1'000'000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  const std::string message = tests::refusal<Error>([&] {
    Encoder encoder(folder / "a.apng", apngOf(200, 200));
    for (int i = 0; i < 40; ++i) encoder.add(noise(200, 200, numbers));
    encoder.finish();
  });
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  EXPECT_THAT(message, HasSubstr("1000000 of"));
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(Apng, RefusesADeviceAndKeepsAnOldFile) {
  const Folder folder;
  EXPECT_THAT(messageOf<UsageError>([] { Encoder("/dev/null", apngOf(2, 2)); }), HasSubstr("choose a file"));
  store(folder / "a.apng", "old");
  ApngOptions options = apngOf(2, 2);
  options.overwrite = false;
  EXPECT_THAT(messageOf<UsageError>([&] { Encoder(folder / "a.apng", options); }), HasSubstr("exists"));
  EXPECT_EQ(contentOf(folder / "a.apng"), "old");
}

// The front of a file that is written in parts, by one that is shorter, equal, a little longer, and very much so.
TEST(PendingFile, ReplacesItsFrontByAnyLength) {
  const Folder folder;
  Numbers numbers(7);
  std::string rest(1'300'001, '\0');
  for (char& c : rest) c = static_cast<char>(numbers.next());
  for (const std::size_t front : {0u, 10u, 1000u, 1001u, 700'000u}) {
    PendingFile file(folder / "a.bin", true);
    const std::string old(1000, 'o'), wanted(front, 'n');
    file.write(old.data(), old.size());
    file.write(rest.data(), rest.size());
    file.replaceFront(old.size(), wanted.data(), wanted.size());
    file.write("end", 3);
    EXPECT_EQ(file.bytes(), front + rest.size() + 3);
    file.commit();
    EXPECT_TRUE(contentOf(folder / "a.bin") == wanted + rest + "end") << front;
  }
}

}  // namespace
}  // namespace simscope::exporting::testing
