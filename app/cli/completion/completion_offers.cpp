#include "app/cli/completion/completion.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "app/recording/recording_presets.h"
#include "app/render/figure/colormap.h"
#include "app/scene/scene.h"
#include "sims/core/registry.h"
#include "sims/formula/quantity.h"

namespace simscope::cli {

void offer(Candidates& all, std::string word, std::string help) {
  all.words.push_back({std::move(word), std::move(help)});
}

namespace {

using Offer = void (*)(const Typed&, Candidates&);

template <class Names>
void addAll(Candidates& all, const Names& names) {
  for (const auto& each : names) offer(all, std::string(each));
}

void addSimulations(const Typed&, Candidates& all) {
  for (const Description* each : simulations()) offer(all, each->id, each->title);
}

void addPresets(const Description& simulation, const std::string& before, Candidates& all) {
  for (const Preset& each : simulation.presets) offer(all, before + each.key, each.title);
}

// SIM:PRESET, or a file.
void addRuns(const Typed& typed, Candidates& all) {
  const std::size_t colon = typed.present.find(':');
  if (colon == std::string::npos) return addSimulations(typed, all);
  for (const Description* each : simulations()) {
    if (each->id == typed.present.substr(0, colon)) addPresets(*each, each->id + ":", all);
  }
}

// KEY=, then the values of a choice; for numbers and texts the default.
void addChanges(const Typed& typed, Candidates& all) {
  const std::vector<ParameterInfo>* const infos = typed.lesson       ? typed.lesson->parameters.get()
                                                  : typed.simulation ? typed.simulation->parameters.get()
                                                                     : nullptr;
  if (infos == nullptr) return;
  const std::size_t equals = typed.present.find('=');
  for (const ParameterInfo& info : *infos) {
    if (equals == std::string::npos) {
      offer(all, info.key + "=", fmt::format("{}: {}", info.title, formula::rangeIn(info, info.unit)));
    } else if (info.key == typed.present.substr(0, equals)) {
      if (info.kind == Kind::Choice) {
        for (const Choice& choice : info.choices) offer(all, info.key + "=" + choice.key, choice.title);
      } else if (info.kind == Kind::Flag) {
        offer(all, info.key + "=on");
        offer(all, info.key + "=off");
      } else {
        offer(all, info.key + "=" + toText(info.initial),
              fmt::format("the default; {}", formula::rangeIn(info, info.unit)));
      }
    }
  }
}

// KEY= of the parameters that can be swept.
void addSwept(const Typed& typed, Candidates& all) {
  if (typed.simulation == nullptr) return;
  for (const ParameterInfo& info : *typed.simulation->parameters) {
    if (info.kind == Kind::Integer || info.kind == Kind::Real) {
      offer(all, info.key + "=", fmt::format("{}: {}", info.title, formula::rangeIn(info, info.unit)));
    }
  }
}

void addDiagnostics(const Typed& typed, Candidates& all) {
  if (typed.simulation == nullptr) return;
  for (const DiagnosticInfo& each : typed.simulation->diagnostics) offer(all, each.key, each.title);
}

void addChannels(const Typed& typed, Candidates& all) {
  if (typed.simulation != nullptr) addAll(all, typed.simulation->channelKeys());
}

void addLessons(const Typed&, Candidates& all) {
  for (const lab::Lesson* each : lab::lessons()) offer(all, each->id, each->title);
}

// The values of options and of positional words, by their names.
const std::map<std::string, Offer>& offers() {
  static const std::map<std::string, Offer> all = {
      {"--preset",
       [](const Typed& typed, Candidates& found) {
         if (typed.simulation != nullptr) addPresets(*typed.simulation, "", found);
       }},
      {"--set", addChanges},
      {"--param", addSwept},
      {"--measure", addDiagnostics},
      {"--require", addDiagnostics},
      {"--show", addChannels},
      {"--hide", addChannels},
      {"--channel", addChannels},
      {"--view",
       [](const Typed& typed, Candidates& found) {
         if (typed.simulation == nullptr) return;
         for (const View& each : typed.simulation->views) offer(found, each.key, each.title);
       }},
      {"--for",
       [](const Typed&, Candidates& found) {
         for (const RecordingPreset& each : recordingPresets()) offer(found, each.key, each.title);
       }},
      {"--colormap", [](const Typed&, Candidates& found) { addAll(found, render::colormapNames()); }},
      {"--theme", [](const Typed&, Candidates& found) { addAll(found, themeNames()); }},
      {"--value-scale", [](const Typed&, Candidates& found) { addAll(found, valueScaleNames()); }},
      {"--range",
       [](const Typed&, Candidates& found) {
         offer(found, "auto", "the frame's");
         offer(found, "symmetric", "about 0");
       }},
      {"--scale", [](const Typed&, Candidates& found) { offer(found, "auto", "chosen from the size"); }},
      {"--device",
       [](const Typed&, Candidates& found) {
         offer(found, "auto", "a GPU if there is one, else the CPU");
         offer(found, "cpu", "the processor");
         offer(found, "cuda", "an NVIDIA GPU");
         offer(found, "cuda:", "the GPU with this number");
       }},
      {"--scene", addRuns},
      {"--field", addRuns},
      {"SIM", addSimulations},
      {"LESSON", addLessons},
      {"SHELL", [](const Typed&, Candidates& found) { addAll(found, completedShells()); }},
  };
  return all;
}

}  // namespace

void offerValues(const std::string& name, const Typed& typed, Candidates& all) {
  const auto found = offers().find(name);
  if (found != offers().end()) found->second(typed, all);
}

}  // namespace simscope::cli
