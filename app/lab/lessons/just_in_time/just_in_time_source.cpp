#include <fmt/format.h>

#include <utility>

#include "app/lab/lessons/just_in_time/just_in_time_program.h"

namespace simscope::lab::just_in_time {
namespace {

constexpr int kTurnsUntilAsked = 64;  // turns of a loop between checks of the clock

class Writer {
 public:
  explicit Writer(const Program& program) : program_(program) {}

  std::string kernel() {
    out_ = "typedef double real;\n__device__ inline real square(real x) { return x * x; }\n";
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
  std::string of(int place) {
    const Node& node = program_.nodes[static_cast<std::size_t>(place)];
    const auto operand = [&](std::size_t k) { return of(node.of[k]); };
    const auto compared = [&](const char* by) {
      return fmt::format("({} {} {} ? 1.0 : 0.0)", operand(0), by, operand(1));
    };
    switch (node.op) {
      case Op::Number:
        return fmt::format("{:.17e}", node.number);
      case Op::Variable:
        return fmt::format("v{}", node.index);
      case Op::Negate:
        return fmt::format("(-{})", operand(0));
      case Op::Not:
        return fmt::format("({} == 0 ? 1.0 : 0.0)", operand(0));
      case Op::Add:
        return fmt::format("({} + {})", operand(0), operand(1));
      case Op::Subtract:
        return fmt::format("({} - {})", operand(0), operand(1));
      case Op::Multiply:
        return fmt::format("({} * {})", operand(0), operand(1));
      case Op::Divide:
        return fmt::format("({} / {})", operand(0), operand(1));
      case Op::Square:
        return fmt::format("square({})", operand(0));
      case Op::Less:
        return compared("<");
      case Op::LessEqual:
        return compared("<=");
      case Op::Greater:
        return compared(">");
      case Op::GreaterEqual:
        return compared(">=");
      case Op::Equal:
        return compared("==");
      case Op::NotEqual:
        return compared("!=");
      case Op::And:
        return fmt::format("({} != 0 && {} != 0 ? 1.0 : 0.0)", operand(0), operand(1));
      case Op::Or:
        return fmt::format("({} != 0 || {} != 0 ? 1.0 : 0.0)", operand(0), operand(1));
      case Op::Choose:
        return fmt::format("({} != 0 ? {} : {})", operand(0), operand(1), operand(2));
      case Op::Call:
        break;
    }
    const Function& function = functions()[static_cast<std::size_t>(node.index)];
    return function.operands == 1 ? fmt::format("{}({})", function.cuda, operand(0))
                                  : fmt::format("{}({}, {})", function.cuda, operand(0), operand(1));
  }

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
