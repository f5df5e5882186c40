// The language of typed kernels: its results, its errors, the source for NVRTC, and the end of long loops.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "app/lab/lessons/just_in_time/just_in_time_examples.h"
#include "app/lab/lessons/just_in_time/just_in_time_nvrtc.h"
#include "app/lab/lessons/just_in_time/just_in_time_program.h"
#include "sims/compute/buffer.h"
#include "sims/core/parameters.h"
#include "sims/formula/functions.h"

namespace simscope::lab::just_in_time {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

struct Numbers {
  std::vector<double> a, b, c;
  explicit Numbers(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto x = static_cast<double>(i);
      a.push_back(1 + 7 * std::fmod(x * 0.618, 1.0));
      b.push_back(10 + 100 * std::fmod(x * 0.755, 1.0));
      c.push_back(-1 - 12 * std::fmod(x * 0.57, 1.0));
    }
  }
  Inputs inputs() const { return {{a.data(), b.data(), c.data()}, a.size()}; }
};

double valueOf(const std::string& text, std::size_t i = 3, std::size_t n = 10) {
  static const Numbers numbers(1000);
  Watch watch(10);
  Inputs inputs = numbers.inputs();
  inputs.n = n;
  const double value = interpret(parse(text), inputs, i, watch);
  EXPECT_EQ(watch.line, 0) << text;
  return value;
}

TEST(JustInTimeTest, ExpressionsAreWhatCMakesOfThem) {
  const Numbers x(10);
  const double a = x.a[3], b = x.b[3], c = x.c[3];
  EXPECT_EQ(valueOf("(-b + sqrt(b*b - 4*a*c)) / (2*a)"), (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a));
  EXPECT_EQ(valueOf("a - b - c"), a - b - c);
  EXPECT_EQ(valueOf("a / b / c"), a / b / c);
  EXPECT_EQ(valueOf("a - b * c + 1.5e1"), a - b * c + 15);
  EXPECT_EQ(valueOf("-a^2"), -(a * a));
  EXPECT_EQ(valueOf("2^3^2"), 512);
  EXPECT_EQ(valueOf("2^-1"), 0.5);
  EXPECT_EQ(valueOf("--a - -b"), a + b);
  EXPECT_EQ(valueOf("a < b && !(c > 0) || 0"), 1);
  EXPECT_EQ(valueOf("a > b ? 1 : c > 0 ? 2 : 3"), 3);
  EXPECT_EQ(valueOf("(a <= a) + (a >= b)*10 + (a == a)*100 + (a != a)*1000"), 101);
  EXPECT_EQ(valueOf("i + 100*n + pi - pi"), 1003);
  EXPECT_EQ(valueOf("min(a, b) + max(a, b) - abs(c) + mod(7, 4) + floor(-0.5) + ceil(0.5)"),
            std::fmin(a, b) + std::fmax(a, b) + c + 3 - 1 + 1);
  EXPECT_EQ(valueOf("ln(exp(1)) + log2(8) + log10(1000)"), std::log(std::exp(1.0)) + 3 + std::log10(1000.0));
  EXPECT_EQ(valueOf("pow(a, 3) + a^3 + atan2(b, a)"), std::pow(a, 3) + a * a * a + std::atan2(b, a));
}

TEST(JustInTimeTest, ExpressionsAreTheFormulasOfAllSimulations) {
  const Numbers x(10);
  const double a = x.a[3], b = x.b[3];
  EXPECT_EQ(valueOf("2a + a² − ½b"), 2 * a + a * a - 0.5 * b);
  EXPECT_EQ(valueOf("if(a < b and true, max(a, b, 3), 0)"), std::max({a, b, 3.0}));
  EXPECT_EQ(valueOf("mod(-1, 3) + avg(1, 2) + heaviside(0)"), 2 + 1.5 + 0.5);
}

TEST(JustInTimeTest, StatementsRunInTheirOrder) {
  EXPECT_EQ(valueOf("x = 2; repeat (3) { x = x * x }  out = x"), 256);
  EXPECT_EQ(valueOf("s = 0; k = 0;\nwhile (k < 10) { k = k + 1; if (mod(k, 2) == 0) { s = s + k } else { s = s - 1 } }"
                    "\nout = s  # the even ones"),
            2 + 4 + 6 + 8 + 10 - 5);
  EXPECT_EQ(valueOf("out = 5; repeat (0) { out = 1 } repeat (0/0) { out = 2 } if (0) { out = 3 }"), 5);
  EXPECT_EQ(valueOf("if (a > 0) { x = 7 } out = x"), 7);
  EXPECT_EQ(valueOf("e = 5; sum = 0; repeat (3) { sum = sum + e } out = sum"), 15) << "own names hide others";
  EXPECT_EQ(valueOf("if (a < 0) { x = 7 } out = x"), 0) << "own names begin at 0";
}

TEST(JustInTimeTest, ExamplesAreWhatIsCompiledUnderTheirNames) {
  const Numbers x(4096);
  std::vector<double> out(x.a.size());
  const Arrays arrays{x.a.data(), x.b.data(), x.c.data(), out.data()};
  const auto same = [&](const char* name, const auto& compiled) {
    const Program program = parse(textOf(name));
    Watch watch(60);
    for (std::size_t i = 0; i < out.size(); ++i) {
      compiled(i);
      ASSERT_EQ(interpret(program, x.inputs(), i, watch), out[i]) << name << ": " << i;
    }
  };
  same("quadratic", Quadratic{arrays});
  same("saxpy", Saxpy{arrays});
  same("mandelbrot", Mandelbrot{arrays});
  EXPECT_NE(*std::max_element(out.begin(), out.end()), *std::min_element(out.begin(), out.end()));
}

// The language has no way to reach other data than the element's own numbers, or to run for ever.
TEST(JustInTimeTest, WhatIsNotArithmeticIsRefused) {
  for (const char* const text : {"a[1]",
                                 "a[i+100000000]",
                                 "*a",
                                 "&a",
                                 "a->b",
                                 "a.x",
                                 "*(double*)0",
                                 "out = a; *out = 1",
                                 "(double)a",
                                 "asm(\"trap;\")",
                                 "asm volatile",
                                 "\"text\"",
                                 "'c'",
                                 "#include </etc/passwd>",
                                 "a;\n#define x",
                                 "printf(1)",
                                 "__trap()",
                                 "__syncthreads()",
                                 "malloc(8)",
                                 "clock64()",
                                 "atomicAdd(a, 1)",
                                 "double x = 1; out = x",
                                 "int x",
                                 "goto x",
                                 "return a",
                                 "for (;;) {}",
                                 "do { x = 1 } while (1)",
                                 "a, b",
                                 "x = 1, out = 2",
                                 "x",
                                 "out = x; x = 1",
                                 "x = x + 1; out = x",
                                 "a = 1; out = a",
                                 "n = 5; out = n",
                                 "pi = 3; out = pi",
                                 "i = 1",
                                 "sin = 1; out = sin",
                                 "sin",
                                 "sin()",
                                 "sin(a, b)",
                                 "a b",
                                 "a +",
                                 "(a",
                                 "a)",
                                 "1e999",
                                 "1x",
                                 "1.2.3",
                                 "a ? b",
                                 "a = = b",
                                 "a == b == c",
                                 "a < b < c",
                                 "a++",
                                 "a += 1",
                                 "a << 2",
                                 "a | b",
                                 "a % b",
                                 "a & b",
                                 "~a",
                                 "a // b",
                                 "a /* b */",
                                 "a\\\nb",
                                 "%:include",
                                 "}",
                                 "{",
                                 "{ out = a }",
                                 "while (1) out = a",
                                 "while 1 { out = a }",
                                 "repeat { out = a }",
                                 "else { out = a }",
                                 "x = 1",
                                 "",
                                 "  \n ",
                                 "# nothing",
                                 "lambda = []() {}; out = 1",
                                 "a ; b",
                                 "sqrt (",
                                 "$a",
                                 "@a",
                                 "a`",
                                 "\x01",
                                 "\xc3\xa4",
                                 "out(3)",
                                 "u000041 = x"}) {
    EXPECT_THROW((void)parse(text), ParameterError) << text;
  }
  EXPECT_THROW((void)parse(std::string("a\0b", 3)), ParameterError);
}

TEST(JustInTimeTest, SizeAndDepthAreBounded) {
  const auto times = [](const std::string& text, int n) {
    std::string all;
    for (int k = 0; k < n; ++k) all += text;
    return all;
  };
  EXPECT_THROW((void)parse(times("+ a", 2000)), ParameterError);
  EXPECT_THROW((void)parse(times("(", 2000) + "a" + times(")", 2000)), ParameterError);
  EXPECT_THROW((void)parse(times("-", 2000) + "a"), ParameterError);
  EXPECT_THROW((void)parse(times("1?", 1000) + "a" + times(":a", 1000)), ParameterError);
  EXPECT_THROW((void)parse("a" + times("^a", 1000)), ParameterError);
  EXPECT_THROW((void)parse(times("if (1) {", 100) + "out = a" + times("}", 100)), ParameterError);
  EXPECT_THROW((void)parse("0" + times("+sin(a)", 65)), ParameterError);
  EXPECT_NO_THROW((void)parse("0" + times("+sin(a)", 64)));
  std::string names = "out = a;";
  for (int k = 0; k < 100; ++k) names += "x" + std::to_string(k) + "=1;";
  EXPECT_THROW((void)parse(names), ParameterError);
  EXPECT_THROW((void)parse(times("x", 33) + " = 1; out = 1"), ParameterError);
}

TEST(JustInTimeTest, AMessageSaysWhereAndWhat) {
  EXPECT_THAT([] { (void)parse("x = a;\n\nout = x + sqr(b)"); },
              ThrowsMessage<ParameterError>(AllOf(HasSubstr("line 3"), HasSubstr("column 11"), HasSubstr("sqrt"))));
  EXPECT_THAT([] { (void)parse("2*a[3]"); },
              ThrowsMessage<ParameterError>(AllOf(HasSubstr("column 4"), HasSubstr("indices"))));
  EXPECT_THAT([] { (void)parse("x = 2*a\ny = x + 1; out = y"); },
              ThrowsMessage<ParameterError>(AllOf(HasSubstr("line 2, column 1"), HasSubstr("expected ';'"))));
  EXPECT_THAT([] { (void)parse("velocity + 1"); },
              ThrowsMessage<ParameterError>(AllOf(HasSubstr("velocity"), HasSubstr("assign"))));
}

// For any typed text, the source has only our own words, numbers, and operators.
TEST(JustInTimeTest, TheSourceHasNoWordOfTheUsers) {
  const std::string source = cudaSource(
      parse("__asm__ = 1; printf = 2; stop = 3; over = 4; e = 5; real = 6; volatile = 7; typed = __asm__ + printf;\n"
            "while (stop < over) { stop = stop + real * e + volatile }\nrepeat (3) { e = e / 2 }\n"
            "if (e > 1 && typed) { out = -a^2 } else { out = min(b, !c) ? 1e-3 : 0 }"));
  static const std::set<std::string> kOurs = {"typedef",    "double",    "real",
                                              "__device__", "inline",    "square",
                                              "x",          "return",    "bool",
                                              "over",       "int",       "stop",
                                              "long",       "start",     "cycles",
                                              "line",       "if",        "volatile",
                                              "true",       "false",     "clock64",
                                              "atomicCAS",  "extern",    "C",
                                              "__global__", "void",      "__launch_bounds__",
                                              "typed",      "const",     "a",
                                              "b",          "c",         "out",
                                              "unsigned",   "n",         "turns",
                                              "stride",     "gridDim",   "blockDim",
                                              "blockIdx",   "threadIdx", "for",
                                              "e",          "while",     "else",
                                              "pragma",     "unroll",    "kernel",
                                              "least",      "most",      "modulus",
                                              "sign",       "heaviside", "floor",
                                              "y",          "u"};
  std::string word;
  for (const char c : source + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
      continue;
    }
    const bool number = !word.empty() && std::isdigit(static_cast<unsigned char>(word[0]));
    const bool variable = word.size() > 1 && (word[0] == 'v' || word[0] == 'k' || word[0] == 'm') &&
                          word.find_first_not_of("0123456789", 1) == std::string::npos;
    if (!word.empty() && !number && !variable) {
      EXPECT_TRUE(kOurs.contains(word)) << word << " in\n" << source;
    }
    word.clear();
  }
  EXPECT_THAT(source, Not(HasSubstr("asm")));
  EXPECT_THAT(source, Not(HasSubstr("printf")));
}

TEST(JustInTimeTest, EveryLoopOfTheSourceAsksTheClock) {
  const std::string source = cudaSource(parse("x = 9; while (x) { repeat (a) { while (1) { x = 1 } } } out = x"));
  const auto count = [&](const std::string& what) {
    int found = 0;
    for (std::size_t at = source.find(what); at != std::string::npos; at = source.find(what, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("#pragma unroll 1"), 3);
  EXPECT_EQ(count("over(stop, start, cycles, 1)"), 3);
  EXPECT_THAT(cudaSource(parse("2*a + b")), Not(HasSubstr("clock64"))) << "nothing there can last";
}

// Any bytes: refused, or a program that can be run and written.
TEST(JustInTimeTest, AnyBytesAreRefusedOrAProgram) {
  static const std::vector<std::string> kPieces = {"a",     "b",      "out", "x",   "=", "==", "+",     "-",  "*",
                                                   "/",     "^",      "(",   ")",   "{", "}",  ";",     "<",  "&&",
                                                   "||",    "!",      "?",   ":",   ",", "1",  "2.5e3", "if", "else",
                                                   "while", "repeat", "sin", "min", "#", "\n", "[",     "&",  "\xff"};
  std::uint32_t state = 7;
  const auto next = [&](std::size_t n) {
    state = state * 1664525u + 1013904223u;
    return static_cast<std::size_t>(state >> 8) % n;
  };
  const Numbers numbers(4);
  int sound = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = next(2) == 0 ? "x = a; out = " : "";
    for (std::size_t k = next(12) + 1; k > 0; --k) text += kPieces[next(kPieces.size())] + (next(2) == 0 ? " " : "");
    try {
      const Program program = parse(text);
      Watch watch(0);
      (void)interpret(program, numbers.inputs(), 1, watch);
      EXPECT_FALSE(cudaSource(program).empty());
      ++sound;
    } catch (const ParameterError&) {
    }
  }
  EXPECT_GT(sound, 100);
}

TEST(JustInTimeTest, AnEndlessLoopIsStoppedAndNamed) {
  const Numbers numbers(4);
  for (const char* const text : {"x = a;\nwhile (x > 0) { x = x + 1 }\nout = x", "out = 0;\nrepeat (1/0) { out = 1 }",
                                 "out = 0;\nwhile (1) { }", "out = 0;\nwhile (1) { repeat (5) { out = 1 } }"}) {
    Watch watch(0.02);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(std::isnan(interpret(parse(text), numbers.inputs(), 0, watch))) << text;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
    EXPECT_EQ(watch.line, 2) << text;
  }
}

TEST(JustInTimeTest, OperationsAreCountedAsTheyAreMade) {
  const Numbers numbers(4);
  Watch watch(10);
  double operations = 0;
  (void)interpret(parse("(-b + sqrt(b*b - 4*a*c)) / (2*a)"), numbers.inputs(), 0, watch, &operations);
  EXPECT_EQ(operations, 9);
  operations = 0;
  (void)interpret(parse("x = 0; repeat (10) { x = x*a + b } out = x"), numbers.inputs(), 0, watch, &operations);
  EXPECT_EQ(operations, 20);
}

#if SIMSCOPE_HAVE_CUDA

// NVRTC can compile for absent cards.
std::string whyNoNvrtc() {
  try {
    (void)compileForCuda(cudaSource(parse("a")), 75);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(NvrtcTest, EveryExampleBecomesCodeForACard) {
  if (const std::string why = whyNoNvrtc(); !why.empty()) GTEST_SKIP() << why;
  for (const Example& each : kExamples) {
    const Image image = compileForCuda(cudaSource(parse(each.text)), 75);
    EXPECT_FALSE(image.ptx);
    EXPECT_EQ(image.code.substr(1, 3), "ELF") << each.name;
    EXPECT_GT(image.seconds, 0);
  }
  std::string every = "0";
  for (const formula::Function& each : formula::functions())
    every += std::string(" + ") + std::string(each.name) + (each.most == 1 ? "(a)" : "(a, b)");
  EXPECT_NO_THROW((void)compileForCuda(cudaSource(parse(every)), 75));
  std::string sums = "a", roots = "a";
  for (int k = 0; k < 480; ++k) sums += " + b";
  for (int k = 0; k < 10; ++k) roots = "sqrt((" + roots + "))^2";
  EXPECT_NO_THROW((void)compileForCuda(cudaSource(parse(sums)), 75));
  EXPECT_NO_THROW((void)compileForCuda(cudaSource(parse("pow(sin(a), b) + pow(tan(a), c) + " + roots)), 75));
}

TEST(NvrtcTest, ACardThatItDoesNotKnowGetsCodeForTheDriverToFinish) {
  if (const std::string why = whyNoNvrtc(); !why.empty()) GTEST_SKIP() << why;
  const Image image = compileForCuda(cudaSource(parse("2*a + b")), 999);
  EXPECT_TRUE(image.ptx);
  EXPECT_THAT(image.code, AllOf(HasSubstr(".entry typed"), HasSubstr("ld.global.f64"), Not(HasSubstr("call"))));
  EXPECT_THAT([] { (void)compileForCuda(cudaSource(parse("a")), 10); }, ThrowsMessage<Error>(HasSubstr("1.0")));
}

TEST(NvrtcTest, WhatItRefusesNamesTheLineThatWasTyped) {
  if (const std::string why = whyNoNvrtc(); !why.empty()) GTEST_SKIP() << why;
  std::string source = cudaSource(parse("x = a;\n\n\nout = x + b"));
  const std::size_t at = source.rfind("v6 = ");
  ASSERT_NE(at, std::string::npos);
  source.insert(at, "nothing_of_ours + ");
  EXPECT_THAT([&] { (void)compileForCuda(source, 75); },
              ThrowsMessage<Error>(AllOf(HasSubstr("kernel(4)"), HasSubstr("nothing_of_ours"))));
}

class JustInTimeOnCuda : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = compute::Device::whyNoCuda(); !why.empty()) GTEST_SKIP() << why;
    if (const std::string why = whyNoNvrtc(); !why.empty()) GTEST_SKIP() << why;
    numbers_ = Numbers(kCount);
    device_ = compute::Device::open("cuda");
    a_ = compute::Buffer<double>(device_, numbers_.a);
    b_ = compute::Buffer<double>(device_, numbers_.b);
    c_ = compute::Buffer<double>(device_, numbers_.c);
    out_ = compute::Buffer<double>(device_, kCount + kGuard);
  }
  Arrays arrays() { return {a_.data(), b_.data(), c_.data(), out_.data()}; }
  int run(const std::string& text, double seconds, std::size_t n = kCount) {
    Kernel kernel(device_, compileForCuda(cudaSource(parse(text)), capabilityOf(*device_)), seconds);
    out_.upload(std::vector<double>(kCount + kGuard, -77));
    return kernel.watched(arrays(), n, [] {});
  }

  static constexpr std::size_t kCount = 3'000'007, kGuard = 4096;
  Numbers numbers_{0};
  compute::DevicePtr device_;
  compute::Buffer<double> a_, b_, c_, out_;
};

TEST_F(JustInTimeOnCuda, KernelsComputeWhatTheInterpreterDoes) {
  for (const char* const text : {"quadratic", "saxpy", "mandelbrot",
                                 "s = 0; k = 0; while (k < 10) { k = k + 1; if (mod(k + i, 2) == 0) { s = s + "
                                 "k } else { s = s - a } } out = s",
                                 "min(a, b) + max(b, c) + floor(a) + i/n + pi + !(a > 3) + (a > 2 && b < 50)",
                                 "x = a; repeat (20) { x = (x + a/x) / 2 } out = x - sqrt(a)"}) {
    const Program program = parse(textOf(text));
    ASSERT_EQ(run(textOf(text), 5), 0) << text;
    const std::vector<double> out = out_.toHost();
    Watch watch(60);
    int wrong = 0, looked = 0;
    for (std::size_t i = 0; i < kCount; i += i < 4096 || i > kCount - 4096 ? 1 : 997) {
      ++looked;
      const double expected = interpret(program, numbers_.inputs(), i, watch);
      wrong += std::abs(out[i] - expected) <= 1e-9 * std::max(1.0, std::abs(expected)) ? 0 : 1;
    }
    EXPECT_LE(wrong, program.branches ? looked / 200 : 0) << text;  // fused products turn some branches
    for (std::size_t i = kCount; i < out.size(); ++i) ASSERT_EQ(out[i], -77) << text << ": behind the array";
  }
}

TEST_F(JustInTimeOnCuda, AnEndlessLoopIsStoppedAndTheDeviceGoesOn) {
  for (const char* const text : {"x = a;\nwhile (x > 0) { x = x + 1 }\nout = x", "out = 0;\nwhile (1) { }",
                                 "out = a;\nif (i == 2999999) { while (1) { out = out + 1 } }",
                                 "out = 0;\nrepeat (1/0) { repeat (1000) { out = out + 1 } }"}) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(run(text, 0.1), 2) << text;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5)) << text;
    EXPECT_EQ(run("2*a", 1), 0);
    EXPECT_EQ(out_.toHost()[5], 2 * numbers_.a[5]);
  }
}

TEST_F(JustInTimeOnCuda, WhoeverStopsTheLessonStopsTheKernel) {
  struct Stopped {};
  Kernel kernel(device_, compileForCuda(cudaSource(parse("out = 0; while (1) { }")), capabilityOf(*device_)), 30);
  int asked = 0;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW((void)kernel.watched(arrays(), kCount,
                                    [&] {
                                      if (++asked == 20) throw Stopped();
                                    }),
               Stopped);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_EQ(run("3*a", 1), 0);
}

#endif

}  // namespace
}  // namespace simscope::lab::just_in_time
