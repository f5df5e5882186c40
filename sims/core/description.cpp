#include "sims/core/description.h"

#include <algorithm>

#include "sims/core/simulation.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope {
namespace {

// The position of `key` among `all`; UsageError with the closest and all known keys.
template <class Item>
std::size_t position(const std::vector<Item>& all, const std::string& key, const std::string& simulation,
                     const std::string& what) {
  std::vector<std::string> keys;
  std::string known;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].key == key) return i;
    keys.push_back(all[i].key);
    known += (known.empty() ? "" : ", ") + all[i].key;
  }
  throw UsageError(simulation + " has no " + what + " " + foreign::quoted(key) + didYouMean(key, keys, ".") +
                   " Known: " + known);
}

void addNew(std::vector<std::string>& keys, const std::vector<std::string>& more) {
  for (const std::string& key : more) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  }
}

}  // namespace

DiagnosticFacts exactOf(std::string key, double tolerance, Relevance relevant) {
  DiagnosticFacts facts(std::move(relevant));
  facts.exact_of = std::move(key);
  facts.tolerance = tolerance;
  return facts;
}

DiagnosticFacts within(double bound, Relevance relevant) {
  DiagnosticFacts facts(std::move(relevant));
  facts.bound = bound;
  return facts;
}

DiagnosticInfo::DiagnosticInfo(std::string its_key, std::string its_title, std::string its_unit, std::string its_help,
                               Shown shown, DiagnosticFacts facts)
    : DiagnosticFacts(std::move(facts)),
      key(std::move(its_key)),
      title(std::move(its_title)),
      unit(std::move(its_unit)),
      help(std::move(its_help)),
      plotted(shown == kPlotted) {}

std::string Finding::told(std::int64_t step) const {
  if (last_step >= step) return message;
  const std::string first = std::to_string(first_step);
  return (first_step == last_step ? "At step " + first : "From step " + first + " to " + std::to_string(last_step)) +
         ": " + message;
}

const Preset& Description::presetInfo(const std::string& key) const {
  return presets[position(presets, key, id, "preset")];
}

ParameterSet Description::preset(const std::string& key) const {
  ParameterSet set = defaults();
  for (const auto& [parameter, value] : presetInfo(key).changes) set.setText(parameter, value);
  return set;
}

std::size_t Description::diagnosticIndex(const std::string& key) const {
  return position(diagnostics, key, id, "diagnostic");
}

std::vector<std::string> Description::viewKeys() const {
  std::vector<std::string> keys;
  for (const View& each : views) keys.push_back(each.key);
  return keys;
}

const View* Description::findView(const std::string& key) const noexcept {
  const auto found =
      std::find_if(views.begin(), views.end(), [&](const View& each) { return key.empty() || each.key == key; });
  return found == views.end() ? nullptr : &*found;
}

const View& Description::view(const std::string& key) const {
  if (views.empty()) throw Error("The simulation \"" + id + "\" describes no view, so there is nothing to draw.");
  return key.empty() ? views.front() : views[position(views, key, id, "view")];
}

std::vector<ShownPanel> Description::panelsOf(const View& view) const {
  const LinkedView* linked = view.as<LinkedView>();
  if (!linked) return {{&view, Panel{view.key}}};
  std::vector<ShownPanel> all;
  for (const Panel& panel : linked->panels) {
    all.push_back({findView(panel.view), panel});
    if (all.back().view && !all.back().view->as<LinkedView>()) continue;
    throw Error("The linked view \"" + view.key + "\" of \"" + id + "\" has a panel of the view \"" + panel.view +
                (all.back().view ? "\", which is linked itself." : "\", which is described nowhere."));
  }
  if (all.empty()) throw Error("The linked view \"" + view.key + "\" of \"" + id + "\" has no panels.");
  return all;
}

std::vector<std::string> Description::channelKeys() const {
  std::vector<std::string> keys;
  for (const View& each : views) addNew(keys, switchableChannels(each));
  return keys;
}

std::vector<std::string> Description::drawnChannels() const {
  std::vector<std::string> keys;
  for (const View& each : views) addNew(keys, channelsOf(each));
  return keys;
}

}  // namespace simscope
