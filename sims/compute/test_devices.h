// For tests: the devices that a parameterised test runs on, and its skip where one is not there.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "sims/compute/device.h"

namespace simscope::compute {

class OnEveryDevice : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string spec = GetParam();
    if (spec != "cpu" && !Device::whyNoCuda().empty()) GTEST_SKIP() << Device::whyNoCuda();
    device_ = Device::open(spec, spec == "cpu" ? 3 : 0);
  }
  DevicePtr device_;
};

inline std::string deviceTestName(const testing::TestParamInfo<const char*>& info) {
  return std::string(info.param) == "cpu" ? "Cpu" : "Cuda";
}

}  // namespace simscope::compute

#define SIMSCOPE_ON_EVERY_DEVICE(Suite) \
  INSTANTIATE_TEST_SUITE_P(Devices, Suite, testing::Values("cpu", "cuda:0"), ::simscope::compute::deviceTestName)
