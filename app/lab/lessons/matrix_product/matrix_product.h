// The ways of multiplying matrices that the lesson compares, for its measurements and its tests.
//
// Thread: prepare(), run() and product() inside Device::run of the way's device. Errors: as Device; Error for a library
// that is missing or refuses.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/lab/lesson.h"

namespace simscope::lab::matrix_product {

// Two n × n matrices in rows.
struct Factors {
  int n = 0;
  std::vector<float> a, b;
};
Factors factors(int n);  // numbers between -1 and 1

struct Prepared {
  std::function<void()> run;                     // enqueues one product
  std::function<std::vector<double>()> product;  // in rows; waits
};
struct Way {
  std::string title;
  compute::DevicePtr device;
  double tolerance = 0;  // of relativeError(), for a product that is right
  Format format = Format::Float32;
  // Brings the factors to the device in the way's own format; what it returns holds the memory.
  std::function<Prepared(const Factors&)> prepare;
};

std::vector<Way> ways(const Bench& bench, std::vector<std::string>& notes);
void addBlas(std::vector<Way>& ways, const Bench& bench);                                     // of the CPU
void addCublas(std::vector<Way>& ways, const Bench& bench, std::vector<std::string>& notes);  // where it answers

// Of the bench's GPU, by cuBLAS: of each format at the size that takes about a hundredth of a second; 8192 rows at
// most.
ProductLimits productLimits(Bench& bench);
// lesson.h
void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into);

// Root of the mean square of what differs from sums in extended precision, over that of these sums, at `samples` places
// all over the product.
double relativeError(const Factors& factors, const std::vector<double>& product, int samples);

}  // namespace simscope::lab::matrix_product
