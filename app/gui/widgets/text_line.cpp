#include "app/gui/widgets/text_line.h"

#include <algorithm>
#include <utility>

namespace simscope::gui {

namespace {

const char* hintOf(TextUse use) {
  switch (use) {
    case TextUse::Formula:
      return "a formula";
    case TextUse::ImageFile:
      return "drop an image here, or type its path";
    case TextUse::DataFile:
      return "drop a table here, or type its path";
    case TextUse::Plain:
      break;
  }
  return "";
}

}  // namespace

std::optional<std::string> TextLine::draw(Session& session, Ui& ui, std::size_t index, float width,
                                          const std::string& help, std::string& typing, const std::string* waiting) {
  const ParameterInfo& info = session.scene.parameters.infos()[index];
  const auto refusal = session.refusals.find(index);
  const bool refused = refusal != session.refusals.end();
  const bool typing_here = index_ == index;
  std::string known = std::get<std::string>(refused ? refusal->second.value : session.scene.parameters[index]);
  if (waiting && !refused) known = *waiting;
  std::string& text = typing_here ? text_ : known;

  const auto drawLine = [&] {
    const ScopedFont font(info.text_use == TextUse::Formula ? ui.fonts.mono : ui.fonts.regular);
    const RefusedFrame frame(ui, refused);
    ImGui::SetNextItemWidth(width);
    return textLine("##text", hintOf(info.text_use), text, ImGuiInputTextFlags_EnterReturnsTrue);
  };
  const bool entered = drawLine();
  const bool active = ImGui::IsItemActive(), left = ImGui::IsItemDeactivated();
  const bool edited = ImGui::IsItemDeactivatedAfterEdit();
  ui.mark("value:" + info.key);
  if (active) typing = info.key;
  // Not over the reason shown below.
  if (!active && !refused) tooltip(ui, text.empty() ? help : text + "\n\n" + help);

  std::optional<std::string> wanted;
  if (left && ui.escape_typing) {
    session.forgetRefusal(index);
  } else if (entered || edited) {
    wanted = text;
  }
  if (active && !typing_here) {
    index_ = index;
    text_ = std::move(known);
  } else if (left && typing_here) {
    index_ = SIZE_MAX;
  }
  return wanted;
}

}  // namespace simscope::gui
