#include "app/lab/lessons/just_in_time/just_in_time_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/lab/lessons/just_in_time/just_in_time_examples.h"
#include "app/lab/lessons/just_in_time/just_in_time_text.h"
#include "sims/core/parameters.h"
#include "sims/formula/functions.h"

namespace simscope::lab::just_in_time {
namespace {

class Parser : private Text {
 public:
  explicit Parser(std::string_view text) : Text(text) {}

  Program read() {
    program_.body = isPlain() ? plain() : statements(0);
    if (!done()) refuse(fmt::format("unexpected {}", here()));
    if (!assigned_out_) refuse("nothing is assigned to out, the new value of the element");
    program_.variables = static_cast<int>(names_.size());
    return std::move(program_);
  }

 private:
  std::vector<Statement> plain() {
    program_.plain = true;
    const int line = lineAt(at());
    std::vector<Statement> one(1);
    one[0].variable = kOut;
    one[0].expression = expression();
    one[0].line = line;
    assigned_out_ = true;
    return one;
  }

  std::vector<Statement> statements(std::size_t depth) {
    if (depth > 8) refuse("blocks can be nested 8 deep at most");
    std::vector<Statement> all;
    while (!done() && peek() != '}') {
      if (take(";")) continue;
      all.push_back(statement(depth));
      const bool block = all.back().kind != Statement::Kind::Assign;
      if (!done() && peek() != '}' && !block && peek() != ';') refuse("expected ';' or an operator, not " + here());
    }
    return all;
  }

  std::vector<Statement> block(std::size_t depth) {
    expect("{");
    std::vector<Statement> all = statements(depth + 1);
    expect("}");
    return all;
  }

  Statement statement(std::size_t depth) {
    Statement one;
    one.line = lineAt(at());
    const std::size_t from = at();
    const bool repeat = take("repeat");
    if (repeat || take("while")) {
      one.kind = repeat ? Statement::Kind::Repeat : Statement::Kind::While;
      program_.loops = program_.branches = true;
      one.expression = inParentheses();
      one.body = block(depth);
      return one;
    }
    if (take("if")) {
      one.kind = Statement::Kind::If;
      program_.branches = true;
      one.expression = inParentheses();
      one.body = block(depth);
      if (take("else")) one.otherwise = block(depth);
      return one;
    }
    if (!isLetter(peek())) refuse(fmt::format("expected a name and '=', or repeat, while, if; not {}", here()));
    const std::string target = name();
    if (!takeSingle('=')) {
      refuseAt(from, fmt::format("expected {} = …; a statement assigns, repeats, or chooses", target));
    }
    one.expression = expression();
    // Defined from here on: its first value cannot refer to it.
    if (isTaken(target)) refuseAt(from, fmt::format("{} is a function; choose another name", target));
    const auto known = std::find(names_.begin(), names_.end(), target);
    one.variable = static_cast<int>(known - names_.begin());
    if (one.variable < kOut) refuseAt(from, fmt::format("{} cannot be changed; assign to out, or a new name", target));
    if (known == names_.end()) names_.push_back(target);
    if (names_.size() > kMostVariables) {
      refuseAt(from, fmt::format("a kernel has {} names at most", kMostVariables - kOut - 1));
    }
    if (one.variable == kOut) assigned_out_ = true;
    return one;
  }

  // Functions' names, but for those that suit a number, too: sum = sum + a.
  static bool isTaken(std::string_view name) {
    const formula::Function* function = formula::findFunction(name);
    return function && name != "sum" && name != "avg" && name != "sign" && name != "heaviside";
  }

  std::size_t inParentheses() {
    expect("(");
    const std::size_t inner = expression(true);
    expect(")");
    return inner;
  }

  std::size_t expression(bool in_parentheses = false) {
    const std::size_t from = at();
    const std::string text = Text::expression(in_parentheses);
    if (text.find_first_not_of(' ') == std::string::npos) refuse("expected a number, a name, or '(', not " + here());
    const formula::Reading reading = formula::read(text, {.names = names_,
                                                          .value = "out",
                                                          .nested = static_cast<int>(kDeepest),
                                                          .unknown = "assign to it first, or use a, b, c, i, n, pi"});
    if (!reading.fault.empty()) refuseFormula(from, text, reading);
    count(reading.tree, from);
    const auto is_operation = [](const formula::Node& node) {
      return node.op > formula::Op::Second && node.op != formula::Op::And && node.op != formula::Op::Or &&
             node.op != formula::Op::Select;
    };
    program_.expressions.push_back(
        {.tree = reading.tree,
         .evaluation = formula::Evaluation(reading.tree),
         .operations = static_cast<double>(std::count_if(reading.tree.begin(), reading.tree.end(), is_operation))});
    return program_.expressions.size() - 1;
  }

  [[noreturn]] void refuseFormula(std::size_t from, std::string_view text, const formula::Reading& reading) {
    // x = a  y = 2: the name that the next statement begins with.
    std::string_view before = text.substr(0, std::min(findAssignment(text), text.size()));
    before = before.substr(0, before.find_last_not_of(' ') + 1);
    std::size_t name = before.size();
    while (name > 0 && (isLetter(before[name - 1]) || isDigit(before[name - 1]))) --name;
    if (findAssignment(text) != std::string_view::npos && name > 0 && name < before.size()) {
      refuseAt(from + name, "expected ';' or an operator, not " + wordAt(from + name));
    }
    const std::size_t fault = from + reading.fault_at;
    if (isOfPrograms(fault)) refuseAt(fault, "unexpected " + wordAt(fault));
    refuseAt(fault, reading.fault);
  }

  void count(const formula::Tree& tree, std::size_t from) {
    nodes_ += tree.size();
    if (nodes_ > kMostNodes) refuseAt(from, fmt::format("a kernel has {} operations at most", kMostNodes));
    for (const formula::Node& node : tree) {
      const bool power = node.op == formula::Op::Power && !formula::isSquare(tree, node);
      if ((power || formula::functionOf(node.op)) && ++calls_ > kMostCalls) {
        refuseAt(from + node.at, fmt::format("a kernel calls functions in {} places at most", kMostCalls));
      }
      program_.branches = program_.branches || formula::isStep(node.op);
      if (node.op != formula::Op::Variable) continue;
      if (node.variable == kOut && !assigned_out_) refuseAt(from + node.at, "out has no value yet");
      if (node.variable < kOut) program_.reads[node.variable] = true;
    }
  }

  std::size_t nodes_ = 0, calls_ = 0;
  std::vector<std::string> names_ = {"a", "b", "c", "i", "n", "pi", "out"};  // own variables follow
  bool assigned_out_ = false;
  Program program_;
};

}  // namespace

std::string textOf(const std::string& kernel) {
  const auto first = kernel.find_first_not_of(" \t\r\n"), last = kernel.find_last_not_of(" \t\r\n");
  const std::string trimmed = first == std::string::npos ? std::string() : kernel.substr(first, last - first + 1);
  for (const Example& each : kExamples) {
    if (trimmed == each.name) return each.text;
  }
  return kernel;
}

Program parse(const std::string& text) {
  return Parser(text).read();
}

}  // namespace simscope::lab::just_in_time
