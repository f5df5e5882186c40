#include "app/session/changes/undo.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/session/changes/undo_changes.h"

namespace simscope {

namespace {

std::string nameOf(const Scene& scene, const Stroke& stroke) {
  for (const ToolInfo& tool : scene.description->tools) {
    if (tool.key == stroke.tool) return tool.gesture == Gesture::Edit ? tool.title : tool.title + " stroke";
  }
  return "Stroke";
}

std::vector<Stroke> part(const std::vector<Stroke>& strokes, std::size_t at, std::size_t count) {
  const auto begin = strokes.begin() + static_cast<std::ptrdiff_t>(std::min(at, strokes.size()));
  return {begin, begin + static_cast<std::ptrdiff_t>(
                             std::min(count, static_cast<std::size_t>(std::distance(begin, strokes.end()))))};
}

void replace(std::vector<Stroke>& strokes, std::size_t at, std::size_t count, const std::vector<Stroke>& with) {
  at = std::min(at, strokes.size());
  count = std::min(count, strokes.size() - at);
  const auto begin = strokes.begin() + static_cast<std::ptrdiff_t>(at);
  const auto place = strokes.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
  strokes.insert(place, with.begin(), with.end());
}

}  // namespace

Undo::Undo(const Scene& scene, const Origin& origin, std::size_t state_bytes)
    : strokes_(scene.timeline.strokes), state_bytes_(state_bytes) {
  know(scene, origin);
}

void Undo::know(const Scene& scene, const Origin& origin) {
  known_.scene = carriedOver(known_.scene, known_.scene, scene);
  known_.origin = origin;
}

void Undo::rebase(const Scene& scene, const Origin& origin) {
  known_.state = ++newest_state_;
  know(scene, origin);
  strokes_ = scene.timeline.strokes;
}

// From what was known to the scene; the step has all but its two ends.
void Undo::push(const Scene& scene, const Origin& origin, Step step) {
  step.before = known_;
  know(scene, origin);
  known_.state = ++newest_state_;
  step.after = known_;
  undone_.clear();
  done_.push_back(std::move(step));
  if (done_.size() > kDepth) done_.pop_front();
  giveUpStates();
}

// From the newest step back; what the scene began with now counts first, and stays.
void Undo::giveUpStates() {
  std::vector<const State*> counted;
  std::size_t bytes = 0;
  const auto count = [&](Origin& origin) {
    const State* const state = origin.start.get();
    if (!state || std::find(counted.begin(), counted.end(), state) != counted.end()) return;
    if (!counted.empty() && bytes + state->bytes() > state_bytes_) {
      origin.start.reset();
      origin.lost = true;
      return;
    }
    counted.push_back(state);
    bytes += state->bytes();
  };
  count(known_.origin);
  for (auto step = done_.rbegin(); step != done_.rend(); ++step) {
    count(step->after.origin);
    count(step->before.origin);
  }
}

void Undo::record(const Scene& scene, const Origin& origin, bool strokes, const std::string& label) {
  const std::vector<Stroke>& present = scene.timeline.strokes;
  const StrokeChange list = strokes ? changeBetween(strokes_, present) : StrokeChange{};
  const bool drawn = list.removed == 0 && list.added > 0 && label.empty();
  const bool replaced = !drawn && list.removed + list.added > 0;
  const std::string change = changeBetween(known_.scene, scene);
  if (!change.empty() || replaced || origin.file != known_.origin.file || !origin.sameStart(known_.origin) ||
      origin.line != known_.origin.line) {
    Step step;
    step.label = !label.empty() ? label : !change.empty() ? change : "Strokes";
    if (replaced) {
      step.at = list.at;
      step.removed = part(strokes_, list.at, list.removed);
      step.added = part(present, list.at, list.added);
    }
    push(scene, origin, std::move(step));
  }
  for (std::size_t i = list.at; drawn && i < list.at + list.added; ++i) {
    Step step;
    step.label = nameOf(scene, present[i]);
    step.at = i;
    step.added = {present[i]};
    push(scene, origin, std::move(step));
  }
  know(scene, origin);
  if (strokes && strokes_ != present) {
    strokes_ = present;
    if (list.added + list.removed == 0) known_.state = ++newest_state_;  // one only grew
  }
}

std::optional<Undo::Restored> Undo::travel(std::deque<Step>& from, std::deque<Step>& to, bool back,
                                           const Scene& present, const Origin& origin) {
  if (from.empty()) return std::nullopt;
  Step step = std::move(from.back());
  from.pop_back();
  // What stands there now comes back another time: a stroke may have grown.
  std::vector<Stroke>& leaving = back ? step.added : step.removed;
  const std::vector<Stroke>& coming = back ? step.removed : step.added;
  leaving = part(present.timeline.strokes, step.at, leaving.size());
  Kept& here = back ? step.after : step.before;
  const Kept& there = back ? step.before : step.after;
  here.state = known_.state;
  Restored restored{carriedOver(present, here.scene, there.scene), origin};
  replace(restored.scene.timeline.strokes, step.at, leaving.size(), coming);
  if (here.origin.file != there.origin.file || !here.origin.sameStart(there.origin) ||
      here.origin.line != there.origin.line) {
    here.origin = origin;  // it may have been saved since
    restored.origin = there.origin;
  }
  know(restored.scene, restored.origin);
  known_.state = there.state;
  to.push_back(std::move(step));
  strokes_ = restored.scene.timeline.strokes;
  return restored;
}

std::optional<Undo::Restored> Undo::undo(const Scene& present, const Origin& origin) {
  return travel(done_, undone_, true, present, origin);
}

std::optional<Undo::Restored> Undo::redo(const Scene& present, const Origin& origin) {
  return travel(undone_, done_, false, present, origin);
}

}  // namespace simscope
