// Untrusted words, made safe to show in a terminal and in a window: names, texts, and values out of files, names of
// files, and typed text.
//
// The output never moves a cursor, rings a bell, breaks a line, turns the direction of writing, or exceeds the length
// of a message: control characters, invisible ones, and invalid UTF-8 are written as \n, \x1b, \u202e. Pure; any
// thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace simscope::foreign {

inline constexpr std::size_t kShownCharacters = 80;    // of a name or a value
inline constexpr std::size_t kShownOfAFile = 400;      // of a file's name
inline constexpr std::size_t kShownOfAMessage = 4000;  // of a whole message

// The text, shortened in the middle where it is longer.
std::string shown(std::string_view text, std::size_t most = kShownCharacters);
// The same between ' and ', so that its ends are seen.
std::string quoted(std::string_view text, std::size_t most = kShownCharacters);
// A file by its name.
std::string shownFile(const std::filesystem::path& file);
std::string quotedFile(const std::filesystem::path& file);
// For a message of the program, as the last step before the terminal: only line breaks are allowed. It makes text
// harmless that did not pass through the functions above.
std::string harmless(std::string_view message);

// The position of a control character in the text; npos: none.
std::size_t findControl(std::string_view text);

}  // namespace simscope::foreign
