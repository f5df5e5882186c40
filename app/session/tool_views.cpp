#include "app/session/tool_views.h"

#include <algorithm>

namespace simscope {
namespace {

bool same(const AxisInfo& a, const AxisInfo& b) {
  return a.title == b.title && a.unit == b.unit;
}

template <class Kind>
const Kind* firstOf(const Description& description) {
  for (const View& each : description.views) {
    if (const Kind* kind = each.as<Kind>()) return kind;
  }
  return nullptr;
}

bool showsPlaces(const Description& description, const View& view) {
  if (view.as<PointView>()) return true;
  const auto* field = view.as<FieldView>();
  const auto* curves = view.as<CurveView>();
  if (const auto* first = firstOf<FieldView>(description)) {
    if (field) return same(field->x, first->x) && same(field->y, first->y);
    return curves && same(curves->x, first->x);
  }
  return curves && !firstOf<PointView>(description) && same(curves->x, firstOf<CurveView>(description)->x);
}

}  // namespace

const View* mainView(const Description& description, const std::string& key) {
  const View* view = description.findView(key);
  return view ? description.panelsOf(*view).front().view : nullptr;
}

bool actsOn(const Description& description, const ToolInfo& tool, const View& view) {
  return tool.view.empty() ? showsPlaces(description, view) : view.key == tool.view;
}

bool drawsShapes(const ToolInfo& tool, Domain domain) {
  return tool.gesture == Gesture::Paint && domain == Domain::Plane;
}

bool drawsShapesWithin(const Description& description, const ToolInfo& tool, const std::string& key) {
  const View* view = description.findView(key);
  if (!view) return false;
  const std::vector<ShownPanel> panels = description.panelsOf(*view);
  return std::any_of(panels.begin(), panels.end(), [&](const ShownPanel& each) {
    return actsOn(description, tool, *each.view) && drawsShapes(tool, domainOf(*each.view));
  });
}

bool actsWithin(const Description& description, const ToolInfo& tool, const std::string& key) {
  const View* view = description.findView(key);
  if (!view) return false;
  const std::vector<ShownPanel> panels = description.panelsOf(*view);
  return std::any_of(panels.begin(), panels.end(),
                     [&](const ShownPanel& each) { return actsOn(description, tool, *each.view); });
}

}  // namespace simscope
