// What this process has begun and not finished: temporary files and folders, and programs that it started. A process
// that must end at once takes them with it (abandonAll), so that a signal leaves nothing behind.
//
// Thread: any; none of it is for a signal handler. Errors: none but std::bad_alloc of add…(), before anything is made.
#pragma once

#include <sys/types.h>

#include <string>

namespace simscope::exporting::unfinished {

// Held while something that was added is created or started, and while finished files get their names: abandonAll()
// waits for it, and no other is given after that: a thread that asks for one then blocks until the process ends.
class Guard {
 public:
  Guard();
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
};

// Under a Guard, before the file or folder (with all that is in it) is made; removed when it is gone or has its name.
void addPath(const std::string& path);
bool removePath(const std::string& path) noexcept;  // whether it was there
// Under a Guard, right after it was started; removed before its number is given back to the system. The whole group
// is killed.
void addProgram(pid_t group);
void removeProgram(pid_t group) noexcept;

// Files of this process that got their names.
void countPlaced() noexcept;
long placed() noexcept;

// Closes the Guard for good, kills the programs and waits until they are dead, then removes the paths: within a second,
// whatever other threads are doing. For a process that ends right after it.
void abandonAll() noexcept;

}  // namespace simscope::exporting::unfinished
