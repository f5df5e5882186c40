// The JSON that the program keeps between its starts, in the state folder. Read within the bounds of untrusted files:
// another program may have written it, or a crash may have cut it.
//
// A file that cannot be read is put aside as NAME.unreadable, so that it can be looked at, and the user is told once.
// Thread: the UI's. Errors: none.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace simscope::stored {

// The text of a JSON document of at most `most` bytes, nested no deeper than foreign::kDeepest; none: there is no such
// file, or it was put aside.
enum class Form { Object, List };
std::optional<std::string> readText(const std::filesystem::path& file, std::uint64_t most, Form form);
// What was put aside since the last call, a line each.
std::vector<std::string> takeNotices();

}  // namespace simscope::stored
