#include "sims/core/runner.h"

#include <utility>

#include "sims/core/runner_loop.h"

namespace simscope {

Runner::Runner(const Description& description, const ParameterSet& parameters, std::uint64_t seed, std::string device,
               int threads)
    : loop_(std::make_unique<Loop>(publisher_, description, parameters, seed, std::move(device), threads)) {}

Runner::~Runner() = default;

void Runner::play() {
  loop_->give(Loop::Kind::Play, [loop = loop_.get()] { loop->play(); });
}

void Runner::pause() {
  loop_->give(Loop::Kind::Pause, [loop = loop_.get()] { loop->pause(); });
}

void Runner::stepOnce() {
  loop_->give(Loop::Kind::Other, [loop = loop_.get()] { loop->stepOnce(); });
}

void Runner::reset() {
  loop_->give(Loop::Kind::Other, [loop = loop_.get()] { loop->reset(std::nullopt); });
}

void Runner::reset(std::uint64_t seed) {
  loop_->give(Loop::Kind::Other, [loop = loop_.get(), seed] { loop->reset(seed); });
}

void Runner::setPace(Pace pace) {
  loop_->give(Loop::Kind::Other, [loop = loop_.get(), pace] { loop->setPace(pace); });
}

void Runner::setEnd(std::optional<RunEnd> end) {
  loop_->give(Loop::Kind::Other, [loop = loop_.get(), end] { loop->setEnd(end); });
}

void Runner::setParameters(ParameterSet parameters) {
  loop_->give(Loop::Kind::Parameters, [loop = loop_.get(), set = std::move(parameters)] { loop->setParameters(set); });
}

void Runner::setDevice(std::string device, int threads) {
  loop_->give(Loop::Kind::Other,
              [loop = loop_.get(), spec = std::move(device), threads] { loop->setDevice(spec, threads); });
}

void Runner::select(const Description& description, ParameterSet parameters, std::uint64_t seed, Timeline timeline) {
  loop_->give(Loop::Kind::Other, [loop = loop_.get(), &description, set = std::move(parameters), seed,
                                  timeline = std::move(timeline)] { loop->select(description, set, seed, timeline); });
}

void Runner::setTimeline(Timeline timeline) {
  loop_->give(Loop::Kind::Other, [loop = loop_.get(), timeline = std::move(timeline)] { loop->setTimeline(timeline); });
}

void Runner::stay() {
  loop_->give(Loop::Kind::Other, [loop = loop_.get()] { loop->stay(); });
}

void Runner::load(std::shared_ptr<const State> state) {
  loop_->give(Loop::Kind::Other, [loop = loop_.get(), state = std::move(state)] { loop->load(*state); });
}

void Runner::save(std::function<void(State)> done) {
  loop_->give(Loop::Kind::Other, [loop = loop_.get(), done = std::move(done)] { loop->save(done); });
}

void Runner::poke(Brush brush) {
  loop_->give(Loop::Kind::Other, [loop = loop_.get(), brush = std::move(brush)] { loop->poke(brush); });
}

void Runner::setLockstep(std::optional<int> steps_per_frame) {
  loop_->give(Loop::Kind::Other, [loop = loop_.get(), steps_per_frame] { loop->setLockstep(steps_per_frame); });
}

void Runner::frameTaken() {
  loop_->frameTaken();
}

RunnerStatus Runner::status() const {
  return loop_->statusNow();
}

void Runner::waitUntilIdle() {
  loop_->waitUntilIdle();
}

}  // namespace simscope
