// README.md contains the program's own text of the lessons.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>

#include "app/lab/lesson.h"
#include "sims/formula/quantity.h"

namespace simscope::lab {
namespace {

constexpr const char* kBegin = "<!-- lessons: as the program has them -->\n";
constexpr const char* kEnd = "<!-- end of the lessons -->\n";

std::string folded(const std::string& text, const std::string& indent = "") {
  constexpr std::size_t kWidth = 120;
  std::string out, line;
  const auto columns = [](const std::string& s) {
    std::size_t n = 0;
    for (const char c : s) n += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return n;
  };
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(' ', from), text.size());
    const std::string word = text.substr(from, end - from);
    if (!line.empty() && columns(line) + 1 + columns(word) > kWidth) {
      out += line + "\n";
      line = indent + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
    from = end + 1;
  }
  return out + line + "\n";
}

std::string section(const Lesson& lesson) {
  std::string out = fmt::format("### {} `{}`\n\n{}\n", lesson.title, lesson.id, folded(lesson.text));
  const ParameterSet set = lesson.defaults();
  for (std::size_t i = 0; i < set.size(); ++i) {
    const ParameterInfo& info = set.infos()[i];
    out +=
        folded(fmt::format("- `{}` {} ({}; {} unless set): {}", info.key, info.title, formula::rangeIn(info, info.unit),
                           formula::quantityText(info, set[i], info.unit), info.help),
               "  ");
  }
  return out + (set.size() > 0 ? "\n" : "");
}

TEST(ReadmeTest, TellsEveryLessonsTextAndKnobs) {
  std::ifstream stream(SIMSCOPE_LAB_README);
  const std::string readme{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const std::size_t begin = readme.find(kBegin), end = readme.find(kEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  std::string expected = kBegin;
  expected += "\n";
  for (const Lesson* each : lessons()) expected += section(*each);
  if (readme.substr(begin, end - begin) == expected) return;
  const std::string file = testing::TempDir() + "lab_readme.md";
  std::ofstream(file) << readme.substr(0, begin) << expected << readme.substr(end);
  for (const Lesson* each : lessons()) {
    EXPECT_NE(readme.find(section(*each)), std::string::npos) << each->id << " is told otherwise, or not at all";
  }
  FAIL() << "app/lab/README.md should be as " << file;
}

}  // namespace
}  // namespace simscope::lab
