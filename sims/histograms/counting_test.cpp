#include "sims/histograms/counting.h"

#include <gtest/gtest.h>

#include "sims/compute/test_devices.h"
#include "sims/histograms/batch.h"
#include "sims/histograms/testing.h"

namespace simscope::histograms {
namespace {

class Counting : public compute::OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(Counting);

const Changes kMany{{"background_fraction", "0.4"}, {"background", "uncorrelated"}, {"background_scale", "30"},
                    {"extra_leptons", "0.6"},       {"charge_flip", "0.1"},         {"extra_pt", "30"}};

struct Plain {
  std::vector<std::uint64_t> masses, same;
  std::uint64_t opposite = 0, equal = 0, more = 0;
};
// All pairs of each event one by one.
Plain plainCounts(const Parameters& p, std::uint64_t seed, std::uint64_t events) {
  Plain plain{std::vector<std::uint64_t>(static_cast<std::size_t>(p.bins)),
              std::vector<std::uint64_t>(static_cast<std::size_t>(p.bins))};
  const Generator g = generatorOf(p, seed, nullptr);
  for (std::uint64_t i = 0; i < events; ++i) {
    const Event<4> event = resonanceEvent<4>(g, i);
    std::vector<Lepton> kept;
    for (const Lepton& each : event.measured) {
      const bool within =
          std::abs(each.eta) <= static_cast<float>(p.eta_max) && each.pt >= static_cast<float>(p.pt_min);
      if (each.charge != 0 && within) kept.push_back(each);
    }
    plain.more += kept.size() > 2;
    float opposite = -1, equal = -1;
    for (const Lepton& a : kept) {
      for (const Lepton& b : kept) {
        if (&a == &b || std::max(a.pt, b.pt) < static_cast<float>(p.lead_pt)) continue;
        float& best = a.charge == b.charge ? equal : opposite;
        best = std::max(best, massOf(a, b));
      }
    }
    const auto count = [&](float mass, std::vector<std::uint64_t>& to) {
      const double bin = std::floor((mass - p.mass_low) / p.binWidth());
      if (bin >= 0 && bin < p.bins) ++to[static_cast<std::size_t>(bin)];
    };
    plain.opposite += opposite >= 0;
    if (opposite >= 0) count(opposite, plain.masses);
    if (opposite < 0 && equal >= 0) {
      ++plain.equal;
      count(equal, plain.same);
    }
  }
  return plain;
}

TEST_P(Counting, CountsAreThoseOfAPlainLoopOverAllPairs) {
  for (const Changes& changes :
       {kMany, kMany.with({{"pt_min", "35"}, {"lead_pt", "50"}, {"eta_max", "1.2"}, {"bins", "77"}}),
        Changes{{"extra_leptons", "1"}, {"mass_low", "20"}, {"mass_high", "300"}}}) {
    const Parameters p = parametersWith(changes);
    const std::vector<std::uint64_t> counts = countsOf(device_, p, 4, 60000);
    const Plain plain = plainCounts(p, 4, 60000);
    EXPECT_EQ(counts[place::kOpposite], plain.opposite);
    EXPECT_EQ(counts[place::kEqual], plain.equal);
    EXPECT_EQ(counts[place::kWithMore], plain.more);
    // Bins of the plain loop are in double precision: an event on an edge may be one bin off.
    std::uint64_t off = 0;
    for (std::size_t i = 0; i < plain.masses.size(); ++i) {
      const auto apart = [](std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; };
      off += apart(counts[place::kMass + i], plain.masses[i]) + apart(counts[place::kSameSign + i], plain.same[i]);
    }
    EXPECT_LE(off, 4u);
    EXPECT_GT(plain.opposite, 1000u);
    EXPECT_EQ(plain.more > 300u, p.extra_leptons > 0);
  }
}

TEST(Batches, AreTheEventsOneByOneToTheBitByAnyInstructions) {
  for (const Changes& changes :
       {Changes{}, Changes{{"decay", "isotropic"}, {"angular_resolution", "0"}},
        Changes{{"background_fraction", "0.5"}, {"charge_flip", "0.3"}, {"pt_resolution", "0.3"}}}) {
    const Generator g = generatorOf(parametersWith(changes), 17, nullptr);
    for (int set = 0; set < pairMakers().count; ++set) {
      SCOPED_TRACE(pairMakers().sets[set].name);
      for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1234567}, (std::uint64_t{1} << 32) - 100}) {
        PairBatch batch;
        pairMakers().sets[set].make(g, first, batch);
        for (int i = 0; i < PairBatch::kSize; ++i) {
          const Event<2> event = resonanceEvent<2>(g, first + static_cast<std::uint64_t>(i));
          ASSERT_EQ(batch.mass[i], event.mass);
          for (int k = 0; k < 2; ++k) {
            const Lepton &made = event.made[k], &measured = event.measured[k];
            ASSERT_TRUE(batch.made_pt[k][i] == made.pt && batch.made_eta[k][i] == made.eta) << i;
            ASSERT_TRUE(batch.pt[k][i] == measured.pt && batch.eta[k][i] == measured.eta) << i;
            ASSERT_TRUE(batch.phi[k][i] == measured.phi && batch.charge[k][i] == measured.charge) << i;
          }
          ASSERT_EQ(batch.pair[i], massOf(event.measured[1], event.measured[0])) << i;
        }
      }
    }
  }
}

TEST_P(Counting, CountsAreTheSameForAnyBatchesAndThreads) {
  for (const Changes& changes : {Changes{}, kMany}) {
    const Parameters p = parametersWith(changes);
    constexpr std::uint64_t kEvents = 50000;
    const std::vector<std::uint64_t> whole = countsOf(tests::cpu(1), p, 9, kEvents);
    EXPECT_EQ(countsOf(device_, p, 9, kEvents), whole);
    EXPECT_EQ(countsOf(tests::cpu(3), p, 9, kEvents), whole);
    std::vector<std::uint64_t> parts;
    device_->run([&] {
      Counts counts(device_, place::kPlaces);
      counts.zero();
      Source source;
      source.more = p.extra_leptons > 0;
      source.generator = generatorOf(p, 9, nullptr);
      std::uint64_t first = 0;
      for (const std::uint64_t size :
           {std::uint64_t{1}, std::uint64_t{0}, std::uint64_t{8191}, std::uint64_t{8193}, kEvents}) {
        const std::uint64_t batch = std::min(size, kEvents - first);
        addEvents(counts, source, selectionOf(p), first, batch);
        first += batch;
      }
      parts = counts.toHost();
    });
    EXPECT_EQ(parts, whole);
    EXPECT_NE(countsOf(device_, p, 10, kEvents), whole);
  }
}

TEST_P(Counting, CutsTakeAwayWhatTheySayAndNothingElse) {
  const Changes open{{"pt_min", "0"}, {"lead_pt", "0"}, {"eta_max", "5"}, {"efficiency", "1"}, {"rapidity", "0.1"}};
  const Parameters p = parametersWith(open);
  const std::vector<std::uint64_t> all = countsOf(device_, p, 1, 20000);
  EXPECT_GT(all[place::kOpposite], 19900u) << "nothing is cut but far forward";
  // Spectra of pt and η end where the cuts are.
  const Parameters cut = parametersWith({{"pt_min", "30"}, {"lead_pt", "40"}, {"eta_max", "2"}});
  const std::vector<std::uint64_t> some = countsOf(device_, cut, 1, 20000);
  for (int i = 0; i < place::kBins; ++i) {
    const double pt = cut.pt_high * (i + 1) / place::kBins;
    const double eta = cut.etaAxis() * std::abs((2.0 * i + 1) / place::kBins - 1) - cut.etaAxis() / place::kBins;
    if (pt <= 30) {
      EXPECT_EQ(some[static_cast<std::size_t>(place::kPt + i)], 0u) << pt;
    }
    if (eta >= 2) {
      EXPECT_EQ(some[static_cast<std::size_t>(place::kEta + i)], 0u) << eta;
    }
  }
  std::uint64_t sum = 0;
  for (int i = 0; i < place::kBins; ++i) sum += some[static_cast<std::size_t>(place::kPhi + i)];
  EXPECT_EQ(sum, 2 * some[place::kOpposite]) << "every pair has two leptons somewhere around the beam";
}

}  // namespace
}  // namespace simscope::histograms
