#include "tests/soak/actions.h"

#include <fmt/format.h>

#include "app/recording/output_kinds.h"
#include "app/session/recording.h"
#include "app/session/shown_view.h"
#include "sims/compute/fault.h"
#include "sims/core/registry.h"
#include "tests/soak/hand_actions.h"

namespace simscope::soak {

namespace {

const Description& anySimulation(World& w) {
  const auto all = simulations();
  return *all[w.random.below(all.size())];
}

ParameterSet usualValues(const Scene& scene) {
  return scene.preset.empty() ? scene.description->defaults() : scene.description->preset(scene.preset);
}

std::string setParameter(World& w) {
  Session& s = w.session;
  const std::size_t index = w.random.below(s.scene.parameters.size());
  const ParameterInfo& info = s.scene.parameters.infos()[index];
  const Value value = valueWithin(info, usualValues(s.scene)[index], w.random);
  ParameterSet wanted = s.scene.parameters;
  wanted.set(index, value);
  if (!small(*s.scene.description, wanted)) return info.key + " left: too large for a test";
  s.setParameter(index, value);
  return info.key + " = " + toText(value).substr(0, 40);
}

// A request that is refused says which parameter and what is allowed, and changes nothing.
std::string setBeyond(World& w) {
  Session& s = w.session;
  const std::size_t index = w.random.below(s.scene.parameters.size());
  const ParameterInfo& info = s.scene.parameters.infos()[index];
  if (info.kind == Kind::Text) return "a text has no range";
  const Value value = valueBeyond(info, w.random);
  const ParameterSet before = s.scene.parameters;
  try {
    s.setParameter(index, value);
  } catch (const ParameterError& error) {
    if (error.key() != info.key || std::string(error.what()).find(info.key) == std::string::npos) {
      throw Fault(fmt::format("{} = {} is refused for {}: {}", info.key, toText(value), error.key(), error.what()));
    }
    if (!(s.scene.parameters == before)) throw Fault("a refused " + info.key + " has changed the scene");
    return info.key + " = " + toText(value) + " refused";
  } catch (const UsageError& error) {
    throw Fault(fmt::format("{} = {}: no ParameterError: {}", info.key, toText(value), error.what()));
  }
  throw Fault(fmt::format("{} = {} is taken", info.key, toText(value)));
}

std::string setTogether(World& w) {
  Session& s = w.session;
  ParameterSet wanted = s.scene.parameters;
  const ParameterSet usual = usualValues(s.scene);
  std::string what;
  for (int i = w.random.from(2, 5); i > 0; --i) {
    const std::size_t index = w.random.below(wanted.size());
    const ParameterInfo& info = wanted.infos()[index];
    const Value value = valueWithin(info, usual[index], w.random);
    wanted.set(index, value);
    what += info.key + " = " + toText(value).substr(0, 40) + ", ";
  }
  if (!small(*s.scene.description, wanted)) return "left: too large for a test";
  s.setTogether(wanted);
  return what;
}

std::string choosePreset(World& w) {
  const Preset& preset = w.random.of(w.session.scene.description->presets);
  w.session.selectPreset(preset.key);
  return preset.key;
}

std::string chooseSimulation(World& w) {
  const Description& description = anySimulation(w);
  const Preset& preset = w.random.of(description.presets);
  w.session.start(description, preset.key);
  if (w.random.chance(0.7) && !w.session.playing()) w.session.togglePlay();
  return description.id + " " + preset.key;
}

std::string chooseView(World& w) {
  const std::string key = w.random.of(w.session.scene.description->viewKeys());
  showView(w.session, key);
  return key;
}

std::string chooseSeed(World& w) {
  w.session.setSeed(w.random.bits() >> static_cast<unsigned>(w.random.from(1, 62)));
  return fmt::format("{}", w.session.scene.seed);
}

std::string choosePace(World& w) {
  Session& s = w.session;
  if (w.random.chance(0.4)) {
    s.setSpeed(s.usualSpeed() * (0.1 + 4 * w.random.share()));
    return "speed";
  }
  Pace pace = s.pace;
  pace.mode = w.random.of(std::vector{Pace::Mode::StepsPerFrame, Pace::Mode::Budget, Pace::Mode::Speed});
  pace.steps_per_frame = w.random.from(1, 40);
  pace.frames_per_second = w.random.of(std::vector{0.0, 10.0, 60.0});
  s.setPace(pace);
  s.setAtEnd(w.random.of(std::vector{AtEnd::AsPreset, AtEnd::Loop, AtEnd::Pause, AtEnd::GoOn}));
  return fmt::format("{} steps a frame", pace.steps_per_frame);
}

std::string goBack(World& w) {
  Session& s = w.session;
  switch (w.random.below(4)) {
    case 0:
      s.stepBack();
      return "step back";
    case 1:
      s.returnToPresent();
      return "to the present";
    default:
      break;
  }
  const std::int64_t first = s.status.past.first, last = s.status.past.last;
  const auto step = first + static_cast<std::int64_t>(w.random.share() *
                                                      static_cast<double>(std::max<std::int64_t>(last - first, 0)));
  for (int i = 0; i < 4; ++i) {
    w.script.push_back([&s, step, i] { s.scrub(std::max<std::int64_t>(step - 3 + i, 0), i < 3); });
  }
  return fmt::format("to step {} of {} to {}", step, first, last);
}

std::string chooseMemory(World& w) {
  const std::size_t bytes = std::size_t{1} << static_cast<unsigned>(w.random.from(16, 26));
  w.session.setPastMemory(bytes);
  return fmt::format("{} bytes for the past", bytes);
}

std::string run(World& w) {
  switch (w.random.below(5)) {
    case 0:
      w.session.step();
      return "step";
    case 1:
      w.session.reset();
      return "reset";
    default:
      w.session.togglePlay();
      return "play or pause";
  }
}

std::string changeDevice(World& w) {
  const std::string id = w.random.of(w.session.devices).id;
  w.session.setDevice(id);
  return id;
}

std::string undo(World& w) {
  const int times = w.random.from(1, 4);
  const bool back = w.random.chance(0.6);
  for (int i = 0; i < times; ++i) {
    w.script.push_back([&s = w.session, back] { back ? s.undo() : s.redo(); });
  }
  return fmt::format("{} {}", times, back ? "back" : "again");
}

std::string record(World& w) {
  Session& s = w.session;
  if (s.recording()) {
    if (w.random.chance(0.5)) return s.recorder()->stop(), "stopped";
    s.cancelRecording();
    return "cancelled";
  }
  RecordSettings settings;
  const std::string ending = w.random.of(std::vector<std::string>{".gif", ".gif", ".png", ".npy", ".csv", ".txt"});
  settings.file = w.folder / ("recording" + ending);
  settings.extent = w.random.of(std::vector{RecordSettings::Extent::FromStart, RecordSettings::Extent::FromNow,
                                            RecordSettings::Extent::UntilStopped});
  settings.frames = w.random.from(1, 12);
  settings.steps_per_frame = w.random.from(1, 4);
  settings.width = w.random.from(64, 480);
  settings.height = w.random.from(64, 320);
  settings.supersampling = w.random.from(1, 2);
  settings.overwrite = w.random.chance(0.9);
  if (w.random.chance(0.2)) settings.max_bytes = 60'000;
  s.startRecording(settings);
  return fmt::format("{} {}x{}, {} frames", settings.file.filename().string(), settings.width, settings.height,
                     settings.frames);
}

std::string files(World& w) {
  Session& s = w.session;
  const auto scene = w.folder / fmt::format("scene{}.json", w.random.from(0, 3));
  const auto snapshot = w.folder / fmt::format("snapshot{}.npz", w.random.from(0, 1));
  switch (w.random.below(5)) {
    case 0:
      s.save(scene, true);
      return "saved " + scene.filename().string();
    case 1:
      s.open(scene);
      return "opened " + scene.filename().string();
    case 2:
      s.saveSnapshot(snapshot, true);
      return "saved " + snapshot.filename().string();
    case 3:
      s.open(snapshot);
      return "opened " + snapshot.filename().string();
    default:
      s.drop(w.folder /
             w.random.of(std::vector<std::string>{"recording.gif", "recording.png", "nothing.json", "actions.log"}));
      return "dropped";
  }
}

// What panels do not offer while a recording is under way.
std::function<std::string(World&)> unlessRecording(std::string (*act)(World&)) {
  return [act](World& w) { return w.session.recording() ? std::string("left: recording") : act(w); };
}

// What nobody can bring about: the next pass fails, and the run goes on.
std::string fail(World& w) {
  const std::string what = w.random.of(std::vector<std::string>{"device:1", "memory:1", "interop:1", "interop:2"});
  compute::setFaults(what);
  return what;
}

std::vector<Action> all() {
  std::vector<Action> table = {{"parameter", 14, unlessRecording(setParameter)},
                               {"beyond", 4, unlessRecording(setBeyond)},
                               {"together", 4, unlessRecording(setTogether)},
                               {"preset", 8, unlessRecording(choosePreset)},
                               {"simulation", 7, unlessRecording(chooseSimulation)},
                               {"view", 6, chooseView},
                               {"seed", 2, unlessRecording(chooseSeed)},
                               {"pace", 3, unlessRecording(choosePace)},
                               {"past", 8, goBack},
                               {"past memory", 1, chooseMemory},
                               {"run", 8, run},
                               {"device", 3, unlessRecording(changeDevice)},
                               {"undo", 8, undo},
                               {"record", 6, record},
                               {"files", 5, unlessRecording(files)},
                               {"fault", 2, fail}};
  for (Action& each : handActions()) table.push_back(std::move(each));
  return table;
}

}  // namespace

const std::vector<Action>& actions() {
  static const std::vector<Action> table = all();
  return table;
}

const Action& anyAction(Random& random) {
  int sum = 0;
  for (const Action& each : actions()) sum += each.weight;
  int at = random.from(0, sum - 1);
  for (const Action& each : actions()) {
    if ((at -= each.weight) < 0) return each;
  }
  return actions().front();
}

}  // namespace simscope::soak
