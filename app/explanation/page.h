// A simulation's page, as its README.md has it: the physics, experiments that a button sets up, and the sources.
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
// All else in the file is for readers of the file. The pages of all simulations are embedded in the program when it is
// built. Plain data; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simscope {

// What an experiment must show: the diagnostic's value after that many steps.
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
  std::string text = {};  // an equation's statements are lines
};

struct Page {
  std::string title = {};
  std::vector<PageBlock> physics = {};
  std::vector<Experiment> experiments = {};
  std::vector<std::string> sources = {};
};

// UsageError, naming the line, where what stands under these headings has another form.
Page parsePage(std::string_view readme);
// Null where no simulation of this id has one. Parsed once.
const Page* pageOf(const std::string& simulation);

// The words of a paragraph, without Markdown's marks but `code`, which keeps its own kind.
struct PageWord {
  enum class Kind { Plain, Strong, Code };
  Kind kind = Kind::Plain;
  std::string text = {};  // without spaces, but for code
  bool spaced = true;     // a space stands before it
};
std::vector<PageWord> wordsOf(const std::string& paragraph);

namespace detail {
// The README.md of a simulation, embedded; empty where there is none.
std::string_view embeddedReadme(std::string_view simulation);
}  // namespace detail

}  // namespace simscope
