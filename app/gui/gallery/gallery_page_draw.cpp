// Draws the gallery.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/gallery/gallery_page.h"

namespace simscope::gui {

using namespace gallery;

namespace {

constexpr float kLeastCard = 280, kGridMargin = 20, kCardGap = 16, kCardText = 46, kHeading = 34;
constexpr float kHeaderHeight = 56, kFooterHeight = 48;
constexpr float kLow = 320, kLowCard = 130, kLowMargin = 10;  // a lower window has smaller cards
constexpr float kLargestLook = 3;                             // times 352×220 pixels

// In a low window there is no footer: its text is shown in a tooltip.
bool isLow(const Ui& ui) {
  return ImGui::GetIO().DisplaySize.y < ui.px(kLow);
}

// Something went wrong, and is said in the footer.
bool isTold(const Session& session) {
  return !session.messages.empty() && session.messages.back().level != Message::Level::Info;
}

}  // namespace

GridStyle GalleryPage::styleOf(const Ui& ui, float width) const {
  GridStyle style;
  style.width = width;
  style.margin = ui.px(isLow(ui) ? kLowMargin : kGridMargin);
  style.gap = ui.px(kCardGap);
  style.least_card = ui.px(isLow(ui) ? kLowCard : kLeastCard);
  style.heading = ui.px(kHeading);
  style.text = ui.px(kCardText);
  return style;
}

// In half steps, so that few sizes are kept.
Look GalleryPage::lookOf(const Session& session, const Ui& ui) const {
  const float density = std::clamp(std::ceil(ui.scale * ui.pixel_ratio * 2 - 0.1f) / 2, 1.0f, kLargestLook);
  Look look;
  look.width = static_cast<int>(std::lround(static_cast<float>(look.width) * density));
  look.height = static_cast<int>(std::lround(static_cast<float>(look.height) * density));
  look.theme = session.scene.figure.theme;
  return look;
}

GalleryPage::Actions GalleryPage::draw(const Session& session, Ui& ui) {
  Actions actions;
  const bool showing = std::exchange(swallow_, false) || attract_.showing();
  const bool moved = touched();
  mouse_ = moved ? ImGui::GetIO().MousePos : mouse_;
  if (moved) touch();
  if (attract_.showing()) {
    drawLarge(session, ui);
    return actions;
  }
  if (!showing && !ImGui::GetIO().WantTextInput) typed();  // not what a dialog is told
  actions.back = std::exchange(escape_, false);
  if (std::exchange(enter_, false) && chosen_ < cards_.size()) actions.start = subjects_[chosen_];

  ui.popups.emplace_back("gallery");
  drawHeader(ui, actions);
  const float footer = isLow(ui) && !isTold(session) ? 0 : ui.px(kFooterHeight);
  drawGrid(session, ui, ImGui::GetContentRegionAvail().y - footer, actions);
  if (footer > 0) drawFooter(session, ui, footer);
  return actions;
}

void GalleryPage::drawHeader(Ui& ui, Actions& actions) {
  const UiColours& p = ui.colours();
  const float height = ui.px(kHeaderHeight), width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + width, at.y + height}, toU32(p.panel));
  const float row = at.y + std::round((height - ImGui::GetFrameHeight()) / 2), gap = ui.px(8);
  const bool wide = width > ui.px(900), narrow = width < ui.px(480);
  const std::string attract = "Slide show";
  const char* const back = wide ? "Back" : "";
  const float help_width = narrow ? 0 : iconButtonWidth(ui, Icon::None, "F1") + gap;
  const float buttons = chipWidth(ui, attract) + iconButtonWidth(ui, Icon::Theme, "") + help_width +
                        iconButtonWidth(ui, Icon::Cross, back) + 2 * gap;
  float field = at.x + ui.px(narrow ? 8 : kGridMargin);
  if (!narrow) {
    const ScopedFont font(ui.fonts.bold);
    list.AddText({field, row + ImGui::GetStyle().FramePadding.y}, toU32(p.text), "simscope");
    field += ImGui::CalcTextSize("simscope").x + ui.px(20);
  }
  const float right = at.x + width - ui.px(narrow ? 8 : kGridMargin);
  ImGui::SetCursorScreenPos({field, row});
  drawSearch(ui, std::clamp(right - buttons - ui.px(narrow ? 8 : 16) - field, ui.px(60), ui.px(560)));

  ImGui::SetCursorScreenPos({right - buttons, row});
  if (chip(ui, "gallery_attract", attract, p.good, settings_.attract)) {
    settings_.attract = !settings_.attract;
    attract_.setAfter(settings_.attract ? settings_.attract_after : 0);
    writeSettings(options_.state_folder, settings_);
  }
  tooltip(ui, fmt::format("Slide show: after {:g} idle seconds the gallery shows one preset after another, large. Any "
                          "key, or the mouse, ends it.",
                          settings_.attract_after));
  ImGui::SameLine(0, gap);
  actions.toggle_theme = iconButton(ui, "gallery_theme", Icon::Theme, "", "Dark or light");
  if (!narrow) {
    ImGui::SameLine(0, gap);
    actions.help = iconButton(ui, "gallery_help", Icon::None, "F1", "Keys and mouse");
  }
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "gallery_back", Icon::Cross, back, "Back to the simulation  (Esc)")) actions.back = true;
  ImGui::SetCursorScreenPos({at.x, at.y + height});
}

// The search field. It needs no click: all typing goes into it.
void GalleryPage::drawSearch(Ui& ui, float width) {
  const UiColours& p = ui.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight(), pad = ui.px(10), glass = ImGui::GetFontSize() * 0.34f;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + width, at.y + height);
  list.AddRectFilled(at, end, toU32(p.raised), height / 2);
  if (!query_.empty()) list.AddRect(at, end, toU32(p.accent), height / 2, 0, std::max(1.0f, ui.scale));
  const ImVec2 lens(at.x + pad + glass, at.y + height / 2 - ui.px(1));
  const float stroke = std::max(1.0f, 1.5f * ui.scale);
  list.AddCircle(lens, glass, toU32(p.dim), 20, stroke);
  list.AddLine({lens.x + glass * 0.7f, lens.y + glass * 0.7f}, {lens.x + glass * 1.7f, lens.y + glass * 1.7f},
               toU32(p.dim), stroke);
  const float text = lens.x + glass + ui.px(9), room = end.x - text - (query_.empty() ? pad : height);
  const float line = at.y + ImGui::GetStyle().FramePadding.y;
  if (query_.empty()) {
    list.AddText({text, line}, toU32(p.dim), fitted("Type to search simulations, presets, parameters", room).c_str());
  } else {
    // The end of what is typed is what counts.
    std::string shown = query_;
    while (shown.size() > 1 && ImGui::CalcTextSize(shown.c_str()).x > room - ui.px(4)) shown.erase(0, 1);
    list.AddText({text, line}, toU32(p.text), shown.c_str());
    const float caret = text + ImGui::CalcTextSize(shown.c_str()).x + ui.px(1);
    list.AddLine({caret, line}, {caret, line + ImGui::GetFontSize()}, toU32(p.accent), std::max(1.0f, ui.scale));
  }
  ImGui::Dummy({width, height});
  ui.mark("gallery_search");
  if (query_.empty()) return;
  ImGui::SetCursorScreenPos({end.x - height, at.y});
  if (iconButton(ui, "gallery_clear", Icon::Cross, "", "Clear the search  (Esc)", Emphasis::Quiet, height))
    setQuery("");
}

void GalleryPage::drawGrid(const Session& session, Ui& ui, float height, Actions& actions) {
  const ScopedColour ground(ImGuiCol_ChildBg, ui.colours().background);
  const ScopedStyle rounding(ImGuiStyleVar_ChildRounding, 0);
  const ScopedStyle padding(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild("gallery_grid", {0, std::max(height, 1.0f)}, false,
                    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_AlwaysVerticalScrollbar);
  page_ = ImGui::GetWindowHeight();
  grid_ = Grid(counts_, styleOf(ui, ImGui::GetContentRegionAvail().x));
  if (std::exchange(scroll_, false)) ImGui::SetScrollY(grid_.scrollTo(chosen_, ImGui::GetScrollY(), page_));
  const float scroll = ImGui::GetScrollY();
  const ImVec2 window = ImGui::GetWindowPos(), origin(window.x, std::round(window.y - scroll));
  seen_ = grid_.between(scroll, scroll + page_);
  for (std::size_t i = 0; i < counts_.size(); ++i) drawHeading(ui, i, origin);
  for (std::size_t i = seen_.first; i < seen_.last; ++i) drawCard(session, ui, i, origin, actions);
  thumbnails_->want(subjects_, seen_, chosen_, lookOf(session, ui));
  ImGui::SetCursorPos({0, 0});
  ImGui::Dummy({1, grid_.height()});
  ImGui::EndChild();
}

void GalleryPage::drawHeading(const Ui& ui, std::size_t section, ImVec2 origin) const {
  const Section& shown = (query_.empty() ? all_ : found_).at(section);
  const float y = origin.y + grid_.headingTop(section), height = ui.px(kHeading);
  const ImVec2 window = ImGui::GetWindowPos();
  if (y + height < window.y || y > window.y + page_) return;
  const UiColours& p = ui.colours();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float x = origin.x + ui.px(kGridMargin),
              right = window.x + ImGui::GetContentRegionAvail().x - ui.px(kGridMargin);
  const ScopedFont title_font(ui.fonts.bold);
  const std::string title = fitted(shown.title, right - x);
  const ImVec2 size = ImGui::CalcTextSize(title.c_str());
  const float line = std::round(y + (height - ui.px(6) - size.y) / 2);
  list.AddText({x, line}, toU32(p.text), title.c_str());
  const float note = x + size.x + ui.px(14);
  if (note > right - ui.px(80)) return;
  const ScopedFont note_font(ui.fonts.small);
  list.AddText({note, line + ui.px(1)}, toU32(p.dim), fitted(shown.note, right - note).c_str());
}

void GalleryPage::drawCard(const Session& session, Ui& ui, std::size_t card, ImVec2 origin, Actions& actions) {
  const UiColours& p = ui.colours();
  const Grid::Place& place = grid_.place(card);
  const Item& item = *cards_[card].item;
  const Rect picture{origin.x + place.x, std::round(origin.y + place.y), place.width, place.picture};
  const ScopedId id(card);
  ImGui::SetCursorScreenPos({picture.x, picture.y});
  if (ImGui::InvisibleButton("card", {place.width, place.height})) actions.start = item.subject;
  const bool over = ImGui::IsItemHovered();
  ui.mark(cards_[card].mark);
  const ImVec2 delta = ImGui::GetIO().MouseDelta;
  if (over && (delta.x != 0 || delta.y != 0)) choose(card, false);
  if (over) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (isLow(ui)) tooltip(ui, item.whole);

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool chosen = card == chosen_;
  drawPicture(session, ui, item.subject, picture);
  const float line = std::max(1.0f, std::round(chosen ? 2 * ui.scale : ui.scale));
  list.AddRect({picture.x, picture.y}, {picture.right(), picture.bottom()}, toU32(chosen ? p.accent : p.line), ui.px(6),
               0, line);
  const float text = picture.bottom() + ui.px(7);
  // Smaller where it is too long.
  ImFont* const usual = chosen ? ui.fonts.bold : ui.fonts.regular;
  const auto fits = [&](ImFont* font) {
    const ScopedFont scope(font);
    return ImGui::CalcTextSize(item.title.c_str()).x <= place.width - ui.px(4);
  };
  const auto write = [&](ImFont* font, float y, const ImVec4& colour, const std::string& words) {
    const ScopedFont scope(font);
    list.AddText({picture.x + ui.px(2), y}, toU32(colour), fitted(words, place.width - ui.px(4)).c_str());
  };
  write(fits(usual) ? usual : ui.fonts.small, text, p.text, item.title);
  write(ui.fonts.small, text + ui.px(19), p.dim, item.note);
}

// All about the chosen card; or what went wrong.
void GalleryPage::drawFooter(const Session& session, Ui& ui, float height) const {
  const UiColours& p = ui.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + width, at.y + height}, toU32(p.panel));
  const ScopedFont font(ui.fonts.small);
  const char* const keys = "Enter plays    Arrows choose    Esc back";
  const float hint = width > ui.px(1000) ? ImGui::CalcTextSize(keys).x + ui.px(30) : 0;
  const float left = at.x + ui.px(kGridMargin), wrap = width - 2 * ui.px(kGridMargin) - hint;
  const bool told = isTold(session);
  std::string text;
  if (told) {
    text = session.messages.back().text;
  } else if (chosen_ < cards_.size()) {
    text = cards_[chosen_].item->whole;
  }
  // Two lines of it.
  const float most = 2 * ImGui::GetFontSize() + 1;
  for (int cut = 0; cut < 200 && ImGui::CalcTextSize(text.c_str(), nullptr, false, wrap).y > most; ++cut) {
    const std::size_t space = text.find_last_of(' ');
    if (space == std::string::npos) break;
    text = text.substr(0, space) + "...";
  }
  const float tall = ImGui::CalcTextSize(text.c_str(), nullptr, false, wrap).y;
  list.AddText(nullptr, 0, {left, std::round(at.y + (height - tall) / 2)}, toU32(told ? p.warning : p.text),
               text.c_str(), nullptr, wrap);
  if (hint > 0) {
    list.AddText(
        {at.x + width - ui.px(kGridMargin) - hint + ui.px(30), std::round(at.y + (height - ImGui::GetFontSize()) / 2)},
        toU32(p.dim), keys);
  }
  ImGui::Dummy({width, height});
}

}  // namespace simscope::gui
