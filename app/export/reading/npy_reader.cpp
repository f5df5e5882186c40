#include "app/export/reading/npy_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "sims/compute/error.h"
#include "sims/foreign/words.h"

namespace simscope::exporting {
namespace {

constexpr std::size_t kMostHeader = 1u << 20, kMostDimensions = 8;
constexpr std::string_view kMagic("\x93NUMPY", 6);

[[noreturn]] void refuseNpy(const std::string& why) {
  throw UsageError(why);
}

// The header is a literal of Python: {'descr': '<c8', 'fortran_order': False, 'shape': (64, 64), }. Returns what
// follows `key` in it.
std::string_view valueOf(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) refuseNpy(fmt::format("has a header without '{}'", key));
  std::string_view value = header.substr(at + key.size() + 3);
  return value.substr(std::min(value.size(), value.find_first_not_of(' ')));
}

std::vector<std::size_t> shapeOf(std::string_view text) {
  std::vector<std::size_t> shape;
  const std::size_t end = text.find(')');
  if (text.empty() || text[0] != '(' || end == std::string_view::npos) refuseNpy("has no shape");
  for (std::size_t at = 1; at < end;) {
    std::size_t extent = 0, digits = 0;
    for (; std::isdigit(static_cast<unsigned char>(text[at])); ++at, ++digits) {
      if (digits < 18) extent = extent * 10 + static_cast<std::size_t>(text[at] - '0');
    }
    if (digits > 18 || (digits == 0 && text[at] != ',' && text[at] != ' ' && at != end)) {
      refuseNpy("has an invalid shape");
    }
    if (digits > 0) shape.push_back(extent);
    if (shape.size() > kMostDimensions) refuseNpy("has too many dimensions");
    if (at < end) ++at;
  }
  return shape;
}

// Bytes before the text of the header, and of that text.
std::pair<std::size_t, std::size_t> extentOf(std::span<const std::byte> file) {
  const auto byte = [&](std::size_t i) { return std::to_integer<std::size_t>(file[i]); };
  constexpr std::string_view kArchive = "PK\3\4";
  if (file.size() >= kArchive.size() && std::memcmp(file.data(), kArchive.data(), kArchive.size()) == 0) {
    refuseNpy("is an archive of arrays (np.savez); save the array itself: np.save(file, array)");
  }
  if (file.size() < 10 || std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0 || byte(6) < 1 || byte(6) > 3) {
    refuseNpy("is not a NumPy array of version 1 to 3");
  }
  if (byte(6) == 1) return {10, byte(8) | byte(9) << 8};
  if (file.size() < 12) refuseNpy("is truncated");
  return {12, byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24};
}

}  // namespace

NpyHeader npyHeaderOf(std::span<const std::byte> file) {
  const auto [before, length] = extentOf(file);
  if (length > kMostHeader || file.size() < before + length) refuseNpy("is truncated");
  const std::string text(reinterpret_cast<const char*>(file.data()) + before, length);
  NpyHeader header;
  header.bytes = before + length;
  const std::string_view descr = valueOf(text, "descr");
  const std::size_t quote = descr.find('\'', 1);
  if (descr.empty() || descr[0] != '\'' || quote == std::string_view::npos) refuseNpy("has no type");
  header.dtype = descr.substr(1, quote - 1);
  header.fortran_order = valueOf(text, "fortran_order").rfind("False", 0) != 0;
  header.shape = shapeOf(valueOf(text, "shape"));
  return header;
}

std::size_t npyElementBytes(const std::string& dtype) {
  const bool good = (dtype.size() == 3 || dtype.size() == 4) &&
                    std::string_view("<>|=").find(dtype[0]) != std::string_view::npos &&
                    std::string_view("fciub").find(dtype[1]) != std::string_view::npos &&
                    std::all_of(dtype.begin() + 2, dtype.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  const std::size_t bytes = good ? static_cast<std::size_t>(std::stoul(dtype.substr(2))) : 0;
  if (bytes == 0 || bytes > 16) {
    refuseNpy(fmt::format("has elements of an unknown type {}", foreign::quoted(dtype)));
  }
  return bytes;
}

std::size_t npyDataBytes(const NpyHeader& header) {
  std::size_t bytes = npyElementBytes(header.dtype);
  for (const std::size_t extent : header.shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) refuseNpy("has a shape that is too large");
  }
  return bytes;
}

NpySource::NpySource(const std::filesystem::path& file) : file_(file) {
  std::vector<std::byte> front(12);
  front.resize(file_.read(front.data(), front.size()));
  const auto [before, length] = extentOf(front);
  if (length <= kMostHeader && before + length > front.size()) {
    const std::size_t had = front.size();
    front.resize(before + length);
    front.resize(had + file_.read(front.data() + had, front.size() - had));
  }
  header_ = npyHeaderOf(front);
  const std::uint64_t expected = npyDataBytes(header_),
                      there = file_.size() - std::min<std::uint64_t>(file_.size(), header_.bytes);
  if (expected != there) refuseNpy(fmt::format("has {} bytes; its shape takes {}", there, expected));
}

std::vector<std::byte> NpySource::elements() {
  std::vector<std::byte> bytes(npyDataBytes(header_));
  if (file_.read(bytes.data(), bytes.size()) != bytes.size()) refuseNpy("is truncated");
  return bytes;
}

}  // namespace simscope::exporting
