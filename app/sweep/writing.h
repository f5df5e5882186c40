// Writes the table or the picture of a finished sweep on its own thread.
//
// Owner: the object owns thread and file; its destructor waits for the end. Thread: one controlling thread; only the
// destructor waits. Errors: the constructor's as Outputs, before anything is written; take() throws later errors, and
// then there is no file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "app/sweep/outputs.h"

namespace simscope::sweep {

class Writing {
 public:
  // `picture`: RGB, top row first, of the size of the plan's figure, for a .png. `figures`: it shows the runs' figures.
  Writing(Plan plan, std::shared_ptr<const Result> result, const std::filesystem::path& file, bool overwrite,
          const std::vector<std::uint8_t>& picture = {}, bool figures = false);

  bool finished() const;
  // Call once it has finished: a line for the file.
  std::vector<std::string> take();

 private:
  Plan plan_;
  std::shared_ptr<const Result> result_;
  Outputs outputs_;
  std::future<std::vector<std::string>> work_;  // the last member: its destructor waits before the others are destroyed
};

}  // namespace simscope::sweep
