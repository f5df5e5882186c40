#include "sims/core/run/runner.h"

#include <utility>

#include "sims/core/run/runner_loop.h"

namespace simscope {

Runner::Runner(const Description& description, const ParameterSet& parameters, std::uint64_t seed, std::string device,
               int threads)
    : loop_(std::make_unique<Loop>(publisher_, description, parameters, seed, std::move(device), threads)) {}

Runner::~Runner() = default;

CommandId Runner::play() {
  return loop_->give(Loop::Kind::Play, [loop = loop_.get()] { loop->play(); });
}

CommandId Runner::pause() {
  return loop_->give(Loop::Kind::Pause, [loop = loop_.get()] { loop->pause(); });
}

CommandId Runner::stepOnce() {
  return loop_->give(Loop::Kind::Other, [loop = loop_.get()] { loop->stepOnce(); });
}

CommandId Runner::reset() {
  return loop_->give(Loop::Kind::Other, [loop = loop_.get()] { loop->reset(std::nullopt); });
}

CommandId Runner::reset(std::uint64_t seed) {
  return loop_->give(Loop::Kind::Other, [loop = loop_.get(), seed] { loop->reset(seed); });
}

CommandId Runner::setPace(Pace pace) {
  return loop_->give(Loop::Kind::Other, [loop = loop_.get(), pace] { loop->setPace(pace); });
}

CommandId Runner::setEnd(std::optional<RunEnd> end) {
  return loop_->give(Loop::Kind::Other, [loop = loop_.get(), end] { loop->setEnd(end); });
}

CommandId Runner::setParameters(ParameterSet parameters) {
  return loop_->give(Loop::Kind::Parameters,
                     [loop = loop_.get(), set = std::move(parameters)] { loop->setParameters(set); });
}

CommandId Runner::change(ParameterSet wanted, std::vector<std::size_t> indices) {
  std::function<void()> carry_out = [loop = loop_.get(), wanted = std::move(wanted), indices] {
    loop->change(wanted, indices);
  };
  return loop_->give(Loop::Kind::Parameters, std::move(carry_out), std::move(indices));
}

CommandId Runner::setDevice(std::string device, int threads) {
  return loop_->give(Loop::Kind::Other,
                     [loop = loop_.get(), spec = std::move(device), threads] { loop->setDevice(spec, threads); });
}

CommandId Runner::select(const Description& description, ParameterSet parameters, std::uint64_t seed,
                         Timeline timeline) {
  return loop_->give(Loop::Kind::Other,
                     [loop = loop_.get(), &description, set = std::move(parameters), seed,
                      timeline = std::move(timeline)] { loop->select(description, set, seed, timeline); });
}

CommandId Runner::setTimeline(Timeline timeline) {
  return loop_->give(Loop::Kind::Other,
                     [loop = loop_.get(), timeline = std::move(timeline)] { loop->setTimeline(timeline); });
}

CommandId Runner::showChannels(std::optional<std::vector<std::string>> channels) {
  return loop_->give(Loop::Kind::Other,
                     [loop = loop_.get(), channels = std::move(channels)] { loop->showChannels(channels); });
}

CommandId Runner::goTo(std::int64_t step, bool glance) {
  return loop_->give(Loop::Kind::GoTo, [loop = loop_.get(), step, glance] { loop->goTo(step, glance); });
}

CommandId Runner::stepBack() {
  return loop_->give(Loop::Kind::Other, [loop = loop_.get()] { loop->stepBack(); });
}

CommandId Runner::branch(Stepper::LineId keep_as) {
  return loop_->give(Loop::Kind::Other, [loop = loop_.get(), keep_as] { loop->branch(keep_as); });
}

CommandId Runner::resume(Stepper::LineId line, Stepper::LineId keep_as) {
  return loop_->give(Loop::Kind::Other, [loop = loop_.get(), line, keep_as] { loop->resume(line, keep_as); });
}

CommandId Runner::keepPast(std::optional<std::size_t> bytes) {
  return loop_->give(Loop::Kind::Other, [loop = loop_.get(), bytes] { loop->keepPast(bytes); });
}

CommandId Runner::endReplay() {
  return loop_->give(Loop::Kind::Other, [loop = loop_.get()] { loop->endReplay(); });
}

CommandId Runner::load(std::shared_ptr<const State> state) {
  return loop_->give(Loop::Kind::Other, [loop = loop_.get(), state = std::move(state)] { loop->load(*state); });
}

CommandId Runner::save(std::function<void(State)> done) {
  return loop_->give(Loop::Kind::Other, [loop = loop_.get(), done = std::move(done)] { loop->save(done); });
}

CommandId Runner::poke(Brush brush) {
  return loop_->give(Loop::Kind::Other, [loop = loop_.get(), brush = std::move(brush)] { loop->poke(brush); });
}

CommandId Runner::measureLimit() {
  return loop_->give(Loop::Kind::Other, [loop = loop_.get()] { loop->measureLimit(); });
}

CommandId Runner::setLockstep(std::optional<int> steps_per_frame) {
  return loop_->give(Loop::Kind::Other, [loop = loop_.get(), steps_per_frame] { loop->setLockstep(steps_per_frame); });
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
