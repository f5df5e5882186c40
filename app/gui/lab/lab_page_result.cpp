// Draws the result on the lab's page: the chart, the table, and the controls that save them.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/lab/lab_page.h"
#include "app/gui/widgets/prose.h"

namespace simscope::gui {

// The program's own figure, in pixels of the screen: the page shows what the files hold.
void LabPage::drawChart(Ui& ui, float width, float height) {
  if (!chart_) return;
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  const ImVec2 at(std::round(cursor.x), std::round(cursor.y));
  const Rect place{at.x, at.y, std::floor(width), std::floor(height)};
  ImGui::SetCursorScreenPos(at);
  {
    const MouseOnly mouse_only;
    ImGui::InvisibleButton("chart", {place.width, place.height});
  }
  ui.mark("lab_chart", false);
  look_.width = static_cast<int>(std::lround(place.width * ui.pixel_ratio));
  look_.height = static_cast<int>(std::lround(place.height * ui.pixel_ratio));
  look_.scale = std::clamp(std::round(4 * ui.scale * ui.pixel_ratio) / 4, 0.75f, 8.0f);
  look_.marker_x.reset();
  if (ImGui::IsItemHovered() && drawn_) {
    const double x = (ImGui::GetIO().MousePos.x - place.x) * ui.pixel_ratio;
    const render::PlotArea& area = figure_->plotArea();
    if (x >= area.left && x <= area.left + area.width) look_.marker_x = area.xAt(x);
  }
  try {
    if (!figure_) figure_ = std::make_unique<render::Figure>();
    if (!drawn_ || !(*drawn_ == look_)) {
      figure_->draw(chart_->description(), chart_->parameters(), chart_->frame(), look_);
      drawn_ = look_;
      redrawn_ = true;
    }
    failure_.clear();
    ImGui::GetWindowDrawList()->AddImage((ImTextureID)(intptr_t)figure_->texture(), {place.x, place.y},
                                         {place.right(), place.bottom()}, {0, 1}, {1, 0});
  } catch (const std::exception& error) {
    failure_ = error.what();
    drawn_.reset();
  }
  if (!failure_.empty()) drawProse(ui, failure_, width, ui.colours().error);
  ImGui::Dummy({0, ui.px(4)});
}

void LabPage::drawTable(Ui& ui, float width) {
  if (cells_.size() < 2) return;
  const UiColours& p = ui.colours();
  const auto columns = static_cast<int>(cells_.front().size());
  const float line = ImGui::GetTextLineHeight() + 2 * ui.px(3);
  float wanted = 0;
  for (std::size_t c = 0; c < cells_.front().size(); ++c) {
    float widest = 0;
    for (const auto& row : cells_) {
      if (c < row.size()) widest = std::max(widest, ImGui::CalcTextSize(row[c].c_str()).x);
    }
    wanted += widest + ui.px(14);
  }
  const float scrollbar = wanted > width ? ImGui::GetStyle().ScrollbarSize : 0;
  const ScopedStyle padding(ImGuiStyleVar_CellPadding, {ui.px(6), ui.px(3)});
  const ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingFixedFit |
                                ImGuiTableFlags_NoSavedSettings | (scrollbar > 0 ? ImGuiTableFlags_ScrollX : 0);
  const float height = scrollbar > 0 ? line * static_cast<float>(cells_.size()) + scrollbar + ui.px(2) : 0;
  if (ImGui::BeginTable("lab_table", columns, flags, {0, height})) {
    for (std::size_t r = 0; r < cells_.size(); ++r) {
      const bool head = r == 0, other = !cells_[r].front().empty() && cells_[r].front().front() == '>';
      ImGui::TableNextRow();
      for (std::size_t c = 0; c < cells_[r].size(); ++c) {
        ImGui::TableNextColumn();
        const std::string& cell = cells_[r][c];
        const bool number = c > 0 && c < 1 + result_->columns.size();
        if (number) {
          const float spare = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(cell.c_str()).x;
          if (spare > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + spare);
        }
        ImGui::TextColored(head || other || !number ? p.dim : p.text, "%s", cell.c_str());
      }
    }
    ImGui::EndTable();
  }
  ImGui::Dummy({0, ui.px(2)});
}

void LabPage::drawSaving(Ui& ui) {
  ImGui::Dummy({0, ui.px(4)});
  static constexpr std::array<std::array<const char*, 3>, 4> kFiles = {
      {{"PNG", ".png", "The chart as a picture"},
       {"GIF", ".gif", "The chart as an animation: the curves grow"},
       {"CSV", ".csv", "The numbers of this lesson, with their spreads"},
       {"JSON", ".json", "All measured lessons, to open beside another run"}}};
  const ScopedDisabled writing(film_ != nullptr);
  if (iconButton(ui, "lab_copy", Icon::None, "Copy the table", "Copies the table, for a spreadsheet or a text")) {
    ImGui::SetClipboardText(notebook_.tabbed().c_str());
    said_ = "The table is in the clipboard.";
  }
  for (const auto& each : kFiles) {
    const bool json = each[1] == std::string(".json");
    if (json && notebook_.showsOther()) continue;
    ImGui::SameLine(0, ui.px(8));
    if (iconButton(ui, (std::string("lab_save") + each[1]).c_str(), Icon::None, each[0], each[2])) save(each[1]);
  }
}

}  // namespace simscope::gui
