#include "app/gui/window/window_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "backends/imgui_impl_opengl3.h"

namespace simscope::gui {

namespace {

constexpr int kQuad = 6;  // indices: a b c, a c d
constexpr ImU32 kOpaque = IM_COL32_A_MASK;

bool isQuad(const ImDrawIdx* i) {
  return i[0] == i[3] && i[2] == i[4];
}

void setLists(ImDrawData& data, std::vector<ImDrawList*>& lists) {
  // An array before Dear ImGui 1.89.8, a vector since.
  const auto set = [&](auto& held) {
    if constexpr (requires { held.resize(1); }) {
      held.resize(static_cast<int>(lists.size()));
      std::copy(lists.begin(), lists.end(), held.begin());
    } else {
      held = lists.data();
    }
  };
  set(data.CmdLists);
  data.CmdListsCount = static_cast<int>(lists.size());
}

}  // namespace

void WindowPicture::provide(int width, int height) {
  if (texture_ && width == width_ && height == height_) return;
  render::GlTexture texture = render::makeTexture(GL_TEXTURE_2D);
  glTextureParameteri(texture.get(), GL_TEXTURE_MAX_LEVEL, 0);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
    glTextureParameteri(texture.get(), filter, GL_NEAREST);
  }
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
    glTextureParameteri(texture.get(), wrap, GL_CLAMP_TO_EDGE);
  }
  // The order of a window's bytes, which a plain texture lookup brings there. Measured with Mesa's rasteriser at
  // 1440×900, in processor time a frame: 4 ms, beside 6 for glBlitFramebuffer from RGBA and 14 from BGRA.
  glBindTexture(GL_TEXTURE_2D, texture.get());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, nullptr);
  glBindTexture(GL_TEXTURE_2D, 0);
  render::GlFramebuffer framebuffer = render::makeFramebuffer();
  glNamedFramebufferTexture(framebuffer.get(), GL_COLOR_ATTACHMENT0, texture.get(), 0);
  render::checkGl("making the window's picture");
  texture_ = std::move(texture);
  framebuffer_ = std::move(framebuffer);
  if (!figure_framebuffer_) figure_framebuffer_ = render::makeFramebuffer();
  width_ = width;
  height_ = height;
}

void WindowPicture::copyFigure(const ImDrawList*, const ImDrawCmd* command) {
  const Copy& copy = *static_cast<const Copy*>(command->UserCallbackData);
  const WindowPicture& self = *copy.picture;
  const PixelRect& to = copy.pixels;
  // Both pictures have their bottom row first.
  const int left = to.left - copy.from.left, right = to.right - copy.from.left;
  const int bottom = copy.from.bottom - to.bottom, top = copy.from.bottom - to.top;
  glScissor(to.left, self.height_ - to.bottom, to.right - to.left, to.bottom - to.top);
  glBlitNamedFramebuffer(self.figure_framebuffer_.get(), self.framebuffer_.get(), left, bottom, right, top, to.left,
                         self.height_ - to.bottom, to.right, self.height_ - to.top, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

// Where the figure's pixels are the window's; empty: elsewhere.
PixelRect WindowPicture::figurePlace(const PixelGrid& grid, const ImDrawCmd& command, const ImDrawVert* vertices,
                                     const ImDrawIdx* i) const {
  if (figure_.texture == 0 || command.GetTexID() != (ImTextureID)(intptr_t)figure_.texture) return {};
  const ImDrawVert &a = vertices[i[0]], &b = vertices[i[1]], &c = vertices[i[2]], &d = vertices[i[5]];
  const PixelRect place = grid.quad(a, b, c, d);
  const bool upright = a.uv.x == 0 && a.uv.y == 1 && c.uv.x == 1 && c.uv.y == 0;
  if (!upright || (a.col & c.col) != IM_COL32_WHITE) return {};
  GLint width = 0, height = 0;
  glGetTextureLevelParameteriv(figure_.texture, 0, GL_TEXTURE_WIDTH, &width);
  glGetTextureLevelParameteriv(figure_.texture, 0, GL_TEXTURE_HEIGHT, &height);
  return place.right - place.left == width && place.bottom - place.top == height ? place : PixelRect{};
}

bool WindowPicture::opaque(const ImDrawCmd& command, const ImDrawVert& a, const ImDrawVert& c) const {
  if ((a.col & c.col & kOpaque) != kOpaque) return false;
  if (figure_.texture != 0 && command.GetTexID() == (ImTextureID)(intptr_t)figure_.texture) return true;
  const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
  const auto isWhite = [&](const ImVec2& uv) { return uv.x == white.x && uv.y == white.y; };
  return command.GetTexID() == ImGui::GetIO().Fonts->TexID && isWhite(a.uv) && isWhite(c.uv);
}

void WindowPicture::collect(const ImDrawData& data, const PixelGrid& grid, Pass& pass, int list, int command) {
  const ImDrawList& source = *data.CmdLists[list];
  const ImDrawCmd& from = source.CmdBuffer[command];
  const PixelRect clip = intersection(grid.clip(from), pass.pixels);
  if (clip.empty()) return;
  const ImDrawVert* vertices = source.VtxBuffer.Data + from.VtxOffset;
  const ImDrawIdx* indices = source.IdxBuffer.Data + from.IdxOffset;
  for (unsigned i = 0; i + 2 < from.ElemCount;) {
    const ImDrawVert &a = vertices[indices[i]], &b = vertices[indices[i + 1]], &c = vertices[indices[i + 2]];
    const bool quad = i + kQuad <= from.ElemCount && isQuad(indices + i);
    const unsigned count = quad ? kQuad : 3;
    PixelRect bounds = grid.bounds(a, b, c);
    if (quad) {
      const ImDrawVert& d = vertices[indices[i + 5]];
      bounds = unionOf(bounds, grid.bounds(a, c, d));
      // What it covers need not be drawn.
      if (clip == pass.pixels && grid.quad(a, b, c, d).covers(pass.pixels) && opaque(from, a, c)) {
        pass.runs.clear();
        pass.covered = true;
      }
    }
    if (!intersection(bounds, clip).empty()) {
      Run* last = pass.runs.empty() ? nullptr : &pass.runs.back();
      if (last && last->list == list && last->command == command && last->first + last->count == i) {
        last->count += count;
      } else {
        pass.runs.push_back({list, command, i, count});
      }
    }
    i += count;
  }
}

void WindowPicture::plan(const ImDrawData& data, const PixelGrid& grid) {
  for (Pass& pass : passes_) {
    for (int list = 0; list < data.CmdListsCount; ++list) {
      for (int command = 0; command < data.CmdLists[list]->CmdBuffer.Size; ++command) {
        collect(data, grid, pass, list, command);
      }
    }
  }
}

// The lists, cut to the passes, through the backend.
void WindowPicture::paint(const ImDrawData& data, const PixelGrid& grid) {
  std::vector<ImDrawList*> cut;
  copies_.clear();
  for (int list = 0; list < data.CmdListsCount; ++list) {
    const ImDrawList& source = *data.CmdLists[list];
    const std::size_t index = cut.size();
    if (index == lists_.size()) lists_.push_back(std::make_unique<ImDrawList>(ImGui::GetDrawListSharedData()));
    ImDrawList& target = *lists_[index];
    target.CmdBuffer.resize(0);
    target.IdxBuffer.resize(0);
    for (const Pass& pass : passes_) {
      const ImDrawCmd* open = nullptr;  // the command that the last one was cut from
      for (const Run& run : pass.runs) {
        if (run.list != list) continue;
        const ImDrawCmd& from = source.CmdBuffer[run.command];
        const ImDrawIdx* indices = source.IdxBuffer.Data + from.IdxOffset + run.first;
        const PixelRect clip = intersection(grid.clip(from), pass.pixels);
        if (run.count == kQuad && isQuad(indices)) {
          const PixelRect place = figurePlace(grid, from, source.VtxBuffer.Data + from.VtxOffset, indices);
          const PixelRect shown = intersection(place, clip);
          if (!place.empty() && shown.empty()) continue;
          if (!place.empty()) {
            copies_.push_back(std::make_unique<Copy>(Copy{this, place, shown}));
            ImDrawCmd copy = from;
            copy.ElemCount = 0;
            copy.UserCallback = copyFigure;
            copy.UserCallbackData = copies_.back().get();
            target.CmdBuffer.push_back(copy);
            open = nullptr;
            continue;
          }
        }
        if (open != &from) {
          ImDrawCmd command = from;
          command.ClipRect = grid.clipOf(clip);
          command.IdxOffset = static_cast<unsigned>(target.IdxBuffer.Size);
          command.ElemCount = 0;
          target.CmdBuffer.push_back(command);
          open = &from;
        }
        const int at = target.IdxBuffer.Size;
        target.IdxBuffer.resize(at + static_cast<int>(run.count));
        std::copy_n(indices, run.count, target.IdxBuffer.Data + at);
        target.CmdBuffer.back().ElemCount += run.count;
      }
    }
    if (target.CmdBuffer.empty()) continue;
    target.VtxBuffer.resize(source.VtxBuffer.Size);
    std::copy_n(source.VtxBuffer.Data, source.VtxBuffer.Size, target.VtxBuffer.Data);
    cut.push_back(&target);
  }
  ImDrawData shown = data;
  setLists(shown, cut);
  ImGui_ImplOpenGL3_RenderDrawData(&shown);
}

void WindowPicture::compose(const ImDrawData& data, const ImVec4& background, const Figure& figure) {
  const PixelGrid grid(data);
  if (grid.whole().empty()) return;
  if (!texture_ || width_ != grid.width() || height_ != grid.height()) changes_.forget();
  provide(grid.width(), grid.height());
  figure_ = figure;
  const ImTextureID redrawn = figure.redrawn ? (ImTextureID)(intptr_t)figure.texture : ImTextureID{};
  const PixelRegion& changed = changes_.find(data, redrawn);
  passes_.clear();
  for (const PixelRect& each : changed.rectangles()) passes_.push_back({each, {}, false});
  plan(data, grid);
  if (figure.texture != 0) {
    glNamedFramebufferTexture(figure_framebuffer_.get(), GL_COLOR_ATTACHMENT0, figure.texture, 0);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
  glViewport(0, 0, width_, height_);
  glEnable(GL_SCISSOR_TEST);
  glClearColor(background.x, background.y, background.z, 1);
  for (const Pass& pass : passes_) {
    if (pass.covered) continue;
    glScissor(pass.pixels.left, height_ - pass.pixels.bottom, pass.pixels.right - pass.pixels.left,
              pass.pixels.bottom - pass.pixels.top);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  if (!passes_.empty()) paint(data, grid);
  glDisable(GL_SCISSOR_TEST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void WindowPicture::show() {
  if (!texture_) return;
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, width_, height_);
  glDisable(GL_BLEND);
  glUseProgram(program_.get());
  glBindVertexArray(empty_.get());
  glBindTextureUnit(0, texture_.get());
  glDrawArrays(GL_TRIANGLES, 0, 6);
  glBindVertexArray(0);
  glUseProgram(0);
}

}  // namespace simscope::gui
