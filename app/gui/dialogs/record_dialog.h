// The dialog that starts a recording: file and format, the part of the run, pace, and size. Thread: the UI's.
//
// An existing file is replaced only after the user agreed. The dialog shows why the recorder refuses a setting, or that
// it is out of range; typed text is never changed to another number.
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
  // Shows the dialog at the next draw(), filled from the session's scene. During a recording it stops the recording
  // instead; its file is finished with the frames so far.
  // A playing run pauses meanwhile: "now" is the moment at which the dialog was opened.
  void open(Session& session);
  // Starts a recording at once, from now until it is stopped, with the window's look and the last recording's format;
  // shows the dialog if this is refused. During a recording it stops the recording.
  void startNow(Session& session);
  void close() noexcept { wanted_ = Wanted::Closed; }
  bool isOpen() const noexcept { return open_; }
  // The user is choosing a place, in a separate dialog.
  bool browsing() const noexcept { return open_ && places_.isOpen(); }
  // Whether it asks to replace an existing file.
  bool asking() const noexcept { return open_ && ask_overwrite_; }
  // Why the recording did not start; empty: it was not refused.
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
  bool played_ = false;  // the run was playing when the dialog opened
  OutputKind last_kind_ = OutputKind::Gif;
  FileDialog places_;
  bool ask_overwrite_ = false;
  std::array<char, 1024> file_{};
  OutputKind kind_ = OutputKind::Gif;
  const RecordingPreset* preset_ = nullptr;  // null: the window's look
  RecordSettings settings_, last_;           // last_: of the last recording with the window's look
  double most_megabytes_ = 0;                // settings_.max_bytes, as typed
  std::string refusal_;
  float body_height_ = 0, foot_height_ = 0;  // of the fields, and of the part below them, in the last picture
};

}  // namespace simscope::gui
