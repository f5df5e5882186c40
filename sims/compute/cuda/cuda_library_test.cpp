#include "sims/compute/cuda/cuda_library.h"

#include <gmock/gmock.h>

#include "sims/compute/error.h"

namespace simscope::compute {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

// The C library stands for one of CUDA's: it is on every machine.
TEST(CudaLibraryTest, FunctionsAreThoseOfTheLibrary) {
  CudaLibrary library("The C library", "libc.so.6");
  EXPECT_EQ(library.function<int(int)>("abs")(-3), 3);
}

TEST(CudaLibraryTest, OneThatIsMissingIsNamedWithWhatToDoWhenItIsNeeded) {
  CudaLibrary library("cuNothing", "libcunothing.so.1");
  EXPECT_THAT([&] { library.function<int(int)>("cuNothingCreate"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("cuNothing"), HasSubstr("libcunothing.so.1"), HasSubstr("install"),
                                         HasSubstr("--device cpu"))));
}

TEST(CudaLibraryTest, AFunctionThatIsMissingNamesTheVersion) {
  CudaLibrary library("The C library", "libc.so.6");
  EXPECT_THAT([&] { library.function<int(int)>("cufftCreate"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("cufftCreate"), HasSubstr("another version"))));
}

}  // namespace
}  // namespace simscope::compute
