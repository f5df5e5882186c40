// Measurements in files, the comparison of two runs, and their display on the page.
#include "app/lab/stored_run.h"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/lab/comparison.h"
#include "app/lab/lab_testing.h"
#include "app/lab/lesson_text.h"
#include "app/lab/notebook.h"

namespace simscope::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::ThrowsMessage;

// Of the first lesson that there is, so that a notebook knows it.
Outcome outcomeOfScale(double scale) {
  const Lesson& lesson = *lessons().front();
  Outcome outcome{&lesson, lesson.defaults(), plainResult(scale), "", 0.5};
  for (Row& row : outcome.result->rows) row.spreads = {0.1 * row.values[0], 0.1 * row.values[1], std::nan("")};
  return outcome;
}

std::string written(double scale) {
  return json(std::vector<Outcome>{outcomeOfScale(scale)}, "A machine").dump();
}

class StoredFile {
 public:
  explicit StoredFile(const std::string& text, const std::string& name = "run.json")
      : path_(std::filesystem::path(testing::TempDir()) / name) {
    std::ofstream(path_) << text;
  }
  ~StoredFile() { std::filesystem::remove(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(StoredRunTest, ReadsWhatWasWritten) {
  const StoredRun run = runOf(written(1), "run.json");
  EXPECT_EQ(run.machine, "A machine");
  ASSERT_THAT(run.lessons, SizeIs(1));
  const Result &read = run.lessons[0].result, wrote = *outcomeOfScale(1).result;
  EXPECT_EQ(run.lessons[0].id, lessons().front()->id);
  ASSERT_THAT(read.rows, SizeIs(2));
  EXPECT_EQ(read.rows[0].values, wrote.rows[0].values);
  EXPECT_EQ(read.rows[0].spreads[1], wrote.rows[0].spreads[1]);
  EXPECT_TRUE(std::isnan(read.rows[1].values[2]));
  EXPECT_EQ(read.columns[1].unit, "B/s");
  EXPECT_EQ(read.chart.curves[0].values, wrote.chart.curves[0].values);
  EXPECT_TRUE(read.chart.curves[1].expected);
  EXPECT_TRUE(read.chart.x.decades);
  EXPECT_EQ(read.chart.last, 5);
  EXPECT_EQ(read.finding, wrote.finding);
}

TEST(StoredRunTest, ReadsASingleLessonAndOneWithoutChartAndSpreads) {
  const StoredRun run = runOf(R"({"lesson": "fusion", "title": "Fusion", "columns": [{"title": "Time", "unit": "s"}],
      "rows": [{"name": "one", "values": [0.5]}]})",
                              "old.json");
  EXPECT_EQ(run.lessons[0].result.rows[0].values, std::vector<double>{0.5});
  EXPECT_EQ(run.title(), "old.json");
}

struct Malformed {
  const char *text, *why;
};

TEST(StoredRunTest, RefusesWhatIsNoRunAndSaysWhere) {
  const Malformed all[] = {
      {"", "not JSON"},
      {"{\"lesson\": ", "not JSON"},
      {"[]", "the document is not an object"},
      {"{}", "are missing"},
      {R"({"lessons": []})", "no lesson"},
      {R"({"lessons": 3})", "lessons is not a list"},
      {R"({"lessons": [3]})", "lessons[0] is not an object"},
      {R"({"lessons": [{}]})", "lessons[0] has no \"lesson\""},
      {R"({"lesson": ""})", "lesson is empty"},
      {R"({"lesson": 5})", "lesson is not a text"},
      {R"({"lesson": "a", "rows": [{"values": []}]})", "rows[0] has no \"name\""},
      {R"({"lesson": "a", "rows": [{"name": "r", "values": [1]}]})", "rows[0] has 1 values for 0 columns"},
      {R"({"lesson": "a", "columns": [{"title": "t"}], "rows": [{"name": "r", "values": ["1"]}]})",
       "rows[0].values[0] is not a number"},
      {R"({"lesson": "a", "columns": [{"title": "t"}], "rows": [{"name": "r", "values": [1], "spreads": [1, 2]}]})",
       "2 spreads"},
      {R"({"lesson": "a", "columns": [{"title": "t"}], "rows": [{"name": "r", "values": [1e999]}]})", ""},
      {R"({"lesson": "a", "chart": {"curves": [{"values": [1]}, {"values": [1, 2]}]}})", "chart.curves[1] has 2"},
      {R"({"lesson": "a", "chart": {"first": null}})", "chart.first is not a number"},
      {R"({"lesson": "a", "chart": {"x": {"decades": "yes"}}})", "must be true or false"},
      {R"({"lesson": "a", "notes": [1]})", "notes[0] is not a text"},
      {R"({"lesson": "a", "parameters": {"k": 1}})", "not a text"}};
  for (const Malformed& each : all) {
    EXPECT_THAT([&] { runOf(each.text, "x"); }, ThrowsMessage<UsageError>(HasSubstr(each.why))) << each.text;
  }
}

TEST(StoredRunTest, IsReadWithinBounds) {
  EXPECT_THAT([] { runOf(std::string(100'000, '['), "x"); }, ThrowsMessage<UsageError>(HasSubstr("nested")));
  std::string many = R"({"lesson": "a", "columns": [)";
  for (int i = 0; i < 100; ++i) many += std::string(i == 0 ? "" : ",") + R"({"title": "t"})";
  EXPECT_THAT([&] { runOf(many + "]}", "x"); }, ThrowsMessage<UsageError>(HasSubstr("100 entries; at most 32")));
  const StoredFile large(std::string((16u << 20) + 1, ' '), "large.json");
  EXPECT_THAT([&] { readRun(large.path()); }, ThrowsMessage<UsageError>(HasSubstr("large.json")));
  EXPECT_THAT([] { readRun("/nowhere/run.json"); }, ThrowsMessage<UsageError>(HasSubstr("/nowhere/run.json")));
  const StoredRun run = runOf(R"({"lesson": "a\u001b[31m", "title": "\u202e)" + std::string(5000, 'x') + "\"}", "x");
  EXPECT_EQ(run.lessons[0].id.find('\x1b'), std::string::npos);
  EXPECT_LT(run.lessons[0].title.size(), 400u);
}

TEST(ComparisonTest, PutsRowsAndColumnsOfTheSameNameSideBySide) {
  Result a = plainResult(1), b = plainResult(2);
  b.rows.insert(b.rows.begin(), {"only there", {1, 2, 3}});
  std::swap(b.columns[0], b.columns[1]);
  for (Row& row : b.rows) std::swap(row.values[0], row.values[1]);
  const std::vector<Compared> all = compared(a, b);
  ASSERT_THAT(all, SizeIs(5)) << "the share that neither has is left out";
  EXPECT_EQ(all[0].row, "one");
  EXPECT_EQ(all[0].column, "Time");
  EXPECT_DOUBLE_EQ(all[0].ratio(), 2);
  EXPECT_DOUBLE_EQ(all[1].ratio(), 0.5);
  EXPECT_EQ(all[3].row, "two");
  EXPECT_DOUBLE_EQ(all[3].second, 4e-3);
}

TEST(ComparisonTest, RowsThatShareANameAreTakenInTheirOrder) {
  Result a = plainResult(1), b = plainResult(3);
  for (Result* each : {&a, &b}) each->rows[1].name = "one";
  const std::vector<Compared> all = compared(a, b);
  EXPECT_DOUBLE_EQ(all[3].first, 2e-3);
  EXPECT_DOUBLE_EQ(all[3].second, 6e-3);
  EXPECT_THAT(besides(a, 1, b)[0], testing::DoubleEq(6e-3));
}

TEST(ComparisonTest, TheOthersCurvesAreFaintAndLieWhereThisChartHasItsPlaces) {
  Chart a = plainResult(1).chart, b = plainResult(2).chart;
  b.first = 4;  // 1e4, 1e5, 1e6, by factors of ten again
  b.last = 6;
  const Chart both = withOther(a, b, "before");
  ASSERT_THAT(both.curves, SizeIs(3)) << "a limit is the machine's own";
  const Curve& faint = both.curves[2];
  EXPECT_EQ(faint.title, "one: before");
  EXPECT_TRUE(faint.expected);
  EXPECT_EQ(faint.like, 0);
  EXPECT_TRUE(std::isnan(faint.values[0]));
  EXPECT_NEAR(faint.values[1], 2e-5, 1e-12);
  EXPECT_NEAR(faint.values[2], 2e-4, 1e-11);
  b.first = 3.5;  // between its places as straight as decades are drawn
  b.last = 5.5;
  EXPECT_NEAR(withOther(a, b, "x").curves[2].values[1], 2e-5 * std::sqrt(10.0), 1e-11);
  b.x.unit = "B";
  EXPECT_THAT(withOther(a, b, "x").curves, SizeIs(2)) << "other axes are no comparison";
  b = a;
  b.last = b.first = 1e308;
  EXPECT_NO_THROW(withOther(a, b, "x"));
}

TEST(ComparisonTest, BarsGoByTheirNames) {
  Chart a, b;
  a.names = {"x", "y"};
  a.curves = {{"c", {1, 2}}};
  b.names = {"y", "z"};
  b.curves = {{"c", {5, 6}}};
  const Chart both = withOther(a, b, "o");
  ASSERT_THAT(both.curves, SizeIs(2));
  EXPECT_TRUE(std::isnan(both.curves[1].values[0]));
  EXPECT_EQ(both.curves[1].values[1], 5);
}

TEST(ComparisonTest, SaysWhatOnlyOneHasAndWhatWasMeasuredOtherwise) {
  const auto table = [](const std::vector<std::vector<std::string>>& cells) {
    std::string out;
    for (const auto& row : cells) {
      for (const auto& cell : row) out += cell + "|";
      out += "\n";
    }
    return out;
  };
  StoredRun a = runOf(written(1), "a.json"), b = runOf(written(2), "b.json");
  b.lessons.push_back({"more", "More", {}, {}, ""});
  a.lessons[0].parameters = {{"largest", "10"}};
  b.lessons[0].parameters = {{"largest", "20"}};
  const std::string text = comparisonText(a, b, "", table);
  EXPECT_THAT(text, HasSubstr("A: a.json (A machine)"));
  EXPECT_THAT(text, HasSubstr("one|Time|1.00 ± 0.10 ms|2.00 ± 0.20 ms|2|"));
  EXPECT_THAT(text, HasSubstr("largest = 10 in A, 20 in B"));
  EXPECT_THAT(text, HasSubstr("More: only in B"));
  EXPECT_THAT([&] { comparisonText(a, b, "more", table); }, ThrowsMessage<UsageError>(HasSubstr("not in both")));
  a.lessons[0].failure = "wrong result";
  EXPECT_THAT(comparisonText(a, b, "", table), Not(HasSubstr("one|")));
}

TEST(LessonTextTest, SpreadsStandInTablesAndFiles) {
  EXPECT_EQ(valueText(12.345e-6, 0.21e-6, "s"), "12.35 ± 0.21 µs");
  EXPECT_EQ(valueText(2.93e12, 4e10, "B/s"), "2.930 ± 0.040 TB/s");
  EXPECT_EQ(valueText(12.345e-6, std::nan(""), "s"), "12.35 µs");
  EXPECT_EQ(valueText(5e-3, 0, "s"), "5.000 ± 0.000 ms");
  const Outcome outcome = outcomeOfScale(1);
  EXPECT_THAT(csv(*outcome.result), HasSubstr("name,Time [s],± Time [s],Rate [B/s],± Rate [B/s],Of the limit [%]\n"
                                              "one,0.001,0.0001"));
  EXPECT_EQ(cellsOf(*outcome.result)[1][1], "1.00 ± 0.10 ms");
  EXPECT_THAT(json(*outcome.lesson, outcome.parameters, *outcome.result).at("rows").at(0).at("spreads"), SizeIs(3));
}

TEST(NotebookTest, ShowsAnotherRunAloneAndBesideItsOwn) {
  Notebook notebook("cpu");
  EXPECT_FALSE(notebook.shown());
  EXPECT_THAT([&] { notebook.write("/tmp/x.csv", false); },
              ThrowsMessage<UsageError>(HasSubstr("was not measured yet")));
  const StoredFile file(written(2));
  notebook.open(file.path());
  EXPECT_TRUE(notebook.showsOther());
  EXPECT_THAT(notebook.besideText(), HasSubstr("run.json (A machine)"));
  ASSERT_TRUE(notebook.shown());
  EXPECT_THAT(notebook.cells(), SizeIs(3));

  notebook.choose(lessonById("cpu_threads"));
  EXPECT_FALSE(notebook.shown());
  EXPECT_THAT(notebook.besideText(), HasSubstr("does not have this lesson"));
  notebook.choose(*lessons().front());
  notebook.measure();
  while (notebook.measuring()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(notebook.poll());
  ASSERT_NE(notebook.outcome(), nullptr);
  ASSERT_TRUE(notebook.outcome()->result) << notebook.outcome()->failure;
  EXPECT_FALSE(notebook.showsOther());
  EXPECT_EQ(notebook.version(), 1u);

  const std::filesystem::path mine = std::filesystem::path(testing::TempDir()) / "mine.json";
  notebook.write(mine, true);
  notebook.open(mine);
  const auto cells = notebook.cells();
  const std::size_t rows = notebook.outcome()->result->rows.size();
  ASSERT_EQ(cells.size(), 1 + 2 * rows);
  EXPECT_EQ(cells[2][0], "> mine.json");
  EXPECT_THAT(notebook.tabbed(), HasSubstr("\t"));
  notebook.putAway();
  EXPECT_EQ(notebook.cells().size(), 1 + rows);
  EXPECT_THAT([&] { notebook.open("/nowhere.json"); }, ThrowsMessage<UsageError>(HasSubstr("nowhere")));
  std::filesystem::remove(mine);
}

TEST(NotebookTest, AFileThatIsNoRunLeavesTheOneThatIsOpen) {
  Notebook notebook("cpu");
  const StoredFile good(written(2)), bad("{", "bad.json");
  notebook.open(good.path());
  EXPECT_THROW(notebook.open(bad.path()), UsageError);
  ASSERT_NE(notebook.beside(), nullptr);
  EXPECT_EQ(notebook.beside()->name, "run.json");
}

}  // namespace
}  // namespace simscope::lab
