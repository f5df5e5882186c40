#include <algorithm>

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

struct Arrays {
  compute::Buffer<float> x, w, products;
  compute::Buffer<double> sum;
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
  const auto result = [arrays] { return arrays->sum.toHost().front(); };
  const std::string where = device->isCuda() ? "GPU" : "CPU, all threads";
  if (!device->isCuda()) {
    ways.push_back({"CPU, one thread, two passes", device, kRead + 2 * kThere,
                    [=](std::size_t n) {
                      for (std::size_t i = 0; i < n; ++i) products[i] = product(i);
                      double all = 0;
                      for (std::size_t i = 0; i < n; ++i) all += static_cast<double>(products[i]);
                      *sum = all;
                    },
                    result, true});
    ways.push_back({"CPU, one thread, one pass", device, kRead,
                    [=](std::size_t n) {
                      double all = 0;
                      for (std::size_t i = 0; i < n; ++i) all += static_cast<double>(product(i));
                      *sum = all;
                    },
                    result, true});
  }
  ways.push_back({where + ", two passes", device, kRead + 2 * kThere,
                  [=](std::size_t n) {
                    compute::parallelFor(*device, n, Store{product, products});
                    compute::reduceInto(*device, n, 0.0, Load{products}, Add{}, sum);
                  },
                  result});
  ways.push_back({where + ", one pass", device, kRead,
                  [=](std::size_t n) { compute::reduceInto(*device, n, 0.0, Widened{product}, Add{}, sum); }, result});
}

}  // namespace simscope::lab::one_pass
