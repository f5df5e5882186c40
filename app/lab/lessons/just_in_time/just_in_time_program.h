// Typed kernels for the lesson of compiling just in time: the computation of one element, in a small language of
// numbers.
//
//   x = a*a + b;  repeat (20) { x = (x + a/x) / 2 }  out = x        or one expression alone: 2*a + b
//
// Statements: NAME = EXPRESSION, repeat (TIMES) {…}, while (CONDITION) {…}, if (CONDITION) {…} else {…}; ';' between
// them, '#' and the rest of a line are a remark. a, b, c: the element's numbers of three arrays; i: its index, from 0;
// n: the number of elements; pi; out: its new value. Everything is float64; own names begin at 0. Operators as in C,
// and
// ^.
//
// Safe by design: it has no pointers, no indices, no directives, and calls only functions of numbers. None of the
// user's text gets into the generated source: names become numbers of variables, and numbers are written anew. Only
// loops can take long; they check a clock (Watch, and the same in the source). Thread: any. Errors: ParameterError of
// "kernel", with line and column of what is wrong.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace simscope::lab::just_in_time {

inline constexpr std::size_t kInputs = 3;                        // a, b, c
inline constexpr int kPlace = 3, kCount = 4, kPi = 5, kOut = 6;  // i, n, pi, out; own names behind them
inline constexpr std::size_t kMostVariables = 64;
inline constexpr std::size_t kLongestText = 4096, kMostNodes = 1000, kMostCalls = 64, kDeepest = 64;

enum class Op {
  Number,
  Variable,
  Negate,
  Not,
  Add,
  Subtract,
  Multiply,
  Divide,
  Square,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Or,
  Choose,  // condition ? first : second
  Call
};

struct Node {
  Op op = Op::Number;
  double number = 0;
  int index = 0;                         // of the variable, or of the function
  std::array<int, 3> of = {-1, -1, -1};  // the operands' places among the nodes
};

struct Statement {
  enum class Kind { Assign, Repeat, While, If } kind = Kind::Assign;
  int variable = 0;    // Assign
  int expression = 0;  // the value, how often, or the condition
  int line = 1;        // in the user's text
  std::vector<Statement> body = {}, otherwise = {};
};

struct Program {
  std::vector<Node> nodes;
  std::vector<Statement> body;
  std::array<bool, kOut> reads = {};  // which of a, b, c, i, n, pi
  int variables = kOut + 1;
  bool loops = false;
  bool branches = false;  // a rounding can change what is done
  bool plain = false;     // one expression
};

// A name that stands for a text of ours, or the text itself.
std::string textOf(const std::string& kernel);
Program parse(const std::string& text);
// As CUDA C++ for NVRTC: a kernel `typed` of (a, b, c, out, n, stop, cycles). Each of its threads takes elements of its
// own. A loop that has gone on for `cycles` writes its line to *stop; threads that find something there leave.
std::string cudaSource(const Program& program);

// Watches interpreted loops: they end at the deadline, or when another thread requests it.
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

// What the element becomes, read from the program as it goes; NaN where the watch has stopped it. operations: counts
// additions and their like, roots and functions as one each.
double interpret(const Program& program, const Inputs& inputs, std::size_t i, Watch& watch,
                 double* operations = nullptr);

// Functions of numbers, in the language, on the host, and in CUDA.
struct Function {
  const char* name;
  const char* cuda;
  int operands;
  double (*one)(double);
  double (*two)(double, double);
};
const std::vector<Function>& functions();

}  // namespace simscope::lab::just_in_time
