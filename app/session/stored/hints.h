// Short hints at the first start, one after the other. Dismissed hints stay dismissed: their names are kept in
// hints.json in the state folder.
//
// Thread: one. Two windows share the file: it is read again before it is written. Errors: none; where nothing can be
// kept, dismissed hints come back with the next start.
#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>

namespace simscope {

struct Hint {
  // What it speaks of, and stands beside.
  enum class Place { Transport, Figure, Parameters, Explanation, Device };
  const char* name;
  Place place;
  const char* text;
};
// In the order in which they come.
std::span<const Hint> allHints();

class Hints {
 public:
  // An empty folder: nothing is kept on the disk. SIMSCOPE_HINTS=off: there are none.
  explicit Hints(const std::filesystem::path& folder);

  // The one to show; null: none is left. The one about devices needs two of them.
  const Hint* next(std::size_t devices) const;
  void dismiss(const std::string& name);
  void dismissAll();
  // From the first again.
  void bringBack();

 private:
  void read();
  void write() const;

  std::filesystem::path path_;  // empty: none
  std::set<std::string> done_;
  bool off_ = false;
};

}  // namespace simscope
