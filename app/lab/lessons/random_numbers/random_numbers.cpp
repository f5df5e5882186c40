#include "app/lab/lessons/random_numbers/random_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/timekeeper.h"
#include "app/lab/timing.h"
#include "sims/compute/buffer.h"

namespace simscope::lab::random_numbers {
namespace {

constexpr std::size_t kTested = std::size_t{3} << 17;
constexpr double kBytes = sizeof(float);  // written

enum class Show { Rates, Tests };

struct Parameters {
  int largest = 1 << 24;
  Show show = Show::Rates;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      knobs::largest<Parameters>({.title = "Numbers",
                                  .minimum = 1 << 19,
                                  .maximum = 1 << 28,
                                  .help = "Numbers that a call makes; on a CPU a 16th, but at least half a million",
                                  .power_of_two = true})
          .choice(&Parameters::show, "show", {.title = "Chart", .help = "Quantity for each generator"},
                  {{"rates", "Numbers a second"}, {"tests", "Distance from chance"}});
  return all;
}

struct Measured {
  double numbers = 0, uniform = 0, normal = 0;  // of a call; seconds
  Deviations deviations;
  double of_normal = 0;
  int planes = 0;
  bool passes() const { return std::max(deviations.worst(), of_normal) < kMostByChance; }
};

Measured measureOne(const Generator& each, const Bench& bench, std::size_t n) {
  Measured m;
  m.numbers = static_cast<double>(n);
  compute::Device& device = *each.device;
  device.run([&] {
    compute::Buffer<float> numbers(each.device, n);
    std::vector<float> tested(kTested);
    const auto fetch = [&] { device.download(tested.data(), numbers.data(), kTested * sizeof(float)); };
    each.uniform(numbers.data(), n);
    if (each.expected) requireValues(each.title, device, numbers.data(), n, 0, each.expected);
    fetch();
    m.deviations = deviationsOf(tested);
    m.planes = planesOf(tested);
    each.normal(numbers.data(), n);
    fetch();
    m.of_normal = normalDeviation(tested);
    m.uniform = secondsOf(device, bench.check, [&] { each.uniform(numbers.data(), n); });
    m.normal = secondsOf(device, bench.check, [&] { each.normal(numbers.data(), n); });
  });
  return m;
}

std::string findingOf(const std::vector<Measured>& measured, bool gpu) {
  // RANDU, the twister, and Philox on one thread and on all; then RANDU and Philox on the GPU.
  const auto rate = [&](std::size_t i) { return measured[i].numbers / measured[i].uniform; };
  double worst_failing = 0, worst_passing = 0;
  for (const Measured& each : measured) {
    const double worst = std::max(each.deviations.worst(), each.of_normal);
    if (each.passes()) worst_passing = std::max(worst_passing, worst);
    if (!each.passes()) worst_failing = std::max(worst_failing, worst);
  }
  std::string text = fmt::format(
      "RANDU draws {} numbers a second as the Mersenne twister on a thread of this machine's CPU, but its triples lie "
      "on {} planes, {} standard deviations from chance; every generator that passes stays within {}",
      timesAs(rate(0) / rate(1), "many"), measured[0].planes, roundText(worst_failing), roundText(worst_passing));
  if (!gpu)
    return text + fmt::format("; Philox, which computes each number from its index, draws {} on all threads as on one.",
                              timesAs(rate(3) / rate(2), "many"));
  return text + fmt::format("; on the GPU Philox draws {} as on all of the CPU, and RANDU {} as Philox{}.",
                            timesAs(rate(5) / rate(3), "many"), timesAs(rate(4) / rate(5), "many"),
                            rate(4) < 1.05 * rate(5) ? ": the bad generator gains nothing" : "");
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  Result result;
  std::vector<Generator> all;
  addOwn(all, bench);
  addCurand(all, bench, result.notes);
  std::size_t there = static_cast<std::size_t>(p.largest);
  if (bench.cuda) {
    while (there > kTested * 2 && there * sizeof(float) > bench.cuda->memoryFree() / 4) there /= 2;
  }
  const std::size_t here = std::max<std::size_t>(there / 16, std::size_t{1} << 19);
  std::vector<Measured> measured;
  for (const Generator& each : all) {
    bench.check();
    measured.push_back(measureOne(each, bench, each.device->isCuda() ? there : here));
    bench.progress(static_cast<double>(measured.size()) / static_cast<double>(all.size()));
  }

  result.columns = {{"Uniform", "numbers/s"},
                    {"Normal", "numbers/s"},
                    limitShare("Of the limit, uniform"),
                    {"Bits, deviation"},
                    {"Parts"},
                    {"Triples"},
                    {"Birthdays"},
                    {"Normal numbers, deviation"}};
  Curve uniform{"uniform", {}}, normal{"normal", {}}, singles{"single numbers", {}}, triples{"triples", {}},
      most{.title = "limit of chance", .values = {}, .expected = true};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Measured& m = measured[i];
    const Deviations& d = m.deviations;
    const double rate = carried(m.numbers / m.uniform, m.uniform);
    std::string note = m.passes() ? "passes" : "fails";
    if (!m.passes() && m.planes > 0) note += fmt::format(": all triples lie on {} planes", m.planes);
    result.rows.push_back({.name = all[i].title,
                           .values = {rate, m.numbers / m.normal, bench.memoryShare(all[i].device, kBytes * rate),
                                      d.bits, d.cells, d.triples, d.birthdays, m.of_normal},
                           .note = note,
                           .headroom = headroomOf(all[i].device, kBytes * m.numbers, Traffic::AsCopy)});
    result.chart.names.push_back(all[i].name + (m.passes() ? "" : ": fails"));
    uniform.values.push_back(rate);
    normal.values.push_back(m.numbers / m.normal);
    constexpr double kLeast = 1;  // a bar on a logarithmic axis cannot show less
    singles.values.push_back(std::max({std::abs(d.bits), std::abs(d.cells), m.of_normal, kLeast}));
    triples.values.push_back(std::max({std::abs(d.triples), std::abs(d.birthdays), kLeast}));
    most.values.push_back(kMostByChance);
  }
  if (p.show == Show::Rates) {
    result.chart.title = "Random numbers a second";
    result.chart.y = {.title = "rate", .unit = "numbers/s", .decades = true};
    result.chart.curves = {uniform, normal};
  } else {
    result.chart.title = "Distance of the tests from chance";
    result.chart.y = {.title = "standard deviations, from 1 on", .decades = true};
    result.chart.curves = {singles, triples, most};
  }
  result.finding = findingOf(measured, bench.cuda != nullptr);
  result.noteLackOfCuda(bench, "so its generators are not compared");
  return result;
}

// A call of Philox makes four numbers by ten rounds of two products and four exclusive ors, and turns each into a
// number below one by a shift and a product.
void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  constexpr double kOperations = (10 * 6 + 4 * 2) / 4.0;
  const auto n = std::max<std::size_t>(4, static_cast<std::size_t>((device->isCuda() ? 1e8 : 1e7) * size) / 4 * 4);
  std::vector<Generator> all;
  addOwn(all, bench);
  // The last one of the device: Philox on all of it.
  const Generator* philox = nullptr;
  for (const Generator& each : all) {
    if (each.device == device) philox = &each;
  }
  compute::Buffer<float> numbers(device, n);
  const double seconds = secondsOf(*device, bench.check, [&] { philox->uniform(numbers.data(), n); });
  requireValues(philox->title, *device, numbers.data(), n, 0, philox->expected);
  const double count = static_cast<double>(n);
  into.push_back({.kernel = "random numbers, Philox",
                  .bytes = kBytes * count,
                  .operations = kOperations * count,
                  .seconds = seconds});
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "random_numbers",
      .title = "Random numbers",
      .text =
          "A generator computes each number from a state that it updates, so each thread needs its own state, far from "
          "the others. Philox computes number i from i itself: it needs no state, and gives the same numbers on any "
          "device. The speed of a generator says nothing about its quality. RANDU, used for decades, is one "
          "multiplication. Its bits and its single numbers look random, but three numbers in a row obey a rule: all "
          "points made of them lie on a few planes in space. A test that counts triples in cells, or equal distances "
          "between birthdays chosen by triples, finds this at once.",
      .parameters = binding().infos(),
      .measure = measure,
      .points = points};
  return lesson;
}

}  // namespace simscope::lab::random_numbers
