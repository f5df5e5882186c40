#include "sims/formula/cuda_text.h"

#include <fmt/format.h>

#include <utility>

#include "sims/formula/functions.h"

namespace simscope::formula {
namespace {

// Where it is not the typed one.
constexpr std::pair<Op, std::string_view> kCudaNames[] = {{Op::Abs, "fabs"},  {Op::Log, "log"},  {Op::Mod, "modulus"},
                                                          {Op::Min, "least"}, {Op::Max, "most"}, {Op::Power, "pow"}};

std::string_view cudaName(Op op) {
  for (const auto& [of, name] : kCudaNames) {
    if (of == op) return name;
  }
  return functionOf(op)->name;
}

std::string cudaTextOf(const Tree& tree, const Node& node) {
  const auto part = [&](std::size_t i) { return cudaTextOf(tree, tree[node.parts[i]]); };
  switch (node.op) {
    case Op::Constant:
      return fmt::format("{:.17e}", node.value);
    case Op::Variable:
      return fmt::format("v{}", node.variable);
    case Op::Negate:
      return fmt::format("(-{})", part(0));
    case Op::Not:
      return fmt::format("({} == 0 ? 1.0 : 0.0)", part(0));
    case Op::And:
      return fmt::format("({} != 0 && {} != 0 ? 1.0 : 0.0)", part(0), part(1));
    case Op::Or:
      return fmt::format("({} != 0 || {} != 0 ? 1.0 : 0.0)", part(0), part(1));
    case Op::Select:
      return fmt::format("({} != 0 ? {} : {})", part(0), part(1), part(2));
    default:
      break;
  }
  if (isSquare(tree, node)) return fmt::format("square({})", part(0));
  const bool adds = node.op == Op::Sum || node.op == Op::Average;
  const Operator* sign = node.op == Op::Power ? nullptr : operatorOf(adds ? Op::Add : node.op);
  if (node.op >= Op::Less && node.op <= Op::Unequal) {
    return fmt::format("({} {} {} ? 1.0 : 0.0)", part(0), sign->sign, part(1));
  }
  if (node.op < Op::Add) return fmt::format("{}({})", cudaName(node.op), part(0));
  std::string text = part(0);
  for (std::size_t i = 1; i < node.parts.size(); ++i) {
    text = sign ? fmt::format("({} {} {})", text, sign->sign, part(i))
                : fmt::format("{}({}, {})", cudaName(node.op), text, part(i));
  }
  return node.op == Op::Average ? fmt::format("({} / {}.0)", text, node.parts.size()) : text;
}

}  // namespace

const std::string_view kCudaFunctions =
    "typedef double real;\n"
    "__device__ inline real square(real x) { return x * x; }\n"
    "__device__ inline real modulus(real x, real y) { return x - y * floor(x / y); }\n"
    "__device__ inline real least(real x, real y) { return y < x ? y : x; }\n"
    "__device__ inline real most(real x, real y) { return x < y ? y : x; }\n"
    "__device__ inline real sign(real x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }\n"
    "__device__ inline real heaviside(real x) { return x < 0 ? 0 : x > 0 ? 1 : x == 0 ? 0.5 : x; }\n";

std::string cudaText(const Tree& tree) {
  return cudaTextOf(tree, tree.back());
}

}  // namespace simscope::formula
