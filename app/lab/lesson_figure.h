// A result's chart as the program's figure draws it, with the bars of one place side by side, and its files: PNG, and a
// GIF in which the curves grow.
//
// Owner: the LessonFigure owns the figure's data. Thread: the one of the figure's GL context; frame() in host memory.
// Errors: as render::Figure and the encoders.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/lab/lesson.h"
#include "app/render/figure/figure.h"

namespace simscope::lab {

class LessonFigure {
 public:
  // device: the CPU. machine: the text in the place of a simulation's time ("NVIDIA H100").
  LessonFigure(const Lesson& lesson, const Result& result, const ParameterSet& parameters, compute::DevicePtr device,
               const std::string& machine);

  const Description& description() const noexcept { return description_; }
  const ParameterSet& parameters() const noexcept { return parameters_; }
  int places() const noexcept { return places_; }
  // The chart with only its first `places` places; all of them: the whole chart.
  const Frame& frame(int places);
  const Frame& frame() { return frame(places_); }

 private:
  void planCurves(const Chart& chart);
  void planPicture(const Chart& chart);
  int samplesOf(int places) const;  // for the first ones

  Description description_;
  ParameterSet parameters_;
  std::vector<std::vector<float>> values_;  // of each curve, as drawn
  int places_ = 0, per_place_ = 1, lead_ = 0, shown_ = -1;
  bool bars_ = false;
  double low_ = 0, high_ = 1, first_ = 0, end_ = 1;
  Frame frame_;
};

// By the file's ending: .png, complete at once, or .gif (UsageError otherwise), one picture per advance(). The chart
// must outlive it; destroyed before the end it leaves no file. Needs a current GL context.
class ChartWriter {
 public:
  ChartWriter(LessonFigure& chart, const render::FigureOptions& options, const std::filesystem::path& target,
              bool overwrite);
  ~ChartWriter();
  // False: the file is complete.
  bool advance();

 private:
  struct Film;
  render::FigureOptions options_;
  std::unique_ptr<Film> film_;
};
void writeChart(LessonFigure& chart, const render::FigureOptions& options, const std::filesystem::path& target,
                bool overwrite);

}  // namespace simscope::lab
