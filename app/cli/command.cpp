#include "app/cli/command.h"

#include <fmt/format.h>

#include <algorithm>

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
  const std::vector<LookOption>& all = lookOptions();
  const LookOption& known = *std::find_if(all.begin(), all.end(), [&](const LookOption& e) { return e.name == name; });
  const auto take = [&look, &known](const std::string& option, const std::string& text) {
    look.push_back(known.read(option, text));
  };
  if (!*known.value) {
    app.add_flag_callback(
        name, [take, name] { take(name, ""); }, helpText(help));
  } else if (known.again) {
    repeated(name, known.value, take, help);
  } else {
    add(name, known.value, take, help);
  }
}

void Options::look(Look& look) {
  for (const LookOption& each : lookOptions()) {
    if (*each.help) this->look(each.name, look, each.help);
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
