// The 256 colours that the frames of a GIF share (solid_colours.h: what one may have beside them), and the mapping from
// RGB to them.
//
// Entry kTransparent means "unchanged" and is the colour of no pixel. The exact colours come next, in their order and
// without repetitions; the other entries are a few greys and colours chosen so that the colour farthest from the
// palette is as near as possible. Distances are Euclidean in Oklab; a grey
// stays grey (Tint). Owner: of the colour table below (16 MiB of address
// space, of which the colours in use occupy a few pages). Thread: map() from any number at once; the result does not
// depend on the order. Errors: UsageError for more than 255 different exact colours.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

namespace simscope::exporting {

// UsageError for more than 255 different ones.
void checkExact(std::span<const std::uint32_t> exact);

class Palette {
 public:
  static constexpr int kColours = 256;
  static constexpr std::uint8_t kTransparent = 0;

  explicit Palette(std::span<const std::uint32_t> exact);

  // Indices of the nearest colours of `pixels` RGB triples.
  void map(const std::uint8_t* rgb, std::size_t pixels, std::uint8_t* indices);
  // Indices of the colours in the palette, kTransparent for all others. True: there are no others.
  bool mapExact(const std::uint8_t* rgb, std::size_t pixels, std::uint8_t* indices);
  const std::array<std::uint32_t, kColours>& colours() const noexcept { return colours_; }

 private:
  struct Free {
    void operator()(std::uint8_t* memory) const noexcept { std::free(memory); }
  };
  std::uint8_t nearest(std::uint32_t colour) const;

  std::array<std::uint32_t, kColours> colours_{};
  alignas(64) std::array<float, kColours> lightness_{}, green_red_{}, blue_yellow_{};
  std::unique_ptr<std::uint8_t[], Free> known_;  // by 0xRRGGBB; kTransparent: not looked up yet
};

}  // namespace simscope::exporting
