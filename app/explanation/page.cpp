#include "app/explanation/page.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <utility>

#include "sims/compute/error.h"

namespace simscope {

namespace {

bool startsWith(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

struct Line {
  int number = 0;
  std::string_view text = {};
  bool indented() const { return startsWith(text, "    "); }
};

// What stands between two empty lines, or two headings.
using Block = std::vector<Line>;

std::string joined(const Block& block, std::string_view between) {
  std::string all;
  for (const Line& line : block) {
    if (!all.empty()) all += between;
    all += trimmed(line.text);
  }
  return all;
}

[[noreturn]] void refuse(const Line& line, const std::string& why) {
  throw UsageError(fmt::format("README.md, line {}: {}", line.number, why));
}

double numberAt(const Line& line, std::string_view text) {
  const std::string word(trimmed(text));
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0') refuse(line, fmt::format("'{}' is not a number", word));
  return value;
}

// "After 8400 steps: `transmission` 0.43 ± 0.02, `norm` 1 ± 1e-3."
void readExpectations(const Line& line, std::string_view text, Experiment& into) {
  constexpr std::string_view kAfter = "After ", kTolerance = " ± ";
  const std::string_view steps = text.find(" step: ") != std::string_view::npos ? " step: " : " steps: ";
  const std::size_t colon = text.find(steps);
  if (colon == std::string_view::npos) refuse(line, "write: After N steps: `key` VALUE ± TOLERANCE, ...");
  into.steps = static_cast<std::int64_t>(numberAt(line, text.substr(kAfter.size(), colon - kAfter.size())));
  if (into.steps < 1) refuse(line, "the number of steps must be 1 or more");
  std::string_view rest = text.substr(colon + steps.size());
  if (rest.empty() || rest.back() != '.') refuse(line, "the expectations must end with a full stop");
  rest.remove_suffix(1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(", ");
    const std::string_view one = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 2);
    const std::size_t end = one.find('`', 1), sign = one.find(kTolerance);
    if (one.empty() || one[0] != '`' || end == std::string_view::npos || sign == std::string_view::npos || sign < end) {
      refuse(line, fmt::format("'{}' is not `key` VALUE ± TOLERANCE", one));
    }
    into.expected.push_back({std::string(one.substr(1, end - 1)), numberAt(line, one.substr(end + 1, sign - end - 1)),
                             numberAt(line, one.substr(sign + kTolerance.size()))});
  }
}

void readPhysics(const Block& block, Page& page) {
  const bool equation = block.front().indented();
  page.physics.push_back({equation, joined(block, equation ? ",  " : " ")});
}

void readExperiment(const Block& block, Page& page) {
  if (page.experiments.empty()) refuse(block.front(), "an experiment must begin with its title: ### Title");
  Experiment& experiment = page.experiments.back();
  const std::string text = joined(block, " ");
  if (block.front().indented()) {
    if (!experiment.command.empty()) refuse(block.front(), "an experiment must have one command");
    experiment.command = text;
  } else if (startsWith(text, "After ") && text.find(": `") != std::string::npos) {
    readExpectations(block.front(), text, experiment);
  } else {
    experiment.paragraphs.push_back(text);
  }
}

void readSources(const Block& block, Page& page) {
  for (const Line& line : block) {
    if (startsWith(line.text, "- ")) {
      page.sources.emplace_back(trimmed(line.text.substr(2)));
    } else if (!page.sources.empty()) {
      page.sources.back() += " " + std::string(trimmed(line.text));
    } else {
      refuse(line, "sources must be a list: - Author, Title");
    }
  }
}

void addWord(std::vector<PageWord>& words, PageWord::Kind kind, std::string text, bool spaced) {
  if (!text.empty()) words.push_back({kind, std::move(text), spaced});
}

}  // namespace

Page parsePage(std::string_view readme) {
  Page page;
  std::string section;
  Block block;
  const auto finish = [&] {
    if (block.empty()) return;
    if (section == "The physics") readPhysics(block, page);
    if (section == "Try") readExperiment(block, page);
    if (section == "Sources") readSources(block, page);
    block.clear();
  };
  int number = 0;
  for (std::size_t at = 0; at < readme.size();) {
    const std::size_t end = std::min(readme.find('\n', at), readme.size());
    const Line line{++number, readme.substr(at, end - at)};
    at = end + 1;
    if (trimmed(line.text).empty()) {
      finish();
    } else if (startsWith(line.text, "### ") && section == "Try") {
      finish();
      page.experiments.push_back({.title = std::string(trimmed(line.text.substr(4)))});
    } else if (startsWith(line.text, "## ")) {
      finish();
      section = trimmed(line.text.substr(3));
    } else if (startsWith(line.text, "# ")) {
      if (page.title.empty()) page.title = trimmed(line.text.substr(2));
    } else {
      if (!block.empty() && block.front().indented() != line.indented()) finish();
      block.push_back(line);
    }
  }
  finish();
  return page;
}

const Page* pageOf(const std::string& simulation) {
  static std::map<std::string, std::unique_ptr<const Page>> pages;  // of the window's thread
  const auto known = pages.find(simulation);
  if (known != pages.end()) return known->second.get();
  const std::string_view readme = detail::embeddedReadme(simulation);
  std::unique_ptr<const Page> page;
  if (!readme.empty()) page = std::make_unique<const Page>(parsePage(readme));
  return (pages[simulation] = std::move(page)).get();
}

std::vector<PageWord> wordsOf(const std::string& paragraph) {
  std::vector<PageWord> words;
  std::string word;
  bool strong = false, spaced = true;
  const auto finish = [&] {
    if (!word.empty()) {
      addWord(words, strong ? PageWord::Kind::Strong : PageWord::Kind::Plain, std::exchange(word, {}), spaced);
      spaced = false;
    }
  };
  for (std::size_t at = 0; at < paragraph.size(); ++at) {
    const char c = paragraph[at];
    if (c == ' ') {
      finish();
      spaced = true;
    } else if (c == '`') {
      finish();
      const std::size_t end = std::min(paragraph.find('`', at + 1), paragraph.size());
      addWord(words, PageWord::Kind::Code, paragraph.substr(at + 1, end - at - 1), spaced);
      spaced = false;
      at = end;
    } else if (paragraph.compare(at, 2, "**") == 0) {
      finish();
      strong = !strong;
      ++at;
    } else if (c == '*') {
      continue;
    } else if (c == '[') {
      const std::size_t middle = paragraph.find("](", at), end = paragraph.find(')', at);
      if (middle == std::string::npos || end == std::string::npos || end < middle) {
        word += c;
        continue;
      }
      for (const PageWord& each : wordsOf(paragraph.substr(at + 1, middle - at - 1)))
        word += (word.empty() ? "" : " ") + each.text;
      at = end;
    } else {
      word += c;
    }
  }
  finish();
  return words;
}

}  // namespace simscope
