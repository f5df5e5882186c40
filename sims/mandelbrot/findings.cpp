#include "sims/mandelbrot/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace simscope::mandelbrot {

std::vector<Finding> findingsOf(const Parameters& p, Numbers numbers, int done, const Measured& measured) {
  std::vector<Finding> findings;
  const auto warn = [&](const char* code, std::string message, const char* key, std::string value) {
    findings.push_back({Finding::Level::Warning, code, std::move(message), key, std::move(value)});
  };
  // Pixels eight steps of the numbers at 2 apart are told apart.
  const double finest = numbers == Numbers::Float32 ? 0x1p-20 : numbers == Numbers::Float64 ? 0x1p-49 : 0;
  if (p.spacing() < finest) {
    warn(
        "pixelation",
        fmt::format(
            "Pixels are {:.2g} apart. {} precision does not resolve this distance: neighbouring pixels get the same c.",
            p.spacing(), numbers == Numbers::Float32 ? "Single" : "Double"),
        "arithmetic", "auto");
  }
  if (p.glitches == Glitches::Mark && measured.glitched > 0) {
    warn("glitches",
         fmt::format("{} pixels lost precision against the reference orbit and are wrong.",
                     static_cast<std::int64_t>(measured.glitched)),
         "glitches", "rebase");
  }
  constexpr double kMostLate = 0.004;
  if (done == p.max_iterations && measured.late > kMostLate && p.max_iterations < kMostIterations) {
    warn("too_few_iterations",
         fmt::format("{:.3g} % of the pixels escaped in the last tenth of the iterations: with more iterations, more "
                     "pixels would escape.",
                     100 * measured.late),
         "max_iterations", std::to_string(std::min(4 * p.max_iterations, kMostIterations)));
  }
  // Pixels that are neither proved inside nor escaped have had all iterations.
  const double open = measured.mean / done;
  if (done == p.max_iterations && measured.deepest == 0 && open > kMostLate && p.max_iterations < kMostIterations) {
    warn("nothing_escaped",
         fmt::format("No pixel has escaped in {} iterations, and {:.0f} % are not proved to be inside: black does not "
                     "mean the set here.",
                     done, 100 * open),
         "max_iterations", std::to_string(std::min(4 * p.max_iterations, kMostIterations)));
  }
  return findings;
}

}  // namespace simscope::mandelbrot
