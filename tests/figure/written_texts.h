// What a figure writes, and where: its plan and its decorations, without a picture.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/render/figure/canvas.h"
#include "app/render/figure/figure.h"
#include "app/render/figure/painter.h"
#include "app/render/gl/transfer.h"

namespace simscope::render {

struct ViewKind;

// Needs a current GL context, always the same.
class FigureTexts {
 public:
  // Of a figure, in the order in which they are written. Frames differ in their sequence.
  const std::vector<Canvas::Written>& of(const Description& description, const ParameterSet& parameters,
                                         const Frame& frame, const FigureOptions& options);

 private:
  std::map<double, Canvas> canvases_;  // by their scale: letters are made once
  Transfer transfer_;
  std::map<const ViewKind*, std::unique_ptr<Painter>> painters_;
};

// Nothing is cut by the figure's edge, and no text lies on another: what is wrong, a line each.
std::vector<std::string> faultsOf(const std::vector<Canvas::Written>& texts, const FigureOptions& options);

}  // namespace simscope::render
