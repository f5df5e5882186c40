#include "sims/core/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sims/core/clock.h"
#include "sims/core/testing/testing.h"

namespace simscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::refusal;

struct Pair {
  float a, b;
};

// A state of every kind of entry.
struct Sample {
  compute::DevicePtr device = tests::cpu();
  compute::Buffer<float> field{device, std::vector<float>{1, 2, 3, 4, 5, 6}};
  compute::Buffer<Pair> pairs;
  compute::Buffer<double> tally{device, std::vector<double>{7, 8}};
  double time = 0.5;
  bool untouched = true;
  int last = 3;
  std::int64_t step = 4;
  std::vector<int> order{};

  void visit(Archive& archive) {
    archive.buffer("field", "the field", {2, 3}, field, device, {-10, 10});
    archive.buffer<float>("pairs", "two by two", {2, 2}, pairs, device, {}, WhenMissing::Empty);
    archive.buffer("tally", "counts", {2}, tally, device, {0}, WhenMissing::Zero);
    archive.then([this] { order.push_back(1); });
    archive.values<int>(
        "made", "made when asked for", {3},
        [] {
          return std::vector<int>{4, 5, 6};
        },
        [this](const std::vector<int>& values) { order.insert(order.end(), values.begin(), values.end()); }, {},
        WhenMissing::Leave);
    archive.number("time", time);
    archive.number("untouched", untouched);
    archive.number("last", last, {0, 7});
    archive.number("step", step, {0, static_cast<double>(archive.steps(10))});
    archive.constant("columns", 3);
  }
  State save() {
    State state;
    state.simulation = "sample";
    state.steps = 10;
    SaveArchive archive(state);
    visit(archive);
    archive.finish();
    return state;
  }
  void load(const State& state) {
    ListArchive list;
    visit(list);
    LoadArchive archive("sample", state, list.numbers().size());
    visit(archive);
    archive.take();
  }
};

StateArray& arrayNamed(State& state, const std::string& name) {
  for (StateArray& each : state.arrays) {
    if (each.name == name) return each;
  }
  ADD_FAILURE() << "no array " << name;
  return state.arrays.front();
}

TEST(Archive, WhatIsSavedIsLoaded) {
  Sample sample;
  sample.pairs = {sample.device, std::vector<Pair>{{1, 2}, {3, 4}}};
  const State state = sample.save();
  Sample other;
  other.field.upload(std::vector<float>(6));
  other.time = -1;
  other.untouched = false;
  other.last = 0;
  other.step = 0;
  other.load(state);
  EXPECT_THAT(other.field.toHost(), ElementsAre(1, 2, 3, 4, 5, 6));
  ASSERT_EQ(other.pairs.size(), 2u);  // made
  EXPECT_EQ(other.pairs.toHost()[1].b, 4);
  EXPECT_EQ(other.time, 0.5);
  EXPECT_TRUE(other.untouched);
  EXPECT_EQ(other.last, 3);
  EXPECT_EQ(other.step, 4);
  EXPECT_THAT(other.order, ElementsAre(1, 4, 5, 6));  // in the order of the table
  EXPECT_EQ(other.save().arrays.back().bytes, state.arrays.back().bytes);
}

TEST(Archive, TheListIsOfWhatIsSaved) {
  Sample sample;
  for (const bool with_pairs : {false, true}) {
    if (with_pairs) sample.pairs = {sample.device, std::vector<Pair>(2)};
    ListArchive list;
    sample.visit(list);
    const State state = sample.save();
    EXPECT_EQ(list.bytes(), state.bytes());
    ASSERT_EQ(list.arrays().size() + 1, state.arrays.size());
    for (std::size_t i = 0; i < list.arrays().size(); ++i) {
      EXPECT_EQ(list.arrays()[i].name, state.arrays[i].name);
      EXPECT_EQ(list.arrays()[i].dtype, state.arrays[i].dtype);
      EXPECT_EQ(list.arrays()[i].shape, state.arrays[i].shape);
    }
  }
}

TEST(Archive, WhatIsMissing) {
  Sample sample;
  sample.pairs = {sample.device, std::vector<Pair>(2)};
  State state = sample.save();
  std::erase_if(state.arrays, [](const StateArray& each) { return each.name != "field"; });
  sample.time = 2;
  sample.order.clear();
  sample.load(state);
  EXPECT_TRUE(sample.pairs.empty());
  EXPECT_THAT(sample.tally.toHost(), ElementsAre(0, 0));
  EXPECT_EQ(sample.time, 2);
  EXPECT_THAT(sample.order, ElementsAre(1));
  state.arrays.clear();
  EXPECT_THAT(refusal([&] { sample.load(state); }), HasSubstr("has no array 'field'"));
}

TEST(Archive, EachNumberHasItsOwnRange) {
  const auto why = [](std::vector<double> numbers) {
    Sample sample;
    State state = sample.save();
    arrayNamed(state, "run") = arrayOf("run", "<f8", {numbers.size()}, numbers);
    return refusal([&] { sample.load(state); });
  };
  EXPECT_EQ(why({-3, 1, 7, 10, 3}), "");
  EXPECT_EQ(why({-3, 1, -5, 4, 3}),
            "sample: the state's array 'run' is -5 at [2], last; it must be a whole number from 0 to 7");
  EXPECT_THAT(why({std::nan(""), 1, 0, 4, 3}), HasSubstr("is nan at [0], time"));
  EXPECT_THAT(why({HUGE_VAL, 1, 0, 4, 3}), HasSubstr("is inf at [0], time; it must be a finite number"));
  EXPECT_THAT(why({0, 0.5, 0, 4, 3}), HasSubstr("is 0.5 at [1], untouched; it must be a whole number from 0 to 1"));
  EXPECT_THAT(why({0, 1, 0, 11, 3}), HasSubstr("is 11 at [3], step"));
  EXPECT_THAT(why({0, 1, 0, 4, 4}), HasSubstr("is 4 at [4], columns"));
  EXPECT_THAT(why({0, 1, 0, 4}), HasSubstr("must have 5 values of type <f8"));
}

// The last entry of the table is bad: nothing before it was taken.
TEST(Archive, ARefusedStateChangesNothing) {
  Sample sample, other;
  other.field.upload(std::vector<float>{9, 9, 9, 9, 9, 9});
  other.pairs = {other.device, std::vector<Pair>(2)};
  other.time = 9;
  State state = other.save();
  arrayNamed(state, "run") = arrayOf("run", "<f8", {5}, std::vector<double>{9, 0, 1, 2, 99});
  EXPECT_NE(refusal([&] { sample.load(state); }), "");
  EXPECT_THAT(sample.field.toHost(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_TRUE(sample.pairs.empty());
  EXPECT_EQ(sample.time, 0.5);
  EXPECT_TRUE(sample.order.empty());
}

TEST(Archive, AnExtentComesFromTheState) {
  const State state = Sample().save();
  LoadArchive archive("sample", state, 5);
  EXPECT_EQ(archive.extent("field", 1, 77, 100), 3u);
  EXPECT_EQ(archive.extent("none", 0, 77, 100), 77u);
  EXPECT_THAT(refusal([&] { archive.extent("field", 1, 77, 2); }),
              HasSubstr("must have 1 to 2 values along its axis 1"));
  EXPECT_THAT(refusal([&] { archive.extent("field", 2, 77, 100); }), HasSubstr("'field'"));
  ListArchive list;
  EXPECT_EQ(list.extent("field", 1, 77, 100), 77u);
}

TEST(Clock, KeepsTheTimeOfAStepWhereTheTimeStepChanges) {
  Clock clock;
  EXPECT_EQ(clock.at(10, 0.1), 1.0);
  clock = {clock.at(10, 0.1), 10};
  EXPECT_EQ(clock.at(10, 0.5), 1.0);
  EXPECT_EQ(clock.at(12, 0.5), 2.0);
}

}  // namespace
}  // namespace simscope
