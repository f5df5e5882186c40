#include "app/gui/commands/command.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

namespace simscope::gui {
namespace {

Key letter(char c, bool control = false, bool shift = false) {
  return {GLFW_KEY_A + (c - 'a'), c, control, shift};
}

TEST(Keys, ArePressedWithTheirModifiersAlone) {
  EXPECT_TRUE(pressed("S", letter('s')));
  EXPECT_FALSE(pressed("S", letter('s', true)));
  EXPECT_TRUE(pressed("Ctrl+S", letter('s', true)));
  EXPECT_FALSE(pressed("Ctrl+S", letter('s', true, true))) << "that is another command";
  EXPECT_TRUE(pressed("Ctrl+Shift+S", letter('s', true, true)));
  EXPECT_FALSE(pressed("Ctrl+Shift+S", letter('s', true)));
  EXPECT_FALSE(pressed("S", letter('r')));
}

TEST(Keys, HaveTheNamesOfTheTable) {
  EXPECT_TRUE(pressed("Space", {GLFW_KEY_SPACE, 0}));
  EXPECT_TRUE(pressed("F11", {GLFW_KEY_F11, 0}));
  EXPECT_FALSE(pressed("F11", {GLFW_KEY_F1, 0}));
  EXPECT_FALSE(pressed("F1", {GLFW_KEY_F11, 0}));
  EXPECT_FALSE(pressed("F1", {GLFW_KEY_F1, 0, false, true}));
  EXPECT_TRUE(pressed("PageUp", {GLFW_KEY_PAGE_UP, 0}));
  EXPECT_TRUE(pressed("7", {GLFW_KEY_7, 0}));
  EXPECT_TRUE(pressed("7", {GLFW_KEY_KP_7, 0}));
  EXPECT_FALSE(pressed("7", {GLFW_KEY_8, 0}));
  EXPECT_FALSE(pressed("Nonsense", {GLFW_KEY_N, 'n'}));
  EXPECT_FALSE(pressed("Fx", {GLFW_KEY_F1, 0}));
}

// Plus is a key of its own on some layouts, and with Shift on others.
TEST(Keys, PlusAndMinusAreThoseOfAnyLayout) {
  EXPECT_TRUE(pressed("Ctrl++", {GLFW_KEY_EQUAL, '=', true, false}));
  EXPECT_TRUE(pressed("Ctrl++", {GLFW_KEY_EQUAL, '=', true, true}));
  EXPECT_TRUE(pressed("Ctrl++", {GLFW_KEY_RIGHT_BRACKET, '+', true, false}));
  EXPECT_TRUE(pressed("Ctrl++", {GLFW_KEY_KP_ADD, 0, true, false}));
  EXPECT_TRUE(pressed("Ctrl+-", {GLFW_KEY_MINUS, '-', true, false}));
  EXPECT_FALSE(pressed("Ctrl+-", {GLFW_KEY_MINUS, '-', false, false}));
  EXPECT_FALSE(pressed("Ctrl+-", {GLFW_KEY_EQUAL, '=', true, false}));
}

TEST(CommandOf, PassesOverWhatIsNotAvailable) {
  bool first_can = false;
  std::vector<Command> table;
  table.push_back({.id = "first", .keys = {"V"}, .available = [&] { return first_can; }});
  table.push_back({.id = "second", .keys = {"X", "V"}});
  EXPECT_EQ(commandOf(table, letter('v')), &table[1]);
  first_can = true;
  EXPECT_EQ(commandOf(table, letter('v')), &table[0]);
  EXPECT_EQ(commandOf(table, letter('q')), nullptr);
}

TEST(CommandOf, AKeyThatIsHeldRepeatsOnlyWhatMayBeRepeated) {
  std::vector<Command> table;
  table.push_back({.id = "toggle", .keys = {"F11"}});
  table.push_back({.id = "step", .keys = {"S"}, .repeats = true});
  Key held = letter('s');
  held.repeated = true;
  EXPECT_EQ(commandOf(table, held), &table[1]);
  EXPECT_EQ(commandOf(table, {GLFW_KEY_F11, 0, false, false, true}), nullptr);
}

}  // namespace
}  // namespace simscope::gui
