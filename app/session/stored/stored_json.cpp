#include "app/session/stored/stored_json.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "app/export/files.h"
#include "sims/compute/error.h"
#include "sims/foreign/file.h"
#include "sims/foreign/nesting.h"
#include "sims/foreign/words.h"

namespace simscope::stored {
namespace {

constexpr std::uint64_t kMostBytes = 1 << 20;

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

nlohmann::json Document::read() const {
  using nlohmann::json;
  const json empty = form_ == Form::Object ? json::object() : json::array();
  std::error_code failed;
  if (file_.empty() || !std::filesystem::exists(file_, failed)) return empty;
  try {
    const std::string text = foreign::readFile(file_, kMostBytes);
    if (foreign::nestedOver(text, foreign::kDeepest)) {
      putAside(file_, fmt::format("is nested over {} deep", foreign::kDeepest));
      return empty;
    }
    json content = json::parse(text, nullptr, false);
    if (content.type() == empty.type()) return content;
    putAside(file_, content.is_discarded() ? "is not JSON" : "is not what the program writes");
  } catch (const UsageError& error) {
    putAside(file_, fmt::format("cannot be read ({})", error.what()));
  }
  return empty;
}

void Document::write(const nlohmann::json& content) const {
  if (file_.empty()) return;
  try {
    using Invalid = nlohmann::json::error_handler_t;
    exporting::writeText(file_, content.dump(1, ' ', false, Invalid::replace) + "\n", true);
  } catch (const std::exception&) {
    // It lasts as long as the program.
  }
}

void take(const nlohmann::json& document, const char* key, bool& value) {
  if (document.contains(key) && document[key].is_boolean()) value = document[key];
}
void take(const nlohmann::json& document, const char* key, double& value) {
  if (document.contains(key) && document[key].is_number()) value = document[key];
}
void take(const nlohmann::json& document, const char* key, std::size_t& value) {
  if (document.contains(key) && document[key].is_number_unsigned()) value = document[key];
}
void take(const nlohmann::json& document, const char* key, std::string& value) {
  if (document.contains(key) && document[key].is_string()) value = document[key];
}

std::vector<std::string> takeNotices() {
  return std::exchange(notices(), {});
}

}  // namespace simscope::stored
