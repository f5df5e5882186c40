// What the marks of a scene read: probes over time, line cuts now; and the curves of views plotted beside the figure.
// Only the cells needed are requested from each frame; a frame whose answer has not come yet is skipped.
//
// Owner: the numbers read. Thread: the UI's. A view's marks are read while the figure shows the view: only then do
// frames hold its channel. Moving a probe, a reset, or another run clears its series; going back in time truncates it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/render/figure/figure.h"
#include "app/scene/scene.h"
#include "app/session/readings/field_marks.h"

namespace simscope {

// A value over time, in bounded memory: at `capacity` every second sample is dropped, except the newest.
class TimeSeries {
 public:
  TimeSeries() = default;
  explicit TimeSeries(std::size_t capacity) : capacity_(capacity < 4 ? 4 : capacity) {}
  // Replaces all samples at that time or later.
  void add(double time, double value);
  void clear();
  std::span<const double> times() const noexcept { return times_; }
  std::span<const double> values() const noexcept { return values_; }

 private:
  std::size_t capacity_ = 4096;
  std::size_t stride_ = 1, since_kept_ = 0;  // until this many have passed, the last sample is provisional
  std::vector<double> times_, values_;
};

class FieldReadings {
 public:
  struct Reading {
    FieldMark mark;
    Label value;                           // what is read
    double now = 0;                        // Probe; NaN: outside the field, or no number
    TimeSeries over_time;                  // Probe
    std::vector<double> distance, values;  // Cut
    bool live = false;                     // the figure shows its view
  };
  // A trace of a view of curves.
  struct Curve {
    TraceInfo info;
    Label label;
    std::vector<double> x, y;
    double bar_width = 0;
  };
  struct Curves {
    Label x, y;
    bool log_x = false, log_y = false;
    std::vector<Curve> traces;
  };

  // Views of curves, by key, to be read from now on.
  void plotCurves(std::set<std::string> views) { curve_views_ = std::move(views); }
  // The channels that frames must hold for the readings.
  std::vector<std::string> curveChannels(const Description& description, const ParameterSet& parameters) const;

  // Takes the answers that have come, and requests the present frame's values. `epoch`: the run's. `shown`: keys of the
  // panels' views. True if there is something new. Errors: as Figure::startElements.
  bool follow(const Scene& scene, const Frame& frame, std::uint64_t epoch, const std::vector<std::string>& shown,
              render::Figure& figure);
  // True while an answer is outstanding.
  bool waiting() const noexcept { return asked_.has_value(); }

  const Reading* find(const FieldMark& mark) const;
  const std::map<std::string, Reading>& readings() const noexcept { return readings_; }  // by name
  const std::map<std::string, Curves>& curves() const noexcept { return curves_; }       // by the view's key

  // Two parts of follow(): the requests, empty if already sent; and the answer.
  std::vector<render::ElementRequest> plan(const Scene& scene, const Frame& frame, std::uint64_t epoch,
                                           const std::vector<std::string>& shown);
  void asked() { asked_ = std::move(planned_); }
  void take(const std::vector<std::vector<float>>& values);

 private:
  struct Part {
    std::size_t request = 0;
    std::string name = {};  // of the mark, or the view's key
    bool curve = false;
    FieldStyle style = FieldStyle::Scalar;
    int components = 1;
    bool kinds = false;
    LineSamples samples = {};  // of a cut
    Curve trace = {};          // x is filled in already
    bool decades_x = false, decades_y = false;
  };
  struct Plan {
    std::uint64_t sequence = 0, epoch = 0;
    double time = 0;
    std::vector<FieldMark> marks;
    std::vector<std::string> shown;
    std::set<std::string> curve_views;
    std::vector<Part> parts = {};
    bool sameQuestion(const Plan& other) const;
  };
  void planMark(const FieldMark& mark, const Description& description, const Frame& frame,
                std::vector<render::ElementRequest>& requests);
  void planCurves(const View& view, const Frame& frame, std::vector<render::ElementRequest>& requests);
  void forgetGone(const Scene& scene, const std::vector<std::string>& shown);

  std::set<std::string> curve_views_;
  std::map<std::string, Reading> readings_;
  std::map<std::string, Curves> curves_;
  const Description* description_ = nullptr;
  std::uint64_t epoch_ = 0;
  Plan planned_;
  std::optional<Plan> asked_, answered_;
};

}  // namespace simscope
