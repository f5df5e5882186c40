// Fits the main panel to its content: a camera to the bodies, axes to points and curves. If the view's default limits
// are largely filled already, the default is the fit; this includes fields, which fill their axes.
//
// Owner: of the pending request. Thread: the UI's. The values are read as elements, at most kMostElements of an array:
// nothing waits, and the answer may come some frames later.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/render/figure/figure.h"
#include "sims/core/description.h"
#include "sims/core/frame.h"

namespace simscope {

struct FittedView {
  std::optional<render::Limits> x, y;  // nothing: the view's default
  std::optional<Camera> camera;
  bool operator==(const FittedView&) const = default;
};

class ViewFit {
 public:
  static constexpr std::uint32_t kMostElements = 1 << 15;

  // The elements to be read from the frame; empty: the view's default limits fit.
  static std::vector<render::ElementRequest> requests(const View& view, const Frame& frame,
                                                      const ParameterSet& parameters,
                                                      const render::FigureOptions& options);
  // The fit for the components of those elements. `usual`: the view's default camera.
  static FittedView fitted(const View& view, const Frame& frame, const std::vector<render::ElementRequest>& requests,
                           const std::vector<std::vector<float>>& values, const std::optional<Camera>& usual);

  // Requests a fit, which stays wanted until it is made.
  void ask() { wanted_ = true; }
  void forget() { wanted_ = reading_ = false; }
  bool pending() const noexcept { return wanted_; }
  // An answer to this object's request is outstanding.
  bool reading() const noexcept { return reading_; }
  // Sends the request to the figure, which drew the frame last, or takes its answer; returns the fit once it is there.
  std::optional<FittedView> follow(const View& view, const Frame& frame, const ParameterSet& parameters,
                                   const render::FigureOptions& options, const std::optional<Camera>& usual,
                                   render::Figure& figure);

 private:
  bool wanted_ = false, reading_ = false;
  std::vector<render::ElementRequest> requests_;
};

}  // namespace simscope
