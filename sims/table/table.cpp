#include "sims/table/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "sims/compute/error.h"
#include "sims/foreign/bounds.h"
#include "sims/foreign/file.h"
#include "sims/foreign/words.h"
#include "sims/table/parts.h"

namespace simscope::table {
namespace {

std::optional<Format> formatOf(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".npy") return Format::Npy;
  if (ending == ".npz") return Format::Npz;
  if (ending == ".csv" || ending == ".tsv" || ending == ".txt" || ending == ".dat") return Format::Csv;
  return std::nullopt;
}

}  // namespace

void refuse(const std::string& why) {
  throw UsageError(why);
}

void checkChoice(const std::vector<std::size_t>& chosen, std::size_t columns) {
  if (chosen.empty()) refuse("no column is chosen");
  for (const std::size_t each : chosen) {
    if (each >= columns) refuse("it has fewer columns than are needed");
  }
}

void checkMemory(std::size_t rows, std::size_t columns, std::uint64_t most) {
  if (columns == 0 || rows <= most / sizeof(double) / columns) return;
  refuse(fmt::format("{} rows of {} columns take more than {} MB, which is left of the {} GiB that a file may take",
                     rows, columns, most / 1'000'000, foreign::kMostMemory >> 30));
}

std::uint64_t memoryBeside(std::size_t bytes) {
  return foreign::kMostMemory - std::min<std::uint64_t>(foreign::kMostMemory, bytes);
}

bool isTable(const std::filesystem::path& file) {
  return formatOf(file).has_value();
}

Table tableOf(std::string_view bytes, Format format, const Choose& choose) {
  if (bytes.empty()) refuse("it is empty");
  switch (format) {
    case Format::Npy:
      return npyTable(bytes, choose);
    case Format::Npz:
      return npzTable(bytes, choose);
    case Format::Csv:
      break;
  }
  return csvTable(bytes, choose);
}

Table readTable(const std::filesystem::path& file, const Choose& choose) {
  const auto failed = [&](const std::string& why) {
    return UsageError(fmt::format("the table {}: {}", foreign::quotedFile(file), why));
  };
  if (file.empty()) throw UsageError("no file is named; accepted are .npy, .npz, and .csv");
  const std::optional<Format> format = formatOf(file);
  try {
    if (!format) refuse("its format is unknown; accepted are .npy, .npz, and .csv");
    return tableOf(foreign::readFile(file, foreign::kMostMemory / 2), *format, choose);
  } catch (const UsageError& error) {
    throw failed(error.what());
  }
}

}  // namespace simscope::table
