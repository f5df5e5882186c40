#include "tests/ranks/mpirun.h"

#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

namespace simscope::ranks_test {

std::vector<std::string> mpirunArguments(int ranks, const std::string& program,
                                         const std::vector<std::string>& arguments) {
  std::vector<std::string> all;
  if (geteuid() == 0) all.push_back("--allow-run-as-root");
  for (const std::string& each : {std::string("--oversubscribe"), std::string("-n"), std::to_string(ranks), program}) {
    all.push_back(each);
  }
  all.insert(all.end(), arguments.begin(), arguments.end());
  return all;
}

cli_test::Settings mpirunSettings() {
  cli_test::Settings settings;
  settings.program = SIMSCOPE_MPIRUN;
  // Containers do not let one process read another's memory; Open MPI then copies through a shared piece, and says so.
  settings.environment["OMPI_MCA_btl_vader_single_copy_mechanism"] = "none";
  // MPI keeps memory until the process ends.
  const char* const asan = std::getenv("ASAN_OPTIONS");
  settings.environment["ASAN_OPTIONS"] = std::string(asan ? asan : "") + ":detect_leaks=0";
  return settings;
}

Outcome mpirun(const Folder& folder, int ranks, const std::vector<std::string>& arguments, const std::string& program) {
  return cli_test::Program(folder.path(), mpirunArguments(ranks, program, arguments), mpirunSettings()).wait();
}

Outcome alone(const Folder& folder, const std::vector<std::string>& arguments) {
  return cli_test::simscope(folder, arguments);
}

int cudaDevices() {
  static const int count = [] {
    const Folder folder;
    const Outcome listed = alone(folder, {"devices", "--json"});
    int found = 0;
    if (listed.status != 0) return found;
    for (const auto& each : nlohmann::json::parse(listed.out)) {
      if (each.at("backend") == "cuda") ++found;
    }
    return found;
  }();
  return count;
}

std::string deviceFor(int ranks) {
  return cudaDevices() >= ranks ? "cuda" : "cuda:0";
}

int occurrences(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace simscope::ranks_test
