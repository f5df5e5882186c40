#include "app/sweep/writing.h"

#include <chrono>
#include <utility>

namespace simscope::sweep {

Writing::Writing(Plan plan, std::shared_ptr<const Result> result, const std::filesystem::path& file, bool overwrite,
                 const std::vector<std::uint8_t>& picture, bool figures)
    : plan_(std::move(plan)), result_(std::move(result)), outputs_(plan_, {{file}, figures, overwrite}) {
  if (figures) {
    outputs_.addFrame(picture);
  } else if (outputs_.wantsPicture()) {
    outputs_.setPicture(picture);
  }
  work_ = std::async(std::launch::async, [this] {
    outputs_.finish(*result_);
    return outputs_.summary();
  });
}

bool Writing::finished() const {
  return work_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

std::vector<std::string> Writing::take() {
  return work_.get();
}

}  // namespace simscope::sweep
