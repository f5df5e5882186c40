#include "sims/foreign/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "sims/compute/error.h"
#include "sims/foreign/words.h"

namespace simscope::foreign {
namespace {

constexpr std::size_t kMostHeader = 1u << 20, kMostDimensions = 8, kMostFields = 4096;
constexpr std::string_view kMagic("\x93NUMPY", 6);

[[noreturn]] void refuseNpy(const std::string& why) {
  throw UsageError(why);
}

// A literal of Python, as the header of an array is one: {'descr': '<c8', 'fortran_order': False, 'shape': (64, 64), }.
struct Literal {
  enum class Kind { Text, Number, Name, List } kind = Kind::Name;
  std::string text;                 // Text, Name
  std::size_t number = 0;           // Number
  std::vector<Literal> items = {};  // List; of a dictionary, keys and values in turn
};

class LiteralReader {
 public:
  explicit LiteralReader(std::string_view text) : text_(text) {}
  Literal whole() {
    Literal parsed = value(0);
    skip();
    if (at_ != text_.size()) fail();
    return parsed;
  }

 private:
  [[noreturn]] static void fail() { refuseNpy("has a header that does not describe an array"); }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  char peek() {
    skip();
    if (at_ >= text_.size()) fail();
    return text_[at_];
  }

  Literal value(int depth) {
    constexpr int kDeepest = 8;
    if (depth > kDeepest) fail();
    const char first = peek();
    if (first == '\'' || first == '"') return text(first);
    if (first == '(') return list(')', depth);
    if (first == '[') return list(']', depth);
    if (first == '{') return list('}', depth);
    Literal word;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) {
      word.text += text_[at_++];
    }
    if (word.text.empty()) fail();
    if (!std::isdigit(static_cast<unsigned char>(word.text[0]))) return word;
    word.kind = Literal::Kind::Number;
    if (word.text.ends_with('L')) word.text.pop_back();  // Python 2 wrote 10L
    if (word.text.size() > 18) refuseNpy("has a shape that is too large");
    for (const char digit : word.text) {
      if (!std::isdigit(static_cast<unsigned char>(digit))) fail();
      word.number = word.number * 10 + static_cast<std::size_t>(digit - '0');
    }
    return word;
  }
  Literal text(char mark) {
    const std::size_t end = text_.find(mark, at_ + 1);
    if (end == std::string_view::npos) fail();
    Literal text{Literal::Kind::Text, std::string(text_.substr(at_ + 1, end - at_ - 1))};
    if (text.text.find('\\') != std::string::npos) fail();
    at_ = end + 1;
    return text;
  }
  Literal list(char closing, int depth) {
    ++at_;
    Literal list{Literal::Kind::List, {}};
    while (peek() != closing) {
      list.items.push_back(value(depth + 1));
      if (list.items.size() > kMostFields) fail();
      const char next = peek();
      if (next == ',' || next == ':') {
        ++at_;
      } else if (next != closing) {
        fail();
      }
    }
    ++at_;
    return list;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

const Literal& entryOf(const Literal& header, std::string_view key) {
  for (std::size_t i = 0; i + 1 < header.items.size(); i += 2) {
    if (header.items[i].text == key) return header.items[i + 1];
  }
  refuseNpy(fmt::format("has a header without '{}'", key));
}
const Literal& entryOf(const Literal& header, std::string_view key, Literal::Kind kind) {
  const Literal& entry = entryOf(header, key);
  if (entry.kind != kind) refuseNpy(fmt::format("has no valid '{}'", key));
  return entry;
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

template <class T>
double numberAt(const std::byte* from, bool swapped) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), from, sizeof(T));
  if (swapped) std::reverse(bytes.begin(), bytes.end());
  return static_cast<double>(std::bit_cast<T>(bytes));
}

}  // namespace

NpyHeader npyHeaderOf(std::span<const std::byte> file) {
  const auto [before, length] = extentOf(file);
  if (length > kMostHeader || file.size() < before + length) refuseNpy("is truncated");
  const Literal read = LiteralReader({reinterpret_cast<const char*>(file.data()) + before, length}).whole();
  NpyHeader header;
  header.bytes = before + length;
  const Literal& type = entryOf(read, "descr");
  if (type.kind == Literal::Kind::Text) {
    header.dtype = type.text;
  } else {
    if (type.kind != Literal::Kind::List || type.items.empty()) refuseNpy("has no valid 'descr'");
    for (const Literal& each : type.items) {
      const bool pair = each.items.size() == 2 && each.items[0].kind == Literal::Kind::Text;
      if (!pair || each.items[1].kind != Literal::Kind::Text) {
        refuseNpy("has fields that are more than a name and a type");
      }
      header.fields.push_back({each.items[0].text, each.items[1].text});
    }
  }
  header.fortran_order = entryOf(read, "fortran_order", Literal::Kind::Name).text == "True";
  for (const Literal& extent : entryOf(read, "shape", Literal::Kind::List).items) {
    if (extent.kind != Literal::Kind::Number) refuseNpy("has no valid 'shape'");
    header.shape.push_back(extent.number);
  }
  if (header.shape.size() > kMostDimensions) refuseNpy("has too many dimensions");
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
  if (!header.fields.empty()) {
    refuseNpy(fmt::format("has named fields; save one of them: np.save(file, array[{}])",
                          foreign::quoted(header.fields[0].name)));
  }
  std::size_t bytes = npyElementBytes(header.dtype);
  for (const std::size_t extent : header.shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) refuseNpy("has a shape that is too large");
  }
  return bytes;
}

NpyNumber npyNumberOf(const std::string& dtype) {
  const std::size_t bytes = npyElementBytes(dtype);
  switch (dtype[1]) {
    case 'f':
      return bytes == 4 ? numberAt<float> : bytes == 8 ? numberAt<double> : NpyNumber{};
    case 'c':
      return bytes == 8 ? numberAt<float> : bytes == 16 ? numberAt<double> : NpyNumber{};
    case 'i':
      if (bytes == 1) return numberAt<std::int8_t>;
      if (bytes == 2) return numberAt<std::int16_t>;
      return bytes == 4 ? numberAt<std::int32_t> : bytes == 8 ? numberAt<std::int64_t> : NpyNumber{};
    default:
      if (bytes == 1) return numberAt<std::uint8_t>;
      if (dtype[1] == 'b') return nullptr;
      if (bytes == 2) return numberAt<std::uint16_t>;
      return bytes == 4 ? numberAt<std::uint32_t> : bytes == 8 ? numberAt<std::uint64_t> : NpyNumber{};
  }
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

}  // namespace simscope::foreign
