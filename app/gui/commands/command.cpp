#include "app/gui/commands/command.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <utility>

namespace simscope::gui {

namespace {

bool hasName(std::string_view name, const Key& key) {
  static constexpr std::pair<std::string_view, int> kNamed[] = {
      {"Space", GLFW_KEY_SPACE}, {"Left", GLFW_KEY_LEFT},         {"Right", GLFW_KEY_RIGHT},
      {"Up", GLFW_KEY_UP},       {"Down", GLFW_KEY_DOWN},         {"PageUp", GLFW_KEY_PAGE_UP},
      {"Tab", GLFW_KEY_TAB},     {"PageDown", GLFW_KEY_PAGE_DOWN}};
  if (name == "Enter") return key.key == GLFW_KEY_ENTER || key.key == GLFW_KEY_KP_ENTER;
  for (const auto& [named, code] : kNamed) {
    if (name == named) return key.key == code;
  }
  if (name == "+") return key.letter == '+' || key.letter == '=' || key.key == GLFW_KEY_KP_ADD;
  if (name == "-") return key.letter == '-' || key.key == GLFW_KEY_KP_SUBTRACT;
  if (name.size() == 1) {
    const char c = name[0];
    if (c >= '0' && c <= '9') return key.key == GLFW_KEY_0 + (c - '0') || key.key == GLFW_KEY_KP_0 + (c - '0');
    return c >= 'A' && c <= 'Z' && key.letter == static_cast<char>(c - 'A' + 'a');
  }
  if (name.size() < 2 || name[0] != 'F') return false;
  int number = 0;
  for (const char digit : name.substr(1)) {
    if (digit < '0' || digit > '9') return false;
    number = 10 * number + (digit - '0');
  }
  return number >= 1 && number <= 12 && key.key == GLFW_KEY_F1 + number - 1;
}

bool takePrefix(std::string_view& text, std::string_view prefix) {
  if (text.size() <= prefix.size() || text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

bool pressed(std::string_view keys, const Key& key) {
  const bool control = takePrefix(keys, "Ctrl+");
  const bool shift = takePrefix(keys, "Shift+");
  if (control != key.control) return false;
  const bool sign = keys == "+" || keys == "-";  // on some layouts they need Shift
  if (!sign && (control || shift || keys.size() > 1) && shift != key.shift) return false;
  return hasName(keys, key);
}

const Command* commandOf(const std::vector<Command>& commands, const Key& key) {
  for (const Command& command : commands) {
    if (key.repeated && !command.repeats) continue;
    for (const std::string& keys : command.keys) {
      if (pressed(keys, key) && command.isAvailable()) return &command;
    }
  }
  return nullptr;
}

}  // namespace simscope::gui
