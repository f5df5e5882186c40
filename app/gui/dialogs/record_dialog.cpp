#include "app/gui/dialogs/record_dialog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "app/session/recording.h"
#include "sims/core/words.h"

namespace simscope::gui {

namespace {

using Extent = RecordSettings::Extent;

constexpr const char* kTitle = "Record";
constexpr double kMegabyte = 1e6, kMostMegabytes = 1e9;
constexpr float kLabelWidth = 140, kNumberWidth = 150, kChoiceWidth = 250;
constexpr float kBeside = 400;  // room for labels beside their fields; with less they stand above them

struct Rate {
  double fps;
  const char* text;
  bool in_gif;  // whole hundredths of a second a frame, two of them at least
};
constexpr Rate kRates[] = {{60, "60 frames/s", false}, {50, "50 frames/s", true}, {100 / 3.0, "33⅓ frames/s", true},
                           {30, "30 frames/s", false}, {25, "25 frames/s", true}, {24, "24 frames/s", false},
                           {20, "20 frames/s", true},  {10, "10 frames/s", true}, {5, "5 frames/s", true},
                           {2, "2 frames/s", true},    {1, "1 frame/s", true}};
struct Size {
  int width, height;
};
constexpr Size kSizes[] = {{640, 360}, {800, 450}, {960, 540}, {1280, 720}, {1920, 1080}, {3840, 2160}};

bool isAnimation(OutputKind kind) {
  return kind == OutputKind::Gif || kind == OutputKind::Apng || isVideo(kind);
}
bool hasPixels(OutputKind kind) {
  return isAnimation(kind) || kind == OutputKind::Pictures;
}

const Rate& nearestRate(double fps, bool in_gif) {
  const Rate* nearest = nullptr;
  for (const Rate& each : kRates) {
    if (in_gif && !each.in_gif) continue;
    if (!nearest || std::abs(std::log(each.fps / fps)) < std::abs(std::log(nearest->fps / fps))) nearest = &each;
  }
  return *nearest;
}

// A label to the left of a field; width 0: above it.
void label(const Ui& ui, const char* text, float width) {
  if (width <= 0) {
    if (!*text) return;
    const ScopedFont font(ui.fonts.small);
    return ImGui::TextColored(ui.colours().dim, "%s", text);
  }
  const float origin = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(ui.colours().dim, "%s", text);
  ImGui::SameLine();
  ImGui::SetCursorPosX(origin + width);
}

void nextFieldWidth(const Ui& ui, float wanted) {
  ImGui::SetNextItemWidth(std::min(ui.px(wanted), ImGui::GetContentRegionAvail().x));
}

// Puts the next item on the line of the last one if it fits; otherwise on the next line, indented by `indent`.
void sameLineIfRoom(float gap, float width, float indent = 0) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  if (ImGui::GetItemRectMax().x + gap + width <= right) {
    ImGui::SameLine(0, gap);
  } else if (indent > 0) {
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + indent);
  }
}

// A note behind a field, for the special meaning of 0.
void hint(const Ui& ui, const char* text) {
  sameLineIfRoom(ui.px(8), ImGui::CalcTextSize(text).x);
  ImGui::TextColored(ui.colours().dim, "%s", text);
}

// A whole number as typed. Its range is checked by outOfRange(). `step` 0: without buttons.
template <typename Whole>
bool wholeNumber(Ui& ui, const char* id, Whole step, Whole& value) {
  std::int64_t typed = value;
  const std::int64_t one = step, ten = 10 * one;
  const bool changed = ImGui::InputScalar(id, ImGuiDataType_S64, &typed, step ? &one : nullptr, step ? &ten : nullptr);
  if (changed) {
    using Limits = std::numeric_limits<Whole>;
    value = static_cast<Whole>(std::clamp<std::int64_t>(typed, Limits::min(), Limits::max()));
  }
  ui.mark(std::string("record_") + (id + 2));
  return changed;
}

// A labelled whole number in its own row.
void number(Ui& ui, const char* text, const char* id, float left, int& value) {
  label(ui, text, left);
  nextFieldWidth(ui, kNumberWidth);
  wholeNumber(ui, id, 1, value);
}

bool isSide(int pixels) {
  return pixels >= kSmallestSide && pixels <= kLargestSide;
}

}  // namespace

void RecordDialog::open(Session& session) {
  if (Recording* recording = session.recorder()) return recording->stop();
  if (open_) return;
  played_ = session.playing();
  const auto shown = session.frame && played_ ? std::optional(session.frame->steps) : std::nullopt;
  if (played_) session.togglePlay();
  fill(session);
  settings_.now = shown;
  wanted_ = Wanted::Open;
}

void RecordDialog::startNow(Session& session) {
  if (Recording* recording = session.recorder()) return recording->stop();
  if (open_) return;
  played_ = false;  // it stands after a recording
  const auto shown = session.frame && session.playing() ? std::optional(session.frame->steps) : std::nullopt;
  fill(session);
  settings_.now = shown;
  settings_.extent = Extent::UntilStopped;
  start(session, false);
  wanted_ = refusal_.empty() ? Wanted::Nothing : Wanted::Open;
}

// The run goes on where the dialog has ended without a recording.
void RecordDialog::endWait(Session& session) {
  if (std::exchange(played_, false) && !session.recording() && !session.playing()) session.togglePlay();
}

void RecordDialog::fill(Session& session) {
  const Scene& scene = session.scene;
  settings_ = {};
  settings_.frames = std::max(1, scene.frames);
  settings_.first_step = scene.first_step;
  settings_.first_frame = scene.first_frame;
  settings_.steps_per_frame = std::max(1, session.pace.steps_per_frame);
  settings_.loop = scene.loop;
  most_megabytes_ = static_cast<double>(scene.max_bytes) / kMegabyte;
  const std::string ending(outputInfo(last_kind_).ending);
  setFile(scene.description->id + ending);
  for (int i = 2; !existingFile(file_.data(), kind_).empty(); ++i) {
    setFile(fmt::format("{}-{}{}", scene.description->id, i, ending));
  }
  choose(session, nullptr);
}

void RecordDialog::choose(const Session& session, const RecordingPreset* preset) {
  preset_ = preset;
  Scene scene = session.scene;
  if (preset) {
    apply(*preset, scene);
    setFile(std::filesystem::path(file_.data()).replace_extension(preset->ending).string());
  }
  settings_.width = scene.figure.width;
  settings_.height = scene.figure.height;
  const bool as_last = !preset && last_.width == scene.figure.width && last_.height == scene.figure.height;
  settings_.scale = as_last ? last_.scale : scene.figure.scale;
  settings_.supersampling = scene.figure.supersampling;
  settings_.theme = scene.figure.theme;
  settings_.fps = nearestRate(scene.fps, kind_ == OutputKind::Gif).fps;
}

void RecordDialog::setFile(const std::string& name) {
  std::snprintf(file_.data(), file_.size(), "%s", name.c_str());
  followEnding();
}

void RecordDialog::setKind(OutputKind kind) {
  setFile(std::filesystem::path(file_.data()).replace_extension(outputInfo(kind).ending).string());
}

// A name without an ending that means something keeps the format.
void RecordDialog::followEnding() {
  ask_overwrite_ = false;
  refusal_.clear();
  try {
    kind_ = outputKind(file_.data(), true);
  } catch (const UsageError&) {
    return;
  }
  if (kind_ == OutputKind::Gif) settings_.fps = nearestRate(settings_.fps, true).fps;
}

// The first number that is out of its range, of those that count; empty: there is none.
std::string RecordDialog::outOfRange() const {
  std::string said;
  const auto check = [&](const char* what, auto value, auto low, auto high, const char* unit) {
    if (!said.empty() || (value >= low && value <= high)) return;
    said = fmt::format("{}: {} is out of range: choose {} to {}{}", what, value, low, high, unit);
  };
  const bool from_start = settings_.extent == Extent::FromStart;
  if (settings_.extent != Extent::UntilStopped) check("Frames", settings_.frames, 1, kMostFrames, "");
  if (from_start && settings_.first_step != 0) {
    check("First step", settings_.first_step, std::int64_t{0}, Timeline::kLastStep, "");
  } else if (from_start) {
    check("First frame", settings_.first_frame, 0, kMostFrames, "");
  }
  check("Steps per frame", settings_.steps_per_frame, 1, kMostStepsPerFrame, "");
  if (hasPixels(kind_)) {
    check("Width", settings_.width, kSmallestSide, kLargestSide, " pixels");
    check("Height", settings_.height, kSmallestSide, kLargestSide, " pixels");
  }
  if (repeats(kind_)) check("Plays", settings_.loop, 0, kMostLoops, "");
  if (kind_ == OutputKind::Gif && from_start) check("Largest file", most_megabytes_, 0.0, kMostMegabytes, " MB");
  return said;
}

void RecordDialog::start(Session& session, bool overwrite) {
  settings_.file = file_.data();
  settings_.overwrite = overwrite;
  refusal_.clear();
  if (settings_.file.empty()) {
    refusal_ = "Enter a file name.";
    return;
  }
  refusal_ = outOfRange();
  if (!refusal_.empty()) {
    ask_overwrite_ = false;
    return;
  }
  const bool bounded = most_megabytes_ >= 0 && most_megabytes_ <= kMostMegabytes;
  settings_.max_bytes = bounded ? static_cast<std::uint64_t>(most_megabytes_ * kMegabyte) : 0;
  if (settings_.file.extension().empty()) settings_.file += outputInfo(kind_).ending;
  if (!overwrite && !existingFile(settings_.file, kind_).empty()) {
    ask_overwrite_ = true;
    return;
  }
  try {
    session.startRecording(settings_);
    last_kind_ = kind_;
    Scene& scene = session.scene;
    scene.fps = settings_.fps;
    scene.loop = settings_.loop;
    scene.max_bytes = settings_.max_bytes;
    if (settings_.extent == Extent::FromStart) {
      scene.first_step = settings_.first_step;
      scene.first_frame = settings_.first_frame;
    }
    if (settings_.extent != Extent::UntilStopped) scene.frames = settings_.frames;
    if (!preset_) {
      // The scene's scale is that of the window's figure, which stays.
      last_ = settings_;
      scene.figure.width = settings_.width;
      scene.figure.height = settings_.height;
    }
    wanted_ = Wanted::Closed;
  } catch (const std::exception& error) {
    refusal_ = error.what();
    ask_overwrite_ = false;
  }
}

void RecordDialog::draw(Session& session, Ui& ui, int figure_width, int figure_height) {
  if (wanted_ == Wanted::Open) {
    ImGui::OpenPopup(kTitle);
    wanted_ = Wanted::Nothing;
  }
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  const float width = std::min(ui.px(560), screen.x * 0.94f);
  ImGui::SetNextWindowSize({width, 0});
  open_ = ImGui::BeginPopupModal(
      kTitle, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  if (!open_) return;
  ui.popups.push_back("record");
  const float left = width < ui.px(kBeside) ? 0 : ui.px(kLabelWidth);
  // Where all of it has no room the fields scroll; what was refused and the buttons stay in sight.
  const float edges = ImGui::GetFrameHeight() + 3 * ImGui::GetStyle().WindowPadding.y;
  const float room = std::max(screen.y * 0.98f - edges - foot_height_, 3 * ImGui::GetFrameHeight());
  constexpr float kRows = 12;  // about as many at first: the height is known of the picture before
  const float body = body_height_ > 0 ? body_height_ : kRows * ImGui::GetFrameHeightWithSpacing();
  ImGui::BeginChild("record_fields", {0, std::min(body, room)}, false);
  drawPurpose(session, ui, left);
  drawFile(ui, left);
  drawPart(ui, left);
  if (isAnimation(kind_)) drawRate(ui, left);
  if (hasPixels(kind_)) drawSize(ui, left, figure_width, figure_height);
  drawLimits(ui, left);
  drawSummary(ui, left);
  body_height_ = ImGui::GetCursorPosY();
  ImGui::EndChild();
  const float foot = ImGui::GetCursorPosY();
  drawButtons(session, ui);
  foot_height_ = ImGui::GetCursorPosY() - foot;
  places_.draw(session, ui);
  if (const auto place = places_.takePlace()) setFile(place->string());
  if (wanted_ == Wanted::Closed) {
    ImGui::CloseCurrentPopup();
    wanted_ = Wanted::Nothing;
    endWait(session);
  }
  ImGui::EndPopup();
}

void RecordDialog::drawPurpose(const Session& session, Ui& ui, float left) {
  label(ui, "For", left);
  nextFieldWidth(ui, kChoiceWidth);
  constexpr const char* kAsShown = "As in the window";
  const bool list = beginCombo(ui, "##for", kLabelBeside, preset_ ? preset_->title : kAsShown);
  ui.mark("record_for");
  if (!list) return;
  if (ImGui::Selectable(kAsShown, !preset_)) choose(session, nullptr);
  for (const RecordingPreset& each : recordingPresets()) {
    const std::string text = fmt::format("{}: {} × {}", each.title, each.width, each.height);
    if (ImGui::Selectable(text.c_str(), &each == preset_)) choose(session, &each);
    ui.mark(std::string("record_for:") + each.key);
    tooltip(ui, each.help);
  }
  ImGui::EndCombo();
}

void RecordDialog::drawFile(Ui& ui, float left) {
  label(ui, "File", left);
  const char* const browse = "Browse";
  ImGui::SetNextItemWidth(-(iconButtonWidth(ui, Icon::None, browse) + ui.px(6)));
  if (ImGui::InputText("##file", file_.data(), file_.size(), ImGuiInputTextFlags_AutoSelectAll)) followEnding();
  ui.mark("record_file");
  std::error_code gone;
  const std::string folder = std::filesystem::current_path(gone).string();
  tooltip(ui, gone ? "The working folder no longer exists: enter a path from the root (/...)"
                   : "A relative name is placed in " + folder);
  ImGui::SameLine(0, ui.px(6));
  if (iconButton(ui, "record_browse", Icon::None, browse, "Choose the folder")) {
    places_.show(FileDialog::Purpose::Place, file_.data());
  }
  label(ui, "Format", left);
  nextFieldWidth(ui, kChoiceWidth);
  const bool list = beginCombo(ui, "##format", kLabelBeside, outputInfo(kind_).title);
  ui.mark("record_format");
  if (list) {
    for (const OutputInfo& each : outputInfos()) {
      if (each.kind == OutputKind::Picture) continue;  // that is the Picture button's
      if (ImGui::Selectable(each.title, each.kind == kind_)) setKind(each.kind);
      ui.mark("record_format:" + std::string(each.ending.substr(1)));
    }
    ImGui::EndCombo();
  }
  if (isVideo(kind_)) {
    const char* const beside = "with its scene";
    sameLineIfRoom(ui.px(12), ImGui::GetFrameHeight() + ui.px(8) + ImGui::CalcTextSize(beside).x);
    ImGui::Checkbox(beside, &settings_.scene_file);
    ui.mark("record_scene_file");
    tooltip(ui, "Writes a .simscope.json beside the video: the scene that makes it again");
  }
}

void RecordDialog::drawPart(Ui& ui, float left) {
  struct Part {
    Extent extent;
    const char* text;
    const char* probe;
  };
  constexpr Part kParts[] = {{Extent::FromStart, "from the start", "record_from_start"},
                             {Extent::FromNow, "from now", "record_from_now"},
                             {Extent::UntilStopped, "until stopped", "record_until_stopped"}};
  label(ui, "Record", left);
  for (const Part& each : kParts) {
    if (&each != kParts) {
      sameLineIfRoom(ui.px(12), ImGui::GetFrameHeight() + ui.px(8) + ImGui::CalcTextSize(each.text).x, left);
    }
    if (ImGui::RadioButton(each.text, settings_.extent == each.extent)) settings_.extent = each.extent;
    ui.mark(each.probe);
  }
  const bool from_start = settings_.extent == Extent::FromStart;
  if (settings_.extent != Extent::UntilStopped) number(ui, "Frames", "##frames", left, settings_.frames);
  if (from_start && settings_.first_step != 0) {
    label(ui, "First step", left);
    nextFieldWidth(ui, kNumberWidth);
    wholeNumber(ui, "##first_step", std::int64_t{1}, settings_.first_step);
    tooltip(ui, "The step of the first frame, here between two frames; 0: start with a frame, counted from the start");
  } else if (from_start) {
    number(ui, "First frame", "##first", left, settings_.first_frame);
    tooltip(ui, "Earlier frames are computed, but not written");
  }
  number(ui, "Steps per frame", "##steps", left, settings_.steps_per_frame);
}

void RecordDialog::drawRate(Ui& ui, float left) {
  const bool gif = kind_ == OutputKind::Gif;
  label(ui, "Shown at", left);
  nextFieldWidth(ui, kNumberWidth);
  const bool rates = beginCombo(ui, "##fps", kLabelBeside, nearestRate(settings_.fps, gif).text);
  ui.mark("record_fps");
  if (!rates) return;
  for (const Rate& each : kRates) {
    if (gif && !each.in_gif) continue;
    if (ImGui::Selectable(each.text, each.fps == settings_.fps)) settings_.fps = each.fps;
  }
  ImGui::EndCombo();
}

void RecordDialog::drawSize(Ui& ui, float left, int figure_width, int figure_height) {
  label(ui, "Size in pixels", left);
  const float box = ui.px(68);
  const auto side = [&](const char* id, int& value) {
    ImGui::SetNextItemWidth(box);
    return wholeNumber(ui, id, 0, value);
  };
  bool changed = side("##width", settings_.width);
  ImGui::SameLine(0, ui.px(6));
  ImGui::TextUnformatted("×");
  ImGui::SameLine(0, ui.px(6));
  changed = side("##height", settings_.height) || changed;
  sameLineIfRoom(ui.px(10), comboWidth("Common sizes"));
  ImGui::SetNextItemWidth(-1);
  const bool sizes = beginCombo(ui, "##sizes", kLabelBeside, "Common sizes");
  ui.mark("record_sizes");
  if (sizes) {
    const auto offer = [&](const std::string& text, int width, int height) {
      if (!ImGui::Selectable(text.c_str())) return;
      settings_.width = width;
      settings_.height = height;
      changed = true;
    };
    for (const Size& size : kSizes) offer(fmt::format("{} × {}", size.width, size.height), size.width, size.height);
    if (figure_width > 0 && figure_height > 0) {
      offer(fmt::format("as in the window ({} × {})", figure_width, figure_height), figure_width, figure_height);
    }
    ImGui::EndCombo();
  }
  if (changed && isSide(settings_.width) && isSide(settings_.height))
    settings_.scale = render::suitableScale(settings_.width, settings_.height);
}

void RecordDialog::drawLimits(Ui& ui, float left) {
  if (repeats(kind_)) {
    number(ui, "Plays", "##loop", left, settings_.loop);
    tooltip(ui, "Number of times that the animation plays; 0: endlessly");
    if (settings_.loop == 0) hint(ui, "endlessly");
  }
  if (kind_ != OutputKind::Gif || settings_.extent != Extent::FromStart) return;
  label(ui, "Largest file", left);
  nextFieldWidth(ui, kNumberWidth);
  ImGui::InputDouble("##most", &most_megabytes_, 0, 0, "%.4g MB");
  ui.mark("record_most");
  tooltip(ui, "0: no limit. If the file would be larger, the run is recorded again, smaller or with fewer frames");
  if (most_megabytes_ == 0) hint(ui, "no limit");
}

void RecordDialog::drawSummary(Ui& ui, float left) const {
  label(ui, "", left);
  const std::string wrong = outOfRange();
  const ScopedColour colour(ImGuiCol_Text, wrong.empty() ? ui.colours().dim : ui.colours().error);
  const ScopedWrap wrap;
  if (!wrong.empty()) {
    wrappedText(wrong);
  } else if (settings_.extent == Extent::UntilStopped) {
    ImGui::TextUnformatted("until Stop, or Ctrl+R again");
  } else {
    const auto steps = (static_cast<std::int64_t>(settings_.frames) - 1) * settings_.steps_per_frame;
    std::string text = counted(steps, "step");
    if (isAnimation(kind_)) text += fmt::format(" in {:.1f} s of animation", settings_.frames / settings_.fps);
    wrappedText(text);
  }
  ImGui::Dummy({0, ui.px(2)});
}

void RecordDialog::drawButtons(Session& session, Ui& ui) {
  const UiColours& p = ui.colours();
  if (!refusal_.empty() || ask_overwrite_) {
    const std::string text = refusal_.empty()
                                 ? fmt::format("{} exists. Replace it?", existingFile(settings_.file, kind_).string())
                                 : refusal_;
    messageCard(ui, text, refusal_.empty() ? p.warning : p.error);
    ImGui::Dummy({0, ui.px(2)});
  }
  const char* const action = ask_overwrite_ ? "Replace and record" : "Record";
  const float buttons =
      iconButtonWidth(ui, Icon::Record, action) + ui.px(8) + iconButtonWidth(ui, Icon::None, "Cancel");
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - buttons);
  if (iconButton(ui, "record_cancel", Icon::None, "Cancel", "Esc")) wanted_ = Wanted::Closed;
  ImGui::SameLine(0, ui.px(8));
  if (iconButton(ui, "record_start", Icon::Record, action, "")) start(session, ask_overwrite_);
}

}  // namespace simscope::gui
