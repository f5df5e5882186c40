// Typed kernels for the lesson on just-in-time compilation: the computation of one element, in a small language of
// numbers.
//
//   x = a*a + b;  repeat (20) { x = (x + a/x) / 2 }  out = x        or one expression alone: 2*a + b
//
// Statements: NAME = EXPRESSION, repeat (TIMES) {…}, while (CONDITION) {…}, if (CONDITION) {…} else {…}; ';' between
// them, '#' starts a comment to the end of the line. a, b, c: the element's numbers of three arrays; i: its index, from
// 0; n: the number of elements; pi; out: its new value. All numbers are float64; own variables begin at 0. Expressions
// are formulas (sims/formula/reader.h).
//
// Safe by design: it has no pointers, no indices, no directives, and calls only functions of numbers. The generated
// source contains none of the user's text: names become numbered variables, and numbers are formatted again. Only loops
// can take long; they check a clock (Watch, and the same in the source). Thread: any. Errors: ParameterError of
// "kernel", with line and column of the fault.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "sims/formula/evaluation.h"
#include "sims/formula/reader.h"

namespace simscope::lab::just_in_time {

inline constexpr std::size_t kInputs = 3;                        // a, b, c
inline constexpr int kPlace = 3, kCount = 4, kPi = 5, kOut = 6;  // i, n, pi, out; own variables follow
inline constexpr std::size_t kMostVariables = 64;
inline constexpr std::size_t kLongestText = 4096, kMostNodes = 1000, kMostCalls = 64, kDeepest = 64;

struct Statement {
  enum class Kind { Assign, Repeat, While, If } kind = Kind::Assign;
  int variable = 0;            // Assign
  std::size_t expression = 0;  // among the program's: the value, the number of times, or the condition
  int line = 1;                // in the user's text
  std::vector<Statement> body = {}, otherwise = {};
};

// Its variables are those of the program.
struct Expression {
  formula::Tree tree;
  formula::Evaluation evaluation;
  double operations = 0;  // of one evaluation, with both sides of its choices
};

struct Program {
  std::vector<Expression> expressions;
  std::vector<Statement> body;
  std::array<bool, kOut> reads = {};  // which of a, b, c, i, n, pi
  int variables = kOut + 1;
  bool loops = false;
  bool branches = false;  // rounding can change the control flow
  bool plain = false;     // one expression
};

// The text of an example with this name, or `kernel` itself.
std::string textOf(const std::string& kernel);
Program parse(const std::string& text);
// As CUDA C++ for NVRTC: a kernel `typed` of (a, b, c, out, n, stop, cycles). Its threads have separate elements. A
// loop that has run for `cycles` writes its line to *stop; threads that find a line there return.
std::string cudaSource(const Program& program);

// Ends interpreted loops at the deadline, or when another thread requests it.
struct Watch {
  explicit Watch(double seconds)
      : deadline(std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                        std::chrono::duration<double>(seconds))) {}
  std::chrono::steady_clock::time_point deadline;
  std::atomic<int> line{0};  // of the loop that was stopped; 0: none
};

struct Inputs {
  std::array<const double*, kInputs> arrays = {};
  std::size_t n = 0;
};

// The element's new value, interpreted from the program; NaN if the watch has stopped it. operations: counts additions
// and similar operations; roots and functions count as one each.
double interpret(const Program& program, const Inputs& inputs, std::size_t i, Watch& watch,
                 double* operations = nullptr);

}  // namespace simscope::lab::just_in_time
