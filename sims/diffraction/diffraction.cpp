#include "sims/diffraction/diffraction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sims/core/timeline/stepper.h"
#include "sims/diffraction/exact.h"
#include "sims/diffraction/measure.h"
#include "sims/diffraction/present/present.h"
#include "sims/image/shared_image.h"

namespace simscope::diffraction {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::size_t cellsOf(const Parameters& p) {
  return static_cast<std::size_t>(p.grid_points) * static_cast<std::size_t>(p.grid_points);
}

SlabWaves::Kind slabKind(const Parameters& p) {
  return p.propagation == Propagation::Fraunhofer ? SlabWaves::Kind::Far : SlabWaves::Kind::Near;
}

std::size_t lightElements(const Parameters& p) {
  const auto size = static_cast<std::size_t>(colourRegion(p).size());
  return 3 * size * size;
}

}  // namespace

double memoryBytes(const ParameterSet& set, compute::Backend backend) {
  const Parameters p = binding().read(set);
  const double cells = static_cast<double>(cellsOf(p)), n = p.grid_points;
  const bool far = p.propagation == Propagation::Fraunhofer;
  // Transmission, pattern, and drawing; the workspace; the light; three frames; rows, and factors of the spectrum.
  return (4 + 4 + sizeof(Cover)) * cells +
         (far ? farFieldBytes(backend, p.grid_points) : nearFieldBytes(p.grid_points, paddingOf(p))) +
         4.0 * static_cast<double>(lightElements(p)) + 3 * frameBytes(p) + (far ? 64 : 160) * n;
}

// Padding, which is live, makes more of rows only.
int mostRanks(const ParameterSet& parameters) {
  const int n = binding().read(parameters).grid_points;
  return std::min(compute::mostSlabs(n, haloOf(n)), compute::mostTransformRanks(n));
}

double memoryOfRank(const ParameterSet& parameters, int ranks) {
  const Parameters p = binding().read(parameters);
  const double n = p.grid_points, rows = compute::largestSlab(p.grid_points, ranks) + 2.0 * haloOf(p.grid_points);
  // Transmission, pattern, and drawing; the transforms; the light and three frames, as rank 0 has them; the copy of the
  // watch, of pattern and drawing.
  const double watched = 4 * n * n <= static_cast<double>(Stepper::kWatchedBytes) ? (4 + sizeof(Cover)) * rows * n : 0;
  return (4 + 4 + sizeof(Cover)) * rows * n +
         SlabWaves::bytes(p.grid_points, haloOf(p.grid_points), ranks, slabKind(p), paddingOf(p)) +
         2 * 4.0 * static_cast<double>(lightElements(p)) + 3 * frameBytes(p) + watched + 160 * n + (1 << 20);
}

Diffraction::Diffraction(compute::DevicePtr device, const ParameterSet& parameters)
    : Simulation(diffraction::description(), std::move(device), parameters),
      p_(binding().read(parameters)),
      slab_(compute::slabOf(*device_, p_.grid_points, haloOf(p_.grid_points))) {
  prepare(p_);
  transmission_ = compute::Buffer<float>(device_, slab_.cells());
  pattern_ = compute::Buffer<float>(device_, slab_.cells());
  if (device_->ranks()) unit_ = compute::Buffer<float>(device_, 1);
  transmission_.zero();
  reset(0);
}

void Diffraction::prepare(const Parameters& p) {
  Picture picture;
  if (p.aperture == Aperture::Image && p.image_file != picture_.file) {
    const image::GreyImage read =
        forParameter("image_file", [&] { return image::readSharedImage(*device_, p.image_file); });
    picture = {p.image_file, compute::Buffer<float>(device_, std::span<const float>(read.values)), read.width,
               read.height, pictureDetails(read)};
  }
  const bool far = p.propagation == Propagation::Fraunhofer;
  std::unique_ptr<FarField> far_field;
  std::unique_ptr<NearField> near_field;
  std::unique_ptr<SlabWaves> slab_waves;
  compute::Buffer<float> light;
  const bool alone = !device_->ranks();
  if (!alone && (!slabs_ || slabs_->kind() != slabKind(p) || slabs_->padding() != paddingOf(p))) {
    slab_waves = std::make_unique<SlabWaves>(device_, slab_, slabKind(p), paddingOf(p));
  }
  if (alone && far && !far_) far_field = makeFarField(device_, p.grid_points);
  if (alone && !far && (!near_ || near_->padding() != paddingOf(p))) {
    near_field = std::make_unique<NearField>(device_, p.grid_points, paddingOf(p));
  }
  if (!far && p.spectrum != Spectrum::Monochromatic && light_.size() != lightElements(p)) {
    light = compute::Buffer<float>(device_, lightElements(p));
  }
  // All is there: from here on nothing fails. Of the two workspaces, the one that is not used goes.
  if (!picture.file.empty()) {
    picture_ = std::move(picture);
    aperture_current_ = false;
  }
  if (far_field) far_ = std::move(far_field);
  if (near_field) near_ = std::move(near_field);
  if (slab_waves) slabs_ = std::move(slab_waves);
  if (!light.empty()) light_ = std::move(light);
  (far ? static_cast<void>(near_.reset()) : far_.reset());
}

void Diffraction::reset(std::uint64_t seed) {
  seed_ = seed;
  steps_ = 0;
  drawn_ = {};
  drawn_box_ = {};
  probe_ = {};
  aperture_current_ = pattern_current_ = field_current_ = false;
}

void Diffraction::change(const ParameterSet& parameters) {
  const Parameters changed = binding().read(parameters);
  prepare(changed);
  p_ = changed;
  pattern_current_ = field_current_ = false;
}

void Diffraction::makeAperture() {
  const Parameters& p = p_;
  Shape shape = shapeOf(p);
  if (p.aperture == Aperture::Image) {
    shape.image = picture_.pixels.data();
    shape.image_width = picture_.width;
    shape.image_height = picture_.height;
  }
  if (aperture_current_ && shape == shape_) return;
  const double half = 0.5 * p.grid_points;
  const Reach reach = reachOf(p);
  const CellRange box = joined(boxAround(p.grid_points, 0, 0, reach.x * half, reach.y * half), drawn_box_);
  // What the last aperture alone had reached becomes zero.
  fillTransmission(*device_, shape, isDrawn() ? drawn_.data() : nullptr, joined(box, box_), slab_,
                   transmission_.data());
  shape_ = shape;
  box_ = box;
  sums_.reset();
  straight_side_ = 0;
  aperture_current_ = true;
  if (near_) near_->apertureChanged();
  if (slabs_) slabs_->apertureChanged();
}

// Of shape_, for the plane of the near field.
StraightSpectrum Diffraction::straightSpectrum() {
  const int side = p_.grid_points * paddingOf(p_);
  if (straight_side_ != side) {
    const std::vector<compute::Complex<float>> factors = factorsOf(barsOf(shape_), p_.grid_points, side);
    straight_ = {};
    if (!factors.empty()) straight_ = {device_, std::span<const compute::Complex<float>>(factors)};
    straight_side_ = side;
  }
  if (straight_.empty()) return {};
  return {straight_.data(), static_cast<int>(straight_.size()) / (2 * side), side};
}

void Diffraction::propagate(const Transfer& transfer) {
  const StraightSpectrum straight = transfer.means ? straightSpectrum() : StraightSpectrum{};
  slabs_ ? slabs_->propagate(transmission_.data(), transfer, straight)
         : near_->propagate(transmission_.data(), transfer, straight);
}

void Diffraction::makePattern() {
  makeAperture();
  const auto takeIntensity = [this] {
    slabs_ ? slabs_->intensity(pattern_.data()) : near_->intensity(pattern_.data());
  };
  if (far()) {
    slabs_ ? slabs_->farField(transmission_.data(), pattern_.data())
           : far_->intensity(transmission_.data(), box_, pattern_.data());
  } else {
    if (coloursApart()) {
      bool first = true;
      for (const SpectralLine& line : spectralLines(p_)) {
        Parameters coloured = p_;
        coloured.wavelength = line.wavelength;
        const Transfer transfer = transferOf(coloured);
        propagate(transfer);
        takeIntensity();
        addLight(*device_, p_, slab_, pattern_.data(), transfer.pitch(), line.weight, first, light_.data());
        first = false;
      }
    }
    propagate(transferOf(p_));
    takeIntensity();
    field_current_ = true;
  }
  pattern_current_ = true;
}

void Diffraction::ensurePattern() {
  if (!pattern_current_) makePattern();
}

// After a load the pattern is there, but not what it came from.
void Diffraction::ensureField() {
  ensurePattern();
  makeAperture();
  if (far() || field_current_) return;
  if (coloursApart()) {
    makePattern();
  } else {
    propagate(transferOf(p_));
    field_current_ = true;
  }
}

// The pattern at a step's end is computed on demand, or when the next step begins: keyframes move the parameters
// between two steps, and what they find would be computed in vain.
void Diffraction::step(int n) {
  for (int i = 0; i < n; ++i) {
    ensurePattern();
    ++steps_;
    pattern_current_ = field_current_ = false;
  }
}

void Diffraction::completeStep() {
  ensurePattern();
}

void Diffraction::present(Frame& frame) {
  ensureField();
  const Parameters& p = p_;
  Presented what;
  what.slab = slab_;
  what.pattern = pattern_.data();
  what.unit = far() ? unitOnDevice() : nullptr;
  if (!far()) {
    what.field = slabs_ ? slabs_->field() : near_->field();
    what.field_pitch = slabs_ ? p.grid_points : near_->pitch();
  }
  what.transmission = transmission_.data();
  what.light = coloursApart() ? light_.data() : nullptr;
  if (!isDrawn()) what.exact = exactPattern(p);
  what.probe_x = probe_.x;
  what.probe_y = probe_.y;
  what.probed = probe_.placed;
  presentPattern(frame, p, what);
}

const Sums& Diffraction::apertureSums() {
  makeAperture();
  if (!sums_) {
    sums_ = sumsOf(*device_, shape_, isDrawn() ? drawn_.data() : nullptr, transmission_.data(), slab_, box_);
  }
  return *sums_;
}

Transfer Diffraction::transferOf(const Parameters& parameters) const {
  Transfer transfer = transferFor(parameters);
  if (isDrawn()) transfer.means = false;
  return transfer;
}

std::vector<float> Diffraction::rowOf(int row) const {
  const auto n = static_cast<std::size_t>(p_.grid_points);
  std::vector<float> values(n);
  if (slab_.owns(row)) device_->download(values.data(), pattern_.data() + slab_.at(0, row), n * sizeof(float));
  compute::shareFromRow(*device_, slab_.n, row, values.data(), n * sizeof(float));
  return values;
}

double Diffraction::unit() const {
  if (!far()) return 1;
  float value = 0;
  const int middle = slab_.n / 2;
  if (slab_.owns(middle)) device_->download(&value, pattern_.data() + slab_.at(middle, middle), sizeof value);
  compute::shareFromRow(*device_, slab_.n, middle, &value, sizeof value);
  return static_cast<double>(value);
}

const float* Diffraction::unitOnDevice() {
  const int middle = slab_.n / 2;
  if (!device_->ranks()) return pattern_.data() + slab_.at(middle, middle);
  const auto value = static_cast<float>(unit());
  device_->upload(unit_.data(), &value, sizeof value);
  return unit_.data();
}

void Diffraction::diagnostics(std::span<double> values) {
  ensurePattern();
  const Parameters& p = p_;
  const int n = p.grid_points;
  const Sums& aperture = apertureSums();
  const double one = unit(), pitch = patternPitch(p), cell = p.cell() * p.cell();
  const double total = totalOf(*device_, pattern_.data(), slab_);
  const bool dark = !(aperture.sum > 0) || !(total > 0) || !(one > 0);

  // The far field's centre, relative to the incident wave; what the pattern's samples are relative to.
  const double axis = far() ? aperture.sum * cell / (p.wavelength * p.distance) : 1;
  // Cells that an edge cuts count by their share of light, not its square: that of the ideal aperture.
  const double through = cell * aperture.power;
  // The other patterns are those of means over cells, and would lack what varies within them.
  const bool whole = p.propagation == Propagation::AngularSpectrum;
  const double power =
      dark ? 0 : total / one * axis * axis * pitch * pitch * (whole ? 1 : through / (cell * aperture.squares));
  values[kTotalPower] = power;
  values[kTotalPowerError] = dark ? kNaN : power / through - 1;

  const std::vector<float> middle = rowOf(n / 2);
  values[kCentralIntensity] =
      dark ? 0 : axis * axis * static_cast<double>(middle[static_cast<std::size_t>(n / 2)]) / one;
  values[kFirstDarkRing] = dark ? kNaN : firstMinimum(middle) * pitch;
  const bool plain = !isDrawn();
  values[kFirstDarkRingExact] = plain ? exactDarkRing(p) : kNaN;
  const double ring =
      (std::isnan(values[kFirstDarkRingExact]) ? values[kFirstDarkRing] : values[kFirstDarkRingExact]) / pitch;
  values[kEncircledEnergy] =
      dark ? kNaN : lightWithin(*device_, pattern_.data(), slab_, ring) / one * axis * axis * pitch * pitch / through;

  const double column = std::round(probe_.x / pitch) + n / 2, row = std::round(probe_.y / pitch) + n / 2;
  const bool inside = column >= 0 && row >= 0 && column < n && row < n;
  values[kProfileError] = values[kProbeIntensity] = kNaN;
  if (inside && !dark) {
    const std::vector<float> cut = rowOf(static_cast<int>(row));
    values[kProbeIntensity] = static_cast<double>(cut[static_cast<std::size_t>(column)]) / one;
    const ExactPattern exact = plain ? exactPattern(p) : ExactPattern{};
    double error = 0, size = 0;
    for (int i = 0; exact.known && i < n; ++i) {
      const double expected = exact.at((i - n / 2) * pitch, (row - n / 2) * pitch);
      const double off = static_cast<double>(cut[static_cast<std::size_t>(i)]) / one - expected;
      error += off * off;
      size += expected * expected;
    }
    if (size > 0) values[kProfileError] = std::sqrt(error / size);
  }
  const Reach reach = reachNow();
  const double radius = p.metres(std::max(reach.x, reach.y));
  values[kFresnelNumber] = radius * radius / (p.wavelength * p.distance);
  const std::vector<DiagnosticInfo>& infos = description().diagnostics;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (!infos[i].relevant.holds(parameters())) values[i] = kNaN;
  }
}

Reach Diffraction::reachNow() const {
  Reach reach = reachOf(p_);
  if (isEmpty(drawn_box_)) return reach;
  const int n = p_.grid_points;
  const auto share = [n](int from, int to) { return std::max(n / 2 - from, to - n / 2) / (0.5 * n); };
  reach.x = std::max(reach.x, share(drawn_box_.x_first, drawn_box_.x_last));
  reach.y = std::max(reach.y, share(drawn_box_.y_first, drawn_box_.y_last));
  return reach;
}

// Of the aperture that the newest diagnostics have measured.
Details Diffraction::detailsNow() const {
  Details details;
  const bool picture = p_.aperture == Aperture::Image;
  if (picture) details.picture = picture_.details.scaled(2 * p_.aperture_radius);
  details.freehand = picture || isDrawn();
  if (details.freehand && sums_ && sums_->power > 0) details.blurred = 1 - sums_->squares / sums_->power;
  return details;
}

std::vector<Finding> Diffraction::check(std::span<const double> values) const {
  (void)values;
  return findingsFor(p_, reachNow(), detailsNow());
}

bool Diffraction::finite() {
  return !pattern_current_ || std::isfinite(totalOf(*device_, pattern_.data(), slab_));
}

std::string Diffraction::likelyCauseOfNaN() const {
  return "The transmission contains values that are not numbers, perhaps from a loaded state. Reset to rebuild the "
         "aperture.";
}

Throughput Diffraction::throughput() const {
  const double n = p_.grid_points, cells = n * n, depth = std::log2(n);
  Throughput t{.unit = "points/s", .work_per_step = cells};
  if (far()) {
    const Reach reach = reachNow();
    const double rows = std::min(n, reach.y * n), columns = std::min(n, reach.x * n);
    // The aperture is read, half of its rows' spectra written and read, and the intensity written.
    t.bytes_per_step = 4 * rows * columns + 8 * rows * n + 4 * cells;
    t.flops_per_step = 2.5 * depth * n * rows + 2.5 * depth * cells;
  } else {
    // Times the transfer function; two passes of the transform; the intensity.
    const double lines = coloursApart() ? static_cast<double>(spectralLines(p_).size()) + 1 : 1;
    const double side = n * paddingOf(p_), plane = side * side;
    t.bytes_per_step = lines * ((16 + 32) * plane + 12 * cells);
    t.flops_per_step = lines * (10 * std::log2(side) + 30) * plane;
  }
  return t;
}

std::string Diffraction::method() const {
  if (far()) return "Fraunhofer: " + (slabs_ ? slabs_->method() : far_->method());
  const std::string library = slabs_ ? slabs_->method() : device_->isCuda() ? "cuFFT" : "FFTW";
  switch (transferFor(p_).kind) {
    case Transfer::Kind::AngularSpectrum:
      return fmt::format("angular spectrum, band-limited{}: {}", paddingOf(p_) > 1 ? ", padded" : "", library);
    case Transfer::Kind::FresnelTransfer:
      return fmt::format("Fresnel, transfer function: {}", library);
    case Transfer::Kind::FresnelTransform:
      return fmt::format("Fresnel, one transform: {}", library);
  }
  return library;
}

}  // namespace simscope::diffraction
