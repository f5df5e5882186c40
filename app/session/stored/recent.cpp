#include "app/session/stored/recent.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace simscope {

Recent::Recent(const std::filesystem::path& folder) : file_(folder, "recent.json", stored::Document::Form::List) {
  read();
}

void Recent::read() {
  const nlohmann::json document = file_.read();
  if (document.empty()) return;
  files_.clear();
  for (const auto& each : document) {
    if (each.is_string() && files_.size() < kMost) files_.emplace_back(each.get<std::string>());
  }
}

void Recent::write() const {
  nlohmann::json document = nlohmann::json::array();
  for (const std::filesystem::path& file : files_) document.push_back(file.string());
  file_.write(document);
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
