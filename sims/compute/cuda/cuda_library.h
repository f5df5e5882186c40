// A library of the CUDA toolkit that is loaded at the first request of a function. A program linked to cuFFT or
// cuSOLVER maps hundreds of megabytes at each start (0.13 s), and does not start where only the driver is installed.
// Thread: any. Include only where SIMSCOPE_HAVE_CUDA is 1.
#pragma once

#include <string>

namespace simscope::compute {

class CudaLibrary {
 public:
  // title: "cuFFT"; file: "libcufft.so.12". Nothing is loaded before function().
  CudaLibrary(std::string title, std::string file) : title_(std::move(title)), file_(std::move(file)) {}
  CudaLibrary(const CudaLibrary&) = delete;
  CudaLibrary& operator=(const CudaLibrary&) = delete;

  // The function of that name and of the type that the library's header declares. Throws Error, which says what to
  // install, where the library or the function is missing. Loaded libraries stay.
  template <class Function>
  Function* function(const char* name) {
    return reinterpret_cast<Function*>(address(name));
  }

 private:
  void* address(const char* name);

  std::string title_, file_;
};

// SIMSCOPE_CUDA_FUNCTION(library, cufftCreate)(&handle): looked up once.
#define SIMSCOPE_CUDA_FUNCTION(library, name)                               \
  ([]() -> decltype(::name)* {                                              \
    static auto* const found = (library).function<decltype(::name)>(#name); \
    return found;                                                           \
  }())

}  // namespace simscope::compute
