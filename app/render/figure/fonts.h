// The fonts of figure and window: DejaVu (Debian's fonts-dejavu-core), part of the program, so that they are available
// on any machine. Any thread; the bytes live as long as the program.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace simscope::render {

enum class FontFace { Regular, Bold, Mono };
// A TrueType file.
std::span<const unsigned char> fontFile(FontFace face);

// The characters used in physics, as alternating first and last code points, 0 at the end (Dear ImGui's format): Latin
// with accents and ħ, modifiers, Greek, Cyrillic (names of files and people), raised and lowered letters, punctuation,
// super- and subscripts, letter-like symbols (ℏ, ℝ), fractions, arrows, operators, shapes, brackets.
inline constexpr std::array<std::uint16_t, 33> kGlyphRanges = {
    0x0020, 0x017f, 0x02b0, 0x02ff, 0x0370, 0x03ff, 0x0400, 0x045f, 0x1d2c, 0x1d6a, 0x2010,
    0x2044, 0x2070, 0x209c, 0x2100, 0x214f, 0x2150, 0x215f, 0x2190, 0x21ff, 0x2200, 0x22ff,
    0x25a0, 0x25ff, 0x2713, 0x2717, 0x27e6, 0x27eb, 0x2c60, 0x2c7f, 0xfffd, 0xfffd, 0};

}  // namespace simscope::render
