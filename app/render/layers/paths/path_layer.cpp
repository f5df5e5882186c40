#include "app/render/layers/paths/path_layer.h"

namespace simscope::render {

PathLayer::PathLayer() : empty_(makeVertexArray()) {
  checkGl("making the layer of paths");
}

void PathLayer::draw(const PathSource& source, const PlotArea& area, const Tile& tile, Colour colour, double width,
                     Colour edge, double edge_width) {
  if (source.samples < 2 || source.count < 1) return;
  const GLuint program = program_.get();
  setTile(program, 0, tile);
  glProgramUniform4f(program, 1, static_cast<float>(area.x.low), static_cast<float>(1 / (area.x.high - area.x.low)),
                     static_cast<float>(area.y.low), static_cast<float>(1 / (area.y.high - area.y.low)));
  glProgramUniform4f(program, 2, static_cast<float>(area.left), static_cast<float>(area.top),
                     static_cast<float>(area.width), static_cast<float>(area.height));
  glProgramUniform2i(program, 3, source.samples, source.components);
  glUseProgram(program);
  glBindVertexArray(empty_.get());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, source.places);
  const auto stroke = [&](double full_width, Colour in) {
    glProgramUniform1f(program, 4, static_cast<float>(full_width / 2));
    setColour(program, 5, in);
    glDrawArraysInstanced(GL_TRIANGLES, 0, 6, (source.samples - 1) * source.count);
  };
  if (edge_width > 0) stroke(width + 2 * edge_width, edge);
  stroke(width, colour);
}

}  // namespace simscope::render
