#include "app/gui/window/state_file.h"

#include <imgui.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/render/figure/theme.h"
#include "app/session/past_range.h"
#include "app/session/recording.h"
#include "app/session/tool_views.h"

namespace simscope::gui {

namespace {

using nlohmann::json;

json onScreen(const Rect& place, const WindowState& window) {
  const auto whole = [](float v) { return static_cast<int>(std::lround(v)); };
  return {window.x + whole(place.x), window.y + whole(place.y), whole(place.width), whole(place.height)};
}

json number(double value) {
  return std::isfinite(value) ? json(value) : json(nullptr);
}

}  // namespace

void StateFile::write(double now, const Session& session, const Ui& ui, const WindowState& window) {
  written_ = now;
  const RunnerStatus& status = session.status;
  json document;
  document["written"] = now;
  document["simulation"] = session.scene.description->id;
  document["preset"] = session.scene.preset;
  document["steps"] = status.steps;
  document["time"] = number(status.time);
  document["epoch"] = status.epoch;
  document["frame"] = status.frame;
  document["playing"] = status.playing;
  document["replay"] = session.replaying() != nullptr;
  document["work"] = workText(status);
  document["pictures"] = ImGui::GetFrameCount();
  document["past"] = {{"in", session.inPast()},        {"first", status.past.first}, {"last", status.past.last},
                      {"states", status.past.states},  {"bytes", status.past.bytes}, {"budget", status.past.budget},
                      {"chosen", session.pastMemory()}};
  document["speed"] = session.speed();
  document["steps_per_second"] = status.steps_per_second;
  document["host_bytes_per_frame"] = status.host_bytes_per_frame;
  document["method"] = status.method;
  document["stopped"] = status.stopped;
  document["at_end"] = status.at_end;
  document["device"] = status.device.id;
  document["steps_per_frame"] = session.pace.steps_per_frame;
  document["frames_drawn"] = session.frames_drawn;
  document["drawn_sequence"] = session.frame ? session.frame->sequence : 0;
  document["last_file"] = session.last_file;
  for (std::size_t i = 0; i < status.parameters.size(); ++i) {
    document["parameters"][status.parameters.infos()[i].key] = toText(status.parameters[i]);
  }
  document["keyframes"] = json::object();
  for (const Track& track : session.scene.timeline.tracks) {
    for (const Keyframe& each : track.keyframes) {
      json point = {each.time, each.value};
      if (each.easing == Easing::Smooth) point.push_back("smooth");
      document["keyframes"][track.key].push_back(point);
    }
  }
  if (status.description) {
    for (std::size_t i = 0; i < status.diagnostics.size(); ++i) {
      document["diagnostics"][status.description->diagnostics[i].key] = number(status.diagnostics[i]);
    }
  }
  // What the user asked for; keyframes move the run's parameters from there.
  for (std::size_t i = 0; i < session.scene.parameters.size(); ++i) {
    document["scene_parameters"][session.scene.parameters.infos()[i].key] = toText(session.scene.parameters[i]);
  }
  document["file"] = session.file().string();
  document["unsaved"] = session.unsaved();
  const auto label = [](const std::string* text) { return text ? json(*text) : json(nullptr); };
  document["undo"] = label(session.undoLabel());
  document["redo"] = label(session.redoLabel());
  document["undo_depth"] = session.undoDepth();
  document["strokes"] = session.scene.timeline.strokes.size();
  document["tracks"] = session.scene.timeline.tracks.size();
  document["seed"] = session.scene.seed;
  document["devices"] = json::array();
  for (const compute::DeviceInfo& each : session.offeredDevices()) document["devices"].push_back(each.id);
  static constexpr const char* kThemes[] = {"dark", "light", "slides", "print"};
  document["theme"] = kThemes[static_cast<int>(session.scene.figure.theme)];
  const render::Colour background = render::themeColours(session.scene.figure.theme).background;
  document["background"] = {background >> 16 & 255, background >> 8 & 255, background & 255};
  document["findings"] = json::array();
  for (const Finding& finding : status.findings) document["findings"].push_back(finding.code);
  document["messages"] = json::array();
  for (const Message& message : session.messages) document["messages"].push_back(message.text);

  document["window"] = {window.x, window.y, window.width, window.height};
  document["focused"] = window.focused;
  document["scale"] = ui.scale;
  document["full_screen"] = window.full_screen;
  document["minimised"] = window.minimised;
  document["presenting"] = ui.presenting;
  document["hits"] = window.hits;
  document["focus"] = ui.focus.shown() ? ui.focus.name() : "";
  document["figure"] = onScreen(window.figure, window);
  document["figure_size"] = {window.figure_width, window.figure_height};
  document["plot"] = onScreen(window.plot, window);
  document["typing"] = window.typing;
  document["typing_anywhere"] = window.typing_anywhere;
  document["asking"] = window.asking;
  document["refused"] = window.refused;
  document["numbers"] = window.numbers;
  document["waiting"] = window.waiting;
  document["tool"] = {{"taken", window.tool},        {"radius", window.tool_radius},
                      {"shape", window.shape},       {"awaited", window.awaits_stroke},
                      {"stroking", window.stroking}, {"gesture", window.gesture}};
  document["gallery"] = {{"shown", window.gallery.shown},
                         {"attract", window.gallery.attract},
                         {"query", window.gallery.query},
                         {"chosen", window.gallery.chosen},
                         {"live", window.gallery.live},
                         {"large", window.gallery.shown_large},
                         {"cards", window.gallery.cards},
                         {"done", window.gallery.done},
                         {"live_frames", window.gallery.live_frames}};
  document["lab"] = {{"shown", window.lab.shown},
                     {"measuring", window.lab.measuring},
                     {"lesson", window.lab.lesson},
                     {"beside", window.lab.beside},
                     {"failure", window.lab.failure},
                     {"done", window.lab.done},
                     {"wanted", window.lab.wanted},
                     {"rows", window.lab.rows},
                     {"cells", window.lab.cells},
                     {"measured", window.lab.measured},
                     {"finding", window.lab.finding},
                     {"said", window.lab.said},
                     {"knobs", window.lab.knobs},
                     {"live",
                      {{"shown", window.lab.live.shown},
                       {"transforms", window.lab.live.transforms},
                       {"steps", window.lab.live.steps},
                       {"failure", window.lab.live.failure}}}};
  document["pressed"] = window.pressed;
  const ImVec2 mouse = ImGui::GetIO().MousePos;  // as the last picture has it
  document["mouse"] = ImGui::IsMousePosValid(&mouse) ? onScreen({mouse.x, mouse.y, 0, 0}, window) : json(nullptr);
  document["body"] = window.body;
  if (window.edited) {
    document["edited"] = {{"object", window.edited->edit().number()},
                          {"dragging", window.edited->dragging()},
                          {"refused", window.edited->refusal()},
                          {"values", json::object()}};
    for (const ObjectEdit::Known& each : window.edited->edit().values()) {
      if (!each.value) continue;
      const std::size_t components = each.tool->edit.vector ? 3 : 1;
      for (std::size_t k = 0; k < components; ++k) {
        document["edited"]["values"][each.tool->key].push_back(number((*each.value)[k]));
      }
    }
  }
  const render::FigureOptions& figure = session.scene.figure;
  document["view"] = session.scene.description->view(figure.view).key;
  if (const auto& camera = figure.camera) {
    document["camera"] = {{"azimuth", camera->azimuth},
                          {"elevation", camera->elevation},
                          {"zoom", camera->zoom},
                          {"target", {camera->x, camera->y, camera->z}}};
  } else {
    document["camera"] = nullptr;
  }
  document["colormap"] = figure.colormap;
  document["follow"] = figure.follow;
  document["arrows"] = figure.arrows;
  document["exposure"] = figure.exposure;
  document["point_size"] = figure.point_size;
  document["shown"] = figure.shown;
  document["panels"] = json::array();
  for (const auto& [view, place] : window.panels) {
    document["panels"].push_back({{"view", view}, {"plot", onScreen(place, window)}});
  }
  document["marks"] = json::object();
  for (const FieldMark& mark : session.scene.marks) {
    json& entry = document["marks"][nameOf(mark)];
    entry = {{"view", mark.view}, {"at", {mark.x, mark.y}}, {"to", {mark.to_x, mark.to_y}}};
    const FieldReadings::Reading* reading = window.readings ? window.readings->find(mark) : nullptr;
    if (!reading) continue;
    entry["now"] = number(reading->now);
    entry["samples"] = reading->over_time.times().size();
    entry["cut"] = json::array();
    for (const double value : reading->values) entry["cut"].push_back(number(value));
  }
  document["measuring"] = window.measuring;
  document["plots"] = json::object();
  for (const PlotsPanel::Report& plot : window.plots) {
    const auto range = [](const std::optional<PlotRange>& r) { return r ? json{r->low, r->high} : json(nullptr); };
    document["plots"][plot.key] = {{"x", range(plot.zoom.x)},  {"y", range(plot.zoom.y)},    {"log_x", plot.zoom.log_x},
                                   {"log_y", plot.zoom.log_y}, {"hidden", plot.zoom.hidden}, {"series", plot.series},
                                   {"window", plot.window}};
  }
  document["comparison"] = {{"running", window.comparison.running}, {"times", json::array()}};
  for (const StepTime& each : window.comparison.times) {
    document["comparison"]["times"].push_back({{"device", deviceName(each.device)},
                                               {"step_us", number(each.step_us)},
                                               {"steps", each.batch_steps},
                                               {"failure", each.failure}});
  }
  const SweepReport& sweep = window.sweep;
  document["sweep"] = {{"running", sweep.running},   {"runs", sweep.runs},     {"done", sweep.done},
                       {"pictures", sweep.pictures}, {"made", sweep.made},     {"measure", sweep.measure},
                       {"failure", sweep.failure},   {"errors", sweep.errors}, {"measured", json::array()},
                       {"figures", sweep.figures},   {"chosen", sweep.chosen}};
  for (const double value : sweep.measured) document["sweep"]["measured"].push_back(number(value));
  document["pokes"] = session.pokes;
  document["dialogs"] = ui.popups;
  document["cut"] = cutTexts();
  const auto limits = [](const std::optional<render::Limits>& l) { return l ? json{l->low, l->high} : json(nullptr); };
  document["x"] = limits(session.scene.figure.x);
  document["y"] = limits(session.scene.figure.y);
  document["controls"] = json::object();
  for (const auto& [name, place] : ui.probes) document["controls"][name] = onScreen(place, window);
  if (const Recording* recording = session.recorder()) {
    document["recording"] = {{"file", recording->settings().file.string()},
                             {"drawn", recording->drawn()},
                             {"frames", recording->settings().frames},
                             {"bytes", recording->progress().bytes}};
  } else {
    document["recording"] = nullptr;
  }

  const std::string temporary = path_ + ".new";
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file << document.dump(1, ' ', false, json::error_handler_t::replace) << '\n';
    if (!file.flush()) return;
  }
  std::rename(temporary.c_str(), path_.c_str());
}

}  // namespace simscope::gui
