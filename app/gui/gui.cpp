#include "app/gui/gui.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/window/layout.h"
#include "app/gui/window/lost_display.h"
#include "app/gui/window/remembered.h"
#include "app/gui/window/shell.h"
#include "app/gui/window/state_file.h"
#include "app/gui/window/window.h"
#include "app/gui/window/window_picture.h"
#include "app/render/gl/gl_context.h"
#include "app/session/recording.h"
#include "app/session/session.h"
#include "app/session/stored/autosave.h"
#include "app/session/stored/state_folder.h"
#include "app/session/stored/stored_json.h"
#include "backends/imgui_impl_glfw.h"
#include "backends/imgui_impl_opengl3.h"
#include "imgui_internal.h"
#include "sims/compute/device_several.h"
#include "sims/foreign/words.h"

namespace simscope::gui {

namespace {

constexpr double kSettleSeconds = 0.7;    // drawn at full rate for so long after an event: hovers, scrolling
constexpr double kIdleWait = 0.05;        // how soon a paused run's answer is seen
constexpr double kPlayingWait = 0.001;    // how soon a playing run's frame is seen
constexpr double kStatusInterval = 0.5;   // numbers of the status line, while they may change
constexpr double kRestAfter = 2;          // without news for so long, a paused window draws nothing
constexpr double kCaretInterval = 0.1;    // a caret blinks
constexpr double kShortestFrame = 0.007;  // the shortest time between pictures where the display does not set the pace
constexpr double kRecordingInterval = 0.1;  // between the window's own pictures, while recording
constexpr double kRecordingBudget = 0.02;   // of a turn, for pictures of the recording

// Dear ImGui with its backends; the window's fonts and style at its scale.
class Interface {
 public:
  explicit Interface(Window& window) : window_(window) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    const bool platform = ImGui_ImplGlfw_InitForOpenGL(window.handle(), true);
    if (!platform || !ImGui_ImplOpenGL3_Init("#version 450 core")) {
      if (platform) ImGui_ImplGlfw_Shutdown();
      ImGui::DestroyContext();
      throw Error("Dear ImGui could not be started on this OpenGL context");
    }
    window.forwardKeys(ImGui_ImplGlfw_KeyCallback);
    if (render::glIsSoftware()) picture_.emplace();
  }
  ~Interface() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;

  // Follows the scale and the theme where they have changed.
  void follow(render::Theme theme) {
    const float usual = window_.scale(), ratio = window_.pixelRatio();
    const Window::Rectangle place = window_.place();
    const float scale = ui.presenting ? usual * presenterLetters(static_cast<float>(place.width) / usual,
                                                                 static_cast<float>(place.height) / usual)
                                      : usual;
    const UiColours& palette = uiColoursOf(theme);
    if (scale != ui.scale || ratio != ui.pixel_ratio || !ui.fonts.regular) {
      const bool again = ui.fonts.regular != nullptr;
      ui.scale = scale;
      ui.pixel_ratio = ratio;
#if IMGUI_VERSION_NUM >= 19200
      if (again) ImGui_ImplOpenGL3_DestroyDeviceObjects();
      ui.fonts = loadFonts(scale, ratio);
#else
      // Only the fonts: before 1.88, destroying all objects loses the backend's buffers but keeps their sizes.
      if (again) ImGui_ImplOpenGL3_DestroyFontsTexture();
      ui.fonts = loadFonts(scale, ratio);
      if (again) ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
    } else if (ui.palette == &palette) {
      return;
    }
    if (picture_) picture_->forget();  // the fonts' texture, and the gaps between the panels
    applyStyle(palette, scale);
    ui.palette = &palette;
  }

  void begin() {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
  }

  // Since 1.87 Dear ImGui gives keys and letters that come together to one picture after the other. Where pictures are
  // slow, the rest of a word is still to come when its Enter is here.
  static bool lettersWait() {
#if IMGUI_VERSION_NUM >= 18700
    // Releases of keys do not count: otherwise Esc would come a frame after the field has had it.
    const ImVector<ImGuiInputEvent>& events = ImGui::GetCurrentContext()->InputEventsQueue;
    return std::any_of(events.begin(), events.end(), [](const ImGuiInputEvent& each) {
      return each.Type == ImGuiInputEventType_Text || (each.Type == ImGuiInputEventType_Key && each.Key.Down);
    });
#else
    return false;
#endif
  }
  static Window::Typed typed() {
    return {lettersWait(), !ImGui::GetIO().InputQueueCharacters.empty()};
  }

  void end(const WindowPicture::Figure& figure) {
    ImGui::Render();
    window_.releaseKeys();
    if (picture_) {
      picture_->compose(*ImGui::GetDrawData(), ui.colours().background, figure);
      picture_->show();
    } else {
      drawWhole();
    }
    window_.present();
  }

  Ui ui;

 private:
  // Shading all panels in every picture is nothing to a GPU.
  void drawWhole() const {
    const Window::Rectangle pixels = window_.framebuffer();
    const ImVec4& background = ui.colours().background;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, pixels.width, pixels.height);
    glClearColor(background.x, background.y, background.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  }

  Window& window_;
  std::optional<WindowPicture> picture_;  // with software OpenGL alone
};

void writeState(StateFile& file, const Window& window, const Session& session, const Ui& ui, const Shell& shell) {
  const double now = window.now();
  if (!file.due(now)) return;
  const Window::Rectangle place = window.place();
  const FigurePanel& panel = shell.figurePanel();
  WindowState state;
  state.x = place.x;
  state.y = place.y;
  state.width = place.width;
  state.height = place.height;
  state.focused = glfwGetWindowAttrib(window.handle(), GLFW_FOCUSED) != 0;
  state.figure = panel.place();
  state.plot = panel.plotPlace();
  state.figure_width = panel.figure().width();
  state.figure_height = panel.figure().height();
  state.typing = shell.parametersPanel().typing();
  state.typing_anywhere = ImGui::GetIO().WantTextInput;
  state.pressed = ImGui::IsAnyMouseDown();
  state.tool = panel.tools().taken();
  state.tool_radius = panel.tools().radius(session);
  state.shape = infoOf(panel.tools().shape(session)).key;
  state.awaits_stroke = session.awaitsStroke();
  if (const MouseStroke* stroke = panel.tools().stroke()) {
    static constexpr const char* kGestures[] = {"paint", "launch", "place", "edit"};
    state.stroking = true;
    state.gesture = kGestures[static_cast<int>(stroke->gesture())];
  }
  state.gallery = shell.gallery().state();
  state.lab = shell.lab().state();
  state.asking = shell.recordDialog().asking() || shell.fileDialog().asking();
  state.body = panel.bodyAtMouse();
  state.edited = &panel.objects();
  state.panels = panel.panelPlaces();
  state.readings = &panel.readings();
  state.plots = shell.plotsPanel().report(session, panel.readings());
  if (const auto& kind = panel.measure().taken()) state.measuring = markKindNames()[static_cast<std::size_t>(*kind)];
  for (const auto& [index, refusal] : shell.parametersPanel().refused()) state.refused.push_back(refusal.why);
  state.numbers = shell.parametersPanel().shown();
  state.waiting = shell.parametersPanel().waiting();
  state.full_screen = window.fullScreen();
  state.minimised = glfwGetWindowAttrib(window.handle(), GLFW_ICONIFIED) != 0;
  state.sweep = shell.sweep().report();
  state.comparison = shell.device().comparison();
  state.hits = shell.palette().firstHits();
  for (const auto& [index, refusal] : session.refusals) state.refused.push_back(refusal.why);
  if (const std::string& why = shell.recordDialog().refusal(); !why.empty()) state.refused.push_back(why);
  if (const std::string why = shell.fileDialog().refusal(); !why.empty()) state.refused.push_back(why);
  file.write(now, session, ui, state);
}

// When the window is drawn, and how long it may sleep. While nothing moves, nothing is drawn.
class Schedule {
 public:
  // Seconds to wait for events.
  double wait(const Window& window, bool playing, bool recording) const {
    if (recording) return 0;
    const double now = window.now();
    if (hidden_) return kIdleWait;
    if (now - window.lastEvent() < kSettleSeconds) return std::max(drawn_at_ + kShortestFrame - now, 0.0);
    return playing ? kPlayingWait : kIdleWait;
  }

  // True where it is time; the caller draws then.
  bool due(const Window& window, bool changed, bool playing, bool recording) {
    const double now = window.now();
    const double since = now - drawn_at_;
    changed_ = changed_ || changed;
    const bool event = now - window.lastEvent() < kSettleSeconds;
    if (changed || event || playing) news_at_ = now;
    const bool refresh = since > kStatusInterval && now - news_at_ < kRestAfter;
    const bool caret = ImGui::GetIO().WantTextInput && since > kCaretInterval;
    const double shortest = recording && !event ? kRecordingInterval : kShortestFrame;
    if (since < shortest || !(changed_ || event || recording || refresh || caret)) return false;
    hidden_ = !window.visible();
    if (hidden_) return false;
    drawn_at_ = now;
    changed_ = false;
    return true;
  }

 private:
  double drawn_at_ = -1, news_at_ = 0;
  bool changed_ = true;
  bool hidden_ = false;  // when it was to be drawn last
};

void openDropped(Window& window, Session& session) {
  for (const std::filesystem::path& file : window.takeDroppedFiles()) {
    try {
      session.drop(file);
    } catch (const std::exception& error) {
      session.say(Message::Level::Error, error.what());
    }
  }
}

// The one way out of the main loop, whether the window is closed, Quit is chosen, a signal comes, or an error ends it:
// a recording leaves no part of a file, and the scene is kept for the next start. A run that is being replayed is left
// there.
class WayOut {
 public:
  WayOut(Session& session, Autosave& autosave) : session_(session), autosave_(autosave) {}
  ~WayOut() {
    try {
      session_.cancelRecording();
    } catch (const std::exception&) {
      // No memory for the message. The file was removed.
    }
    autosave_.keepAtEnd(session_.scene);
  }
  WayOut(const WayOut&) = delete;
  WayOut& operator=(const WayOut&) = delete;

 private:
  Session& session_;
  Autosave& autosave_;
};

// A theme that came with a scene is not a choice of the user, so it is not stored.
struct Look {
  render::Theme theme;
  const Description* description;
  std::filesystem::path file;
};
Look lookOf(const Session& session) {
  return {session.scene.figure.theme, session.scene.description, session.file()};
}
bool chosenByUser(const Look& before, const Look& now) {
  return before.theme != now.theme && before.description == now.description && before.file == now.file;
}

// Of the window: the scene's file, with a star where it has unsaved changes.
std::string titleOf(const Session& session) {
  if (session.file().empty()) return "simscope";
  return foreign::shownFile(session.file().filename()) + (session.unsaved() ? "* - simscope" : " - simscope");
}

}  // namespace

int run(const Options& options) {
  const std::filesystem::path state_folder = stateFolder();
  Remembered remembered(state_folder);
  Window window("simscope", remembered.opening());
  StartMeter start_meter;
  Interface interface(window);
  Session session(options);
  Autosave autosave(state_folder);
  Shell shell(state_folder, autosave,
              {state_folder, autosave.lastSession(), compute::firstOfSeveral(options.device), options.threads});
  remembered.restore(window, shell);
  session.warn(stored::takeNotices());
  if (options.gallery) shell.openGallery(session);
  std::string title = "simscope";
  Schedule schedule;
  StateFile state_file(options.state_file);
  interface.ui.probing = !options.state_file.empty() || options.turn;
  const WayOut way_out(session, autosave);
  const LostDisplay lost_display([&] { autosave.keepAtEnd(session.scene); });

  while (!window.shouldClose()) {
    window.wait(schedule.wait(window, session.playing() || shell.animating(), session.recording()));
    session.advanceRecording(kRecordingBudget);
    if (options.follow) options.follow(session);
    openDropped(window, session);
    const std::vector<std::string> errors = Window::takeErrors();
    for (const std::string& error : errors) session.say(Message::Level::Warning, error);
    const bool expired = shell.expire(window.now());
    const bool changed =
        session.poll(window.now()) || expired || !errors.empty() || Interface::lettersWait() || window.keysWait();
    if (schedule.due(window, changed, session.playing() || shell.animating(), session.recording())) {
      interface.follow(session.scene.figure.theme);
      interface.ui.double_click = window.takeDoubleClick();
      interface.begin();
      const Look before = lookOf(session);
      const ShellActions actions =
          shell.draw(session, interface.ui, window.takeKeys(Interface::typed()), {window.fullScreen(), window.scale()});
      window.setTabCompletes(shell.fileDialog().isOpen() || shell.recordDialog().browsing());
      interface.end(shell.takePicture());
      if (options.started) {
        if (const auto times = start_meter.note(shell.gallery().state().live_frames)) {
          options.started(*times);
          window.close();
        }
      }
      if (actions.quit) window.close();
      if (actions.toggle_theme) {
        render::Theme& theme = session.scene.figure.theme;
        theme = theme == render::Theme::Dark ? render::Theme::Light : render::Theme::Dark;
      }
      if (chosenByUser(before, lookOf(session))) remembered.chooseTheme(session.scene.figure.theme);
      if (actions.scale) remembered.chooseScale(window, *actions.scale);
      if (actions.toggle_full_screen) window.setFullScreen(!window.fullScreen());
    }
    remembered.follow(window, shell, session);
    if (const std::string now = titleOf(session); now != title) {
      glfwSetWindowTitle(window.handle(), now.c_str());
      title = now;
    }
    autosave.keep(session.scene, session.state(), window.now());
    if (options.turn) options.turn(session, interface.ui);
    if (options.stop && options.stop()) window.close();
    writeState(state_file, window, session, interface.ui, shell);
  }
  return 0;
}

}  // namespace simscope::gui
