#include "app/gui/window/shell.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <utility>

#include "app/gui/panels/simulations_panel.h"
#include "app/gui/panels/status_line.h"
#include "app/gui/widgets/hint_card.h"
#include "app/gui/window/top_bar.h"

namespace simscope::gui {

namespace {

// A panel at its place; the body is drawn with the usual padding inside.
template <class Body>
void panel(const char* id, const Rect& place, ImVec2 padding, const Body& body) {
  if (place.width <= 0) return;
  ImGui::SetCursorScreenPos({place.x, place.y});
  {
    const ScopedStyle inside(ImGuiStyleVar_WindowPadding, padding);
    beginPadded(id, {place.width, place.height}, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  }
  body();
  ImGui::EndChild();
}

// What a control that has the keyboard takes of it.
bool belongsToControl(const Key& key) {
  switch (key.key) {
    case GLFW_KEY_SPACE:
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
    case GLFW_KEY_LEFT:
    case GLFW_KEY_RIGHT:
    case GLFW_KEY_UP:
    case GLFW_KEY_DOWN:
    case GLFW_KEY_PAGE_UP:
    case GLFW_KEY_PAGE_DOWN:
      return true;
  }
  return false;
}

bool isArrow(const Key& key) {
  return key.key == GLFW_KEY_UP || key.key == GLFW_KEY_DOWN;
}

constexpr const char* kPresenting = "Presenter mode: Esc or F5 ends it, Space plays.";

bool popupIsOpen() {
  return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
}

}  // namespace

ShellActions Shell::draw(Session& session, Ui& ui, const std::vector<Key>& keys, const ShellPlace& place) {
  ShellActions actions;
  now_ = {&session, &ui, &actions};
  full_screen_ = place.full_screen;
  window_scale_ = place.scale;
  ui.probes.clear();
  cutTexts().clear();
  ui.popups.clear();
  ui.list_opened = false;
  ui.focus.begin();
  ui.symbols.turn();
  ui.clipboard = &clipboard_;
  nameTools();
  if (lab_.shown()) {
    handleLabKeys(ui, keys);
  } else if (gallery_.shown()) {
    handleGalleryKeys(session, ui, keys);
  } else {
    handleKeys(session, ui, keys);
  }

  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(screen);
  {
    const ScopedStyle padding(ImGuiStyleVar_WindowPadding, {0, 0});
    const ScopedStyle rounding(ImGuiStyleVar_WindowRounding, 0);
    const ScopedStyle border(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::Begin("simscope", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoScrollWithMouse);
  }

  std::optional<Layout> drawn;
  folds_.fit(screen.x / ui.scale, screen.y / ui.scale);
  if (lab_.shown()) {
    drawLab(session, ui);
  } else if (gallery_.shown()) {
    drawGallery(session, ui);
  } else {
    const Layout layout = ui.presenting ? Splitters::present(ui.scale, screen.x, screen.y)
                                        : splitters_.arrange(ui.scale, screen.x, screen.y, folds_);
    drawPanels(session, ui, layout);
    drawn = layout;
    if (!ui.presenting) splitters_.handle(ui, layout);
  }
  // Before the dialogs: Dear ImGui 1.86 has no tooltip appear behind a dialog in the picture that opens it.
  if (drawn) sweep_.draw(session, ui, files_.dialog());
  record_.draw(session, ui, figure_.figure().width(), figure_.figure().height());
  files_.drawDialogs(session, ui);
  drawPalette(session, ui);
  if (const auto done = session.takeRecorded()) recorded_.show(*done);
  recorded_.draw(session, ui, drawn ? figure_.place() : Rect{0, 0, screen.x, screen.y});
  if (auto said = clipboard_.poll()) {
    if (!said->file.empty()) session.last_file = said->file;
    session.say(said->copied ? Message::Level::Info : Message::Level::Error, said->text);
  }
  ImGui::End();
  if (!covered() && !ui.presenting) plots_.drawWindows(session, ui, figure_.readings());
  help_.draw(ui, commands_);
  doctor_.draw(ui);
  if (drawn) {
    explanation_.draw(session, ui);
    device_.draw(session, ui, figure_.figure());
    figure_.sendThroughHost(device_.throughHost());
    if (!ui.presenting) drawHints(session, ui, *drawn);
  }
  session.commitEdits(ImGui::IsAnyMouseDown() || session.navigating() || figure_.objects().inHand());
  now_ = {};
  return actions;
}

void Shell::drawPanels(Session& session, Ui& ui, const Layout& layout) {
  const ImVec2 padding(ui.px(12), ui.px(10));
  {
    const ScopedColour ground(ImGuiCol_ChildBg, ui.colours().background);
    panel("panel_bar", layout.bar, {ui.px(6), ui.px(7)}, [&] { drawTopBar(session, ui, files_, commands_); });
  }
  panel("panel_simulations", layout.simulations, padding, [&] {
    const SimulationsActions wanted = drawSimulationsPanel(session, ui);
    if (wanted.explain) explanation_.toggle();
    if (wanted.gallery) openGallery(session);
  });
  panel("panel_figure", layout.figure, {ui.px(8), ui.px(8)}, [&] {
    if (!ui.presenting) files_.drawOffer(session, ui);
    if (figure_.draw(session, ui).toggle_theme) now_.actions->toggle_theme = true;
  });
  panel("panel_parameters", layout.parameters, padding, [&] { parameters_.draw(session, ui); });
  panel("panel_transport", layout.transport, {ui.px(10), ui.px(6)}, [&] {
    if (transport_.draw(session, ui).record) record_.open(session);
  });
  panel("panel_plots", layout.plots, {ui.px(12), ui.px(8)}, [&] { plots_.draw(session, ui, figure_.readings()); });
  panel("panel_status", layout.status, {ui.px(8), ui.px(2)}, [&] {
    if (session.status.playing) processor_.note(ImGui::GetTime());
    if (drawStatusLine(session, ui, figure_.figure().transfer(), processor_).device) device_.toggle();
  });
}

void Shell::drawPalette(Session& session, Ui& ui) {
  const auto choice = palette_.draw(session, ui, commands_);
  if (!choice) return;
  const PaletteItem& item = choice->item;
  if (item.kind == PaletteKind::Command) {
    palette_.close();
    for (const Command& each : commands_) {
      if (each.id == item.key && each.isAvailable()) return each.run();
    }
    return;
  }
  if (item.kind == PaletteKind::Parameter && choice->hit.value.empty()) {
    palette_.close();
    if (ui.presenting) present(false);
    folds_.show(SidePanel::Parameters);
    return ui.focus.ask("value:" + item.key);
  }
  if (session.recording()) return palette_.refuse("Not possible while recording: the recording must match its scene.");
  try {
    applyHit(item, choice->hit, session);
    palette_.close();
  } catch (const UsageError& error) {
    palette_.refuse(error.what());
  }
}

void Shell::present(bool on) {
  now_.ui->presenting = on;
  now_.ui->focus.hide();
  Session& session = *now_.session;
  if (on) {
    help_.close();
    return session.say(Message::Level::Info, kPresenting);
  }
  for (std::size_t i = session.messages.size(); i-- > 0;) {
    if (session.messages[i].text == kPresenting) session.dismiss(i);  // it does not apply any more
  }
}

void Shell::drawHints(const Session& session, Ui& ui, const Layout& layout) {
  const Hint* const hint = hints_.next(session.devices.size());
  const bool asking = record_.isOpen() || files_.isOpen() || help_.isOpen() || palette_.isOpen() ||
                      explanation_.isOpen() || device_.isOpen() || doctor_.isOpen() || sweep_.isOpen() ||
                      files_.offers();
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

void Shell::handleKeys(Session& session, Ui& ui, const std::vector<Key>& keys) {
  const bool dropdown = std::exchange(ui.dropdown, false);  // in the frame before
  ui.escape = ui.escape_typing = ui.close_dropdown = false;
  const bool typing = ImGui::GetIO().WantTextInput;
  for (const Key& key : keys) {
    const Command* command = commandOf(commands_, key);
    if (palette_.isOpen()) {
      palette_.take(key);
    } else if (command && command->reach == Command::Reach::Anywhere) {
      ui.focus.hide();
      command->run();
    } else if (key.key == GLFW_KEY_TAB && typing && (files_.isOpen() || record_.browsing())) {
      // It completes a file's name.
    } else if (key.key == GLFW_KEY_TAB && !key.control) {
      ui.focus.move(key.shift ? -1 : 1);
    } else if (key.key == GLFW_KEY_F6) {
      ui.focus.movePanel(key.shift ? -1 : 1);
    } else if (key.key == GLFW_KEY_ESCAPE && dropdown) {
      ui.close_dropdown = true;
    } else if (key.key == GLFW_KEY_ESCAPE && !typing) {
      escape(ui);
    } else if (typing || record_.isOpen() || files_.isOpen()) {
      ui.escape_typing = ui.escape_typing || key.key == GLFW_KEY_ESCAPE;
    } else if (ui.focus.shown() && belongsToControl(key) && !key.control) {
      // Dear ImGui's navigation has the others.
      if (key.key == GLFW_KEY_ENTER || key.key == GLFW_KEY_KP_ENTER) ui.focus.press();
    } else if (popupIsOpen() && isArrow(key)) {
      ui.focus.move(key.key == GLFW_KEY_DOWN ? 1 : -1);
    } else if (!key.control && figure_.measureKey(session, key)) {
      if (figure_.measure().taken()) figure_.tools().choose(session, 0);  // the mouse has one tool
    } else if (command) {
      command->run();
    } else {
      TransportPanel::handleKey(session, key);
    }
  }
}

// Esc closes one thing at a time, the innermost first.
void Shell::escape(Ui& ui) {
  ui.escape = true;
  if (record_.browsing()) {
    // That dialog reads ui.escape.
  } else if (record_.isOpen()) {
    record_.close();
  } else if (help_.isOpen()) {
    help_.close();
  } else if (doctor_.isOpen()) {
    doctor_.close();
  } else if (sweep_.isOpen() && !popupIsOpen() && !ui.focus.shown()) {
    sweep_.close();
  } else if (device_.isOpen()) {
    device_.close();
  } else if (explanation_.isOpen()) {
    explanation_.close();
  } else if (popupIsOpen()) {
    // The popup reads ui.escape.
  } else if (ui.focus.shown()) {
    ui.focus.hide();
  } else if (figure_.measure().escape()) {
    // The measuring tool was deselected.
  } else if (figure_.objects().escape()) {
    // The object was deselected.
  } else if (ui.presenting && figure_.tools().taken().empty()) {
    present(false);
  } else {
    figure_.tools().escape();
  }
}

}  // namespace simscope::gui
