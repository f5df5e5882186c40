#include "app/gui/panels/transport/past_setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "sims/core/words.h"

namespace simscope::gui {

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20, kMostChosen = kMiB << 20;
constexpr std::size_t kChoices[] = {0, 16 * kMiB, 64 * kMiB, 256 * kMiB, 1024 * kMiB, 4096 * kMiB, 16384 * kMiB};
const char* const kList = "past_memory";

}  // namespace

PastSetting::PastSetting(const std::filesystem::path& folder)
    : file_(folder, "past.json", stored::Document::Form::Object) {
  stored::take(file_.read(), "bytes", chosen_);
  chosen_ = std::min(chosen_, kMostChosen);
}

void PastSetting::follow(Session& session) {
  if (!std::exchange(told_, true)) {
    if (chosen_ > 0) session.setPastMemory(chosen_);
    return;
  }
  if (session.pastMemory() == chosen_) return;
  chosen_ = session.pastMemory();
  file_.write({{"bytes", chosen_}});
}

void PastSetting::openList() {
  ImGui::OpenPopup(kList);
}

void PastSetting::drawButton(Session& session, Ui& ui, float width) {
  const RunnerStatus& run = session.status;
  const std::string label = "Past " + bytesText(static_cast<double>(run.past.bytes));
  const std::string help = fmt::format(
      "{} of the run kept in {} of {}. The slider starts from the nearest one and computes the rest.\nClick to set the "
      "memory.",
      counted(static_cast<std::int64_t>(run.past.states), "state"), bytesText(static_cast<double>(run.past.bytes)),
      bytesText(static_cast<double>(run.past.budget)));
  if (iconButton(ui, "past_memory", Icon::None, label.c_str(), help.c_str(), Emphasis::Quiet, width)) openList();
}

void PastSetting::drawList(Session& session, Ui& ui) {
  if (!ImGui::BeginPopup(kList)) return;
  ui.popups.push_back(kList);
  const RunnerStatus& run = session.status;
  ImGui::TextUnformatted("Memory for the past");
  const std::string used =
      fmt::format("{} in {} on {}", counted(static_cast<std::int64_t>(run.past.states), "state"),
                  bytesText(static_cast<double>(run.past.bytes)), run.device.id.empty() ? "no device" : run.device.id);
  ImGui::TextDisabled("%s", used.c_str());
  ImGui::Separator();
  for (const std::size_t bytes : kChoices) {
    const std::string label = bytes > 0 ? bytesText(static_cast<double>(bytes))
                                        : std::string("Automatic: an eighth of the free memory, at most 1 GiB");
    if (ImGui::Selectable(label.c_str(), session.pastMemory() == bytes)) session.setPastMemory(bytes);
    ui.mark(fmt::format("past_memory:{}", bytes / kMiB));
  }
  if (ui.escape) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace simscope::gui
