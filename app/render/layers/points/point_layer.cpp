#include "app/render/layers/points/point_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sims/compute/error.h"

namespace simscope::render {
namespace {

// Bindings, locations, and numbers as in shaders/point*.
constexpr GLuint kPoints = 0, kValues = 1, kLight = 2, kLarge = 3;
constexpr GLuint kThreads = 64;
constexpr GLuint kMostGroups = 16384, kLargeGroups = 4096;

constexpr double kUnit = 1 << 18;              // of the sums: light 1
constexpr double kSurface = 8;                 // light in the middle of a disc
constexpr double kUsualRadius = 0.08;          // of a disc of size 1, were it alone, in halves of the cube's edge
constexpr double kSmallestRadius = 1.4142136;  // pixels: the disc then always covers the pixel it is in, and its edges
constexpr double kLargestRadius = 0.08;        // of the plot's shorter side
constexpr int kManyPoints = 30'000;            // more are not made larger on screens of high density
constexpr double kHalo = 0.06;                 // of the light of a disc's middle, where they are few
constexpr double kFew = 100, kMany = 3000;     // points with whole haloes, and without any
constexpr double kTrailWidth = 1.7, kTrailLight = 0.7;

struct Split {
  float whole, rest;
};
Split split(double value) {
  const auto whole = static_cast<float>(value);
  return {whole, static_cast<float>(value - whole)};
}

// The uniform `view` of the shaders. Pixels: from (left, top).
void setView(GLuint program, const Projection& projection, double left, double top) {
  for (int row = 0; row < 3; ++row) {
    const auto& axis = projection.axes()[static_cast<std::size_t>(row)];
    glProgramUniform3f(program, row, static_cast<float>(axis[0]), static_cast<float>(axis[1]),
                       static_cast<float>(axis[2]));
  }
  const Camera& camera = projection.camera();
  const Split x = split(camera.x), y = split(camera.y), z = split(camera.z);
  glProgramUniform3f(program, 3, x.whole, y.whole, z.whole);
  glProgramUniform3f(program, 4, x.rest, y.rest, z.rest);
  glProgramUniform2f(program, 5, static_cast<float>(projection.centreX() - left),
                     static_cast<float>(projection.centreY() - top));
  glProgramUniform1f(program, 6, static_cast<float>(projection.distance()));
  glProgramUniform1f(program, 7, static_cast<float>(projection.focalPixels()));
}

// The uniform `part`.
void setPart(GLuint program, GLint location, const Tile& part) {
  glProgramUniform4i(program, location, part.left, part.top, part.width, part.height);
}

// The uniforms by which values become entries of the table.
void setValues(GLuint program, const PointSource& source, const ColourRange& range) {
  const bool log = range.scale == FieldScale::Log;
  const Limits& l = range.limits;
  glProgramUniform1i(program, 13, source.values == 0 ? -1 : log ? 1 : range.scale == FieldScale::Gamma ? 2 : 0);
  glProgramUniform2f(program, 14, static_cast<float>(log ? std::log(l.low) : l.low),
                     static_cast<float>(1 / (log ? std::log(l.high / l.low) : l.high - l.low)));
}

void bindSources(const PointSource& source) {
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kPoints, source.points);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kValues, source.values == 0 ? source.points : source.values);
}

GLuint groupsFor(int count) {
  return std::min((static_cast<GLuint>(count) + kThreads - 1) / kThreads, kMostGroups);
}

void clear(GLuint buffer, GLsizeiptr bytes, GLuint value) {
  glClearNamedBufferSubData(buffer, GL_R32UI, 0, bytes, GL_RED_INTEGER, GL_UNSIGNED_INT, &value);
}

// Shaders reach no further into a buffer than the driver allows.
void checkSize(GLint64 bytes, const char* what) {
  GLint64 largest = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &largest);
  if (bytes <= largest) return;
  throw Error(
      fmt::format("{} would need {:.0f} MiB of graphics memory in one piece; this driver allows {:.0f} MiB. Choose a "
                  "smaller picture or fewer points.",
                  what, static_cast<double>(bytes) / 0x1p20, static_cast<double>(largest) / 0x1p20));
}

}  // namespace

PointPrograms::PointPrograms()
    : gather({{GL_COMPUTE_SHADER, "point.comp"}}),
      resolve({{GL_VERTEX_SHADER, "field.vert"}, {GL_FRAGMENT_SHADER, "point.frag"}}),
      trails({{GL_VERTEX_SHADER, "trail.vert"}, {GL_FRAGMENT_SHADER, "trail.frag"}}),
      pick({{GL_COMPUTE_SHADER, "point_pick.comp"}}) {}

PointLayer::PointLayer(PointPrograms& programs)
    : programs_(programs), empty_(makeVertexArray()), picked_(makeBuffer()) {
  glNamedBufferStorage(picked_.get(), 2 * sizeof(GLuint), nullptr, 0);
  checkGl("making the layer of points");
}

void PointLayer::provide(int width, int height, int count) {
  const GLsizeiptr bytes = static_cast<GLsizeiptr>(width) * height * 4 * static_cast<GLsizeiptr>(sizeof(GLuint));
  if (capacity_ < bytes) {
    checkSize(bytes, "The light of points in a plot of this size");
    sums_ = makeBuffer();
    glNamedBufferStorage(sums_.get(), bytes, nullptr, 0);
    sums_view_ = makeTexture(GL_TEXTURE_BUFFER);
    glTextureBuffer(sums_view_.get(), GL_RGBA32UI, sums_.get());
    checkGl("making room for the light of points");
    capacity_ = bytes;
  }
  if (width_ != width || height_ != height) trail_picture_.reset();
  width_ = width;
  height_ = height;
  if (!large_ || room_ < count) {
    large_ = makeBuffer();
    glNamedBufferStorage(large_.get(), (static_cast<GLsizeiptr>(count) + 1) * sizeof(GLuint), nullptr, 0);
    checkGl("making room for a list of points");
    room_ = count;
  }
}

void PointLayer::provideTable(std::span<const std::uint32_t> table, bool subtractive) {
  if (table_ && subtractive_ == subtractive && std::equal(table.begin(), table.end(), colours_.begin(), colours_.end()))
    return;
  colours_.assign(table.begin(), table.end());
  subtractive_ = subtractive;
  std::vector<float> entries;
  const auto add = [&](Colour colour) {
    for (const double c : subtractive ? absorption(colour) : emission(colour)) entries.push_back(static_cast<float>(c));
    entries.push_back(1);
  };
  for (const Colour colour : colours_) add(colour);
  add(subtractive ? subtractiveColour(kMissingColour) : kMissingColour);
  table_buffer_ = makeBuffer();
  table_ = makeTexture(GL_TEXTURE_BUFFER);
  glNamedBufferStorage(table_buffer_.get(), static_cast<GLsizeiptr>(entries.size() * sizeof(float)), entries.data(), 0);
  glTextureBuffer(table_.get(), GL_RGBA32F, table_buffer_.get());
  checkGl("making a table of light");
}

void PointLayer::gather(const PointSource& source, const Projection& projection, const PointLook& look,
                        const PlotArea& area, const Tile& tile) {
  area_ = area;
  tile_ = tile;
  part_ = partOf(area, tile);
  exposure_ = look.exposure;
  if (part_.empty()) return;
  const int width = part_.width, height = part_.height;
  checkSize(static_cast<GLint64>(source.count) * 4 * static_cast<GLint64>(sizeof(float)), "So many points");
  provide(width, height, source.count);
  provideTable(look.table, look.subtractive);
  clear(sums_.get(), static_cast<GLsizeiptr>(width) * height * 4 * static_cast<GLsizeiptr>(sizeof(GLuint)), 0);
  clear(large_.get(), sizeof(GLuint), 0);

  const GLuint program = programs_.gather.get();
  setView(program, projection, area.left, area.top);
  setValues(program, source, look.range);
  glProgramUniform1i(program, 8, source.count);
  setPart(program, 9, part_);
  const double radius = kUsualRadius * look.half_edge * std::cbrt(1.0 / std::max(source.count, 1));
  const double finest = kSmallestRadius * (source.count > kManyPoints ? 1 : std::max(look.scale, 1.0));
  glProgramUniform1f(program, 10, static_cast<float>(radius * look.point_size));
  glProgramUniform2f(program, 11, static_cast<float>(finest),
                     static_cast<float>(std::max(finest, kLargestRadius * std::min(area.width, area.height))));
  glProgramUniform1f(program, 12, static_cast<float>(kSurface * kUnit));
  const double few = std::clamp(std::log(kMany / std::max(source.count, 1)) / std::log(kMany / kFew), 0.0, 1.0);
  glProgramUniform1f(program, 16, static_cast<float>(kHalo * few));
  glUseProgram(program);
  bindSources(source);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kLight, sums_.get());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kLarge, large_.get());
  glBindTextureUnit(0, table_.get());
  glProgramUniform1i(program, 15, 0);
  dispatch(groupsFor(source.count), 1, GL_SHADER_STORAGE_BARRIER_BIT);
  glProgramUniform1i(program, 15, 1);
  dispatch(std::min(static_cast<GLuint>(source.count), kLargeGroups), 1,
           GL_SHADER_STORAGE_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);

  has_trails_ = source.trails != 0 && source.trails_count > 0 && source.trail_samples > 0;
  if (has_trails_) drawTrails(source, projection, look);
  checkGl("adding up the light of points");
}

void PointLayer::drawTrails(const PointSource& source, const Projection& projection, const PointLook& look) {
  if (!trail_picture_) {
    trail_picture_ = makeTexture(GL_TEXTURE_2D);
    glTextureStorage2D(trail_picture_.get(), 1, GL_RGBA16F, width_, height_);
    glTextureParameteri(trail_picture_.get(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(trail_picture_.get(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    trail_target_ = makeFramebuffer();
    glNamedFramebufferTexture(trail_target_.get(), GL_COLOR_ATTACHMENT0, trail_picture_.get(), 0);
    checkGl("making a picture of the trails");
  }
  const GLuint program = programs_.trails.get();
  setView(program, projection, area_.left, area_.top);
  setValues(program, source, look.range);
  glProgramUniform1i(program, 8, source.trail_samples);
  setPart(program, 9, part_);
  glProgramUniform1f(program, 10, static_cast<float>(kTrailWidth * look.scale / 2));
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, trail_target_.get());
  glViewport(0, 0, width_, height_);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  const std::array<float, 4> dark{};
  glClearNamedFramebufferfv(trail_target_.get(), GL_COLOR, 0, dark.data());
  glEnable(GL_BLEND);
  glBlendEquation(GL_MAX);
  bindSources(source);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kLarge, source.trails);
  glBindTextureUnit(0, table_.get());
  glUseProgram(program);
  glBindVertexArray(empty_.get());
  glDrawArrays(GL_TRIANGLES, 0, 6 * source.trail_samples * source.trails_count);
  glBlendEquation(GL_FUNC_ADD);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
}

void PointLayer::draw() {
  if (part_.empty()) return;
  const GLuint program = programs_.resolve.get();
  glProgramUniform4f(program, 0, static_cast<float>(area_.left), static_cast<float>(area_.top),
                     static_cast<float>(area_.width), static_cast<float>(area_.height));
  setTile(program, 1, tile_);
  setPart(program, 4, part_);
  const double gain = std::exp2(exposure_);
  glProgramUniform1f(program, 2, static_cast<float>(gain / kUnit));
  glProgramUniform1f(program, 3, has_trails_ ? static_cast<float>(gain * kTrailLight) : 0.0f);
  glProgramUniform1i(program, 5, subtractive_ ? 1 : 0);
  if (subtractive_) {
    glBlendFuncSeparate(GL_ZERO, GL_SRC_COLOR, GL_ZERO, GL_ONE);
  } else {
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  }
  if (has_trails_) glBindTextureUnit(0, trail_picture_.get());
  glBindTextureUnit(1, sums_view_.get());
  glUseProgram(program);
  glBindVertexArray(empty_.get());
  glDrawArrays(GL_TRIANGLES, 0, 6);
}

std::int64_t PointLayer::nearest(const PointSource& source, const Projection& projection, double x, double y,
                                 double reach) {
  constexpr GLuint kNone = 0xffffffff;
  clear(picked_.get(), 2 * sizeof(GLuint), kNone);
  const GLuint program = programs_.pick.get();
  setView(program, projection, 0, 0);
  glProgramUniform1i(program, 8, source.count);
  glProgramUniform2f(program, 9, static_cast<float>(x), static_cast<float>(y));
  glProgramUniform1f(program, 10, static_cast<float>(reach));
  glUseProgram(program);
  bindSources(source);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kLight, picked_.get());
  for (const int finding_index : {0, 1}) {
    glProgramUniform1i(program, 11, finding_index);
    dispatch(groupsFor(source.count), 1, GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  }
  std::array<GLuint, 2> found{};
  glGetNamedBufferSubData(picked_.get(), 0, sizeof found, found.data());
  glUseProgram(0);
  checkGl("finding the nearest point");
  return found[1] == kNone ? -1 : static_cast<std::int64_t>(found[1]);
}

std::vector<LinearLight> PointLayer::light() const {
  std::vector<GLuint> sums(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) * 4);
  glGetNamedBufferSubData(sums_.get(), 0, static_cast<GLsizeiptr>(sums.size() * sizeof(GLuint)), sums.data());
  checkGl("reading the light of points");
  std::vector<LinearLight> pixels(sums.size() / 4);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const bool beyond = (sums[4 * i + 3] >> k & 1) != 0;
      pixels[i][k] = (beyond ? 0x1p32 : static_cast<double>(sums[4 * i + k])) / kUnit;
    }
  }
  return pixels;
}

}  // namespace simscope::render
