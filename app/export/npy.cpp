// NumPy array files, version 1.0. Source: the format's description in numpy.lib.format.
#include "app/export/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <utility>

#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

constexpr std::size_t kAlignment = 64;

// Bytes of one element: the number after the byte order and the kind letter.
std::size_t itemBytes(const std::string& dtype) {
  std::size_t bytes = 0;
  bool good = dtype.size() >= 3 && dtype.size() <= 6 && std::string("<>|=").find(dtype[0]) != std::string::npos &&
              std::isalpha(static_cast<unsigned char>(dtype[1]));
  for (std::size_t i = 2; good && i < dtype.size(); ++i) {
    good = std::isdigit(static_cast<unsigned char>(dtype[i])) != 0;
    bytes = bytes * 10 + static_cast<std::size_t>(dtype[i] - '0');
  }
  if (!good || bytes == 0) {
    throw Error(fmt::format("'{}' is not a NumPy type such as '<f4' or '<c8'", dtype));
  }
  return bytes;
}

std::string shapeText(std::span<const std::size_t> shape) {
  std::string extents;
  for (const std::size_t extent : shape) {
    extents += fmt::format("{}, ", extent);
  }
  if (shape.size() > 1) {
    extents.resize(extents.size() - 2);
  } else if (shape.size() == 1) {
    extents.pop_back();  // "(4096,)": the comma makes the tuple
  }
  return "(" + extents + ")";
}

std::size_t arrayBytes(const std::string& dtype, std::span<const std::size_t> shape) {
  std::size_t bytes = itemBytes(dtype);
  for (const std::size_t extent : shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) {
      throw Error("the shape of the array to save overflows");
    }
  }
  return bytes;
}

// Magic, version, length, and the description, filled up to the alignment or to `least` bytes.
std::string preamble(const std::string& dtype, std::span<const std::size_t> shape, std::size_t least = 0) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", dtype, shapeText(shape));
  constexpr std::size_t kFixed = 10;  // magic, version, header length
  const std::size_t total = std::max(least, (kFixed + text.size() + 1 + kAlignment - 1) / kAlignment * kAlignment);
  if (total - kFixed > 0xffff) {
    throw Error("the shape of the array to save has too many dimensions for the NPY format 1.0");
  }
  text.resize(total - kFixed - 1, ' ');
  text += '\n';
  std::string result("\x93NUMPY\x01\x00", 8);
  result += static_cast<char>(text.size() & 0xff);
  result += static_cast<char>(text.size() >> 8);
  return result + text;
}

}  // namespace

std::string npyHeader(const std::string& dtype, std::span<const std::size_t> shape, std::size_t bytes) {
  const std::size_t expected = arrayBytes(dtype, shape);
  if (expected != bytes) {
    throw Error(fmt::format("an array of type '{}' and shape {} takes {} bytes, but {} were given", dtype,
                            shapeText(shape), expected, bytes));
  }
  return preamble(dtype, shape);
}

void writeNpy(const std::filesystem::path& target, const std::string& dtype, std::span<const std::size_t> shape,
              std::span<const std::byte> data, bool overwrite) {
  PendingFile file(target, overwrite);
  writeNpy(file, dtype, shape, data);
  file.commit();
}

void writeNpy(PendingFile& file, const std::string& dtype, std::span<const std::size_t> shape,
              std::span<const std::byte> data) {
  const std::string header = npyHeader(dtype, shape, data.size());
  file.write(header.data(), header.size());
  file.write(data.data(), data.size());
}

NpyFile::NpyFile(PendingFile file, std::string dtype, std::vector<std::size_t> item_shape,
                 std::optional<std::int64_t> items)
    : dtype_(std::move(dtype)),
      item_shape_(std::move(item_shape)),
      item_bytes_(arrayBytes(dtype_, item_shape_)),
      file_(std::move(file)),
      announced_(items.value_or(std::numeric_limits<std::int64_t>::max())) {
  const std::string first = header(announced_);
  header_bytes_ = first.size();
  file_.write(first.data(), first.size());
}

// As long for few items as for the many that were announced.
std::string NpyFile::header(std::int64_t items) const {
  std::vector<std::size_t> shape{static_cast<std::size_t>(items)};
  shape.insert(shape.end(), item_shape_.begin(), item_shape_.end());
  return preamble(dtype_, shape, header_bytes_);
}

std::vector<std::size_t> NpyFile::shape() const {
  std::vector<std::size_t> result{static_cast<std::size_t>(items_)};
  result.insert(result.end(), item_shape_.begin(), item_shape_.end());
  return result;
}

void NpyFile::add(std::span<const std::byte> item) {
  if (item.size() != item_bytes_ || items_ == announced_) {
    throw Error(
        fmt::format("the array in '{}' takes {} items of {} bytes each; an item of {} bytes came after {} items",
                    file_.target().string(), announced_, item_bytes_, item.size(), items_));
  }
  file_.write(item.data(), item.size());
  ++items_;
}

void NpyFile::complete() {
  if (items_ != announced_) {
    const std::string last = header(items_);
    file_.rewrite(0, last.data(), last.size());
  }
  file_.complete();
}

void NpyFile::finish() {
  complete();
  file_.commit();
}

}  // namespace simscope::exporting
