#include "sims/reaction_diffusion/reaction_diffusion.h"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "sims/compute/random/random.h"
#include "sims/core/slab_archive.h"

namespace simscope::reaction_diffusion {

namespace {

// The homogeneous steady state.
struct Steady {
  double u, v;
};
Steady steadyOf(const Parameters& p) {
  if (p.fisher()) return {1, 0};
  const double out = p.feed + p.kill, inside = 1 - 4 * out * out / p.feed;
  const double v = inside >= 0 ? p.feed * (1 + std::sqrt(inside)) / (2 * out) : 0;
  return {v > 0 ? out / v : 1, v};
}

// J - q² diag(D_u, D_v) at a state, and its larger eigenvalue; NaN where that is complex.
struct Matrix {
  double a, b, c, d;
  Matrix(const Parameters& p, Steady at, double q2)
      : a(-at.v * at.v - p.feed - p.diffusion_u * q2),
        b(-2 * at.u * at.v),
        c(at.v * at.v),
        d(2 * at.u * at.v - p.feed - p.kill - p.diffusion_v * q2) {
    if (p.fisher()) a = 1 - 2 * at.u - p.diffusion_u * q2, b = c = 0, d = a;
  }
  double larger() const { return (a + d) / 2 + std::sqrt((a - d) * (a - d) / 4 + b * c); }
};

double finest(const Parameters& p) {
  return 8 / (p.spacing * p.spacing);  // q² of the chessboard
}

}  // namespace

Linear linearised(const Parameters& p) {
  const double q = 2 * std::numbers::pi * p.mode / p.length();
  const Steady at = steadyOf(p);
  const Matrix m(p, at, q * q);
  const double rate = m.larger();
  if (p.fisher()) return {at.u, at.v, q, 1, 0, rate};
  const bool upper = std::hypot(m.b, rate - m.a) > std::hypot(rate - m.d, m.c);  // the row that says more
  const double du = upper ? m.b : rate - m.d, dv = upper ? rate - m.a : m.c, norm = std::hypot(du, dv);
  return {at.u, at.v, q, norm > 0 ? du / norm : 1, norm > 0 ? dv / norm : 0, rate};
}

double growthErrorOf(const Parameters& p) {
  const Linear exact = linearised(p);
  const double half = 2 * std::sin(exact.q * p.spacing / 2) / p.spacing;
  const Matrix m(p, {exact.u, exact.v}, half * half);
  const auto rate = [&](double eigenvalue) { return std::log(std::abs(1 + p.time_step * eigenvalue)) / p.time_step; };
  const double along = exact.du * (m.a * exact.du + m.b * exact.dv) + exact.dv * (m.c * exact.du + m.d * exact.dv);
  const double first = rate(along) - exact.rate, at_last = rate(m.larger()) - exact.rate;
  return std::isnan(at_last) || std::abs(at_last) > std::abs(first) ? at_last : first;
}

Decay decayOf(const Parameters& p) {
  if (p.fisher()) return {true, finest(p) * p.diffusion_u - 1, 0};
  return {false, finest(p) * p.diffusion_u + p.feed, finest(p) * p.diffusion_v + p.feed + p.kill};
}

double longestStep(const Parameters& p) {
  const Decay decay = decayOf(p);
  const Steady steady = steadyOf(p);
  double longest = 2 / std::max(decay.at(steady.u, steady.v), decay.at(p.fisher() ? 0.0 : 1.0, 0));
  if (p.fisher()) return longest;
  // Where u and v feed each other in turn the eigenvalues λ are a complex pair: |1 + dt λ| ≤ 1 up to -2 Re λ/|λ|².
  for (const double q2 : {0.0, finest(p)}) {
    const Matrix m(p, steady, q2);
    if (std::isnan(m.larger()) && m.a + m.d < 0) longest = std::min(longest, -(m.a + m.d) / (m.a * m.d - m.b * m.c));
  }
  return longest;
}

namespace {

// Of the wave of Start::Mode; where the linear theory ends, and where rounding begins to count.
constexpr double kAmplitude = 1e-3, kLarge = 0.02, kSmall = 1e-4;
// Of Fisher's front, over √D_u: where its tail is 10⁻³.
constexpr double kTail = 4.2;

class ReactionDiffusion final : public Simulation {
 public:
  ReactionDiffusion(compute::DevicePtr device, const ParameterSet& parameters)
      : Simulation(reaction_diffusion::description(), std::move(device), parameters), p_(binding().read(parameters)) {
    slab_ = compute::slabOf(*device_, p_.grid_points, kHalo);
    now_ = Cells(device_, slab_.cells());
    next_ = Cells(device_, slab_.cells());
    reset(0);
  }

  double time() const override { return static_cast<double>(steps_) * p_.time_step; }
  // The start is made on the host, so that both backends begin with the same bits.
  void reset(std::uint64_t seed) override {
    seed_ = seed, steps_ = 0, exact_ = true;
    const std::vector<Cell> row = exactRow();
    std::vector<Cell> cells(static_cast<std::size_t>(slab_.count) * n());
    const std::size_t from = static_cast<std::size_t>(slab_.first) * n();
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = startAt(i % n(), (from + i) / n(), row[i % n()]);
    device_->upload(now_.data() + slab_.at(0, slab_.first), cells.data(), cells.size() * sizeof(Cell));
  }
  void change(const ParameterSet& parameters) override {
    const std::vector<std::size_t> changed = parameters.changed(parameters_);
    const auto matters = [&](std::size_t index) { return parameters.matters(index); };
    exact_ = exact_ && std::none_of(changed.begin(), changed.end(), matters);
    p_ = binding().read(parameters);
  }
  void step(int count) override {
    const auto a = [&](double rate) { return static_cast<float>(p_.time_step * rate); };
    const double area = p_.spacing * p_.spacing;
    Kinetics each{a(p_.diffusion_u / area), a(p_.diffusion_v / area), a(1), a(p_.feed), 0, a(p_.feed + p_.kill)};
    if (p_.fisher()) each = {each.diffuse_u, 0, 0, 0, a(1), 0};
    advance(now_, next_, slab_, count, each);
    steps_ += std::max(count, 0);
  }
  void present(Frame& frame) override {
    const auto channel = [&](const char* key, int height) -> Channel& {
      Channel& made = frame.channel(key, p_.grid_points, height);
      made.x_min = made.y_min = p_.positionOf(0);
      made.x_max = made.y_max = p_.positionOf(n());
      made.high = p_.fisher() ? 1 : 0.45;
      made.form = p_.fisher() ? 1 : 0;
      return made;
    };
    // Rank 0 gets all rows, the others have a channel of their own ones.
    const auto copy = [&](const char* key, int from, int to) {
      if (!frame.wants(key)) return;
      const std::vector<int> cuts = compute::cutsOf(*device_, p_.grid_points, from, to);
      const compute::Cut own = compute::ownCut(*device_, cuts);
      float* const values = channel(key, slab_.first == 0 ? to - from : std::max(own.count, 1)).data.data();
      const Cell* const cells = now_.data() + slab_.at(0, own.count > 0 ? from + own.first : slab_.first);
      copySpecies(*device_, cells, !p_.fisher(), values, static_cast<std::size_t>(own.count) * n());
      compute::gatherRowsOnDevice(*device_, cuts, values, n() * sizeof(float));
    };
    const int middle = p_.grid_points / 2;
    copy("concentration", 0, p_.grid_points);
    copy("cut", middle, middle + 1);
    if (!frame.wants("exact")) return;
    std::vector<float> row;
    for (const Cell& cell : exactRow()) row.push_back(p_.fisher() ? cell.u : cell.v);
    channel("exact", 1).data.upload(row);
    channel("exact", 1).form = frontHolds() || wave() > 0 ? 0 : 1;
  }
  void diagnostics(std::span<double> values) override {
    std::vector<Cell> row(n());  // y = 0
    const int middle = p_.grid_points / 2;
    if (slab_.owns(middle)) device_->download(row.data(), now_.data() + slab_.at(0, middle), n() * sizeof(Cell));
    compute::shareFromRow(*device_, p_.grid_points, middle, row.data(), n() * sizeof(Cell));
    const Linear linear = linearised(p_);
    double front = NAN, amplitude = 0;
    for (std::size_t i = 0; i < n(); ++i) {
      const double x = p_.positionOf(i), u = row[i].u, v = row[i].v, before = row[i > 0 ? i - 1 : 0].u;
      amplitude += (linear.du * u + linear.dv * v) * std::cos(linear.q * x) * 2 / p_.grid_points;
      if (p_.fisher() && x > 0 && before >= 0.25 && u < 0.25) front = x - p_.spacing * (0.25 - u) / (before - u);
    }
    const double growth = wave() > 0 && steps_ > 0 ? std::log(std::abs(amplitude) / kAmplitude) / time() : NAN;
    const double position = frontHolds() ? p_.frontPosition(time()) : NAN, rate = wave() > 0 ? linear.rate : NAN;
    const double all[] = {meanOf(now_, slab_, false),
                          meanOf(now_, slab_, true),
                          front,
                          position,
                          growth,
                          rate,
                          growth - rate,
                          2 / fastestOf(now_, slab_, decayOf(p_))};
    std::copy(std::begin(all), std::end(all), values.begin());
  }
  std::vector<Finding> check(std::span<const double> values) const override {
    std::vector<Finding> found;
    const double longest = std::fmin(longestStep(p_), values[kLongestStep]);
    if (p_.time_step > longest) {
      found.push_back(
          {Finding::Level::Warning, "unstable", tooLong(longest), "time_step", fmt::format("{:.2g}", 0.9 * longest)});
    }
    if (exact_ && p_.start == Start::Mode && std::isnan(linearised(p_).rate)) found.push_back(complexWave());
    const double off = growthErrorOf(p_);
    if (wave() > 0 && !std::isnan(linearised(p_).rate) && !(std::abs(off) <= kGrowthError)) {
      found.push_back(coarseWave(off));
    } else if (std::abs(values[kGrowth]) > kGrowthError) {
      found.push_back({Finding::Level::Warning, "growth_rounded",
                       fmt::format("The measured growth is off by {:.2g}: a step changes the wave by less than single "
                                   "precision keeps. Longer steps are measured more accurately.",
                                   values[kGrowth]),
                       10 * p_.time_step < longest ? "time_step" : "",
                       10 * p_.time_step < longest ? fmt::format("{:.2g}", 10 * p_.time_step) : ""});
    }
    if (std::abs(values[kFront] - values[kFrontExact]) > kFrontError) {
      found.push_back(coarseFront(values[kFront] - values[kFrontExact]));
    }
    return found;
  }
  std::string likelyCauseOfNaN() const override { return tooLong(longestStep(p_)); }
  bool finite() override { return std::isfinite(meanOf(now_, slab_, false) + meanOf(now_, slab_, true)); }

  void visit(Archive& archive) override {
    slabBuffer<float>(archive, "uv", "u and v of each cell, row by row", {n(), n(), 2}, now_, slab_, device_);
    archive.number("exact", exact_);
  }
  void loaded(const State& state) override { exact_ = exact_ && state.find("run"); }

  // Only the rows that the brush meets come to the host, of a rank its own.
  bool stroke(const Brush& brush) override {
    if (brush.tool != "seed" && brush.tool != "eraser") return false;
    const compute::Capsule way = brush.cells(p_.spacing, 0.5 * (p_.grid_points - 1));
    exact_ = false;
    const auto row = [&](double y) { return static_cast<int>(std::clamp(y, 0.0, n() - 1.0)); };
    const int first = std::max(row(std::min(way.y0, way.y1) - way.radius), slab_.first);
    const int end = std::min(row(std::max(way.y0, way.y1) + way.radius) + 1, slab_.end());
    if (first >= end) return true;
    const std::size_t from = static_cast<std::size_t>(first) * n(), to = static_cast<std::size_t>(end) * n();
    Cell* const there = now_.data() + slab_.at(0, first);
    std::vector<Cell> cells(to - from);
    device_->download(cells.data(), there, cells.size() * sizeof(Cell));
    // The middle of a wide patch would starve: a wide brush sows squares of 8 cells, 24 apart.
    const bool all = brush.tool == "eraser" || p_.fisher() || way.reach() < 12;
    for (std::size_t i = from; i < to; ++i) {
      const std::size_t x = i % n(), y = i / n();
      if (!way.holds(static_cast<double>(x), static_cast<double>(y)) || !(all || (x % 24 < 8 && y % 24 < 8))) continue;
      cells[i - from] = brush.tool == "seed" ? seed() : rest();
    }
    device_->upload(there, cells.data(), cells.size() * sizeof(Cell));
    return true;
  }
  Throughput throughput() const override {
    const double cells = static_cast<double>(p_.grid_points) * p_.grid_points;
    Throughput made{"cells/s", cells, 16 * cells / (device_->isCuda() ? 4 : 8), 27 * cells};  // a pass: 4 or 8 steps
    made.at_once = device_->isCuda() ? 32 : 8;
    return made;
  }
  std::string method() const override { return "explicit, blocked in time"; }

 private:
  std::size_t n() const { return static_cast<std::size_t>(p_.grid_points); }
  static constexpr std::size_t kFront = 2, kFrontExact = 3, kGrowth = 6, kLongestStep = 7;  // of the diagnostics
  std::string tooLong(double longest) const {
    return fmt::format("Steps of {:g} are too long; steps up to {:.3g} are stable.", p_.time_step, longest);
  }
  // The nearest number of waves whose eigenvalues are real is the cure.
  Finding complexWave() const {
    Finding found{
        Finding::Level::Note, "complex_wave",
        "The eigenvalues of this wave are complex: it oscillates while it grows or decays, and no growth rate "
        "is measured.",
        "", ""};
    const auto isReal = [this](int mode) {
      Parameters other = p_;
      other.mode = mode;
      return mode >= 1 && mode <= kMostWaves && !std::isnan(linearised(other).rate);
    };
    for (int away = 1; away < kMostWaves; ++away) {
      for (const int mode : {p_.mode + away, p_.mode - away}) {
        if (!isReal(mode)) continue;
        found.key = "mode", found.value = fmt::format("{}", mode);
        return found;
      }
    }
    return found;
  }

  // A shorter step cures what the step makes wrong, a longer wave what the grid does.
  Finding coarseWave(double off) const {
    Finding found{
        Finding::Level::Warning, "coarse_wave",
        fmt::format("The grid and the step change the growth of this wave by {:.2g} a unit of time, more than "
                    "{:g}: cells are {:.2g} wide and the wave is {:.3g} long.",
                    off, kGrowthError, p_.spacing, p_.length() / p_.mode)};
    const auto holds = [](const Parameters& p) { return std::abs(growthErrorOf(p)) <= kGrowthError; };
    Parameters longer = p_, shorter = p_;
    while (longer.mode > 1 && !holds(longer)) --longer.mode;
    while (shorter.time_step > 2e-5 && !holds(shorter)) shorter.time_step /= 2;
    if (holds(shorter)) found.key = "time_step", found.value = fmt::format("{:.2g}", 0.9 * shorter.time_step);
    if (!holds(shorter) && holds(longer)) found.key = "mode", found.value = fmt::format("{}", longer.mode);
    return found;
  }

  // Cells make the front too fast, steps too slow: its tail exp(-λx), λ = 2/√(6 D), grows at g = 1 + D λ², in steps at
  // ln(1 + dt g)/dt ≈ g - dt g²/2. Three quarters of that are seen while the front settles from its exact shape.
  Finding coarseFront(double off) const {
    const bool slow = off < 0;
    Finding found{Finding::Level::Warning, "coarse_front",
                  fmt::format("The front is {:.2g} {} its exact place, more than {:g}: {} of {:.2g} are too large.",
                              std::abs(off), slow ? "behind" : "ahead of", kFrontError, slow ? "steps" : "cells",
                              slow ? p_.time_step : p_.spacing)};
    if (!slow) return found;
    const double seen = 0.75 * (25.0 / 36) * std::sqrt(6 * p_.diffusion_u) * time();
    found.key = "time_step";
    found.value = fmt::format("{:.2g}", std::max(p_.time_step + off / seen, 0.05 * p_.time_step));
    return found;
  }

  // What lets the reaction begin (Pearson's square, or all that Fisher's can be), and where nothing goes on.
  Cell seed() const { return p_.fisher() ? Cell{1, 0} : Cell{0.5f, 0.25f}; }
  Cell rest() const { return p_.fisher() ? Cell{0, 0} : Cell{1, 0}; }
  Cell startAt(std::size_t x, std::size_t y, Cell exact) const {
    const bool noise = p_.start == Start::Noise, patches = p_.start == Start::Patches;
    const std::size_t block = patches ? 32 : n();  // of cells; half of the blocks have a patch somewhere
    const auto [drawn] = compute::uniform4(seed_, 0, noise ? y * n() + x : y / block * n() + x / block);
    const auto about = [&](float value, double share) { return value * static_cast<float>(0.9 + 0.2 * share); };
    if (noise) return {about(exact.u, drawn[0]), about(exact.v, drawn[1])};
    if (p_.start == Start::Mode || frontHolds()) return exact;
    const auto within = [&](std::size_t at, double share) {
      return std::abs(at % block - 9.0 - (block - 18.0) * (patches ? share : 0.5)) < 9;
    };
    return within(x, drawn[1]) && within(y, drawn[2]) && (!patches || drawn[0] < 0.5) ? seed() : rest();
  }

  // The closed forms: the front until it meets the other one beyond the joined edges, or the amplitude of the wave
  // while it is small (else 0), and what they make of a row.
  bool frontHolds() const {
    const bool apart = p_.frontPosition(time()) + kTail * std::sqrt(p_.diffusion_u) < p_.length() / 2;
    return exact_ && p_.fisher() && p_.start == Start::Seed && (apart || steps_ == 0);
  }
  double wave() const {
    const double amplitude = kAmplitude * std::exp(linearised(p_).rate * time());
    return exact_ && p_.start == Start::Mode && amplitude < kLarge && amplitude > kSmall ? amplitude : 0;
  }
  std::vector<Cell> exactRow() const {
    const Linear linear = linearised(p_);
    const double amplitude = wave();
    std::vector<Cell> row(n());
    for (std::size_t i = 0; i < n(); ++i) {
      const double x = p_.positionOf(i), here = amplitude * std::cos(linear.q * x);
      const double u = frontHolds() ? p_.frontAt(x, time()) : linear.u + here * linear.du;
      row[i] = {static_cast<float>(u), static_cast<float>(linear.v + here * linear.dv)};
    }
    return row;
  }

  Parameters p_;
  compute::Slab slab_;
  Cells now_, next_;   // the slab's rows
  bool exact_ = true;  // until the mouse or a parameter changes what the closed forms begin with
};

}  // namespace

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters) {
  return std::make_unique<ReactionDiffusion>(std::move(device), parameters);
}

}  // namespace simscope::reaction_diffusion
