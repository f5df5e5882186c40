#include <algorithm>
#include <memory>
#include <string>

#include "app/lab/checks.h"
#include "app/lab/lessons/one_pass/one_pass.h"
#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"

namespace simscope::lab::one_pass {

struct Product {  // the map
  const float *x, *w;
  SIMSCOPE_HD float operator()(std::size_t i) const { return w[i] * x[i]; }
};
struct Store {
  Product product;
  float* to;
  SIMSCOPE_HD void operator()(std::size_t i) const { to[i] = product(i); }
};
struct Load {
  const float* from;
  SIMSCOPE_HD double operator()(std::size_t i) const { return static_cast<double>(from[i]); }
};
struct Widened {
  Product product;
  SIMSCOPE_HD double operator()(std::size_t i) const { return static_cast<double>(product(i)); }
};
struct Add {
  SIMSCOPE_HD double operator()(double a, double b) const { return a + b; }
};

namespace {

constexpr double kRead = 2 * sizeof(float), kThere = sizeof(float);
constexpr double kMostByOne = 1e7;

// The plain loop for checking the results; continues from its previous end.
class Exact {
 public:
  double of(std::size_t n) {
    if (n < n_) {
      n_ = 0;
      sum_ = 0;
    }
    for (; n_ < n; ++n_) sum_ += static_cast<double>(numberOf(n_)) * static_cast<double>(weightOf(n_));
    return sum_;
  }

 private:
  std::size_t n_ = 0;
  double sum_ = 0;
};

struct Arrays {
  compute::Buffer<float> x, w, products;
  compute::Buffer<double> sum;
  Exact exact = {};
};

}  // namespace

void addWays(std::vector<Way>& ways, const compute::DevicePtr& device, std::size_t most) {
  std::vector<float> x(most), w(most);
  for (std::size_t i = 0; i < most; ++i) {
    x[i] = numberOf(i);
    w[i] = weightOf(i);
  }
  const auto arrays = std::make_shared<Arrays>(
      Arrays{{device, x}, {device, w}, compute::Buffer<float>(device, most), compute::Buffer<double>(device, 1)});
  const Product product{arrays->x.data(), arrays->w.data()};
  float* const products = arrays->products.data();
  double* const sum = arrays->sum.data();
  const std::string where = device->isCuda() ? "GPU" : "CPU, all threads";
  const auto add = [&](const std::string& title, double bytes, double largest, const OfSize& work) {
    const auto check = [arrays, title](std::size_t n) {
      requireValue(title, arrays->sum.toHost().front(), arrays->exact.of(n), 0);
    };
    ways.push_back({.title = title, .device = device, .prepare = tasks(work, check), .bytes = bytes, .most = largest});
  };
  const auto all = static_cast<double>(most);
  if (!device->isCuda()) {
    add("CPU, one thread, two passes", kRead + 2 * kThere, std::min(all, kMostByOne), [=](std::size_t n) {
      for (std::size_t i = 0; i < n; ++i) products[i] = product(i);
      double total = 0;
      for (std::size_t i = 0; i < n; ++i) total += static_cast<double>(products[i]);
      *sum = total;
    });
    add("CPU, one thread, one pass", kRead, std::min(all, kMostByOne), [=](std::size_t n) {
      double total = 0;
      for (std::size_t i = 0; i < n; ++i) total += static_cast<double>(product(i));
      *sum = total;
    });
  }
  // The arrays' device: they outlive their users.
  compute::Device* const on = device.get();
  add(where + ", two passes", kRead + 2 * kThere, all, [=](std::size_t n) {
    compute::parallelFor(*on, n, Store{product, products});
    compute::reduceInto(*on, n, 0.0, Load{products}, Add{}, sum);
  });
  add(where + ", one pass", kRead, all,
      [=](std::size_t n) { compute::reduceInto(*on, n, 0.0, Widened{product}, Add{}, sum); });
}

}  // namespace simscope::lab::one_pass
