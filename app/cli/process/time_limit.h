// Ends the process when a command has taken too long, whatever it is doing: a step of a million bodies, the reading of
// a large file, a driver. Its own loops ask the clock, too, and end in order; this object waits half a second
// longer.
//
// Owner: a thread of its own. Thread: main. Errors: none; where no thread can start, a timer ends the process.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace simscope::cli {

class TimeLimit {
 public:
  // `message`: of the error, before exit status 1.
  TimeLimit(double seconds, std::string message);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  std::string said_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread watch_;
};

}  // namespace simscope::cli
