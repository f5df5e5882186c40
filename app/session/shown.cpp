#include "app/session/shown.h"

#include <algorithm>

namespace simscope {

namespace {

template <class View>
const View* withKey(const std::vector<View>& views, const std::string& key) {
  const auto found = std::find_if(views.begin(), views.end(), [&](const View& each) { return each.key == key; });
  return found == views.end() ? nullptr : &*found;
}

bool same(const AxisInfo& a, const AxisInfo& b) {
  return a.title == b.title && a.unit == b.unit;
}

bool showsPlaces(const Description& description, const Shown& view) {
  if (view.points) return true;
  if (!description.fields.empty()) {
    const FieldView& first = description.fields.front();
    if (view.field) return same(view.field->x, first.x) && same(view.field->y, first.y);
    return view.curves && same(view.curves->x, first.x);
  }
  return description.points.empty() && view.curves && same(view.curves->x, description.views.front().x);
}

}  // namespace

std::string Shown::key() const {
  return linked ? linked->key : field ? field->key : points ? points->key : curves ? curves->key : std::string();
}

std::string Shown::title() const {
  return linked   ? linked->title
         : field  ? field->title
         : points ? points->title
         : curves ? curves->title
                  : std::string();
}

Ground Shown::ground() const {
  return points ? Ground::Space : field ? Ground::Plane : Ground::Line;
}

const AxisInfo& Shown::axis() const {
  static const AxisInfo none;
  return points ? points->space : field ? field->x : curves ? curves->x : none;
}

Shown shownOf(const Description& description, const std::string& key) {
  if (key.empty()) {
    const bool any = !description.viewKeys().empty();
    return any ? shownOf(description, description.openingView()) : Shown{};
  }
  return {withKey(description.linked, key), withKey(description.fields, key), withKey(description.points, key),
          withKey(description.views, key)};
}

std::vector<Shown> panelsOf(const Description& description, const Shown& view) {
  if (!view.linked) return {view};
  std::vector<Shown> all;
  for (const Panel& panel : view.linked->panels) all.push_back(shownOf(description, panel.view));
  return all;
}

Shown mainOf(const Description& description, const std::string& key) {
  const std::vector<Shown> panels = panelsOf(description, shownOf(description, key));
  return panels.empty() ? Shown{} : panels.front();
}

std::vector<Shown> viewsOf(const Description& description) {
  std::vector<Shown> all;
  for (const std::string& key : description.viewKeys()) all.push_back(shownOf(description, key));
  return all;
}

bool actsOn(const Description& description, const ToolInfo& tool, const Shown& view) {
  return tool.view.empty() ? showsPlaces(description, view) : view.key() == tool.view;
}

bool actsWithin(const Description& description, const ToolInfo& tool, const std::string& key) {
  const std::vector<Shown> panels = panelsOf(description, shownOf(description, key));
  return std::any_of(panels.begin(), panels.end(), [&](const Shown& each) { return actsOn(description, tool, each); });
}

}  // namespace simscope
