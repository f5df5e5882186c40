#include "app/render/layers/field/arrow_layer.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace simscope::render {
namespace {

constexpr double kStep = 26;  // pixels at scale 1
constexpr double kLongest = 0.92;
constexpr float kEdgeOpacity = 0.8f;

}  // namespace

ArrowLattice arrowLattice(const PlotArea& area, double scale) {
  ArrowLattice lattice;
  lattice.step = std::round(kStep * scale);
  lattice.columns = static_cast<int>(area.width / lattice.step);
  lattice.rows = static_cast<int>(area.height / lattice.step);
  lattice.left = area.left + std::floor((area.width - lattice.columns * lattice.step) / 2);
  lattice.bottom = area.top + area.height - std::floor((area.height - lattice.rows * lattice.step) / 2);
  return lattice;
}

double longestArrow(double scale) {
  return kLongest * std::round(kStep * scale);
}

ArrowLayer::ArrowLayer(ArrowPrograms& programs) : programs_(programs), empty_(makeVertexArray()) {
  checkGl("making the arrow layer");
}

void ArrowLayer::reduce(const PlotArea& area, double scale, const FieldSource& source, double high, double longest,
                        bool gaps) {
  const ArrowLattice lattice = arrowLattice(area, scale);
  scale_ = static_cast<float>(scale);
  count_ = lattice.columns * lattice.rows;
  if (count_ == 0) return;
  if (capacity_ < count_) {
    arrows_ = makeBuffer();
    view_ = makeTexture(GL_TEXTURE_BUFFER);
    glNamedBufferStorage(arrows_.get(), static_cast<GLsizeiptr>(count_) * 4 * sizeof(float), nullptr, 0);
    glTextureBuffer(view_.get(), GL_RGBA32F, arrows_.get());
    capacity_ = count_;
    checkGl("making the arrows of a field");
  }
  const auto covered = [&](const Limits& axis, double from, double pixels, double all) {
    const double per_pixel = (axis.high - axis.low) / all;
    return Limits{axis.low + from * per_pixel, axis.low + (from + pixels) * per_pixel};
  };
  const double width = lattice.columns * lattice.step, height = lattice.rows * lattice.step;
  const CellStart x =
      cellStart(covered(area.x, lattice.left - area.left, width, area.width), lattice.columns, source.x, source.width);
  const CellStart y = cellStart(covered(area.y, area.top + area.height - lattice.bottom, height, area.height),
                                lattice.rows, source.y, source.height);
  const GLuint program = programs_.reduce.get();
  glProgramUniform2i(program, 0, source.width, source.height);
  glProgramUniform1i(program, 1, source.components);
  glProgramUniform2i(program, 2, x.base, y.base);
  glProgramUniform4f(program, 3, static_cast<float>(x.offset), static_cast<float>(y.offset),
                     static_cast<float>(x.per_pixel), static_cast<float>(y.per_pixel));
  glProgramUniform3f(program, 4, static_cast<float>(lattice.left), static_cast<float>(lattice.bottom),
                     static_cast<float>(lattice.step));
  glProgramUniform3f(program, 5, static_cast<float>(longest / high), static_cast<float>(longest),
                     static_cast<float>(kShortestArrow * longest));
  glProgramUniform2f(program, 6, gaps ? 1.0f : 0.0f, scale_);
  glUseProgram(program);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, source.values);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, arrows_.get());
  dispatch(static_cast<GLuint>(lattice.columns), static_cast<GLuint>(lattice.rows), GL_TEXTURE_FETCH_BARRIER_BIT);
}

GLuint ArrowLayer::prepared(const Tile& tile) {
  const GLuint program = programs_.draw.get();
  setTile(program, 0, tile);
  glProgramUniform1f(program, 1, scale_);
  glBindTextureUnit(0, view_.get());
  glUseProgram(program);
  glBindVertexArray(empty_.get());
  return program;
}

void ArrowLayer::draw(const Tile& tile) {
  if (count_ == 0) return;
  const GLuint program = prepared(tile);
  glProgramUniform4f(program, 2, 0, 0, 0, 0);
  setColour(program, 3, kLinesOnDark);
  setColour(program, 4, kLinesOnBright, kEdgeOpacity);
  glDrawArraysInstanced(GL_TRIANGLES, 0, 6, count_);
}

void ArrowLayer::drawKey(const Tile& tile, double left, double middle, double length, Colour colour) {
  const GLuint program = prepared(tile);
  glProgramUniform4f(program, 2, static_cast<float>(left + length / 2), static_cast<float>(middle),
                     static_cast<float>(length), 0);
  setColour(program, 3, colour);
  setColour(program, 4, colour, 0);
  glDrawArrays(GL_TRIANGLES, 0, 6);
}

}  // namespace simscope::render
