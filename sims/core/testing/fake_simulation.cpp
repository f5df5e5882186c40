#include "sims/core/testing/fake_simulation.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/fault.h"
#include "sims/compute/library_missing.h"
#include "sims/compute/random/random.h"
#include "sims/core/archive.h"

namespace simscope::fake {

Counts& counts() {
  static Counts all;
  return all;
}

void Counts::addBatch(int steps) {
  const std::lock_guard lock(mutex_);
  batches_.push_back(steps);
}

std::vector<int> Counts::takeBatches() {
  const std::lock_guard lock(mutex_);
  return std::exchange(batches_, {});
}

void Gate::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

void Gate::open() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = false;
  }
  changed_.notify_all();
}

void Gate::pass() {
  std::unique_lock lock(mutex_);
  ++waiting_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return !closed_; });
  --waiting_;
}

void Gate::awaitArrival() {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, std::chrono::seconds(60), [this] { return waiting_ > 0; })) {
    throw Error("no step arrived at the gate");
  }
}

Gate& gate() {
  static Gate only;
  return only;
}

namespace {

constexpr double kTimeStep = 0.5;

enum class Trouble { None, Memory, Step, Present, Refused };

struct Parameters {
  int cells = 8;
  double growth = 1;
  int nan_step = 0;
  double offset = 0;
  Trouble trouble = Trouble::None;
};

const Binding<Parameters>& binding() {
  static const auto all =
      Binding<Parameters>()
          .integer(
              &Parameters::cells, "cells",
              {.title = "Cells", .minimum = 2, .maximum = 1 << 26, .applies = Applies::OnReset, .power_of_two = true})
          .real(&Parameters::growth, "growth", {.title = "Growth", .minimum = 0, .maximum = 100})
          .integer(&Parameters::nan_step, "nan_step", {.title = "Step that writes NaN", .maximum = 1000000})
          .real(&Parameters::offset, "offset", {.title = "Offset", .maximum = 1, .applies = Applies::OnReset})
          .choice(&Parameters::trouble, "trouble", {.title = "Trouble"},
                  {{"none", "None"},
                   {"memory", "Memory"},
                   {"step", "Step"},
                   {"present", "Present"},
                   {"refused", "Refused"}});
  return all;
}

class Row final : public Simulation {
 public:
  Row(const Description& which, compute::DevicePtr device, const ParameterSet& set)
      : Simulation(which, std::move(device), set), p_(read(set)), x_(device_, static_cast<std::size_t>(p_.cells)) {
    ++counts().alive;
  }
  ~Row() override { --counts().alive; }

  double time() const override { return kTimeStep * static_cast<double>(steps_); }
  void reset(std::uint64_t seed) override {
    seed_ = seed;
    steps_ = 0;
    watched_ = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const bool drawn = i < 1024;  // the test of a large state shall be quick
      x_.data()[i] = drawn ? static_cast<float>(1 + p_.offset + compute::uniform4(seed, 0, i).u[0] * 1e-3) : 1.0f;
    }
  }
  void change(const ParameterSet& set) override {
    if (&description() == &fake::description()) p_ = read(set);
  }
  void step(int n) override {
    counts().addBatch(n);
    counts().timed_ms = device()->counters().milliseconds;
    for (int k = 0; k < n; ++k) {
      gate().pass();
      if (p_.trouble == Trouble::Step) throw Error("the fake step fails");
      ++steps_;
      for (std::size_t i = 0; i < x_.size(); ++i) x_.data()[i] *= static_cast<float>(p_.growth);
      if (p_.nan_step > 0 && steps_ == p_.nan_step) x_.data()[0] = std::numeric_limits<float>::quiet_NaN();
    }
  }
  void present(Frame& frame) override {
    if (p_.trouble == Trouble::Present) throw Error("the fake picture fails");
    const std::string& key = description().views[0].as<CurveView>()->traces[0].channel;
    if (!frame.wants(key)) return;
    Channel& row = frame.channel(key, p_.cells);
    std::copy_n(x_.data(), x_.size(), row.data.data());
  }
  bool stands() const override { return counts().stands; }
  bool waits() const override { return counts().waits; }
  void diagnostics(std::span<double> values) override {
    ++counts().diagnostics;
    std::this_thread::sleep_for(std::chrono::milliseconds(counts().diagnostics_ms));
    values[0] = x_.data()[0];
    values[1] = static_cast<double>(steps_);
    values[2] = watched_;
  }
  std::vector<Finding> check(std::span<const double> values) const override {
    if (values[0] < 100) return {};
    return {{.level = Finding::Level::Warning,
             .code = "large",
             .message = "The numbers grow large.",
             .key = "growth",
             .value = "1"}};
  }
  bool finite() override {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (!std::isfinite(x_.data()[i])) return false;
    }
    return true;
  }
  std::string likelyCauseOfNaN() const override { return "growth is too large; choose 1 or less."; }
  void visit(Archive& archive) override {
    archive.buffer("x", "the cells", {x_.size()}, x_, device_);
    archive.values<double>(
        "watched", "what the watching tool has written", {1}, [this] { return std::vector<double>{watched_}; },
        [this](const std::vector<double>& kept) { watched_ = kept[0]; }, {}, WhenMissing::Leave);
    const std::size_t padding = counts().padding;
    if (padding == 0) return;
    archive.values<float>(
        "padding", "nothing", {padding},
        [padding] {
          ++counts().copied;
          return std::vector<float>(padding);
        },
        [](const std::vector<float>&) {}, {}, WhenMissing::Leave);
  }
  void loaded(const State&) override {}
  bool stroke(const Brush& brush) override {
    if (brush.tool == "watch") {
      watched_ = 10 * watched_ + brush.strength;
      return true;
    }
    if (brush.tool == "grow") {
      for (std::size_t i = 0; i < x_.size(); ++i) x_.data()[i] *= static_cast<float>(p_.growth);
      return true;
    }
    if (brush.tool != "add") return false;
    if (const int ms = counts().poke_ms) std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    constexpr double kMost = std::numeric_limits<float>::max();
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const double sum = x_.data()[i] + brush.strength;
      x_.data()[i] = std::abs(sum) <= kMost ? static_cast<float>(sum) : std::numeric_limits<float>::infinity();
    }
    return true;
  }
  std::vector<double> observers() const override { return {watched_}; }
  void setObservers(std::span<const double> placed) override { watched_ = placed.empty() ? 0 : placed[0]; }
  Throughput throughput() const override {
    return {.unit = "cells/s", .work_per_step = 1, .bytes_per_step = 8, .flops_per_step = 8};
  }
  std::string method() const override { return "loop"; }

 private:
  Parameters read(const ParameterSet& set) const {
    if (set.size() == 0) return {};
    const Parameters p = binding().read(set);
    if (p.trouble == Trouble::Refused) throw ParameterError("trouble", "trouble = refused cannot be had");
    return p;
  }

  Parameters p_;
  compute::Buffer<float> x_;
  double watched_ = 0;  // the strengths of all strokes of `watch`, as decimal digits
};

std::unique_ptr<Simulation> make(compute::DevicePtr device, const ParameterSet& set) {
  if (set.text("trouble") == "memory") throw OutOfMemory("no memory for the fake", 1);
  if (compute::faultAt(compute::FaultPlace::Library)) throw compute::LibraryMissing("the fake's library is missing");
  return std::make_unique<Row>(description(), std::move(device), set);
}

std::unique_ptr<Simulation> makeOther(compute::DevicePtr device, const ParameterSet& set) {
  return std::make_unique<Row>(otherDescription(), std::move(device), set);
}

Description describe() {
  Description d;
  d.id = "row";
  d.title = "Row";
  d.parameters = binding().infos();
  d.presets = {{.key = "still", .title = "Still", .summary = "", .changes = {}},
               {.key = "growing", .title = "Growing", .summary = "", .changes = {{"growth", "2"}, {"cells", "16"}}}};
  d.diagnostics = {{"first", "First", "", ""}, {"count", "Count", "", ""}, {"watched", "Watched", "", ""}};
  d.views = {{"row", "Row", CurveView{.x = {}, .y = {}, .right = {}, .traces = {{.channel = "x", .title = "x"}}}}};
  d.tools = {{.key = "add", .title = "Add"},
             {.key = "grow", .title = "Grow as in a step"},
             {.key = "watch", .title = "Watch", .observes = true}};
  d.memory = [](const ParameterSet& set, compute::Backend) {
    return 16.0 * set.real("cells") * counts().memory_factor;
  };
  d.size_key = "cells";
  d.time_step = [](const ParameterSet&) { return kTimeStep; };
  d.create = make;
  return d;
}

}  // namespace

const Description& description() {
  static const Description only = describe();
  return only;
}

const Description& otherDescription() {
  static const Description only = [] {
    Description d = describe();
    d.id = "other";
    d.parameters = std::make_shared<const std::vector<ParameterInfo>>();
    d.views[0].as<CurveView>()->traces[0].channel = "y";
    d.memory = nullptr;
    d.size_key.clear();
    d.create = makeOther;
    return d;
  }();
  return only;
}

}  // namespace simscope::fake
