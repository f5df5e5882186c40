#include "sims/foreign/words.h"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

namespace simscope::foreign {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool valid = true;  // false: a byte that begins no character
};

Character characterAt(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return {first, 1, true};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || bytes > text.size() - at) return {first, 1, false};
  std::uint32_t code = first & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {first, 1, false};
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[bytes] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {first, 1, false};
  return {code, bytes, true};
}

// Controls of both blocks; marks, embeddings, and isolates of direction; separators of lines; what has no width.
bool isShown(std::uint32_t c) {
  if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return false;
  if (c == 0xad || c == 0x61c || c == 0x180e || c == 0xfeff) return false;
  if ((c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f)) return false;
  if ((c >= 0xfff0 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe0fff)) return false;
  return (c & 0xfffe) != 0xfffe;
}

void appendEscaped(std::string& out, const Character& c) {
  switch (c.code) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += !c.valid || c.code < 0x100 ? fmt::format("\\x{:02x}", c.code)
             : c.code < 0x10000         ? fmt::format("\\u{:04x}", c.code)
                                        : fmt::format("\\U{:08x}", c.code);
  }
}

struct Rules {
  std::size_t most;
  bool quotes = false;  // the text will stand between quotation marks
  bool lines = false;   // may break
};

// At most so many characters, those of escapes counted. What is left out is cut from the middle: the end of a name
// tells as much as its beginning.
std::string escaped(std::string_view text, const Rules& rules) {
  // No more is looked at than can be shown.
  const std::size_t most_bytes = 4 * rules.most + 4;
  std::string_view head = text, tail;
  if (text.size() > 2 * most_bytes) {
    head = text.substr(0, most_bytes);
    tail = text.substr(text.size() - most_bytes);
    while (!tail.empty() && (static_cast<unsigned char>(tail[0]) & 0xc0) == 0x80) tail.remove_prefix(1);
    while (!head.empty() && (static_cast<unsigned char>(head.back()) & 0xc0) == 0x80) head.remove_suffix(1);
    if (!head.empty() && static_cast<unsigned char>(head.back()) >= 0xc0) head.remove_suffix(1);
  }
  std::vector<std::string> pieces;  // one a character
  const auto add = [&](std::string_view part) {
    for (std::size_t at = 0; at < part.size();) {
      const Character c = characterAt(part, at);
      std::string piece;
      if (c.valid && (isShown(c.code) || (rules.lines && c.code == '\n'))) {
        if (rules.quotes && (c.code == '\'' || c.code == '\\')) piece += '\\';
        piece += part.substr(at, c.bytes);
      } else {
        appendEscaped(piece, c);
      }
      pieces.push_back(std::move(piece));
      at += c.bytes;
    }
  };
  add(head);
  const std::size_t head_pieces = pieces.size();
  add(tail);
  const bool cut = !tail.empty();

  // An escape counts by its letters, a character as one.
  const auto width = [&](const std::string& piece) { return piece[0] == '\\' ? piece.size() : 1; };
  std::size_t total = 0;
  for (const std::string& piece : pieces) total += width(piece);
  std::string out;
  if (!cut && total <= rules.most) {
    for (const std::string& piece : pieces) out += piece;
    return out;
  }
  const std::size_t room = rules.most - 1;  // …
  std::size_t front = 0, used = 0;
  while (front < head_pieces && used + width(pieces[front]) <= room - room / 3) used += width(pieces[front++]);
  std::size_t back = pieces.size();
  while (back > front && used + width(pieces[back - 1]) <= room) used += width(pieces[--back]);
  for (std::size_t i = 0; i < front; ++i) out += pieces[i];
  out += "…";
  for (std::size_t i = back; i < pieces.size(); ++i) out += pieces[i];
  return out;
}

}  // namespace

std::string shown(std::string_view text, std::size_t most) {
  return escaped(text, {.most = most});
}

std::string quoted(std::string_view text, std::size_t most) {
  return fmt::format("'{}'", escaped(text, {.most = most, .quotes = true}));
}

std::string shownFile(const std::filesystem::path& file) {
  return shown(file.native(), kShownOfAFile);
}

std::string quotedFile(const std::filesystem::path& file) {
  return quoted(file.native(), kShownOfAFile);
}

std::string harmless(std::string_view message) {
  return escaped(message, {.most = kShownOfAMessage, .lines = true});
}

std::size_t findControl(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Character c = characterAt(text, at);
    if (c.valid && (c.code < 0x20 || (c.code >= 0x7f && c.code < 0xa0))) return at;
    at += c.bytes;
  }
  return std::string_view::npos;
}

}  // namespace simscope::foreign
