#include "sims/compute/lapack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sims/compute/error.h"

namespace simscope::compute {
namespace {

TEST(Lapack, HasItsFunctionsAndNamesOneThatItHasNot) {
  for (const char* name : {"LAPACKE_dsyevd", "LAPACKE_dgesdd", "cblas_dgemm", "openblas_set_num_threads"}) {
    EXPECT_NE(lapackFunction(name), nullptr) << name;
  }
  try {
    lapackFunction("LAPACKE_nothing");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("LAPACK has no function LAPACKE_nothing"));
  }
}

}  // namespace
}  // namespace simscope::compute
