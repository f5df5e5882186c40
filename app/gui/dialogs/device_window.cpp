#include "app/gui/dialogs/device_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/widgets/prose.h"

namespace simscope::gui {

namespace {

constexpr float kDeviceWidth = 480, kNameWidth = 168;

void row(Ui& ui, const char* name, const std::string& value, const std::string& help) {
  const float origin = ImGui::GetCursorPosX(), right = origin + ImGui::GetContentRegionAvail().x;
  ImGui::TextColored(ui.colours().dim, "%s", name);
  tooltip(ui, help);
  ImGui::SameLine();
  ImGui::SetCursorPosX(origin + std::min(ui.px(kNameWidth), 0.42f * (right - origin)));
  const ScopedWrap wrap(right);
  wrappedText(value);
  ui.mark(std::string("device_row:") + name);
  tooltip(ui, value + "\n" + help);
}

// A bar that is filled to `share`.
void bar(Ui& ui, double share, const ImVec4& colour) {
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(6);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, height});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + width, at.y + height}, toU32(ui.colours().raised), height / 2);
  const float filled = width * static_cast<float>(std::clamp(share, 0.0, 1.0));
  if (filled > 1) list.AddRectFilled(at, {at.x + filled, at.y + height}, toU32(colour), height / 2);
}

std::string perSecond(double value, const std::string& unit) {
  const char* const prefixes[] = {"", "k", "M", "G", "T", "P"};
  int prefix = 0;
  while (value >= 1000 && prefix < 5) {
    value /= 1000;
    ++prefix;
  }
  return fmt::format("{:.3g} {}{}", value, prefixes[prefix], unit);
}

void small(Ui& ui, const std::string& text) {
  const ScopedFont font(ui.fonts.small);
  drawProse(ui, text, ImGui::GetContentRegionAvail().x, ui.colours().dim);
}

}  // namespace

void DeviceWindow::draw(Session& session, Ui& ui, const render::Figure& figure) {
  costs_.note(session.status);
  compareByItself(session);
  if (session.frame) transfers_.note(figure.transfer(), session.frame->sequence);
  if (!shown_) return;
  ui.popups.emplace_back("device");
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const ImVec2 most(screen.x * 0.96f, screen.y - ui.px(42));  // above the status line, its title on the screen
  const float width = std::min(ui.px(kDeviceWidth), most.x);
  ImGui::SetNextWindowPos({ui.px(6), screen.y - ui.px(36)}, ImGuiCond_Appearing, {0, 1});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, most.y});
  if (ImGui::Begin(
          "Device", &shown_,
          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
    const ScopedStyle spacing(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(4)});
    drawDevices(session, ui);
    drawTogether(session, ui);
    drawStep(session, ui);
    drawLimit(session, ui);
    drawTransfer(session, ui, figure);
    drawMemory(session, ui, figure);
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    if (ui.probing) ui.probes["device_window"] = {at.x, at.y, size.x, size.y};
  }
  ImGui::End();
}

void DeviceWindow::drawDevices(Session& session, Ui& ui) {
  heading(ui, "Devices");
  for (const compute::DeviceInfo& each : session.offeredDevices()) {
    const ScopedDisabled recording(session.recording());
    const bool now = each.id == session.status.device.id;
    const DeviceCosts::Cost* const cost = costs_.find(each.id);
    const float full = ImGui::GetContentRegionAvail().x, origin = ImGui::GetCursorPosX();
    const std::string label = now ? each.id + "  (now)" : each.id;
    if (iconButton(ui, ("use:" + each.id).c_str(), Icon::None, label.c_str(),
                   (each.name + (now ? ": used now." : ": continue here, from the same state.")).c_str(),
                   now ? Emphasis::Accent : Emphasis::Plain, ui.px(110)) &&
        !now) {
      session.setDevice(each.id);
    }
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    const float room = full - ui.px(110 + 8 + 8 + 112);
    if (room > ui.px(60)) {
      clippedText(each.name, room, ui.colours().dim);
      tooltip(ui, each.name + (each.detail.empty() ? "" : "\n" + each.detail));
      ImGui::SameLine();
    }
    ImGui::SetCursorPosX(origin + full - ui.px(112));
    ImGui::AlignTextToFramePadding();
    clippedText(cost ? microsecondsText(cost->step_us) + " a step" : "not measured", ui.px(112),
                cost ? ui.colours().text : ui.colours().dim);
    ui.mark("cost:" + each.id);
    if (cost) tooltip(ui, cost->method);
  }
  drawComparison(session, ui);
  if (session.devices.size() > 1) return;
  if (const std::string why = compute::Device::whyNoCuda(); !why.empty()) small(ui, "CUDA: " + why);
}

// Shown for a run on several devices.
void DeviceWindow::drawTogether(const Session& session, Ui& ui) {
  const RunnerStatus& run = session.status;
  if (run.device.members.empty()) return;
  heading(ui, "Together");
  for (std::size_t i = 0; i < run.device.members.size(); ++i) {
    const compute::DeviceInfo& each = run.device.members[i];
    const std::size_t bytes = i < run.memory.members.size() ? run.memory.members[i] : 0;
    row(ui, fmt::format("{}: {}", i, each.id).c_str(),
        fmt::format("{}, {}", bytesText(static_cast<double>(bytes)), each.name),
        "Memory on this device: its part of the run, copies of its neighbours' edges, and its part of the frame.");
  }
  row(ui, "Linked by", run.device.link, "The connection that carries halos, blocks, and sums between the devices.");
}

// Compares the devices without being asked: once the parameters rest for a second, and no run plays that the comparison
// would slow down.
void DeviceWindow::compareByItself(const Session& session) {
  constexpr double kStill = 1;  // second
  const RunnerStatus& run = session.status;
  const bool playing = run.playing || session.recording();
  const bool running = comparison_.state().running;
  if (running) beside_a_run_ = beside_a_run_ || run.playing;
  if (running && by_itself_ && (playing || !shown_)) comparison_.cancel();
  const bool same = run.description && run.parameters.infos().data() == settled_.infos().data() &&
                    !run.parameters.needsReset(settled_);
  if (!shown_ || playing || run.busy || !same) settled_since_ = ImGui::GetTime();
  settled_ = run.parameters;
  if (running || session.devices.size() < 2 || ImGui::GetTime() - settled_since_ < kStill) return;
  if (!run.description || comparison_.isOf(*run.description, run.parameters)) return;
  by_itself_ = true;
  beside_a_run_ = false;
  if (DeviceComparison::Order order = comparisonOf(session); order.contestants.size() > 1) {
    comparison_.start(std::move(order));
  }
}

bool DeviceWindow::poll() {
  const std::uint64_t seen = seen_news_;
  seen_news_ = comparison_.state().news;
  return seen != seen_news_;
}

void DeviceWindow::drawComparison(Session& session, Ui& ui) {
  const DeviceComparison::State now = comparison_.state();
  const bool of_this =
      session.status.description && comparison_.isOf(*session.status.description, session.status.parameters);
  const float width = ImGui::GetContentRegionAvail().x;
  std::string sentence = of_this ? comparisonText(now.times) : "";
  const bool measured = !sentence.empty();
  if (!measured) sentence = costs_.sentence();
  if (!sentence.empty()) {
    drawProse(ui, sentence, width, ui.colours().good);
    ui.mark("device_ratio");
  }
  for (const StepTime& each : of_this ? now.times : std::vector<StepTime>{}) {
    if (!each.failure.empty()) {
      drawProse(ui, fmt::format("{}: {}.", each.device.id, each.failure), width, ui.colours().warning);
      continue;
    }
    row(ui, deviceName(each.device).c_str(),
        fmt::format("{} a step, {}", microsecondsText(each.step_us), countText(each)),
        fmt::format("{}\n{}\nMeasured beside the run, from its start, with the same parameters.", each.device.name,
                    each.method));
  }
  if (measured && beside_a_run_) small(ui, "The run was playing during the measurement and used part of the devices.");
  if (now.running) {
    small(ui, fmt::format("Measuring on {} ...", now.device));
    ui.mark("comparing");
    return;
  }
  const DeviceComparison::Order order = comparisonOf(session);
  if (order.contestants.size() < 2) return;
  const bool with_gpu = session.devices.size() > 1;
  const char* const first = with_gpu ? "Compare them" : "Compare with one thread";
  const char* const label = measured ? "Measure again" : first;
  const ScopedDisabled recording(session.recording());
  if (iconButton(
          ui, "compare_devices", Icon::None, label,
          "Measures a step of this run on each of them, one after the other, beside the run. Takes about a second.")) {
    by_itself_ = beside_a_run_ = false;
    comparison_.start(order);
  }
}

void DeviceWindow::drawStep(const Session& session, Ui& ui) {
  const RunnerStatus& run = session.status;
  heading(ui, "A step");
  row(ui, "Time", microsecondsText(run.step_us), "Time for one time step on this device, smoothed.");
  row(ui, "Method", run.method, "The numerical method.");
  const double work = run.step_us > 0 ? run.throughput.work_per_step / (run.step_us * 1e-6) : 0;
  if (work > 0) row(ui, "Rate", perSecond(work, run.throughput.unit), "Work per second during a step.");
  if (session.pace.mode == Pace::Mode::StepsPerFrame) {
    row(ui, "Steps a frame", fmt::format("{}", session.pace.steps_per_frame), "As set in the pace.");
  }
  row(ui, "Launches a frame", fmt::format("{:.0f}", run.launches_per_frame),
      run.device.backend == compute::Backend::Cuda ? "Kernels that the host starts, diagnostics included. Each launch "
                                                     "costs some microseconds, even for little work."
                                                   : "Parallel loops, diagnostics included.");
  row(ui, "Diagnostics, watch",
      microsecondsText(1e3 * run.diagnostics_ms) + ", " + microsecondsText(1e3 * run.watch_ms),
      "Time for one computation of the diagnostics, and for one search for NaN. Together they use at most a tenth of "
      "the time.");
  row(ui, "Host transfers", bytesText(run.host_bytes_per_frame) + " a frame",
      "Data that the simulation moves between the device and the host: mostly its diagnostics.");
}

void DeviceWindow::drawLimit(Session& session, Ui& ui) {
  const RunnerStatus& run = session.status;
  heading(ui, "The machine's limit");
  const bool has_limit = run.throughput.bytes_per_step > 0 || run.throughput.lane_operations_per_step > 0;
  if (!has_limit) {
    small(ui, "A step stays on the chip, so neither memory nor arithmetic gives a limit.");
    return;
  }
  if (!run.limit) {
    small(ui, "Measures the time to move a step's bytes, or to execute its instructions, alone.");
    const ScopedDisabled recording(session.recording());
    if (iconButton(ui, "measure_limit", Icon::None, "Measure", "The run stops for a moment."))
      session.runner().measureLimit();
    return;
  }
  const std::optional<double> limit = run.limit->us(run.throughput);
  if (!limit) return;
  const bool arithmetic = run.limit->byArithmetic(run.throughput);
  const std::string what = arithmetic ? perSecond(run.limit->lane_operations_per_second, "instructions/s")
                                      : perSecond(run.limit->copy_bytes_per_second, "B/s");
  row(ui, arithmetic ? "Arithmetic" : "Memory", fmt::format("{} a step at {}", microsecondsText(*limit), what),
      arithmetic ? "A step's instructions at the measured rate of multiply-adds."
                 : "A step's bytes at the measured rate of copying memory.");
  const double share = run.step_us > 0 ? *limit / run.step_us : 0;
  row(ui, "Reached", fmt::format("{:.0f} % of it", 100 * share),
      "The limit's time divided by the step's time. Above 100 %: caches help, or another limit applies.");
  ui.mark("limit_share");
  bar(ui, share, share > 0.5 ? ui.colours().good : ui.colours().warning);
}

void DeviceWindow::drawTransfer(const Session& session, Ui& ui, const render::Figure& figure) {
  const render::TransferReport& report = figure.transfer();
  heading(ui, "From the device to the picture");
  row(ui, "Way", report.text, "How the frame's data reaches OpenGL.");
  const bool cuda = session.status.device.backend == compute::Backend::Cuda;
  const TransferCosts::Cost &within = transfers_.of(render::TransferPath::DeviceToDevice),
                            &through = transfers_.of(render::TransferPath::PinnedCopy);
  {
    const ScopedDisabled none(!cuda);
    ImGui::Checkbox("Send every frame through the host", &through_host_);
    ui.mark("through_host");
  }
  if (!cuda) {
    small(ui, "On the CPU, the picture is drawn directly from the simulation's memory.");
    return;
  }
  if (within.frames > 0) {
    row(ui, "On the device", fmt::format("{:.2f} ms a picture, nothing over the bus", within.milliseconds),
        "Copied within the GPU's memory.");
  }
  if (through.frames > 0) {
    row(ui, "Through the host",
        fmt::format("{:.2f} ms and {} a picture, {}", through.milliseconds, bytesText(through.host_bytes),
                    perSecond(through.host_bytes * 2 * std::max(session.frames_per_second, 0.0), "B/s")),
        "To page-locked host memory and back: every byte crosses the bus twice.");
  }
  if (within.frames > 0 && through.frames > 0) {
    drawProse(ui,
              fmt::format("Through the host, a picture takes {:.1f} times as long.",
                          through.milliseconds / within.milliseconds),
              ImGui::GetContentRegionAvail().x, ui.colours().warning);
  }
}

void DeviceWindow::drawMemory(const Session& session, Ui& ui, const render::Figure& figure) {
  const RunnerStatus& run = session.status;
  heading(ui, "Memory");
  const auto bytes = [](std::size_t n) { return bytesText(static_cast<double>(n)); };
  row(ui, "Simulation", bytes(run.memory.simulation), "The simulation's buffers and work areas, on its device.");
  row(ui, "Frames", bytes(run.memory.frames),
      "Three frames that the simulation and the figure share, on the same device.");
  row(ui, "Figure",
      fmt::format(
          "{} of data, {} of pixels", bytes(figure.transfer().buffer_bytes),
          bytes(std::size_t{4} * static_cast<std::size_t>(figure.width()) * static_cast<std::size_t>(figure.height()))),
      "OpenGL's buffers for the frame's channels, and for the picture.");
  row(ui, "Kept states", fmt::format("{} in {} states", bytes(run.past.bytes), run.past.states),
      "Copies of the state on the run's device. Going back in time starts from the nearest one. A right click on the "
      "time slider sets the memory.");
  row(ui, "Installed", bytes(run.device.memory), "Memory of this device.");
}

}  // namespace simscope::gui
