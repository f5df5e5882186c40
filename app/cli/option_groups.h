// Options that several commands share, added to a CLI11 command, and the message for unknown words.
//
// Values are stored in the arguments, which must outlive the command. Thread: one. Errors: UsageError when the options
// are read.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "sims/compute/error.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

// An option with a value; given twice, or followed by another option instead of a value, it is a usage error.
template <class Target>
CLI::Option* addValue(CLI::App& app, const std::string& name, const std::string& value, Target& target,
                      const std::string& help) {
  return app
      .add_option_function<std::string>(
          name,
          [name, &target](const std::string& text) {
            if (text.empty() || text.rfind("--", 0) == 0) {
              throw UsageError(
                  fmt::format("{} needs a value{}", name, text.empty() ? "" : " before " + foreign::shown(text)));
            }
            target = text;
          },
          help)
      ->type_name(value);
}

void addRepeated(CLI::App& app, const std::string& name, const std::string& value, std::vector<std::string>& target,
                 const std::string& help);
void addScene(CLI::App& app, SceneArguments& arguments);
void addDevice(CLI::App& app, Text& device, Text& threads);
void addFigure(CLI::App& app, FigureArguments& arguments);
void addForce(CLI::App& app, bool& force);
// The help of --for: the keys with their meanings.
std::string purposes();

// The message for unknown options and words, with the closest known name. Other errors have CLI11's message.
std::string unknownWords(const CLI::App& app);

}  // namespace simscope::cli
