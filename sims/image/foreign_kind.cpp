#include "sims/image/foreign_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace simscope::image {
namespace {

using namespace std::string_view_literals;

constexpr const char* kSaveOne = "; save one of its pictures as PNG";

struct Kind {
  std::size_t at;
  std::string_view magic;
  const char* name;
  const char* cure = "; save it as PNG";
};
constexpr Kind kOthers[] = {
    {0, "II\x2a\0"sv, "a TIFF picture"},
    {0, "MM\0\x2a"sv, "a TIFF picture"},
    {0, "II\x2b\0"sv, "a TIFF picture"},
    {0, "MM\0\x2b"sv, "a TIFF picture"},
    {4, "ftypavif", "an AVIF picture"},
    {4, "ftypavis", "an animated AVIF", kSaveOne},
    {4, "ftyphei", "a HEIF picture"},
    {4, "ftypmif1", "a HEIF picture"},
    {4, "ftyphevc", "an animated HEIF", kSaveOne},
    {4, "ftypmsf1", "an animated HEIF", kSaveOne},
    {4, "ftyp", "a film", kSaveOne},
    {0, "\x1a\x45\xdf\xa3", "a film", kSaveOne},
    {0, "\xff\x0a", "a JPEG XL picture"},
    {4, "JXL ", "a JPEG XL picture"},
    {4, "jP  ", "a JPEG 2000 picture"},
    {0, "8BPS", "a Photoshop document"},
    {0, "qoif", "a QOI picture"},
    {0, "\x76\x2f\x31\x01", "an OpenEXR picture"},
    {0, "#?RADIANCE", "a Radiance picture"},
    {0, "P7\n", "a PAM picture"},
    {0, "PF\n", "a PFM picture"},
    {0, "Pf\n", "a PFM picture"},
    {0, "%PDF", "a PDF document"},
    {0, "%!PS", "a PostScript document"},
    {0, "\xc5\xd0\xd3\xc6", "a PostScript document"},
    {0, "\0\0\1\0"sv, "an icon"},
    {0, "\0\0\2\0"sv, "a cursor"},
    {0, "DDS ", "a DDS texture"},
    {0, "gimp xcf", "a GIMP picture"},
    {0, "/* XPM */", "an XPM picture"},
    {0, "\x01\xda", "an SGI picture"},
    {0, "AT&TFORM", "a DjVu document"},
    {0, "SIMPLE  =", "a FITS picture"},
    {128, "DICM", "a DICOM picture"},
    {0, "\x89HDF", "an HDF5 file"},
    {0, "\x93NUMPY", "a NumPy array"},
    {0, "PK\3\4", "an archive", "; unpack it, and give a picture"},
    {0, "\x1f\x8b", "a compressed file", "; unpack it"},
};

std::size_t number(std::string_view bytes, std::size_t at, std::size_t size, bool big_endian) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < size && at + i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[at + i]);
    value |= static_cast<std::size_t>(byte) << 8 * (big_endian ? size - 1 - i : i);
  }
  return value;
}

// Pictures of an animated PNG; 0 of any other. They are announced before the first picture's data.
std::size_t picturesOfPng(std::string_view bytes) {
  for (std::size_t at = 8; at + 8 <= bytes.size();) {
    const std::string_view type = bytes.substr(at + 4, 4);
    if (type == "acTL") return number(bytes, at + 8, 4, true);
    if (type == "IDAT" || type == "IEND") break;
    at += 12 + number(bytes, at, 4, true);
  }
  return 0;
}

// What begins with a tag, behind a byte order mark and spaces; empty otherwise.
std::string kindOfMarkup(std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
  if (!bytes.starts_with("<")) return "";
  constexpr std::size_t kBeginning = 4096;
  return bytes.substr(0, kBeginning).find("<svg") != std::string_view::npos ? "an SVG drawing; save it as PNG"
                                                                            : "a web page or an XML document";
}

}  // namespace

std::string foreignKind(std::string_view bytes) {
  if (bytes.starts_with("GIF8")) return fmt::format("a GIF, perhaps an animation{}", kSaveOne);
  if (bytes.starts_with("RIFF") && bytes.size() > 20 && bytes.substr(8, 4) == "WEBP") {
    const bool animated = bytes.substr(12, 4) == "VP8X" && (number(bytes, 20, 1, false) & 2) != 0;
    return animated ? fmt::format("an animated WebP{}", kSaveOne) : "a WebP picture; save it as PNG";
  }
  if (bytes.starts_with("\x89PNG")) {
    const std::size_t pictures = picturesOfPng(bytes);
    return pictures > 1 ? fmt::format("an animated PNG of {} pictures{}", pictures, kSaveOne) : "";
  }
  if (bytes.starts_with("BM")) {
    // Headers of Windows 3 and later have the encoding behind the depth: 0 none, 3 masks, 6 masks with alpha.
    const std::size_t header = number(bytes, 14, 4, false), encoding = header >= 40 ? number(bytes, 30, 4, false) : 0;
    if (encoding == 1 || encoding == 2) return "a BMP with run-length encoding; save it as PNG, or without it";
    if (encoding == 4 || encoding == 5) return "a BMP that holds a JPEG or a PNG; save it as PNG";
    return "";
  }
  for (const Kind& each : kOthers) {
    if (bytes.size() >= each.at && bytes.substr(each.at).starts_with(each.magic)) {
      return fmt::format("{}{}", each.name, each.cure);
    }
  }
  return kindOfMarkup(bytes);
}

}  // namespace simscope::image
