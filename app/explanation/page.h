// A simulation's page, from its README.md: the physics, experiments with a button each, and the sources.
//
//   # Title
//   ## The physics     paragraphs; what is indented by four spaces is an equation
//   ## Try
//   ### An experiment
//       simscope gui ID --preset KEY --set KEY=VALUE --view KEY      indented; the only command of it
//   What one sees, in paragraphs. Last, where it is a number:
//   After 8400 steps: `transmission` 0.43 ± 0.02, `norm` 1 ± 1e-3.
//   ## Sources         a list
//
// The rest of the file is only for its readers. The pages of all simulations are embedded in the program when it is
// built. Plain data; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simscope {

// The expected result of an experiment: the diagnostic's value after that many steps.
struct Expectation {
  std::string key = {};
  double value = 0, tolerance = 0;
};

struct Experiment {
  std::string title = {};
  std::string command = {};
  std::vector<std::string> paragraphs = {};
  std::int64_t steps = 0;  // after which the expectations hold; 0: there are none
  std::vector<Expectation> expected = {};
};

struct PageBlock {
  bool equation = false;
  std::string text = {};  // for an equation, one statement per line
};

struct Page {
  std::string title = {};
  std::vector<PageBlock> physics = {};
  std::vector<Experiment> experiments = {};
  std::vector<std::string> sources = {};
};

// UsageError, naming the line, if the text under these headings has another form.
Page parsePage(std::string_view readme);
// Null if no simulation of this id has one. Parsed once.
const Page* pageOf(const std::string& simulation);

// The words of a paragraph, without Markdown's marks, except `code`, which is marked.
struct PageWord {
  enum class Kind { Plain, Strong, Code };
  Kind kind = Kind::Plain;
  std::string text = {};  // without spaces, except in code
  bool spaced = true;     // preceded by a space
};
std::vector<PageWord> wordsOf(const std::string& paragraph);

namespace detail {
// The README.md of a simulation, embedded; empty if there is none.
std::string_view embeddedReadme(std::string_view simulation);
}  // namespace detail

}  // namespace simscope
