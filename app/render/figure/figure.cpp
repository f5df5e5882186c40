#include "app/render/figure/figure.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/render/figure/canvas.h"
#include "app/render/figure/decoration.h"
#include "app/render/figure/element_reader.h"
#include "app/render/figure/figure_target.h"
#include "app/render/figure/limits.h"
#include "app/render/figure/picture_reader.h"
#include "app/render/figure/plan.h"
#include "app/render/figure/theme.h"
#include "app/render/figure/tile.h"
#include "app/render/gl/gl_context.h"
#include "app/render/layers/kinds.h"
#include "sims/compute/error.h"

namespace simscope::render {

double suitableScale(int width, int height) {
  constexpr double kUsualWidth = 960, kUsualHeight = 540, kSteps = 4, kLeast = 0.75;
  const double fits = std::min(width / kUsualWidth, height / kUsualHeight);
  return std::clamp(std::floor(fits * kSteps) / kSteps, kLeast, kLargestScale);
}

struct Figure::Impl {
  // What lies under the data: one picture's is mostly the next one's, and on software OpenGL, where lines are dearer
  // than bytes, it is copied from the second time on.
  struct Background {
    std::vector<std::uint32_t> colours;
    std::vector<double> places;
    std::vector<std::uint8_t> lines;
    bool operator==(const Background&) const = default;
  };

  const bool software = glIsSoftware();
  FigureTarget target;
  Canvas canvas;
  Transfer transfer;
  PictureReader reader;
  ElementReader elements, object_elements;
  const bool by_processor;
  std::map<const ViewKind*, std::unique_ptr<Painter>> painters;
  std::vector<PanelArea> panels;
  std::vector<Painter*> painted_by;  // panels
  PlotArea area;                     // of the main panel, in one place from picture to picture
  double scale = 1;
  Background background;  // of the last picture
  bool background_kept = false;

  Impl(const FigureLimits& limits, ReducedBy reduced_by)
      : target(limitsOfDriver(limits)),
        reader(software),
        elements(reduced_by == ReducedBy::Shaders),
        object_elements(reduced_by == ReducedBy::Shaders),
        by_processor(reduced_by == ReducedBy::Suits && software) {}

  ElementReader& readerFor(ElementsFor whom) { return whom == ElementsFor::Object ? object_elements : elements; }

  Painter& painterOf(const PanelPlan& panel) {
    const ViewKind& kind = kindOf(*panel.view);
    std::unique_ptr<Painter>& painter = painters[&kind];
    if (!painter) painter = kind.makePainter(by_processor);
    return *painter;
  }

  Background backgroundOf(const FigurePlan& plan, const Drawing& drawing) {
    Background now{{drawing.colours.background}, {}, canvas.contents(Canvas::Layer::Under)};
    for (const PanelPlan& panel : plan.panels) {
      now.colours.push_back(painterOf(panel).background(drawing.colours));
      const PlotArea& a = panel.area;
      now.places.insert(now.places.end(), {a.left, a.top, a.width, a.height});
    }
    return now;
  }

  void paintBackground(const FigurePlan& plan, const Drawing& drawing) {
    const bool copies = software && target.whole() != 0;
    Background now;
    if (copies) {
      now = backgroundOf(plan, drawing);
      if (background_kept && now == background) return target.bringBack();
    }
    target.fill(drawing.colours.background);
    for (const PanelPlan& panel : plan.panels) {
      if (!target.narrow(drawing.drawn(panel.area))) continue;
      target.fill(painterOf(panel).background(drawing.colours));
      canvas.paint(Canvas::Layer::Under, drawing.tile);
      target.widen();
    }
    if (!copies) return;
    background_kept = now == background;
    if (background_kept) target.keep();
    background = std::move(now);
  }

  void paint(const FigurePlan& plan, const Drawing& drawing) {
    for (const PanelPlan& panel : plan.panels) painterOf(panel).reduce(panel, drawing);
    reader.collect();
    target.begin(drawing.tile);
    paintBackground(plan, drawing);
    for (const PanelPlan& panel : plan.panels) {
      if (target.narrow(drawing.drawn(panel.area))) {
        painterOf(panel).paint(panel, drawing);
        target.widen();
      }
      painterOf(panel).paintKey(panel, drawing);
    }
    canvas.paint(Canvas::Layer::Over, drawing.tile);
    target.end();
  }
};

Figure::Figure(const FigureLimits& limits, ReducedBy reduced_by) : impl_(std::make_unique<Impl>(limits, reduced_by)) {
  checkGl("making a figure");
}
Figure::~Figure() = default;

void Figure::draw(const Description& description, const ParameterSet& parameters, const Frame& frame,
                  const FigureOptions& options) {
  Impl& m = *impl_;
  checkOptions(options);
  Drawing drawing{frame, options, themeColours(options.theme), m.transfer, m.canvas};
  m.canvas.begin(options.width, options.height, figureScale(options), options.supersampling);
  FigurePlan plan = planFigure(description, parameters, frame, options, m.canvas);
  if (!m.target.fits(options.width, options.height, options.supersampling)) {
    m.reader.collect();
    m.background_kept = false;
    m.background = {};
  }
  m.target.provide(options.width, options.height, options.supersampling);
  if (m.software) drawing.whole = m.target.whole();

  std::vector<PanelArea> panels;
  std::vector<Painter*> painted_by;
  for (PanelPlan& panel : plan.panels) {
    painted_by.push_back(&m.painterOf(panel));
    m.painterOf(panel).prepare(panel, drawing);
    m.painterOf(panel).decorate(panel, drawing);
    panels.push_back({panel.view->key, panel.area, panel.projection});
  }
  drawFigureTexts(m.canvas, plan, drawing.colours);
  const std::size_t marked = plan.panels.size() == 1 ? 0 : static_cast<std::size_t>(options.marker_panel);
  if (marked < plan.panels.size()) m.painterOf(plan.panels[marked]).mark(plan.panels[marked], drawing);
  m.canvas.finish();
  for (const Tile& tile : m.target.tiles()) {
    drawing.tile = tile;
    m.paint(plan, drawing);
  }
  m.area = panels.front().area;
  m.panels = std::move(panels);
  m.painted_by = std::move(painted_by);
  m.scale = plan.scale;
  checkGl("drawing the figure");
}

unsigned Figure::texture() const noexcept {
  return impl_->target.texture();
}
int Figure::width() const noexcept {
  return impl_->target.width();
}
int Figure::height() const noexcept {
  return impl_->target.height();
}
const PlotArea& Figure::plotArea() const noexcept {
  return impl_->area;
}
const std::vector<Figure::PanelArea>& Figure::panels() const noexcept {
  return impl_->panels;
}
std::int64_t Figure::pick(double pixel_x, double pixel_y) {
  constexpr double kReach = 14;
  Impl& m = *impl_;
  for (std::size_t i = 0; i < m.panels.size(); ++i) {
    const auto& [key, area, projection] = m.panels[i];
    const bool within = pixel_x >= area.left && pixel_x <= area.left + area.width && pixel_y >= area.top &&
                        pixel_y <= area.top + area.height;
    if (projection && within) return m.painted_by[i]->pick(i, *projection, pixel_x, pixel_y, kReach * m.scale);
  }
  return -1;
}
std::string Figure::kindName(std::int64_t point) {
  Impl& m = *impl_;
  for (std::size_t i = 0; i < m.panels.size(); ++i) {
    if (m.panels[i].projection) return m.painted_by[i]->kindName(i, point);
  }
  return {};
}
bool Figure::startElements(const Frame& frame, const std::vector<ElementRequest>& requests, ElementsFor whom) {
  return impl_->readerFor(whom).start(impl_->transfer, frame, requests);
}
std::optional<std::vector<std::vector<float>>> Figure::takeElements(ElementsFor whom) {
  return impl_->readerFor(whom).take();
}
const TransferReport& Figure::transfer() const noexcept {
  return impl_->transfer.report();
}

void Figure::sendThroughHost(bool wanted) {
  impl_->transfer.sendThroughHost(wanted);
}

void Figure::startRead() {
  if (impl_->panels.empty()) throw UsageError("Figure::startRead: nothing has been drawn yet");
  impl_->reader.start(impl_->target.sources(), width(), height());
}
int Figure::readsInFlight() const noexcept {
  return impl_->reader.inFlight();
}
std::vector<std::uint8_t> Figure::take() {
  return impl_->reader.take();
}
std::vector<std::uint8_t> Figure::read() {
  if (impl_->reader.inFlight() > 0) {
    throw UsageError("Figure::read: pictures are being read already; take() them first");
  }
  startRead();
  return take();
}

}  // namespace simscope::render
