#include "sims/lorentz/present.h"

#include <algorithm>
#include <cmath>

#include "sims/compute/loops/parallel.h"
#include "sims/lorentz/exact.h"
#include "sims/lorentz/lorentz.h"
#include "sims/lorentz/paths.h"
#include "sims/lorentz/present_functors.h"

namespace simscope::lorentz {
namespace {

class Pictures {
 public:
  Pictures(Frame& frame, const Presented& what)
      : frame_(frame),
        what_(what),
        p_(what.p),
        every_((p_.particles + kMostDrawn - 1) / kMostDrawn),
        drawn_((p_.particles + every_ - 1) / every_),
        plotted_(plottedSamples(p_)) {}

  void present() {
    withField(what_.setup, [&](const auto& field) {
      particles(field);
      curves(field);
    });
    trails();
    paths();
  }

 private:
  float* values(const char* key, double low, double high) {
    if (!frame_.wants(key)) return nullptr;
    Channel& channel = frame_.channel(key, drawn_);
    channel.low = low;
    channel.high = high;
    return channel.data.data();
  }
  float* points(const char* key, double x_min, double x_max, double y_min, double y_max) {
    if (!frame_.wants(key)) return nullptr;
    Channel& channel = frame_.channel(key, drawn_, 1, 4);
    channel.x_min = x_min, channel.x_max = x_max, channel.y_min = y_min, channel.y_max = y_max;
    channel.every = every_;
    channel.of = p_.particles;
    return channel.data.data();
  }

  template <class Field>
  void particles(const Field& field) {
    const double edge = p_.halfEdge(), fastest = p_.typicalSpeed();
    const bool torus = p_.in(Configuration::Tokamak);
    const double high = torus ? 1.3 * p_.minorRadius() : edge;
    const double inner = torus ? p_.major_radius - high : 0, outer = torus ? p_.major_radius + high : edge;
    functors::Show<Field> show{field, what_.setup, what_.particles, static_cast<std::size_t>(every_)};
    show.points = points("particles", -edge, edge, -edge, edge);
    show.section = points("section", inner, outer, -high, high);
    show.top = points("top", -edge, edge, -edge, edge);
    show.velocities = points("velocities", -fastest, fastest, 0, fastest);
    const double gamma = p_.relativistic ? std::sqrt(1 + fastest * fastest / p_.c2()) : 1;
    show.energy = values("energy", 0, 0.75 * fastest * fastest / (gamma + 1));
    show.pitch = values("pitch", 0, 90);
    show.charge = values("charge", -0.25, 1.25);
    if (show.charge) {
      Channel& charge = frame_.channel("charge", drawn_);
      charge.kinds = 2;
      charge.kind_names = {"negative", "positive"};
    }
    // Smaller for more particles: else a picture of ten million would be white.
    show.size = static_cast<float>(std::clamp(std::pow(3000.0 / drawn_, 0.25), 0.3, 2.0));
    if (!show.any()) return;
    constexpr std::size_t kGrain = 2048;
    compute::parallelFor(*frame_.device, static_cast<std::size_t>(drawn_), show, kGrain);
  }

  void trails() {
    if (!frame_.wants("trails")) return;
    const int shown = shownSamples(p_);
    Channel& channel = frame_.channel("trails", shown, kTracers, 3);
    compute::parallelFor(*frame_.device, static_cast<std::size_t>(shown) * kTracers,
                         functors::Unroll{what_.history, what_.samples, shown, channel.data.data()});
  }

  Channel* path(const char* key, int points, int count) {
    if (!frame_.wants(key)) return nullptr;
    return &frame_.channel(key, points, count, 2);
  }
  void upload(const char* key, int count, const PathPoints& points) {
    std::vector<float> values;
    for (const auto& [x, y] : points) values.insert(values.end(), {x, y});
    frame_.channel(key, kPathPoints, count, 2).data.upload(values);
  }
  void paths() {
    if (frame_.wants("force_lines")) upload("force_lines", kForceLines, forceLines(p_));
    if (frame_.wants("loss_cone")) upload("loss_cone", kConeLines, coneLines(p_));
    if (frame_.wants("banana")) upload("banana", kOrbitLines, bananaOrbit(p_, kPathPoints));
    const int shown = shownSamples(p_);
    const auto track = [&](const char* key, bool guide, bool section) {
      Channel* const channel = path(key, shown, 1);
      if (!channel) return;
      withField(what_.setup, [&](const auto& field) {
        using Of = functors::Track<std::remove_cvref_t<decltype(field)>>;
        compute::parallelFor(*frame_.device, static_cast<std::size_t>(shown),
                             Of{field, what_.history, what_.samples, shown, guide, section, channel->data.data()});
      });
    };
    track("guide_section", true, true);
    track("guide_top", true, false);
    track("track_top", false, false);
  }

  float* curve(const char* key, double low, double high) {
    if (!frame_.wants(key)) return nullptr;
    Channel& channel = frame_.channel(key, plotted_);
    channel.x_min = -spacing() * plotted_;
    channel.x_max = 0;
    channel.low = low;
    channel.high = high;
    return channel.data.data();
  }
  double spacing() const { return what_.history.stride * p_.time_step; }

  template <class Field>
  void curves(const Field& field) {
    const FirstParticle first = firstParticle(p_);
    functors::Curves<Field> f{field, what_.setup, what_.history, what_.samples, plotted_};
    f.now = what_.time - what_.history.since * p_.time_step;
    f.spacing = spacing();
    f.dt = p_.time_step;
    f.speed2 = first.u * first.u;
    f.moment = first.moment;
    f.along = first.along;
    f.drift = p_.in(Configuration::Uniform) ? -p_.electric_field / p_.field : 0;
    // It starts along x across B; this is its velocity across B in the frame that drifts along y, squared.
    f.across2 = first.across * first.across + f.drift * f.drift;
    const double growth = growthOfStep(p_);
    f.growth = std::isfinite(growth) ? growth : 0;
    const bool closed = what_.untouched && p_.in(Configuration::Bottle) && std::isfinite(bouncePeriod(p_));
    f.bounce = closed ? 6.283185307179586 / bouncePeriod(p_) : 0;
    f.known = what_.untouched;
    f.parallel = curve("parallel", -1.15 * first.u, 1.15 * first.u);
    f.parallel_exact = curve("parallel_exact", -1.15 * first.u, 1.15 * first.u);
    f.moments = curve("moment", 0, 2);
    f.moments_exact = curve("moment_exact", 0, 2);
    f.error = curve("energy_change", -9, 3);
    f.error_exact = curve("energy_change_exact", -9, 3);
    if (f.parallel_exact) frame_.channel("parallel_exact", plotted_).form = closed ? 0 : what_.untouched ? 1 : 2;
    if (f.any()) compute::parallelFor(*frame_.device, static_cast<std::size_t>(plotted_), f);
  }

  Frame& frame_;
  const Presented& what_;
  const Parameters& p_;
  int every_, drawn_, plotted_;
};

}  // namespace

void presentParticles(Frame& frame, const Presented& what) {
  Pictures(frame, what).present();
}

}  // namespace simscope::lorentz
