// The commands of the program, each made in one source: command_NAME.cpp.
//
// A command has a request, a struct with what was typed as numbers, enumerations, and names; a table of options, each
// with its name, its place in the request, how it is read, and its help; and a function that carries out the request.
// --help, the man page, and the completions are made from the same table. A value that is refused is told before the
// function is called. The function returns when its work is done and throws what runProgram turns into an exit status:
// UsageError, Error, Interrupted. Thread: main.
#pragma once

#include <CLI/CLI.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/process/ending.h"
#include "app/cli/process/team.h"

namespace simscope::cli {

struct Program;

// The options of one command. Help texts: lines become one line; after an empty line the text begins a new one.
// Targets must outlive the command.
class Options {
 public:
  Options(CLI::App& command, Program& program) : app(command), program_(program) {}

  // A word that no option precedes.
  template <class Target>
  CLI::Option* word(const std::string& name, Target& target, std::string_view help) {
    const auto take = [&target](const std::string& text) { target = text; };
    return app.add_option_function<std::string>(name, take, helpText(help))->type_name("");
  }
  // An option with a value, named `value` in the help; `read` makes the target's value of (option, text), or throws
  // UsageError. Given twice, or followed by another option instead of a value, it is a usage error.
  template <class Target, class Read>
  CLI::Option* value(const std::string& name, const std::string& value, Target& target, Read read,
                     std::string_view help) {
    return add(
        name, value,
        [&target, read](const std::string& option, const std::string& text) { target = read(option, text); }, help);
  }
  template <class Target>
  CLI::Option* text(const std::string& name, const std::string& value, Target& target, std::string_view help) {
    return add(
        name, value, [&target](const std::string&, const std::string& text) { target = text; }, help);
  }
  CLI::Option* repeated(const std::string& name, const std::string& value, std::vector<std::string>& target,
                        std::string_view help);
  using Take = std::function<void(const std::string& option, const std::string& text)>;
  CLI::Option* repeated(const std::string& name, const std::string& value, Take each, std::string_view help);
  CLI::Option* flag(const std::string& name, bool& target, std::string_view help);
  // For tests and for the program itself: no help lists it.
  void hidden(const std::string& name, std::string& target) { app.add_option(name, target)->group(""); }
  void hidden(const std::string& name, bool& target) { app.add_flag(name, target)->group(""); }

  void scene(SceneRequest& request);  // --preset, --set, --seed
  void device();                      // --device, --threads: Program::device
  void look(const std::string& name, Look& look, std::string_view help);
  void look(Look& look);  // all but --size and --scale
  void force(bool& force);

  CLI::App& app;

 private:
  CLI::Option* add(const std::string& name, const std::string& value, Take take, std::string_view help);
  // Keeps the first refusal for later: Program::refused.
  Take held(Take take) const;
  static std::string helpText(std::string_view raw);

  Program& program_;
};

struct Program {
  // `team`: the ranks that a command may join.
  Program(std::string version, Team& team);

  // Reads the arguments (without the program's name) and carries out the command. Returns the exit status.
  int run(std::vector<std::string> arguments);
  template <class Request>
  std::pair<Options, Request&> add(const std::string& name, const std::string& help,
                                   void (*act)(const Request&, Program&)) {
    const auto request = std::make_shared<Request>();
    return {Options(command(name, help, [this, request, act] { act(*request, *this); }), *this), *request};
  }

  const std::string version;
  Team& team;
  CLI::App app;
  DeviceChoice device;         // of the command that was typed
  int status = kDone;          // the exit status, where nothing is thrown
  std::exception_ptr refused;  // the first value that was refused

 private:
  CLI::App& command(const std::string& name, const std::string& help, std::function<void()> act);
  // Carries out the command. If a library of the GPU is missing and no GPU was asked for, repeats it on the CPU.
  void carryOut();
  // `simscope`, `simscope SCENE`, `simscope SIM`, and `simscope help COMMAND`, written out.
  std::vector<std::string> completed(std::vector<std::string> arguments) const;

  std::string name_;  // of the command that was typed
  std::function<void()> chosen_;
};

// In the order of --help.
void addGui(Program& program);
void addList(Program& program);
void addDescribe(Program& program);
void addDevices(Program& program);
void addDoctor(Program& program);
void addRun(Program& program);
void addRender(Program& program);
void addBench(Program& program);
void addLab(Program& program);
void addSweep(Program& program);
void addVerify(Program& program);
void addJudge(Program& program);
void addShow(Program& program);
void addCompletion(Program& program);
void addManual(Program& program);

}  // namespace simscope::cli
