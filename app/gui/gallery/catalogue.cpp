#include "app/gui/gallery/catalogue.h"

#include <algorithm>

#include "sims/foreign/words.h"

namespace simscope::gallery {

namespace {

Item presetItem(const Description& description, const Preset& preset) {
  std::string whole = description.title + "  ·  " + preset.title + ".  " + preset.summary;
  if (!preset.flaw.empty()) whole += "  " + preset.flaw;
  return {{&description, preset.key, {}}, preset.title, preset.summary, std::move(whole)};
}

// A simulation stands for itself with the preset that it opens with.
Item simulationItem(const Description& description) {
  const std::string first = description.presets.empty() ? "" : description.presets.front().key;
  return {{&description, first, {}},
          description.title,
          description.summary,
          description.title + ".  " + description.summary + "  " + description.equation};
}

Item fileItem(const RecentFile& recent) {
  const std::string name = foreign::shownFile(recent.file.filename());
  if (recent.last_session) {
    return {{nullptr, {}, recent.file}, "Last session", "As you left the window", "The last session, as you left it"};
  }
  const std::string folder = foreign::shownFile(recent.file.parent_path());
  return {{nullptr, {}, recent.file}, name, folder, foreign::shownFile(recent.file)};
}

}  // namespace

std::vector<Section> sectionsOf(std::span<const Description* const> simulations,
                                const std::vector<RecentFile>& recent) {
  std::vector<Section> sections(2);
  sections[0] = {"Recent", "", {}};
  for (const RecentFile& each : recent) sections[0].items.push_back(fileItem(each));
  sections[1] = {"Simulations", "one picture each; all their presets below", {}};
  for (const Description* each : simulations) {
    sections[1].items.push_back(simulationItem(*each));
    Section own{each->title, each->equation, {}};
    for (const Preset& preset : each->presets) own.items.push_back(presetItem(*each, preset));
    sections.push_back(std::move(own));
  }
  std::erase_if(sections, [](const Section& each) { return each.items.empty(); });
  return sections;
}

std::vector<Subject> showOrder(std::span<const Description* const> simulations) {
  std::vector<std::vector<Subject>> fit;
  std::size_t rounds = 0;
  for (const Description* each : simulations) {
    std::vector<Subject>& own = fit.emplace_back();
    for (const Preset& preset : each->presets) {
      if (preset.flaw.empty()) own.push_back({each, preset.key, {}});
    }
    rounds = std::max(rounds, own.size());
  }
  std::vector<Subject> order;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const std::vector<Subject>& own : fit) {
      if (round < own.size()) order.push_back(own[round]);
    }
  }
  return order;
}

}  // namespace simscope::gallery
