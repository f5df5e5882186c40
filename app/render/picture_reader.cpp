#include "app/render/picture_reader.h"

#include <bit>
#include <cstring>

#include "sims/compute/error.h"

namespace simscope::render {
namespace {

// Four pixels at a time are three words, on machines whose words begin with the lowest byte.
void dropAlpha(const std::uint8_t* rgba, std::uint8_t* rgb, std::size_t pixels) {
  std::size_t x = 0;
  if constexpr (std::endian::native == std::endian::little) {
    for (; x + 4 <= pixels; x += 4) {
      std::array<std::uint32_t, 4> from;
      std::memcpy(from.data(), rgba + 4 * x, sizeof from);
      for (std::uint32_t& each : from) each &= 0xffffffu;
      const std::array<std::uint32_t, 3> to = {from[0] | from[1] << 24, from[1] >> 8 | from[2] << 16,
                                               from[2] >> 16 | from[3] << 8};
      std::memcpy(rgb + 3 * x, to.data(), sizeof to);
    }
  }
  for (; x < pixels; ++x) std::memcpy(rgb + 3 * x, rgba + 4 * x, 3);
}

}  // namespace

void PictureReader::start(const std::vector<Source>& sources, int width, int height) {
  if (in_flight_ == Figure::kReadsInFlight) {
    throw UsageError("Figure::startRead: " + std::to_string(Figure::kReadsInFlight) +
                     " pictures are being read already; take() one first");
  }
  Slot& slot = slots_[static_cast<std::size_t>((oldest_ + in_flight_) % Figure::kReadsInFlight)];
  const std::size_t bytes = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4;
  if (slot.capacity < bytes) {
    slot.pixels = makeBuffer();
    slot.capacity = 0;
    glNamedBufferStorage(slot.pixels.get(), static_cast<GLsizeiptr>(bytes), nullptr,
                         GL_MAP_READ_BIT | GL_CLIENT_STORAGE_BIT);
    checkGl("making a buffer to read a picture of " + std::to_string(width) + "x" + std::to_string(height) +
            " pixels into");
    slot.capacity = bytes;
  }
  glBindBuffer(GL_PIXEL_PACK_BUFFER, slot.pixels.get());
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glPixelStorei(GL_PACK_ROW_LENGTH, width);
  for (const auto& [framebuffer, place] : sources) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glPixelStorei(GL_PACK_SKIP_PIXELS, place.left);
    glPixelStorei(GL_PACK_SKIP_ROWS, height - (place.top + place.height));  // the bottom row comes first
    glReadPixels(0, 0, place.width, place.height, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  }
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
  glPixelStorei(GL_PACK_SKIP_PIXELS, 0);
  glPixelStorei(GL_PACK_SKIP_ROWS, 0);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  slot.done = GlSync(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
  glFlush();
  checkGl("starting to read the picture");
  slot.width = width;
  slot.height = height;
  ++in_flight_;
}

std::vector<std::uint8_t> PictureReader::take() {
  if (in_flight_ == 0) throw UsageError("Figure::take: no picture is being read; startRead() first");
  Slot& slot = slots_[static_cast<std::size_t>(oldest_)];
  oldest_ = (oldest_ + 1) % Figure::kReadsInFlight;
  --in_flight_;
  waitFor(slot.done, "waiting for a picture");
  const auto width = static_cast<std::size_t>(slot.width), height = static_cast<std::size_t>(slot.height);
  const auto* pixels = static_cast<const std::uint8_t*>(
      glMapNamedBufferRange(slot.pixels.get(), 0, static_cast<GLsizeiptr>(width * height * 4), GL_MAP_READ_BIT));
  if (!pixels) {
    checkGl("mapping a picture");
    throw Error("OpenGL could not map a picture that was read back.");
  }
  std::vector<std::uint8_t> rgb(width * height * 3);
  for (std::size_t y = 0; y < height; ++y) {
    dropAlpha(pixels + (height - 1 - y) * width * 4, rgb.data() + y * width * 3, width);
  }
  glUnmapNamedBuffer(slot.pixels.get());
  checkGl("reading a picture");
  return rgb;
}

}  // namespace simscope::render
