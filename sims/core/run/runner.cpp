#include "sims/core/run/runner.h"

#include <numeric>
#include <utility>

#include "sims/core/run/runner_loop.h"

namespace simscope {

Runner::Runner(const Description& description, const ParameterSet& parameters, std::uint64_t seed, std::string device,
               int threads)
    : loop_(std::make_unique<Loop>(publisher_, description, parameters, seed, std::move(device), threads)) {}

Runner::~Runner() = default;

CommandId Runner::give(Command command) {
  return loop_->give(std::move(command));
}

CommandId Runner::setParameters(ParameterSet parameters) {
  std::vector<std::size_t> all(parameters.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return change(std::move(parameters), std::move(all));
}

void Runner::frameTaken() {
  loop_->frameTaken();
}

RunnerStatus Runner::status() const {
  return loop_->statusNow();
}

void Runner::acknowledge(std::size_t refusals) {
  loop_->acknowledge(refusals);
}

void Runner::waitUntilIdle() {
  loop_->waitUntilIdle();
}

}  // namespace simscope
