// The ways of multiplying matrices that the lesson compares, for its measurements and its tests.
//
// Thread: prepare(), run() and product() inside Device::run of the way's device. Errors: as Device; Error for a library
// that is missing or fails.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/lab/lesson.h"

namespace simscope::lab::matrix_product {

// Two n × n matrices in row-major order.
struct Factors {
  int n = 0;
  std::vector<float> a, b;
};
Factors factors(int n);  // numbers between -1 and 1

struct Prepared {
  std::function<void()> run;                     // enqueues one product
  std::function<std::vector<double>()> product;  // row-major; waits
};
struct Multiplier {
  std::string title;
  compute::DevicePtr device;
  double tolerance = 0;  // of relativeError(), for a correct product
  Format format = Format::Float32;
  // Copies the factors to the device in the way's own format; the result owns the memory.
  std::function<Prepared(const Factors&)> prepare;
};

std::vector<Multiplier> multipliers(const Bench& bench, std::vector<std::string>& notes);
void addBlas(std::vector<Multiplier>& all, const Bench& bench);  // of the CPU
void addCublas(std::vector<Multiplier>& all, const Bench& bench,
               std::vector<std::string>& notes);  // if it is available

// Of the bench's GPU, by cuBLAS: each format at the size that takes about a hundredth of a second; at most 8192 rows.
ProductLimits productLimits(Bench& bench);
// lesson.h
void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into);

// Root mean square of the difference from sums in extended precision, relative to that of these sums, at `samples`
// places spread over the product.
double relativeError(const Factors& factors, const std::vector<double>& product, int samples);

}  // namespace simscope::lab::matrix_product
