#include "app/session/shown_view.h"

namespace simscope {

void showView(Session& session, const std::string& key) {
  const Description& description = *session.scene.description;
  render::FigureOptions& options = session.scene.figure;
  const std::string wanted = description.view(key).key;
  if (wanted == description.view(options.view).key) return;
  options.view = wanted;
  options.x.reset();
  options.y.reset();
  options.range.reset();
  options.value_scale.reset();
  options.symmetric.reset();
}

}  // namespace simscope
