#include "app/doctor/step_simulation.h"

#include <memory>
#include <utility>
#include <vector>

#include "app/render/figure/figure.h"
#include "sims/compute/buffer.h"
#include "sims/core/archive.h"
#include "sims/core/describe.h"
#include "sims/core/simulation.h"

namespace simscope::doctor {

namespace {

constexpr int kWidth = kStepBits * kCellsABit, kHeight = 64;

class Steps final : public Simulation {
 public:
  Steps(compute::DevicePtr device, const ParameterSet& set)
      : Simulation(stepDescription(), std::move(device), set),
        field_(device_, static_cast<std::size_t>(kWidth) * kHeight) {}

  double time() const override { return static_cast<double>(steps_); }
  void reset(std::uint64_t seed) override {
    seed_ = seed;
    steps_ = 0;
    write();
  }
  void change(const ParameterSet&) override {}
  void step(int n) override {
    steps_ += n;
    write();
  }
  // Enqueued on the device: drawing must wait for the frame's fence.
  void present(Frame& frame) override {
    if (!frame.wants("steps")) return;
    Channel& steps = frame.channel("steps", kWidth, kHeight);
    device_->copy(steps.data.data(), field_.data(), field_.bytes());
    steps.x_min = 0;
    steps.x_max = kStepBits;
    steps.y_min = 0;
    steps.y_max = 4;
    steps.low = 0;
    steps.high = 1;
  }
  void diagnostics(std::span<double> values) override { values[0] = static_cast<double>(steps_); }
  std::vector<Finding> check(std::span<const double>) const override { return {}; }
  bool finite() override { return true; }
  std::string likelyCauseOfNaN() const override { return "Nothing can be."; }
  void visit(Archive& archive) override {
    archive.buffer("field", "the bits of the step", {std::size_t{kHeight}, std::size_t{kWidth}}, field_, device_);
  }
  void loaded(const State&) override {}
  Throughput throughput() const override { return {.unit = "steps/s", .work_per_step = 1, .bytes_per_step = 4}; }
  std::string method() const override { return "bits"; }

 private:
  void write() {
    std::vector<float> bits(field_.size());
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const auto bit = (i % kWidth) / kCellsABit;
      bits[i] = static_cast<float>((steps_ >> bit) & 1);
    }
    field_.upload(bits);
  }

  compute::Buffer<float> field_;
};

struct Parameters {
  bool none = false;
};

Description describe() {
  static const auto binding = Binding<Parameters>().flag(&Parameters::none, "none", {.title = "Nothing"});
  Description d;
  d.id = "steps";
  d.title = "Steps";
  d.parameters = binding.infos();
  d.presets = {{.key = "usual", .title = "Usual"}};
  d.diagnostics = {{"steps", "Steps", "", ""}};
  d.views = {{"steps", "Steps", FieldView{.x = {"bit", ""}, .y = {"y", ""}, .value = {"set", ""}, .channel = "steps"}}};
  d.time_step = [](const ParameterSet&) { return 1.0; };
  d.create = [](compute::DevicePtr device, const ParameterSet& set) -> std::unique_ptr<Simulation> {
    return std::make_unique<Steps>(std::move(device), set);
  };
  return d;
}

}  // namespace

const Description& stepDescription() {
  static const Description only = describe();
  return only;
}

std::int64_t shownStep(render::Figure& figure) {
  constexpr int kMiddle = 384;  // between black and white, of the three channels together
  const std::vector<std::uint8_t> pixels = figure.read();
  const render::PlotArea& area = figure.plotArea();
  const auto row = static_cast<std::size_t>(area.top + area.height / 2);
  std::int64_t step = 0;
  for (int bit = 0; bit < kStepBits; ++bit) {
    const double across = (bit + 0.5 - area.x.low) / (area.x.high - area.x.low);
    const auto column = static_cast<std::size_t>(area.left + across * area.width);
    const std::size_t at = 3 * (row * static_cast<std::size_t>(figure.width()) + column);
    if (pixels[at] + pixels[at + 1] + pixels[at + 2] > kMiddle) step |= std::int64_t{1} << bit;
  }
  return step;
}

}  // namespace simscope::doctor
