// The parts of the filter lesson that its test uses, too.
//
// Thread: any, except onDevice's calls, which are made inside Device::run. Errors: UsageError for a formula or a
// picture that cannot be used; Error and OutOfMemory as Device.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/lab/lesson.h"

namespace simscope::lab::fourier_filters {

// side × side grey values, row by row, the lowest row first; periodic boundaries.
struct Grey {
  int side = 0;
  std::vector<float> values;
};
Grey testPicture(int side);                         // rings that get finer outwards, bars, and noise
Grey pictureOf(const std::string& file, int side);  // the central square of the file's picture

// A filter's factor for a wave of kx, ky cycles per pixel: a formula of k, kx, ky, and c.
struct Filter {
  int side = 0;
  std::vector<float> factors;  // in the transform's order
  std::vector<float> kernel;   // the convolution kernel of the filter: the weights of a pixel's neighbours
};
Filter filterOf(const std::string& formula, double c, int side);
// A kernel's central (2 reach + 1)² weights, row by row, and the filter that they make.
struct Window {
  int reach = 0;
  std::vector<float> weights;
  std::vector<float> factors;  // of pairs: real and imaginary
};
Window windowOf(const Filter& filter, int reach);

struct PictureFilter {
  std::function<void(const Window&window)> direct_of, transformed_of;  // copy the window to the device
  std::function<void()> direct, transformed;                           // enqueue a filtered picture
  std::function<std::vector<float>()> result;                          // of the last one
};
// For the picture, which is copied to the device. Throws Error if the device has no transforms.
PictureFilter onDevice(const compute::DevicePtr& device, const Grey& picture);

// Σ w(j) x(p − j) over all weights of a kernel, at pixel i, by a plain loop.
double convolvedAt(const Grey& picture, const std::vector<float>& kernel, std::size_t i);
double convolvedAt(const Grey& picture, const Window& window, std::size_t i);

// Of a whole filter, as an unlimited window.
Window wholeOf(const Filter& filter);

// The mean amplitude of the waves with about i + 1 cycles per side of the picture, up to half of its side.
std::vector<double> spectrumOf(const std::vector<float>& values, int side);

// Over k; and side by side, each scaled from its darkest to its brightest value.
void drawSpectra(Chart& chart, const Grey& picture, const Filter& filter, const std::vector<float>& filtered);
void drawPictures(Chart& chart, const Grey& picture, const std::vector<float>& filtered);

}  // namespace simscope::lab::fourier_filters
