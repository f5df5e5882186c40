// What edges absorb, and where it is counted.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sims/schrodinger2d/testing.h"

namespace simscope::schrodinger2d {
namespace {

using tests::Changes;
using tests::small;
using tests::start;
using tests::with;

TEST(AbsorbingEdges, TakeThePacketAndTheAccountsAgree) {
  Stepper run = start(small({{"absorbing_edges", "on"}, {"momentum_x", "4"}, {"packet_x", "0"}, {"momentum_y", "3"}}));
  EXPECT_NEAR(run.diagnostics()[kAbsorbed], 0, 1e-12);
  run.step(250);  // t = 2.5: half has entered the layers
  const auto d = run.diagnostics();
  EXPECT_GT(d[kAbsorbed], 0.1);
  EXPECT_NEAR(d[kAbsorbed] + d[kNorm], 1, 1e-12);
  EXPECT_TRUE(std::isnan(d[kNormDrift]));
  // Closed again, what is left stays.
  run.configure(with({{"absorbing_edges", "off"}}, run.simulation().parameters()));
  const double left = run.diagnostics()[kNorm];
  run.step(50);
  EXPECT_NEAR(run.diagnostics()[kNorm], left, 1e-10);
  EXPECT_NEAR(run.diagnostics()[kNormDrift], 0, 1e-10);
  EXPECT_NEAR(run.diagnostics()[kAbsorbed], 1 - left, 1e-10);
}

// As much passes as in a plane twice as large, from which nothing has left.
TEST(AbsorbingEdges, WhatEdgesAbsorbedCountsOnTheSideWhereTheyDid) {
  for (const double from : {-4.0, 4.0}) {
    const ParameterSet set = small({{"potential", "barrier"},
                                    {"barrier_height", "4"},
                                    {"barrier_width", "0.5"},
                                    {"packet_x", std::to_string(from)},
                                    {"packet_y", "0"},
                                    {"momentum_x", std::to_string(-0.75 * from)},
                                    {"momentum_y", "0"}});
    Stepper open = start(with({{"absorbing_edges", "on"}}, set));
    open.step(1000);
    const auto late = open.diagnostics();
    EXPECT_GT(late[kAbsorbed], 0.9) << "nearly all has left";
    EXPECT_NEAR(late[kNorm] + late[kAbsorbed], 1, 1e-12);
    EXPECT_NEAR(late[kTransmitted] + late[kReflected], 1, 1e-3) << "but for what is in the barrier";
    Stepper whole = start(with({{"domain_length", "40"}, {"grid_points", "256"}}, set));
    whole.step(400);
    EXPECT_NEAR(late[kTransmitted], whole.diagnostics()[kTransmitted], 0.01) << "from " << from;
  }
}

TEST(AbsorbingEdges, EveryEdgeAbsorbs) {
  const Changes ways[] = {{{"momentum_x", "4"}, {"momentum_y", "0"}},
                          {{"momentum_x", "-4"}, {"momentum_y", "0"}},
                          {{"momentum_x", "0"}, {"momentum_y", "4"}},
                          {{"momentum_x", "0"}, {"momentum_y", "-4"}}};
  for (const Changes& way : ways) {
    Stepper run = start(with(way, small({{"absorbing_edges", "on"}, {"packet_x", "0"}, {"packet_y", "0"}})));
    run.step(450);  // t = 4.5: without absorption it would be back at the middle
    EXPECT_LT(run.diagnostics()[kNorm], 0.02);
  }
}

const Finding* reflects(const std::vector<Finding>& findings) {
  for (const Finding& each : findings) {
    if (each.code == "absorbing_edges_reflect") return &each;
  }
  return nullptr;
}

// With room for wider layers, and without. `left`: of the packet, when all of it should be gone.
TEST(AbsorbingEdges, SendBackNoMoreThanTheySay) {
  struct Case {
    const char *k, *x, *sigma;
    bool finds;
    double left;
  };
  for (const Case& each : {Case{"0.5", "0", "3", true, 0.03},
                           {"1", "0", "3", false, 1e-3},
                           {"1", "-11", "2.2", true, 0.02},
                           {"2", "0", "3", false, 1e-4}}) {
    ParameterSet set = with({{"potential", "none"},
                             {"absorbing_edges", "on"},
                             {"packet_x", each.x},
                             {"momentum_x", each.k},
                             {"packet_width", each.sigma},
                             {"grid_points", "64"},
                             {"time_step", "0.5"}});
    Stepper run = start(set);
    const std::vector<Finding> found = run.findings();
    const Finding* const finding = reflects(found);
    ASSERT_EQ(finding != nullptr, each.finds) << each.k << ", " << each.x;
    run.step(static_cast<int>(160 / std::stod(each.k)));
    EXPECT_LT(run.diagnostics()[kNorm], each.left) << each.k << ", " << each.x;
    if (!finding) continue;
    EXPECT_EQ(finding->key, "domain_length");
    set.setText(finding->key, finding->value);
    EXPECT_EQ(reflects(start(set).findings()), nullptr) << each.k << ": " << finding->value;
  }
}

TEST(AbsorbingEdges, FitThePacketThatWasLaunched) {
  const Changes common = {{"potential", "none"}, {"packet_x", "0"}, {"packet_width", "2"}, {"grid_points", "128"}};
  Stepper slow = start(with({{"momentum_x", "1.5"}, {"absorbing_edges", "on"}}, with(common)));
  Stepper launched = start(with({{"momentum_x", "6"}, {"absorbing_edges", "on"}}, with(common)));
  launched.poke({.tool = "packet", .x = 0, .y = 0, .dx = 1.5, .dy = 0});
  for (Stepper* const run : {&slow, &launched}) run->step(4000);  // t = 10
  EXPECT_NEAR(slow.diagnostics()[kAbsorbed], launched.diagnostics()[kAbsorbed], 1e-4);
}

}  // namespace
}  // namespace simscope::schrodinger2d
