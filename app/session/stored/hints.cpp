#include "app/session/stored/hints.h"

#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/export/files.h"
#include "app/session/stored/stored_json.h"
#include "sims/foreign/nesting.h"

namespace simscope {

namespace {

using HintsJson = nlohmann::json;

constexpr std::uint64_t kMostHintBytes = 1 << 16;
constexpr std::array<Hint, 5> kHints = {{
    {"play", Hint::Place::Transport, "Space plays and pauses. S advances by one frame. R goes back to the start."},
    {"figure", Hint::Place::Figure,
     "The wheel zooms, dragging moves, hovering reads values. A tool acts on the figure."},
    {"parameters", Hint::Place::Parameters,
     "Drag a slider during the run. Parameters with a round arrow restart the run. Ctrl+Z undoes any change."},
    {"explanation", Hint::Place::Explanation, "F2 explains the physics and offers three experiments to try."},
    {"device", Hint::Place::Device,
     "Change the device during the run: it goes on from the same state. F3 compares the devices."},
}};

}  // namespace

std::span<const Hint> allHints() {
  return kHints;
}

Hints::Hints(const std::filesystem::path& folder) : path_(folder.empty() ? folder : folder / "hints.json") {
  const char* const wanted = std::getenv("SIMSCOPE_HINTS");
  off_ = wanted && std::string(wanted) == "off";
  read();
}

void Hints::read() {
  if (path_.empty()) return;
  const auto text = stored::readText(path_, kMostHintBytes, stored::Form::List);
  if (!text) return;
  const auto document = foreign::parsedJson<HintsJson>(*text);
  if (!document.is_array()) return;
  for (const HintsJson& each : document) {
    if (each.is_string()) done_.insert(each.get<std::string>());
  }
}

void Hints::write() const {
  if (path_.empty()) return;
  HintsJson document = HintsJson::array();
  for (const std::string& each : done_) document.push_back(each);
  try {
    exporting::writeText(path_, document.dump(1) + "\n", true);
  } catch (const std::exception&) {
    // They come back with the next start.
  }
}

const Hint* Hints::next(std::size_t devices) const {
  if (off_) return nullptr;
  for (const Hint& each : kHints) {
    if (each.place == Hint::Place::Device && devices < 2) continue;
    if (!done_.contains(each.name)) return &each;
  }
  return nullptr;
}

void Hints::dismiss(const std::string& name) {
  read();
  done_.insert(name);
  write();
}

void Hints::dismissAll() {
  for (const Hint& each : kHints) done_.insert(each.name);
  write();
}

void Hints::bringBack() {
  done_.clear();
  write();
}

}  // namespace simscope
