#include "app/render/gl/colour_table.h"

#include <algorithm>

namespace simscope::render {

void ColourTable::provide(std::span<const std::uint32_t> colours) {
  if (texture_ && std::equal(colours.begin(), colours.end(), colours_.begin(), colours_.end())) return;
  colours_.assign(colours.begin(), colours.end());
  std::vector<std::uint8_t> bytes;
  for (const std::uint32_t colour : colours_) {
    for (const int shift : {16, 8, 0}) bytes.push_back(static_cast<std::uint8_t>(colour >> shift));
    bytes.push_back(255);
  }
  if (bytes.empty()) bytes.resize(4);
  buffer_ = makeBuffer();
  texture_ = makeTexture(GL_TEXTURE_BUFFER);
  glNamedBufferStorage(buffer_.get(), static_cast<GLsizeiptr>(bytes.size()), bytes.data(), 0);
  glTextureBuffer(texture_.get(), GL_RGBA8, buffer_.get());
  checkGl("making a colour table");
}

}  // namespace simscope::render
