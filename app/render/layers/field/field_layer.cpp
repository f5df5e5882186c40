#include "app/render/layers/field/field_layer.h"

#include <algorithm>
#include <cmath>

namespace simscope::render {
namespace {

// Bindings, locations, and numbers as in shaders/.
constexpr GLuint kGroupWidth = 16, kGroupHeight = 4;
constexpr int kWheelStyle = 3;
constexpr double kFarCell = 1e8;  // keeps positions far outside the field within an int

}  // namespace

CellStart cellStart(const Limits& shown, double pixels, const Limits& covered, int cells) {
  const double per_unit = cells / (covered.high - covered.low);
  const double at = std::clamp((shown.low - covered.low) * per_unit, -kFarCell, kFarCell);
  const double base = std::floor(at);
  return {static_cast<int>(base), at - base, (shown.high - shown.low) * per_unit / pixels};
}

FieldPlace fieldPlace(const ColourRange& range, FieldStyle style) {
  const Limits& l = range.limits;
  const bool log = range.scale == FieldScale::Log;
  const int gamma = range.symmetric && style == FieldStyle::Scalar ? 3 : 2;
  return {log                                ? 1
          : range.scale == FieldScale::Gamma ? gamma
                                             : 0,
          static_cast<float>(log ? std::log(l.low) : l.low),
          static_cast<float>(1 / (log ? std::log(l.high / l.low) : l.high - l.low))};
}

// As far as shaders/field.frag says.
int contourMargin(double level_width, double overlay_width) {
  return static_cast<int>(std::ceil(std::max(level_width, overlay_width))) + 2;
}

FieldLayer::FieldLayer(FieldPrograms& programs) : programs_(programs), empty_(makeVertexArray()) {
  checkGl("making the field layer");
}

void FieldLayer::begin(const PlotArea& area, const Tile& tile, Contours contours,
                       std::span<const std::uint32_t> table) {
  area_ = area;
  tile_ = tile;
  contours_ = std::move(contours);
  part_ = partOf(area, tile, contourMargin(contours_.level_width, contours_.overlay_width));
  table_.provide(table);
}

void FieldLayer::reduce(Picture which, const FieldSource& source, FieldStyle style, const ColourRange& range) {
  if (part_.empty()) return;
  Reduced& picture = pictures_[static_cast<std::size_t>(which)];
  const int width = part_.width, height = part_.height;
  const GLenum format = style == FieldStyle::Scalar ? GL_R32F : GL_RGBA32F;
  if (!picture.image || picture.width != width || picture.height != height || picture.format != format) {
    picture.image = makeTexture(GL_TEXTURE_2D);
    glTextureStorage2D(picture.image.get(), 1, format, width, height);
    glTextureParameteri(picture.image.get(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(picture.image.get(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    checkGl("making the reduced picture of a field");
    picture.width = width;
    picture.height = height;
    picture.format = format;
  }

  const CellStart x = cellStart(area_.x, area_.width, source.x, source.width);
  const CellStart y = cellStart(area_.y, area_.height, source.y, source.height);
  const GLuint program = programs_.reduce.get();
  glProgramUniform2i(program, 0, source.width, source.height);
  glProgramUniform1i(program, 1, source.components);
  glProgramUniform2i(program, 2, x.base, y.base);
  glProgramUniform4f(program, 3, static_cast<float>(x.offset), static_cast<float>(y.offset),
                     static_cast<float>(x.per_pixel), static_cast<float>(y.per_pixel));
  glProgramUniform2i(program, 4, width, height);
  glProgramUniform1i(program, 5, static_cast<int>(style));
  glProgramUniform1i(program, 6, which == Picture::Main ? 0 : 1);
  const FieldPlace place = fieldPlace(range, style);
  glProgramUniform1i(program, 7, place.scale);
  glProgramUniform2f(program, 8, place.low, place.inverse);
  glProgramUniform2i(program, 9, part_.left, rowsBelow());
  glUseProgram(program);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, source.values);
  glBindImageTexture(0, picture.image.get(), 0, GL_FALSE, 0, GL_WRITE_ONLY, format);
  dispatch((static_cast<GLuint>(width) + kGroupWidth - 1) / kGroupWidth,
           (static_cast<GLuint>(height) + kGroupHeight - 1) / kGroupHeight, GL_TEXTURE_FETCH_BARRIER_BIT);
}

int FieldLayer::rowsBelow() const {
  return static_cast<int>(std::lround(area_.height)) - part_.top - part_.height;
}

GLuint FieldLayer::prepared(double left, double top, double width, double height, int style) {
  const GLuint program = programs_.draw.get();
  glProgramUniform4f(program, 0, static_cast<float>(left), static_cast<float>(top), static_cast<float>(width),
                     static_cast<float>(height));
  setTile(program, 1, tile_);
  glProgramUniform1i(program, 2, style);
  for (GLuint unit = 0; unit < pictures_.size(); ++unit) glBindTextureUnit(unit, pictures_[unit].image.get());
  glBindTextureUnit(3, table_.texture());
  glUseProgram(program);
  glBindVertexArray(empty_.get());
  return program;
}

void FieldLayer::draw(FieldStyle style, Colour missing) {
  if (part_.empty()) return;
  const GLuint program = prepared(area_.left, area_.top, area_.width, area_.height, static_cast<int>(style));
  setColour(program, 3, missing);
  setColour(program, 4, kLinesOnDark);
  setColour(program, 5, kLinesOnBright);
  glProgramUniform2f(program, 6, static_cast<float>(contours_.level_width / 2),
                     static_cast<float>(contours_.overlay_width / 2));
  glProgramUniform1f(program, 7, static_cast<float>(contours_.overlay_level));
  std::array<float, kMostLevels> levels{};
  const std::size_t count = std::min(kMostLevels, contours_.levels.size());
  for (std::size_t i = 0; i < count; ++i) levels[i] = static_cast<float>(contours_.levels[i]);
  glProgramUniform1i(program, 8, static_cast<GLint>(count));
  glProgramUniform1fv(program, 9, static_cast<GLsizei>(levels.size()), levels.data());
  glProgramUniform2i(program, 33, part_.left, rowsBelow());
  glDrawArrays(GL_TRIANGLES, 0, 6);
}

void FieldLayer::drawWheel(double left, double top, double diameter) {
  prepared(left, top, diameter, diameter, kWheelStyle);
  glDrawArrays(GL_TRIANGLES, 0, 6);
}

}  // namespace simscope::render
