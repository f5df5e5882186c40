#include "app/sweep/scattered.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace simscope::sweep {

namespace {

// Values one after the other, as they lie in memory: all ranks run the same program.
class Packed {
 public:
  Packed() = default;
  explicit Packed(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string& bytes() { return bytes_; }

  template <class T>
  void put(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(const std::string& text) {
    put(text.size());
    bytes_ += text;
  }
  template <class T>
  T take() {
    T value{};
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string takeText() {
    const auto length = take<std::size_t>();
    at_ += length;
    return bytes_.substr(at_ - length, length);
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

void put(Packed& to, const RunResult& run) {
  to.put(run.time);
  to.put(run.diagnostics.size());
  for (const double each : run.diagnostics) to.put(each);
  to.put(run.failure);
  to.put(run.warnings.size());
  for (const Finding& each : run.warnings) {
    for (const std::string* text : {&each.code, &each.message, &each.key, &each.value}) to.put(*text);
  }
}

RunResult takeRun(Packed& from) {
  RunResult run;
  run.time = from.take<double>();
  run.diagnostics.resize(from.take<std::size_t>());
  for (double& each : run.diagnostics) each = from.take<double>();
  run.failure = from.takeText();
  run.warnings.resize(from.take<std::size_t>());
  for (Finding& each : run.warnings) {
    each.level = Finding::Level::Warning;
    for (std::string* text : {&each.code, &each.message, &each.key, &each.value}) *text = from.takeText();
  }
  return run;
}

}  // namespace

std::vector<std::size_t> ownRuns(std::size_t runs, const compute::Ranks* ranks) {
  const std::size_t first = ranks ? static_cast<std::size_t>(ranks->rank()) : 0;
  const std::size_t every = ranks ? static_cast<std::size_t>(ranks->size()) : 1;
  std::vector<std::size_t> own;
  for (std::size_t run = first; run < runs; run += every) own.push_back(run);
  return own;
}

void gatherRuns(compute::Ranks& ranks, Result& result) {
  Packed own;
  own.put(result.method);
  own.put(result.batched);
  own.put(result.batches);
  const std::vector<std::size_t> runs = ownRuns(result.runs.size(), &ranks);
  for (const std::size_t run : runs) put(own, result.runs[run]);
  const std::vector<std::string> all = ranks.gather(own.bytes());
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    Packed told(all[rank]);
    const std::string method = told.takeText();
    if (result.method.empty()) result.method = method;
    result.batched += told.take<std::size_t>();
    result.batches += told.take<std::size_t>();
    for (std::size_t run = rank; run < result.runs.size(); run += all.size()) result.runs[run] = takeRun(told);
  }
}

}  // namespace simscope::sweep
