// What the views are drawn from.
#include <algorithm>
#include <cmath>

#include "sims/pinn/pinn.h"
#include "sims/pinn/train.h"

namespace simscope::pinn {
namespace {

// The range of u, of its error, and of the residual that the axes cover.
struct Ranges {
  double low, high, error, residual;
};
Ranges rangesOf(Problem problem) {
  switch (problem) {
    case Problem::Decay:
      return {-0.1, 1.15, 0.02, 0.25};
    case Problem::Oscillator:
      return {-1.3, 1.3, 0.05, 0.25};
    case Problem::Heat:
      return {-0.1, 1.15, 0.02, 0.2};
    case Problem::Burgers:
      return {-1.2, 1.2, 0.03, 0.5};
  }
  return {-1, 1, 1, 1};
}

}  // namespace

void Pinn::present(Frame& frame) {
  evaluateCurve();
  presentCurves(frame);
  presentScores(frame);
  presentField(frame);
  presentWeights(frame);
}

void Pinn::presentCurves(Frame& frame) {
  const Ranges ranges = rangesOf(p_.problem);
  const auto curve = [&](const char* key, double low, double high) -> Channel& {
    Channel& made = frame.channel(key, kCurve);
    made.x_min = physics_.first();
    made.x_max = physics_.last() + (physics_.last() - physics_.first()) / (kCurve - 1);
    made.low = low, made.high = high;
    return made;
  };
  const auto read = [&](const char* key, Shown shown, double low, double high) {
    if (frame.wants(key)) {
      readJets(curve_.data(), loss_.equation, curve_exact_.data(), shown, curve(key, low, high).data);
    }
  };
  read("solution", Shown::Solution, ranges.low, ranges.high);
  read("residual", Shown::Residual, -ranges.residual, ranges.residual);
  read("error", Shown::Error, -ranges.error, ranges.error);
  if (frame.wants("exact")) {
    Channel& made = curve("exact", ranges.low, ranges.high);
    device_->copy(made.data.data(), curve_exact_.data(), made.data.bytes());
  }
  if (frame.wants("no_error")) curve("no_error", -ranges.error, ranges.error).data.zero();
  if (frame.wants("zero")) curve("zero", -ranges.residual, ranges.residual).data.zero();
  if (frame.wants("start")) {
    std::vector<float> values;
    for (int i = 0; i < kCurve; ++i) {
      const double x = xOf(physics_, 2.0 * i / (kCurve - 1) - 1);
      values.push_back(static_cast<float>(physics_.partial() ? exactAt(physics_, x, 0) : 1));
    }
    curve("start", ranges.low, ranges.high).data.upload(values);
  }
}

void Pinn::presentScores(Frame& frame) {
  const int rows = std::max(recordsUpTo(steps_), 2);
  const auto history = [&](const char* key, Number number) {
    if (!frame.wants(key)) return;
    Channel& made = frame.channel(key, rows);
    made.x_min = 0, made.x_max = static_cast<double>(rows) / kPerDecade;
    made.low = -8, made.high = 1.5;
    readHistory(history_, best_, networks(), number, static_cast<float>(kLowest), made.data);
  };
  history("loss", Number::Loss);
  history("loss_equation", Number::Equation);
  history("loss_conditions", Number::Conditions);
  history("loss_error", Number::Error);

  const double first = std::log10(p_.rateOf(0)), step = p_.sweeps() ? std::log10(p_.rateOf(1)) - first : 0;
  const auto scores = [&](const char* key, Number number) {
    if (!frame.wants(key)) return;
    Channel& made = frame.channel(key, p_.sweeps() ? p_.networks : 2);
    made.x_min = step > 0 ? first : first - 0.5;
    made.x_max = step > 0 ? first + step * p_.networks : first + 1.5;
    made.low = -7, made.high = kHighest;
    readScores(scores_, p_.sweeps() ? nullptr : best_.data() + 1, number, static_cast<float>(kLowest),
               static_cast<float>(kHighest), made.data);
  };
  scores("sweep_loss", Number::Loss);
  scores("sweep_error", Number::Error);

  const auto histogram = [&](const char* key, const compute::Buffer<Score>& of) {
    if (!frame.wants(key)) return;
    Channel& made = frame.channel(key, kBins);
    made.x_min = -5, made.x_max = 1;
    made.high = std::max(1.0, 0.3 * p_.networks);
    countErrors(of, -5, 1, counts_, made.data);
  };
  histogram("errors", scores_);
  histogram("errors_start", start_);
}

void Pinn::evaluateField() {
  if (field_at_.empty()) {
    const double wide = physics_.last() - physics_.first(), high = physics_.partial() ? 1 : wide / 8;
    field_width_ = 128;
    field_height_ = std::max(8, static_cast<int>(std::lround(128 * high / wide)));
    std::vector<Place<float>> places;
    std::vector<float> exact;
    for (int j = 0; j < field_height_; ++j) {
      const double tau = physics_.partial() ? (2.0 * j + 1) / field_height_ - 1 : 0;
      for (int i = 0; i < field_width_; ++i) {
        const double xi = (2.0 * i + 1) / field_width_ - 1;
        places.push_back({static_cast<float>(xi), static_cast<float>(tau)});
        exact.push_back(static_cast<float>(exactAt(physics_, xOf(physics_, xi), timeOf(tau))));
      }
    }
    field_at_ = compute::Buffer<Place<float>>(device_, places);
    field_exact_ = compute::Buffer<float>(device_, exact);
    field_ = compute::Buffer<float>(device_, kJet * places.size());
  }
  evaluate(*device_,
           {net_, loss_.xi_x, loss_.tau_t, field_at_.data(), static_cast<int>(field_at_.size()), weights_.data(),
            best_.data() + 1, kJet, field_.data()},
           1);
}

void Pinn::presentField(Frame& frame) {
  if (!frame.wants("field") && !frame.wants("field_exact") && !frame.wants("field_error") &&
      !frame.wants("field_residual")) {
    return;
  }
  evaluateField();
  const Ranges ranges = rangesOf(p_.problem);
  const auto field = [&](const char* key, double low, double high) -> Channel& {
    Channel& made = frame.channel(key, field_width_, field_height_);
    const double wide = physics_.last() - physics_.first();
    made.x_min = physics_.first(), made.x_max = physics_.last();
    made.y_min = 0, made.y_max = physics_.partial() ? 1 : wide / 8;
    made.low = low, made.high = high;
    return made;
  };
  const auto read = [&](const char* key, Shown shown, double low, double high) {
    if (frame.wants(key))
      readJets(field_.data(), loss_.equation, field_exact_.data(), shown, field(key, low, high).data);
  };
  const double most = 1, least = p_.problem == Problem::Decay || p_.problem == Problem::Heat ? 0 : -1;
  read("field", Shown::Solution, least, most);
  read("field_error", Shown::Error, -ranges.error, ranges.error);
  read("field_residual", Shown::Residual, -ranges.residual, ranges.residual);
  if (frame.wants("field_exact")) {
    Channel& made = field("field_exact", least, most);
    device_->copy(made.data.data(), field_exact_.data(), made.data.bytes());
  }
}

void Pinn::presentWeights(Frame& frame) {
  if (!frame.wants("weights")) return;
  Channel& made = frame.channel("weights", map_width_, net_.units);
  made.x_min = 0, made.x_max = map_width_;
  made.y_min = 0, made.y_max = net_.units;
  made.low = -1.5, made.high = 1.5;
  readWeights(weights_.data(), net_.weights(), best_, map_, made.data);
}

}  // namespace simscope::pinn
