#include "app/render/figure/canvas.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "app/render/figure/fonts.h"
#include "app/render/figure/plain_text.h"
#include "app/render/gl/gl_objects.h"
#include "app/render/gl/shader.h"
#include "app/render/gl/stream_buffer.h"
#include "sims/compute/error.h"

namespace simscope::render {
namespace {

// Makes a context current for a scope and the previous one afterwards.
class ContextScope {
 public:
  explicit ContextScope(ImGuiContext* context) : before_(ImGui::GetCurrentContext()) {
    ImGui::SetCurrentContext(context);
  }
  ~ContextScope() { ImGui::SetCurrentContext(before_); }
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

 private:
  ImGuiContext* before_;
};

ImU32 packed(Colour colour, double opacity = 1) {
  return IM_COL32((colour >> 16) & 0xff, (colour >> 8) & 0xff, colour & 0xff, std::lround(255 * opacity));
}

ImVec2 point(double x, double y) {
  return {static_cast<float>(x), static_cast<float>(y)};
}

// What a font was rasterised at; from 1.92 on Dear ImGui keeps several sizes of one.
#if IMGUI_VERSION_NUM >= 19200
float rasterisedSize(const ImFont& font) {
  return font.LegacySize;
}
float rasterisedAscent(ImFont& font) {
  return font.GetFontBaked(font.LegacySize)->Ascent;
}
bool hasGlyph(ImFont& font, char32_t character) {
  return font.IsGlyphInFont(static_cast<ImWchar>(character));
}
#else
float rasterisedSize(const ImFont& font) {
  return font.FontSize;
}
float rasterisedAscent(ImFont& font) {
  return font.Ascent;
}
bool hasGlyph(ImFont& font, char32_t character) {
  return font.FindGlyphNoFallback(static_cast<ImWchar>(character)) != nullptr;
}
#endif

std::string legible(ImFont& font, const std::string& text) {
  const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii) return text;
  return plainText(text, [&](char32_t c) { return c < 0x80 || (c <= IM_UNICODE_CODEPOINT_MAX && hasGlyph(font, c)); });
}

// Letters larger than these are drawn from these: the glyphs of one more size would take too much memory.
constexpr double kLargestLetters = 8;  // as a scale

}  // namespace

struct Canvas::Impl {
  ImGuiContext* context = nullptr;
  Program program{{{GL_VERTEX_SHADER, "paint.vert"}, {GL_FRAGMENT_SHADER, "paint.frag"}}};
  std::array<StreamBuffer, 2> vertices, indices;  // of each layer, so that neither waits for the other
  GlVertexArray layout = makeVertexArray();
  GlTexture atlas;
  std::array<ImFont*, 3> fonts{};
  std::array<ImDrawList*, 2> lists{};
  std::vector<Written> written;
  double wanted = 0, letters = 0;  // scale at which the glyphs are rasterised
  double enlarged = 1;             // at which they are drawn, beyond that
  double times = 1;                // drawn pixels a pixel
  bool in_frame = false;

  Impl() {
    const ContextScope scope(nullptr);
    context = ImGui::CreateContext();
    ImGui::SetCurrentContext(context);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;

    const auto attribute = [this](GLuint index, GLint size, GLenum type, GLboolean normalised, std::size_t offset) {
      glEnableVertexArrayAttrib(layout.get(), index);
      glVertexArrayAttribFormat(layout.get(), index, size, type, normalised, static_cast<GLuint>(offset));
      glVertexArrayAttribBinding(layout.get(), index, 0);
    };
    attribute(0, 2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, pos));
    attribute(1, 2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, uv));
    attribute(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(ImDrawVert, col));
  }

  ~Impl() {
    const ContextScope scope(context == ImGui::GetCurrentContext() ? nullptr : ImGui::GetCurrentContext());
    ImGui::DestroyContext(context);
  }

  // Needs the own context current. The library does not look whether there was memory.
  void makeFonts(double new_scale) {
    ImGui::SetAllocatorFunctions(
        [](std::size_t bytes, void*) {
          void* const memory = std::malloc(bytes);
          if (!memory) throw std::bad_alloc();
          return memory;
        },
        [](void* memory, void*) { std::free(memory); });
    ImFontAtlas& fonts_of = *ImGui::GetIO().Fonts;
    fonts_of.Clear();
    fonts_of.Flags |= ImFontAtlasFlags_NoMouseCursors;
    const auto add = [&](FontFace face, double size) {
      ImFontConfig config;
      config.OversampleH = 2;
      config.OversampleV = 1;
      config.PixelSnapH = true;
      config.SizePixels = static_cast<float>(std::round(size * new_scale));
      config.FontDataOwnedByAtlas = false;
      static const std::vector<ImWchar> ranges(kGlyphRanges.begin(), kGlyphRanges.end());
      const std::span<const unsigned char> file = fontFile(face);
      return fonts_of.AddFontFromMemoryTTF(const_cast<unsigned char*>(file.data()), static_cast<int>(file.size()),
                                           config.SizePixels, &config, ranges.data());
    };
    fonts = {add(FontFace::Regular, 14), add(FontFace::Regular, 16), add(FontFace::Bold, 19)};

    unsigned char* pixels = nullptr;
    int w = 0, h = 0;
    fonts_of.GetTexDataAsAlpha8(&pixels, &w, &h);
    if (!pixels) throw Error("The text of the figure could not be rasterised: no memory for the glyphs.");
    GLint largest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (std::max(w, h) > largest && new_scale > 1) return makeFonts(0.75 * new_scale);
    atlas = makeTexture(GL_TEXTURE_2D);
    glTextureStorage2D(atlas.get(), 1, GL_R8, w, h);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTextureSubImage2D(atlas.get(), 0, 0, 0, w, h, GL_RED, GL_UNSIGNED_BYTE, pixels);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTextureParameteri(atlas.get(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(atlas.get(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(atlas.get(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(atlas.get(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    fonts_of.ClearTexData();
    checkGl("uploading the glyphs");
    letters = new_scale;
  }

  ImFont* font(Font which) const { return fonts[static_cast<std::size_t>(which)]; }
  // Its height in drawn pixels.
  float size(const ImFont& f) const { return static_cast<float>(rasterisedSize(f) * enlarged); }
  ImVec2 drawn(double x, double y) const { return point(x * times, y * times); }
  // Letters and edges are crisp only where they start on a whole pixel.
  ImVec2 snapped(double x, double y) const { return drawn(std::round(x), std::round(y)); }
  ImDrawList& list(Layer layer) const { return *lists[static_cast<std::size_t>(layer)]; }
};

Canvas::Canvas() : impl_(std::make_unique<Impl>()) {}
Canvas::~Canvas() = default;

void Canvas::begin(int width, int height, double scale, int supersampling) {
  const ContextScope scope(impl_->context);
  if (impl_->in_frame) ImGui::EndFrame();  // a picture that an error cut short
  impl_->in_frame = false;
  const double drawn_scale = scale * supersampling, letters = std::min(drawn_scale, kLargestLetters);
  if (impl_->wanted != letters) impl_->makeFonts(letters);
  impl_->wanted = letters;
  impl_->enlarged = drawn_scale / impl_->letters;
  impl_->times = supersampling;
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = impl_->drawn(width, height);
  io.DisplayFramebufferScale = ImVec2(1, 1);
  io.DeltaTime = 1.0f / 60;
  ImGui::NewFrame();
  impl_->in_frame = true;
  impl_->written.clear();
  impl_->lists = {ImGui::GetBackgroundDrawList(), ImGui::GetForegroundDrawList()};
}

void Canvas::finish() {
  const ContextScope scope(impl_->context);
  ImGui::Render();
  impl_->in_frame = false;
}

void Canvas::paint(Layer layer, const Tile& tile) {
  const ImDrawList& list = impl_->list(layer);
  if (list.IdxBuffer.Size == 0) return;
  const GLuint layout = impl_->layout.get();
  const auto filled = [layer](std::array<StreamBuffer, 2>& buffers, const auto& elements) {
    return buffers[static_cast<std::size_t>(layer)].fill(elements.Data,
                                                         static_cast<std::size_t>(elements.size_in_bytes()));
  };
  glVertexArrayVertexBuffer(layout, 0, filled(impl_->vertices, list.VtxBuffer), 0, sizeof(ImDrawVert));
  glVertexArrayElementBuffer(layout, filled(impl_->indices, list.IdxBuffer));
  const GLuint program = impl_->program.get();
  setTile(program, 0, tile);
  glUseProgram(program);
  glBindVertexArray(layout);
  glBindTextureUnit(0, impl_->atlas.get());
  const GLenum type = sizeof(ImDrawIdx) == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT;
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.ElemCount == 0) continue;
    glDrawElementsBaseVertex(GL_TRIANGLES, static_cast<GLsizei>(command.ElemCount), type,
                             reinterpret_cast<const void*>(command.IdxOffset * sizeof(ImDrawIdx)),
                             static_cast<GLint>(command.VtxOffset));
  }
}

const std::vector<Canvas::Written>& Canvas::written() const noexcept {
  return impl_->written;
}

std::vector<std::uint8_t> Canvas::contents(Layer layer) const {
  const ImDrawList& list = impl_->list(layer);
  std::vector<std::uint8_t> bytes;
  const auto add = [&](const auto& elements) {
    const auto* first = reinterpret_cast<const std::uint8_t*>(elements.Data);
    bytes.insert(bytes.end(), first, first + elements.size_in_bytes());
  };
  add(list.VtxBuffer);
  add(list.IdxBuffer);
  return bytes;
}

double Canvas::textWidth(Font font, const std::string& text) const {
  ImFont* f = impl_->font(font);
  const std::string shown = legible(*f, text);
  const float width = f->CalcTextSizeA(impl_->size(*f), FLT_MAX, 0, shown.c_str(), shown.c_str() + shown.size()).x;
  return std::ceil(width / impl_->times);
}

double Canvas::lineHeight(Font font) const {
  return impl_->size(*impl_->font(font)) / impl_->times;
}

double Canvas::ascent(Font font) const {
  return std::round(rasterisedAscent(*impl_->font(font)) * impl_->enlarged / impl_->times);
}

std::string Canvas::elided(Font font, const std::string& text, double width) const {
  if (textWidth(font, text) <= width) return text;
  std::string cut = text;
  while (!cut.empty()) {
    // One character of UTF-8: continuation bytes are 10xxxxxx.
    while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xc0) == 0x80) cut.pop_back();
    if (!cut.empty()) cut.pop_back();
    while (!cut.empty() && cut.back() == ' ') cut.pop_back();
    if (!cut.empty() && textWidth(font, cut + "…") <= width) return cut + "…";
  }
  return {};
}

void Canvas::put(Layer layer, Font font, double x, double y, Colour colour, const std::string& text) {
  ImFont* f = impl_->font(font);
  const std::string shown = legible(*f, text);
  impl_->list(layer).AddText(f, impl_->size(*f), impl_->snapped(x, y), packed(colour), shown.c_str(),
                             shown.c_str() + shown.size());
}

void Canvas::text(Layer layer, Font font, double x, double y, Colour colour, const std::string& text) {
  if (text.empty()) return;
  put(layer, font, x, y, colour, text);
  impl_->written.push_back({text, font, x, y, x + textWidth(font, text), y + lineHeight(font)});
}

void Canvas::textUpwards(Layer layer, Font font, double x, double y, Colour colour, const std::string& text) {
  if (text.empty()) return;
  ImDrawList& list = impl_->list(layer);
  const int first = list.VtxBuffer.Size;
  put(layer, font, 0, 0, colour, text);
  const ImVec2 origin = impl_->snapped(x, y);
  for (int i = first; i < list.VtxBuffer.Size; ++i) {
    ImVec2& p = list.VtxBuffer[i].pos;
    p = ImVec2(origin.x + p.y, origin.y - p.x);
  }
  impl_->written.push_back({text, font, x, y - textWidth(font, text), x + lineHeight(font), y});
}

void Canvas::rectangle(Layer layer, double left, double top, double right, double bottom, Colour colour,
                       double opacity) {
  impl_->list(layer).AddRectFilled(impl_->snapped(left, top), impl_->snapped(right, bottom), packed(colour, opacity));
}

void Canvas::roundedBox(Layer layer, double left, double top, double right, double bottom, double radius, Colour fill,
                        Colour border, double opacity) {
  const ImVec2 a = impl_->snapped(left, top), b = impl_->snapped(right, bottom);
  const auto rounding = static_cast<float>(radius * impl_->times);
  impl_->list(layer).AddRectFilled(a, b, packed(fill, opacity), rounding);
  impl_->list(layer).AddRect(a, b, packed(border), rounding, 0, static_cast<float>(impl_->times));
}

void Canvas::line(Layer layer, double x0, double y0, double x1, double y1, double width, Colour colour) {
  impl_->list(layer).AddLine(impl_->drawn(x0, y0), impl_->drawn(x1, y1), packed(colour),
                             static_cast<float>(width * impl_->times));
}

void Canvas::disc(Layer layer, double x, double y, double radius, Colour colour) {
  impl_->list(layer).AddCircleFilled(impl_->drawn(x, y), static_cast<float>(radius * impl_->times), packed(colour), 24);
}

}  // namespace simscope::render
