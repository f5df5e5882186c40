#include "app/render/layers/curves/curve_layer.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace simscope::render {
namespace {

// Bindings and locations as in shaders/.
constexpr GLuint kWorkGroup = 64;
constexpr int kDrawnGroup = 4;              // columns a rectangle
constexpr float kGentle = 12, kSteep = 45;  // rise in pixels over one column, from where to where outlines fade
constexpr double kFarSample = 1e8;          // keeps positions far outside the data within an int

}  // namespace

CurveLayer::CurveLayer(CurvePrograms& programs) : programs_(programs), empty_(makeVertexArray()) {
  checkGl("making the curve layer");
}

void CurveLayer::begin(const PlotArea& area, const ThemeColours& colours) {
  area_ = area;
  columns_ = static_cast<int>(std::lround(area.width));
  wheel_.provide(colours.phase);
}

CurveLayer::Slot& CurveLayer::slot(std::size_t index) {
  if (slots_.size() <= index) slots_.resize(index + 1);
  Slot& s = slots_[index];
  if (!s.view) s.view = makeTexture(GL_TEXTURE_BUFFER);
  return s;
}

void CurveLayer::provide(Slot& s) {
  if (s.capacity < columns_) {
    s.columns = makeBuffer();
    glNamedBufferStorage(s.columns.get(), static_cast<GLsizeiptr>(columns_) * 8 * sizeof(float), nullptr, 0);
    checkGl("making the columns of a curve");
    s.capacity = columns_;
  }
  glTextureBuffer(s.view.get(), GL_RGBA32F, s.columns.get());
}

void CurveLayer::reduce(std::size_t index, const CurveSource& source, const Limits& y) {
  Slot& s = slot(index);
  const double per_unit = area_.height / (y.high - y.low);
  const double bottom = area_.top + area_.height;
  s.zero = static_cast<float>(std::clamp(bottom + y.low * per_unit, -1e6, 1e6));

  const double samples_per_x = source.count / (source.x_max - source.x_min);
  const double samples_per_pixel = samples_per_x * (area_.x.high - area_.x.low) / area_.width;
  const double left = std::clamp((area_.x.low - source.x_min) * samples_per_x, -kFarSample, kFarSample);
  const double base = std::floor(left);

  if (source.host_values) {
    const RasterCurve curve{source.host_values,
                            source.stride,
                            source.host_phases,
                            source.phase_stride,
                            source.count,
                            static_cast<int>(base),
                            static_cast<float>(left - base),
                            static_cast<float>(samples_per_pixel),
                            static_cast<float>(bottom + y.low * per_unit),
                            static_cast<float>(-per_unit),
                            static_cast<float>(kPhaseColours),
                            source.bars};
    rasterColumns(curve, columns_, scratch_);
    const GLuint columns = s.filled.fill(scratch_.data(), scratch_.size() * sizeof scratch_.front());
    glTextureBuffer(s.view.get(), GL_RGBA32F, columns);
    return;
  }
  provide(s);
  const GLuint program = programs_.reduce.get();
  glProgramUniform1i(program, 0, source.count);
  glProgramUniform2i(program, 1, source.stride, source.phase_stride);
  glProgramUniform1i(program, 2, static_cast<int>(base));
  glProgramUniform2f(program, 3, static_cast<float>(left - base), static_cast<float>(samples_per_pixel));
  glProgramUniform1i(program, 4, columns_);
  glProgramUniform2f(program, 5, static_cast<float>(bottom + y.low * per_unit), static_cast<float>(-per_unit));
  glProgramUniform1f(program, 6, source.phases ? static_cast<float>(kPhaseColours) : 0.0f);
  glProgramUniform1i(program, 7, source.bars ? 1 : 0);
  glUseProgram(program);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, source.values);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, source.phases ? source.phases : source.values);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, s.columns.get());
  dispatch((static_cast<GLuint>(columns_) + kWorkGroup - 1) / kWorkGroup, 1, GL_TEXTURE_FETCH_BARRIER_BIT);
}

void CurveLayer::draw(GLuint program) {
  glUseProgram(program);
  glBindVertexArray(empty_.get());
  const int left = static_cast<int>(area_.left);
  const int groups = (left + columns_ - 1) / kDrawnGroup - left / kDrawnGroup + 1;
  glDrawArrays(GL_TRIANGLES, 0, 6 * groups);
}

void CurveLayer::fill(std::size_t index, std::optional<Colour> colour) {
  const Slot& s = slots_.at(index);
  const GLuint program = programs_.fill.get();
  glProgramUniform4f(program, 0, static_cast<float>(area_.left), static_cast<float>(area_.top),
                     static_cast<float>(area_.width), static_cast<float>(area_.height));
  setTile(program, 1, tile_);
  glProgramUniform1f(program, 2, s.zero);
  setColour(program, 3, colour.value_or(0), colour ? 1 : 0);
  glBindTextureUnit(0, s.view.get());
  glBindTextureUnit(1, wheel_.texture());
  draw(program);
}

void CurveLayer::line(std::size_t index, double width, Colour colour, LineFade stroke, double opacity) {
  const Slot& s = slots_.at(index);
  const GLuint program = programs_.line.get();
  glProgramUniform4f(program, 0, static_cast<float>(area_.left), static_cast<float>(area_.top),
                     static_cast<float>(area_.width), static_cast<float>(area_.height));
  setTile(program, 1, tile_);
  glProgramUniform1f(program, 2, static_cast<float>(width / 2));
  setColour(program, 3, colour, opacity);
  glProgramUniform1f(program, 5, s.zero);
  const bool fringes = stroke == LineFade::Fringes;
  glProgramUniform2f(program, 6, fringes ? kGentle : 2e9f, stroke == LineFade::Plain ? 0.0f : fringes ? kSteep : 3e9f);
  glBindTextureUnit(0, s.view.get());
  draw(program);
}

}  // namespace simscope::render
