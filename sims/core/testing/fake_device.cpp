#include "sims/core/testing/fake_device.h"

namespace simscope::fake {
namespace {

class Limited final : public compute::Device {
 public:
  explicit Limited(std::size_t bytes) : bytes_(bytes), cpu_(compute::Device::open("cpu", 1)) { info_ = cpu_->info(); }

  std::size_t memoryFree() const override { return bytes_; }
  void* allocate(std::size_t bytes) override { return cpu_->allocate(bytes); }
  void release(void* memory) noexcept override { cpu_->release(memory); }
  void upload(void* device, const void* host, std::size_t bytes) override { cpu_->upload(device, host, bytes); }
  void download(void* host, const void* device, std::size_t bytes) override { cpu_->download(host, device, bytes); }
  void copy(void* to, const void* from, std::size_t bytes) override { cpu_->copy(to, from, bytes); }
  void zero(void* memory, std::size_t bytes) override { cpu_->zero(memory, bytes); }
  void synchronize() override { cpu_->synchronize(); }
  Exchange exchange(std::span<const compute::RankMessage>, std::span<const compute::RankMessage>, Order) override {
    return 0;
  }
  void run(compute::FunctionRef<void()> body) override { cpu_->run(body); }
  double timed(compute::FunctionRef<void()> body) override { return cpu_->timed(body); }

 private:
  std::size_t bytes_;
  compute::DevicePtr cpu_;
};

}  // namespace

compute::DevicePtr deviceWithFree(std::size_t bytes) {
  return std::make_shared<Limited>(bytes);
}

}  // namespace simscope::fake
