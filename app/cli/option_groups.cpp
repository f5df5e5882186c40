#include "app/cli/option_groups.h"

#include <utility>

#include "app/recording/recording_presets.h"
#include "sims/core/registry.h"
#include "sims/core/words.h"

namespace simscope::cli {

void addRepeated(CLI::App& app, const std::string& name, const std::string& value, std::vector<std::string>& target,
                 const std::string& help) {
  app.add_option(name, target, help)->type_name(value)->allow_extra_args(false);
}

void addScene(CLI::App& app, SceneArguments& arguments) {
  addValue(app, "--preset", "NAME", arguments.preset, "Parameters to start from (see simscope describe SIM)");
  addRepeated(app, "--set", "KEY=VALUE", arguments.set,
              "Changes one parameter; numbers may be 1/3, 2*pi, or 633nm; may be repeated");
  addValue(app, "--seed", "N", arguments.seed, "Seed of the random numbers [1]");
}

void addDevice(CLI::App& app, Text& device, Text& threads) {
  addValue(
      app, "--device", "DEVICE", device,
      "auto, cpu, cuda, or cuda:INDEX; several for one run: cuda:0+1, cuda:all, cpu+cpu [SIMSCOPE_DEVICE, else auto]");
  addValue(app, "--threads", "N", threads, "CPU worker threads [0: all cores]");
}

void addFigure(CLI::App& app, FigureArguments& arguments) {
  addValue(app, "--theme", "THEME", arguments.theme,
           "dark, light, slides (heavy lines, large letters), or print (black on white); points brighten a dark "
           "background and darken the others [dark]");
  addValue(app, "--view", "KEY", arguments.view, "One of the simulation's views (below) [the preset's]");
  addValue(app, "--colormap", "NAME", arguments.colormap, "Colormap of a field [the view's]");
  addValue(app, "--range", "RANGE", arguments.range,
           "Range of a field's colours: auto (the frame's), symmetric (about 0), or LOW:HIGH [the view's]");
  addValue(app, "--value-scale", "SCALE", arguments.value_scale,
           "Scale of a field's colours: linear, log, or gamma (the square root) [the view's]");
  addValue(app, "--supersampling", "N", arguments.supersampling,
           "1 to 4: draws N times larger and averages; edges in a GIF are then blends, not exact colours [1]");
  app.add_flag("--reversed", arguments.reversed, "Reverses the colormap");
  app.add_flag("--isolines", arguments.isolines, "Draws contours on a field");
  app.add_flag("--arrows", arguments.arrows, "Draws the arrows of a field that has them");
  addValue(app, "--camera", "AZ:EL[:ZOOM[:X:Y:Z]]", arguments.camera,
           "Camera of a view of points: angles in degrees, magnification, and centre [the preset's]");
  addValue(app, "--follow", "N", arguments.follow, "Keeps point N in the middle; -1: none [-1]");
  addValue(app, "--exposure", "STOPS", arguments.exposure, "Brightness of points; each stop doubles it [0]");
  addValue(app, "--point-size", "F", arguments.point_size, "Size of points, as a factor [1]");
  addRepeated(app, "--show", "CHANNEL", arguments.show, "Shows a curve or trails; may be repeated");
  addRepeated(app, "--hide", "CHANNEL", arguments.hide, "Hides a curve or trails; may be repeated");
  std::string views = "Views (--view KEY):\n";
  for (const Description* each : simulations()) {
    views += "  " + each->id + ":";
    for (const std::string& key : each->viewKeys()) views += " " + key;
    views += "\n";
  }
  app.footer(views);
}

std::string purposes() {
  std::string text = "Sets size, scale, theme, and rate for a purpose: ";
  bool first = true;
  for (const RecordingPreset& each : recordingPresets()) {
    text += std::string(std::exchange(first, false) ? "" : ", ") + each.key;
  }
  return text + "; other options override them";
}

void addForce(CLI::App& app, bool& force) {
  app.add_flag("--force", force, "Overwrites files that exist");
}

std::string unknownWords(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  for (const std::string& word : app.remaining()) {
    const std::string name = word.substr(0, word.find('='));
    const bool option = word.size() > 1 && word[0] == '-';
    const std::string where = app.get_parent() ? " of simscope " + app.get_name() : "";
    return fmt::format("{} {}{}{} (--help lists all options)", option ? "there is no option" : "unexpected word",
                       foreign::quoted(option ? name : word), option ? where : "",
                       option ? didYouMean(name, names) : "");
  }
  return "unexpected argument";
}

}  // namespace simscope::cli
