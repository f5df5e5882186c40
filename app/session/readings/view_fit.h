// Fits the main panel to what is there: a camera to the bodies, axes to points and curves. Where that fills a good part
// of what the view shows by itself, that is what fits; so it is with fields, which fill their axes.
//
// Owner: what is asked. Thread: the UI's. The values are read by elements, at most kMostElements of an array: nothing
// waits, and the answer may come some frames later.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/render/figure/figure.h"
#include "sims/core/description.h"
#include "sims/core/frame.h"

namespace simscope {

struct FittedView {
  std::optional<render::Limits> x, y;  // nothing: the view's own
  std::optional<Camera> camera;
  bool operator==(const FittedView&) const = default;
};

class ViewFit {
 public:
  static constexpr std::uint32_t kMostElements = 1 << 15;

  // What is to be read of the frame; none: the view's own limits fit.
  static std::vector<render::ElementRequest> requests(const View& view, const Frame& frame,
                                                      const ParameterSet& parameters,
                                                      const render::FigureOptions& options);
  // From the components of those elements. `usual`: the camera that the view has by itself.
  static FittedView fitted(const View& view, const Frame& frame, const std::vector<render::ElementRequest>& requests,
                           const std::vector<std::vector<float>>& values, const std::optional<Camera>& usual);

  // A fit is wanted from now on, until there is one.
  void ask() { wanted_ = true; }
  void forget() { wanted_ = reading_ = false; }
  bool pending() const noexcept { return wanted_; }
  // An answer is on its way, which is this one's alone.
  bool reading() const noexcept { return reading_; }
  // Asks the figure, which drew the frame last, or takes its answer; the fit, once it is there.
  std::optional<FittedView> follow(const View& view, const Frame& frame, const ParameterSet& parameters,
                                   const render::FigureOptions& options, const std::optional<Camera>& usual,
                                   render::Figure& figure);

 private:
  bool wanted_ = false, reading_ = false;
  std::vector<render::ElementRequest> requests_;
};

}  // namespace simscope
