// Reads NumPy's array files, versions 1 to 3, from untrusted sources: the header, the bytes, and the numbers in them.
//
// Source: the format's description in numpy.lib.format. Plain data; any thread. Errors: UsageError with the fault ("has
// no valid 'shape'"), without the array's name, which the caller knows.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sims/foreign/file.h"

namespace simscope::foreign {

struct NpyField {
  std::string name, dtype;
};
struct NpyHeader {
  std::string dtype;             // "<c8"; of an array with fields empty
  std::vector<NpyField> fields;  // of a structured array, in their order, without gaps
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t bytes = 0;  // of the header itself: the elements begin there
};

// From a file's bytes, or from at least its header.
NpyHeader npyHeaderOf(std::span<const std::byte> file);
// Bytes per element of such a type: 8 for "<c8". Any byte order; b, i, u, f, and c up to 16 bytes.
std::size_t npyElementBytes(const std::string& dtype);
// Of all elements. UsageError on overflow, and for an array with fields.
std::size_t npyDataBytes(const NpyHeader& header);

// Reads a number of 1, 2, 4, or 8 bytes; of a complex one its first component. Null: a type that double cannot hold,
// float16, or longdouble.
using NpyNumber = double (*)(const std::byte* at, bool swapped);
NpyNumber npyNumberOf(const std::string& dtype);

// A file whose header is read at once, and whose elements are read on request.
class NpySource {
 public:
  explicit NpySource(const std::filesystem::path& file);
  const NpyHeader& header() const noexcept { return header_; }
  // Call once. The raw bytes of the file.
  std::vector<std::byte> elements();

 private:
  File file_;
  NpyHeader header_;
};

}  // namespace simscope::foreign
