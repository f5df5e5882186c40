// The JSON that the program keeps between its starts, in the state folder. Read within the bounds of untrusted files:
// another program may have written it, or a crash may have cut it.
//
// A file that cannot be read is put aside as NAME.unreadable, so that it can be looked at, and the user is told once.
// Thread: the UI's. Errors: none.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace simscope::stored {

// One file of the state folder: an object with entries, or a list.
class Document {
 public:
  enum class Form { Object, List };
  // Empty folder: nothing is stored.
  Document(const std::filesystem::path& folder, const char* name, Form form)
      : file_(folder.empty() ? folder : folder / name), form_(form) {}
  // Empty where there is no such file, or where it was put aside.
  nlohmann::json read() const;
  // Where it cannot be written, what it would have kept lasts as long as the program.
  void write(const nlohmann::json& content) const;

 private:
  std::filesystem::path file_;  // empty: none
  Form form_;
};

// The entry of an object; `value` stays as it is where the entry is missing or of another type.
void take(const nlohmann::json& document, const char* key, bool& value);
void take(const nlohmann::json& document, const char* key, double& value);
void take(const nlohmann::json& document, const char* key, std::size_t& value);
void take(const nlohmann::json& document, const char* key, std::string& value);

// What was put aside since the last call, a line each.
std::vector<std::string> takeNotices();

}  // namespace simscope::stored
