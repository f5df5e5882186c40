// The dialog that starts a recording: file and format, which part of the run, pace, and size. Thread: the UI's.
//
// An existing file is replaced only after the user agreed. What the recorder refuses, and what is out of its range, is
// said in the dialog; nothing that was typed becomes another number.
#pragma once

#include <array>
#include <string>

#include "app/gui/dialogs/file_dialog.h"
#include "app/gui/widgets/widgets.h"
#include "app/recording/recording_presets.h"
#include "app/session/recording.h"
#include "app/session/session.h"

namespace simscope::gui {

class RecordDialog {
 public:
  // Shows the dialog with the next draw(), filled from the session's scene. While a recording is under way: stops it,
  // and its file is finished with the frames that there are.
  // A run that plays waits meanwhile: "now" is the moment at which the dialog was asked for.
  void open(Session& session);
  // Begins at once, from now until it is stopped, as in the window and in the format of the last recording; shows the
  // dialog where that is refused. While a recording is under way: stops it.
  void startNow(Session& session);
  void close() noexcept { wanted_ = Wanted::Closed; }
  bool isOpen() const noexcept { return open_; }
  // A place is being chosen, in a dialog of its own.
  bool browsing() const noexcept { return open_ && places_.isOpen(); }
  // Whether an existing file is to be replaced.
  bool asking() const noexcept { return open_ && ask_overwrite_; }
  // Why it does not start; empty: it was not refused.
  const std::string& refusal() const noexcept { return refusal_; }
  void draw(Session& session, Ui& ui, int figure_width, int figure_height);

 private:
  enum class Wanted { Nothing, Open, Closed };
  void fill(Session& session);
  void endWait(Session& session);
  void choose(const Session& session, const RecordingPreset* preset);
  void setFile(const std::string& name);
  void setKind(OutputKind kind);
  void followEnding();
  std::string outOfRange() const;
  void start(Session& session, bool overwrite);

  void drawPurpose(const Session& session, Ui& ui, float left);
  void drawFile(Ui& ui, float left);
  void drawPart(Ui& ui, float left);
  void drawRate(Ui& ui, float left);
  void drawSize(Ui& ui, float left, int figure_width, int figure_height);
  void drawLimits(Ui& ui, float left);
  void drawSummary(Ui& ui, float left) const;
  void drawButtons(Session& session, Ui& ui);

  Wanted wanted_ = Wanted::Nothing;
  bool open_ = false;
  bool played_ = false;  // the run, when the dialog opened
  OutputKind last_kind_ = OutputKind::Gif;
  FileDialog places_;
  bool ask_overwrite_ = false;
  std::array<char, 1024> file_{};
  OutputKind kind_ = OutputKind::Gif;
  const RecordingPreset* preset_ = nullptr;  // null: as in the window
  RecordSettings settings_, last_;           // last_: of the last recording as in the window
  double most_megabytes_ = 0;                // settings_.max_bytes, as it was typed
  std::string refusal_;
  float body_height_ = 0, foot_height_ = 0;  // of the fields, and of what stands below them, in the last picture
};

}  // namespace simscope::gui
