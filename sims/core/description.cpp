#include "sims/core/description.h"

#include <algorithm>

#include "sims/core/simulation.h"
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
  const std::string close = closestName(key, keys);
  throw UsageError(simulation + " has no " + what + " " + foreign::quoted(key) +
                   (close.empty() ? "." : "; did you mean '" + close + "'?") + " Known: " + known);
}

template <class Info>
Label labelOfAny(const Info& info, int form) {
  const auto index = static_cast<std::size_t>(form);
  return index < info.forms.size() ? info.forms[index] : Label{info.title, info.unit};
}

}  // namespace

Label labelOf(const AxisInfo& axis, int form) {
  return labelOfAny(axis, form);
}
Label labelOf(const TraceInfo& trace, int form) {
  return labelOfAny(trace, form);
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
  for (const LinkedView& view : linked) keys.push_back(view.key);
  for (const FieldView& view : fields) keys.push_back(view.key);
  for (const PointView& view : points) keys.push_back(view.key);
  for (const CurveView& view : views) keys.push_back(view.key);
  return keys;
}

std::string Description::openingView() const {
  if (!first_view.empty()) return first_view;
  const std::vector<std::string> keys = viewKeys();
  if (keys.empty()) throw Error("The simulation \"" + id + "\" describes no view, so there is nothing to draw.");
  return keys.front();
}

std::vector<std::string> Description::channelKeys() const {
  std::vector<std::string> keys;
  const auto add = [&](const std::string& key) {
    if (!key.empty() && std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  };
  for (const FieldView& view : fields) {
    add(view.channel);
    add(view.overlay_channel);
  }
  for (const PointView& view : points) add(view.trail_channel);
  for (const CurveView& view : views) {
    for (const TraceInfo& trace : view.traces) add(trace.channel);
  }
  return keys;
}

}  // namespace simscope
