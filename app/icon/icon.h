// The program's icon: a wave packet halfway through a barrier that is higher than its energy, computed by the
// simulation `tunneling`.
//
// Drawn on the CPU, so that it can be made without OpenGL. Thread: any. Errors: as the simulation's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace simscope::icon {

// RGBA, 8 bits each, not premultiplied, size × size pixels, top row first. `size`: 8 to 4096 pixels, else UsageError.
std::vector<std::uint8_t> drawn(int size);
// The scene shown, in the format of scene files.
std::string scene();
// A PNG with both: `simscope FILE.png` opens the scene.
std::vector<std::uint8_t> pngFile(int size);

}  // namespace simscope::icon
