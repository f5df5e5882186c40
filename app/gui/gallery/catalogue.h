// The gallery's items, in sections: recent scenes, every simulation, and every preset of each.
// Derived only from the simulations' descriptions. Plain data, built when the gallery opens; any thread.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/gui/gallery/subject.h"

namespace simscope::gallery {

struct Item {
  Subject subject;
  std::string title, note;  // below the picture: the name and a description
  std::string whole = {};   // the footer's text: simulation, preset, summary
};

struct Section {
  std::string title, note;
  std::vector<Item> items;
};

struct RecentFile {
  std::filesystem::path file;
  bool last_session = false;
};

// Sections without items are left out. `recent` keeps its order.
std::vector<Section> sectionsOf(std::span<const Description* const> simulations,
                                const std::vector<RecentFile>& recent = {});

// The order of the slide show: the first preset without a flaw of each simulation, then the second of each, etc.
std::vector<Subject> showOrder(std::span<const Description* const> simulations);

}  // namespace simscope::gallery
