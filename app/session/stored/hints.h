// Short hints at the first start, shown one after the other. A dismissed hint is not shown again: its name is kept in
// hints.json in the state folder.
//
// Thread: one. Two windows share the file: it is read again before each write. Errors: none; if nothing can be stored,
// dismissed hints return at the next start.
#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>

#include "app/session/stored/stored_json.h"

namespace simscope {

struct Hint {
  // What the hint describes, and beside which it is shown.
  enum class Place { Transport, Figure, Parameters, Explanation, Device };
  const char* name;
  Place place;
  const char* text;
};
// In the order in which they are shown.
std::span<const Hint> allHints();

class Hints {
 public:
  // Empty folder: nothing is stored. SIMSCOPE_HINTS=off: there are no hints.
  explicit Hints(const std::filesystem::path& folder);

  // The hint to show; null: none is left. The hint about devices is shown only with two or more devices.
  const Hint* next(std::size_t devices) const;
  void dismiss(const std::string& name);
  void dismissAll();
  // Shows the hints again, from the first.
  void bringBack();

 private:
  void read();

  stored::Document file_;
  std::set<std::string> done_;
  bool off_ = false;
};

}  // namespace simscope
