#include "sims/histograms/histograms.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sims/compute/ranks/counting.h"
#include "sims/core/archive.h"
#include "sims/histograms/data.h"
#include "sims/histograms/higgs.h"

namespace simscope::histograms {

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters) {
  return std::make_unique<Histograms>(std::move(device), parameters);
}

Histograms::Histograms(compute::DevicePtr device, const ParameterSet& parameters)
    : Simulation(histograms::description(), std::move(device), parameters), p_(binding().read(parameters)) {
  data_ = dataFor(p_);
  higgs_ = tableFor(p_);
  counts_ = Counts(device_, place::kPlaces);
  reset(0);
}

std::shared_ptr<const Histograms::Data> Histograms::dataFor(const Parameters& p) const {
  if (p.process != Process::File) return nullptr;
  if (data_ && data_->file == p.data_file) return data_;
  const Events events = forParameter("data_file", [&] { return readEvents(p.data_file); });
  auto data = std::make_shared<Data>();
  data->file = p.data_file;
  data->events = events.count();
  data->mass = typicalMass(events);
  data->first = {device_, std::span<const std::uint32_t>(events.first)};
  data->pt = {device_, std::span<const float>(events.pt)};
  data->eta = {device_, std::span<const float>(events.eta)};
  data->phi = {device_, std::span<const float>(events.phi)};
  data->charge = {device_, std::span<const std::int8_t>(events.charge)};
  return data;
}

std::shared_ptr<const compute::Buffer<float>> Histograms::tableFor(const Parameters& p) const {
  if (p.process != Process::Higgs) return nullptr;
  const bool same = p.higgs_mass == p_.higgs_mass && p.mass == p_.mass && p.width == p_.width;
  if (higgs_ && same) return higgs_;
  const std::vector<float> table = higgsTable(p.higgs_mass, p.mass, p.width);
  return std::make_shared<compute::Buffer<float>>(device_, std::span<const float>(table));
}

Source Histograms::sourceOf() const {
  Source source;
  source.process = p_.process;
  source.more = p_.extra_leptons > 0;
  source.generator = generatorOf(p_, seed_, higgs_ ? higgs_->data() : nullptr);
  if (data_) {
    source.recorded = {data_->first.data(), data_->pt.data(), data_->eta.data(), data_->phi.data(),
                       data_->charge.data()};
  }
  return source;
}

std::uint64_t Histograms::eventsAfter(std::int64_t steps) const {
  const std::uint64_t each = static_cast<std::uint64_t>(p_.events_per_step);
  const std::uint64_t asked = std::min(static_cast<std::uint64_t>(steps), kMostEvents / each) * each;
  return data_ ? std::min(asked, data_->events) : asked;
}

void Histograms::forget() {
  counted_.reset();
  fitted_.reset();
}

void Histograms::reset(std::uint64_t seed) {
  seed_ = seed;
  steps_ = 0;
  counts_.zero();
  expected_.reset();
  forget();
}

void Histograms::step(int count) {
  const std::uint64_t before = events();
  steps_ += std::max(count, 0);
  addCounts(counts_, before, events() - before);
  forget();
}

void Histograms::addCounts(Counts& counts, std::uint64_t first, std::uint64_t added) {
  const Source source = sourceOf();
  const Selection selection = selectionOf(p_);
  compute::countOverRanks(counts, first, added, [&](Counts& own, std::uint64_t from, std::uint64_t number) {
    addEvents(own, source, selection, from, number);
  });
}

void Histograms::recount() {
  counts_.zero();
  addCounts(counts_, 0, events());
}

void Histograms::change(const ParameterSet& parameters) {
  const Parameters next = binding().read(parameters);
  auto data = dataFor(next);
  auto higgs = tableFor(next);
  const auto& infos = parameters.infos();
  bool counts = false;
  for (const std::size_t index : parameters.changed(parameters_)) {
    const std::string& key = infos[index].key;
    counts = counts || (parameters.matters(index) && key != "fit" && key != "fit_background");
  }
  p_ = next;
  data_ = std::move(data);
  higgs_ = std::move(higgs);
  if (counts) {
    expected_.reset();
    recount();
  }
  forget();
}

void Histograms::visit(Archive& archive) {
  constexpr double kMost = 9007199254740992.0;  // whole numbers of double precision
  archive.values<double>(
      "counts", "events in each bin, in the order of sims/histograms/counting.h", {place::kBelow},
      [this] {
        const std::vector<std::uint64_t> counts = counts_.toHost();
        return std::vector<double>(counts.begin(), counts.begin() + place::kBelow);
      },
      [this](const std::vector<double>& values) {
        std::vector<std::uint64_t> counts;
        for (const double each : values) counts.push_back(static_cast<std::uint64_t>(each));
        counts.resize(place::kPlaces);
        counts_.upload(counts);
      },
      {0, kMost});
  below_missing_ = archive.loading() && !archive.has("below");
  archive.values<double>(
      "below", "pairs of opposite charges whose mass lies below the axis", {1},
      [this] { return std::vector<double>{static_cast<double>(counts_.toHost()[place::kBelow])}; },
      [this](const std::vector<double>& values) { setBelow(static_cast<std::uint64_t>(values[0])); }, {0, kMost},
      WhenMissing::Leave);
  archive.constant("events_per_step", p_.events_per_step);
  const auto most = static_cast<std::int64_t>(kMostEvents / static_cast<std::uint64_t>(p_.events_per_step));
  if (archive.steps(steps_) > most) archive.refuse("run", fmt::format("has more than {} steps", most));
}

void Histograms::setBelow(std::uint64_t count) {
  device_->upload(counts_.data() + place::kBelow, &count, sizeof count);
}

// States of earlier versions do not have the pairs below the axis: they are counted again.
void Histograms::loaded(const State&) {
  if (below_missing_) {
    Counts again(device_, place::kPlaces);
    again.zero();
    addCounts(again, 0, events());
    setBelow(again.toHost()[place::kBelow]);
  }
  expected_.reset();
  forget();
}

std::string Histograms::likelyCauseOfNaN() const {
  return "Counts are whole numbers and cannot be NaN.";
}

Throughput Histograms::throughput() const {
  const auto each = static_cast<double>(p_.events_per_step);
  // Random words (Philox: about 110 operations for four), elementary functions, and the pair's mass, as counted in the
  // source, whole numbers and comparisons among them; of a file, its columns.
  const bool more = p_.process == Process::Higgs || p_.extra_leptons > 0;
  if (p_.process == Process::File) return {"events/s", each, each * 30, each * 200};
  const double operations = each * (more ? 2000 : 1000);
  return {
      .unit = "events/s", .work_per_step = each, .flops_per_step = operations, .lane_operations_per_step = operations};
}

std::string Histograms::method() const {
  if (p_.process == Process::File) return "events from a file, all histograms in one pass";
  return "events from counters (Philox), nothing stored, all histograms in one pass";
}

}  // namespace simscope::histograms
