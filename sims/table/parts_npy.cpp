#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "sims/foreign/words.h"
#include "sims/table/parts.h"

namespace simscope::table {
namespace {

// A literal of Python, as the header of an array is one: a text, a number, a name, or a list of them.
struct Literal {
  enum class Kind { Text, Number, Name, List } kind = Kind::Name;
  std::string text;                 // Text, Name
  std::uint64_t number = 0;         // Number
  std::vector<Literal> items = {};  // List; of a dictionary, keys and values in turn
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}
  Literal whole() {
    Literal parsed = value(0);
    skip();
    if (at_ != text_.size()) fail();
    return parsed;
  }

 private:
  [[noreturn]] static void fail() { refuse("its header does not describe an array"); }
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
    if (first == '\'' || first == '"') return quoted(first);
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
    if (word.text.size() > 18) refuse("its shape is too large");
    for (const char digit : word.text) {
      if (!std::isdigit(static_cast<unsigned char>(digit))) fail();
      word.number = word.number * 10 + static_cast<std::uint64_t>(digit - '0');
    }
    return word;
  }
  Literal quoted(char mark) {
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
      if (list.items.size() > 4 * kMostColumns) fail();
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

// A number in a row: of which kind, and where.
struct Field {
  std::string name;
  char kind = 'f';
  std::size_t bytes = 8, offset = 0;
  bool swapped = false;
};

Field fieldOf(const std::string& name, const std::string& type) {
  Field field{name};
  const bool sized = type.size() == 3 && std::string_view("<>|=").find(type[0]) != std::string_view::npos;
  if (sized) {
    field.kind = type[1];
    field.bytes = static_cast<std::size_t>(type[2] - '0');
    field.swapped = type[0] == '>';
  }
  const bool one = field.bytes == 1, wide = field.bytes == 4 || field.bytes == 8;
  const bool whole = (field.kind == 'i' || field.kind == 'u') && (one || field.bytes == 2 || wide);
  if (!sized || !(whole || (field.kind == 'f' && wide) || (field.kind == 'b' && one))) {
    refuse(fmt::format("{} has the type {}; accepted are integers and real numbers of 4 or 8 bytes",
                       name.empty() ? "its array" : "its column " + foreign::quoted(name), foreign::quoted(type)));
  }
  return field;
}

struct Array {
  std::vector<Field> fields;  // one, without a name, of a plain array
  std::vector<std::size_t> shape;
  bool by_columns = false, structured = false;
  std::size_t row = 0;  // bytes of an element, with all of its fields
  std::string_view data;
};

const Literal& entryOf(const Literal& header, std::string_view key, Literal::Kind kind) {
  for (std::size_t i = 0; i + 1 < header.items.size(); i += 2) {
    if (header.items[i].text == key && header.items[i + 1].kind == kind) return header.items[i + 1];
  }
  refuse(fmt::format("its header has no valid '{}'", key));
}

Array arrayOf(std::string_view bytes) {
  constexpr std::string_view kMagic = "\x93NUMPY";
  if (bytes.size() < 12 || !bytes.starts_with(kMagic)) refuse("it is not a NumPy array");
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
  const std::size_t version = byte(6), begin = version == 1 ? 10 : 12;
  if (version < 1 || version > 3) refuse(fmt::format("it is a NumPy array of unknown version {}", version));
  const std::size_t length = byte(8) + (byte(9) << 8) + (version == 1 ? 0 : (byte(10) << 16) + (byte(11) << 24));
  constexpr std::size_t kLongestHeader = 1 << 18;
  if (length > kLongestHeader || length > bytes.size() - begin) refuse("it is truncated, or its header is damaged");
  const Literal header = Parser(bytes.substr(begin, length)).whole();
  if (header.kind != Literal::Kind::List) refuse("its header does not describe an array");

  Array array;
  array.data = bytes.substr(begin + length);
  for (const Literal& extent : entryOf(header, "shape", Literal::Kind::List).items) {
    if (extent.kind != Literal::Kind::Number) refuse("its shape is invalid");
    array.shape.push_back(extent.number);
  }
  array.by_columns = entryOf(header, "fortran_order", Literal::Kind::Name).text == "True";
  const auto structured =
      std::find_if(header.items.begin(), header.items.end(), [](const Literal& each) { return each.text == "descr"; });
  if (structured == header.items.end() || structured + 1 == header.items.end()) refuse("its header has no 'descr'");
  const Literal& type = *(structured + 1);
  if (type.kind == Literal::Kind::Text) {
    array.fields.push_back(fieldOf("", type.text));
  } else {
    array.structured = true;
    if (type.kind != Literal::Kind::List || type.items.size() > kMostColumns) refuse("its fields are invalid");
    std::size_t offset = 0;
    for (const Literal& each : type.items) {
      const bool pair = each.items.size() == 2 && each.items[0].kind == Literal::Kind::Text;
      if (!pair || each.items[1].kind != Literal::Kind::Text) refuse("each of its fields needs a name and a type");
      array.fields.push_back(fieldOf(each.items[0].text, each.items[1].text));
      array.fields.back().offset = offset;
      offset += array.fields.back().bytes;
    }
  }
  if (array.fields.empty()) refuse("it has no columns");
  array.row = array.fields.back().offset + array.fields.back().bytes;
  // The product of the extents, by division: it may be anything.
  std::size_t room = array.data.size() / array.row;
  for (const std::size_t extent : array.shape) room = extent == 0 ? room : room / extent;
  if (room == 0) refuse("it is truncated: its data are shorter than its shape");
  return array;
}

template <class T>
double numberAt(const char* at, bool swapped) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, at, sizeof bytes);
  if (swapped) std::reverse(bytes, bytes + sizeof bytes);
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}
double valueAt(const Field& field, const char* at) {
  const bool is_signed = field.kind == 'i';
  switch (field.bytes) {
    case 1:
      return is_signed ? numberAt<std::int8_t>(at, false) : numberAt<std::uint8_t>(at, false);
    case 2:
      return is_signed ? numberAt<std::int16_t>(at, field.swapped) : numberAt<std::uint16_t>(at, field.swapped);
    case 4:
      if (field.kind == 'f') return numberAt<float>(at, field.swapped);
      return is_signed ? numberAt<std::int32_t>(at, field.swapped) : numberAt<std::uint32_t>(at, field.swapped);
    default:
      if (field.kind == 'f') return numberAt<double>(at, field.swapped);
      return is_signed ? numberAt<std::int64_t>(at, field.swapped) : numberAt<std::uint64_t>(at, field.swapped);
  }
}

std::vector<double> columnOf(const Array& array, const Field& field, std::size_t first, std::size_t step,
                             std::size_t rows) {
  std::vector<double> values(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    values[i] = valueAt(field, array.data.data() + (first + i * step) * array.row + field.offset);
  }
  return values;
}

}  // namespace

bool isNpyColumn(std::string_view bytes) {
  const Array array = arrayOf(bytes);
  return !array.structured && array.shape.size() == 1;
}

std::vector<double> npyColumn(std::string_view bytes, std::uint64_t most) {
  const Array array = arrayOf(bytes);
  if (array.structured || array.shape.size() != 1) refuse("its array does not have one dimension");
  checkMemory(array.shape[0], 1, most);
  return columnOf(array, array.fields[0], 0, 1, array.shape[0]);
}

Table npyTable(std::string_view bytes, const Choose& choose) {
  const Array array = arrayOf(bytes);
  if (array.shape.size() != (array.structured ? 1u : 2u)) {
    refuse(
        fmt::format("it has {} dimensions; accepted are one with named fields, or rows × columns", array.shape.size()));
  }
  Table table;
  table.rows = array.shape[0];
  const std::size_t columns = array.structured ? array.fields.size() : array.shape[1];
  if (columns > kMostColumns) refuse(fmt::format("it has {} columns, more than {}", columns, kMostColumns));
  std::vector<std::string> names(columns);
  for (std::size_t i = 0; array.structured && i < columns; ++i) names[i] = array.fields[i].name;
  const std::vector<std::size_t> chosen = choose(names);
  checkChoice(chosen, columns);
  checkMemory(table.rows, chosen.size(), memoryBeside(bytes.size()));
  for (const std::size_t each : chosen) {
    if (array.structured) {
      table.columns.push_back(columnOf(array, array.fields[each], 0, 1, table.rows));
    } else if (array.by_columns) {
      table.columns.push_back(columnOf(array, array.fields[0], each * table.rows, 1, table.rows));
    } else {
      table.columns.push_back(columnOf(array, array.fields[0], each, columns, table.rows));
    }
  }
  return table;
}

}  // namespace simscope::table
