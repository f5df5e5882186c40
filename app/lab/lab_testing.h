// Lessons for tests: quick ones, wrong ones, and ones that can be stopped.
#pragma once

#include <string>
#include <thread>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/measurer.h"
#include "app/lab/timing.h"

namespace simscope::lab {

inline Bench benchHere() {
  return benchOf("auto", 0);
}

// All parameters that set how much is measured at their minimum.
inline ParameterSet quick(const Lesson& lesson) {
  ParameterSet set = lesson.defaults();
  for (const ParameterInfo& info : set.infos()) {
    if (knobs::saysHowMuch(info.key)) set.setText(info.key, toText(Value(static_cast<std::int64_t>(info.minimum))));
  }
  return set;
}

inline Lesson made(const std::string& id, Result (*measure)(Bench&, const ParameterSet&)) {
  return {.id = id,
          .title = "Made up: " + id,
          .text = "A lesson of the tests.",
          .parameters = std::make_shared<const std::vector<ParameterInfo>>(),
          .measure = measure};
}

// Two rows at three places, in seconds and a rate.
inline Result plainResult(double scale) {
  Result result;
  result.columns = {{"Time", "s"}, {"Rate", "B/s"}, {"Of the limit", "%"}};
  result.rows = {{"one", {1e-3 * scale, 2e9 / scale, 0.5}}, {"two", {2e-3 * scale, 1e9 / scale, std::nan("")}}};
  result.chart.title = "Time";
  result.chart.x = {.title = "elements", .decades = true};
  result.chart.y = {.title = "time", .unit = "s", .decades = true};
  result.chart.first = 3;
  result.chart.last = 5;
  result.chart.curves = {{"one", {1e-5 * scale, 1e-4 * scale, 1e-3 * scale}}, {"limit", {1e-6, 1e-5, 1e-4}, true}};
  result.finding = "It is so.";
  return result;
}

}  // namespace simscope::lab
