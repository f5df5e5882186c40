// Oklab, the colour space in which colour distances are measured here (B. Ottosson, "A perceptual color space for image
// processing", 2020). Plain functions; any thread.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
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

inline float chroma(const Lab& c) {
  return std::sqrt(c.green_red * c.green_red + c.blue_yellow * c.blue_yellow);
}

// What a colour costs beside its distance from a wanted grey if it is more coloured than that: the eye sees a tint of
// text and lines before it sees another lightness. Nothing for a wanted colour.
class Tint {
 public:
  explicit Tint(const Lab& wanted) : chroma_(chroma(wanted)), dear_(kDear * std::max(0.0f, 1 - chroma_ / kColoured)) {}
  float cost(float chroma) const {
    const float more = std::max(0.0f, chroma - chroma_);
    return dear_ * more * more;
  }

 private:
  static constexpr float kColoured = 0.08f, kDear = 3;
  float chroma_, dear_;
};

inline float squaredDistance(const Lab& a, const Lab& b) {
  const float dl = a.lightness - b.lightness, da = a.green_red - b.green_red, db = a.blue_yellow - b.blue_yellow;
  return dl * dl + da * da + db * db;
}

}  // namespace simscope::exporting
