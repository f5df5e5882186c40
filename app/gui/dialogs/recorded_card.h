// A card over the figure once a recording is there: its folder, a copy of it, and its scene, opened again. Thread: the
// UI's.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

namespace simscope::gui {

class RecordedCard {
 public:
  void show(Recorded recorded);
  // At the upper edge of `place`, until it is dismissed, the next recording begins, or some time is over: the
  // palette has its actions still.
  void draw(Session& session, Ui& ui, const Rect& place);
  // True where the window is to be drawn: the card goes, or a program has answered.
  bool expire(double now);

  bool hasFile() const noexcept { return recorded_.has_value(); }
  bool hasScene() const noexcept { return recorded_ && !recorded_->scene.empty(); }
  // By xdg-open; where that is missing or fails, the folder's path is copied as text.
  void openFolder(Session& session);
  void copy(Ui& ui) const;
  void openScene(Session& session);

 private:
  // Whether they are numbered pictures, of which the card has the first.
  bool several() const;
  const std::filesystem::path& file() const;

  std::optional<Recorded> recorded_;
  bool shown_ = false;
  double shown_at_ = -1;                             // seconds, as expire() is told; negative: it has not been told yet
  std::shared_ptr<const std::atomic<int>> opening_;  // the status of xdg-open
};

}  // namespace simscope::gui
