#include <algorithm>
#include <array>
#include <cmath>

#include "sims/eigenstates2d/exact.h"
#include "sims/eigenstates2d/simulation.h"

namespace simscope::eigenstates2d {
namespace {

constexpr double kFloor = -14;  // of decades: rounding

double inDecades(double value) {
  return std::log10(std::max(std::abs(value), 1e-14));
}
bool wantsAny(const Frame& frame, std::initializer_list<const char*> keys) {
  return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return frame.wants(key); });
}

}  // namespace

const std::vector<double>& PlaneStates::largest() {
  if (largest_version_ != solver_.version()) {
    largest_ = largestOf(device_, solver_.grid().size(), p_.states, solver_.states().data());
    largest_version_ = solver_.version();
  }
  return largest_;
}

// The largest |ψ|² at some times of the beat of its strongest states.
double PlaneStates::peakDensity() {
  coefficients();
  if (peak_version_ == solver_.version()) return peak_;
  peak_version_ = solver_.version();
  constexpr int kLooks = 8;
  const std::vector<Complex<double>>& c = coefficients();
  std::size_t one = 0, other = 0;
  for (std::size_t n = 1; n < count(); ++n) {
    if (norm2(c[n]) > norm2(c[one])) {
      other = one, one = n;
    } else if (other == one || norm2(c[n]) > norm2(c[other])) {
      other = n;
    }
  }
  const double beat = std::max(std::abs(solver_.energies()[one] - solver_.energies()[other]), 1e-6);
  peak_ = 1e-30;
  for (int look = 0; look < kLooks; ++look) {
    superpose(solver_.states(), turned(c, solver_.energies(), look * 6.283185307179586 / (beat * kLooks)), scratch_);
    peak_ = std::max(peak_, sumsOf(scratch_, solver_.grid()).largest);
  }
  peak_ /= solver_.grid().h * solver_.grid().h;
  return peak_;
}

void PlaneStates::presentFields(Frame& frame) {
  const Grid& grid = solver_.grid();
  const Landscape& l = solver_.landscape();
  const auto shown = static_cast<std::size_t>(shownState());
  const auto plane = [&](const char* key, int components, double low, double high) {
    Channel& made = frame.channel(key, grid.points, grid.points, components);
    made.x_min = grid.x(0) - 0.5 * grid.h, made.x_max = made.x_min + grid.points * grid.h;
    made.y_min = made.x_min, made.y_max = made.x_max;
    made.low = low, made.high = high;
    return made.data.data();
  };
  const double* const state = solver_.states().data() + shown * grid.size();
  const double highest = wantsAny(frame, {"state", "state_density"}) ? largest()[shown] / grid.h : 1;
  if (frame.wants("state")) drawState(*device_, state, walls(), grid, false, plane("state", 1, -highest, highest));
  if (frame.wants("state_density")) {
    drawState(*device_, state, walls(), grid, true, plane("state_density", 1, 0, highest * highest));
  }
  const double* const v = solver_.devicePotential().data();
  const auto turning = [&](const char* key, double energy) {
    const double scale = std::max(std::abs(energy - l.lowest), 1e-6);
    drawTurning(*device_, v, grid, energy, scale, plane(key, 1, -1, 1));
  };
  if (frame.wants("turning")) turning("turning", solver_.energies()[shown]);
  if (frame.wants("turning_mean")) turning("turning_mean", meanEnergy());
  if (frame.wants("potential")) {
    const double top = std::max(solver_.energies()[count() - 1], l.lowest + 1e-6);
    const double span = 1.3 * (top - l.lowest);
    drawPotential(*device_, walls(), grid, l.lowest, l.lowest + span, plane("potential", 1, l.lowest, l.lowest + span));
  }
  if (!wantsAny(frame, {"psi", "density"})) return;
  const double peak = peakDensity();
  if (frame.wants("psi")) drawWave(*device_, psi(), grid, plane("psi", 2, 0, std::sqrt(peak)));
  if (frame.wants("density")) drawDensity(*device_, psi(), walls(), grid, plane("density", 1, 0, peak));
}

void PlaneStates::presentGallery(Frame& frame) {
  if (!wantsAny(frame, {"gallery", "gallery_mark"})) return;
  const Gallery g = galleryOf(std::min(p_.shown_states, p_.states), p_.grid_points, largest());
  const auto place = [&](Channel& made) {
    made.x_min = 0, made.x_max = g.columns;
    made.y_min = 0, made.y_max = g.rows;
  };
  if (frame.wants("gallery")) {
    Channel& made = frame.channel("gallery", g.width(), g.height());
    place(made);
    made.low = -1, made.high = 1;
    drawGallery(*device_, solver_.states().data(), walls(), solver_.grid(), g, made.data.data());
  }
  if (!frame.wants("gallery_mark")) return;
  Channel& made = frame.channel("gallery_mark", 5, 1, 2);
  place(made);
  std::vector<float> frame_of(10, NAN);
  if (const int n = shownState(); n < g.states) {
    const auto x = static_cast<float>(n % g.columns), y = static_cast<float>(g.rows - 1 - n / g.columns);
    frame_of = {x, y, x + 1, y, x + 1, y + 1, x, y + 1, x, y};
  }
  made.data.upload(frame_of);
}

void PlaneStates::presentLevels(Frame& frame) {
  if (!wantsAny(frame, {"ladder", "ladder_shares", "ladder_levels", "ladder_exact", "ladder_weyl", "ladder_shown"})) {
    return;
  }
  const std::vector<double>&energies = solver_.energies(), &levels = exact();
  const std::vector<Complex<double>>& c = coefficients();
  // Those that are known hold the axis still while the others come down to them.
  const double first = levels.empty() ? energies[0] : levels.front();
  const double last = levels.empty() ? energies[count() - 1] : levels.back();
  const double span = std::max(last - first, 1e-6), low = first - 0.06 * span, high = last + 0.1 * span;
  const auto channel = [&](const char* key, int width, int height, int components) -> Channel& {
    Channel& made = frame.channel(key, width, height, components);
    made.x_min = -1, made.x_max = p_.states;
    made.y_min = low, made.y_max = high;
    return made;
  };
  std::vector<float> places, shares, computed, dashes, weyl;
  double most = 0;
  for (std::size_t n = 0; n < count(); ++n) {
    const auto x = static_cast<float>(n), y = static_cast<float>(energies[n]);
    places.insert(places.end(), {x, y, 0, 1.3f});
    shares.push_back(static_cast<float>(norm2(c[n])));
    most = std::max(most, norm2(c[n]));
    const float level = n < levels.size() ? static_cast<float>(levels[n]) : NAN;
    dashes.insert(dashes.end(), {x - 0.5f, level, x + 0.5f, level});
    computed.insert(computed.end(), {x - 0.3f, y, x + 0.3f, y});
  }
  if (frame.wants("ladder")) channel("ladder", p_.states, 1, 4).data.upload(places);
  if (frame.wants("ladder_shares")) {
    Channel& made = channel("ladder_shares", p_.states, 1, 1);
    made.data.upload(shares);
    made.low = 0;
    made.high = most;
  }
  if (frame.wants("ladder_levels")) channel("ladder_levels", 2, p_.states, 2).data.upload(computed);
  if (frame.wants("ladder_exact")) channel("ladder_exact", 2, p_.states, 2).data.upload(dashes);
  if (frame.wants("ladder_shown")) {
    const auto y = static_cast<float>(energies[static_cast<std::size_t>(shownState())]);
    channel("ladder_shown", 2, 1, 2).data.upload(std::array{-1.0f, y, static_cast<float>(p_.states), y});
  }
  if (!frame.wants("ladder_weyl")) return;
  constexpr int kPlaces = 128;
  const bool shaped = (p_.billiard() || p_.potential == Potential::Box) && !solver_.altered();
  for (int i = 0; i < kPlaces; ++i) {
    // Half the staircase's steps are below its mean: level n is where n + ½ are.
    const double energy = low + (high - low) * i / (kPlaces - 1), n = shaped ? weylCount(p_, energy) - 0.5 : NAN;
    const bool shown = n > -0.5 && n < p_.states;
    weyl.insert(weyl.end(), {shown ? static_cast<float>(n) : NAN, shown ? static_cast<float>(energy) : NAN});
  }
  channel("ladder_weyl", kPlaces, 1, 2).data.upload(weyl);
}

void PlaneStates::presentConvergence(Frame& frame) {
  if (!wantsAny(frame, {"residual_worst", "residual_shown", "error_worst", "error_shown", "residual_goal"})) return;
  const std::vector<double>&residuals = solver_.residualHistory(), &energies = solver_.energyHistory();
  const std::vector<double>& levels = exact();
  const int known = solver_.remembered(), width = known <= 17 ? 17 : known <= 33 ? 33 : kRemembered + 1;
  const auto shown = static_cast<std::size_t>(shownState()), all = static_cast<std::size_t>(width);
  std::vector<float> worst(all, NAN), mine(all, NAN), errors(all, NAN), error(all, NAN), goal(all);
  for (std::size_t i = 0; i < static_cast<std::size_t>(known); ++i) {
    const double *const r = residuals.data() + i * count(), *const e = energies.data() + i * count();
    worst[i] = static_cast<float>(inDecades(*std::max_element(r, r + count())));
    mine[i] = static_cast<float>(inDecades(r[shown]));
    double most = 0;
    for (std::size_t n = 0; n < levels.size(); ++n) most = std::max(most, std::abs(e[n] - levels[n]));
    if (levels.empty()) continue;
    errors[i] = static_cast<float>(inDecades(most));
    error[i] = static_cast<float>(inDecades(e[shown] - levels[shown]));
  }
  std::fill(goal.begin(), goal.end(), static_cast<float>(inDecades(solver_.usedTolerance())));
  const auto put = [&](const char* key, const std::vector<float>& values) {
    if (!frame.wants(key)) return;
    Channel& made = frame.channel(key, width);
    made.x_min = 0, made.x_max = width;
    made.low = std::max(kFloor, std::floor(std::log10(solver_.usedTolerance())) - 2), made.high = 4;
    made.data.upload(values);
  };
  put("residual_worst", worst);
  put("residual_shown", mine);
  put("error_worst", errors);
  put("error_shown", error);
  put("residual_goal", goal);
}

void PlaneStates::presentErrors(Frame& frame) {
  if (!wantsAny(frame, {"level_errors", "level_residuals"})) return;
  const std::vector<double>& levels = exact();
  std::vector<float> errors, rests;
  for (std::size_t n = 0; n < count(); ++n) {
    const double rest = inDecades(solver_.residuals()[n]);
    errors.push_back(static_cast<float>(n < levels.size() ? inDecades(solver_.energies()[n] - levels[n]) : rest));
    rests.push_back(static_cast<float>(rest));
  }
  const auto put = [&](const char* key, const std::vector<float>& values, int form) {
    if (!frame.wants(key)) return;
    Channel& made = frame.channel(key, p_.states);
    made.x_min = 0, made.x_max = p_.states;
    made.low = kFloor, made.high = 3;
    made.form = form;
    made.data.upload(values);
  };
  put("level_errors", errors, levels.empty() ? 1 : 0);
  put("level_residuals", rests, 0);
}

void PlaneStates::present(Frame& frame) {
  presentFields(frame);
  presentGallery(frame);
  presentLevels(frame);
  presentConvergence(frame);
  presentErrors(frame);
}

}  // namespace simscope::eigenstates2d
