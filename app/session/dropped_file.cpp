#include "app/session/dropped_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "app/export/embedded.h"
#include "app/scene/zip_file.h"

namespace simscope {

namespace {

constexpr std::array<std::string_view, 14> kPictures = {".png", ".jpg", ".jpeg", ".bmp", ".tga", ".gif", ".psd",
                                                        ".hdr", ".pic", ".pbm",  ".pgm", ".ppm", ".pnm", ".jfif"};

template <class Test>
std::optional<std::size_t> firstOf(const ParameterSet& parameters, const Test& test) {
  const std::span<const ParameterInfo> infos = parameters.infos();
  const auto found = std::find_if(infos.begin(), infos.end(), test);
  if (found == infos.end()) return std::nullopt;
  return static_cast<std::size_t>(found - infos.begin());
}

std::string endingOf(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

std::optional<Taker> takerOf(const ParameterSet& parameters, TextUse use, const std::string& choice) {
  const auto text =
      firstOf(parameters, [&](const ParameterInfo& info) { return info.kind == Kind::Text && info.text_use == use; });
  if (!text) return std::nullopt;
  Taker taker{*text};
  taker.choice = firstOf(parameters, [&](const ParameterInfo& info) {
    return info.kind == Kind::Choice && std::any_of(info.choices.begin(), info.choices.end(),
                                                    [&](const Choice& each) { return each.key == choice; });
  });
  taker.chosen = choice;
  return taker;
}

}  // namespace

bool isPicture(const std::filesystem::path& file) {
  return std::find(kPictures.begin(), kPictures.end(), endingOf(file)) != kPictures.end();
}

bool carriesScene(const std::filesystem::path& file) {
  try {
    if (endingOf(file) == ".npz") return ZipReader(file).has("scene.json");
    exporting::readEmbeddedScene(file);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

std::optional<Taker> imageTaker(const ParameterSet& parameters) {
  return takerOf(parameters, TextUse::ImageFile, "image");
}

std::optional<Taker> tableTaker(const ParameterSet& parameters) {
  return takerOf(parameters, TextUse::DataFile, "file");
}

}  // namespace simscope
