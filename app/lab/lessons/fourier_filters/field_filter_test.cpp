// A filtered frame of a run: passed waves, blocked waves, and no effect on the run.
#include "app/lab/lessons/fourier_filters/field_filter.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include <functional>

#include "app/lab/lesson.h"

namespace simscope::lab::fourier_filters {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int kWide = 60, kHigh = 36;  // no powers of two

// A frame as a simulation publishes it, and the description of what it shows.
struct FieldRun {
  Description description;
  Frame frame;
  std::vector<float> values;

  FieldRun(const compute::DevicePtr& device, FieldStyle style, std::vector<float> all) : values(std::move(all)) {
    FieldView field;
    field.channel = "field";
    field.style = style;
    CurveView curves;
    description.id = "made_up";
    description.title = "Made up";
    description.parameters = std::make_shared<const std::vector<ParameterInfo>>();
    description.views = {{.key = "both", .title = "Both", .kind = LinkedView{{{.view = "curve"}, {.view = "plane"}}}},
                         {.key = "plane", .title = "The plane", .kind = field},
                         {.key = "curve", .title = "A curve", .kind = curves}};
    frame.device = device;
    frame.parameters = description.defaults();
    Channel& channel = frame.channel("field", kWide, kHigh, static_cast<int>(values.size() / (kWide * kHigh)));
    channel.low = -2;
    channel.high = 2;
    publish();
  }
  void publish() {
    frame.channels.front().data.upload(values);
    frame.ready.record(*frame.device);
    ++frame.sequence;
  }
  bool follow(FieldFilter& filter, const FilterFormula& formula) const {
    return filter.follow(description, description.view("plane"), frame, formula);
  }
};

std::vector<float> field(const std::function<double(double, double)>& of) {
  std::vector<float> all;
  for (int y = 0; y < kHigh; ++y) {
    for (int x = 0; x < kWide; ++x) all.push_back(static_cast<float>(of(x, y)));
  }
  return all;
}
// Whole cycles along the field, so that the wave goes on at its edges.
double wave(double x, double y, int along_x, int along_y) {
  return std::cos(2 * std::numbers::pi * (along_x * x / kWide + along_y * y / kHigh) + 0.4);
}
std::vector<float> noise() {
  std::uint32_t state = 5;
  return field([&](double, double) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) * 0x1p-23 - 1;
  });
}
std::vector<float> left(const FieldFilter& filter) {
  return filter.frame().find(kFiltered)->data.toHost();
}
double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double most = 0;
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  }
  return most;
}

const FilterFormula kAll{"1", 0.05}, kLow{"(k < c) ? 1 : 0", 0.1};

class FieldFilters : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string why = compute::Device::whyNoCuda();
    if (GetParam() == std::string("cuda") && !why.empty()) GTEST_SKIP() << why;
    device = compute::Device::open(GetParam());
  }
  compute::DevicePtr device;
};

TEST_P(FieldFilters, ThatPassEverythingGiveTheFieldBack) {
  const FieldRun run(device, FieldStyle::Scalar, noise());
  FieldFilter filter;
  ASSERT_TRUE(run.follow(filter, kAll));
  EXPECT_LT(distance(left(filter), run.values), 2e-6);
  EXPECT_EQ(filter.frame().find(kOriginal)->data.toHost(), run.values);
}

TEST_P(FieldFilters, LeaveOfASumOfWavesThoseThatTheyPass) {
  const auto slow = [](double x, double y) { return 0.3 + wave(x, y, 3, 0) + 0.5 * wave(x, y, 2, -2); };
  const FieldRun run(device, FieldStyle::Scalar, field([&](double x, double y) {
                       return slow(x, y) + 0.7 * wave(x, y, 12, 0) + 0.4 * wave(x, y, 5, 9);
                     }));
  FieldFilter filter;
  ASSERT_TRUE(run.follow(filter, kLow));
  EXPECT_LT(distance(left(filter), field(slow)), 3e-6);
  // What is seen of the spectrum: half of each amplitude at both of its places, and nothing elsewhere.
  const std::vector<float> spectrum = filter.frame().find(kSpectrum)->data.toHost();
  const auto at = [&](int kx, int ky) {
    return std::pow(10,
                    static_cast<double>(spectrum[static_cast<std::size_t>((ky + kHigh / 2) * kWide + kx + kWide / 2)]));
  };
  EXPECT_NEAR(at(0, 0), 0.3, 1e-5);
  EXPECT_NEAR(at(3, 0), 0.5, 1e-5);
  EXPECT_NEAR(at(-3, 0), 0.5, 1e-5);
  EXPECT_NEAR(at(2, -2), 0.25, 1e-5);
  EXPECT_NEAR(at(-2, 2), 0.25, 1e-5);
  EXPECT_LT(at(12, 0), 1e-9);
  EXPECT_LT(at(5, 9), 1e-9);
  EXPECT_LT(at(1, 1), 1e-6);
}

TEST_P(FieldFilters, TakeAFormulaOfOnesOwn) {
  const FieldRun run(device, FieldStyle::Scalar,
                     field([](double x, double y) { return wave(x, y, 6, 0) + wave(x, y, 0, 6) + 1; }));
  FieldFilter filter;
  ASSERT_TRUE(run.follow(filter, {"(abs(kx) > c) ? 0.5 : 0", 0.05}));
  EXPECT_LT(distance(left(filter), field([](double x, double y) { return 0.5 * wave(x, y, 6, 0); })), 3e-6);
}

TEST_P(FieldFilters, TakeTheMeanAwayAndThenLieAroundZero) {
  const FieldRun run(device, FieldStyle::Scalar, field([](double x, double y) { return 1 + wave(x, y, 20, 0); }));
  FieldFilter filter;
  ASSERT_TRUE(run.follow(filter, {"(k < c) ? 0 : 1", 0.1}));
  EXPECT_LT(distance(left(filter), field([](double x, double y) { return wave(x, y, 20, 0); })), 3e-6);
  const Channel& channel = *filter.frame().find(kFiltered);
  EXPECT_EQ(channel.low, -channel.high);
}

TEST_P(FieldFilters, FilterComplexFieldsWithTheirPhase) {
  std::vector<float> values, expected;
  for (int y = 0; y < kHigh; ++y) {
    for (int x = 0; x < kWide; ++x) {
      const double slow = 2 * std::numbers::pi * 2 * x / kWide, fast = -2 * std::numbers::pi * 15 * x / kWide;
      expected.push_back(static_cast<float>(std::cos(slow)));
      expected.push_back(static_cast<float>(std::sin(slow)));
      values.push_back(static_cast<float>(std::cos(slow) + std::cos(fast)));
      values.push_back(static_cast<float>(std::sin(slow) + std::sin(fast)));
    }
  }
  const FieldRun run(device, FieldStyle::Complex, values);
  FieldFilter filter;
  ASSERT_TRUE(run.follow(filter, kLow));
  EXPECT_LT(distance(left(filter), expected), 3e-6);
}

TEST_P(FieldFilters, LeaveCellsWithoutANumberWithoutOne) {
  std::vector<float> values(kWide * kHigh, 1.0f);
  values[70] = std::nanf("");
  const FieldRun run(device, FieldStyle::Scalar, values);
  FieldFilter filter;
  ASSERT_TRUE(run.follow(filter, kAll));
  const std::vector<float> got = left(filter);
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(std::isnan(got[i]), i == 70) << i;
    if (i != 70) {
      EXPECT_NEAR(got[i], 1, 2e-6);
    }
  }
}

TEST_P(FieldFilters, ComputeOnceAFrameAndDoNotTouchIt) {
  FieldRun run(device, FieldStyle::Scalar, noise());
  FieldFilter filter;
  EXPECT_TRUE(run.follow(filter, kLow));
  EXPECT_FALSE(run.follow(filter, kLow)) << "the run has not gone on";
  EXPECT_EQ(filter.transforms(), 1u);
  EXPECT_TRUE(run.follow(filter, kAll)) << "the filter is another";
  const compute::Counters before = filter.device()->counters();
  run.publish();
  EXPECT_TRUE(run.follow(filter, kAll));
  EXPECT_EQ(filter.transforms(), 3u);
  EXPECT_EQ(filter.device()->counters().bytes_to_host, before.bytes_to_host);
  EXPECT_EQ(filter.device()->counters().bytes_to_device, before.bytes_to_device);
  EXPECT_NE(filter.device(), run.frame.device) << "the run's device is the run's thread's";
  EXPECT_EQ(run.frame.find("field")->data.toHost(), run.values);
}

TEST_P(FieldFilters, RefuseWhatIsNoFilterAndKeepTheLastPicture) {
  const FieldRun run(device, FieldStyle::Scalar, noise());
  FieldFilter filter;
  ASSERT_TRUE(run.follow(filter, kAll));
  EXPECT_THAT(
      [&] {
        run.follow(filter, {"1/k", 0.1});
      },
      ThrowsMessage<UsageError>(AllOf(HasSubstr("1/k"), HasSubstr("kx = 0"))));
  EXPECT_THROW(run.follow(filter, {"exp(", 0.1}), UsageError);
  EXPECT_THROW(run.follow(filter, {"r + 1", 0.1}), UsageError);
  EXPECT_LT(distance(left(filter), run.values), 2e-6);
  EXPECT_FALSE(run.follow(filter, kAll));
}

INSTANTIATE_TEST_SUITE_P(On, FieldFilters, testing::Values("cpu", "cuda"));

TEST(FieldFilterTest, TheFieldOfAFigureIsItsFirstPanelThatIsOne) {
  const FieldRun run(compute::Device::open("cpu", 1), FieldStyle::Scalar, noise());
  EXPECT_EQ(shownField(run.description, "both")->key, "plane");
  EXPECT_EQ(shownField(run.description, "plane")->key, "plane");
  EXPECT_EQ(shownField(run.description, "curve"), nullptr);
  FieldFilter filter(1);
  EXPECT_THROW(filter.follow(run.description, run.description.view("curve"), run.frame, kAll), UsageError);
}

TEST(FieldFilterTest, TheLessonsKnobsSayWhatIsFiltered) {
  ParameterSet set = lessonById("fourier_filters").defaults();
  EXPECT_FALSE(filtersField(set));
  set.setText("source", "field");
  set.setText("filter", "own");
  set.setText("kernel", "kx^2");
  set.setText("c", "0.2");
  EXPECT_TRUE(filtersField(set));
  EXPECT_EQ(filterFormulaOf(set), (FilterFormula{"kx^2", 0.2}));
}

}  // namespace
}  // namespace simscope::lab::fourier_filters
