// Numbered PNGs and CSV tables.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <limits>
#include <thread>

#include "app/export/csv.h"
#include "app/export/embedded.h"
#include "app/export/encoder.h"
#include "sims/compute/error.h"
#include "tests/export/support.h"

namespace simscope::exporting::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SequenceOptions optionsFor(int width, int height, std::int64_t frames) {
  SequenceOptions options;
  options.width = width;
  options.height = height;
  options.expected_frames = frames;
  options.scene = R"({"simscope": 1})";
  return options;
}

TEST(PngSequence, WritesEveryPictureUnderItsNumber) {
  const Folder folder, raw;
  Numbers numbers(1);
  store(raw / "scene", optionsFor(1, 1, 0).scene);
  std::string jobs;
  {
    Encoder encoder(folder / "run.png", optionsFor(31, 20, 12));
    for (int i = 1; i <= 12; ++i) {
      const Picture picture = noise(31, 20, numbers);
      const fs::path pixels = raw / std::to_string(i);
      storeRaw(pixels, picture);
      jobs += fmt::format("png {} {} 31 20 {}\n", (folder / fmt::format("run{:04}.png", i)).string(), pixels.string(),
                          (raw / "scene").string());
      encoder.add(picture);
    }
    encoder.finish();
    const EncodingProgress progress = encoder.progress();
    EXPECT_EQ(progress.frames, 12);
    std::uintmax_t bytes = 0;
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      bytes += entry.file_size();
    }
    EXPECT_EQ(progress.bytes, bytes);
    EXPECT_EQ(progress.estimated_bytes, bytes);
  }
  EXPECT_EQ(folder.names().size(), 12u);
  EXPECT_EQ(folder.names().front(), "run0001.png");
  EXPECT_EQ(folder.names().back(), "run0012.png");
  expectScriptAgrees("check_file.py", raw, jobs);
}

TEST(PngSequence, TakesAsManyDigitsAsTheFramesNeed) {
  const Folder folder;
  for (const auto& [name, frames] : {std::pair{"a", 9999}, {"b", 10'000}, {"c", 0}}) {
    Encoder encoder(folder / (std::string(name) + ".png"), optionsFor(2, 2, frames));
    encoder.add(Picture(12));
    encoder.finish();
  }
  EXPECT_THAT(folder.names(), ElementsAre("a0001.png", "b00001.png", "c000001.png"));
}

TEST(PngSequence, CarriesTheSceneInTheFirstAloneOnRequest) {
  const Folder folder;
  SequenceOptions options = optionsFor(2, 2, 2);
  options.scene_in_each = false;
  Encoder encoder(folder / "a.png", options);
  encoder.add(Picture(12));
  encoder.add(Picture(12));
  encoder.finish();
  EXPECT_EQ(readEmbeddedScene(folder / "a0001.png"), options.scene);
  EXPECT_THROW(readEmbeddedScene(folder / "a0002.png"), UsageError);
}

TEST(PngSequence, RefusesAnyExistingPictureUnlessForced) {
  const Folder folder;
  store(folder / "a0003.png", "old");
  SequenceOptions options = optionsFor(2, 2, 5);
  EXPECT_THAT(messageOf<UsageError>([&] { Encoder(folder / "a.png", options); }), HasSubstr("a0003.png"));
  EXPECT_THAT(folder.names(), ElementsAre("a0003.png"));
  options.overwrite = true;
  Encoder encoder(folder / "a.png", options);
  for (int i = 0; i < 5; ++i) {
    encoder.add(Picture(12));
  }
  encoder.finish();
  EXPECT_EQ(folder.names().size(), 5u);
  EXPECT_NE(contentOf(folder / "a0003.png"), "old");
}

TEST(PngSequence, APictureInItsWayRemovesWhatWasWrittenAndNothingElse) {
  const Folder folder;
  store(folder / "a000004.png", "old");
  Encoder encoder(folder / "a.png", optionsFor(2, 2, 0));
  EXPECT_THAT(messageOf<Error>([&] {
                for (int i = 0; i < 6; ++i) {
                  encoder.add(Picture(12));
                }
                encoder.finish();
              }),
              HasSubstr("a000004.png"));
  EXPECT_THAT(folder.names(), ElementsAre("a000004.png"));
  EXPECT_EQ(contentOf(folder / "a000004.png"), "old");
}

TEST(PngSequence, CancelledOrDestroyedLeavesNothing) {
  const Folder folder;
  Numbers numbers(1);
  for (const int done : {0, 1, 5}) {
    for (const bool cancelled : {false, true}) {
      Encoder encoder(folder / "a.png", optionsFor(40, 30, 5));
      for (int i = 0; i < 5; ++i) {
        encoder.add(noise(40, 30, numbers));
      }
      while (encoder.progress().frames < done) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      if (cancelled) {
        encoder.cancel();
        EXPECT_THAT(folder.names(), IsEmpty());
        EXPECT_THAT(messageOf<Error>([&] { encoder.finish(); }), HasSubstr("cancelled"));
      }
    }
    EXPECT_THAT(folder.names(), IsEmpty());
  }
}

// The old pictures are there until all of the new ones are.
TEST(PngSequence, OldPicturesStayUntilAllNewOnesAreThere) {
  const Folder folder;
  Numbers numbers(1);
  const auto make_old = [&] {
    for (int i = 1; i <= 5; ++i) {
      store(folder / fmt::format("a{:04}.png", i), "old");
    }
  };
  const auto old = [&] {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      count += entry.is_regular_file() && contentOf(entry.path()) == "old";
    }
    return count;
  };
  SequenceOptions options = optionsFor(40, 30, 4);
  options.overwrite = true;
  make_old();
  for (const int ending : {0, 1, 2}) {
    Encoder encoder(folder / "a.png", options);
    for (int i = 0; i < 4; ++i) {
      encoder.add(noise(40, 30, numbers));
    }
    while (encoder.progress().frames < 4) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(old(), 5) << "before the end";
    if (ending == 1) {
      encoder.cancel();
    } else if (ending == 2) {
      encoder.finish();
      EXPECT_EQ(old(), 1) << "a picture beyond the last new one is not touched";
    }
  }
  EXPECT_EQ(folder.names().size(), 5u);
}

// One that cannot be replaced takes none of the others with it.
TEST(PngSequence, AreReplacedAllOrNone) {
  const Folder folder;
  SequenceOptions options = optionsFor(2, 2, 3);
  options.overwrite = true;
  for (const char* name : {"a0001.png", "a0002.png"}) {
    store(folder / name, "old");
  }
  Encoder encoder(folder / "a.png", options);
  for (int i = 0; i < 3; ++i) {
    encoder.add(Picture(12));
  }
  while (encoder.progress().frames < 3) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  fs::create_directory(folder / "a0003.png");
  EXPECT_THAT(messageOf<Error>([&] { encoder.finish(); }), HasSubstr("a0003.png"));
  EXPECT_THAT(folder.names(), ElementsAre("a0001.png", "a0002.png", "a0003.png"));
  EXPECT_EQ(contentOf(folder / "a0001.png"), "old");
  EXPECT_EQ(contentOf(folder / "a0002.png"), "old");
}

TEST(PngSequence, RefusesWhatCannotBeWrittenAtAll) {
  const Folder folder;
  EXPECT_THROW(Encoder(folder / "missing/a.png", optionsFor(2, 2, 1)), UsageError);
  EXPECT_THROW(Encoder(folder / "a.png", optionsFor(0, 2, 1)), UsageError);
  Encoder encoder(folder / "a.png", optionsFor(2, 2, 1));
  EXPECT_THROW(encoder.add(Picture(11)), Error);
  EXPECT_THAT(messageOf<Error>([&] { encoder.finish(); }), HasSubstr("no picture"));
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(Csv, HoldsHeaderAndNumbersThatReadAsTheSame) {
  const Folder folder;
  const std::array<CsvColumn, 4> columns{{{"time", "s"}, {"norm", ""}, {"a \"b\", c", "J"}, {"drift", "%"}}};
  const std::array<std::array<double, 4>, 3> rows{
      {{0.1, 1.0 / 3, 5e-324, -0.0},
       {1e300, std::nan(""), 123456789.123456789, 0.1 + 0.2},
       {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), 2, 1e-7}}};
  {
    CsvFile file(folder / "a.csv", columns, false);
    for (const auto& row : rows) {
      file.row(row);
    }
    EXPECT_THROW(file.row(std::array<double, 2>{1, 2}), Error);
    file.finish();
  }
  std::ofstream expected(folder / "expected");
  for (const auto& row : rows) {
    for (const double value : row) {
      expected << (std::isnan(value) ? "nan" : fmt::format("{:a}", value)) << '\n';
    }
  }
  expected.close();
  expectScriptAgrees("check_file.py", folder,
                     fmt::format("csv {} {}\n", (folder / "a.csv").string(), (folder / "expected").string()));
  EXPECT_THAT(contentOf(folder / "a.csv"),
              ::testing::StartsWith("time [s],norm,\"a \"\"b\"\", c [J]\",drift [%]\n0.1,0.333"));
}

TEST(Csv, UnfinishedLeavesNothingAndExistingIsRefused) {
  const Folder folder;
  const std::array<CsvColumn, 1> columns{{{"time", "s"}}};
  {
    CsvFile file(folder / "a.csv", columns, false);
    file.row(std::array{1.0});
  }
  EXPECT_THAT(folder.names(), IsEmpty());
  store(folder / "a.csv", "old");
  EXPECT_THROW(CsvFile(folder / "a.csv", columns, false), UsageError);
  EXPECT_EQ(contentOf(folder / "a.csv"), "old");
}

}  // namespace
}  // namespace simscope::exporting::testing
