// What the command palette finds: every command, simulation, preset, parameter, and view. Without any drawing. Thread:
// the UI's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/gui/commands/command.h"
#include "app/session/session.h"

namespace simscope::gui {

enum class PaletteKind { Command, Parameter, Preset, View, Simulation };
const char* nameOf(PaletteKind kind);

struct PaletteItem {
  PaletteKind kind = PaletteKind::Command;
  std::string key = {};         // of the command, parameter, preset, view, or simulation
  std::string simulation = {};  // of a preset: whose
  std::string title = {};       // what is searched, and shown
  std::string words = {};       // found as well, yet behind what has them in its title: the key, the group
  std::string detail = {};      // shown beside it: a parameter's value, a preset's simulation
  std::string keys = {};        // shortcut
};

// Of the session as it is now: the available commands, the simulation's parameters that matter (then the others), views
// where there is a choice, its presets before those of other simulations.
std::vector<PaletteItem> paletteItems(const std::vector<Command>& commands, const Session& session);

struct PaletteHit {
  std::size_t item = 0;  // in the list
  int score = 0;
  std::vector<std::size_t> letters = {};  // matched ones of the title (bytes)
  std::string value = {};                 // typed behind a parameter's name ("barrier height 2.5", "dt=0.1"); or empty
};

// The best first; of equals the one that comes first in the list. An empty query finds everything, in the list's order.
std::vector<PaletteHit> searchPalette(const std::vector<PaletteItem>& items, std::string_view query);

// Does what a hit stands for, but for commands, and parameters without a value. UsageError: the value is none of the
// parameter's; nothing has changed.
void applyHit(const PaletteItem& item, const PaletteHit& hit, Session& session);

}  // namespace simscope::gui
