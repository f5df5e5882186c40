#include "app/scene/no_scene.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <system_error>

#include "app/export/embedded.h"
#include "sims/compute/error.h"
#include "sims/foreign/file.h"
#include "sims/foreign/words.h"

namespace simscope {
namespace {

namespace fs = std::filesystem;
using exporting::FileUse;

bool hasScene(const fs::path& file) {
  try {
    if (file.extension() != ".json") return !exporting::readEmbeddedScene(file).empty();
    return foreign::readFile(file, exporting::kMaximumSceneBytes).find("\"simscope\"") != std::string::npos;
  } catch (const UsageError&) {
    return false;
  }
}

// A file of the same name with another ending that has a scene; empty: there is none.
fs::path besides(const fs::path& file) {
  constexpr std::array<std::string_view, 5> kEndings = {".simscope.json", ".json", ".gif", ".apng", ".png"};
  for (const std::string_view ending : kEndings) {
    fs::path other = file;
    other.replace_extension(ending);
    std::error_code failed;
    if (other != file && fs::is_regular_file(other, failed) && hasScene(other)) return other;
  }
  return {};
}

}  // namespace

std::string usesText(const fs::path& file, const exporting::FileKind& kind) {
  std::string text;
  const fs::path other = besides(file);
  const std::string name = foreign::shownFile(file);
  if (!other.empty()) {
    text += fmt::format(" {} beside it has a scene.", foreign::shownFile(other.filename()));
  } else if (kind.use == FileUse::Video) {
    text += " simscope render --scene-file writes the scene beside a video.";
  }
  switch (kind.use) {
    case FileUse::Picture:
    case FileUse::SceneCarrier:
      if (std::string_view(kind.what) == "a GIF") break;
      text += fmt::format(" As an aperture: simscope run diffraction --set aperture=image --set image_file={}.", name);
      break;
    case FileUse::Array:
      text += fmt::format(" As a result to be judged: simscope judge {} --scene SCENE.", name);
      break;
    case FileUse::Table:
      text +=
          fmt::format(" As a table of events: simscope run histograms --set process=file --set data_file={}.", name);
      break;
    case FileUse::Snapshot:
      text += " Give it the ending .npz.";
      break;
    case FileUse::None:
    case FileUse::Video:
    case FileUse::WideText:
      break;
  }
  return text;
}

std::string noSceneText(const fs::path& file, const exporting::FileKind& kind) {
  const std::string_view what = *kind.what ? kind.what : "a text that is not JSON";
  if (kind.use == FileUse::WideText) return fmt::format("this is {}; a scene is in UTF-8. Save it as UTF-8.", what);
  if (kind.use == FileUse::Snapshot && file.extension() == ".npz") {
    return fmt::format("this is {}, which holds the state of one run; here a scene is needed, which holds none.", what);
  }
  if (kind.use == FileUse::Snapshot) return fmt::format("this is {}, but not named so.{}", what, usesText(file, kind));
  return fmt::format(
      "this is {}, and carries no scene. Scenes are in .json files, in the GIF, PNG, and APNG files that simscope "
      "writes, and in snapshots (.npz).{}",
      what, usesText(file, kind));
}

}  // namespace simscope
