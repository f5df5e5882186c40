#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/lab/lessons/just_in_time/just_in_time_ways.h"
#include "sims/compute/buffer.h"
#include "sims/compute/loops/detail/cpu_blocks.h"
#include "sims/formula/formula.h"

namespace simscope::lab::just_in_time {
namespace {

constexpr double kForEver = 1e6;  // seconds: for kernels that are known to end

struct Block {
  static constexpr std::size_t kElements = 256;
  const Work* work;
  double* out;
  std::size_t n;
  Watch* watch;

  void elements(std::size_t from, std::size_t end) const {
    const Inputs inputs = work->inputs(n);
    for (std::size_t i = from; i < end && watch->line.load(std::memory_order_relaxed) == 0; ++i) {
      out[i] = interpret(work->program, inputs, i, *watch);
    }
  }
  static void run(const void* context, std::size_t block) {
    const Block& self = *static_cast<const Block*>(context);
    self.elements(block * kElements, std::min(self.n, (block + 1) * kElements));
  }
};

using Values = std::shared_ptr<std::vector<double>>;

void fetchFrom(Executor& way, const Values& out) {
  way.fetch = [out](double* host, std::size_t from, std::size_t count) {
    std::copy_n(out->begin() + static_cast<std::ptrdiff_t>(from), count, host);
  };
}

// muParser, the program's reader of formulas, if it accepts the text.
void addFormula(std::vector<Executor>& ways, const Bench& bench, const std::shared_ptr<const Work>& work,
                const Values& out) {
  if (!work->program.plain) return;
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::string> names = {"a", "b", "c", "i", "n"};
  try {
    formula::requireSound(work->text, names);
  } catch (const UsageError&) {
    return;  // functions of other names
  }
  const auto reader = std::make_shared<formula::Formula>(work->text, names);
  Executor way{"CPU, muParser, one thread", bench.cpu};
  way.run = [reader, work, out](std::size_t n) {
    const double count = static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) {
      (*out)[i] = reader->at({work->a[i], work->b[i], work->c[i], static_cast<double>(i), count});
    }
  };
  way.watched = [run = way.run](std::size_t n) {
    run(n);
    return 0;
  };
  way.run(1);  // reads the text
  way.ready = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  way.interpreted = true;
  fetchFrom(way, out);
  ways.push_back(std::move(way));
}

}  // namespace

void addInterpreters(std::vector<Executor>& ways, const Bench& bench, const std::shared_ptr<const Work>& work) {
  const auto out = std::make_shared<std::vector<double>>(work->a.size());
  addFormula(ways, bench, work, out);
  for (const bool all : {false, true}) {
    Executor way{all ? "CPU, interpreted, all threads" : "CPU, interpreted, one thread", bench.cpu, work->parsing};
    const auto within = [work, out, all, cpu = bench.cpu](std::size_t n, double seconds) {
      Watch watch(seconds);
      const Block block{work.get(), out->data(), n, &watch};
      if (all) {
        compute::detail::runBlocks(*cpu, (n + Block::kElements - 1) / Block::kElements, &Block::run, &block);
      } else {
        block.elements(0, n);
      }
      return watch.line.load();
    };
    way.watched = [within](std::size_t n) { return within(n, kLoopSeconds); };
    way.run = [within](std::size_t n) { (void)within(n, kForEver); };
    way.interpreted = true;
    fetchFrom(way, out);
    ways.push_back(std::move(way));
  }
}

}  // namespace simscope::lab::just_in_time
