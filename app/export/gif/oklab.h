// Oklab, the colour space in which colour distances are measured here (B. Ottosson, "A perceptual color space for image
// processing", 2020). Plain functions; any thread.
#pragma once

#include <array>
#include <cstdint>

namespace simscope::exporting {

struct Lab {
  float lightness, green_red, blue_yellow;
};

using Light = std::array<float, 3>;  // linear r, g, b from 0 to 1

// The light of a stored level from 0 to 255: the inverse transfer function of sRGB (IEC 61966-2-1), plus the room light
// that every screen reflects. Without this light Oklab separates shades near black that look the same.
float linearLight(double level);
Light linearLight(std::uint32_t colour);  // 0xRRGGBB

Lab oklab(const Light& light);

inline float squaredDistance(const Lab& a, const Lab& b) {
  const float dl = a.lightness - b.lightness, da = a.green_red - b.green_red, db = a.blue_yellow - b.blue_yellow;
  return dl * dl + da * da + db * db;
}

}  // namespace simscope::exporting
