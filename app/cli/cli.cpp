#include "app/cli/cli.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "app/cli/command.h"
#include "app/cli/completion/completion.h"
#include "app/cli/completion/manual.h"
#include "app/cli/output.h"
#include "app/cli/process/interrupt.h"
#include "sims/compute/library_missing.h"
#include "sims/core/registry.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

namespace {

// The message for unknown options and words, with the closest known name. Other errors have CLI11's message.
std::string unknownWords(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  const std::vector<std::string> unknown = app.remaining();
  if (unknown.empty()) return "unexpected argument";
  const std::string& word = unknown.front();
  const bool option = word.size() > 1 && word[0] == '-';
  if (!option) return fmt::format("unexpected word {} (--help lists all options)", foreign::quoted(word));
  const std::string name = word.substr(0, word.find('='));
  return fmt::format("there is no option {}{}{} (--help lists all options)", foreign::quoted(name),
                     app.get_parent() ? " of simscope " + app.get_name() : "", didYouMean(name, names));
}

}  // namespace

Program::Program(std::string with_version, Team& with_team)
    : version(std::move(with_version)),
      team(with_team),
      app("simscope: physics, live on the GPU or the CPU", "simscope") {
  app.set_help_flag("-h,--help", "Prints this text");
  app.set_version_flag(
      "--version",
      [this] { return fmt::format("simscope {} ({})", version, SIMSCOPE_HAVE_CUDA ? "CPU and CUDA" : "CPU"); },
      "Prints the version and the backends that were built");
  app.require_subcommand(1);
  app.get_formatter()->label("SUBCOMMAND", "[SCENE] | COMMAND ...");
  app.get_formatter()->label("Subcommands", "Commands");
  for (void (*const each)(Program&) : {addGui, addList, addDescribe, addDevices, addDoctor, addRun, addRender, addBench,
                                       addLab, addSweep, addVerify, addJudge, addShow, addCompletion, addManual}) {
    each(*this);
  }
  app.footer(
      R"(Without a command, or with a scene, the window opens. A scene is a .json, a .gif, .png, or .apng that
simscope made, or a .npz snapshot.
simscope COMMAND --help lists the options of a command. The environment variable SIMSCOPE_DEVICE is the
default of --device; no other option comes from the environment.
Exit status: 0 done; 1 failure at run time (partial files are removed); 2 bad usage or value (nothing was
written); 3 verify or judge found a mismatch; 130 and 143 after Ctrl+C and SIGTERM.)");
}

CLI::App& Program::command(const std::string& name, const std::string& help, std::function<void()> act) {
  CLI::App* const added = app.add_subcommand(name, help);
  added->final_callback([this, added, act = std::move(act)] {
    name_ = added->get_name();
    chosen_ = act;
    const CLI::Option* const option = added->get_option_no_throw("--device");
    const char* const usual = std::getenv("SIMSCOPE_DEVICE");
    if (refused || !option || !option->empty() || !usual || !*usual) return;
    try {
      device.spec = readDevice("SIMSCOPE_DEVICE", usual);
    } catch (const UsageError&) {
      refused = std::current_exception();
    }
  });
  return *added;
}

void Program::carryOut() {
  if (refused) {
    const auto refuse = [this]() -> std::string { std::rethrow_exception(refused); };
    // Ranks tell it once.
    if (name_ == "run" || name_ == "render" || name_ == "sweep" || name_ == "bench") team.join(name_);
    team.prepare(name_, refuse);
  }
  try {
    chosen_();
  } catch (const compute::LibraryMissing& missing) {
    if (device.spec != "auto") throw;
    note(foreign::harmless(std::string("simscope: note: ") + missing.what() + ". The CPU is used instead.\n"));
    device.spec = "cpu";
    chosen_();
  }
}

std::vector<std::string> Program::completed(std::vector<std::string> arguments) const {
  if (arguments.empty()) return {"gui"};
  const std::string first = arguments.front();
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands({})) names.push_back(each->get_name());
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
    print(text(candidates(app, std::move(arguments))));
    return kDone;
  }
  arguments = completed(std::move(arguments));
  team.typed(arguments);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    print(app.help());
    return kDone;
  } catch (const CLI::CallForVersion& told) {
    print(std::string(told.what()) + "\n");
    return kDone;
  } catch (const CLI::ExtrasError&) {
    const std::vector<CLI::App*> parsed = app.get_subcommands();
    throw UsageError(unknownWords(parsed.empty() ? app : *parsed.front()));
  } catch (const CLI::ParseError& error) {
    const std::vector<CLI::App*> parsed = app.get_subcommands();
    // A required option may be missing only because a name was misspelt.
    const CLI::App& where = parsed.empty() ? app : *parsed.front();
    if (!where.remaining().empty()) throw UsageError(unknownWords(where));
    throw UsageError(fmt::format("{} (see simscope {}--help)", error.what(),
                                 parsed.empty() ? "" : parsed.front()->get_name() + " "));
  }
  carryOut();
  return status;
}

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
