// What the marks of a scene read: probes over time, line cuts now; and the curves of views that are plotted beside the
// figure. Each frame is asked for the cells that they need and no more; a frame whose answer has not come yet is passed
// over.
//
// Owner: the numbers read. Thread: the UI's. A view's marks are read while the figure shows it: only then do frames
// hold its channel. Moving a probe, a reset, or another run begins its series anew; going back in time cuts it there.
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

// A value over time, in bounded memory: where `capacity` is reached every second sample goes, the newest aside.
class TimeSeries {
 public:
  TimeSeries() = default;
  explicit TimeSeries(std::size_t capacity) : capacity_(capacity < 4 ? 4 : capacity) {}
  // Takes the place of what lies at that time or after it.
  void add(double time, double value);
  void clear();
  std::span<const double> times() const noexcept { return times_; }
  std::span<const double> values() const noexcept { return values_; }

 private:
  std::size_t capacity_ = 4096;
  std::size_t stride_ = 1, since_kept_ = 0;  // the last sample is provisional until so many have passed
  std::vector<double> times_, values_;
};

class FieldReadings {
 public:
  struct Reading {
    FieldMark mark;
    Label value;                           // what is read
    double now = 0;                        // Probe; NaN: outside the field, or no number there
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

  // Views of curves, by key, that are read from here on.
  void plotCurves(std::set<std::string> views) { curve_views_ = std::move(views); }
  // The channels that frames must hold for them.
  std::vector<std::string> curveChannels(const Description& description, const ParameterSet& parameters) const;

  // Takes what has come, and asks for the present frame's. `epoch`: of the run. `shown`: keys of the panels' views.
  // True where there is something new. Errors: as Figure::startElements.
  bool follow(const Scene& scene, const Frame& frame, std::uint64_t epoch, const std::vector<std::string>& shown,
              render::Figure& figure);
  // True while an answer is on its way.
  bool waiting() const noexcept { return asked_.has_value(); }

  const Reading* find(const FieldMark& mark) const;
  const std::map<std::string, Reading>& readings() const noexcept { return readings_; }  // by name
  const std::map<std::string, Curves>& curves() const noexcept { return curves_; }       // by the view's key

  // The two halves of follow(): what is to be read, none where that has been asked for already; and the answer.
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
    Curve trace = {};          // x is there
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
