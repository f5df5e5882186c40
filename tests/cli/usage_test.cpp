// Bad usage and bad values: exit status 2, a message that helps, and nothing written.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace simscope::cli_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

struct BadUsage {
  std::string name;
  std::vector<std::string> arguments;
  std::vector<std::string> message;  // what standard error must hold
};

void PrintTo(const BadUsage& usage, std::ostream* stream) {
  *stream << usage.name;
}

std::vector<std::string> run(std::vector<std::string> more) {
  std::vector<std::string> all = {"run", "tunneling", "--device", "cpu",      "--steps",
                                  "1",   "--save",    "psi.npy",  "--report", "report.json"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::vector<std::string> render(std::vector<std::string> more) {
  std::vector<std::string> all = {"render", "tunneling", "--device", "cpu", "--out", "out.gif"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const std::vector<BadUsage>& badUsages() {
  static const std::vector<BadUsage> all = {
      {"UnknownKey", run({"--set", "barrier_hight=1"}), {"barrier_hight", "barrier_height"}},
      {"ValueOutOfRange", run({"--set", "barrier_width=-1"}), {"barrier_width", "-1", " to ", "nearest"}},
      {"ValueNotANumber", run({"--set", "time_step=nan"}), {"time_step", "nan"}},
      {"ValueInfinite", run({"--set", "barrier_height=inf"}), {"barrier_height", "inf"}},
      {"ValueHuge", run({"--set", "barrier_height=1e999"}), {"barrier_height", "1e999"}},
      {"ValueWithRest", run({"--set", "barrier_height=1.5x"}), {"barrier_height", "1.5x"}},
      {"ValueWithAUnitThatDoesNotFit", run({"--set", "barrier_width=5 mm"}), {"barrier_width", "'mm'", "length"}},
      {"ValueOfArithmeticOutOfRange", run({"--set", "barrier_width=-1/3"}), {"barrier_width", "-1/3", "nearest: 0.1"}},
      {"ValueOfBrokenArithmetic", run({"--set", "barrier_width=2*"}), {"barrier_width", "column 3"}},
      {"ValueEmpty", run({"--set", "barrier_height="}), {"barrier_height"}},
      {"IntegerWithFraction", run({"--set", "grid_points=1024.5"}), {"grid_points", "1024.5"}},
      {"NotAPowerOfTwo", run({"--set", "grid_points=1000"}), {"grid_points", "1000", "1024"}},
      {"UnknownChoice", run({"--set", "potential=barier"}), {"potential", "barier", "barrier"}},
      {"ValueWithEqualsSpacesAndBrackets",
       run({"--set", "potential=[a, b] = c  d"}),
       {"potential = [a, b] = c  d is not a choice"}},
      {"BadFlag", run({"--set", "absorbing_edges=maybe"}), {"absorbing_edges", "maybe", "on or off"}},
      {"SetWithoutValue", run({"--set", "barrier_height"}), {"--set", "key=value"}},
      {"SetWithoutKey", run({"--set", "=1"}), {"--set", "key=value"}},
      {"UnknownPreset", run({"--preset", "over_barier"}), {"over_barier", "over_barrier"}},
      {"UnknownSimulation", {"run", "tuneling", "--steps", "1"}, {"tuneling", "did you mean 'tunneling'?"}},
      {"DescribeUnknown", {"describe", "tunnelling"}, {"did you mean 'tunneling'?"}},
      {"BenchSetOfNoneNamed", {"bench", "--set", "grid_points=1024"}, {"--set", "one simulation"}},
      {"BenchSetOutOfRange", {"bench", "tunneling", "--set", "grid_points=7"}, {"grid_points", "nearest"}},
      {"BenchSizeOutOfRange", {"bench", "heat", "--size", "512", "--size", "7"}, {"grid_points", "nearest: 64"}},
      {"BenchUnknown", {"bench", "tunnel"}, {"tunnel"}},
      {"BenchStartOfASimulation", {"bench", "heat", "--start"}, {"--start", "leave out SIM"}},
      {"BadSeed", run({"--seed", "lucky"}), {"--seed", "lucky", "0 to 18446744073709551615"}},
      {"NegativeSeed", run({"--seed", "-1"}), {"--seed", "-1", "nearest 0"}},
      {"SeedTooLarge", run({"--seed", "18446744073709551616"}), {"--seed", "nearest 18446744073709551615"}},
      {"NegativeSteps",
       {"run", "tunneling", "--steps", "-5", "--save", "psi.npy"},
       {"--steps", "-5", "range 0 to", "nearest 0"}},
      {"StepsNotANumber", {"run", "tunneling", "--steps", "many"}, {"--steps", "many", "whole number"}},
      {"StepsWithFraction", {"run", "tunneling", "--steps", "1.5"}, {"--steps", "1.5", "whole number"}},
      {"StepsTooMany", {"run", "tunneling", "--steps", "99999999999999999999"}, {"--steps", "nearest 1000000000000"}},
      {"StepsMissing", {"run", "tunneling"}, {"--steps", "required"}},
      {"StepsTwice", run({"--steps", "2"}), {"--steps"}},
      {"SimulationMissing", {"run", "--steps", "1"}, {"SIM", "required"}},
      {"ValueMissing", {"run", "tunneling", "--steps", "1", "--report"}, {"--report"}},
      {"ValueIsAnOption",
       {"run", "tunneling", "--steps", "1", "--report", "--force"},
       {"--report needs a value", "--force"}},
      {"UnknownOption", run({"--stps", "3"}), {"--stps", "did you mean '--steps'?"}},
      {"UnknownOptionFarFromAll", run({"--xyzzy"}), {"--xyzzy", "run"}},
      {"MisspeltRequiredOption", {"run", "tunneling", "--step", "3"}, {"--step", "did you mean '--steps'?"}},
      {"ExtraWord", run({"and", "more"}), {"unexpected word 'and'"}},
      {"UnknownCommand", {"rendr", "tunneling"}, {"rendr", "did you mean 'render'?"}},
      {"UnknownWord", {"tunnelingg"}, {"tunnelingg", "did you mean 'tunneling'?"}},
      {"UnknownTopOption", {"--verison"}, {"--verison", "did you mean '--version'?"}},
      {"EmptyWord", {""}, {"simscope: "}},
      {"UnknownDevice", {"run", "tunneling", "--steps", "1", "--device", "cdua"}, {"cdua", "did you mean 'cuda'?"}},
      {"BadDeviceIndex", {"run", "tunneling", "--steps", "1", "--device", "cuda:x"}, {"cuda:x", "cuda:INDEX"}},
      {"NegativeThreads", run({"--threads", "-1"}), {"--threads", "-1", "nearest 0"}},
      {"TooManyThreads", run({"--threads", "1000000"}), {"threads", "1000000"}},
      {"SameFileTwice",
       {"run", "tunneling", "--steps", "1", "--report", "same", "--save", "./same"},
       {"--report", "--save", "same file"}},
      {"ZeroWidth", render({"--size", "0x540"}), {"--size", "0x540", "64", "nearest 64x540"}},
      {"NegativeHeight", render({"--size", "960x-540"}), {"--size", "960x-540", "nearest 960x64"}},
      {"SizeTooLarge", render({"--size", "99999999999999999999x540"}), {"--size", "nearest 16384x540"}},
      {"SizeWithoutHeight", render({"--size", "960"}), {"--size", "WIDTHxHEIGHT"}},
      {"SizeInWords", render({"--size", "big"}), {"--size", "WIDTHxHEIGHT"}},
      {"ZeroFrames", render({"--frames", "0"}), {"--frames", "nearest 1"}},
      {"NegativeFrames", render({"--frames", "-3"}), {"--frames", "-3", "nearest 1"}},
      {"ZeroStepsPerFrame", render({"--steps-per-frame", "0"}), {"--steps-per-frame", "nearest 1"}},
      {"FpsThatNoGifHas", render({"--fps", "60"}), {"60", "50"}},
      {"ZeroFps", render({"--fps", "0"}), {"--fps", "nearest 0.01"}},
      {"FpsNotANumber", render({"--fps", "nan"}), {"--fps", "nan"}},
      {"UnknownTheme", render({"--theme", "drak"}), {"--theme", "did you mean 'dark'?"}},
      {"ScaleTooSmall", render({"--scale", "0.3"}), {"--scale", "0.5 to 8", "nearest 0.5"}},
      {"UnknownChannel", render({"--show", "no_such_curve"}), {"--show", "no_such_curve", "Known: "}},
      {"UnknownView", render({"--view", "spectrogram"}), {"--view", "spectrogram", "Known: "}},
      {"UnknownColormap", render({"--colormap", "infermo"}), {"--colormap", "did you mean 'inferno'?"}},
      {"RangeUpsideDown", render({"--range", "1:0"}), {"--range", "1:0", "LOW:HIGH"}},
      {"RangeWithoutEnd", render({"--range", "1"}), {"--range", "LOW:HIGH"}},
      {"CameraWithOneAngle", render({"--camera", "30"}), {"--camera", "'30'", "AZ:EL:ZOOM"}},
      {"CameraWithHalfATarget", render({"--camera", "30:20:1:0:0"}), {"--camera", "AZ:EL:ZOOM:X:Y:Z"}},
      {"CameraOverhead", render({"--camera", "30:91"}), {"--camera", "91", "-90 to 90", "nearest 90"}},
      {"CameraZoomZero", render({"--camera", "-30:-20:0"}), {"--camera", "nearest 0.001"}},
      {"CameraInWords", render({"--camera", "a:b"}), {"--camera", "'a' is not a number"}},
      {"CameraWithAnEmptyPart", render({"--camera", "30::1"}), {"--camera", "'' is not a number"}},
      {"CameraNan", render({"--camera", "nan:0"}), {"--camera", "nan"}},
      {"FollowBelowNone", render({"--follow", "-2"}), {"--follow", "nearest -1"}},
      {"FollowHalfABody", render({"--follow", "1.5"}), {"--follow", "whole number"}},
      {"FollowTooFar", render({"--follow", "99999999999999999999"}), {"--follow", "nearest 2147483646"}},
      {"ExposureTooHigh", render({"--exposure", "99"}), {"--exposure", "nearest 30"}},
      {"PointSizeZero", render({"--point-size", "0"}), {"--point-size", "nearest 0.01"}},
      {"UnknownFormat", {"render", "tunneling", "--out", "film.avi"}, {"--out", ".gif", ".png"}},
      {"OutMissing", {"render", "tunneling"}, {"--out", "required"}},
      {"MissingScene", {"render", "nowhere.json", "--out", "out.gif"}, {"nowhere.json", "no such file"}},
      {"HelpForUnknown", {"help", "rnu"}, {"did you mean 'run'?"}},
  };
  return all;
}

class Usage : public testing::TestWithParam<BadUsage> {};

TEST_P(Usage, IsRefusedWithStatus2AndLeavesNothing) {
  const Folder folder;
  const Outcome outcome = simscope(folder, GetParam().arguments);
  EXPECT_EQ(outcome.status, 2) << told(outcome);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, StartsWith("simscope: "));
  for (const std::string& text : GetParam().message) {
    const auto lower = [](std::string each) {
      for (char& c : each) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
      return each;
    };
    EXPECT_THAT(lower(outcome.err), HasSubstr(lower(text)));
  }
  EXPECT_THAT(folder.names(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Bad, Usage, testing::ValuesIn(badUsages()), [](const auto& each) { return each.param.name; });

TEST(CudaByName, IsAnErrorWithItsReasonWhereNoGpuAnswers) {
  const Folder folder;
  if (jsonOf(simscope(folder, {"devices", "--json"})).size() > 1) GTEST_SKIP() << "a CUDA device answers here";
  const Outcome outcome =
      simscope(folder, {"run", "tunneling", "--steps", "1", "--device", "cuda", "--report", "report.json"});
  EXPECT_EQ(outcome.status, 1) << told(outcome);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("cuda"), HasSubstr("--device cpu")));
  EXPECT_THAT(folder.names(), IsEmpty());
}

// Names of files and what was typed reach the terminal escaped, in whichever place they were.
TEST(Terminal, NothingThatWasGivenIsObeyed) {
  const Folder folder;
  const std::string evil =
      "\x1b[2J\a\r\nx\xc2\x9b"
      "31m";
  const std::vector<std::vector<std::string>> calls = {
      {evil},
      {"help", evil},
      {"run", evil, "--steps", "1"},
      {"run", evil + ".json", "--steps", "1"},
      {"run", evil + ".npz", "--steps", "1"},
      {"run", evil + ".png", "--steps", "1"},
      {"run", "tunneling", "--steps", evil},
      {"run", "tunneling", "--steps", "1", "--" + evil},
      {"run", "tunneling", "--steps", "1", "--preset", evil},
      {"run", "tunneling", "--steps", "1", "--seed", evil},
      {"run", "tunneling", "--steps", "1", "--set", evil},
      {"run", "tunneling", "--steps", "1", "--set", evil + "=1"},
      {"run", "tunneling", "--steps", "1", "--set", "potential=" + evil},
      {"run", "tunneling", "--steps", "1", "--device", evil},
      {"run", "tunneling", "--steps", "1", "--threads", evil},
      {"run", "tunneling", "--steps", "1", "--save", evil + "/x.npy"},
      {"run", "tunneling", "--steps", "1", "--report", evil + "/x.json"},
      {"run", "tunneling", "--steps", "1", "--save-snapshot", evil},
      {"run", "diffraction", "--steps", "1", "--set", "aperture=image", "--set", "image_file=/none/" + evil},
      {"run", "schrodinger2d", "--steps", "1", "--set", "potential=formula", "--set", "formula=" + evil},
      {"render", "tunneling", "--out", evil},
      {"render", "tunneling", "--out", evil + "/a.gif"},
      {"render", "tunneling", "--out", "a.gif", "--for", evil},
      {"render", "tunneling", "--out", "a.gif", "--size", evil},
      {"render", "tunneling", "--out", "a.gif", "--view", evil},
      {"render", "tunneling", "--out", "a.gif", "--theme", evil},
      {"render", "heat", "--out", "a.gif", "--colormap", evil},
      {"render", "heat", "--out", "a.npy", "--channel", evil},
      {"describe", evil},
      {"bench", evil},
  };
  for (const std::vector<std::string>& call : calls) {
    const Outcome outcome = simscope(folder, call);
    EXPECT_EQ(outcome.status, 2) << told(outcome);
    for (const char c : {'\x1b', '\a', '\r', '\x9b'}) {
      EXPECT_EQ(outcome.err.find(c), std::string::npos) << testing::PrintToString(call) << outcome.err;
    }
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << testing::PrintToString(call);
  }
}

}  // namespace
}  // namespace simscope::cli_test
