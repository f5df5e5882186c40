#include "sims/compute/lapack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "sims/compute/error.h"

namespace simscope::compute {
namespace {

TEST(Lapack, HasItsFunctionsAndNamesOneThatItHasNot) {
  for (const char* name : {"LAPACKE_dsyevd", "LAPACKE_dgesdd", "cblas_dgemm", "openblas_set_num_threads"}) {
    EXPECT_NE(lapackFunction(name), nullptr) << name;
  }
  EXPECT_THAT([&] { lapackFunction("LAPACKE_nothing"); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("LAPACK has no function LAPACKE_nothing")));
}

// In a child, whose memory is limited to some MiB more than it has.
int statusWith(std::size_t mib, std::size_t work_mib) {
  const pid_t child = fork();
  if (child == 0) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t most = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (mib << 20);
    const rlimit limit = {most, most};
    setrlimit(RLIMIT_AS, &limit);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    try {
      requireLapackMemory(work_mib << 20);
      _exit(0);
    } catch (const OutOfMemory& error) {
      _exit(std::string(error.what()).find("OPENBLAS_NUM_THREADS=1") != std::string::npos ? 1 : 2);
    } catch (const std::exception&) {
      _exit(3);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// OpenBLAS itself would try for ever. Among the death tests, which run before any other loads the library.
TEST(LapackDeathTest, IsRefusedBeforeItIsLoadedWhereTheProcessMayNotTakeItsMemory) {
  EXPECT_EQ(statusWith(150, 0), 1) << "less than the library's own";
  EXPECT_EQ(statusWith(600, 500), 1) << "enough for the library, but not for the work";
  EXPECT_EQ(statusWith(1000, 500), 0);
}

}  // namespace
}  // namespace simscope::compute
