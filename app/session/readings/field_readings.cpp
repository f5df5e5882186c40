#include "app/session/readings/field_readings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace simscope {

namespace {

constexpr int kMostSamples = 512;    // of a line cut
constexpr int kMostElements = 8192;  // of a curve; beyond, evenly spread ones stand for all

bool drawnAsCurve(const TraceInfo& trace, const ParameterSet& parameters) {
  return trace.style != TraceStyle::OwnAxis && trace.shown && trace.relevant.holds(parameters);
}

bool contains(const std::vector<std::string>& list, const std::string& key) {
  return std::find(list.begin(), list.end(), key) != list.end();
}

Label readLabel(const FieldView& view, int form) {
  Label label = labelOf(view.value, form);
  if (view.style == FieldStyle::Colour) return {"luminance", ""};
  if (label.title.empty()) label.title = view.style == FieldStyle::Complex ? "amplitude" : "value";
  return label;
}

}  // namespace

void TimeSeries::clear() {
  times_.clear();
  values_.clear();
  stride_ = 1;
  since_kept_ = 0;
}

void TimeSeries::add(double time, double value) {
  if (!std::isfinite(time)) return;
  const auto later = std::lower_bound(times_.begin(), times_.end(), time);
  if (later != times_.end()) {
    values_.resize(static_cast<std::size_t>(later - times_.begin()));
    times_.erase(later, times_.end());
    since_kept_ = 0;
  }
  if (!times_.empty() && since_kept_ % stride_ != 0) {
    times_.back() = time;
    values_.back() = value;
  } else {
    if (times_.size() == capacity_) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < times_.size(); i += 2, ++kept) {
        times_[kept] = times_[i];
        values_[kept] = values_[i];
      }
      times_.resize(kept);
      values_.resize(kept);
      stride_ *= 2;
      since_kept_ = 0;
    }
    times_.push_back(time);
    values_.push_back(value);
  }
  ++since_kept_;
}

bool FieldReadings::Plan::sameQuestion(const Plan& other) const {
  return sequence == other.sequence && epoch == other.epoch && marks == other.marks && shown == other.shown &&
         curve_views == other.curve_views;
}

std::vector<std::string> FieldReadings::curveChannels(const Description& description,
                                                      const ParameterSet& parameters) const {
  std::vector<std::string> keys;
  for (const std::string& key : curve_views_) {
    const View* view = description.findView(key);
    const auto* curves = view ? view->as<CurveView>() : nullptr;
    if (!curves) continue;
    for (const TraceInfo& trace : curves->traces) {
      if (drawnAsCurve(trace, parameters)) keys.push_back(trace.channel);
    }
  }
  return keys;
}

const FieldReadings::Reading* FieldReadings::find(const FieldMark& mark) const {
  const auto found = readings_.find(nameOf(mark));
  return found == readings_.end() || !(found->second.mark == mark) ? nullptr : &found->second;
}

void FieldReadings::forgetGone(const Scene& scene, const std::vector<std::string>& shown) {
  std::erase_if(readings_, [&](const auto& each) {
    return std::none_of(scene.marks.begin(), scene.marks.end(),
                        [&](const FieldMark& mark) { return nameOf(mark) == each.first; });
  });
  std::erase_if(curves_, [&](const auto& each) { return !curve_views_.contains(each.first); });
  for (auto& [name, reading] : readings_) reading.live = contains(shown, reading.mark.view);
}

std::vector<render::ElementRequest> FieldReadings::plan(const Scene& scene, const Frame& frame, std::uint64_t epoch,
                                                        const std::vector<std::string>& shown) {
  if (description_ != scene.description || epoch_ != epoch) {
    if (description_ != scene.description) readings_.clear();
    for (auto& [name, reading] : readings_) reading.over_time.clear();
    curves_.clear();
    asked_.reset();
    answered_.reset();
    description_ = scene.description;
    epoch_ = epoch;
  }
  forgetGone(scene, shown);
  planned_ = {frame.sequence, epoch, frame.time, scene.marks, shown, curve_views_, {}};
  if ((answered_ && answered_->sameQuestion(planned_)) || asked_) return {};
  std::vector<render::ElementRequest> requests;
  for (const FieldMark& mark : scene.marks) {
    if (mark.kind != FieldMark::Kind::Ruler && contains(shown, mark.view)) {
      planMark(mark, *scene.description, frame, requests);
    }
  }
  for (const std::string& key : curve_views_) {
    const View* view = scene.description->findView(key);
    if (view && view->as<CurveView>()) planCurves(*view, frame, requests);
  }
  return requests;
}

void FieldReadings::planMark(const FieldMark& mark, const Description& description, const Frame& frame,
                             std::vector<render::ElementRequest>& requests) {
  const View* described = description.findView(mark.view);
  const auto* view = described ? described->as<FieldView>() : nullptr;
  const Channel* channel = view ? frame.find(view->channel) : nullptr;
  const int least = view && view->style != FieldStyle::Scalar ? (view->style == FieldStyle::Complex ? 2 : 3) : 1;
  if (!channel || !frame.wants(view->channel) || channel->components < least) return;
  const std::string name = nameOf(mark);
  Reading& reading = readings_[name];
  if (!(reading.mark == mark)) {
    reading = {};
    reading.mark = mark;
    reading.live = true;
  }
  reading.value = readLabel(*view, channel->form);
  Part part{.request = requests.size(),
            .name = name,
            .style = view->style,
            .components = channel->components,
            .kinds = channel->kinds > 0};
  render::ElementRequest request{view->channel, {}};
  const FieldGrid grid = gridOf(*channel);
  if (mark.kind == FieldMark::Kind::Probe) {
    if (const auto cell = cellAt(grid, mark.x, mark.y)) request.elements.push_back(*cell);
  } else {
    part.samples = samplesAlong(grid, mark.x, mark.y, mark.to_x, mark.to_y, kMostSamples);
    request.elements = part.samples.cells;
  }
  requests.push_back(std::move(request));
  planned_.parts.push_back(std::move(part));
}

void FieldReadings::planCurves(const View& view, const Frame& frame, std::vector<render::ElementRequest>& requests) {
  const CurveView& curves = *view.as<CurveView>();
  for (const TraceInfo& trace : curves.traces) {
    if (!drawnAsCurve(trace, frame.parameters)) continue;
    const Channel* channel = frame.find(trace.channel);
    if (!channel || !frame.wants(trace.channel) || channel->width < 1) continue;
    const int hop = (channel->width + kMostElements - 1) / kMostElements;
    Part part{.request = requests.size(), .name = view.key, .curve = true, .components = channel->components};
    part.decades_x = curves.x.decades;
    part.decades_y = curves.y.decades;
    render::ElementRequest request{trace.channel, {}};
    const double width = (channel->x_max - channel->x_min) / channel->width;
    for (int i = 0; i < channel->width; i += hop) {
      request.elements.push_back(static_cast<std::uint32_t>(i));
      const double x = channel->x_min + i * width;
      part.trace.x.push_back(curves.x.decades ? std::pow(10, x) : x);
    }
    part.trace.info = trace;
    part.trace.label = labelOf(trace, channel->form);
    part.trace.bar_width = trace.style == TraceStyle::Bars && !curves.x.decades ? hop * width : 0;
    Curves& known = curves_[view.key];
    known.x = labelOf(curves.x, channel->form);
    known.y = labelOf(curves.y, channel->form);
    known.log_x = curves.x.decades;
    known.log_y = curves.y.decades;
    requests.push_back(std::move(request));
    planned_.parts.push_back(std::move(part));
  }
}

void FieldReadings::take(const std::vector<std::vector<float>>& values) {
  if (!asked_) return;  // of another run
  std::set<std::string> begun;
  for (Part& part : asked_->parts) {
    if (part.request >= values.size()) continue;
    const std::vector<float>& read = values[part.request];
    if (part.curve) {
      const auto known = curves_.find(part.name);
      if (known == curves_.end()) continue;
      if (begun.insert(part.name).second) known->second.traces.clear();
      const auto each = static_cast<std::size_t>(std::max(part.components, 1));
      for (std::size_t i = 0; i < part.trace.x.size() && i * each < read.size(); ++i) {
        const double value = read[i * each];
        part.trace.y.push_back(part.decades_y ? std::pow(10, value) : value);
      }
      part.trace.x.resize(part.trace.y.size());
      known->second.traces.push_back(std::move(part.trace));
      continue;
    }
    const auto found = readings_.find(part.name);
    if (found == readings_.end()) continue;
    Reading& reading = found->second;
    if (std::find(asked_->marks.begin(), asked_->marks.end(), reading.mark) == asked_->marks.end()) continue;  // moved
    if (reading.mark.kind == FieldMark::Kind::Probe) {
      const bool there = read.size() >= static_cast<std::size_t>(std::max(part.components, 1));
      reading.now = there ? shownValue(part.style, read.data()) : std::numeric_limits<double>::quiet_NaN();
      reading.over_time.add(asked_->time, reading.now);
    } else {
      reading.distance = part.samples.distance;
      reading.values = valuesAlong(part.samples, read, part.components, part.style, part.kinds);
    }
  }
  answered_ = std::move(asked_);
  asked_.reset();
}

bool FieldReadings::follow(const Scene& scene, const Frame& frame, std::uint64_t epoch,
                           const std::vector<std::string>& shown, render::Figure& figure) {
  bool changed = false;
  if (const auto values = figure.takeElements()) {
    changed = asked_.has_value();
    take(*values);
  }
  const std::vector<render::ElementRequest> requests = plan(scene, frame, epoch, shown);
  if (requests.empty()) return changed;
  if (!figure.startElements(frame, requests)) return changed;
  asked();
  // What lies in the host's memory is there at once.
  if (const auto values = figure.takeElements()) {
    take(*values);
    changed = true;
  }
  return changed;
}

}  // namespace simscope
