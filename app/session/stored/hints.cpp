#include "app/session/stored/hints.h"

#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace simscope {

namespace {

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

Hints::Hints(const std::filesystem::path& folder) : file_(folder, "hints.json", stored::Document::Form::List) {
  const char* const wanted = std::getenv("SIMSCOPE_HINTS");
  off_ = wanted && std::string(wanted) == "off";
  read();
}

void Hints::read() {
  for (const auto& each : file_.read()) {
    if (each.is_string()) done_.insert(each.get<std::string>());
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
  file_.write(done_);
}

void Hints::dismissAll() {
  for (const Hint& each : kHints) done_.insert(each.name);
  file_.write(done_);
}

void Hints::bringBack() {
  done_.clear();
  file_.write(done_);
}

}  // namespace simscope
