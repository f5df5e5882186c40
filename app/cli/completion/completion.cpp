// The words that can follow.
#include "app/cli/completion/completion.h"

#include <algorithm>
#include <utility>

#include "sims/core/registry.h"

namespace simscope::cli {
namespace {

bool takesValue(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

bool isShown(const CLI::Option& option) {
  return !option.get_group().empty();
}

bool isFile(const CLI::Option& option) {
  static const std::vector<std::string> named = {"FILE", "--scene", "--compare"};
  const std::string type = option.get_type_name();
  return type.find("FILE") != std::string::npos || type == "DIFF" ||
         std::find(named.begin(), named.end(), option.get_single_name()) != named.end() ||
         std::find(named.begin(), named.end(), option.get_name()) != named.end();
}

std::string nameOf(const CLI::Option& option) {
  return option.get_lnames().empty() ? option.get_name() : "--" + option.get_lnames().front();
}

const CLI::App* commandOf(const CLI::App& program, const std::string& name) {
  for (const CLI::App* each : program.get_subcommands({})) {
    if (each->get_name() == name) return each;
  }
  return nullptr;
}

// How many words may follow it.
int mostValues(const CLI::Option& option) {
  return option.get_allow_extra_args() ? option.get_items_expected_max() : std::min(1, option.get_items_expected_max());
}

const CLI::Option* placeOf(const CLI::App& command, std::size_t number) {
  std::size_t first = 0;
  for (const CLI::Option* each : command.get_options()) {
    if (!each->get_positional()) continue;
    const auto most = static_cast<std::size_t>(std::max(1, each->get_items_expected_max()));
    if (number < first + most) return each;
    first += most;
  }
  return nullptr;
}

void addValues(const CLI::Option& option, const Typed& typed, Candidates& all) {
  offerValues(nameOf(option), typed, all);
  const std::string command = typed.command->get_name();
  all.files |= isFile(option) || (option.get_name() == "SIM" && command != "describe" && command != "bench");
}

// The beginning of a help text, as much as fits beside a word.
std::string firstLine(const std::string& text) {
  constexpr std::size_t kMost = 72;
  std::string line = text.substr(0, text.find_first_of("\n\t"));
  if (line.size() <= kMost) return line;
  return line.substr(0, line.rfind(' ', kMost)) + " ...";
}

void addOptions(const Typed& typed, Candidates& all) {
  for (const CLI::Option* each : typed.command->get_options()) {
    if (each->get_positional() || !isShown(*each)) continue;
    const bool again = each->get_items_expected_max() > 1;
    for (const std::string& name : each->get_lnames()) {
      const bool given = std::find(typed.given.begin(), typed.given.end(), "--" + name) != typed.given.end();
      if (again || !given) offer(all, "--" + name, firstLine(each->get_description()));
    }
  }
}

void addCommands(const CLI::App& program, Candidates& all) {
  for (const CLI::App* each : program.get_subcommands({})) {
    if (!each->get_group().empty()) offer(all, each->get_name(), firstLine(each->get_description()));
  }
}

// A positional word: it may name a simulation.
void place(const std::string& word, Typed& typed) {
  ++typed.places;
  const std::string id = word.substr(0, word.find(':'));
  for (const Description* each : simulations()) {
    if (each->id == id) typed.simulation = each;
  }
  if (typed.command->get_name() != "lab") return;
  for (const lab::Lesson* each : lab::lessons()) {
    if (each->id == word) typed.lesson = each;
  }
}

void keepThoseThatBegin(const std::string& beginning, Candidates& all) {
  std::erase_if(all.words, [&](const Candidate& each) { return each.word.rfind(beginning, 0) != 0; });
}

Candidates within(Typed typed, const std::vector<std::string>& words) {
  Candidates found;
  const CLI::Option* waiting = nullptr;
  int left = 0;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.size() > 1 && word[0] == '-') {
      const std::size_t equals = word.find('=');
      waiting = typed.command->get_option_no_throw(word.substr(0, equals));
      left = waiting != nullptr && takesValue(*waiting) && equals == std::string::npos ? mostValues(*waiting) : 0;
      typed.given.push_back(word.substr(0, equals));
    } else if (left > 0) {
      --left;
      if (nameOf(*waiting) == "--scene" || nameOf(*waiting) == "--field") {
        Typed named = typed;
        place(word, named);
        typed.simulation = named.simulation;
      }
    } else {
      place(word, typed);
    }
  }
  typed.present = words.back();
  if (left > 0) {
    addValues(*waiting, typed, found);
  } else if (const std::size_t equals = typed.present.find('=');
             typed.present.rfind("--", 0) == 0 && equals != std::string::npos) {
    const CLI::Option* const option = typed.command->get_option_no_throw(typed.present.substr(0, equals));
    if (option == nullptr || !takesValue(*option)) return found;
    const std::string before = typed.present.substr(0, equals + 1);
    typed.present = typed.present.substr(equals + 1);
    addValues(*option, typed, found);
    keepThoseThatBegin(typed.present, found);
    for (Candidate& each : found.words) each.word = before + each.word;
    return found;
  } else if (!typed.present.empty() && typed.present[0] == '-') {
    addOptions(typed, found);
  } else if (const CLI::Option* const at = placeOf(*typed.command, typed.places)) {
    addValues(*at, typed, found);
  } else {
    addOptions(typed, found);
  }
  keepThoseThatBegin(typed.present, found);
  return found;
}

}  // namespace

Candidates candidates(const CLI::App& program, std::vector<std::string> words) {
  if (words.empty()) words.emplace_back();
  const CLI::App* const found = words.size() > 1 ? commandOf(program, words.front()) : nullptr;
  Candidates all;
  if (words.size() > 1 && words.front() == "help") {
    if (words.size() == 2) addCommands(program, all);
  } else if (words.size() == 1) {
    if (words.front().rfind('-', 0) == 0) {
      addOptions({&program, nullptr, nullptr, {}, words.front(), 0}, all);
    } else {
      addCommands(program, all);
      offer(all, "help", "Prints the help of a command");
      offerValues("SIM", {}, all);
      all.files = true;
    }
  } else if (found != nullptr) {
    words.erase(words.begin());
    return within({found, nullptr, nullptr, {}, {}, 0}, words);
  } else if (words.front().rfind('-', 0) != 0) {
    return within({commandOf(program, "gui"), nullptr, nullptr, {}, {}, 0}, words);  // simscope SIM
  }
  keepThoseThatBegin(words.back(), all);
  return all;
}

std::string text(const Candidates& candidates) {
  std::string out = candidates.files ? "files\n" : "words\n";
  for (const Candidate& each : candidates.words) {
    out += each.word + (each.help.empty() ? "" : "\t" + each.help) + "\n";
  }
  return out;
}

}  // namespace simscope::cli
