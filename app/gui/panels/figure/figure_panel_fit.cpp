// Fits the view to its content.
#include "app/gui/panels/figure/figure_panel.h"

#include "app/session/tool_views.h"

namespace simscope::gui {

// Asked again with the axes as the last fit has left them, the view's own come back.
void FigurePanel::fit(Session& session) {
  const Description& description = *session.scene.description;
  render::FigureOptions& options = session.scene.figure;
  const View* view = mainView(description, options.view);
  const bool window =
      view && description.navigate && description.navigate(session.scene.parameters, {.view = view->key});
  const bool as_fitted = fitted_ && *fitted_ == FittedView{options.x, options.y, options.camera};
  fitted_.reset();
  if (!view || view->as<FieldView>() || window || as_fitted || !session.frame) {
    fit_.forget();
    return usualView(session);
  }
  fit_.ask();
}

// True where the figure's elements are being read for it.
bool FigurePanel::followFit(Session& session) {
  if (!fit_.pending() || readings_.waiting()) return false;
  const View* view = mainView(*session.scene.description, session.scene.figure.view);
  if (!view) {
    fit_.forget();
    return false;
  }
  render::FigureOptions& options = session.scene.figure;
  const std::optional<FittedView> there =
      fit_.follow(*view, *session.frame, session.frame->parameters, options, session.usualCamera(), figure_);
  if (!there) return true;
  usualView(session);
  options.x = there->x;
  options.y = there->y;
  options.camera = there->camera;
  const FittedView usual{{}, {}, session.usualCamera()};
  if (!(*there == usual)) fitted_ = there;
  return false;
}

}  // namespace simscope::gui
