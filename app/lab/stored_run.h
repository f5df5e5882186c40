// Measurements written by `simscope lab --json` or by the lab's page: of one lesson, or of several, on this machine or
// another.
//
// Files are untrusted: sizes are bounded, and every value is checked before use. Plain data and functions; any thread.
// Errors: UsageError names the fault and its place in the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/lab/outcome.h"

namespace simscope::lab {

inline constexpr std::uint64_t kLargestRunFile = 16u << 20;  // bytes

struct StoredLesson {
  std::string id, title;
  std::vector<std::pair<std::string, std::string>> parameters;  // key, value
  Result result;                                                // without a row if it failed
  std::string failure;
};

struct StoredRun {
  std::string name;     // the file's name, or another one
  std::string machine;  // empty: unknown
  std::vector<StoredLesson> lessons;

  const StoredLesson* find(const std::string& id) const;
  std::string title() const { return machine.empty() ? name : name + " (" + machine + ")"; }
};

nlohmann::ordered_json json(const std::vector<Outcome>& outcomes, const std::string& machine);

StoredRun readRun(const std::filesystem::path& file);
StoredRun runOf(std::string_view json, const std::string& name);

}  // namespace simscope::lab
