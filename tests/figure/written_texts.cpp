#include "tests/figure/written_texts.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/render/figure/decoration.h"
#include "app/render/figure/plan.h"
#include "app/render/layers/kinds.h"

namespace simscope::render {
namespace {

// Of a line's height, above and below: letters of most words fill what is between.
constexpr double kAir = 0.15;

Canvas::Written inked(Canvas::Written text) {
  const bool upwards = text.bottom - text.top > text.right - text.left && text.text.size() > 3;
  const double air = kAir * (upwards ? text.right - text.left : text.bottom - text.top);
  (upwards ? text.left : text.top) += air;
  (upwards ? text.right : text.bottom) -= air;
  return text;
}

}  // namespace

const std::vector<Canvas::Written>& FigureTexts::of(const Description& description, const ParameterSet& parameters,
                                                    const Frame& frame, const FigureOptions& options) {
  const double scale = figureScale(options);
  Canvas& canvas = canvases_[scale];
  canvas.begin(options.width, options.height, scale);
  FigurePlan plan = planFigure(description, parameters, frame, options, canvas);
  const Drawing drawing{frame, options, themeColours(options.theme), transfer_, canvas};
  for (PanelPlan& panel : plan.panels) {
    const ViewKind& kind = kindOf(*panel.view);
    std::unique_ptr<Painter>& painter = painters_[&kind];
    if (!painter) painter = kind.makePainter(false);
    painter->prepare(panel, drawing);
    painter->decorate(panel, drawing);
  }
  drawFigureTexts(canvas, plan, drawing.colours);
  canvas.finish();
  return canvas.written();
}

std::vector<std::string> faultsOf(const std::vector<Canvas::Written>& texts, const FigureOptions& options) {
  std::vector<std::string> faults;
  const auto place = [](const Canvas::Written& t) {
    return fmt::format("\"{}\" at {:.0f} to {:.0f}, {:.0f} to {:.0f}", t.text, t.left, t.right, t.top, t.bottom);
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Canvas::Written a = inked(texts[i]);
    if (a.left < 0 || a.top < 0 || a.right > options.width || a.bottom > options.height) {
      faults.push_back(fmt::format("{} is cut", place(texts[i])));
    }
    for (std::size_t k = 0; k < i; ++k) {
      const Canvas::Written b = inked(texts[k]);
      const bool apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
      if (!apart) faults.push_back(fmt::format("{} lies on {}", place(texts[i]), place(texts[k])));
    }
  }
  return faults;
}

}  // namespace simscope::render
