#include "app/render/layers/field/field_bitmap.h"

#include <algorithm>
#include <cmath>

namespace simscope::render {
namespace {

using Picture = FieldLayer::Picture;

RasterAxis axis(const Limits& shown, double pixels, const Limits& covered, int cells, int first, int part) {
  const CellStart start = cellStart(shown, pixels, covered, cells);
  return {start.base, static_cast<float>(start.offset), static_cast<float>(start.per_pixel), cells, first, part};
}

std::size_t index(Picture picture) {
  return static_cast<std::size_t>(picture);
}

}  // namespace

Program& FieldBitmapPrograms::means(FieldStyle style, bool lines) {
  std::unique_ptr<Program>& program = means_[{style, lines}];
  if (!program) {
    std::string choices = "#define MEANS\n#define STYLE " + std::to_string(static_cast<int>(style)) + "\n";
    if (lines) choices += "#define LINES\n";
    program = std::make_unique<Program>(std::vector<Program::Stage>{
        {GL_VERTEX_SHADER, "field.vert"}, {GL_FRAGMENT_SHADER, "field.frag", std::move(choices)}});
  }
  return *program;
}

FieldBitmap::FieldBitmap(FieldBitmapPrograms& programs) : programs_(programs), empty_(makeVertexArray()) {}

void FieldBitmap::begin(const PlotArea& area, const Tile& tile, FieldLayer::Contours contours,
                        std::span<const std::uint32_t> table) {
  area_ = area;
  tile_ = tile;
  contours_ = std::move(contours);
  part_ = partOf(area, tile, contourMargin(contours_.level_width, contours_.overlay_width));
  table_.provide(table);
  made_ = {};
}

void FieldBitmap::reduce(Picture which, const FieldSource& source, FieldStyle style, const ColourRange& range) {
  if (part_.empty()) return;
  const int below = static_cast<int>(std::lround(area_.height)) - part_.top - part_.height;
  const RasterField field{
      source.host, source.components, axis(area_.x, area_.width, source.x, source.width, part_.left, part_.width),
      axis(area_.y, area_.height, source.y, source.height, below, part_.height), which != Picture::Main};
  const FieldPlace place = fieldPlace(range, style);
  if (which == Picture::Overlay &&
      !rasterCrosses(field, source.width, source.height, static_cast<float>(contours_.overlay_level))) {
    return;
  }
  std::vector<float>& out = pictures_[index(which)];
  if (style == FieldStyle::Scalar) {
    rasterScalar(field, place, out);
  } else {
    rasterMeans(field, style, out);
  }
  made_[index(which)] = true;
  if (which != Picture::Main) return;
  style_ = style;
  place_ = place;
}

void FieldBitmap::finish(Colour missing, Colour outside, unsigned whole) {
  whole_ = 0;
  if (part_.empty()) return;
  missing_ = missing;
  std::vector<RasterLines> lines;
  if (made_[index(Picture::Joined)] && contours_.level_width > 0) {
    RasterLines& isolines = lines.emplace_back();
    isolines.values = &pictures_[index(Picture::Joined)];
    const std::size_t count = std::min(FieldLayer::kMostLevels, contours_.levels.size());
    for (std::size_t i = 0; i < count; ++i) isolines.levels.push_back(static_cast<float>(contours_.levels[i]));
    isolines.half_width = static_cast<float>(contours_.level_width / 2);
    isolines.weight = 0.7f;
  }
  if (made_[index(Picture::Overlay)] && contours_.overlay_width > 0) {
    RasterLines& outline = lines.emplace_back();
    outline.values = &pictures_[index(Picture::Overlay)];
    outline.levels = {static_cast<float>(contours_.overlay_level)};
    outline.half_width = static_cast<float>(contours_.overlay_width / 2);
  }
  rasterCoverage(lines, part_.width, part_.height, scratch_, coverage_);
  const std::vector<float>& main = pictures_[index(Picture::Main)];
  if (style_ == FieldStyle::Scalar && place_.scale != 1) {
    rasterColours(main, table_.colours(), {missing_, outside, kLinesOnDark, kLinesOnBright}, coverage_, pixels_);
    const auto onPixel = [](double place) { return place == std::floor(place); };
    if (onPixel(area_.left) && onPixel(area_.top)) whole_ = whole;
    if (whole_ == 0) upload(bitmap_, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, pixels_.data());
    return;
  }
  const bool one = style_ == FieldStyle::Scalar;
  upload(means_, one ? GL_R32F : GL_RGBA32F, one ? GL_RED : GL_RGBA, GL_FLOAT, main.data());
  if (!coverage_.empty()) upload(lines_, GL_R32F, GL_RED, GL_FLOAT, coverage_.data());
}

void FieldBitmap::upload(Texture& texture, GLenum format, GLenum layout, GLenum type, const void* pixels) {
  if (!texture.texture || texture.width != part_.width || texture.height != part_.height || texture.format != format) {
    texture = {makeTexture(GL_TEXTURE_2D), format, part_.width, part_.height};
    glTextureStorage2D(texture.texture.get(), 1, format, part_.width, part_.height);
    glTextureParameteri(texture.texture.get(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(texture.texture.get(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  }
  glTextureSubImage2D(texture.texture.get(), 0, 0, 0, part_.width, part_.height, layout, type, pixels);
  checkGl("making the picture of a field");
}

void FieldBitmap::draw() {
  if (part_.empty()) return;
  if (whole_ != 0) {
    const int left = static_cast<int>(area_.left) + part_.left, top = static_cast<int>(area_.top) + part_.top;
    glTextureSubImage2D(whole_, 0, left, tile_.height - top - part_.height, part_.width, part_.height, GL_RGBA,
                        GL_UNSIGNED_BYTE, pixels_.data());
    return;
  }
  const int below = static_cast<int>(std::lround(area_.height)) - part_.top - part_.height;
  const bool finished = style_ == FieldStyle::Scalar && place_.scale != 1;
  const GLuint program = finished ? programs_.finished.get() : programs_.means(style_, !coverage_.empty()).get();
  glProgramUniform4f(program, 0, static_cast<float>(area_.left), static_cast<float>(area_.top),
                     static_cast<float>(area_.width), static_cast<float>(area_.height));
  setTile(program, 1, tile_);
  glProgramUniform2i(program, 33, part_.left, below);
  if (!finished) {
    setColour(program, 3, missing_);
    setColour(program, 4, kLinesOnDark);
    setColour(program, 5, kLinesOnBright);
    glProgramUniform1i(program, 34, place_.scale);
    glProgramUniform2f(program, 35, place_.low, place_.inverse);
    glBindTextureUnit(1, lines_.texture.get());
    glBindTextureUnit(3, table_.texture());
  }
  glBindTextureUnit(0, finished ? bitmap_.texture.get() : means_.texture.get());
  glUseProgram(program);
  glBindVertexArray(empty_.get());
  glDrawArrays(GL_TRIANGLES, 0, 6);
}

}  // namespace simscope::render
