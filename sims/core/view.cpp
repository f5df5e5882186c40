#include "sims/core/view.h"

#include <algorithm>

namespace simscope {
namespace {

template <class Info>
Label labelOfAny(const Info& info, int form) {
  const auto index = static_cast<std::size_t>(form);
  return index < info.forms.size() ? info.forms[index] : Label{info.title, info.unit};
}

class Keys {
 public:
  void add(const std::string& key) {
    if (!key.empty() && std::find(keys_.begin(), keys_.end(), key) == keys_.end()) keys_.push_back(key);
  }
  std::vector<std::string> take() { return std::move(keys_); }

 private:
  std::vector<std::string> keys_;
};

void addDrawn(Keys& keys, const CurveView& view) {
  for (const TraceInfo& trace : view.traces) {
    keys.add(trace.channel);
    keys.add(trace.phase_channel);
  }
}
void addPaths(Keys& keys, const std::vector<PathInfo>& paths) {
  for (const PathInfo& path : paths) keys.add(path.channel);
}
void addDrawn(Keys& keys, const FieldView& view) {
  for (const std::string& key : {view.channel, view.overlay_channel, view.arrow_channel}) keys.add(key);
  addPaths(keys, view.paths);
}
void addDrawn(Keys& keys, const PointView& view) {
  for (const std::string& key : {view.channel, view.value_channel, view.kind_channel, view.trail_channel})
    keys.add(key);
}
void addDrawn(Keys& keys, const ScatterView& view) {
  for (const std::string& key : {view.channel, view.value_channel}) keys.add(key);
  addPaths(keys, view.paths);
}
void addDrawn(Keys&, const LinkedView&) {}

void addSwitchable(Keys& keys, const CurveView& view) {
  for (const TraceInfo& trace : view.traces) keys.add(trace.channel);
}
void addSwitchable(Keys& keys, const FieldView& view) {
  keys.add(view.channel);
  keys.add(view.overlay_channel);
  addPaths(keys, view.paths);
}
void addSwitchable(Keys& keys, const PointView& view) {
  keys.add(view.trail_channel);
}
void addSwitchable(Keys& keys, const ScatterView& view) {
  addPaths(keys, view.paths);
}
void addSwitchable(Keys&, const LinkedView&) {}

Domain domain(const CurveView&) {
  return Domain::Line;
}
Domain domain(const FieldView&) {
  return Domain::Plane;
}
Domain domain(const ScatterView&) {
  return Domain::Plane;
}
Domain domain(const PointView&) {
  return Domain::Space;
}
Domain domain(const LinkedView&) {
  return Domain::Line;
}

const AxisInfo& xAxis(const CurveView& view) {
  return view.x;
}
const AxisInfo& xAxis(const FieldView& view) {
  return view.x;
}
const AxisInfo& xAxis(const ScatterView& view) {
  return view.x;
}
const AxisInfo& xAxis(const PointView& view) {
  return view.space;
}
const AxisInfo& xAxis(const LinkedView&) {
  static const AxisInfo none;
  return none;
}

}  // namespace

Label labelOf(const AxisInfo& axis, int form) {
  return labelOfAny(axis, form);
}
Label labelOf(const TraceInfo& trace, int form) {
  return labelOfAny(trace, form);
}

Domain domainOf(const View& view) {
  return std::visit([](const auto& kind) { return domain(kind); }, view.kind);
}

const AxisInfo& xAxisOf(const View& view) {
  return std::visit([](const auto& kind) -> const AxisInfo& { return xAxis(kind); }, view.kind);
}

const std::vector<PathInfo>& pathsOf(const View& view) {
  static const std::vector<PathInfo> none;
  if (const auto* field = view.as<FieldView>()) return field->paths;
  if (const auto* scatter = view.as<ScatterView>()) return scatter->paths;
  return none;
}

std::vector<std::string> channelsOf(const View& view) {
  Keys keys;
  std::visit([&](const auto& kind) { addDrawn(keys, kind); }, view.kind);
  return keys.take();
}

std::vector<std::string> switchableChannels(const View& view) {
  Keys keys;
  std::visit([&](const auto& kind) { addSwitchable(keys, kind); }, view.kind);
  return keys.take();
}

}  // namespace simscope
