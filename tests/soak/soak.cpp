#include "tests/soak/soak.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

#include "app/gui/gallery/thumbnails.h"
#include "app/render/gl/transfer.h"
#include "sims/compute/fault.h"
#include "sims/core/registry.h"

namespace simscope::soak {

namespace {

constexpr double kLongestStep = 0.3;  // seconds that a step of a script waits for a picture: there may be none to draw
constexpr double kLongestWayHome = 150;  // the run finishes what it was asked for
constexpr int kWidth = 1000, kHeight = 700;
constexpr std::size_t kPast = std::size_t{32} << 20;
constexpr std::size_t kWarm = 3;  // homes until the figure, the drivers, and the caches have what they keep
// A painter of another kind of view brings a program, and objects with it. The gallery's pictures, a texture each, are
// made when the machine has time, and stay until there are too many.
constexpr int kMoreObjects = 40, kObjectsOfProgram = 10, kMorePrograms = 60;
constexpr int kMoreTextures = static_cast<int>(gallery::Thumbnails::kMostTextures);
constexpr std::size_t kMoreBytes = std::size_t{192} << 20;
// What the gallery computes for its next picture ends with a batch of steps, and has its memory until then.
constexpr double kLongestRest = 60;  // seconds

double clockSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Words that come from a library, and tell a user nothing.
bool isInternal(const std::string& text) {
  for (const char* part : {"std::", "bad_alloc", "basic_string", "vector::", "map::at", "bad_variant", "bad_optional",
                           "imgui", "GL_", "glGetError", "assert", "json.exception", "filesystem error"}) {
    if (text.find(part) != std::string::npos) return true;
  }
  return text.size() < 10;
}

}  // namespace

Soak::Soak(const Settings& settings)
    : settings_(settings),
      watchdog_((settings.folder / "actions.log").string(), settings.hung_seconds),
      began_(clockSeconds()) {}

double Soak::seconds() const {
  return clockSeconds() - began_;
}

void Soak::fail(const std::string& why) {
  if (!failure_.empty()) return;
  failure_ = why;
  watchdog_.note("FAILED: " + why);
  over_ = true;
}

void Soak::turn(Session& session, const gui::Ui& ui) try {
  watchdog_.turn();
  if (over_) return;
  if (!hand_) {
    hand_ = std::make_unique<Hand>(glfwGetCurrentContext());
    hand_->focus();
    listenToGl();
    session.setPastMemory(kPast);
  }
  check(session);
  const int picture = ImGui::GetFrameCount();
  const bool drawn = picture != picture_;
  if (!drawn && clockSeconds() - stepped_at_ < kLongestStep) return;
  picture_ = picture;
  stepped_at_ = clockSeconds();
  if (!script_.empty()) {
    const auto step = std::move(script_.front());
    script_.pop_front();
    try {
      step();
    } catch (const UsageError&) {
      ++refused_;
    }
  } else if (rest_ > 0) {
    --rest_;
  } else if (!over_) {
    next(session, ui);
  }
} catch (const std::exception& error) {
  fail(error.what());
}

// After every turn of the loop.
void Soak::check(Session& session) {
  for (const std::string& error : takeGlErrors()) fail("OpenGL: " + error);
  for (const Message& message : session.messages) {
    if (message.level != Message::Level::Error || message.text == last_said_) continue;
    last_said_ = message.text;
    ++said_[message.text];
    watchdog_.note("  error shown: " + message.text);
    if (isInternal(message.text)) fail("the window says: " + message.text);
  }
  for (const auto& [index, refusal] : session.refusals) {
    if (isInternal(refusal.why)) {
      fail(fmt::format("{} is refused with: {}", session.scene.parameters.infos()[index].key, refusal.why));
    }
  }
}

void Soak::next(Session& session, const gui::Ui& ui) {
  switch (stage_) {
    case Stage::Tour:
      return tour(session);
    case Stage::Acting:
      return in_round_ < settings_.actions_per_round ? act(session, ui) : goHome(session, ui);
    case Stage::GoingHome:
      if (home(session, ui)) {
        stage_ = Stage::AtHome;
        rest_ = 6;
      }
      return;
    case Stage::AtHome:
      if (residentBytes() > mostBytes() && clockSeconds() - home_since_ < kLongestRest) {
        rest_ = 10;
        return;
      }
      audit(session);
      in_round_ = 0;
      stage_ = Stage::Acting;
  }
}

void Soak::tour(Session& session) {
  const auto all = simulations();
  if (toured_ == all.size() + 1) return goHome(session, gui::Ui{});
  if (toured_ == all.size()) {
    ++toured_;
    hand_->key(GLFW_KEY_G, GLFW_MOD_CONTROL);  // the gallery keeps its figures
    rest_ = 30;
    return;
  }
  session.start(*all[toured_], all[toured_]->presets.front().key);
  watchdog_.note("tour: " + all[toured_]->id);
  if (!session.playing()) session.togglePlay();
  ++toured_;
  rest_ = 12;
}

void Soak::act(Session& session, const gui::Ui& ui) {
  random_.emplace(settings_.seed * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(++done_));
  ++in_round_;
  const Action& action = anyAction(*random_);
  ++counts_[action.name];
  World world{session, ui, *hand_, *random_, script_, settings_.folder};
  watchdog_.note(fmt::format("{:7.1f} s  {:5}  {}", seconds(), done_, action.name));
  std::string what;
  try {
    what = action.act(world);
  } catch (const UsageError& error) {
    ++refused_;
    what = std::string("refused: ") + error.what();
    if (isInternal(error.what())) fail(fmt::format("{} is refused with: {}", action.name, error.what()));
  } catch (const std::exception& error) {
    // Files that are not there, a recording's ending that nobody knows: said as errors, as the window does.
    what = std::string("error: ") + error.what();
    if (dynamic_cast<const Fault*>(&error) || !dynamic_cast<const Error*>(&error) || isInternal(error.what())) {
      fail(fmt::format("{}: {}", action.name, error.what()));
    }
  }
  watchdog_.note("                   " + what);
  rest_ = random_->from(1, 14);
}

void Soak::goHome(Session& session, const gui::Ui&) {
  stage_ = Stage::GoingHome;
  home_since_ = clockSeconds();
  compute::setFaults("");
  watchdog_.note("home");
  session.cancelRecording();
  for (const int button : {GLFW_MOUSE_BUTTON_LEFT, GLFW_MOUSE_BUTTON_RIGHT}) {
    script_.push_back([this, button] { hand_->button(button, false); });
  }
  for (int i = 0; i < 3; ++i) {
    script_.push_back([this] { hand_->key(GLFW_KEY_ESCAPE); });
  }
  script_.push_back([this] {
    hand_->focus();
    if (hand_->fullScreen()) hand_->key(GLFW_KEY_F11);
    hand_->key(GLFW_KEY_0, GLFW_MOD_CONTROL);
  });
  script_.push_back([this, &session] {
    hand_->resize(kWidth, kHeight);
    const Description& first = *simulations().front();
    session.start(first, first.presets.front().key);
    session.scene.figure.theme = render::Theme::Dark;
    session.setDevice("cpu");
    session.setAtEnd(AtEnd::AsPreset);
    session.setPastMemory(kPast);
    if (session.playing()) session.togglePlay();
  });
}

// True once everything has come to rest there.
bool Soak::home(Session& session, const gui::Ui& ui) {
  const RunnerStatus& s = session.status;
  hand_->move(kWidth - 3, kHeight - 3);
  if (ui.probes.contains("gallery_search")) {
    hand_->key(GLFW_KEY_G, GLFW_MOD_CONTROL);
  } else if (ui.presenting) {
    hand_->key(GLFW_KEY_F5);
  } else if (!ui.popups.empty() || ui.probes.contains("explanation") || ui.probes.contains("device_window")) {
    hand_->key(GLFW_KEY_ESCAPE);
  } else if (s.playing) {
    session.togglePlay();
  } else if (!s.busy && s.work.kind == RunnerStatus::Work::None && !s.replay && session.frame &&
             s.description == session.scene.description && hand_->width() == kWidth) {
    if (s.description == simulations().front() && s.device.id == "cpu") return true;
    session.start(*simulations().front(), simulations().front()->presets.front().key);
    session.setDevice("cpu");
  }
  if (clockSeconds() - home_since_ > kLongestWayHome) {
    std::string open;
    for (const std::string& each : ui.popups) open += " " + each;
    fail(
        fmt::format("the run does not come to rest: {}playing, {}busy, {} steps at work for {:.0f} s{}, device {}, "
                    "window {} wide; open:{}",
                    s.playing ? "" : "not ", s.busy ? "" : "not ", s.work.steps, s.work.seconds,
                    s.replay ? ", replaying" : "", s.device.id, hand_->width(), open));
  }
  rest_ = 2;
  return false;
}

// Without an end while there is nothing to compare with.
std::size_t Soak::mostBytes() const {
  if (homes_.size() < kWarm) return std::numeric_limits<std::size_t>::max();
  std::size_t warm = 0;
  for (std::size_t i = 0; i < kWarm; ++i) warm = std::max(warm, homes_[i].resident);
  return warm + warm / 2 + kMoreBytes;
}

void Soak::audit(Session& session) {
  Held held{countGlObjects(), residentBytes(), render::liveRegistrations(), session.status.memory.simulation,
            session.status.memory.frames};
  for (std::size_t i = session.messages.size(); i-- > 0;) session.dismiss(i);
  last_said_.clear();
  homes_.push_back(held);
  const std::string now = fmt::format("round {}: {:.0f} s, {} actions, {} MB, {} OpenGL objects ({})", ++rounds_,
                                      seconds(), done_, held.resident >> 20, held.gl.all(), held.gl.text());
  watchdog_.note(now);
  std::printf("soak: %s\n", now.c_str());
  std::fflush(stdout);
  if (homes_.size() > kWarm) {
    Held warm{};
    for (std::size_t i = 0; i < kWarm; ++i) {
      if (homes_[i].gl.all() > warm.gl.all()) warm.gl = homes_[i].gl;
    }
    const int programs = std::max(held.gl.programs - warm.gl.programs, 0);
    const int more = kMoreObjects + kObjectsOfProgram * programs;
    const auto others = [](const GlObjects& gl) { return gl.all() - gl.textures; };
    if (programs > kMorePrograms || others(held.gl) > others(warm.gl) + more ||
        held.gl.textures > warm.gl.textures + kMoreObjects + kMoreTextures) {
      fail(fmt::format("OpenGL objects are left: {}; they were {}", held.gl.text(), warm.gl.text()));
    }
    if (held.resident > mostBytes()) {
      fail(fmt::format("memory grows: {} MB, at most {} MB are what it was at first and somewhat more",
                       held.resident >> 20, mostBytes() >> 20));
    }
  }
  if (held.registrations > 0) fail(fmt::format("{} registrations with CUDA are left on the CPU", held.registrations));
  // Frames keep the channels that were shown once.
  if (held.run != homes_.front().run || held.frames > 4 * homes_.front().frames) {
    fail(fmt::format("the same run has {} bytes and {} of frames; it had {} and {}", held.run, held.frames,
                     homes_.front().run, homes_.front().frames));
  }
  if (session.status.past.bytes > kPast) fail("the run's past has more memory than it may");
  if (seconds() > 60 * settings_.minutes) over_ = true;
}

std::string Soak::summary() const {
  std::string text = fmt::format("{} actions ({} refused) in {} rounds, {:.0f} s", done_, refused_, rounds_, seconds());
  for (const auto& [name, count] : counts_) text += fmt::format("\n  {:5} {}", count, name);
  if (!said_.empty()) text += "\nerrors that the window told:";
  for (const auto& [words, count] : said_) text += fmt::format("\n  {:4} x {}", count, words);
  return text;
}

}  // namespace simscope::soak
