// A card over the figure after a recording, with buttons that open its folder, copy it, and open its scene again.
// Thread: the UI's.
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
  // At the upper edge of `place`, until it is dismissed, the next recording begins, or some time has passed. Afterwards
  // its actions are still in the palette.
  void draw(Session& session, Ui& ui, const Rect& place);
  // True if the window must be drawn: the card disappears, or a program has answered.
  bool expire(double now);

  bool hasFile() const noexcept { return recorded_.has_value(); }
  bool hasScene() const noexcept { return recorded_ && !recorded_->scene.empty(); }
  // With xdg-open; if that is missing or fails, copies the folder's path as text.
  void openFolder(Session& session);
  void copy(Ui& ui) const;
  void openScene(Session& session);

 private:
  // Whether the recording is numbered pictures; the card shows the first.
  bool several() const;
  const std::filesystem::path& file() const;

  std::optional<Recorded> recorded_;
  bool shown_ = false;
  double shown_at_ = -1;                             // in expire()'s seconds; negative: expire() was not called yet
  std::shared_ptr<const std::atomic<int>> opening_;  // the exit status of xdg-open
};

}  // namespace simscope::gui
