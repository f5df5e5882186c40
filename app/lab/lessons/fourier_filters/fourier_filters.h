// The parts of the lesson of filters that its test looks at, too.
//
// Thread: any, but onDevice's calls, which are made inside Device::run. Errors: UsageError for a formula or a picture
// that cannot be used; Error and OutOfMemory as Device.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/lab/lesson.h"

namespace simscope::lab::fourier_filters {

// side × side grey values, row after row, the lowest row first; opposite edges are joined.
struct Grey {
  int side = 0;
  std::vector<float> values;
};
Grey testPicture(int side);                         // rings that get finer outwards, bars, and noise
Grey pictureOf(const std::string& file, int side);  // its square in the middle

// What a filter does to a wave of kx, ky cycles a pixel: a formula of k, kx, ky, and c.
struct Filter {
  int side = 0;
  std::vector<float> factors;  // in the transform's order
  std::vector<float> kernel;   // the filter as the weights that a pixel's neighbours have: what it convolves with
};
Filter filterOf(const std::string& formula, double c, int side);
// A kernel's middle, (2 reach + 1)² weights row after row, and the filter that these make.
struct Window {
  int reach = 0;
  std::vector<float> weights;
  std::vector<float> factors;  // of pairs: real and imaginary
};
Window windowOf(const Filter& filter, int reach);

struct Way {
  std::function<void(const Window&window)> direct_of, transformed_of;  // bring the window there
  std::function<void()> direct, transformed;                           // enqueue a filtered picture
  std::function<std::vector<float>()> result;                          // of the last one
};
// Over the picture that is brought to the device. Throws Error where the device has no transforms.
Way onDevice(const compute::DevicePtr& device, const Grey& picture);

// Σ w(j) x(p − j) over all weights of a kernel, at pixel i, by a plain loop.
double convolvedAt(const Grey& picture, const std::vector<float>& kernel, std::size_t i);
double convolvedAt(const Grey& picture, const Window& window, std::size_t i);

// Of a whole filter, as a window without an end.
Window wholeOf(const Filter& filter);

// The mean amplitude of the waves with about i + 1 cycles in the picture's side, up to half of it.
std::vector<double> spectrumOf(const std::vector<float>& values, int side);

// Over k; and side by side, each from its darkest to its brightest.
void drawSpectra(Chart& chart, const Grey& picture, const Filter& filter, const std::vector<float>& filtered);
void drawPictures(Chart& chart, const Grey& picture, const std::vector<float>& filtered);

}  // namespace simscope::lab::fourier_filters
