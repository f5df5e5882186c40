// Writes the table or the picture of a sweep that was made, on a thread of its own.
//
// Owner: the object owns thread and file; destroyed before its end, it waits for it. Thread: one controlling thread;
// nothing waits but the destructor. Errors: the constructor's as those of Outputs, before anything is written; take()
// throws what happened later, and then there is no file.
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
  // `picture`: RGB, top row first, of the size of the plan's figure, for a .png. `figures`: it shows the runs' own.
  Writing(Plan plan, std::shared_ptr<const Result> result, const std::filesystem::path& file, bool overwrite,
          const std::vector<std::uint8_t>& picture = {}, bool figures = false);

  bool finished() const;
  // Once it has finished: a line for the file.
  std::vector<std::string> take();

 private:
  Plan plan_;
  std::shared_ptr<const Result> result_;
  Outputs outputs_;
  std::future<std::vector<std::string>> work_;  // the last member: it is waited for before the others go
};

}  // namespace simscope::sweep
