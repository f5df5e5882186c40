// The entries of the command palette: every command, simulation, preset, parameter, and view. No drawing. Thread: the
// UI's.
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
  std::string simulation = {};  // of a preset: its simulation
  std::string title = {};       // searched and shown
  std::string words = {};       // also searched, but ranked below matches in titles: the key, the group
  std::string detail = {};      // shown beside it: a parameter's value, a preset's simulation
  std::string keys = {};        // shortcut
};

// Of the present session: the available commands, the simulation's parameters that matter (then the others), views if
// there are several, its presets before those of other simulations.
std::vector<PaletteItem> paletteItems(const std::vector<Command>& commands, const Session& session);

struct PaletteHit {
  std::size_t item = 0;  // index in the list
  int score = 0;
  std::vector<std::size_t> letters = {};  // byte positions of the matched characters of the title
  std::string value = {};                 // typed after a parameter's name ("barrier height 2.5", "dt=0.1"); or empty
};

// The best first; equal hits in the list's order. An empty query finds everything, in the list's order.
std::vector<PaletteHit> searchPalette(const std::vector<PaletteItem>& items, std::string_view query);

// Executes a hit, except commands, and parameters without a value. UsageError: the value is invalid for the parameter;
// nothing has changed.
void applyHit(const PaletteItem& item, const PaletteHit& hit, Session& session);

}  // namespace simscope::gui
