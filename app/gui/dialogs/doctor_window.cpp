#include "app/gui/dialogs/doctor_window.h"

#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "sims/compute/error.h"
#include "sims/foreign/nesting.h"

namespace simscope::gui {

namespace {

const ImVec4& healthColour(const UiColours& p, doctor::Health health) {
  if (health == doctor::Health::Ok) return p.good;
  return health == doctor::Health::Missing ? p.warning : p.error;
}

doctor::Line failure(const std::string& why) {
  return {"doctor", "The doctor", doctor::Health::Wrong, why, "run simscope doctor in a terminal for details"};
}

doctor::Health healthOf(const std::string& key) {
  for (const doctor::Health each : {doctor::Health::Ok, doctor::Health::Missing}) {
    if (key == doctor::healthKey(each)) return each;
  }
  return doctor::Health::Wrong;
}

// The lines of `simscope doctor --json`. Its exit status adds nothing.
std::vector<doctor::Line> linesOf(const exporting::ChildProcess& child, const std::string& ended) {
  constexpr std::size_t kErrorBytes = 400;
  std::vector<doctor::Line> lines;
  try {
    const nlohmann::json report = foreign::parsedJson<nlohmann::json>(child.output());
    for (const nlohmann::json& each : report.at("lines")) {
      lines.push_back(
          {each.at("key"), each.at("title"), healthOf(each.at("health")), each.at("found"), each.at("cure")});
    }
  } catch (const nlohmann::json::exception&) {
    lines.push_back(failure("it " + ended + " " + child.lastErrors(kErrorBytes)));
  }
  return lines;
}

}  // namespace

void DoctorWindow::open() {
  shown_ = true;
  if (working_) return;
  stop();
  lines_.clear();
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  // Other programs with this window, such as tests, do not have the command.
  if (failed || program.filename() != "simscope") {
    lines_.push_back(failure("the program simscope was not found"));
    return;
  }
  try {
    child_ = std::make_unique<exporting::ChildProcess>(program, std::vector<std::string>{"doctor", "--json"});
  } catch (const Error& error) {
    lines_.push_back(failure(error.what()));
    return;
  }
  working_ = true;
  thread_ = std::thread([this] {
    child_->closeInput();
    std::vector<doctor::Line> lines;
    try {
      const std::string ended = child_->wait();
      lines = linesOf(*child_, ended);
    } catch (const std::exception& error) {
      lines = {failure(error.what())};
    }
    const std::lock_guard lock(mutex_);
    lines_ = std::move(lines);
    working_ = false;
    fresh_ = true;
  });
}

void DoctorWindow::stop() noexcept {
  if (child_) child_->kill();
  if (thread_.joinable()) thread_.join();
  child_.reset();
}

void DoctorWindow::draw(Ui& ui) {
  if (!shown_) return;
  ui.popups.push_back("doctor");
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(ui.px(760), screen.x * 0.94f);
  // From the top: it grows when the lines come.
  ImGui::SetNextWindowPos({screen.x / 2, screen.y * 0.04f}, ImGuiCond_Appearing, {0.5f, 0});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, screen.y * 0.92f});
  if (ImGui::Begin(
          "This computer", &shown_,
          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
    const UiColours& colours = ui.colours();
    const std::lock_guard lock(mutex_);
    const float mark = ui.px(64);
    // In a narrow window what was found stands below its title.
    constexpr float kOneColumn = 520;
    const bool below = width < ui.px(kOneColumn);
    const float found = below ? mark : ui.px(190);
    for (const doctor::Line& each : lines_) {
      ImGui::TextColored(healthColour(colours, each.health), "%s", doctor::healthKey(each.health));
      ImGui::SameLine(mark);
      ImGui::TextUnformatted(each.title.c_str());
      ui.mark("doctor:" + each.key, false);
      if (below) {
        ImGui::SetCursorPosX(found);
      } else {
        ImGui::SameLine(found);
      }
      const ScopedWrap wrap;
      wrappedText(each.found);
      if (!each.cure.empty()) {
        ImGui::SetCursorPosX(found);
        const ScopedColour accent(ImGuiCol_Text, colours.accent);
        wrappedText(each.cure);
      }
    }
    if (working_) {
      ImGui::TextDisabled("checking ...");
    } else {
      ImGui::Separator();
      ImGui::TextUnformatted(doctor::healthy(lines_) ? "No problems found." : "Problems found.");
      ImGui::SameLine();
      if (iconButton(ui, "doctor/copy", Icon::None, "Copy for a report",
                     "Copies these lines as JSON, and nothing else")) {
        ImGui::SetClipboardText(doctor::json(lines_).dump(2).c_str());
      }
    }
  }
  ImGui::End();
}

}  // namespace simscope::gui
