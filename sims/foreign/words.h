// Untrusted words, made safe to show in a terminal and in a window: names, texts, and values out of files, names of
// files, and what was typed.
//
// Nothing that comes out moves a cursor, rings a bell, breaks a line, turns the direction of writing, or is longer than
// a message can be: control characters, invisible ones, and bytes that are no UTF-8 come out as \n, \x1b, \u202e. Pure;
// any thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace simscope::foreign {

inline constexpr std::size_t kShownCharacters = 80;    // of a name or a value
inline constexpr std::size_t kShownOfAFile = 400;      // of a file's name
inline constexpr std::size_t kShownOfAMessage = 4000;  // of a whole message

// Shortened in the middle where it is longer.
std::string shown(std::string_view text, std::size_t most = kShownCharacters);
// The same between ' and ', so that its ends are seen.
std::string quoted(std::string_view text, std::size_t most = kShownCharacters);
// A file by its name.
std::string shownFile(const std::filesystem::path& file);
std::string quotedFile(const std::filesystem::path& file);
// Of a message of ours, for the last step to the terminal: lines may break, and no more. Whatever was not shown by
// the functions above is then harmless all the same.
std::string harmless(std::string_view message);

// Where a control character is in the text; npos: nowhere.
std::size_t findControl(std::string_view text);

}  // namespace simscope::foreign
