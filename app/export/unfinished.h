// The unfinished work of this process: temporary files and folders, and started programs. A process that must end at
// once removes it (abandonAll), so that a signal leaves nothing behind.
//
// Thread: any, but never a signal handler. Errors: only std::bad_alloc of add…(), before anything is made.
#pragma once

#include <sys/types.h>

#include <string>

namespace simscope::exporting::unfinished {

// Held while an added file or program is created or started, and while finished files get their names: abandonAll()
// waits for it, and afterwards a thread that asks for one blocks until the process ends.
class Guard {
 public:
  Guard();
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
};

// Under a Guard, before the file or folder (with its content) is made; remove it once it is deleted or has its name.
void addPath(const std::string& path);
bool removePath(const std::string& path) noexcept;  // whether it was in the list
// Under a Guard, right after the start; remove it before its process id is released to the system. The whole group is
// killed.
void addProgram(pid_t group);
void removeProgram(pid_t group) noexcept;

// Counts files of this process that got their names.
void countPlaced() noexcept;
long placed() noexcept;

// Closes the Guard permanently, kills the programs and waits until they are dead, then removes the paths: within a
// second, whatever other threads are doing. For a process that ends directly afterwards.
void abandonAll() noexcept;

// Removes what it can in a handler of a fault: calls only what a signal allows, and takes no lock.
void removeAfterFault() noexcept;

}  // namespace simscope::exporting::unfinished
