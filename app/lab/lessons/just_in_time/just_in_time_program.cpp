#include "app/lab/lessons/just_in_time/just_in_time_program.h"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>

#include "app/lab/lessons/just_in_time/just_in_time_examples.h"
#include "app/lab/lessons/just_in_time/just_in_time_text.h"
#include "sims/core/parameters.h"

namespace simscope::lab::just_in_time {
namespace {

class Parser : private Text {
 public:
  explicit Parser(std::string_view text) : Text(text) {
    static constexpr std::array kGiven = {"a", "b", "c", "i", "n", "pi", "out"};
    for (std::size_t k = 0; k < kGiven.size(); ++k) names_[kGiven[k]] = static_cast<int>(k);
  }

  Program read() {
    program_.body = isPlain() ? plain() : statements(0);
    if (!done()) refuse(fmt::format("unexpected {}", here()));
    if (!assigned_out_) refuse("nothing is assigned to out, the new value of the element");
    program_.variables = static_cast<int>(names_.size());
    return std::move(program_);
  }

 private:
  std::vector<Statement> plain() {
    program_.plain = assigned_out_ = true;
    const int line = lineAt(at());
    std::vector<Statement> one(1);
    one[0].variable = kOut;
    one[0].expression = expression();
    one[0].line = line;
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
    if (isFunction(target)) refuseAt(from, fmt::format("{} is a function; choose another name", target));
    const auto [known, added] = names_.try_emplace(target, static_cast<int>(names_.size()));
    if (known->second < kOut) refuseAt(from, fmt::format("{} cannot be changed; assign to out, or a new name", target));
    if (names_.size() > kMostVariables) {
      refuseAt(from, fmt::format("a kernel has {} names at most", kMostVariables - kOut - 1));
    }
    one.variable = known->second;
    if (one.variable == kOut) assigned_out_ = true;
    return one;
  }

  int inParentheses() {
    expect("(");
    const int inner = expression();
    expect(")");
    return inner;
  }

  int node(Op op, int first = -1, int second = -1, int third = -1) {
    if (program_.nodes.size() >= kMostNodes) refuse(fmt::format("a kernel has {} operations at most", kMostNodes));
    Node one;
    one.op = op;
    one.of = {first, second, third};
    program_.nodes.push_back(one);
    return static_cast<int>(program_.nodes.size()) - 1;
  }

  // Nested expressions are nested calls: this limit keeps them within the stack.
  struct Deeper {
    Parser& parser;
    explicit Deeper(Parser& p) : parser(p) {
      if (++parser.depth_ > kDeepest) parser.refuse("too many nested parentheses or signs");
    }
    ~Deeper() { --parser.depth_; }
  };

  int expression() {
    const Deeper deeper(*this);
    const int condition = either();
    if (!take("?")) return condition;
    program_.branches = true;
    const int first = expression();
    expect(":");
    const int second = expression();
    return node(Op::Choose, condition, first, second);
  }
  int either() {
    int left = both();
    while (take("||")) {
      const int right = both();
      left = node(Op::Or, left, right);
    }
    return left;
  }
  int both() {
    int left = compared();
    while (take("&&")) {
      const int right = compared();
      left = node(Op::And, left, right);
    }
    return left;
  }
  int compared() {
    const int left = sum();
    static constexpr std::array<std::pair<const char*, Op>, 6> kAll = {{{"<=", Op::LessEqual},
                                                                        {">=", Op::GreaterEqual},
                                                                        {"==", Op::Equal},
                                                                        {"!=", Op::NotEqual},
                                                                        {"<", Op::Less},
                                                                        {">", Op::Greater}}};
    for (const auto& each : kAll) {
      if (!take(each.first)) continue;
      program_.branches = true;
      const int right = sum();
      return node(each.second, left, right);
    }
    return left;
  }
  int sum() {
    int left = product();
    while (true) {
      const bool plus = takeSingle('+');
      if (!plus && !takeSingle('-')) return left;
      const int right = product();
      left = node(plus ? Op::Add : Op::Subtract, left, right);
    }
  }
  int product() {
    int left = withSign();
    while (true) {
      const bool times = takeSingle('*');
      if (!times && !takeSingle('/')) return left;
      const int right = withSign();
      left = node(times ? Op::Multiply : Op::Divide, left, right);
    }
  }
  int withSign() {
    const Deeper deeper(*this);
    if (takeSingle('-')) return node(Op::Negate, withSign());
    if (takeSingle('+')) return withSign();
    if (takeSingle('!')) return node(Op::Not, withSign());
    return power();
  }
  int power() {
    const int base = operand();
    if (!take("^")) return base;
    const int exponent = withSign();  // from the right: 2^3^2 is 2^9
    const Node& last = program_.nodes[static_cast<std::size_t>(exponent)];
    if (last.op == Op::Number && last.number == 2) return node(Op::Square, base);
    const int call = node(Op::Call, base, exponent);
    program_.nodes[static_cast<std::size_t>(call)].index = functionOf("pow");
    countCall();
    return call;
  }

  int operand() {
    if (take("(")) {
      const int inner = expression();
      expect(")");
      return inner;
    }
    if (isDigit(peek()) || (peek() == '.' && isDigit(peek(1)))) return constant();
    if (!isLetter(peek())) refuse(fmt::format("expected a number, a name, or '(', not {}", here()));
    const std::size_t from = at();
    const std::string word = name();
    if (const int function = functionOf(word); function >= 0) return call(function, from);
    if (peek() == '(') refuseAt(from, unknown(word, "not a function", functionNames()));
    const auto known = names_.find(word);
    if (known == names_.end()) refuseAt(from, unknown(word, "not known", knownNames()));
    if (known->second == kOut && !assigned_out_) refuseAt(from, "out has no value yet");
    const int variable = node(Op::Variable);
    program_.nodes.back().index = known->second;
    if (known->second < kOut) program_.reads[static_cast<std::size_t>(known->second)] = true;
    return variable;
  }

  int call(int function, std::size_t from) {
    const Function& called = functions()[static_cast<std::size_t>(function)];
    if (peek() != '(') refuseAt(from, fmt::format("{0} needs its argument in parentheses: {0}(a)", called.name));
    expect("(");
    std::array<int, 3> given = {-1, -1, -1};
    for (int k = 0; k < called.operands; ++k) {
      if (k > 0) expect(",");
      given[static_cast<std::size_t>(k)] = expression();
    }
    expect(")");
    countCall();
    const int made = node(Op::Call, given[0], given[1]);
    program_.nodes.back().index = function;
    if (std::string_view(called.name) == "floor" || std::string_view(called.name) == "ceil" ||
        std::string_view(called.name) == "mod") {
      program_.branches = true;
    }
    return made;
  }
  void countCall() {
    if (++calls_ > kMostCalls) refuse(fmt::format("a kernel calls functions in {} places at most", kMostCalls));
  }

  int constant() {
    const double value = number();
    const int made = node(Op::Number);
    program_.nodes.back().number = value;
    return made;
  }

  static int functionOf(const std::string& word) {
    for (std::size_t k = 0; k < functions().size(); ++k) {
      if (word == functions()[k].name) return static_cast<int>(k);
    }
    return -1;
  }
  static bool isFunction(const std::string& word) { return functionOf(word) >= 0; }
  static std::vector<std::string> functionNames() {
    std::vector<std::string> all;
    for (const Function& each : functions()) all.emplace_back(each.name);
    return all;
  }
  std::vector<std::string> knownNames() const {
    std::vector<std::string> all = functionNames();
    for (const auto& each : names_) all.push_back(each.first);
    return all;
  }
  static std::string unknown(const std::string& word, const char* what, const std::vector<std::string>& known) {
    const std::string close = closestName(word, known);
    return fmt::format("'{}' is {}{}", word, what,
                       close.empty() ? std::string("; assign to it first, or use a, b, c, i, n, pi")
                                     : fmt::format("; did you mean '{}'?", close));
  }

  std::size_t depth_ = 0, calls_ = 0;
  std::map<std::string, int> names_;
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
