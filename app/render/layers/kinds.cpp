#include "app/render/layers/kinds.h"

#include "app/render/layers/curves/curve_colours.h"
#include "app/render/layers/curves/curve_painter.h"
#include "app/render/layers/curves/curve_plan.h"
#include "app/render/layers/field/field_colours.h"
#include "app/render/layers/field/field_painter.h"
#include "app/render/layers/field/field_plan.h"
#include "app/render/layers/points/point_colours.h"
#include "app/render/layers/points/point_painter.h"
#include "app/render/layers/points/point_plan.h"
#include "app/render/layers/scatter/scatter_painter.h"
#include "app/render/layers/scatter/scatter_plan.h"
#include "sims/compute/error.h"

namespace simscope::render {
namespace {

template <class Kind>
std::unique_ptr<Painter> make(bool by_processor) {
  return std::make_unique<Kind>(by_processor);
}

constexpr ViewKind kCurveKind{planCurves, neededForCurves, make<CurvePainter>, curveColours, addCurveColours};
constexpr ViewKind kFieldKind{planField, neededForField, make<FieldPainter>, fieldColours, nullptr};
constexpr ViewKind kPointKind{planPoints, neededForPoints, make<PointPainter>, pointColours, nullptr};
constexpr ViewKind kScatterKind{planScatter, neededForScatter, make<ScatterPainter>, scatterColours, nullptr};

const ViewKind& kind(const CurveView&) {
  return kCurveKind;
}
const ViewKind& kind(const FieldView&) {
  return kFieldKind;
}
const ViewKind& kind(const PointView&) {
  return kPointKind;
}
const ViewKind& kind(const ScatterView&) {
  return kScatterKind;
}
const ViewKind& kind(const LinkedView&) {
  throw Error("A linked view is drawn panel by panel.");
}

}  // namespace

const ViewKind& kindOf(const View& view) {
  return std::visit([](const auto& each) -> const ViewKind& { return kind(each); }, view.kind);
}

}  // namespace simscope::render
