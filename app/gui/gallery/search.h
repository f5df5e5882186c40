// Search by typing over titles, keys and help texts of simulations, their presets and parameters.
//
// Case and accents are ignored, and Greek letters match their names: "pi" finds π, "schrodinger" finds Schrödinger.
// Every typed word must be found; matches in a title come first. Built once; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/gallery/catalogue.h"

namespace simscope::gallery {

// Lower case, without accents, Greek letters spelled out; other characters unchanged.
std::string folded(std::string_view text);

class Search {
 public:
  // Of sections from sectionsOf(); each subject is found once.
  explicit Search(const std::vector<Section>& sections);

  // Best first; equal matches in the order of the sections. Empty for an empty query.
  std::vector<Item> find(std::string_view query) const;
  // A similar query that has results, with unknown words replaced or left out; empty: there is none.
  std::string nearest(std::string_view query) const;

 private:
  struct Entry {
    Item item;
    std::string title, keys, simulation, help;  // folded
  };
  static int score(const Entry& entry, const std::string& word);
  std::vector<Entry> entries_;
  std::vector<std::string> words_;  // of titles and keys
};

}  // namespace simscope::gallery
