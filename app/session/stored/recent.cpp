#include "app/session/stored/recent.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/export/files.h"
#include "app/session/stored/stored_json.h"
#include "sims/foreign/nesting.h"

namespace simscope {

namespace {

using nlohmann::json;

constexpr std::uint64_t kMostBytes = 1 << 20;  // ten paths take less

}  // namespace

Recent::Recent(const std::filesystem::path& folder) : path_(folder.empty() ? folder : folder / "recent.json") {
  read();
}

void Recent::read() {
  if (path_.empty()) return;
  const auto text = stored::readText(path_, kMostBytes, stored::Form::List);
  if (!text) return;
  const auto document = foreign::parsedJson<json>(*text);
  if (!document.is_array()) return;
  files_.clear();
  for (const json& each : document) {
    if (each.is_string() && files_.size() < kMost) files_.emplace_back(each.get<std::string>());
  }
}

void Recent::write() const {
  if (path_.empty()) return;
  json document = json::array();
  for (const std::filesystem::path& file : files_) document.push_back(file.string());
  try {
    exporting::writeText(path_, document.dump(1, ' ', false, json::error_handler_t::replace) + "\n", true);
  } catch (const std::exception&) {
    // The list lasts as long as the program.
  }
}

void Recent::add(const std::filesystem::path& file) {
  read();
  std::erase(files_, file);
  files_.insert(files_.begin(), file);
  if (files_.size() > kMost) files_.resize(kMost);
  write();
}

void Recent::clear() {
  files_.clear();
  write();
}

}  // namespace simscope
