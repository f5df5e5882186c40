// Films of other programs: what Pillow writes, and how it composes them, is what the reader sees.
#include "app/export/reading/film_reader.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/export/support.h"

namespace simscope::exporting {
namespace {

using testing::Folder;

// Writes FOLDER/film.gif, .png, and .apng, and beside each the RGB of all its pictures one behind the other.
constexpr const char* kScript = R"(
import sys
try:
    from PIL import Image, ImageDraw
except ImportError:
    sys.exit(77)
folder = sys.argv[1]
def frames(mode):
    made = []
    for i in range(5):
        image = Image.new("P", (37, 29), 0)
        image.putpalette([0, 0, 0, 250, 10, 20, 30, 240, 50, 60, 70, 230] + [0] * 756)
        draw = ImageDraw.Draw(image)
        draw.rectangle([i * 5, i * 3, i * 5 + 9, i * 3 + 11], fill=1 + i % 3)
        draw.line([0, 28 - i, 36, i], fill=3)
        made.append(image if mode == "P" else image.convert(mode))
    return made
def told(name):
    with Image.open(f"{folder}/{name}") as image, open(f"{folder}/{name}.rgb", "wb") as out:
        for index in range(getattr(image, "n_frames", 1)):
            image.seek(index)
            out.write(image.convert("RGB").tobytes())
kept = frames("P")
kept[0].save(f"{folder}/film.gif", save_all=True, append_images=kept[1:], duration=[40, 50, 60, 70, 80], loop=2)
told("film.gif")
frames("P")[2].save(f"{folder}/interlaced.gif", interlace=1)
told("interlaced.gif")
true = frames("RGB")
true[0].save(f"{folder}/film.png", save_all=True, append_images=true[1:], duration=40, loop=3)
told("film.png")
for mode in ("RGB", "L", "P", "RGBA"):
    frames(mode)[3].save(f"{folder}/{mode}.png", bits=8)
    told(f"{mode}.png")
)";

class FilmReaderTest : public ::testing::TestWithParam<const char*> {};

TEST_P(FilmReaderTest, PicturesAreThoseThatPillowSees) {
  const Folder folder;
  std::ofstream(folder / "make.py") << kScript;
  const std::string command = "/usr/bin/python3 " + (folder / "make.py").string() + " " + folder.path().string() +
                              " 2>" + (folder / "err").string();
  const int status = std::system(command.c_str());
  if (WEXITSTATUS(status) == 77 || WEXITSTATUS(status) == 127) GTEST_SKIP() << "no Pillow for /usr/bin/python3";
  ASSERT_EQ(status, 0) << std::ifstream(folder / "err").rdbuf();
  const std::string name = GetParam();
  const auto film = openFilm(folder / name);
  std::ostringstream seen, wanted;
  std::int64_t pictures = 0;
  for (; film->next(); ++pictures) {
    seen.write(reinterpret_cast<const char*>(film->rgb().data()), static_cast<std::streamsize>(film->rgb().size()));
    const double longer = name == "film.gif" ? 0.01 * static_cast<double>(pictures) : 0;
    if (name == "film.gif" || name == "film.png") {
      EXPECT_DOUBLE_EQ(film->seconds(), 0.04 + longer);
    }
  }
  wanted << std::ifstream(folder / (name + ".rgb"), std::ios::binary).rdbuf();
  EXPECT_EQ(pictures, film->pictures());
  const bool animated = name == "film.gif" || name == "film.png";
  EXPECT_EQ(film->loop(), animated ? std::optional(3) : std::nullopt);
  EXPECT_EQ(film->width(), 37);
  EXPECT_EQ(film->height(), 29);
  EXPECT_TRUE(seen.str() == wanted.str()) << name << ": " << seen.str().size() << " of " << wanted.str().size();
}

INSTANTIATE_TEST_SUITE_P(Files, FilmReaderTest,
                         ::testing::Values("film.gif", "interlaced.gif", "film.png", "RGB.png", "L.png", "P.png",
                                           "RGBA.png"),
                         [](const auto& each) {
                           std::string name = each.param;
                           name.replace(name.find('.'), 1, "_");
                           return name;
                         });

}  // namespace
}  // namespace simscope::exporting
