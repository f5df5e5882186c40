#include "app/cli/command.h"

#include <fmt/format.h>

#include "sims/compute/error.h"
#include "sims/core/registry.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

std::string Options::helpText(std::string_view raw) {
  std::string text;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const bool broken = raw[i] == '\n' && i + 1 < raw.size() && raw[i + 1] == '\n';
    text += raw[i] == '\n' && !broken ? ' ' : raw[i];
    if (broken) ++i;
  }
  return text;
}

Options::Take Options::held(Take take) const {
  return [take = std::move(take), &refused = program_.refused](const std::string& option, const std::string& text) {
    try {
      take(option, text);
    } catch (const UsageError&) {
      if (!refused) refused = std::current_exception();
    }
  };
}

CLI::Option* Options::add(const std::string& name, const std::string& value, Take take, std::string_view help) {
  const auto read = [name, take = held(std::move(take))](const std::string& text) {
    if (text.empty() || text.rfind("--", 0) == 0) {
      throw UsageError(fmt::format("{} needs a value{}", name, text.empty() ? "" : " before " + foreign::shown(text)));
    }
    take(name, text);
  };
  return app.add_option_function<std::string>(name, read, helpText(help))->type_name(value);
}

CLI::Option* Options::repeated(const std::string& name, const std::string& value, std::vector<std::string>& target,
                               std::string_view help) {
  return app.add_option(name, target, helpText(help))->type_name(value)->allow_extra_args(false);
}

CLI::Option* Options::repeated(const std::string& name, const std::string& value, Take each, std::string_view help) {
  const auto read = [name, take = held(std::move(each))](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) take(name, text);
  };
  return app.add_option_function<std::vector<std::string>>(name, read, helpText(help))
      ->type_name(value)
      ->allow_extra_args(false);
}

CLI::Option* Options::flag(const std::string& name, bool& target, std::string_view help) {
  return app.add_flag(name, target, helpText(help));
}

void Options::scene(SceneRequest& request) {
  text("--preset", "NAME", request.preset, "Parameters to start from (see simscope describe SIM)");
  repeated("--set", "KEY=VALUE", request.set,
           "Changes one parameter; numbers may be 1/3, 2*pi, or 633nm; may be repeated");
  value("--seed", "N", request.seed, readSeed, "Seed of the random numbers [1]");
}

void Options::device() {
  value("--device", "DEVICE", program_.device.spec, readDevice, R"(auto, cpu, cuda, or cuda:INDEX; several for one run:
cuda:0+1, cuda:all, cpu+cpu [SIMSCOPE_DEVICE, else auto])");
  value("--threads", "N", program_.device.threads, whole<int>(0, kMostThreads), "CPU worker threads [0: all cores]");
}

void Options::look(const std::string& name, Look& look, std::string_view help) {
  const LookOption& known = lookOption(name);
  const auto take = [&look, &known](const std::string& option, const std::string& text) {
    look.push_back(known.read(option, text));
  };
  add(name, known.value, take, help);
}

void Options::look(Look& look) {
  const auto add = [&](const char* name, std::string_view help) { this->look(name, look, help); };
  const auto turnOn = [&](const char* name, bool render::FigureOptions::*member, const char* help) {
    const auto change = [member](Scene& scene) { scene.figure.*member = true; };
    app.add_flag_callback(
        name, [&look, change] { look.emplace_back(change); }, help);
  };
  add("--theme", R"(dark, light, slides (heavy lines, large letters), or print (black on white); points brighten a dark
background and darken the others [dark])");
  add("--view", "One of the simulation's views (below) [the preset's]");
  add("--colormap", "Colormap of a field [the view's]");
  add("--range", "Range of a field's colours: auto (the frame's), symmetric (about 0), or LOW:HIGH [the view's]");
  add("--value-scale", "Scale of a field's colours: linear, log, or gamma (the square root) [the view's]");
  add("--supersampling",
      "1 to 4: draws N times larger and averages; edges in a GIF are then blends, not exact colours [1]");
  turnOn("--reversed", &render::FigureOptions::reversed, "Reverses the colormap");
  turnOn("--isolines", &render::FigureOptions::isolines, "Draws contours on a field");
  turnOn("--arrows", &render::FigureOptions::arrows, "Draws the arrows of a field that has them");
  add("--camera", "Camera of a view of points: angles in degrees, magnification, and centre [the preset's]");
  add("--follow", "Keeps point N in the middle; -1: none [-1]");
  add("--exposure", "Brightness of points; each stop doubles it [0]");
  add("--point-size", "Size of points, as a factor [1]");
  for (const auto& [name, help] : {std::pair("--show", "Shows a curve or trails; may be repeated"),
                                   std::pair("--hide", "Hides a curve or trails; may be repeated")}) {
    const auto each = [&look, read = lookOption(name).read](const std::string& option, const std::string& text) {
      look.push_back(read(option, text));
    };
    repeated(name, "CHANNEL", each, help);
  }
  std::string views = "Views (--view KEY):\n";
  for (const Description* each : simulations()) {
    views += "  " + each->id + ":";
    for (const std::string& key : each->viewKeys()) views += " " + key;
    views += "\n";
  }
  app.footer(views);
}

void Options::force(bool& force) {
  flag("--force", force, "Overwrites files that exist");
}

}  // namespace simscope::cli
