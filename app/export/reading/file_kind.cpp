#include "app/export/reading/file_kind.h"

#include <algorithm>
#include <array>
#include <optional>

#include "app/export/png.h"

namespace simscope::exporting {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view bytes;
  FileKind kind;
};

// What begins like another stands before it.
constexpr std::array kSignatures = {
    Signature{kPngSignature, {"a PNG", FileUse::SceneCarrier}},
    Signature{"GIF87a"sv, {"a GIF", FileUse::SceneCarrier}},
    Signature{"GIF89a"sv, {"a GIF", FileUse::SceneCarrier}},
    Signature{"\xff\xd8\xff"sv, {"a JPEG picture", FileUse::Picture}},
    Signature{"II*\0"sv, {"a TIFF picture", FileUse::None}},
    Signature{"MM\0*"sv, {"a TIFF picture", FileUse::None}},
    Signature{"\x93NUMPY"sv, {"a NumPy array", FileUse::Array}},
    Signature{"\x89HDF\r\n\x1a\n"sv, {"an HDF5 file", FileUse::None}},
    Signature{"CDF\x01"sv, {"a NetCDF file", FileUse::None}},
    Signature{"CDF\x02"sv, {"a NetCDF file", FileUse::None}},
    Signature{"CDF\x05"sv, {"a NetCDF file", FileUse::None}},
    Signature{"root\0"sv, {"a ROOT file", FileUse::None}},
    Signature{"SIMPLE  ="sv, {"a FITS file", FileUse::None}},
    Signature{"MATLAB 5.0 MAT-file"sv, {"a MATLAB file", FileUse::None}},
    Signature{"PAR1"sv, {"a Parquet table", FileUse::None}},
    Signature{"SQLite format 3\0"sv, {"an SQLite database", FileUse::None}},
    Signature{"OggS"sv, {"an Ogg file", FileUse::Video}},
    Signature{"%PDF-"sv, {"a PDF", FileUse::None}},
    Signature{"%!PS"sv, {"a PostScript file", FileUse::None}},
    Signature{"\x1f\x8b"sv, {"a compressed file (gzip)", FileUse::None}},
    Signature{"\x28\xb5\x2f\xfd"sv, {"a compressed file (Zstandard)", FileUse::None}},
    Signature{"\xfd"
              "7zXZ\0"sv,
              {"a compressed file (xz)", FileUse::None}},
    Signature{"BZh"sv, {"a compressed file (bzip2)", FileUse::None}},
    Signature{"7z\xbc\xaf\x27\x1c"sv, {"a 7-Zip archive", FileUse::None}},
    Signature{"\x7f"
              "ELF"sv,
              {"a program", FileUse::None}},
    Signature{"\xff\xfe"sv, {"a text in UTF-16", FileUse::WideText}},
    Signature{"\xfe\xff"sv, {"a text in UTF-16", FileUse::WideText}},
    Signature{"# vtk DataFile"sv, {"a VTK file", FileUse::None}},
    Signature{"version https://git-lfs"sv, {"a pointer of Git LFS, not the file itself", FileUse::None}},
    Signature{"P7\n"sv, {"a PAM picture", FileUse::None}},
};

std::string_view part(std::string_view bytes, std::size_t at, std::size_t length) {
  return at < bytes.size() ? bytes.substr(at, length) : std::string_view();
}

unsigned byteAt(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}

// Containers, whose kind stands within.
std::optional<FileKind> contained(std::string_view front) {
  if (part(front, 0, 4) == "RIFF") {
    const std::string_view form = part(front, 8, 4);
    if (form == "WEBP") return FileKind{"a WebP", FileUse::Video};
    if (form == "AVI ") return FileKind{"an AVI video", FileUse::Video};
    return FileKind{"a RIFF file", FileUse::None};
  }
  if (part(front, 4, 4) == "ftyp") {
    const std::string_view brand = part(front, 8, 4);
    if (brand == "avif" || brand == "avis") return FileKind{"an AVIF picture", FileUse::None};
    if (brand == "heic" || brand == "mif1") return FileKind{"an HEIF picture", FileUse::None};
    if (brand == "qt  ") return FileKind{"a QuickTime video", FileUse::Video};
    return FileKind{"an MP4 video", FileUse::Video};
  }
  if (part(front, 0, 4) == "\x1a\x45\xdf\xa3") {
    constexpr std::size_t kHead = 64;
    const bool web = part(front, 0, kHead).find("webm") != std::string_view::npos;
    return FileKind{web ? "a WebM video" : "an MKV video", FileUse::Video};
  }
  if (part(front, 0, 4) == "PK\x03\x04" || part(front, 0, 4) == "PK\x05\x06") {
    const std::string_view name = part(front, 30, byteAt(front, 26) | byteAt(front, 27) << 8);
    if (name == "scene.json") return FileKind{"a snapshot", FileUse::Snapshot};
    if (name.ends_with(".npy")) return FileKind{"a NumPy archive", FileUse::Table};
    return FileKind{"a ZIP archive", FileUse::None};
  }
  if (part(front, 0, 2) == "BM") {
    const unsigned head = byteAt(front, 14);
    const bool plain = byteAt(front, 15) == 0 && byteAt(front, 16) == 0 && byteAt(front, 17) == 0;
    if (plain && (head == 12 || head == 40 || head == 52 || head == 56 || head == 64 || head == 108 || head == 124)) {
      return FileKind{"a BMP picture", FileUse::Picture};
    }
  }
  const bool numbered = byteAt(front, 0) == 'P' && byteAt(front, 1) >= '1' && byteAt(front, 1) <= '6';
  if (numbered && " \t\r\n#"sv.find(part(front, 2, 1)) != std::string_view::npos && front.size() > 2) {
    return FileKind{"a PNM picture", FileUse::Picture};
  }
  if (byteAt(front, 0) == 0x80 && byteAt(front, 1) >= 2 && byteAt(front, 1) <= 5 && front.size() > 2) {
    return FileKind{"a Python pickle", FileUse::None};
  }
  return std::nullopt;
}

FileKind markup(std::string_view text) {
  const auto has = [&](std::string_view what) { return text.find(what) != std::string_view::npos; };
  if (has("<VTKFile")) return {"a VTK file", FileUse::None};
  if (has("<svg")) return {"an SVG picture", FileUse::None};
  if (has("<html") || has("<HTML") || has("<!DOCTYPE html") || has("<!doctype html")) {
    return {"a web page", FileUse::None};
  }
  return {"an XML file", FileUse::None};
}

std::size_t cellsOf(std::string_view line, char separator) {
  if (separator != ' ') return 1 + static_cast<std::size_t>(std::count(line.begin(), line.end(), separator));
  std::size_t cells = 0;
  for (std::size_t i = 0; i < line.size(); ++i) cells += line[i] != ' ' && (i == 0 || line[i - 1] == ' ');
  return cells;
}

bool isNumeric(std::string_view line) {
  constexpr std::string_view kOfNumbers = "0123456789+-.eE,;\t naif\"\r";
  return line.find_first_of("0123456789") != std::string_view::npos &&
         line.find_first_not_of(kOfNumbers) == std::string_view::npos;
}

// Two lines of equally many cells, the second of numbers.
bool isTable(std::string_view text) {
  std::array<std::string_view, 2> lines;
  std::size_t found = 0;
  while (found < lines.size() && !text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line[0] != '#' && line != "\r") lines[found++] = line;
  }
  if (found < lines.size() || !isNumeric(lines[1])) return false;
  for (const char separator : {',', ';', '\t', ' '}) {
    const std::size_t cells = cellsOf(lines[0], separator);
    if (cells > 1 && cells == cellsOf(lines[1], separator)) return true;
  }
  return false;
}

}  // namespace

FileKind fileKind(std::string_view front) {
  if (front.empty()) return {"an empty file", FileUse::None};
  for (const Signature& each : kSignatures) {
    if (front.starts_with(each.bytes)) return each.kind;
  }
  if (const auto kind = contained(front)) return *kind;
  std::string_view text = front;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  if (text.empty() || text[0] == '{' || text[0] == '[' || text[0] == '"') return {};
  const auto unprintable = [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return code < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f';
  };
  if (std::any_of(text.begin(), text.end(), unprintable)) return {"binary data", FileUse::None};
  if (text[0] == '<') return markup(text);
  if (text.starts_with("step,time")) return {"a table of diagnostics", FileUse::None};  // as render writes it
  if (isTable(text)) return {"a table", FileUse::Table};
  return {};
}

}  // namespace simscope::exporting
