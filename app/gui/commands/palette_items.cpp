#include "app/gui/commands/palette_items.h"

#include <algorithm>
#include <optional>

#include "app/gui/commands/fuzzy_match.h"
#include "app/render/figure/plain_text.h"
#include "app/session/shown_view.h"
#include "sims/core/registry.h"

namespace simscope::gui {

namespace {

// What is found by words that are not in its title comes behind what is found by its title.
constexpr int kOnlyByWords = 40;
constexpr int kOtherSimulations = 12;

void addParameters(const Session& session, std::vector<PaletteItem>& items) {
  const ParameterSet& parameters = session.scene.parameters;
  for (const bool matters : {true, false}) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (parameters.matters(i) != matters) continue;
      const ParameterInfo& info = parameters.infos()[i];
      std::string shown = shownText(info, parameters[i]);
      if (const std::string& unit = parameters.unit(i); !unit.empty() && info.kind != Kind::Text) shown += " " + unit;
      items.push_back({PaletteKind::Parameter,
                       info.key,
                       {},
                       parameters.title(i),
                       info.key + " " + info.group,
                       matters ? shown : shown + "  (not used here)",
                       {}});
    }
  }
}

void addPresets(const Description& description, bool own, std::vector<PaletteItem>& items) {
  for (const Preset& preset : description.presets) {
    items.push_back({PaletteKind::Preset,
                     preset.key,
                     description.id,
                     preset.title,
                     preset.key + " " + description.title,
                     own ? std::string() : description.title,
                     {}});
  }
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<PaletteHit> fit(const PaletteItem& item, std::string_view query) {
  if (auto match = fuzzyMatch(query, item.title)) return PaletteHit{0, match->score, std::move(match->letters), {}};
  if (const auto match = fuzzyMatch(query, item.title + " " + item.words)) {
    return PaletteHit{0, match->score - kOnlyByWords, {}, {}};
  }
  return std::nullopt;
}

// "name value": what stands behind an equals sign, else behind the last blank.
std::optional<PaletteHit> fitWithValue(const PaletteItem& item, std::string_view query) {
  const std::size_t equals = query.find('=');
  const std::size_t end = equals != std::string_view::npos ? equals : query.rfind(' ');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view name = trimmed(query.substr(0, end)), value = trimmed(query.substr(end + 1));
  if (name.empty() || value.empty()) return std::nullopt;
  auto hit = fit(item, name);
  if (hit) hit->value = value;
  return hit;
}

// Choices are typed as they are shown, or the first letters of that, or by their key.
std::string choiceTyped(const ParameterInfo& info, const std::string& typed) {
  const std::string wanted = render::folded(typed).letters;
  const Choice* begins = nullptr;
  for (const Choice& choice : info.choices) {
    const std::string title = render::folded(choice.title).letters;
    if (choice.key == typed || title == wanted) return choice.key;
    if (!begins && !wanted.empty() && title.starts_with(wanted)) begins = &choice;
  }
  return begins ? begins->key : typed;
}

}  // namespace

const char* nameOf(PaletteKind kind) {
  static constexpr const char* kNames[] = {"Command", "Parameter", "Preset", "View", "Simulation"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<PaletteItem> paletteItems(const std::vector<Command>& commands, const Session& session) {
  const Description& present = *session.scene.description;
  std::vector<PaletteItem> items;
  for (const Command& command : commands) {
    if (!command.isAvailable()) continue;
    std::string on;
    if (command.checked) on = command.checked() ? "on" : "off";
    items.push_back({PaletteKind::Command, command.id, {}, command.title, command.group, on, command.shownKeys()});
  }
  addParameters(session, items);
  if (present.views.size() > 1) {
    for (const View& view : present.views)
      items.push_back({PaletteKind::View, view.key, {}, view.title, view.key, {}, {}});
  }
  addPresets(present, true, items);
  for (const Description* each : simulations()) {
    items.push_back({PaletteKind::Simulation, each->id, {}, each->title, each->id, {}, {}});
  }
  for (const Description* each : simulations()) {
    if (each->id != present.id) addPresets(*each, false, items);
  }
  return items;
}

std::vector<PaletteHit> searchPalette(const std::vector<PaletteItem>& items, std::string_view query) {
  query = trimmed(query);
  std::vector<PaletteHit> hits;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const PaletteItem& item = items[i];
    auto hit = fit(item, query);
    if (!hit && item.kind == PaletteKind::Parameter) hit = fitWithValue(item, query);
    if (!hit) continue;
    hit->item = i;
    if (!query.empty() && item.kind == PaletteKind::Preset && !item.detail.empty()) hit->score -= kOtherSimulations;
    hits.push_back(*std::move(hit));
  }
  std::stable_sort(hits.begin(), hits.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  return hits;
}

void applyHit(const PaletteItem& item, const PaletteHit& hit, Session& session) {
  switch (item.kind) {
    case PaletteKind::Command:
      return;
    case PaletteKind::Parameter: {
      if (hit.value.empty()) return;
      const std::size_t index = session.scene.parameters.find(item.key);
      const ParameterInfo& info = session.scene.parameters.infos()[index];
      return session.setParameter(index, parseValue(info, choiceTyped(info, hit.value)));
    }
    case PaletteKind::Preset:
      if (item.simulation != session.scene.description->id) session.selectSimulation(simulationById(item.simulation));
      return session.selectPreset(item.key);
    case PaletteKind::View:
      return showView(session, item.key);
    case PaletteKind::Simulation:
      if (item.key != session.scene.description->id) session.selectSimulation(simulationById(item.key));
  }
}

}  // namespace simscope::gui
