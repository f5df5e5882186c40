#include "app/gui/panels/plots/plot_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <vector>

#include "app/export/files.h"
#include "app/export/png.h"
#include "app/gui/window/clipboard.h"
#include "app/render/gl/gl_objects.h"
#include "backends/imgui_impl_opengl3.h"
#include "sims/foreign/words.h"

namespace simscope::gui {

namespace {

constexpr float kPictureWidth = 960, kPictureHeight = 540;  // at a scale of 1
constexpr float kMargin = 16;

std::filesystem::path newFile(const Session& session, const Plot& plot, const char* extension) {
  std::string name = plot.key;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '-');
  const std::string base = fmt::format("{}-{}-step{}", session.scene.description->id, name, session.status.steps);
  std::filesystem::path path = base + extension;
  for (int i = 2; std::filesystem::exists(path); ++i) path = fmt::format("{}-{}{}", base, i, extension);
  return path;
}

void say(Session& session, const std::filesystem::path& file) {
  session.last_file = exporting::shownName(file).string();
  session.say(Message::Level::Info, "Wrote " + foreign::shownFile(session.last_file));
}

// Of a list, drawn by itself; RGB, top row first.
std::vector<std::uint8_t> rendered(ImDrawList& list, float ratio, float width, float height) {
  const int columns = static_cast<int>(std::lround(width * ratio)),
            rows = static_cast<int>(std::lround(height * ratio));
  const render::GlTexture texture = render::makeTexture(GL_TEXTURE_2D);
  glTextureStorage2D(texture.get(), 1, GL_RGBA8, columns, rows);
  const render::GlFramebuffer framebuffer = render::makeFramebuffer();
  glNamedFramebufferTexture(framebuffer.get(), GL_COLOR_ATTACHMENT0, texture.get(), 0);
  render::checkGl("making room for the picture of a plot");
  ImDrawList* lists[] = {&list};
  ImDrawData data;
  data.Valid = true;
#if IMGUI_VERSION_NUM >= 18980
  data.CmdLists.push_back(lists[0]);
#else
  data.CmdLists = lists;
#endif
  data.CmdListsCount = 1;
  data.TotalIdxCount = list.IdxBuffer.Size;
  data.TotalVtxCount = list.VtxBuffer.Size;
  data.DisplayPos = {0, 0};
  data.DisplaySize = {width, height};
  data.FramebufferScale = {ratio, ratio};
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.get());
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  const auto w = static_cast<std::size_t>(columns), h = static_cast<std::size_t>(rows);
  std::vector<std::uint8_t> rgba(w * h * 4), rgb(w * h * 3);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glGetTextureImage(texture.get(), 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<GLsizei>(rgba.size()), rgba.data());
  render::checkGl("reading the picture of a plot");
  for (std::size_t y = 0; y < h; ++y) {
    for (std::size_t x = 0; x < w; ++x) std::memcpy(&rgb[(y * w + x) * 3], &rgba[((h - 1 - y) * w + x) * 4], 3);
  }
  return rgb;
}

struct PlotPicture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

PlotPicture drawnPicture(const Ui& ui, const Plot& plot, const PlotZoom& zoom) {
  const float width = std::round(ui.px(kPictureWidth)), height = std::round(ui.px(kPictureHeight));
  ImDrawList list(ImGui::GetDrawListSharedData());
  list._ResetForNewFrame();
  list.PushTextureID(ImGui::GetIO().Fonts->TexID);
  list.PushClipRect({0, 0}, {width, height});
  list.AddRectFilled({0, 0}, {width, height}, toU32(ui.colours().panel));
  const float margin = ui.px(kMargin);
  drawPlot(ui, list, plot, zoom, {margin, margin, width - 2 * margin, height - 2 * margin}, 0, std::nullopt);
  return {static_cast<int>(std::lround(width * ui.pixel_ratio)), static_cast<int>(std::lround(height * ui.pixel_ratio)),
          rendered(list, ui.pixel_ratio, width, height)};
}

}  // namespace

void savePlotPicture(Session& session, const Ui& ui, const Plot& plot, const PlotZoom& zoom) {
  try {
    const PlotPicture picture = drawnPicture(ui, plot, zoom);
    const std::filesystem::path file = newFile(session, plot, ".png");
    exporting::writePng(file, picture.width, picture.height, picture.rgb, "", false);
    say(session, file);
  } catch (const std::exception& error) {
    session.say(Message::Level::Error, error.what());
  }
}

void copyPlotPicture(Session& session, const Ui& ui, const Plot& plot, const PlotZoom& zoom) {
  if (!ui.clipboard) return;
  try {
    ui.clipboard->copyPicture(
        "the plot \"" + plot.title + "\"", newFile(session, plot, ".png"),
        [made = drawnPicture(ui, plot, zoom)] { return exporting::encodedPng(made.width, made.height, made.rgb, ""); });
  } catch (const std::exception& error) {
    session.say(Message::Level::Error, error.what());
  }
}

void savePlotTable(Session& session, const Plot& plot, const PlotZoom& zoom) {
  try {
    const std::filesystem::path file = newFile(session, plot, ".csv");
    exporting::writeText(file, tableText(plot, zoom), false);
    say(session, file);
  } catch (const std::exception& error) {
    session.say(Message::Level::Error, error.what());
  }
}

void copyPlotTable(Session& session, const Plot& plot, const PlotZoom& zoom) {
  ImGui::SetClipboardText(tableText(plot, zoom).c_str());
  session.say(Message::Level::Info, "Copied the values of \"" + plot.title + "\" as CSV");
}

}  // namespace simscope::gui
