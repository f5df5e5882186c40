#include "app/session/stored/stored_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "sims/compute/error.h"
#include "sims/foreign/file.h"
#include "sims/foreign/nesting.h"
#include "sims/foreign/words.h"

namespace simscope::stored {
namespace {

std::vector<std::string>& notices() {
  static std::vector<std::string> all;
  return all;
}

void putAside(const std::filesystem::path& file, const std::string& why) {
  std::filesystem::path aside = file;
  aside += ".unreadable";
  std::error_code failed;
  std::filesystem::rename(file, aside, failed);
  notices().push_back(fmt::format("{} {}, and the defaults hold; it {}", foreign::shownFile(file), why,
                                  failed ? "stays where it is" : "is now " + foreign::shownFile(aside.filename())));
}

}  // namespace

std::optional<std::string> readText(const std::filesystem::path& file, std::uint64_t most, Form form) {
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) return std::nullopt;
  try {
    std::string text = foreign::readFile(file, most);
    if (foreign::nestedOver(text, foreign::kDeepest)) {
      putAside(file, fmt::format("is nested over {} deep", foreign::kDeepest));
    } else if (!nlohmann::json::accept(text)) {
      putAside(file, "is not JSON");
    } else if (text[text.find_first_of("{[\"tfn0123456789-")] != (form == Form::Object ? '{' : '[')) {
      putAside(file, "is not what the program writes");
    } else {
      return text;
    }
  } catch (const UsageError& error) {
    putAside(file, fmt::format("cannot be read ({})", error.what()));
  }
  return std::nullopt;
}

std::vector<std::string> takeNotices() {
  return std::exchange(notices(), {});
}

}  // namespace simscope::stored
