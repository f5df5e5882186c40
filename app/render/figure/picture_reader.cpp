#include "app/render/figure/picture_reader.h"

#include <cstring>
#include <utility>

#include "sims/compute/error.h"

namespace simscope::render {
namespace {

// Each pixel is stored with its alpha, which the next one covers.
void dropAlpha(const std::uint8_t* rgba, std::uint8_t* rgb, std::size_t pixels) {
  for (std::size_t x = 0; x + 1 < pixels; ++x) std::memcpy(rgb + 3 * x, rgba + 4 * x, 4);
  if (pixels > 0) std::memcpy(rgb + 3 * (pixels - 1), rgba + 4 * (pixels - 1), 3);
}

}  // namespace

void PictureReader::start(const std::vector<Source>& sources, int width, int height) {
  if (in_flight_ == Figure::kReadsInFlight) {
    throw UsageError("Figure::startRead: " + std::to_string(Figure::kReadsInFlight) +
                     " pictures are being read already; take() one first");
  }
  Slot& slot = slots_[static_cast<std::size_t>((oldest_ + in_flight_) % Figure::kReadsInFlight)];
  slot.width = width;
  slot.height = height;
  if (software_) {
    slot.later = sources;
    ++in_flight_;
    return glFlush();
  }
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
  readInto(nullptr, sources, width, height);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  slot.done = GlSync(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
  glFlush();
  checkGl("starting to read the picture");
  ++in_flight_;
}

void PictureReader::readInto(void* pixels, const std::vector<Source>& sources, int width, int height) {
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glPixelStorei(GL_PACK_ROW_LENGTH, width);
  for (const auto& [framebuffer, place] : sources) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glPixelStorei(GL_PACK_SKIP_PIXELS, place.left);
    glPixelStorei(GL_PACK_SKIP_ROWS, height - (place.top + place.height));  // the bottom row comes first
    glReadPixels(0, 0, place.width, place.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  }
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
  glPixelStorei(GL_PACK_SKIP_PIXELS, 0);
  glPixelStorei(GL_PACK_SKIP_ROWS, 0);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
}

void PictureReader::collect() {
  for (Slot& slot : slots_) collect(slot);
}

void PictureReader::collect(Slot& slot) {
  if (slot.later.empty()) return;
  slot.copied.resize(static_cast<std::size_t>(slot.width) * static_cast<std::size_t>(slot.height) * 4);
  readInto(slot.copied.data(), std::exchange(slot.later, {}), slot.width, slot.height);
  checkGl("reading a picture");
}

std::vector<std::uint8_t> PictureReader::take() {
  if (in_flight_ == 0) throw UsageError("Figure::take: no picture is being read; startRead() first");
  Slot& slot = slots_[static_cast<std::size_t>(oldest_)];
  oldest_ = (oldest_ + 1) % Figure::kReadsInFlight;
  --in_flight_;
  const auto width = static_cast<std::size_t>(slot.width), height = static_cast<std::size_t>(slot.height);
  std::vector<std::uint8_t> rgb(width * height * 3);
  const auto give = [&](const std::uint8_t* pixels) {
    for (std::size_t y = 0; y < height; ++y) {
      dropAlpha(pixels + (height - 1 - y) * width * 4, rgb.data() + y * width * 3, width);
    }
  };
  if (software_) {
    collect(slot);
    give(slot.copied.data());
    return rgb;
  }
  waitFor(slot.done, "waiting for a picture");
  const auto* pixels = static_cast<const std::uint8_t*>(
      glMapNamedBufferRange(slot.pixels.get(), 0, static_cast<GLsizeiptr>(width * height * 4), GL_MAP_READ_BIT));
  if (!pixels) {
    checkGl("mapping a picture");
    throw Error("OpenGL could not map a picture that was read back.");
  }
  give(pixels);
  glUnmapNamedBuffer(slot.pixels.get());
  checkGl("reading a picture");
  return rgb;
}

}  // namespace simscope::render
