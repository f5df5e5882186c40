// The table of the window's commands, from which keys, menus, palette, and the list of keys are made.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/window/shell.h"
#include "app/session/recording.h"
#include "app/session/stored/ui_scale.h"

namespace simscope::gui {

std::vector<Command> Shell::makeCommands() {
  std::vector<Command> all;
  addRunCommands(all);
  addSceneCommands(all);
  addViewCommands(all);
  addCameraCommands(all);
  addToolCommands(all);
  addObjectCommands(all);
  addShapeCommands(all);
  all.push_back({.id = "palette",
                 .group = "Help",
                 .title = "Search everything",
                 .keys = {"Ctrl+P"},
                 .run = [this] { palette_.open(); },
                 .available = [this] { return !record_.isOpen() && !files_.isOpen() && !covered(); },
                 .reach = Command::Reach::Anywhere});
  all.push_back({.id = "help",
                 .group = "Help",
                 .title = "List keys and mouse",
                 .keys = {"F1"},
                 .run = [this] { help_.toggle(); },
                 .checked = [this] { return help_.isOpen(); },
                 .reach = Command::Reach::Anywhere});
  all.push_back({.id = "physics",
                 .group = "Help",
                 .title = "Physics and experiments",
                 .keys = {"F2"},
                 .run = [this] { explanation_.toggle(); },
                 .available = [this] { return !covered(); },
                 .checked = [this] { return explanation_.isOpen(); },
                 .reach = Command::Reach::Anywhere});
  all.push_back({.id = "device",
                 .group = "Help",
                 .title = "Device: costs, limits, memory",
                 .keys = {"F3"},
                 .run = [this] { device_.toggle(); },
                 .available = [this] { return !covered(); },
                 .checked = [this] { return device_.isOpen(); },
                 .reach = Command::Reach::Anywhere});
  all.push_back({.id = "doctor",
                 .group = "Help",
                 .title = "Check this computer",
                 .run = [this] { doctor_.toggle(); },
                 .available = [this] { return !covered(); },
                 .checked = [this] { return doctor_.isOpen(); },
                 .reach = Command::Reach::Anywhere});
  all.push_back({.id = "lab",
                 .group = "Help",
                 .title = "Lab: GPU computing, measured on this machine",
                 .keys = {"F4"},
                 .run = [this] { lab_.shown() ? closeLab(*now_.session) : openLab(*now_.session); },
                 .available = [this] { return !record_.isOpen() && !files_.isOpen() && !lab_.dialog().isOpen(); },
                 .checked = [this] { return lab_.shown(); },
                 .reach = Command::Reach::Anywhere});
  return all;
}

void Shell::addRunCommands(std::vector<Command>& all) {
  const auto free = [this] { return !now_.session->recording(); };
  all.push_back({.id = "play", .group = "Run", .title = "Play or pause", .keys = {"Space"}, .run = [this] {
                   now_.session->togglePlay();
                 }});
  all.push_back({.id = "step",
                 .group = "Run",
                 .title = "Step: advance by one frame",
                 .keys = {"S"},
                 .run = [this] { now_.session->step(); },
                 .repeats = true});
  all.push_back({.id = "reset", .group = "Run", .title = "Reset: back to the start", .keys = {"R"}, .run = [this] {
                   now_.session->reset();
                 }});
  all.push_back(
      {.id = "record", .group = "Run", .title = "Record an animation, or stop", .keys = {"Ctrl+R"}, .run = [this] {
         if (!now_.session->recorder()) return record_.open(*now_.session);
         now_.session->recorder()->stop();
       }});
  all.push_back({.id = "record_now",
                 .group = "Run",
                 .title = "Record from now until stopped",
                 .keys = {"Ctrl+Shift+R"},
                 .run = [this] { record_.startNow(*now_.session); }});
  const auto recorded = [this] { return recorded_.hasFile(); };
  all.push_back({.id = "recorded_folder",
                 .group = "Run",
                 .title = "Open the recording's folder",
                 .run = [this] { recorded_.openFolder(*now_.session); },
                 .available = recorded,
                 .in_menu = false});
  all.push_back({.id = "recorded_copy",
                 .group = "Run",
                 .title = "Copy the recording",
                 .run = [this] { recorded_.copy(*now_.ui); },
                 .available = recorded,
                 .in_menu = false});
  all.push_back({.id = "recorded_open",
                 .group = "Run",
                 .title = "Open the recording in simscope",
                 .run = [this] { recorded_.openScene(*now_.session); },
                 .available = [this] { return recorded_.hasScene() && !now_.session->recording(); },
                 .in_menu = false});
  all.push_back(
      {.id = "copy_figure", .group = "Run", .title = "Copy the figure as a picture", .keys = {"Ctrl+C"}, .run = [this] {
         figure_.copyPicture(*now_.session, clipboard_);
       }});
  all.push_back({.id = "picture", .group = "Run", .title = "Save the figure as a PNG", .keys = {"P"}, .run = [this] {
                   figure_.savePicture(*now_.session);
                 }});
  all.push_back({.id = "find_parameter",
                 .group = "Run",
                 .title = "Find a parameter",
                 .keys = {"Ctrl+F"},
                 .run =
                     [this] {
                       if (now_.ui->presenting) present(false);
                       folds_.show(SidePanel::Parameters);
                       parameters_.search();
                     },
                 .available = [this] { return !record_.isOpen() && !files_.isOpen() && !covered(); },
                 .reach = Command::Reach::Anywhere});
  all.push_back({.id = "apply_waiting",
                 .group = "Run",
                 .title = "Apply the waiting changes",
                 .keys = {"Ctrl+Enter"},
                 .run = [this] { parameters_.applyWaiting(); },
                 .available = [this] { return !covered() && parameters_.waiting() > 0; },
                 .reach = Command::Reach::Anywhere});
  all.push_back({.id = "sweep",
                 .group = "Run",
                 .title = "Sweep over one or two parameters",
                 .keys = {"Ctrl+Shift+W"},
                 .run = [this] { sweep_.toggle(); },
                 .available = [this] { return !record_.isOpen() && !files_.isOpen() && !gallery_.shown(); },
                 .checked = [this] { return sweep_.isOpen(); },
                 .reach = Command::Reach::Anywhere});
  all.push_back({.id = "clear_strokes",
                 .group = "Run",
                 .title = "Clear all strokes of the mouse",
                 .run = [this] { now_.session->clearStrokes(); },
                 .available = [this, free] { return free() && !now_.session->scene.timeline.strokes.empty(); }});
}

void Shell::addSceneCommands(std::vector<Command>& all) {
  // What the mouse holds is not a change yet.
  const auto undoable = [](const Session& session, const std::string* label) {
    return label != nullptr && !session.recording() && !ImGui::IsAnyMouseDown();
  };
  all.push_back({.id = "gallery",
                 .group = "Scene",
                 .title = "Gallery of all simulations",
                 .keys = {"Ctrl+G"},
                 .run = [this] { gallery_.shown() ? closeGallery(*now_.session) : openGallery(*now_.session); },
                 .available = [this] { return !record_.isOpen() && !files_.isOpen(); },
                 .reach = Command::Reach::Anywhere});
  all.push_back({.id = "open",
                 .group = "Scene",
                 .title = "Open a scene",
                 .keys = {"Ctrl+O"},
                 .run = [this] { files_.open(*now_.session); },
                 .available = [this] { return !now_.session->recording(); }});
  all.push_back({.id = "save", .group = "Scene", .title = "Save the scene", .keys = {"Ctrl+S"}, .run = [this] {
                   files_.save(*now_.session);
                 }});
  all.push_back(
      {.id = "save_as", .group = "Scene", .title = "Save the scene as", .keys = {"Ctrl+Shift+S"}, .run = [this] {
         files_.saveAs(*now_.session);
       }});
  all.push_back({.id = "snapshot",
                 .group = "Scene",
                 .title = "Save a snapshot of the run",
                 .run = [this] { files_.saveSnapshot(*now_.session); },
                 .available = [this] { return !now_.session->recording(); }});
  all.push_back({.id = "undo",
                 .group = "Scene",
                 .title = "Undo a change or a stroke",
                 .keys = {"Ctrl+Z"},
                 .run = [this] { now_.session->undo(); },
                 .available = [this, undoable] { return undoable(*now_.session, now_.session->undoLabel()); },
                 .repeats = true});
  all.push_back({.id = "redo",
                 .group = "Scene",
                 .title = "Redo",
                 .keys = {"Ctrl+Shift+Z", "Ctrl+Y"},
                 .run = [this] { now_.session->redo(); },
                 .available = [this, undoable] { return undoable(*now_.session, now_.session->redoLabel()); },
                 .repeats = true});
  all.push_back({.id = "quit",
                 .group = "Scene",
                 .title = "Quit",
                 .keys = {"Ctrl+Q"},
                 .run = [this] { now_.actions->quit = true; },
                 .reach = Command::Reach::Anywhere});
}

void Shell::addViewCommands(std::vector<Command>& all) {
  const auto whole = [this] { return !now_.ui->presenting; };
  all.push_back({.id = "fit", .group = "View", .title = "Fit the view", .keys = {"F"}, .run = [this] {
                   figure_.fit(*now_.session);
                 }});
  all.push_back({.id = "full_screen",
                 .group = "View",
                 .title = "Full screen",
                 .keys = {"F11"},
                 .run = [this] { now_.actions->toggle_full_screen = true; },
                 .checked = [this] { return full_screen_; },
                 .reach = Command::Reach::Anywhere});
  all.push_back({.id = "presenter",
                 .group = "View",
                 .title = "Presenter mode, large text",
                 .keys = {"F5"},
                 .run = [this] { present(!now_.ui->presenting); },
                 .available = [this] { return !covered(); },
                 .checked = [this] { return now_.ui->presenting; },
                 .reach = Command::Reach::Anywhere});
  all.push_back({.id = "theme",
                 .group = "View",
                 .title = "Dark or light",
                 .keys = {"Ctrl+T"},
                 .run = [this] { now_.actions->toggle_theme = true; },
                 .reach = Command::Reach::Anywhere});
  static constexpr std::pair<SidePanel, const char*> kPanels[] = {
      {SidePanel::Simulations, "simulations"}, {SidePanel::Parameters, "parameters"}, {SidePanel::Plots, "plots"}};
  for (int number = 1; const auto& each : kPanels) {
    const SidePanel side = each.first;
    all.push_back({.id = fmt::format("fold_{}", each.second),
                   .group = "View",
                   .title = fmt::format("Panel: {}", each.second),
                   .keys = {fmt::format("Ctrl+{}", number++)},
                   .run = [this, side] { folds_.toggle(side); },
                   .available = whole,
                   .checked = [this, side] { return folds_.open(side); }});
  }
  all.push_back({.id = "scale_up",
                 .group = "View",
                 .title = "Larger text and controls",
                 .keys = {"Ctrl++"},
                 .run = [this] { now_.actions->scale = nextScale(window_scale_, 1); },
                 .reach = Command::Reach::Anywhere,
                 .repeats = true});
  all.push_back({.id = "scale_down",
                 .group = "View",
                 .title = "Smaller text and controls",
                 .keys = {"Ctrl+-"},
                 .run = [this] { now_.actions->scale = nextScale(window_scale_, -1); },
                 .reach = Command::Reach::Anywhere,
                 .repeats = true});
  all.push_back({.id = "scale_usual",
                 .group = "View",
                 .title = "Text size of the monitor",
                 .keys = {"Ctrl+0"},
                 .run = [this] { now_.actions->scale = 0; },
                 .reach = Command::Reach::Anywhere});
  for (const double scale : kUiScales) {
    all.push_back({.id = fmt::format("scale:{:.0f}", 100 * scale),
                   .group = "View",
                   .title = fmt::format("Scale {:.0f} %", 100 * scale),
                   .run = [this, scale] { now_.actions->scale = scale; },
                   .checked = [this, scale] { return std::abs(window_scale_ - scale) < 0.01; }});
  }
}

// Of views of points in space.
void Shell::addCameraCommands(std::vector<Command>& all) {
  constexpr double kTurn = 5;  // degrees
  constexpr double kZoom = 1.2;
  const auto in_space = [this] { return figure_.showsSpace(*now_.session); };
  const auto add = [&](const char* id, const char* title, std::vector<std::string> keys, std::function<void()> run) {
    all.push_back({.id = id,
                   .group = "Camera",
                   .title = title,
                   .keys = std::move(keys),
                   .run = std::move(run),
                   .available = in_space,
                   .repeats = true,
                   .in_menu = false});
  };
  add("standpoint", "Next standpoint", {"V"}, [this] { figure_.nextStandpoint(*now_.session); });
  add("turn_left", "Turn the view to the left", {"Left"}, [this] { figure_.turn(*now_.session, -kTurn, 0); });
  add("turn_right", "Turn the view to the right", {"Right"}, [this] { figure_.turn(*now_.session, kTurn, 0); });
  add("turn_up", "Turn the view up", {"Up"}, [this] { figure_.turn(*now_.session, 0, -kTurn); });
  add("turn_down", "Turn the view down", {"Down"}, [this] { figure_.turn(*now_.session, 0, kTurn); });
  add("nearer", "Nearer", {"PageUp", "+"}, [this] { figure_.magnify(*now_.session, kZoom); });
  add("farther", "Farther", {"PageDown", "-"}, [this] { figure_.magnify(*now_.session, 1 / kZoom); });
}

// Their titles are those of the simulation that is open.
void Shell::addToolCommands(std::vector<Command>& all) {
  for (int number = 0; number <= 9; ++number) {
    all.push_back({.id = fmt::format("tool:{}", number),
                   .group = "Tools",
                   .title = {},
                   .keys = {fmt::format("{}", number)},
                   .run = [this, number] { figure_.tools().choose(*now_.session, number); },
                   .available =
                       [this, number] {
                         const std::size_t count = MouseTools::offered(*now_.session).size();
                         return !now_.ui->presenting && count > 0 && static_cast<std::size_t>(number) <= count;
                       },
                   .in_menu = false});
  }
}

// Of tools that edit objects.
void Shell::addObjectCommands(std::vector<Command>& all) {
  const auto add = [&](const char* id, const char* title, const char* key, int by) {
    all.push_back({.id = id,
                   .group = "Tools",
                   .title = title,
                   .keys = {key},
                   .run = [this, by] { figure_.stepObject(*now_.session, by); },
                   .available = [this] { return figure_.tools().editing(*now_.session) != nullptr; },
                   .repeats = true,
                   .in_menu = false});
  };
  add("next_object", "Edit the next body", "B", 1);
  add("previous_object", "Edit the previous body", "Shift+B", -1);
}

void Shell::addShapeCommands(std::vector<Command>& all) {
  const auto at_hand = [this](DrawnShape shape) {
    if (now_.ui->presenting) return false;
    const std::vector<DrawnShape> shapes = figure_.tools().shapesAtHand(*now_.session);
    return std::find(shapes.begin(), shapes.end(), shape) != shapes.end();
  };
  all.push_back({.id = "next_shape",
                 .group = "Shapes",
                 .title = "Next shape to draw with the tool",
                 .keys = {"D"},
                 .run = [this] { figure_.tools().nextShape(*now_.session); },
                 .available = [at_hand] { return at_hand(DrawnShape::Freehand); },
                 .in_menu = false});
  for (int i = 0; i <= static_cast<int>(DrawnShape::Fill); ++i) {
    const auto shape = static_cast<DrawnShape>(i);
    all.push_back({.id = fmt::format("shape:{}", infoOf(shape).key),
                   .group = "Shapes",
                   .title = fmt::format("Draw: {}", infoOf(shape).title),
                   .run = [this, shape] { figure_.tools().chooseShape(shape); },
                   .available = [at_hand, shape] { return at_hand(shape); },
                   .checked = [this, shape] { return figure_.tools().shape(*now_.session) == shape; },
                   .in_menu = false});
  }
}

void Shell::nameTools() {
  const std::vector<const ToolInfo*> tools = MouseTools::offered(*now_.session);
  for (Command& command : commands_) {
    if (command.id.rfind("tool:", 0) != 0) continue;
    const auto number = static_cast<std::size_t>(command.id.back() - '0');
    command.title.clear();
    if (number == 0) command.title = "Tool: Pan";
    if (number > 0 && number <= tools.size()) command.title = "Tool: " + MouseTools::titleOf(*tools[number - 1]);
  }
}

}  // namespace simscope::gui
