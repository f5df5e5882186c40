#include <fmt/format.h>

#include <utility>

#include "app/lab/lessons/just_in_time/just_in_time_program.h"
#include "sims/formula/cuda_text.h"

namespace simscope::lab::just_in_time {
namespace {

constexpr int kTurnsUntilAsked = 64;  // turns of a loop between checks of the clock

class Writer {
 public:
  explicit Writer(const Program& program) : program_(program) {}

  std::string kernel() {
    out_ = formula::kCudaFunctions;
    if (program_.loops) {
      // clock64 counts cycles of the multiprocessor; what another thread has written is read from memory anew.
      out_ +=
          "__device__ bool over(int* stop, long long start, long long cycles, int line) {\n"
          "  if (*(volatile int*)stop != 0) return true;\n"
          "  if (clock64() - start <= cycles) return false;\n"
          "  atomicCAS(stop, 0, line);\n"
          "  return true;\n"
          "}\n";
    }
    out_ +=
        "extern \"C\" __global__ void __launch_bounds__(256) typed(const real* a, const real* b, const real* c, "
        "real* out, unsigned long long n, int* stop, long long cycles) {\n";
    if (program_.loops) out_ += "const long long start = clock64();\nunsigned turns = 0;\n";
    out_ +=
        "const unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;\n"
        "for (unsigned long long e = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; e < n; e += stride) "
        "{\n";
    if (program_.loops) out_ += "if (*(volatile int*)stop != 0) return;\n";
    static constexpr std::array kGiven = {"a[e]", "b[e]", "c[e]", "(real)e", "(real)n", "3.14159265358979323846"};
    for (std::size_t k = 0; k < kGiven.size(); ++k) {
      if (program_.reads[k]) out_ += fmt::format("const real v{} = {};\n", k, kGiven[k]);
    }
    for (int k = kOut; k < program_.variables; ++k) out_ += fmt::format("real v{} = 0;\n", k);
    write(program_.body);
    out_ += fmt::format("out[e] = v{};\n}}\n}}\n", kOut);
    return std::move(out_);
  }

 private:
  std::string of(std::size_t expression) const { return formula::cudaText(program_.expressions[expression].tree); }

  void write(const std::vector<Statement>& all) {
    for (const Statement& each : all) {
      // NVRTC's messages refer to the user's lines.
      out_ += fmt::format("#line {} \"kernel\"\n", each.line);
      switch (each.kind) {
        case Statement::Kind::Assign:
          out_ += fmt::format("v{} = {};\n", each.variable, of(each.expression));
          break;
        case Statement::Kind::If:
          out_ += fmt::format("if ({} != 0) {{\n", of(each.expression));
          write(each.body);
          out_ += "} else {\n";
          write(each.otherwise);
          out_ += "}\n";
          break;
        case Statement::Kind::While:
          loop(each, fmt::format("while ({} != 0)", of(each.expression)));
          break;
        case Statement::Kind::Repeat: {
          const int k = loops_++;
          loop(each, fmt::format("for (real k{0} = 0, m{0} = {1}; k{0} < m{0}; k{0} += 1)", k, of(each.expression)));
          break;
        }
      }
    }
  }
  void loop(const Statement& each, const std::string& head) {
    out_ += fmt::format("#pragma unroll 1\n{} {{\nif (++turns % {}u == 0 && over(stop, start, cycles, {})) return;\n",
                        head, kTurnsUntilAsked, each.line);
    write(each.body);
    out_ += "}\n";
  }

  const Program& program_;
  std::string out_;
  int loops_ = 0;
};

}  // namespace

std::string cudaSource(const Program& program) {
  return Writer(program).kernel();
}

}  // namespace simscope::lab::just_in_time
