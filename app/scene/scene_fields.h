// The fields of one object of a scene's document, read one by one with their checks. Used to read scenes and snapshots.
//
// A missing field leaves the value unchanged. Errors: UsageError "scene: PATH: ..."; fields that were not read are
// added to `ignored`.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/render/figure/figure.h"
#include "sims/core/description.h"

namespace simscope {

// The text as JSON, nested no deeper than a scene. UsageError with line and column.
nlohmann::json parseDocument(const std::string& text);

[[noreturn]] void refuse(const std::string& path, const std::string& why);
std::string quoted(const nlohmann::json& value);  // shortened

class SceneFields {
 public:
  using json = nlohmann::json;

  SceneFields(const json& object, std::string path, std::vector<std::string>* ignored);

  std::string pathOf(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  const json* field(const std::string& key);  // null if it is missing
  // Null if it is missing; at most `most` elements.
  const json* list(const std::string& key, std::size_t most);
  void text(const std::string& key, std::string& value);
  // The position of the text among the names.
  void choice(const std::string& key, const std::vector<std::string>& names, std::optional<std::size_t>& value);
  template <class Integer>
  void integer(const std::string& key, std::int64_t low, std::int64_t high, Integer& value) {
    if (const auto number = whole(key, low, high)) value = static_cast<Integer>(*number);
  }
  void real(const std::string& key, double low, double high, double& value);
  void flag(const std::string& key, bool& value);
  void seed(const std::string& key, std::uint64_t& value);
  void limits(const std::string& key, std::optional<render::Limits>& value);
  void camera(const std::string& key, std::optional<Camera>& value);

  void ignore(const std::string& what) const;
  void reportUnknown() const;

 private:
  std::optional<std::int64_t> whole(const std::string& key, std::int64_t low, std::int64_t high);

  const json& object_;
  std::string path_;
  std::vector<std::string>* ignored_;
  std::vector<std::string> known_;
};

}  // namespace simscope
