// Descriptions for tests of the gallery: names alone, or with a run that can be made.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/gui/gallery/catalogue.h"
#include "sims/core/testing/folder.h"

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

using tests::Folder;

}  // namespace simscope::gallery
