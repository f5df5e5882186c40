#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "sims/core/words.h"
#include "sims/diffraction/diffraction.h"

namespace simscope::diffraction {
namespace {

// The finest detail of a shape, as a share of the half-width.
double finestOfShape(const Parameters& p) {
  switch (p.aperture) {
    case Aperture::Slit:
    case Aperture::DoubleSlit:
    case Aperture::Grating:
      return p.slit_width;
    case Aperture::ZonePlate:
      return p.aperture_radius / (2 * p.zones);  // the outermost zone
    case Aperture::Letter:
      return 0.35 * p.aperture_radius;
    case Aperture::Annulus:
      return p.aperture_radius * std::min(1 - p.obstruction, 2 * p.obstruction);
    default:
      return 2 * p.aperture_radius;
  }
}
// Of the aperture. A drawing's edges lie anywhere in their cells, which blur a third of a cell for each width.
double finest(const Parameters& p, const Details& details) {
  const bool picture = p.aperture == Aperture::Image;
  const double shape = picture ? details.picture.finest() : finestOfShape(p);
  if (picture || !(details.blurred > 0)) return shape;
  return std::min(shape, 2.0 / (3 * details.blurred) * 2 / p.grid_points);
}

class Findings {
 public:
  void add(Finding::Level level, const char* code, std::string message, const char* key, std::string value) {
    all_.push_back({level, code, std::move(message), key, std::move(value)});
  }
  // A cure within the parameter's range; none where the range has none.
  void add(Finding::Level level, const char* code, std::string message, const char* key, double value) {
    const ParameterInfo& info = description().parameters->at(description().defaults().find(key));
    const bool valid = value >= info.minimum && value <= info.maximum;
    all_.push_back({level, code, std::move(message), valid ? key : "", valid ? shortText(value) : ""});
  }
  std::vector<Finding> take() { return std::move(all_); }

 private:
  std::vector<Finding> all_;
};

// Of pictures and drawings: what varies within cells is lost.
void checkBlur(Findings& findings, const Parameters& p, const Details& details) {
  constexpr double kBlurred = 0.1;
  if (!(details.blurred > kBlurred)) return;
  const bool picture = p.aperture == Aperture::Image;
  int points = 2 * p.grid_points;
  const auto expected = [&](int n) {
    return picture ? details.picture.blurredBy(2.0 / n) : details.blurred * p.grid_points / n;
  };
  while (points < 16384 && expected(points) > kBlurred) points *= 2;
  const bool possible = points <= 16384 && expected(points) <= kBlurred;
  std::string message = fmt::format(
      "The grid is too coarse for the {}: {:.0f} % of the light belongs to details that lie within a cell. Their waves "
      "are missing from the pattern.",
      picture ? "picture" : "drawing", 100 * details.blurred);
  message += possible
                 ? fmt::format(" {} grid points resolve them.", points)
                 : std::string(" Enlarge the aperture's share of the window, or choose a picture of fewer pixels.");
  findings.add(Finding::Level::Warning, "unresolved", std::move(message), possible ? "grid_points" : "",
               possible ? fmt::format("{}", points) : "");
}

void checkAperture(Findings& findings, const Parameters& p, const Reach& reach, const Details& details) {
  const bool many = p.aperture == Aperture::DoubleSlit || p.aperture == Aperture::Grating;
  const int slits = p.aperture == Aperture::Grating ? p.slits : 2;
  if (reach.x > 1 && many) {
    findings.add(Finding::Level::Warning, "clipped",
                 fmt::format("The window cuts the aperture off: {} slits reach {:.3g} half-widths from its centre.",
                             slits, reach.x),
                 "slit_separation", roundedDown((2 - p.slit_width) / (slits - 1), 3));
  }
  if (many && slits > 1 && p.slit_width > p.slit_separation) {
    findings.add(Finding::Level::Warning, "slits_overlap",
                 fmt::format("Slits of width {:.3g} at a separation of {:.3g} merge into one opening.", p.slit_width,
                             p.slit_separation),
                 "slit_width", roundedDown(p.slit_separation / 2, 3));
  }
  if (details.freehand) return checkBlur(findings, p, details);
  const double cells = finestOfShape(p) * p.grid_points / 2;
  constexpr double kFewest =
      4;  // with four, the profile is up to 6 % off, and its dark ring 0.6 %; errors fall as dx^1.5
  if (cells < kFewest * (1 - 1e-9)) {
    const double wanted = p.grid_points * kFewest / cells;
    const double points = std::pow(2, std::ceil(std::log2(wanted)));
    const bool possible = points <= 16384;
    findings.add(Finding::Level::Warning, "unresolved",
                 fmt::format("The aperture's finest details are {:.2g} cells wide; the grid resolves those of {:g}.",
                             cells, kFewest),
                 possible ? "grid_points" : "", possible ? fmt::format("{:.0f}", points) : "");
  }
}

void checkFarField(Findings& findings, const Parameters& p, const Reach& reach) {
  constexpr double kFar = 0.1;
  const double radius = p.metres(std::max(reach.x, reach.y)), number = radius * radius / (p.wavelength * p.distance);
  if (number > kFar) {
    const double far = roundedUp(radius * radius / (kFar * p.wavelength), 3);
    findings.add(
        Finding::Level::Warning, "not_far",
        fmt::format(
            "Fraunhofer's formula holds far from the aperture, where the Fresnel number a²/λz is well below 1; here it "
            "is {:.3g}. From {:.3g} m on it is at most {}. propagation = fresnel also holds at shorter distances.",
            number, far, kFar),
        "distance", far);
  }
}

// Its formula takes sin θ for tan θ: at 0.3 they are 5 % apart.
void checkSmallAngles(Findings& findings, const Parameters& p, const Details& details) {
  constexpr double kSmall = 0.3;
  const double detail = p.metres(finest(p, details)), sine = p.wavelength / detail;
  if (!(sine > kSmall)) return;
  findings.add(Finding::Level::Warning, "wide_angles",
               fmt::format("The aperture's finest details, {:.3g} m, diffract light to sin θ = λ/d = {:.3g}. "
                           "Fraunhofer's formula holds for small angles; above 1 no such angle exists.",
                           detail, sine),
               "wavelength", roundedDown(kSmall * detail, 3));
}

// Of patterns that are one transform of the aperture: an intensity has details half as wide as the amplitude, so that
// the autocorrelation of the aperture must fit the window.
void checkSamples(Findings& findings, const Parameters& p, const Reach& reach) {
  const double widest = std::min(std::max(reach.x, reach.y), 1.0);
  if (widest <= 0.5 * (1 + 1e-9)) return;
  const Reach plain = reachOf(p);
  const bool drawn = widest > std::max(plain.x, plain.y);
  const bool many = p.aperture == Aperture::DoubleSlit || p.aperture == Aperture::Grating;
  const int slits = p.aperture == Aperture::Grating ? p.slits : 2;
  const std::string message = fmt::format(
      "The pattern is undersampled. Samples {:.3g} m apart resolve the intensity of apertures that reach up to half of "
      "the way to the window's edge; this one reaches {:.3g} of it. Between the samples the picture is unreliable.",
      patternPitch(p), widest);
  if (drawn) {
    findings.add(Finding::Level::Warning, "undersampled", message, "", "");
  } else if (many && slits > 1 && plain.y <= 0.5) {
    findings.add(Finding::Level::Warning, "undersampled", message, "slit_separation",
                 roundedDown((1 - p.slit_width) / (slits - 1), 3));
  } else {
    findings.add(Finding::Level::Warning, "undersampled", message, "aperture_radius", 0.5);
  }
}

// Whether a change of one parameter cures what is doubtful: the smallest that is larger, or the largest that is
// smaller.
template <class Doubtful>
std::optional<double> curingDistance(const Parameters& p, double limit, const Doubtful& doubtful) {
  Parameters q = p;
  q.distance = limit;
  if (doubtful(q)) return std::nullopt;
  double bad = std::log(p.distance), good = std::log(limit);
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (bad + good);
    q.distance = std::exp(middle);
    (doubtful(q) ? bad : good) = middle;
  }
  return limit > p.distance ? roundedUp(std::exp(good), 3) : roundedDown(std::exp(good), 3);
}

// How far the aperture reaches from the axis [m].
double radiusOf(const Parameters& p, const Reach& reach) {
  return p.metres(std::min(1.0, std::max(reach.x, reach.y)));
}

// Round apertures send light from all along their rims to the axis, where it adds up.
bool gathers(Aperture aperture) {
  return aperture == Aperture::Circle || aperture == Aperture::Annulus || aperture == Aperture::Telescope ||
         aperture == Aperture::ZonePlate;
}

// The sine of the steepest angle that the pattern needs. From a rim to the axis, with room for the Fresnel zone in
// which that light is gathered; from straight edges across the opening, unless what has come so far is faint: the wave
// that an edge sends falls to 1/(√2 π w), w = x √(2/λz), at the distance x from it.
double steepestNeeded(const Parameters& p, const Reach& reach) {
  const double a = radiusOf(p, reach), zone = std::sqrt(p.wavelength / p.distance);
  if (gathers(p.aperture)) return std::min(1.0, a / std::hypot(a, p.distance) + zone);
  constexpr double kFaint = 4.5;                        // w: a twentieth of the amplitude
  const double faint = kFaint * std::sqrt(0.5) * zone;  // tan
  const double across = std::min(2 * a / p.distance, faint);
  return across / std::hypot(1.0, across);
}

// Of patterns in the aperture's window: the cells hold waves up to sin θ = λ/2dx.
void checkAngles(Findings& findings, const Parameters& p, const Reach& reach) {
  const auto held = [](const Parameters& q) { return q.wavelength / (2 * q.cell()); };
  const auto doubtful = [&](const Parameters& q) { return held(q) < steepestNeeded(q, reach); };
  if (!doubtful(p)) return;
  Parameters finer = p;
  while (finer.grid_points < 16384 && doubtful(finer)) finer.grid_points *= 2;
  const std::optional<double> distance = curingDistance(p, 1e9, doubtful);
  const bool grid = !doubtful(finer);
  std::string message = fmt::format(
      "Light from the aperture's edges reaches sin θ = {:.3g} at {:.3g} m, but cells of {:.3g} m resolve waves up to "
      "{:.3g} (λ/2dx) only.",
      steepestNeeded(p, reach), p.distance, p.cell(), held(p));
  if (grid) message += fmt::format(" {} grid points resolve all of it.", finer.grid_points);
  if (distance)
    message += fmt::format(" With the present {}, the pattern is right from {:.3g} m on.", p.grid_points, *distance);
  if (grid) {
    findings.add(Finding::Level::Warning, "angles_unresolved", message, "grid_points",
                 fmt::format("{}", finer.grid_points));
  } else if (distance) {
    findings.add(Finding::Level::Warning, "angles_unresolved", message, "distance", *distance);
  } else {
    findings.add(Finding::Level::Warning, "angles_unresolved", message, "", "");
  }
}

// Of the angular spectrum in a padded plane: rays from the aperture reach the whole window, and beyond it up to a band;
// what is cut off there is faint as long as some Fresnel zones lie between.
void checkBand(Findings& findings, const Parameters& p, const Reach& reach) {
  constexpr double kZones = 4;
  const double room = 2 * p.half_width - radiusOf(p, reach);
  const double furthest = room * room / (kZones * p.wavelength);
  if (p.distance <= furthest) return;
  findings.add(
      Finding::Level::Warning, "undersampled",
      fmt::format(
          "At {:.3g} m the pattern is undersampled: it is wider than the window of ±{:.3g} m, which suffices up to "
          "{:.3g} m. Choose a wider window, or propagation = fresnel, whose window grows with the distance.",
          p.distance, p.half_width, furthest),
      "distance", roundedDown(furthest, 3));
}

// Of patterns in the aperture's window, which is joined at opposite edges: waves that leave it come back.
void checkWindow(Findings& findings, const Parameters& p, const Reach& reach, const Details& details) {
  // An opening of width w sends light up to about sin θ = 2 λ/w, the outermost zones of a plate, twice their width a
  // period, up to λ/2w.
  const double detail = p.metres(finest(p, details)), lobes = p.aperture == Aperture::ZonePlate ? 0.5 : 2;
  const double steepest = lobes * p.wavelength / detail;
  const double room = p.metres(std::max(0.0, 1 - std::max(reach.x, reach.y))), furthest = room / steepest;
  if (p.distance <= furthest) return;
  const std::string message = fmt::format(
      "At {:.3g} m the pattern is undersampled. Light from the aperture's edges at more than {:.3g} rad leaves the "
      "window of ±{:.3g} m and re-enters at the other side; details of {:.3g} m diffract it up to {:.3g} rad. The "
      "window suffices up to {:.3g} m{}.",
      p.distance, std::atan(room / p.distance), p.half_width, detail, steepest, furthest,
      p.propagation == Propagation::AngularSpectrum ? "; with propagation = fresnel the window grows with the distance"
                                                    : "");
  if (furthest > 0) {
    findings.add(Finding::Level::Warning, "undersampled", message, "distance", roundedDown(furthest, 3));
  } else {
    findings.add(Finding::Level::Warning, "undersampled", message, "", "");
  }
}

void checkFresnel(Findings& findings, const Parameters& p, const Reach& reach) {
  // The next term of the phase, π ρ⁴/(4 λ z³), across the aperture's diameter.
  const double across = 2 * p.metres(std::max(reach.x, reach.y));
  const double nearest = std::cbrt(std::numbers::pi * std::pow(across, 4) / (4 * p.wavelength));
  if (p.distance >= nearest) return;
  findings.add(Finding::Level::Note, "not_paraxial",
               fmt::format("At this distance Fresnel's approximation may be wrong: the phase that it neglects is up to "
                           "{:.3g} rad. It is below 1 rad from {:.3g} m on.",
                           std::pow(nearest / p.distance, 3), nearest),
               "propagation", "angular_spectrum");
}

}  // namespace

std::vector<Finding> findingsFor(const Parameters& p, const Reach& reach, const Details& details) {
  Findings findings;
  checkAperture(findings, p, reach, details);
  if (p.propagation == Propagation::Fraunhofer) {
    checkFarField(findings, p, reach);
    checkSmallAngles(findings, p, details);
  }
  if (p.propagation == Propagation::Fresnel) checkFresnel(findings, p, reach);
  if (keepsWindow(p)) {
    checkAngles(findings, p, reach);
    paddingOf(p) > 1 ? checkBand(findings, p, reach) : checkWindow(findings, p, reach, details);
  } else {
    checkSamples(findings, p, reach);
  }
  return findings.take();
}

}  // namespace simscope::diffraction
