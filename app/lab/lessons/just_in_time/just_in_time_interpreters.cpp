#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <span>

#include "app/lab/lessons/just_in_time/just_in_time_text.h"
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

// The evaluation of formulas, of an expression alone.
void addFormula(std::vector<Executor>& ways, const Bench& bench, const std::shared_ptr<const Work>& work,
                const Values& out) {
  if (!work->program.plain) return;
  const auto start = std::chrono::steady_clock::now();
  const std::string text = Text(work->text).expression(false);  // without remarks and line breaks
  const auto formula = std::make_shared<formula::Formula>(text, std::vector<std::string>{"a", "b", "c", "i", "n"});
  Executor way{"CPU, formula in lanes, one thread", bench.cpu};
  way.run = [formula, work, out](std::size_t n) {
    std::array<double, Block::kElements> index = {}, count = {};
    count.fill(static_cast<double>(n));
    for (std::size_t from = 0; from < n; from += Block::kElements) {
      const std::size_t size = std::min(Block::kElements, n - from);
      std::iota(index.begin(), index.end(), static_cast<double>(from));
      const double* const places[] = {work->a.data() + from, work->b.data() + from, work->c.data() + from, index.data(),
                                      count.data()};
      formula->over(places, std::span(*out).subspan(from, size));
    }
  };
  way.watched = [run = way.run](std::size_t n) {
    run(n);
    return 0;
  };
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
