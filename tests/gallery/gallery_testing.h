// Descriptions for tests of the gallery: names alone, or with a run that can be made.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/gui/gallery/catalogue.h"

namespace simscope::gallery {

inline Description named(const std::string& id, const std::string& title, std::vector<Preset> presets,
                         std::vector<ParameterInfo> parameters = {}) {
  Description description;
  description.id = id;
  description.title = title;
  description.summary = "About " + title + ".";
  description.equation = "a = b";
  description.parameters = std::make_shared<const std::vector<ParameterInfo>>(std::move(parameters));
  description.presets = std::move(presets);
  return description;
}

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "simscope-gallery-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  operator const std::filesystem::path&() const { return path_; }  // NOLINT
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace simscope::gallery
