// The ways of running a typed kernel that the lesson compares.
//
// Thread: watched() and run() inside Device::run of the way's device. Errors: as Device.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/lab/lesson.h"
#include "app/lab/lessons/just_in_time/just_in_time_program.h"

namespace simscope::lab::just_in_time {

inline constexpr double kLoopSeconds = 0.5;  // time limit of loops

struct Executor {
  std::string title;
  compute::DevicePtr device;
  double ready = 0;                                // seconds until it could start
  std::function<int(std::size_t n)> watched = {};  // the line of the loop that was stopped; 0: none
  std::function<void(std::size_t n)> run = {};     // for timing: the kernel has already run to its end with this n
  std::function<void(double* host, std::size_t from, std::size_t count)> fetch = {};
  bool interpreted = false, compiled = false, just_in_time = false;
};

// The typed kernel and its data: as many numbers in each array as the largest number of elements.
struct Work {
  std::string text;
  Program program;
  double parsing = 0;  // seconds
  std::vector<double> a, b, c;
  int example = -1;  // index among the compiled examples, if it is one
  Inputs inputs(std::size_t n) const { return {{a.data(), b.data(), c.data()}, n}; }
};

// Interpreters, and the compiled loop if there is one, on the CPU; the typed and the compiled kernel on the GPU. Notes
// name the missing ones.
void addInterpreters(std::vector<Executor>& ways, const Bench& bench, const std::shared_ptr<const Work>& work);
void addKernels(std::vector<Executor>& ways, const Bench& bench, const std::shared_ptr<const Work>& work,
                std::vector<std::string>& notes);

}  // namespace simscope::lab::just_in_time
