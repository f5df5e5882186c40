// The form of a sweep: a valid proposal for every simulation, and errors at their fields.
#include "app/sweep/form.h"

#include <gmock/gmock.h>

#include "app/sweep/estimate.h"
#include "app/sweep/picture.h"
#include "sims/core/registry.h"
#include "sims/core/testing/fake_simulation.h"
#include "sims/tunneling/simulation.h"
#include "tests/sweep/support.h"

namespace simscope::sweep::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

Scene tunnel() {
  return Scene::fromPreset(tunneling::description(), "tunnelling");
}

Form overHeight() {
  const Scene scene = tunnel();
  Form form = proposedForm(scene);
  form.axes = {proposedAxis(scene, scene.parameters.find("barrier_height"), 5)};
  return form;
}

// The one error of the form, which is of this field.
std::string onlyError(const Form& form, FormField field, std::size_t axis = 0) {
  const FilledForm result = filled(form, tunnel());
  EXPECT_FALSE(result.plan);
  EXPECT_EQ(result.errors.size(), 1u);
  const FormError* const error = result.find(field, axis);
  return error ? error->text : "no error of this field";
}

TEST(SweepForm, ProposesASweepOfEveryPresetOfEverySimulation) {
  for (const Description* each : simulations()) {
    for (const Preset& preset : each->presets) {
      const Scene scene = Scene::fromPreset(*each, preset.key);
      Form form = proposedForm(scene);
      const FilledForm one = filled(form, scene);
      ASSERT_THAT(one.errors, IsEmpty()) << each->id << " " << preset.key << ": " << one.errors.front().text;
      EXPECT_THAT(one.notes, IsEmpty()) << each->id << " " << preset.key << ": " << one.notes.front();
      EXPECT_GE(one.plan->runs(), 2u);
      const std::string& swept = each->parameters->at(one.plan->axes.front().parameter).key;
      EXPECT_NE(swept, "time_step") << each->id << " " << preset.key << ": it tells nothing of physics";
      if (sweptParameters(scene.parameters).size() < 2) continue;
      addSecondAxis(form, scene);
      const FilledForm two = filled(form, scene);
      ASSERT_THAT(two.errors, IsEmpty()) << each->id << " " << preset.key << ": " << two.errors.front().text;
      EXPECT_EQ(two.plan->axes.size(), 2u);
    }
  }
}

TEST(SweepForm, ProposesWhatCanBeComparedWithTheExactValue) {
  const Form form = proposedForm(tunnel());
  EXPECT_EQ(tunneling::description().diagnostics[form.measure].key, "transmission");
}

TEST(SweepForm, IsThePlanOfTheCommandLine) {
  Form form = overHeight();
  form.axes[0].from = "1/2";
  form.axes[0].to = "2*1.25";
  form.axes[0].count = "4";
  form.steps = "30";
  const FilledForm result = filled(form, tunnel());
  ASSERT_TRUE(result.plan);
  const Plan typed = planWith(tunnel(), {"barrier_height=0.5:2.5:4"}, {"transmission"}, 30);
  EXPECT_EQ(result.plan->axes, typed.axes);
  EXPECT_EQ(result.plan->values, typed.values);
  EXPECT_EQ(result.plan->measures, typed.measures);
  EXPECT_EQ(result.plan->steps, typed.steps);
  form.steps.clear();
  EXPECT_EQ(filled(form, tunnel()).plan->steps, planWith(tunnel(), {"barrier_height=1:2:2"}, {"norm"}, {}).steps);
}

TEST(SweepForm, TakesAListWhichBeginsWithTheValuesOfTheRange) {
  Form form = overHeight();
  form.axes[0].from = "1";
  form.axes[0].to = "3";
  form.axes[0].count = "3";
  EXPECT_EQ(listedText(form.axes[0], tunnel().parameters), "1, 2, 3");
  form.axes[0].listed = true;
  form.axes[0].values = "1, 3/2, 8";
  form.axes[0].from = "no number: the range is not used";
  const FilledForm result = filled(form, tunnel());
  ASSERT_TRUE(result.plan);
  EXPECT_EQ(result.plan->values, planWith(tunnel(), {"barrier_height=1,1.5,8"}, {"norm"}, 1).values);
  form.axes[0].values = "1, high";
  EXPECT_THAT(onlyError(form, FormField::Values), HasSubstr("barrier_height"));
  form.axes[0].values = "1";
  EXPECT_THAT(onlyError(form, FormField::Values), HasSubstr("range 2 to 5000"));
}

TEST(SweepForm, SaysWhatIsWrongWhereItIs) {
  Form form = overHeight();
  form.axes[0].from = "high";
  EXPECT_THAT(onlyError(form, FormField::From), HasSubstr("barrier_height"));
  form = overHeight();
  form.axes[0].to = "1e9";
  EXPECT_THAT(onlyError(form, FormField::To), AllOf(HasSubstr("barrier_height"), HasSubstr("nearest")));
  form = overHeight();
  form.axes[0].to = form.axes[0].from;
  EXPECT_THAT(onlyError(form, FormField::To), HasSubstr("must differ"));
  form = overHeight();
  form.axes[0].count = "1";
  EXPECT_THAT(onlyError(form, FormField::Count), AllOf(HasSubstr("from 2 to 10000"), HasSubstr("nearest 2")));
  form.axes[0].count = "2.5";
  EXPECT_THAT(onlyError(form, FormField::Count), HasSubstr("whole number"));
  form.axes[0].count = "many";
  EXPECT_THAT(onlyError(form, FormField::Count), HasSubstr("from 2 to 10000"));
  form = overHeight();
  form.axes[0].from = "0";
  form.axes[0].log = true;
  EXPECT_THAT(onlyError(form, FormField::Spacing), HasSubstr("above 0"));
  form = overHeight();
  form.steps = "0";
  EXPECT_THAT(onlyError(form, FormField::Steps), HasSubstr("nearest 1"));
  form = overHeight();
  addSecondAxis(form, tunnel());
  form.axes[1].parameter = form.axes[0].parameter;
  form.axes[1].from = "1";
  form.axes[1].to = "2";
  form.axes[1].unit = form.axes[0].unit;
  EXPECT_THAT(onlyError(form, FormField::Parameter, 1), HasSubstr("must differ"));
}

TEST(SweepForm, RefusesMoreThanThereIsRoomFor) {
  Form form = overHeight();
  addSecondAxis(form, tunnel());
  form.axes[0].count = "1000";
  form.axes[1].count = "1000";
  EXPECT_THAT(onlyError(form, FormField::Count, 1), HasSubstr("at most 100 values"));
  form = overHeight();
  form.axes[0].count = "65";
  form.figures = true;
  EXPECT_THAT(onlyError(form, FormField::Shown), HasSubstr("1 to 64"));
  form.figures = false;
  EXPECT_TRUE(filled(form, tunnel()).plan);
}

TEST(SweepForm, TakesUnitsAndShowsTheOneThatSuits) {
  for (const Description* each : simulations()) {
    if (each->id != "diffraction") continue;
    const Scene scene = Scene::fromPreset(*each, each->presets.front().key);
    Form form = proposedForm(scene);
    form.axes = {proposedAxis(scene, scene.parameters.find("wavelength"), 3)};
    EXPECT_NE(form.axes[0].unit, "");
    form.axes[0].from = "400 nm";
    form.axes[0].to = "0.7 um";
    const FilledForm result = filled(form, scene);
    ASSERT_TRUE(result.plan) << result.errors.front().text;
    const double unit = std::get<double>(result.plan->values[0][2]) / std::get<double>(result.plan->values[0][0]);
    EXPECT_NEAR(unit, 1.75, 1e-12);
    return;
  }
  GTEST_SKIP() << "this build has no diffraction";
}

TEST(SweepEstimate, FollowsTheCostOfAStepAndWhatWasMadeBefore) {
  const Plan plan = planWith(sceneWith(fake::description()), {"growth=1:2:5"}, {"first"}, 100);
  KnownCost known{plan.scene.parameters, 0, simscope::tests::cpu(2)->info()};
  EXPECT_FALSE(estimateOf(plan, known, {}, false).seconds) << "nobody has measured a step";
  known.step_seconds = 1e-3;
  EXPECT_NEAR(*estimateOf(plan, known, {}, false).seconds, 5 * 100 * 1e-3, 1e-9);
  Result result = made(plan);
  result.seconds = 2;
  const FormerSweep former = formerOf(plan, result, false);
  const Plan longer = planWith(sceneWith(fake::description()), {"growth=1:2:10"}, {"first"}, 200);
  const Estimate estimate = estimateOf(longer, known, former, false);
  EXPECT_NEAR(*estimate.seconds, 8, 1e-6) << "twice the runs of twice the steps";
  EXPECT_FALSE(estimate.at_most);
  EXPECT_NEAR(*estimateOf(longer, known, former, true).seconds, 10 * 200 * 1e-3, 1e-6) << "figures are another thing";
  EXPECT_EQ(estimateOf(longer, known, former, true).at_a_time, 10u);
}

}  // namespace
}  // namespace simscope::sweep::tests
