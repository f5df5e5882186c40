#include "sims/mandelbrot/mandelbrot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sims/core/archive.h"
#include "sims/mandelbrot/decimal.h"
#include "sims/mandelbrot/findings.h"
#include "sims/mandelbrot/paths.h"
#include "sims/mandelbrot/plane.h"

namespace simscope::mandelbrot {
namespace {

constexpr double kJuliaEdge = 4;  // of the square around 0 that shows a Julia set

// The pixels of a state follow from parameters, steps, and the Julia set's point alone: after n steps they have had as
// many iterations as n steps make, whenever what they show was changed.
class Mandelbrot final : public Simulation {
 public:
  Mandelbrot(compute::DevicePtr device, const ParameterSet& parameters)
      : Simulation(mandelbrot::description(), std::move(device), parameters), p_(binding().read(parameters)) {
    plane_ = Plane(device_, p_.grid_points, p_.height());
    mean_ = sampledMean();
    reset(0);
  }

  double time() const override { return static_cast<double>(steps_); }
  void reset(std::uint64_t seed) override {
    seed_ = seed, steps_ = 0, stale_ = true;
    julia_x_ = p_.julia_x, julia_y_ = p_.julia_y;
  }
  void change(const ParameterSet& parameters) override {
    const Parameters next = binding().read(parameters);
    const auto colours = [](const std::string& key) {
      return key == "palette" || key == "colour_density" || key == "colour_shift" || key == "light_angle" ||
             key == "julia_x" || key == "julia_y";
    };
    for (const std::size_t i : parameters.changed(parameters_)) stale_ = stale_ || !colours(parameters.infos()[i].key);
    if (next.julia_x != p_.julia_x || next.julia_y != p_.julia_y) julia_x_ = next.julia_x, julia_y_ = next.julia_y;
    p_ = next;
  }
  // Of whole pictures each is made, but for the last one, which keyframes may still change.
  void step(int count) override {
    for (int i = 0; i < count; ++i) {
      if (whole()) complete();
      ++steps_;
      stale_ = stale_ || whole();
    }
  }
  void completeStep() override { complete(); }

  void present(Frame& frame) override {
    complete();
    if (frame.wants("picture")) {
      Channel& channel = placed(frame.channel("picture", plane_.width, plane_.height, 3));
      colour(plane_, shadingOf(p_), channel.data);
    }
    if (frame.wants("count")) {
      Channel& channel = placed(frame.channel("count", plane_.width, plane_.height));
      channel.low = 1;
      channel.high = std::max(2, p_.max_iterations);
      smoothCounts(plane_, channel.data);
    }
    if (frame.wants("julia")) {
      completeJulia();
      Channel& channel = frame.channel("julia", julia_.width, julia_.height, 3);
      const double edge = kJuliaEdge / julia_.width;
      channel.x_min = channel.y_min = -0.5 * (julia_.width - 1) * edge;
      channel.x_max = channel.y_max = 0.5 * (julia_.width + 1) * edge;
      colour(julia_, shadingOf(p_), channel.data);
    }
    if (frame.wants("components"))
      placed(frame.channel("components", kOutlinePoints, 2, 2)).data.upload(outlines(showsOffsets(p_)));
    if (frame.wants("orbit")) frame.channel("orbit", kOrbitPoints, 1, 2).data.upload(orbitOfZero(julia_x_, julia_y_));
  }

  void diagnostics(std::span<double> values) override {
    complete();
    const Totals totals = totalsOf(plane_, done());
    const double pixels = static_cast<double>(plane_.pixels()), area = p_.spacing() * p_.spacing();
    const bool whole_set = holdsTheSet(), deep = numbers() == Numbers::Perturbed;
    const double all[] = {totals.inside / pixels,
                          whole_set ? totals.inside * area : NAN,
                          whole_set ? kArea : NAN,
                          totals.deepest,
                          totals.iterations / pixels,
                          static_cast<double>(done()),
                          deep                            ? bitsFor(p_.spacing())
                          : numbers() == Numbers::Float32 ? 24.0
                                                          : 53.0,
                          deep ? reference_last_ : NAN,
                          deep ? totals.glitched : NAN,
                          deep ? totals.glitches : NAN,
                          totals.late / pixels};
    std::copy(std::begin(all), std::end(all), values.begin());
  }

  std::vector<Finding> check(std::span<const double> values) const override {
    return findingsOf(p_, numbers(), done(),
                      {.glitched = values[8], .late = values[10], .deepest = values[3], .mean = values[4]});
  }
  std::string likelyCauseOfNaN() const override { return "A pixel's value is not a number. Reset the run."; }
  // Escaped pixels are left alone and all others are bounded: no number can go wrong.
  bool finite() override { return true; }

  void visit(Archive& archive) override {
    const auto h = static_cast<std::size_t>(plane_.height), w = static_cast<std::size_t>(plane_.width);
    constexpr StateRange kNear{-1e5, 1e5}, kSlope{-1e250, 1e250}, kCount{-1, 2e9}, kIndex{0, 2e9};
    archive.buffer("count", "the iteration at which each pixel escaped; 0: not yet, -1: it never does", {h, w},
                   plane_.count, device_, kCount);
    archive.buffer("z", "z of each pixel, or its distance from the reference: the real parts, then the imaginary ones",
                   {2, h, w}, plane_.z, device_, kNear);
    archive.buffer("derivative", "dz/dc of each pixel, times the pixel's edge, in the same order", {2, h, w},
                   plane_.derivative, device_, kSlope);
    archive.buffer("index", "index of each pixel in the reference orbit", {h, w}, plane_.index, device_, kIndex);
    archive.buffer("glitches", "number of times that each pixel met Pauldelbrot's criterion", {h, w}, plane_.glitches,
                   device_, kIndex);
    archive.number("julia_x", julia_x_, {-4, 4});
    archive.number("julia_y", julia_y_, {-4, 4});
  }
  void beforeSave() override { complete(); }
  void loaded(const State&) override {
    stale_ = false;
    done_ = done();
    prepareReference();
  }

  bool stroke(const Brush& brush) override {
    if (brush.tool != "julia_point") return false;
    const bool offsets = showsOffsets(p_);
    const auto held = [](double value) { return std::clamp(value, -4.0, 4.0); };
    julia_x_ = held(brush.x + (offsets ? toDouble(p_.centre_x) : 0));
    julia_y_ = held(brush.y + (offsets ? toDouble(p_.centre_y) : 0));
    return true;
  }

  Throughput throughput() const override {
    const double pixels = static_cast<double>(plane_.pixels());
    const double each = whole() ? mean_ : mean_ * std::min(1.0, 1.0 * p_.iterations_per_step / p_.max_iterations);
    const bool slope = p_.colouring != Colouring::Smooth, deep = numbers() == Numbers::Perturbed;
    // Of an iteration: z² + c and |z|, or what perturb() and its tests take; dz/dc. Double precision takes the room of
    // two. A whole picture is written; one that fills in looks at its counts at least.
    const double operations = (deep ? 22 : 9) + (slope ? 9 : 0);
    const double bytes = whole() ? (deep ? 28 : 20) + (slope ? 16 : 0) : 4;
    return {.unit = "pixels/s",
            .work_per_step = pixels,
            .bytes_per_step = pixels * bytes,
            .flops_per_step = pixels * each * operations,
            .lane_operations_per_step = pixels * each * operations * (numbers() == Numbers::Float32 ? 1 : 2)};
  }
  std::string method() const override {
    const char* const names[] = {"single precision", "double precision", "perturbation"};
    return fmt::format("{}, {}", names[static_cast<int>(numbers())], iterationMethod(*device_));
  }

 private:
  bool whole() const { return p_.drawing == Drawing::Whole; }
  int every() const { return whole() ? p_.max_iterations : p_.iterations_per_step; }
  // Iterations that the pixels have after these steps.
  int done() const {
    if (whole()) return p_.max_iterations;
    const double wanted = (static_cast<double>(steps_) + 1) * p_.iterations_per_step;
    return static_cast<int>(std::min<double>(wanted, p_.max_iterations));
  }
  Numbers numbers() const {
    switch (chosen(p_.arithmetic, p_.spacing(), p_.max_iterations)) {
      case Arithmetic::Float32:
        return Numbers::Float32;
      case Arithmetic::Float64:
        return Numbers::Float64;
      default:
        return Numbers::Perturbed;
    }
  }
  bool holdsTheSet() const {
    const double x = toDouble(p_.centre_x), y = toDouble(p_.centre_y), half = p_.width() / 2;
    const double high = half * p_.height() / p_.grid_points;
    return p_.zoom <= kWholeZoom && x - half < -2 && x + half > 0.4712 && std::abs(y) + 1.1228 < high;
  }

  Iteration taskFor(Plane& plane) const {
    Iteration t{};
    t.cells = plane.cells();
    t.width = plane.width, t.height = plane.height;
    t.centre_x = toDouble(p_.centre_x), t.centre_y = toDouble(p_.centre_y);
    t.spacing = p_.width() / plane.width;
    t.numbers = numbers();
    t.derivative = p_.colouring != Colouring::Smooth;
    t.rebase = p_.glitches == Glitches::Rebase;
    t.to = done(), t.every = every();
    t.orbit = reference_.data(), t.last = reference_last_;
    return t;
  }

  void complete() {
    if (!stale_ && done_ == done()) return;
    prepareReference();
    Iteration t = taskFor(plane_);
    t.from = stale_ || done_ > t.to ? 0 : done_;
    // What this arithmetic leaves alone is zero.
    if (t.from == 0 && t.numbers != Numbers::Perturbed) plane_.index.zero(), plane_.glitches.zero();
    if (t.from == 0 && !t.derivative) plane_.derivative.zero();
    iterate(*device_, t);
    stale_ = false;
    done_ = t.to;
  }

  // The orbit of the centre, as far as it is needed.
  void prepareReference() {
    if (numbers() != Numbers::Perturbed) return;
    const int bits = bitsFor(p_.spacing());
    if (reference_x_ == p_.centre_x && reference_y_ == p_.centre_y && reference_bits_ == bits &&
        reference_count_ == p_.max_iterations) {
      return;
    }
    const std::vector<double> orbit = referenceOrbit(p_.centre_x, p_.centre_y, bits, p_.max_iterations, kEscape);
    if (reference_.size() != orbit.size()) reference_ = compute::Buffer<double>(device_, orbit.size());
    reference_.upload(orbit);
    reference_last_ = static_cast<int>(orbit.size() / 2) - 1;
    reference_x_ = p_.centre_x, reference_y_ = p_.centre_y;
    reference_bits_ = bits, reference_count_ = p_.max_iterations;
  }

  // Only if it is shown; it follows from the state.
  void completeJulia() {
    if (julia_.width != plane_.height) julia_ = Plane(device_, plane_.height, plane_.height), julia_done_ = 0;
    Iteration t = taskFor(julia_);
    t.julia = true;
    t.numbers = Numbers::Float64;
    t.julia_x = julia_x_, t.julia_y = julia_y_;
    t.centre_x = t.centre_y = 0;
    t.spacing = kJuliaEdge / julia_.width;
    const bool same = julia_of_x_ == t.julia_x && julia_of_y_ == t.julia_y && julia_every_ == t.every &&
                      julia_derivative_ == t.derivative && julia_done_ > 0 && julia_done_ <= t.to;
    if (same && julia_done_ == t.to) return;
    t.from = same && julia_done_ % t.every == 0 ? julia_done_ : 0;
    iterate(*device_, t);
    julia_of_x_ = t.julia_x, julia_of_y_ = t.julia_y;
    julia_every_ = t.every, julia_derivative_ = t.derivative, julia_done_ = t.to;
  }

  // Iterations of a pixel, from a small picture of the same place.
  double sampledMean() {
    constexpr int kAcross = 32;
    Plane small(device_, kAcross, std::max(1, kAcross * p_.height() / p_.grid_points));
    device_->run([&] {
      prepareReference();
      Iteration t = taskFor(small);
      t.to = t.every = p_.max_iterations;
      iterate(*device_, t);
    });
    double mean = 0;
    device_->run([&] { mean = totalsOf(small, p_.max_iterations).iterations / static_cast<double>(small.pixels()); });
    return std::max(1.0, mean);
  }

  Channel& placed(Channel& channel) const {
    const bool offsets = showsOffsets(p_);
    const double x = offsets ? 0 : toDouble(p_.centre_x), y = offsets ? 0 : toDouble(p_.centre_y);
    const double edge = p_.spacing(), half_x = 0.5 * plane_.width * edge, half_y = 0.5 * plane_.height * edge;
    channel.x_min = x - half_x + 0.5 * edge;
    channel.x_max = x + half_x + 0.5 * edge;
    channel.y_min = y - half_y + 0.5 * edge;
    channel.y_max = y + half_y + 0.5 * edge;
    channel.form = offsets ? 1 : 0;
    return channel;
  }

  Parameters p_;
  Plane plane_, julia_;
  double julia_x_ = 0, julia_y_ = 0;
  bool stale_ = true;  // the pixels are not those of the parameters
  int done_ = 0;       // iterations that they have had
  double mean_ = 1;
  compute::Buffer<double> reference_;
  int reference_last_ = 0, reference_bits_ = 0, reference_count_ = 0;
  std::string reference_x_, reference_y_;
  int julia_done_ = 0, julia_every_ = 0;
  double julia_of_x_ = 0, julia_of_y_ = 0;
  bool julia_derivative_ = false;
};

}  // namespace

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters) {
  return std::make_unique<Mandelbrot>(std::move(device), parameters);
}

}  // namespace simscope::mandelbrot
