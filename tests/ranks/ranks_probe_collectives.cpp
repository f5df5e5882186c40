#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "sims/compute/ranks/files.h"
#include "tests/ranks/ranks_probe.h"

namespace simscope::ranks_probe {

using compute::Ranks;

namespace {

int wrongFiles(Ranks& ranks) {
  const auto make = [](int rank) {
    compute::UniqueFile file(memfd_create("ranks_probe", MFD_CLOEXEC));
    (void)!write(file.get(), &rank, sizeof rank);
    return file;
  };
  const compute::UniqueFile own = make(ranks.rank());
  int wrong = 0;
  for (int again = 0; again < 3; ++again) {
    const std::vector<compute::UniqueFile> files = compute::swapFiles(ranks, own);
    if (files.size() != static_cast<std::size_t>(ranks.size())) return 1;
    for (int rank = 0; rank < ranks.size(); ++rank) {
      const int file = files[static_cast<std::size_t>(rank)].get();
      int told = -1;
      if (rank == ranks.rank()) {
        wrong += file >= 0;
      } else {
        wrong += pread(file, &told, sizeof told, 0) != sizeof told || told != rank;
      }
    }
  }
  // The last gives none.
  const bool last = ranks.rank() == ranks.size() - 1;
  wrong += !compute::swapFiles(ranks, last ? compute::UniqueFile() : make(0)).empty();
  return wrong;
}

}  // namespace

int wrongCollectives(Ranks& ranks) {
  int wrong = 0;
  const auto check = [&wrong](bool right, const char* what) {
    if (right) return;
    std::fprintf(stderr, "wrong: %s\n", what);
    ++wrong;
  };
  const int me = ranks.rank(), size = ranks.size();
  ranks.barrier();
  check(wrongFiles(ranks) == 0, "swapFiles");

  std::string text = ranks.first() ? std::string("abc\0def", 7) : "x";
  ranks.broadcast(text);
  check(text == std::string("abc\0def", 7), "broadcast from rank 0");
  text = me == size - 1 ? "last" : "";
  ranks.broadcast(text, size - 1);
  check(text == "last", "broadcast from the last rank");

  const auto textOf = [](int rank) { return std::string(static_cast<std::size_t>(rank) * 100'000, 'a'); };
  const std::vector<std::string> all = ranks.gather(textOf(me));
  check(all.size() == static_cast<std::size_t>(ranks.first() ? size : 0), "gather's number");
  for (std::size_t i = 0; i < all.size(); ++i) check(all[i] == textOf(static_cast<int>(i)), "gather");
  const std::vector<std::string> everywhere = ranks.gatherToAll(std::to_string(me));
  check(everywhere.size() == static_cast<std::size_t>(size), "gatherToAll's number");
  for (int i = 0; i < size; ++i) {
    check(everywhere[static_cast<std::size_t>(i)] == std::to_string(i), "gatherToAll");
  }

  std::vector<std::uint64_t> large{std::uint64_t{1} << 63, static_cast<std::uint64_t>(me)};
  ranks.sum(std::span(large));
  check(large[0] == (std::uint64_t{1} << 63) * static_cast<std::uint64_t>(size), "sum modulo 2^64");
  check(large[1] == static_cast<std::uint64_t>(size * (size - 1) / 2), "sum");
  std::vector<std::int64_t> negative{-me};
  ranks.sum(std::span(negative));
  check(negative[0] == -size * (size - 1) / 2, "sum with signs");
  std::vector<double> low{1.5 * me}, high{1.5 * me};
  ranks.minimum(low);
  ranks.maximum(high);
  check(low[0] == 0 && high[0] == 1.5 * (size - 1), "minimum and maximum");

  // Pieces whose sum depends on their order.
  std::vector<double> pieces(101);
  for (std::size_t i = 0; i < pieces.size(); ++i) pieces[i] = (i % 2 ? -1e16 : 1e16) / static_cast<double>(i + 1) + 0.1;
  const auto [first, count] = ranks.share(pieces.size());
  const double sum = ranks.sumInOrder(std::span(pieces).subspan(first, count));
  check(sum == std::accumulate(pieces.begin(), pieces.end(), 0.0), "sumInOrder");

  // Round a ring, of different lengths; and from everybody to everybody.
  const int next = (me + 1) % size, before = (me + size - 1) % size;
  std::vector<int> own(static_cast<std::size_t>(1000 * (me + 1)), me),
      theirs(static_cast<std::size_t>(1000 * (before + 1)));
  if (size > 1) {
    const Ranks::Message sent{next, own.data(), own.size() * sizeof(int)};
    const Ranks::Message received{before, theirs.data(), theirs.size() * sizeof(int)};
    ranks.exchange(std::span(&sent, 1), std::span(&received, 1));
    check(theirs.front() == before && theirs.back() == before, "exchange round a ring");
  }
  std::vector<int> out(static_cast<std::size_t>(size)), in(static_cast<std::size_t>(size), -1);
  std::vector<Ranks::Message> sent, received;
  for (int i = 0; i < size; ++i) {
    out[static_cast<std::size_t>(i)] = 100 * me + i;
    if (i == me) continue;
    sent.push_back({i, &out[static_cast<std::size_t>(i)], sizeof(int)});
    received.push_back({i, &in[static_cast<std::size_t>(i)], sizeof(int)});
  }
  ranks.exchange(sent, received);
  for (int i = 0; i < size; ++i) check(i == me || in[static_cast<std::size_t>(i)] == 100 * i + me, "exchange of all");

  for (int i = 0; i < 50; ++i) ranks.alive();
  check(ranks.localSize() == size && ranks.localRank() == me && ranks.machine() == 0, "places on one machine");
  return wrong;
}

}  // namespace simscope::ranks_probe
