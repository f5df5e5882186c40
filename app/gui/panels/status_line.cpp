#include "app/gui/panels/status_line.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "app/session/picture_rate.h"
#include "sims/core/words.h"

namespace simscope::gui {

namespace {

std::string rateText(double per_second) {
  if (per_second >= 1e6) return fmt::format("{:.2f} M", per_second / 1e6);
  if (per_second >= 1e4) return fmt::format("{:.1f} k", per_second / 1e3);
  return fmt::format("{:.0f}", per_second);
}

std::string costText(double microseconds) {
  if (!(microseconds > 0)) return "not measured yet";
  if (microseconds >= 1e6) return fmt::format("{:.2f} s a step", microseconds / 1e6);
  if (microseconds >= 1e3) return fmt::format("{:.2f} ms a step", microseconds / 1e3);
  return fmt::format("{:.{}f} µs a step", microseconds, microseconds < 100 ? 1 : 0);
}

// With less room than this, an item whose text does not fit, and all items after it, move into the tooltip of the dots.
constexpr float kLeastRoom = 140;
const char* const kMore = "…";

struct Item {
  std::string text, help;
};

void drawDevices(Session& session, Ui& ui, float width) {
  const compute::DeviceInfo& now = session.status.device;
  const std::string label = now.id.empty() ? std::string("no device") : fmt::format("{}  {}", now.id, now.name);
  const ScopedDisabled recording(session.recording());
  ImGui::SetNextItemWidth(width);
  const bool open = beginCombo(ui, "##device", "Device", label.c_str());
  ui.mark("device");
  if (open) {
    for (const compute::DeviceInfo& each : session.offeredDevices()) {
      const std::string text = fmt::format("{}  {}", each.id, each.name);
      if (ImGui::Selectable(text.c_str(), each.id == now.id) && each.id != now.id) session.setDevice(each.id);
      ui.mark("device:" + each.id);
    }
    if (const std::string why = compute::Device::whyNoCuda(); !why.empty()) {
      const ScopedWrap wrap(ImGui::GetFontSize() * 26);
      const ScopedColour dim(ImGuiCol_Text, ui.colours().dim);
      wrappedText("CUDA: " + why);
    }
    ImGui::EndCombo();
  } else {
    std::string help = label;
    if (!now.detail.empty()) help += "\n" + now.detail;
    help += now.backend == compute::Backend::Cpu ? fmt::format("\n{}", counted(now.threads, "thread"))
                                                 : fmt::format("\n{}", counted(now.threads, "multiprocessor"));
    for (const compute::DeviceInfo& each : now.members) help += fmt::format("\n{}  {}", each.id, each.name);
    if (!now.link.empty()) help += "\nLinked by " + now.link;
    help += "\nOn another device the run continues from the same state.";
    tooltip(ui, help);
  }
}

}  // namespace

StatusLineActions drawStatusLine(Session& session, Ui& ui, const render::TransferReport& transfer,
                                 const ProcessorShare& processor) {
  StatusLineActions actions;
  const RunnerStatus& status = session.status;
  const UiColours& p = ui.colours();
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  drawDevices(session, ui, std::min(ui.px(300), std::max(ImGui::GetContentRegionAvail().x * 0.28f, ui.px(150))));

  // Bytes moved by the simulation, and by the figure where interop is not available.
  const double moved = status.host_bytes_per_frame + static_cast<double>(transfer.host_bytes);
  const std::vector<Item> items = {
      {fmt::format("{} steps/s", rateText(status.playing ? status.steps_per_second : 0)), "Time steps made per second"},
      {costText(status.step_us), "Cost of one time step, smoothed"},
      {pictureRate(status, session.frames_per_second, session.pace.frames_per_second, processor.takenByOthers()),
       "Pictures drawn per second; below 30, with the reason"},
      {fmt::format("host transfer {}/frame", bytesText(moved)),
       "Bytes moved between the device's memory and the host's, both ways, per picture"},
      {transfer.text, "How the frame's data reaches OpenGL"},
      {status.method, "The numerical method"},
  };
  const float gap = ui.px(12);
  bool all = true;  // items that fitted so far
  for (std::size_t i = 0; i < items.size() && all; ++i) {
    Item item = items[i];
    if (item.text.empty()) continue;
    ImGui::SameLine(0, gap);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = right - ImGui::GetCursorPosX() - gap;
    all = room > ui.px(kLeastRoom) || ImGui::CalcTextSize(item.text.c_str()).x <= room;
    if (!all) {
      if (room < ImGui::CalcTextSize(kMore).x) break;
      for (std::size_t k = i + 1; k < items.size(); ++k) {
        if (!items[k].text.empty()) item.help += "\n\n" + items[k].text + "\n" + items[k].help;
      }
    }
    const float height = ImGui::GetFrameHeight();
    ImGui::GetWindowDrawList()->AddLine({at.x, at.y + ui.px(5)}, {at.x, at.y + height - ui.px(5)}, toU32(p.line),
                                        std::max(1.0f, ui.scale));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gap);
    ImGui::AlignTextToFramePadding();
    clippedText(all ? item.text : kMore, room, p.dim);
    ui.mark("status_numbers", false);
    actions.device = actions.device || ImGui::IsItemClicked();
    tooltip(ui, item.text + "\n" + item.help + "\nClick, or F3: the device");
  }
  return actions;
}

}  // namespace simscope::gui
