#include "sims/compute/ranks/crew.h"

#include <fmt/format.h>

#include <typeinfo>
#include <utility>

#include "sims/compute/device_lost.h"
#include "sims/compute/fault.h"
#include "sims/compute/library_missing.h"
#include "sims/compute/ranks/ranks.h"

namespace simscope::compute {

namespace {

// The same error, with the device's name before its words where they do not have it.
std::exception_ptr named(const std::exception_ptr& error, const std::string& device) {
  const auto words = [&](const std::exception& each) {
    const std::string text = each.what();
    return text.find(device) == std::string::npos ? device + ": " + text : text;
  };
  try {
    std::rethrow_exception(error);
  } catch (const OutOfMemory& each) {
    return std::make_exception_ptr(OutOfMemory(words(each), each.bytes()));
  } catch (const DeviceLost& each) {
    return std::make_exception_ptr(DeviceLost(words(each)));
  } catch (const LibraryMissing&) {
    return error;  // of the machine, not of the device
  } catch (const Error& each) {
    return typeid(each) == typeid(Error) ? std::make_exception_ptr(Error(words(each))) : error;
  } catch (...) {
    return error;  // of what is asked for
  }
}

// Its type, and whether it only reports another rank's failure, or a refused request.
struct Found {
  const std::type_info* type = nullptr;
  bool stopped = false, refused = false;
};
Found find(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const RanksStopped&) {
    return {&typeid(RanksStopped), true, false};
  } catch (const UsageError& each) {
    return {&typeid(each), false, true};
  } catch (const std::exception& each) {
    return {&typeid(each), false, false};
  } catch (...) {
    return {&typeid(void), false, false};
  }
}

std::string wordsOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& each) {
    return each.what();
  } catch (...) {
    return "an unknown error";
  }
}

}  // namespace

Crew::Crew(std::vector<std::string> specs, int threads) : specs_(std::move(specs)), members_(specs_.size()) {
  if (size() < 2) throw UsageError("several devices: give at least two");
  std::exception_ptr failed;
  try {
    for (int rank = 0; rank < size(); ++rank) {
      members_[static_cast<std::size_t>(rank)].thread = std::thread([this, rank] { main(rank); });
    }
    memory_ = std::make_shared<SharedMemory>(specs_);
    all([&](int rank) {
      Member& own = members_[static_cast<std::size_t>(rank)];
      own.device = Device::open(specs_[static_cast<std::size_t>(rank)], threads);
    });
    for (const Member& each : members_) {
      if (each.error && !failed) failed = each.error;
    }
    if (!failed) failed = link(false);
  } catch (...) {
    failed = std::current_exception();
  }
  if (!failed) return;
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  begin_.notify_all();
  for (Member& each : members_) {
    if (each.thread.joinable()) each.thread.join();
  }
  std::rethrow_exception(failed);
}

Crew::~Crew() {
  all([&](int rank) { device(rank)->join(nullptr); });
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  begin_.notify_all();
  for (Member& each : members_) each.thread.join();
}

void Crew::main(int rank) {
  std::uint64_t done = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    begin_.wait(lock, [&] { return quit_ || turn_ > done; });
    if (quit_) return;
    done = turn_;
    const std::function<void(int)>& work = *work_;
    lock.unlock();
    carryOut(rank, work);
    lock.lock();
    if (--busy_ == 0) end_.notify_one();
  }
}

void Crew::carryOut(int rank, const std::function<void(int)>& work) noexcept {
  Member& own = members_[static_cast<std::size_t>(rank)];
  own.error = nullptr;
  try {
    work(rank);
    return;
  } catch (...) {
    own.error = std::current_exception();
  }
  if (find(own.error).stopped) return;
  {
    const std::lock_guard lock(mutex_);
    if (first_failed_ < 0) first_failed_ = rank;
  }
  memory_->stop(wordsOf(own.error));
}

// Whatever they throw stays with them.
void Crew::all(const std::function<void(int)>& work) {
  std::unique_lock lock(mutex_);
  work_ = &work;
  busy_ = size();
  first_failed_ = -1;
  ++turn_;
  begin_.notify_all();
  end_.wait(lock, [&] { return busy_ == 0; });
  work_ = nullptr;
}

// Makes ranks of the devices. anew: what they had before is given up.
std::exception_ptr Crew::link(bool anew) {
  if (anew) {
    all([&](int rank) { device(rank)->join(nullptr); });
    memory_ = std::make_shared<SharedMemory>(specs_);
  }
  all([&](int rank) {
    const auto between = [memory = memory_] {
      if (memory->stopped()) throw RanksStopped("another device has failed: " + memory->reason());
    };
    auto ranks = std::make_shared<Ranks>(SharedMemory::end(memory_, rank), Ranks::Options{.between = between});
    device(rank)->join(std::move(ranks));
  });
  return first_failed_ < 0 ? nullptr : members_[static_cast<std::size_t>(first_failed_)].error;
}

std::string Crew::link() const {
  return device(0)->link();
}

std::optional<Crew::Failure> Crew::tryRun(const std::function<void(int)>& work) {
  if (!lost_.empty()) return Failure{std::make_exception_ptr(DeviceLost(lost_)), false};
  all([&](int rank) {
    if (rank == size() - 1) {
      if (faultAt(FaultPlace::Rank)) throw DeviceLost("the device was taken away, for a test");
      if (faultAt(FaultPlace::RankMemory)) throw OutOfMemory("no memory, for a test", 0);
    }
    device(rank)->run([&] { work(rank); });
  });
  return failure();
}

// What the last piece of work has come to, and what is needed to go on after it.
std::optional<Crew::Failure> Crew::failure() {
  if (first_failed_ < 0) return std::nullopt;
  const auto failed = static_cast<std::size_t>(first_failed_);
  const Found why = find(members_[failed].error);
  bool alike = memory_->atRest();
  for (const Member& each : members_) alike = alike && each.error && *find(each.error).type == *why.type;
  if (alike && why.refused) {
    memory_->goOn();
    return Failure{members_[0].error, true};
  }
  std::exception_ptr error = members_[failed].error;
  // A library's error does not tell that the device is lost; the next call does.
  const DevicePtr& device = members_[failed].device;
  if (device->isCuda() && *why.type != typeid(DeviceLost)) {
    try {
      device->join(nullptr);
      device->synchronize();
    } catch (const DeviceLost&) {
      error = std::current_exception();
    } catch (...) {
    }
  }
  error = named(error, device->info().id);
  const std::exception_ptr still = link(true);
  if (still) lost_ = wordsOf(named(still, device->info().id));
  return Failure{error, alike};
}

void Crew::run(const std::function<void(int)>& work) {
  if (const std::optional<Failure> failed = tryRun(work)) std::rethrow_exception(failed->error);
}

bool Crew::failing() const noexcept {
  return memory_->stopped();
}

Counters Crew::counters() const {
  Counters sum;
  for (const Member& each : members_) {
    const Counters& own = each.device->counters();
    sum.launches += own.launches;
    sum.bytes_to_device += own.bytes_to_device;
    sum.bytes_to_host += own.bytes_to_host;
    sum.milliseconds += own.milliseconds;
  }
  return sum;
}

}  // namespace simscope::compute
