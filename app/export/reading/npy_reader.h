// Reads NumPy's array files, versions 1 to 3, from untrusted sources: the header, and then the bytes.
//
// Source: the format's description in numpy.lib.format. Plain data; any thread. Errors: UsageError with the fault ("has
// no shape"), without the array's name, which the caller knows.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sims/foreign/file.h"

namespace simscope::exporting {

struct NpyHeader {
  std::string dtype;  // "<c8"
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t bytes = 0;  // of the header itself: the elements begin there
};

// From a file's bytes, or from at least its header.
NpyHeader npyHeaderOf(std::span<const std::byte> file);
// Bytes per element of such a type: 8 for "<c8". Any byte order; b, i, u, f, and c up to 16 bytes.
std::size_t npyElementBytes(const std::string& dtype);
// Of all elements. UsageError on overflow.
std::size_t npyDataBytes(const NpyHeader& header);

// A file whose header is read at once, and whose elements are read on request.
class NpySource {
 public:
  explicit NpySource(const std::filesystem::path& file);
  const NpyHeader& header() const noexcept { return header_; }
  // Call once. The raw bytes of the file.
  std::vector<std::byte> elements();

 private:
  foreign::File file_;
  NpyHeader header_;
};

}  // namespace simscope::exporting
