#include "app/gui/window/shell.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <utility>

#include "app/gui/panels/simulations_panel.h"
#include "app/gui/panels/status_line.h"
#include "app/gui/panels/transport_panel.h"
#include "app/gui/widgets/hint_card.h"
#include "app/session/recording.h"

namespace simscope::gui {

namespace {

// A panel at its place; the body is drawn with the usual padding inside.
template <class Body>
void panel(const char* id, const Rect& place, ImVec2 padding, const Body& body) {
  ImGui::SetCursorScreenPos({place.x, place.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
#if IMGUI_VERSION_NUM >= 19000
  ImGui::BeginChild(id, {place.width, place.height}, ImGuiChildFlags_AlwaysUseWindowPadding,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
#else
  ImGui::BeginChild(
      id, {place.width, place.height}, false,
      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
#endif
  ImGui::PopStyleVar();
  body();
  ImGui::EndChild();
}

}  // namespace

ShellActions Shell::draw(Session& session, Ui& ui, const std::vector<Key>& keys) {
  ShellActions actions;
  ui.probes.clear();
  ui.popups.clear();
  ui.focus.turn();
  handleKeys(session, ui, keys, actions);

  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(screen);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin("simscope", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(3);

  const Layout layout = splitters_.arrange(ui, screen.x, screen.y);
  const ImVec2 padding(ui.px(12), ui.px(10));
  panel("panel_simulations", layout.simulations, padding, [&] {
    const SimulationsActions wanted = drawSimulationsPanel(session, ui, files_);
    if (wanted.help) help_.toggle();
    if (wanted.explain) explanation_.toggle();
    actions.quit = actions.quit || wanted.quit;
  });
  panel("panel_figure", layout.figure, {ui.px(8), ui.px(8)}, [&] {
    files_.drawOffer(session, ui);
    const FigureActions wanted = figure_.draw(session, ui);
    actions.toggle_theme = actions.toggle_theme || wanted.toggle_theme;
  });
  panel("panel_parameters", layout.parameters, padding, [&] { parameters_.draw(session, ui); });
  panel("panel_transport", layout.transport, {ui.px(10), ui.px(10)}, [&] {
    if (drawTransportPanel(session, ui).record) record_.open(session);
  });
  panel("panel_plots", layout.plots, {ui.px(12), ui.px(8)}, [&] { plots_.draw(session, ui); });
  panel("panel_status", layout.status, {ui.px(8), ui.px(2)}, [&] {
    if (drawStatusLine(session, ui, figure_.figure().transfer()).device) device_.toggle();
  });
  splitters_.handle(ui, layout);

  record_.draw(session, ui, figure_.figure().width(), figure_.figure().height());
  files_.drawDialogs(session, ui);
  ImGui::End();
  help_.draw(ui);
  explanation_.draw(session, ui);
  device_.draw(session, ui, figure_.figure());
  figure_.sendThroughHost(device_.throughHost());
  drawHints(session, ui, layout);
  session.commitEdits(ImGui::IsAnyMouseDown() || session.navigating());
  return actions;
}

void Shell::drawHints(const Session& session, Ui& ui, const Layout& layout) {
  const Hint* const hint = hints_.next(session.devices.size());
  const bool asking =
      record_.isOpen() || files_.isOpen() || help_.isOpen() || explanation_.isOpen() || device_.isOpen();
  if (!hint || asking || !session.frame || ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup)) return;
  const Rect& list = layout.simulations;
  const Rect foot{list.x, list.bottom() - ui.px(76), list.width, ui.px(76)};  // its buttons
  const Rect device{layout.status.x, layout.status.y, ui.px(270), layout.status.height};
  const Rect places[] = {layout.transport, figure_.place(), layout.parameters, foot, device};
  switch (drawHint(ui, *hint, places[static_cast<int>(hint->place)])) {
    case HintAnswer::GotIt:
      return hints_.dismiss(hint->name);
    case HintAnswer::NoMore:
      return hints_.dismissAll();
    case HintAnswer::None:
      break;
  }
}

void Shell::handleKeys(Session& session, Ui& ui, const std::vector<Key>& keys, ShellActions& actions) {
  const bool dropdown = std::exchange(ui.dropdown, false);  // in the frame before
  ui.escape = ui.escape_typing = ui.close_dropdown = false;
  const bool typing = ImGui::GetIO().WantTextInput;
  for (const Key& key : keys) {
    if (key.control && key.letter == 'q') {
      actions.quit = true;
    } else if (key.key == GLFW_KEY_F1) {
      help_.toggle();
    } else if (key.key == GLFW_KEY_F2) {
      explanation_.toggle();
    } else if (key.key == GLFW_KEY_F3) {
      device_.toggle();
    } else if (key.key == GLFW_KEY_ESCAPE && dropdown) {
      ui.close_dropdown = true;
    } else if (key.key == GLFW_KEY_ESCAPE && !typing) {
      ui.escape = true;
      if (record_.isOpen()) {
        record_.close();
      } else if (help_.isOpen()) {
        help_.close();
      } else if (device_.isOpen()) {
        device_.close();
      } else if (explanation_.isOpen()) {
        explanation_.close();
      } else if (!ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup)) {
        figure_.tools().escape();
      }
    } else if (typing || record_.isOpen() || files_.isOpen()) {
      ui.escape_typing = ui.escape_typing || key.key == GLFW_KEY_ESCAPE;
    } else if (key.control) {
      handleControlKey(session, key);
    } else if (key.key == GLFW_KEY_SPACE) {
      session.togglePlay();
    } else if (key.key >= GLFW_KEY_0 && key.key <= GLFW_KEY_9) {
      figure_.tools().choose(session, key.key - GLFW_KEY_0);
    } else if (key.key >= GLFW_KEY_KP_0 && key.key <= GLFW_KEY_KP_9) {
      figure_.tools().choose(session, key.key - GLFW_KEY_KP_0);
    } else if (key.letter == 's') {
      session.step();
    } else if (key.letter == 'r') {
      session.reset();
    } else if (key.letter == 'f') {
      fitView(session);
    } else if (key.letter == 'p') {
      figure_.savePicture(session);
    } else {
      moveCamera(session, key);
    }
  }
}

void Shell::handleControlKey(Session& session, const Key& key) {
  switch (key.letter) {
    case 'r':
      if (!session.recorder()) return record_.open(session);
      return session.recorder()->stop();
    case 'o':
      return files_.open(session);
    case 's':
      return key.shift ? files_.saveAs(session) : files_.save(session);
    // What the mouse holds is not a change yet.
    case 'z':
      if (!ImGui::IsAnyMouseDown()) key.shift ? session.redo() : session.undo();
      return;
    case 'y':
      if (!ImGui::IsAnyMouseDown()) session.redo();
      return;
  }
}

// Of views of points.
void Shell::moveCamera(Session& session, const Key& key) const {
  constexpr double kTurn = 5;  // degrees
  constexpr double kZoom = 1.2;
  switch (key.key) {
    case GLFW_KEY_LEFT:
      return figure_.turn(session, -kTurn, 0);
    case GLFW_KEY_RIGHT:
      return figure_.turn(session, kTurn, 0);
    case GLFW_KEY_UP:
      return figure_.turn(session, 0, -kTurn);
    case GLFW_KEY_DOWN:
      return figure_.turn(session, 0, kTurn);
    case GLFW_KEY_KP_ADD:
    case GLFW_KEY_PAGE_UP:
      return figure_.magnify(session, kZoom);
    case GLFW_KEY_KP_SUBTRACT:
    case GLFW_KEY_PAGE_DOWN:
      return figure_.magnify(session, 1 / kZoom);
    default:
      if (key.letter == 'v') figure_.nextStandpoint(session);
  }
}

}  // namespace simscope::gui
