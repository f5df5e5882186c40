#include "app/session/dropped_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "app/export/embedded.h"

namespace simscope {

namespace {

constexpr std::array<std::string_view, 13> kPictures = {".png", ".jpg", ".jpeg", ".bmp", ".tga", ".gif", ".psd",
                                                        ".hdr", ".pic", ".pgm",  ".ppm", ".pnm", ".jfif"};

template <class Test>
std::optional<std::size_t> firstOf(const ParameterSet& parameters, const Test& test) {
  const std::span<const ParameterInfo> infos = parameters.infos();
  const auto found = std::find_if(infos.begin(), infos.end(), test);
  if (found == infos.end()) return std::nullopt;
  return static_cast<std::size_t>(found - infos.begin());
}

}  // namespace

bool isPicture(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(kPictures.begin(), kPictures.end(), extension) != kPictures.end();
}

bool carriesScene(const std::filesystem::path& file) {
  try {
    exporting::readEmbeddedScene(file);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

std::optional<std::size_t> imageParameter(const ParameterSet& parameters) {
  return firstOf(parameters, [](const ParameterInfo& info) {
    return info.kind == Kind::Text && info.text_use == TextUse::ImageFile;
  });
}

std::optional<std::size_t> imageChoice(const ParameterSet& parameters) {
  return firstOf(parameters, [](const ParameterInfo& info) {
    return info.kind == Kind::Choice && std::any_of(info.choices.begin(), info.choices.end(),
                                                    [](const Choice& each) { return each.key == "image"; });
  });
}

}  // namespace simscope
