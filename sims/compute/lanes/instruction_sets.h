// Loops of the host that are compiled for several instruction sets of x86-64; the widest that the processor has is
// chosen at run time. Two ways:
//
// - Kernels written with vectors: a source that is compiled once for each instruction set (simscope_wide_sources in
//   CMake; the vectors are those of wide.h), which makes a struct of function pointers and a name, and a KernelList of
//   the sets that run here. Such a source includes only intrinsics and headers whose functions are templates or
//   internal to the source, so that no function of a library is compiled for an instruction set that the processor may
//   lack. This header is one of them.
// - Plain loops: SIMSCOPE_WIDEST before the function.
//
// Any thread.
#pragma once

// A function whose loop is compiled for each of these; empty where the compiler cannot choose between them.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define SIMSCOPE_WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SIMSCOPE_WIDEST
#endif

// The functions that make the kernels of an instruction set of x86-64, which have the set as their argument; null
// elsewhere, where their source is not compiled.
#if defined(__x86_64__)
#define SIMSCOPE_ON_X86(make_kernels) make_kernels
#else
#define SIMSCOPE_ON_X86(make_kernels) nullptr
#endif

namespace simscope::compute {

// The instruction sets are those of the levels v3 and v4 of x86-64: AVX2 with FMA; AVX-512 F, BW, DQ and VL with both.
struct Avx2 {
  static constexpr const char* kName = "AVX2";
};
struct Avx512 {
  static constexpr const char* kName = "AVX-512";
};
inline bool hasAvx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}
inline bool hasAvx512() {
#if defined(__x86_64__)
  return hasAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

// The sets that this processor can run, the widest first and the portable one last.
template <class Kernels>
struct KernelList {
  Kernels sets[3];
  int count = 0;

  const Kernels& widest() const { return sets[0]; }
  const Kernels& portable() const { return sets[count - 1]; }
  const Kernels* begin() const { return sets; }
  const Kernels* end() const { return sets + count; }
};

template <class T>
struct AsGiven {  // <type_traits> has it, but is part of a library
  using Type = T;
};
// Null: there are none. An overloaded function may be given twice.
template <class Kernels>
KernelList<Kernels> kernelList(const Kernels& portable, typename AsGiven<Kernels>::Type (*avx2)(Avx2),
                               typename AsGiven<Kernels>::Type (*avx512)(Avx512)) {
  KernelList<Kernels> list{};
  if (avx512 != nullptr && hasAvx512()) list.sets[list.count++] = avx512({});
  if (avx2 != nullptr && hasAvx2()) list.sets[list.count++] = avx2({});
  list.sets[list.count++] = portable;
  return list;
}

}  // namespace simscope::compute
