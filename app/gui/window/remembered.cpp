#include "app/gui/window/remembered.h"

#include "sims/live/live.h"

namespace simscope::gui {

void Remembered::restore(Window& window, Shell& shell) const {
  if (!window.scaleIsForced()) window.setScale(static_cast<float>(settings_.scale));
  PanelFolds& folds = shell.folds();
  folds.setWide(SidePanel::Simulations, !settings_.simulations_folded);
  folds.setWide(SidePanel::Parameters, !settings_.parameters_folded);
  folds.setWide(SidePanel::Plots, !settings_.plots_folded);
}

void Remembered::chooseScale(Window& window, double scale) {
  window.setScale(static_cast<float>(scale));
  if (!window.scaleIsForced()) settings_.scale = scale;
}

void Remembered::follow(const Window& window, const Shell& shell, const Session& session) {
  const Window::Rectangle place = window.place(), pixels = window.framebuffer();
  if (!window.fullScreen() && pixels.width > 0) {
    settings_.maximised = window.maximised();
    if (!settings_.maximised && place.width > 0 && place.height > 0) {
      settings_.width = place.width;
      settings_.height = place.height;
    }
  }
  if (!live::isLive(*session.scene.description)) settings_.simulation = session.scene.description->id;
  const PanelFolds& folds = shell.folds();
  settings_.simulations_folded = !folds.opensWide(SidePanel::Simulations);
  settings_.parameters_folded = !folds.opensWide(SidePanel::Parameters);
  settings_.plots_folded = !folds.opensWide(SidePanel::Plots);
  if (window.now() - written_at_ < kInterval) return;
  written_at_ = window.now();
  write();
}

void Remembered::write() {
  if (settings_ == written_) return;
  file_.write(settings_);
  written_ = settings_;
}

}  // namespace simscope::gui
