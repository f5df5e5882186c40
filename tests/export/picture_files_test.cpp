// PNG and NPY as Pillow and NumPy read them, and the scene that pictures carry.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <complex>
#include <numeric>

#include "app/export/embedded.h"
#include "app/export/encoder.h"
#include "app/export/files.h"
#include "app/export/npy.h"
#include "app/export/png.h"
#include "app/export/zlib_stream.h"
#include "sims/compute/error.h"
#include "tests/export/support.h"

namespace simscope::exporting::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kScene = R"({"simscope": 1, "simulation": "tunneling", "title": "ψ(x, t) für 0 ≤ x"})";

TEST(Png, DecodesToTheSamePixelsAndText) {
  const Folder folder;
  Numbers numbers(2);
  std::string jobs;
  store(folder / "scene", kScene);
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 5}, {301, 203}}) {
    Picture picture = noise(width, height, numbers);
    std::fill(picture.begin(), picture.begin() + static_cast<std::ptrdiff_t>(picture.size() / 2), std::uint8_t{77});
    for (const bool with_scene : {false, true}) {
      const std::string base = (folder / fmt::format("{}{}", width, with_scene)).string();
      storeRaw(base + ".raw", picture);
      writePng(base + ".png", width, height, picture, with_scene ? kScene : "", false);
      jobs += fmt::format("png {0}.png {0}.raw {1} {2} {3}\n", base, width, height,
                          with_scene ? (folder / "scene").string() : "-");
    }
  }
  expectScriptAgrees("check_file.py", folder, jobs);
}

TEST(Png, RefusesSizesThatDoNotFit) {
  const Folder folder;
  EXPECT_THROW(writePng(folder / "a.png", 0, 5, {}, "", false), UsageError);
  EXPECT_THROW(writePng(folder / "a.png", 5, -1, {}, "", false), UsageError);
  EXPECT_THROW(writePng(folder / "a.png", 40000, 40000, {}, "", false), UsageError);
  EXPECT_THROW(writePng(folder / "a.png", 2, 2, Picture(11), "", false), Error);
  EXPECT_THAT(folder.names(), IsEmpty());
}

// Writes an array with its elements beside it; returns the line for the script.
template <typename Element>
std::string npyJob(const std::string& base, const std::string& dtype, const std::vector<std::size_t>& shape,
                   const std::string& tuple) {
  const std::size_t count = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  std::vector<Element> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<Element>(static_cast<float>(i % 300) * 0.75f);
  }
  storeRaw(base + ".raw", values);
  writeNpy(base + ".npy", dtype, shape, std::as_bytes(std::span(values)), false);
  return fmt::format("npy {0}.npy {0}.raw {1} {2}\n", base, dtype, tuple);
}

TEST(Npy, LoadsInNumPyWithTypeShapeAndElements) {
  const Folder folder;
  std::string jobs = npyJob<std::complex<float>>((folder / "a").string(), "<c8", {4096}, "(4096,)");
  jobs += npyJob<std::complex<double>>((folder / "b").string(), "<c16", {2, 3}, "(2,3)");
  jobs += npyJob<float>((folder / "c").string(), "<f4", {}, "()");
  jobs += npyJob<float>((folder / "d").string(), "<f4", {0, 3}, "(0,3)");
  jobs += npyJob<std::uint8_t>((folder / "e").string(), "|u1", {5, 1, 7, 2}, "(5,1,7,2)");
  expectScriptAgrees("check_file.py", folder, jobs);
}

TEST(NpyFile, GrowsItemByItemToTheShapeThatItHasAtTheEnd) {
  const Folder folder;
  std::string jobs;
  struct Case {
    std::optional<std::int64_t> announced;
    int items;
  };
  for (const auto& [announced, items] : {Case{3, 3}, Case{1'000'000, 2}, Case{{}, 5}}) {
    const std::string base = (folder / fmt::format("{}", items)).string();
    std::vector<float> values;
    NpyFile file(PendingFile(base + ".npy", false), "<f4", {2, 3}, announced);
    for (int i = 0; i < items; ++i) {
      const std::array<float, 6> item{i + 0.5f, 1, 2, 3, 4, -1.0f * i};
      values.insert(values.end(), item.begin(), item.end());
      file.add(std::as_bytes(std::span(item)));
    }
    EXPECT_THROW(file.add(std::as_bytes(std::span(values).first(1))), Error);
    EXPECT_THAT(file.shape(), ElementsAre(items, 2, 3));
    EXPECT_FALSE(fs::exists(base + ".npy"));
    file.finish();
    storeRaw(base + ".raw", values);
    jobs += fmt::format("npy {0}.npy {0}.raw <f4 ({1},2,3)\n", base, items);
  }
  expectScriptAgrees("check_file.py", folder, jobs);
}

TEST(NpyFile, TakesNoMoreThanWasAnnouncedAndUnfinishedLeavesNothing) {
  const Folder folder;
  const std::array<float, 2> item{1, 2};
  {
    NpyFile file(PendingFile(folder / "a.npy", false), "<f4", {2}, 1);
    file.add(std::as_bytes(std::span(item)));
    EXPECT_THROW(file.add(std::as_bytes(std::span(item))), Error);
  }
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(Npy, RefusesDataThatDoesNotFillTheShape) {
  const Folder folder;
  const std::array<float, 4> values{};
  const auto save = [&](const std::string& dtype, std::vector<std::size_t> shape) {
    writeNpy(folder / "a.npy", dtype, shape, std::as_bytes(std::span(values)), false);
  };
  EXPECT_THROW(save("<f4", {5}), Error);
  EXPECT_THROW(save("<f8", {4}), Error);
  EXPECT_THROW(save("float", {4}), Error);
  EXPECT_THROW(save("<f", {4}), Error);
  EXPECT_THROW(save("<f4", {std::size_t{1} << 62, 16}), Error);
  EXPECT_THAT(folder.names(), IsEmpty());
}

void writeGif(const fs::path& target, const std::string& scene) {
  GifOptions options;
  options.width = 7;
  options.height = 5;
  options.scene = scene;
  options.overwrite = true;
  Encoder encoder(target, options);
  Numbers numbers(3);
  encoder.add(noise(7, 5, numbers));
  encoder.add(noise(7, 5, numbers));
  encoder.finish();
}

void writeSmallPng(const fs::path& target, const std::string& scene) {
  Numbers numbers(4);
  writePng(target, 7, 5, noise(7, 5, numbers), scene, true);
}

// A scene of exactly `bytes` bytes.
std::string sceneOf(std::size_t bytes) {
  std::string scene = R"({"simscope": 1, "x": ")";
  scene.append(bytes - scene.size() - 2, 'x');
  return scene + "\"}";
}

TEST(EmbeddedScene, ComesBackFromGifAndPngAsItWas) {
  const Folder folder;
  std::vector<std::string> scenes{kScene};
  for (const std::size_t bytes : {254u, 255u, 256u, 510u, 511u, 100'000u}) {
    scenes.push_back(sceneOf(bytes));
  }
  for (const std::string& scene : scenes) {
    writeGif(folder / "a.gif", scene);
    EXPECT_TRUE(readEmbeddedScene(folder / "a.gif") == scene) << scene.size();
    writeSmallPng(folder / "a.png", scene);
    EXPECT_TRUE(readEmbeddedScene(folder / "a.png") == scene) << scene.size();
  }
}

// tEXt is what every program keeps, and it is Latin-1; behind the pixels some look for no text.
TEST(EmbeddedScene, OfAPngStandsBeforeThePixelsAsTextIfItIsLatin1) {
  const Folder folder;
  const std::string plain = R"({"simscope": 1, "note": "2 \u00b5m, 30\u00b0"})";
  const std::string latin = R"({"simscope": 1, "note": "é, 2 µm, 30°"})", greek = R"({"simscope": 1, "note": "ψ"})";
  for (const auto& [scene, type] : {std::pair(plain, "tEXt"), std::pair(latin, "tEXt"), std::pair(greek, "iTXt")}) {
    writeSmallPng(folder / "a.png", scene);
    const std::string bytes = contentOf(folder / "a.png");
    const std::size_t at = bytes.find(std::string(type) + "simscope");
    ASSERT_NE(at, std::string::npos) << scene;
    EXPECT_LT(at, bytes.find("IDAT"));
    EXPECT_EQ(readEmbeddedScene(folder / "a.png"), scene);
  }
  writeSmallPng(folder / "a.png", latin);
  EXPECT_NE(contentOf(folder / "a.png").find("\xe9, 2 \xb5m, 30\xb0"), std::string::npos);
}

TEST(EmbeddedScene, IsReadWhereAnotherProgramCompressedIt) {
  const std::string scene = R"({"simscope": 1, "note": "é"})", latin1 = R"({"simscope": 1, "note": ")"
                                                                        "\xe9\"}";
  const auto compressed = [](const std::string& text) {
    std::vector<std::uint8_t> bytes;
    Deflater deflater(bytes);
    deflater.add(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    deflater.finish();
    return std::string(bytes.begin(), bytes.end());
  };
  const auto png = [](const std::string& chunk) {
    return std::string(kPngSignature) + pngHeader(1, 1) + chunk + pngChunk("IEND", "");
  };
  const std::string keyword("simscope\0", 9), flags("\1\0\0\0", 4);
  EXPECT_EQ(readEmbeddedBytes(png(pngChunk("zTXt", keyword + '\0' + compressed(latin1)))), scene);
  EXPECT_EQ(readEmbeddedBytes(png(pngChunk("iTXt", keyword + flags + compressed(scene)))), scene);
  const std::string whole = compressed(latin1);
  for (std::size_t left = 0; left < whole.size(); ++left) {
    EXPECT_THROW(readEmbeddedBytes(png(pngChunk("zTXt", keyword + '\0' + whole.substr(0, left)))), UsageError) << left;
  }
  EXPECT_THAT(messageOf<UsageError>([&] {
                readEmbeddedBytes(png(pngChunk("zTXt", keyword + '\0' + compressed(std::string(20'000'000, 'x')))));
              }),
              HasSubstr("longer than"));
}

TEST(EmbeddedScene, ZerosAreNoChunks) {
  const std::string zeros(1 << 20, '\0');
  EXPECT_THAT(messageOf<UsageError>([&] { readEmbeddedBytes(std::string(kPngSignature) + pngHeader(1, 1) + zeros); }),
              HasSubstr("a chunk has no name"));
}

TEST(EmbeddedScene, LargerThanTheLimitIsRefusedByWritersAndReader) {
  const Folder folder;
  const std::string scene = sceneOf(kMaximumSceneBytes + 1);
  EXPECT_THROW(writeGif(folder / "a.gif", scene), UsageError);
  EXPECT_THROW(writeSmallPng(folder / "a.png", scene), UsageError);
  EXPECT_THAT(folder.names(), IsEmpty());

  std::string gif("GIF89a\x01\0\x01\0\0\0\0!\xfe", 15);
  for (std::size_t bytes = 0; bytes <= kMaximumSceneBytes; bytes += 255) {
    gif += '\xff' + std::string(255, '{');
  }
  store(folder / "large.gif", gif + std::string("\0;", 2));
  EXPECT_THAT(messageOf<UsageError>([&] { readEmbeddedScene(folder / "large.gif"); }), HasSubstr("longer than"));
  std::string png = "\x89PNG\r\n\x1a\n";
  png += std::string("\x02\0\0\0iTXt", 8) + std::string(0x2000004, 's');
  store(folder / "large.png", png);
  EXPECT_THAT(messageOf<UsageError>([&] { readEmbeddedScene(folder / "large.png"); }), HasSubstr("longer than"));
}

TEST(EmbeddedScene, FilesWithoutOneAreRefusedWithTheirName) {
  const Folder folder;
  writeGif(folder / "none.gif", "");
  writeGif(folder / "foreign.gif", "Created with another program");
  writeGif(folder / "other.gif", R"({"software": "another"})");
  writeSmallPng(folder / "none.png", "");
  store(folder / "text", "simscope");
  store(folder / "empty", "");
  store(folder / "long", std::string(1000, 'x'));
  fs::create_directory(folder / "folder");
  for (const std::string name :
       {"none.gif", "foreign.gif", "other.gif", "none.png", "text", "empty", "long", "folder", "missing"}) {
    EXPECT_THAT(messageOf<UsageError>([&] { readEmbeddedScene(folder / name); }), HasSubstr(name));
  }
}

TEST(EmbeddedScene, CutOffAnywhereGivesTheWholeSceneOrARefusal) {
  const Folder folder;
  writeGif(folder / "a.gif", kScene);
  writeSmallPng(folder / "a.png", kScene);
  for (const std::string name : {"a.gif", "a.png"}) {
    const std::string whole = contentOf(folder / name);
    int read = 0;
    for (std::size_t length = 0; length < whole.size(); ++length) {
      store(folder / "cut", whole.substr(0, length));
      try {
        EXPECT_EQ(readEmbeddedScene(folder / "cut"), kScene);
        ++read;
      } catch (const UsageError&) {
      }
    }
    EXPECT_LT(read, static_cast<int>(whole.size())) << name;
    EXPECT_GT(read, 0) << name;
  }
}

// Every bit of the chunk that holds the scene, its check sum included.
TEST(EmbeddedScene, OneFlippedBitInAPngsSceneIsRefused) {
  const Folder folder;
  writeSmallPng(folder / "a.png", kScene);
  const std::string whole = contentOf(folder / "a.png");
  const std::size_t keyword = whole.find("iTXtsimscope");
  ASSERT_NE(keyword, std::string::npos);
  const std::size_t first = keyword - 4, end = keyword + 17 + kScene.size() + 4;
  for (std::size_t at = first; at < end; ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      EXPECT_THROW(readEmbeddedBytes(damaged), UsageError) << "byte " << at - first << ", bit " << bit;
    }
  }
  EXPECT_EQ(readEmbeddedBytes(whole), kScene);
}

TEST(EmbeddedScene, DamagedFilesNeverDoMoreThanRefuse) {
  const Folder folder;
  writeGif(folder / "a.gif", kScene);
  writeSmallPng(folder / "a.png", kScene);
  Numbers numbers(5);
  for (const std::string name : {"a.gif", "a.png"}) {
    const std::string whole = contentOf(folder / name);
    for (int round = 0; round < 2000; ++round) {
      std::string damaged = whole;
      for (std::uint32_t i = 0; i <= numbers.below(4); ++i) {
        damaged[numbers.below(static_cast<std::uint32_t>(damaged.size()))] = static_cast<char>(numbers.next());
      }
      store(folder / "damaged", damaged);
      try {
        EXPECT_LE(readEmbeddedScene(folder / "damaged").size(), damaged.size());
      } catch (const UsageError&) {
      }
    }
  }
}

}  // namespace
}  // namespace simscope::exporting::testing
