#include "app/cli/completion/manual.h"

#include <map>

#include "sims/core/registry.h"

namespace simscope::cli {
namespace {

// Text as roff prints it unchanged: no line of it is a request, no character a command.
std::string plain(const std::string& text) {
  static const std::map<char, std::string> kWritten = {{'\\', "\\e"},  {'-', "\\-"},   {'^', "\\(ha"},
                                                       {'~', "\\(ti"}, {'`', "\\(ga"}, {'\'', "\\(aq"}};
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    const auto written = kWritten.find(c);
    out += written == kWritten.end() ? std::string(1, c) : written->second;
  }
  return out;
}

std::string section(const std::string& title) {
  return ".SH " + title + "\n";
}

std::string paragraph(const std::string& text) {
  return ".PP\n" + plain(text) + "\n";
}

// A term in bold, its value in italics, and its help.
std::string entry(const std::string& term, const std::string& value, const std::string& help) {
  return ".TP\n\\fB" + plain(term) + "\\fR" + (value.empty() ? "" : " \\fI" + plain(value) + "\\fR") + "\n" +
         (help.empty() ? "\\&" : plain(help)) + "\n";
}

std::string writtenNames(const CLI::Option& option) {
  std::string names;
  for (const std::string& each : option.get_snames()) names += (names.empty() ? "-" : ", -") + each;
  for (const std::string& each : option.get_lnames()) names += (names.empty() ? "--" : ", --") + each;
  return names.empty() ? option.get_name() : names;
}

bool isListed(const CLI::Option& option) {
  return !option.get_group().empty();
}

// Places first, then options.
std::string usage(const CLI::App& command) {
  std::string line = "\\fBsimscope " + plain(command.get_name()) + "\\fR";
  for (const CLI::Option* each : command.get_options()) {
    if (!each->get_positional() || !isListed(*each)) continue;
    const std::string name = "\\fI" + plain(each->get_name()) + "\\fR";
    line += each->get_required() ? " " + name : " [" + name + "]";
    if (each->get_items_expected_max() > 1) line += "...";
  }
  bool optional = false;
  for (const CLI::Option* each : command.get_options()) {
    if (each->get_positional() || !isListed(*each)) continue;
    if (each->get_required()) {
      line += " \\fB" + plain(writtenNames(*each)) + "\\fR \\fI" + plain(each->get_type_name()) + "\\fR";
    } else {
      optional = true;
    }
  }
  return line + (optional ? " [\\fIOPTIONS\\fR]" : "");
}

std::string commandText(const CLI::App& command) {
  std::string out =
      ".SS \"" + command.get_name() + "\"\n" + usage(command) + "\n" + paragraph(command.get_description() + ".");
  for (const CLI::Option* each : command.get_options()) {
    if (!isListed(*each) || each->check_name("--help")) continue;
    const bool value = each->get_items_expected_max() > 0 && !each->get_positional();
    out += entry(writtenNames(*each), value ? each->get_type_name() : "", each->get_description());
  }
  // What --help lists by lines (the views of every simulation) stays in its lines.
  if (!command.get_footer().empty()) out += ".PP\n.nf\n" + plain(command.get_footer()) + "\n.fi\n";
  return out;
}

}  // namespace

std::string manualPage(const CLI::App& program, const std::string& version) {
  std::string out = ".\\\" Printed by \"simscope manual\".\n.TH SIMSCOPE 1 \"\" \"simscope " + version +
                    "\" \"User Commands\"\n.nh\n.ad l\n";
  out += section("NAME") + "simscope \\- physics simulations, live on the GPU or the CPU\n";
  out += section("SYNOPSIS");
  out += "\\fBsimscope\\fR [\\fISIM\\fR|\\fIFILE\\fR] [\\fIOPTIONS\\fR]\n";
  out += ".br\n\\fBsimscope\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n";
  out += section("DESCRIPTION");
  out += paragraph(
      "Without a command the window opens: with the gallery of all simulations, one simulation (SIM), or a scene "
      "(FILE: "
      "a .json, a .gif, .png or .apng that simscope made, or a snapshot, .npz). A simulation runs on the GPU, or on "
      "the "
      "CPU if there is no GPU, and is drawn from the device's memory. Its parameters can be changed while it runs. The "
      "exact solution is shown beside it where one is known. The other commands need no display: they render "
      "animations, run, sweep, measure, and judge.");
  out += section("SIMULATIONS");
  for (const Description* each : simulations()) out += entry(each->id, "", each->title + ". " + each->summary);
  out += paragraph("simscope describe SIM lists the parameters, presets, diagnostics and views of one simulation.");
  out += section("COMMANDS");
  for (const CLI::App* each : program.get_subcommands({})) {
    if (!each->get_group().empty()) out += commandText(*each);
  }
  out += ".SS \"help\"\n\\fBsimscope help\\fR [\\fICOMMAND\\fR]\n" + paragraph("Prints the help of a command.");
  out += section("OPTIONS") + entry("--version", "", "Prints the version and the backends that were built.") +
         entry("-h, --help", "", "Prints a summary, or after a command its options.");
  out += section("\"EXIT STATUS\"") + entry("0", "", "Done.") +
         entry("1", "", "A failure at run time; partial files are removed.") +
         entry("2", "", "Bad usage or value; nothing was written.") +
         entry("3", "", "verify or judge found a mismatch.") + entry("130, 143", "", "After Ctrl+C and SIGTERM.");
  out += section("ENVIRONMENT") + entry("SIMSCOPE_DEVICE", "", "The default of --device.") +
         entry("SIMSCOPE_STATE_DIR", "",
               "The folder of settings, recent scenes, and the gallery's pictures; else $XDG_STATE_HOME/simscope or "
               "~/.local/state/simscope.") +
         entry("SIMSCOPE_SCALE", "", "The size of letters and controls in the window, 0.5 to 4.") +
         entry("SIMSCOPE_HINTS", "", "off: the window shows no hints at its first start.");
  out += section("EXAMPLES") + entry("simscope tunneling --play", "", "Opens a simulation and plays it.") +
         entry("simscope render heat --preset two_spots --out film.gif", "", "Makes an animation.") +
         entry("simscope run tunneling --set barrier_height=2 --steps 4000 --report -", "",
               "Runs without graphics; the numbers as JSON.") +
         entry("simscope doctor", "", "Checks what this computer has and what is missing.");
  return out;
}

}  // namespace simscope::cli
