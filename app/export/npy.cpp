// NumPy array files, version 1.0. Source: the format's description in numpy.lib.format.
#include <fmt/format.h>

#include <cctype>

#include "app/export/files.h"
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
    throw Error(fmt::format("'{}' is no NumPy type such as '<f4' or '<c8'", dtype));
  }
  return bytes;
}

}  // namespace

void writeNpy(const std::filesystem::path& target, const std::string& dtype, std::span<const std::size_t> shape,
              std::span<const std::byte> data, bool overwrite) {
  std::size_t expected = itemBytes(dtype);
  std::string extents;
  for (const std::size_t extent : shape) {
    if (__builtin_mul_overflow(expected, extent, &expected)) {
      throw Error("the shape of the array to save overflows");
    }
    extents += fmt::format("{}, ", extent);
  }
  if (shape.size() > 1) {
    extents.resize(extents.size() - 2);
  } else if (shape.size() == 1) {
    extents.pop_back();  // "(4096,)": the comma makes the tuple
  }
  if (expected != data.size()) {
    throw Error(fmt::format("an array of type '{}' and shape ({}) takes {} bytes, but {} were given", dtype, extents,
                            expected, data.size()));
  }
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", dtype, extents);
  constexpr std::size_t kPreamble = 10;  // magic, version, header length
  const std::size_t total = (kPreamble + header.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
  if (total - kPreamble > 0xffff) {
    throw Error("the shape of the array to save has too many dimensions for the NPY format 1.0");
  }
  header.resize(total - kPreamble - 1, ' ');
  header += '\n';

  std::string preamble("\x93NUMPY\x01\x00", 8);
  preamble += static_cast<char>(header.size() & 0xff);
  preamble += static_cast<char>(header.size() >> 8);
  PendingFile file(target, overwrite);
  file.write(preamble.data(), preamble.size());
  file.write(header.data(), header.size());
  file.write(data.data(), data.size());
  file.commit();
}

}  // namespace simscope::exporting
