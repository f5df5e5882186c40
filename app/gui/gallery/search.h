// Search by typing over titles, keys and help: of simulations, their presets and parameters.
//
// Case, accents and the writing of Greek letters do not matter: "pi" finds π, "schrodinger" finds Schrödinger. Every
// word that is typed must be found; what is found in a title comes first. Built once; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/gallery/catalogue.h"

namespace simscope::gallery {

// Lower case, without accents, Greek letters by their names; other characters as they are.
std::string folded(std::string_view text);

class Search {
 public:
  // Of sections as sectionsOf() makes them; each subject is found once.
  explicit Search(const std::vector<Section>& sections);

  // Best first, those that are equally good in the order of the sections. Nothing of an empty query.
  std::vector<Item> find(std::string_view query) const;
  // A query near to this one that finds something, its unknown words replaced or left out; empty: there is none.
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
