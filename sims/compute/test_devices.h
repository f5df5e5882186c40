// For tests: the devices that they run on, and their skip where one is not there.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "sims/compute/device.h"

// For "cpu" never; for others where no CUDA device answers.
#define SIMSCOPE_SKIP_WITHOUT(device)                                                                       \
  if (const std::string why = std::string(device) == "cpu" ? "" : ::simscope::compute::Device::whyNoCuda(); \
      !why.empty())                                                                                         \
  GTEST_SKIP() << why

namespace simscope::compute {

class OnEveryDevice : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string spec = GetParam();
    SIMSCOPE_SKIP_WITHOUT(spec);
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
