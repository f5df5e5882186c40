// What the export tests share: pictures from a counter, and Pillow and NumPy as independent readers.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sims/core/testing/folder.h"

namespace simscope::exporting::testing {

namespace fs = std::filesystem;
using tests::contentOf;
using tests::Folder;
using Picture = std::vector<std::uint8_t>;  // RGB, top row first

// SplitMix64 (Steele, Lea, Flood, 2014): the same numbers on every machine.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(next() % limit); }

 private:
  std::uint64_t state_;
};

// From all over the cube, in pairs that differ in the last bit of blue alone.
inline std::vector<std::uint32_t> distinctColours(std::size_t count) {
  std::vector<std::uint32_t> colours;
  for (std::uint32_t i = 0; i < count; ++i) {
    colours.push_back(((i / 2 * 0x4f1bbdu + 0x12345u) << 1 | (i & 1u)) & 0xffffffu);  // an odd factor: no two are equal
  }
  return colours;
}

inline void setPixel(Picture& picture, std::size_t pixel, std::uint32_t colour) {
  picture[3 * pixel] = static_cast<std::uint8_t>(colour >> 16);
  picture[3 * pixel + 1] = static_cast<std::uint8_t>(colour >> 8);
  picture[3 * pixel + 2] = static_cast<std::uint8_t>(colour);
}

inline Picture noise(int width, int height, Numbers& numbers) {
  Picture picture(static_cast<std::size_t>(width) * height * 3);
  for (auto& value : picture) {
    value = static_cast<std::uint8_t>(numbers.below(256));
  }
  return picture;
}

inline Picture noiseOf(const std::vector<std::uint32_t>& colours, int width, int height, Numbers& numbers) {
  Picture picture(static_cast<std::size_t>(width) * height * 3);
  for (std::size_t i = 0; i < picture.size() / 3; ++i) {
    setPixel(picture, i, colours[numbers.below(static_cast<std::uint32_t>(colours.size()))]);
  }
  return picture;
}

inline void store(const fs::path& file, const std::string& bytes) {
  // Some file systems flush a file that is cut to nothing and written again; a new one they do not.
  std::error_code ignored;
  fs::remove(file, ignored);
  std::ofstream(file, std::ios::binary) << bytes;
}

template <typename Values>
void storeRaw(const fs::path& file, const Values& values) {
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(*values.data())));
}

struct Outcome {
  int status = -1;
  std::string output;
};

// The system's Python: it has Debian's Pillow and NumPy, others may come first on the PATH.
inline Outcome python(const std::string& arguments) {
  Outcome outcome;
  std::FILE* pipe = ::popen(("/usr/bin/python3 " + arguments + " 2>&1").c_str(), "r");
  if (pipe == nullptr) {
    return outcome;
  }
  char buffer[4096];
  for (std::size_t got; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    outcome.output.append(buffer, got);
  }
  const int status = ::pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

// Hands lines of work to one of the scripts beside this file, all at once: starting Python is the slow part.
inline void expectScriptAgrees(const std::string& script, const Folder& folder, const std::string& jobs) {
  store(folder / "jobs", jobs);
  const Outcome outcome = python(EXPORT_TEST_SCRIPTS "/" + script + " " + (folder / "jobs").string());
  constexpr int kNoLibraries = 77;
  if (outcome.status == kNoLibraries) {
    GTEST_SKIP() << "/usr/bin/python3 has no Pillow or NumPy: install python3-pil and python3-numpy";
  }
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

// The message of the exception of type E that `action` throws; a failure where it throws none or another.
template <typename E, typename Action>
std::string messageOf(Action&& action) {
  try {
    action();
  } catch (const E& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
    return {};
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace simscope::exporting::testing
