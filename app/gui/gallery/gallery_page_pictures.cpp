// The pictures of the gallery: on the cards, and enlarged.
#include <algorithm>
#include <cmath>

#include "app/gui/gallery/gallery_page.h"
#include "app/render/figure/limits.h"

namespace simscope::gui {

using namespace gallery;

namespace {

constexpr float kCaptionHeight = 48, kCaptionMargin = 20;

ImTextureID textureId(unsigned name) {
  return (ImTextureID)(intptr_t)name;
}

}  // namespace

// Live where it plays; else as it was kept; else why not.
void GalleryPage::drawPicture(const Session& session, const Ui& ui, const Subject& subject, const Rect& place) {
  const UiColours& p = ui.colours();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low(place.x, place.y), high(place.right(), place.bottom());
  const float round = ui.px(6);
  if (preview_.showing(subject)) {
    Look look;
    look.width = std::max(kSmallestSide, static_cast<int>(std::lround(place.width * ui.pixel_ratio)));
    look.height = std::max(kSmallestSide, static_cast<int>(std::lround(place.height * ui.pixel_ratio)));
    look.theme = session.scene.figure.theme;
    redrawn_ = preview_.draw(figureOf(preview_.scene(), look)) || redrawn_;
    if (preview_.ready()) {
      return list.AddImageRounded(textureId(preview_.texture()), low, high, {0, 1}, {1, 0}, IM_COL32_WHITE, round);
    }
  }
  const Thumbnails::Thumbnail* thumbnail = thumbnails_->find(subject);
  if (thumbnail && thumbnail->texture) {
    return list.AddImageRounded(textureId(thumbnail->texture.get()), low, high, {0, 0}, {1, 1}, IM_COL32_WHITE, round);
  }
  list.AddRectFilled(low, high, toU32(p.panel), round);
  if (!thumbnail || thumbnail->stage != Stage::Failed) return;
  const ScopedFont font(ui.fonts.small);
  list.PushClipRect(low, high, true);
  list.AddText(nullptr, 0, {low.x + ui.px(12), low.y + ui.px(12)}, toU32(p.warning), thumbnail->failure.c_str(),
               nullptr, place.width - ui.px(24));
  list.PopClipRect();
}

// The slide show: one picture, with a caption below.
void GalleryPage::drawLarge(const Session& session, Ui& ui) {
  const UiColours& p = ui.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float caption = ui.px(kCaptionHeight);
  render::FigureOptions options = preview_.scene().figure;
  options.width = static_cast<int>(std::lround(room.x * ui.pixel_ratio));
  options.height = static_cast<int>(std::lround((room.y - caption) * ui.pixel_ratio));
  options.theme = session.scene.figure.theme;
  options.scale =
      std::max(render::suitableScale(options.width, options.height), scaleOnScreen(1, ui.scale * ui.pixel_ratio));
  options.supersampling = 1;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (options.width >= kSmallestSide && options.height >= kSmallestSide) {
    if (preview_.draw(options)) redrawn_ = large_drawn_ = true;
    // The former one stands until the next one comes.
    if (large_drawn_) {
      list.AddImage(textureId(preview_.texture()), at, {at.x + room.x, at.y + room.y - caption}, {0, 1}, {1, 0});
    }
  }
  const ImVec2 strip(at.x, at.y + room.y - caption);
  list.AddRectFilled(strip, {at.x + room.x, at.y + room.y}, toU32(p.panel));
  const char* const keys = "simscope    any key: all simulations";
  const float right = at.x + room.x - ui.px(kCaptionMargin);
  float hint = 0;
  {
    const ScopedFont font(ui.fonts.small);
    hint = ImGui::CalcTextSize(keys).x;
    const float line = std::round(strip.y + (caption - ImGui::GetFontSize()) / 2);
    list.AddText({right - hint, line}, toU32(p.dim), keys);
  }
  const Subject& subject = attract_.current();
  const std::string said = subject.description->title + ".  " + subject.description->presetInfo(subject.preset).summary;
  const float left = at.x + ui.px(kCaptionMargin);
  list.AddText({left, std::round(strip.y + (caption - ImGui::GetFontSize()) / 2)}, toU32(p.text),
               fitted(said, right - hint - ui.px(24) - left).c_str());
  ImGui::SetMouseCursor(ImGuiMouseCursor_None);
}

}  // namespace simscope::gui
