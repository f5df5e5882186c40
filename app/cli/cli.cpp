#include "app/cli/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <utility>

#include "app/cli/bench/bench_command.h"
#include "app/cli/completion/completion.h"
#include "app/cli/completion/manual.h"
#include "app/cli/doctor_command.h"
#include "app/cli/judge_command.h"
#include "app/cli/lab_command.h"
#include "app/cli/list_command.h"
#include "app/cli/option_groups.h"
#include "app/cli/output.h"
#include "app/cli/process/ending.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/process/tasks.h"
#include "app/cli/process/team.h"
#include "app/cli/render_command.h"
#include "app/cli/run_command.h"
#include "app/cli/show_command.h"
#include "app/cli/sweep_command.h"
#include "app/cli/verify_command.h"
#include "app/cli/window_command.h"
#include "sims/compute/library_missing.h"
#include "sims/core/registry.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

namespace {

// The commands and their arguments. The command that was typed sets `chosen_`.
struct Program {
  // `team`: the ranks that a command may join.
  Program(std::string version, Team& team);

  // Reads the arguments (without the program's name) and carries out the command. Returns the exit status.
  int run(std::vector<std::string> arguments);

 private:
  CLI::App* command(const std::string& name, const std::string& help, std::function<void()> action);
  void addQueries();
  void addWork();
  void addSweep();
  void addVerify();
  void addJudge();
  void addWindow();
  void addShow();
  void addShell();
  // Carries out the command. If a library of the GPU is missing and no GPU was asked for, repeats it on the CPU.
  void carryOut();
  // `simscope`, `simscope SCENE`, `simscope SIM`, and `simscope help COMMAND`, written out.
  std::vector<std::string> completed(std::vector<std::string> arguments) const;

  std::string version_;
  Team& team_;
  CLI::App app_;
  std::function<void()> chosen_;
  int status_ = kDone;  // exit status of the command
  std::string simulation_;
  std::string shell_;
  bool as_json_ = false, as_markdown_ = false;
  RunArguments run_;
  RenderArguments render_;
  BenchArguments bench_;
  SweepArguments sweep_;
  LabArguments lab_;
  VerifyArguments verify_;
  JudgeArguments judge_;
  WindowArguments window_;
  ShowArguments show_;
};

Program::Program(std::string version, Team& team)
    : version_(std::move(version)), team_(team), app_("simscope: physics, live on the GPU or the CPU", "simscope") {
  app_.set_help_flag("-h,--help", "Prints this text");
  app_.set_version_flag(
      "--version",
      [this] { return fmt::format("simscope {} ({})", version_, SIMSCOPE_HAVE_CUDA ? "CPU and CUDA" : "CPU"); },
      "Prints the version and the backends that were built");
  app_.require_subcommand(1);
  app_.get_formatter()->label("SUBCOMMAND", "[SCENE] | COMMAND ...");
  app_.get_formatter()->label("Subcommands", "Commands");
  addWindow();
  addQueries();
  addWork();
  addSweep();
  addVerify();
  addJudge();
  addShow();
  addShell();
  app_.footer(
      R"(Without a command, or with a scene, the window opens. A scene is a .json, a .gif, .png, or .apng that
simscope made, or a .npz snapshot.
simscope COMMAND --help lists the options of a command. The environment variable SIMSCOPE_DEVICE is the
default of --device; no other option comes from the environment.
Exit status: 0 done; 1 failure at run time (partial files are removed); 2 bad usage or value (nothing was
written); 3 verify or judge found a mismatch; 130 and 143 after Ctrl+C and SIGTERM.)");
}

CLI::App* Program::command(const std::string& name, const std::string& help, std::function<void()> action) {
  CLI::App* added = app_.add_subcommand(name, help);
  added->final_callback([this, action = std::move(action)] { chosen_ = action; });
  return added;
}

void Program::addWindow() {
  CLI::App* gui = command("gui", "Opens the window", [this] {
    const Patient guard;
    window(window_);
  });
  gui->add_option("SIM", window_.what, "A simulation (simscope list), a scene file, or a snapshot")->type_name("");
  addScene(*gui, window_);
  addDevice(*gui, window_.device, window_.threads);
  addFigure(*gui, window_);
  gui->add_flag("--play", window_.play, "Starts playing");
  gui->add_option("--state-file", window_.state_file)->group("");  // for tests of the window
  gui->add_flag("--start-times", window_.start_times)->group("");  // for bench --start
}

void Program::addShow() {
  CLI::App* show_command = command("show", "Shows an array that another program computes, live", [this] {
    const Patient guard;
    show(show_);
  });
  addValue(*show_command, "--socket", "N", show_.socket, "Descriptor of the socket that announces the arrays")
      ->required();
  addDevice(*show_command, show_.device, show_.threads);
  addValue(*show_command, "--theme", "THEME", show_.theme,
           "dark, light, slides, or print [as last used in the window]");
  show_command->add_option("--state-file", show_.state_file)->group("");  // for tests of the window
  show_command->footer(
      R"(simscope.show(array) in Python opens the socket and starts this command. The socket has no name, so no other
program can connect to it. The arrays are in shared memory.)");
}

void Program::addQueries() {
  CLI::App* list_command = command("list", "Lists the simulations", [this] {
    const ExitAtOnce guard;
    list(as_json_ ? ListFormat::JsonArray : as_markdown_ ? ListFormat::Markdown : ListFormat::Table);
  });
  CLI::Option* json = list_command->add_flag("--json", as_json_, "As a JSON array");
  list_command->add_flag("--markdown", as_markdown_, "As the table of docs/simulations.md")->excludes(json);

  CLI::App* describe_command =
      command("describe", "Lists the parameters, presets, diagnostics, and views of one simulation", [this] {
        const ExitAtOnce guard;
        describe(simulation_, as_json_);
      });
  describe_command->add_option("SIM", simulation_, "A simulation (simscope list)")->required()->type_name("");
  describe_command->add_flag("--json", as_json_, "As a JSON object");

  CLI::App* devices_command =
      command("devices", "Lists the devices of this machine; under mpirun, the device of each rank", [this] {
        team_.join("devices");
        const ExitAtOnce guard;
        devices(as_json_, team_);
      });
  devices_command->add_flag("--json", as_json_, "As a JSON array");

  CLI::App* doctor_command = command("doctor", "Checks what this computer has and what is missing",
                                     [this] { status_ = cli::doctor(as_json_, version_) ? kDone : kFailed; });
  doctor_command->add_flag("--json", as_json_, "As a JSON object, for a report");
  doctor_command->footer(
      R"(Each line says ok, missing (the rest works without it), or wrong, and then what to do.
Exit status: 0 nothing is wrong; 1 something is wrong.
The report, also with --json, contains: version and backends of simscope; names and sizes of processor, memory and
GPUs; versions of driver, toolkit, EGL, OpenGL, ffmpeg and MPI; the folders that simscope writes to (the home folder
as ~) and their free space; the variables SIMSCOPE_*, CUDA_VISIBLE_DEVICES, DISPLAY, WAYLAND_DISPLAY and
LIBGL_ALWAYS_SOFTWARE. It contains nothing else.)");
}

void Program::addWork() {
  CLI::App* run_command = command("run", "Runs without graphics and reports the numbers", [this] {
    requireOwnFiles({}, {run_.save, run_.save_snapshot, run_.report}, run_.force);
    team_.join("run");
    cli::run(run_, team_);
  });
  run_command->add_option("SIM", run_.what, "A simulation (simscope list), a scene file, or a snapshot")
      ->required()
      ->type_name("");
  addValue(*run_command, "--steps", "N", run_.steps, "Number of time steps; 0: the initial state")->required();
  addScene(*run_command, run_);
  addDevice(*run_command, run_.device, run_.threads);
  addValue(*run_command, "--report", "FILE", run_.report, "Writes a JSON report; - for standard output");
  addValue(*run_command, "--save", "FILE.npy", run_.save, "Writes the state as a NumPy array");
  addValue(*run_command, "--save-snapshot", "FILE.npz", run_.save_snapshot,
           "Writes the scene with its whole state; simscope run FILE.npz --steps N continues from it");
  addForce(*run_command, run_.force);

  CLI::App* render_command = command("render", "Writes an animation or a picture; needs no display", [this] {
    requireOwnFiles(render_.out, {}, render_.force);
    team_.join("render");
    cli::render(render_, team_);
  });
  render_command->add_option("SIM", render_.what, "A simulation (simscope list), a scene file, or a snapshot")
      ->required()
      ->type_name("");
  render_command
      ->add_option(
          "--out", render_.out,
          "A file of the kind that its ending names: .gif, .apng, .mp4, .webm, .webp, .mkv (an animation), .png (a\n"
          "picture), .csv (all diagnostics over time), .npy (the field); may be repeated, for the same frames")
      ->required()
      ->allow_extra_args(false)
      ->type_name("FILE");
  addValue(*render_command, "--for", "PURPOSE", render_.purpose, purposes());
  addValue(*render_command, "--size", "WxH", render_.size, "Pixels [960x540]");
  addValue(*render_command, "--scale", "S", render_.scale,
           "Scale of text and lines: a factor, or auto (chosen from the size) [auto with --size, else 1]");
  addValue(*render_command, "--frames", "N", render_.frames,
           "Number of frames, including the initial state [the preset's]");
  addValue(*render_command, "--first-frame", "N", render_.first_frame,
           "Starts at frame N; earlier frames are computed but not written [0]");
  addValue(*render_command, "--first-step", "N", render_.first_step,
           "Starts after N time steps, also between two frames");
  addValue(*render_command, "--frame", "N", render_.frame, "For .png and .npy: only this frame, counted from 0");
  addValue(*render_command, "--fps", "F", render_.fps,
           "Frames per second; a GIF can have 50, 33.3, 25, 20, and slower [25]");
  addValue(*render_command, "--steps-per-frame", "K", render_.steps_per_frame,
           "Time steps between two frames [the preset's]");
  addValue(*render_command, "--loop", "N", render_.loop,
           "How many times a .gif, .apng, or .webp plays; 0: endlessly [0]");
  addValue(*render_command, "--max-bytes", "SIZE", render_.max_bytes,
           "For .gif: the largest file (800K, 2.5M); the picture gets smaller, or has fewer frames, if needed");
  render_command->add_flag("--sequence", render_.sequence,
                           "For .png: writes every frame, as NAME0001.png, NAME0002.png, ...");
  addValue(*render_command, "--channel", "KEY", render_.channel,
           "For .npy: the channel to save [the one that the view shows]");
  render_command->add_flag("--scene-file", render_.scene_file, "Writes NAME.simscope.json beside a video");
  addScene(*render_command, render_);
  addDevice(*render_command, render_.device, render_.threads);
  addFigure(*render_command, render_);
  addForce(*render_command, render_.force);

  CLI::App* bench_command = command("bench", "Measures the cost of a time step", [this] {
    requireOwnFiles({}, {bench_.json}, bench_.force);
    if (bench_.devices) team_.join("bench");
    cli::bench(bench_, team_);
  });
  bench_command->add_option("SIM", bench_.simulations, "Simulations [all]")->type_name("");
  addValue(*bench_command, "--preset", "NAME", bench_.preset, "Parameters to start from; needs exactly one SIM");
  addRepeated(*bench_command, "--set", "KEY=VALUE", bench_.set, "Changes one parameter of SIM; may be repeated");
  addRepeated(*bench_command, "--size", "N", bench_.sizes, "Measures SIM at this size; may be repeated");
  bench_command->add_flag("--live", bench_.live,
                          "Also plays each run as the window does, with pictures, and measures the step there");
  bench_command->add_flag(
      "--start", bench_.start,
      "Instead: measures the time from the start of the program to the window's first picture, and to "
      "the first moving picture, on the present display");
  bench_command->add_flag(
      "--devices", bench_.devices,
      "Instead, under mpirun: measures the link between the ranks' devices, and steps on one device and "
      "on all");
  bench_command
      ->add_option_function<std::vector<std::string>>(
          "--model",
          [](const std::vector<std::string>&) {
            throw UsageError(
                "bench --model is now a script of the sources: python3 docs/scaling.py FILE [--chart FILE.svg]");
          })
      ->group("");  // not listed
  addDevice(*bench_command, bench_.device, bench_.threads);
  addValue(*bench_command, "--json", "FILE", bench_.json, "Writes the measurements as JSON; - for standard output");
  addForce(*bench_command, bench_.force);

  CLI::App* lab_command = command("lab", "Lessons of GPU computing, measured on this machine", [this] {
    requireOwnFiles(lab_.out, {lab_.json}, lab_.force);
    cli::lab(lab_);
  });
  lab_command
      ->add_option_function<std::string>(
          "LESSON", [this](const std::string& id) { lab_.lesson = id; }, "The lesson to measure [lists all lessons]")
      ->type_name("");
  lab_command->add_flag("--all", lab_.all, "Measures every lesson, within a minute");
  lab_command
      ->add_option("--compare", lab_.compare,
                   "Compares two files that --json wrote, side by side; LESSON: only this lesson")
      ->expected(2, 3)
      ->type_name("A.json B.json [LESSON]");
  addRepeated(*lab_command, "--set", "KEY=VALUE", lab_.set, "Changes a knob of the lesson; may be repeated");
  addValue(*lab_command, "--field", "WHAT", lab_.field,
           "For fourier_filters: filters the field of this scene, or of SIMULATION[:PRESET]; measures no times");
  addValue(*lab_command, "--steps", "N", lab_.steps,
           "With --field: time steps before the field is taken [those of ten frames]");
  addDevice(*lab_command, lab_.device, lab_.threads);
  addRepeated(*lab_command, "--out", "FILE", lab_.out, "The numbers as .csv, or the chart as .png or .gif");
  addValue(*lab_command, "--size", "WxH", lab_.size, "For a chart: pixels [960x540]");
  addValue(*lab_command, "--theme", "THEME", lab_.theme, "For a chart: dark, light, slides, or print [dark]");
  addValue(*lab_command, "--json", "FILE", lab_.json, "Writes the result as JSON; - for standard output");
  addForce(*lab_command, lab_.force);
}

void Program::addSweep() {
  CLI::App* sweep_command = command("sweep", "Makes many runs over one or two parameters, and measures each", [this] {
    requireOwnFiles(sweep_.out, {sweep_.report}, sweep_.force);
    team_.join("sweep");
    cli::sweep(sweep_, team_);
  });
  sweep_command->add_option("SIM", sweep_.what, "A simulation (simscope list) or a scene file")
      ->required()
      ->type_name("");
  addRepeated(
      *sweep_command, "--param", "KEY=VALUES", sweep_.param,
      "A parameter and its values: FROM:TO:COUNT, evenly spaced; FROM:TO:COUNT:log, by equal factors; or A,B,C;\n"
      "once or twice");
  addRepeated(*sweep_command, "--measure", "KEY", sweep_.measure,
              "A diagnostic at the end of each run, beside its exact value if one is known; may be repeated");
  addRepeated(
      *sweep_command, "--out", "FILE", sweep_.out,
      "A file of the kind that its ending names: .csv, .npy (the numbers), .png (a curve, or a phase diagram of two\n"
      "parameters), .gif (the figures of all runs side by side); may be repeated");
  addValue(*sweep_command, "--steps", "N", sweep_.steps, "Time steps of each run [to the preset's end]");
  sweep_command->add_flag("--figures", sweep_.figures, "For .png: the figures of all runs side by side, at their end");
  addScene(*sweep_command, sweep_);
  addDevice(*sweep_command, sweep_.device, sweep_.threads);
  sweep_command->add_flag("--one-by-one", sweep_.one_by_one,
                          "Makes the runs one after another, never in batches (to compare the times)");
  addValue(*sweep_command, "--report,--json", "FILE", sweep_.report, "Writes a JSON report; - for standard output");
  addValue(*sweep_command, "--size", "WxH", sweep_.size, "Size of pictures, in pixels [960x540]");
  addValue(*sweep_command, "--scale", "S", sweep_.scale,
           "Scale of text and lines: a factor, or auto [auto with --size, else 1]");
  addValue(*sweep_command, "--theme", "THEME", sweep_.theme, "dark, light, slides, or print [dark]");
  addValue(*sweep_command, "--colormap", "NAME", sweep_.colormap,
           "Colormap of a phase diagram, or of the runs' fields");
  addValue(*sweep_command, "--view", "KEY", sweep_.view, "View that the runs' figures show [the preset's]");
  addValue(*sweep_command, "--fps", "F", sweep_.fps, "Frames per second of a .gif: 50, 33.3, 25, 20, and slower [25]");
  addForce(*sweep_command, sweep_.force);
}

void Program::addVerify() {
  CLI::App* verify_command = command(
      "verify", "Renders the scene in a GIF, APNG, or PNG again, and compares the pictures with the file", [this] {
        requireOwnFiles({}, {verify_.out}, verify_.force);
        status_ = cli::verify(verify_) ? kDone : kMismatch;
      });
  verify_command->add_option("FILE", verify_.file, "A .gif, .apng, or .png that simscope made")
      ->required()
      ->type_name("");
  addValue(
      *verify_command, "--out", "DIFF", verify_.out,
      "Marks the pixels that differ: red, or yellow within the tolerance; .png: the frame that differs most; .gif: "
      "all frames");
  addValue(*verify_command, "--tolerance", "LEVELS", verify_.tolerance,
           "Levels, 0 to 255, by which a pixel may differ from the colours around it in the new picture; 0: every "
           "pixel must be equal [2]");
  addValue(*verify_command, "--most-seconds", "S", verify_.most_seconds,
           "Stops after S seconds, because an unknown file may ask for years of work [3600]");
  verify_command->add_flag("--json", verify_.json, "As a JSON object");
  addDevice(*verify_command, verify_.device, verify_.threads);
  addForce(*verify_command, verify_.force);
  verify_command->footer(
      R"(Exit status: 0 identical, or within the tolerance; 3 different; 1 and 2 errors.
The device and the version that made the file make identical pictures. Other devices and versions round differently,
by a level or two, and move edges by less than a pixel: the tolerance allows this. Chaotic runs (many bodies, colliding
discs) always differ on other devices: choose the device that made the file with --device.
Only FILE is read; a scene that names other files is refused. At most 4 GiB of memory are taken for its pictures.)");
}

void Program::addJudge() {
  CLI::App* judge_command = command("judge", "Judges a result that another program has computed for a scene",
                                    [this] { status_ = cli::judge(judge_) ? kDone : kMismatch; });
  judge_command->add_option("FILE", judge_.file, "The result as a NumPy array: a wave, a field, or one row per body")
      ->required()
      ->type_name("FILE.npy");
  judge_command
      ->add_option("--scene", judge_.what, "The scene to compare with: a scene file, or a simulation and its preset")
      ->required()
      ->type_name("SCENE|SIM[:PRESET]");
  addScene(*judge_command, judge_);
  addValue(*judge_command, "--at", "TIME", judge_.at, "Judges the result at this time of the run [the scene's end]");
  addValue(*judge_command, "--frame", "N", judge_.frame,
           "Judges the result at this frame, counted from 0 as in render");
  addRepeated(
      *judge_command, "--require", "KEY<=VALUE", judge_.require,
      "Upper bound of a magnitude, or with >= lower bound of a value; \"inf\" removes a bound; may be repeated\n"
      "[the bounds that simscope describe SIM lists; difference: five times the own run's error, 0.001 to 0.1]");
  judge_command->add_flag("--json", judge_.json, "As a JSON object");
  addDevice(*judge_command, judge_.device, judge_.threads);
  judge_command->footer(
      R"(The result replaces the state of the scene's own run, and the simulation's diagnostics judge it. KEY is a
diagnostic, KEY_error (measured minus exact), difference (from the own run, relative; of ψ up to a phase), or phase.
Exit status: 0 all requirements are met; 3 some are not met; 1 and 2 errors.)");
}

void Program::addShell() {
  CLI::App* completion_command =
      command("completion", "Prints the script that makes a shell complete simscope commands", [this] {
        const ExitAtOnce guard;
        print(completionScript(shell_));
      });
  completion_command->add_option("SHELL", shell_, "bash, zsh, or fish")->required()->type_name("");
  completion_command->footer(
      R"~(The packages install these scripts. Otherwise, for the present shell: eval "$(simscope completion bash)", or
the same with zsh; for fish: simscope completion fish | source.)~");
  command("manual", "Prints the man page (simscope manual | man -l -)", [this] {
    const ExitAtOnce guard;
    print(manualPage(app_, version_));
  });
}

void Program::carryOut() {
  try {
    chosen_();
  } catch (const compute::LibraryMissing& missing) {
    for (const Text* each : {&run_.device, &render_.device, &bench_.device, &sweep_.device, &lab_.device,
                             &verify_.device, &judge_.device, &window_.device, &show_.device}) {
      if (*each && **each != "auto") throw;
    }
    if (const char* chosen = std::getenv("SIMSCOPE_DEVICE"); chosen && *chosen && std::string(chosen) != "auto") throw;
    note(foreign::harmless(std::string("simscope: note: ") + missing.what() + ". The CPU is used instead.\n"));
    setenv("SIMSCOPE_DEVICE", "cpu", 1);
    for (Text* each : {&run_.device, &render_.device, &bench_.device, &sweep_.device, &lab_.device, &verify_.device,
                       &judge_.device, &window_.device, &show_.device}) {
      each->reset();
    }
    chosen_();
  }
}

std::vector<std::string> Program::completed(std::vector<std::string> arguments) const {
  if (arguments.empty()) return {"gui"};
  const std::string first = arguments.front();
  std::vector<std::string> names;
  for (const CLI::App* each : app_.get_subcommands({})) names.push_back(each->get_name());
  const auto known = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (first == "help") {
    arguments.erase(arguments.begin());
    if (!arguments.empty() && !known(arguments.front())) {
      throw UsageError(fmt::format("there is no command {}{}", foreign::quoted(arguments.front()),
                                   didYouMean(arguments.front(), names, ".")));
    }
    arguments.push_back("--help");
    return arguments;
  }
  if (first.empty() || first[0] == '-' || known(first)) return arguments;
  const auto all = simulations();
  const bool simulation =
      std::any_of(all.begin(), all.end(), [&](const Description* each) { return each->id == first; });
  if (!simulation && !looksLikeFile(first)) {
    for (const Description* each : all) names.push_back(each->id);
    throw UsageError(fmt::format("{} is neither a command, a simulation, nor a file{} See simscope --help.",
                                 foreign::quoted(first), didYouMean(first, names, ".")));
  }
  arguments.insert(arguments.begin(), "gui");
  return arguments;
}

int Program::run(std::vector<std::string> arguments) {
  if (!arguments.empty() && arguments.front() == kCompleteWords) {
    const ExitAtOnce guard;
    arguments.erase(arguments.begin());
    print(text(candidates(app_, std::move(arguments))));
    return kDone;
  }
  arguments = completed(std::move(arguments));
  team_.typed(arguments);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
  try {
    app_.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    print(app_.help());
    return kDone;
  } catch (const CLI::CallForVersion& version) {
    print(std::string(version.what()) + "\n");
    return kDone;
  } catch (const CLI::ExtrasError&) {
    const std::vector<CLI::App*> parsed = app_.get_subcommands();
    throw UsageError(unknownWords(parsed.empty() ? app_ : *parsed.front()));
  } catch (const CLI::ParseError& error) {
    const std::vector<CLI::App*> parsed = app_.get_subcommands();
    // A required option may be missing only because a name was misspelt.
    const CLI::App& where = parsed.empty() ? app_ : *parsed.front();
    if (!where.remaining().empty()) throw UsageError(unknownWords(where));
    throw UsageError(fmt::format("{} (see simscope {}--help)", error.what(),
                                 parsed.empty() ? "" : parsed.front()->get_name() + " "));
  }
  carryOut();
  return status_;
}

}  // namespace

int runProgram(int argc, char** argv, const std::string& version) {
  prepareProcess();
  Team team;
  try {
    const int status = Program(version, team).run(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
    team.finish();
    return status;
  } catch (const std::exception& error) {
    return team.ranks() ? endOf(error, team) : endOf(error);
  }
}

}  // namespace simscope::cli
