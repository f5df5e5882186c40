#include <chrono>
#include <functional>
#include <utility>

#include "app/lab/lessons/just_in_time/just_in_time_examples.h"
#include "app/lab/lessons/just_in_time/just_in_time_nvrtc.h"
#include "app/lab/lessons/just_in_time/just_in_time_ways.h"
#include "sims/compute/buffer.h"
#include "sims/compute/device_lost.h"
#include "sims/compute/loops/parallel.h"

namespace simscope::lab::just_in_time {
namespace {

struct OnDevice {
  compute::Buffer<double> a, b, c, out;
  Arrays arrays() { return {a.data(), b.data(), c.data(), out.data()}; }
};

std::shared_ptr<OnDevice> onDevice(const compute::DevicePtr& device, const Work& work) {
  return std::make_shared<OnDevice>(
      OnDevice{{device, work.a}, {device, work.b}, {device, work.c}, compute::Buffer<double>(device, work.a.size())});
}

void fetchOn(Executor& way, const std::shared_ptr<OnDevice>& data) {
  way.fetch = [data, device = way.device](double* host, std::size_t from, std::size_t count) {
    device->download(host, data->out.data() + from, count * sizeof(double));
  };
}

// The kernel compiled with the program under this name in `example`.
void addCompiled(std::vector<Executor>& ways, const compute::DevicePtr& device, int example, bool one_thread,
                 const std::shared_ptr<OnDevice>& data) {
  const auto with = [&](const auto& kernel) {
    const char* const on_cpu = one_thread ? "CPU, compiled, one thread" : "CPU, compiled, all threads";
    Executor way{.title = device->isCuda() ? "GPU, compiled before" : on_cpu, .device = device};
    way.run = [kernel, device, one_thread, data](std::size_t n) {
      if (one_thread) {
        for (std::size_t i = 0; i < n; ++i) kernel(i);
      } else {
        compute::parallelFor(*device, n, kernel);
      }
    };
    way.watched = [run = way.run](std::size_t n) {
      run(n);
      return 0;
    };
    way.compiled = true;
    fetchOn(way, data);
    ways.push_back(std::move(way));
  };
  if (example == 0) with(Quadratic{data->arrays()});
  if (example == 1) with(Saxpy{data->arrays()});
  if (example == 2) with(Mandelbrot{data->arrays()});
}

void addTyped(std::vector<Executor>& ways, const Bench& bench, const Work& work, const std::shared_ptr<OnDevice>& data,
              std::vector<std::string>& notes) {
  using Clock = std::chrono::steady_clock;
  try {
    const auto start = Clock::now();
    const Image image = compileForCuda(cudaSource(work.program), capabilityOf(*bench.cuda));
    const auto kernel = std::make_shared<Kernel>(bench.cuda, image, kLoopSeconds);
    Executor way{"GPU, just in time", bench.cuda};
    way.ready = work.parsing + std::chrono::duration<double>(Clock::now() - start).count();
    notes.push_back(image.compiler + (image.ptx ? " does not know this GPU: the driver completes its code."
                                                : " makes this GPU's own code."));
    way.run = [kernel, data](std::size_t n) { kernel->launch(data->arrays(), n); };
    way.watched = [kernel, data, check = bench.check](std::size_t n) {
      return kernel->watched(data->arrays(), n, check);
    };
    way.just_in_time = true;
    fetchOn(way, data);
    ways.push_back(std::move(way));
  } catch (const compute::DeviceLost&) {
    throw;
  } catch (const OutOfMemory&) {
    throw;
  } catch (const Error& error) {
    notes.push_back(std::string("Nothing is compiled just in time: ") + error.what());
  }
}

}  // namespace

void addKernels(std::vector<Executor>& ways, const Bench& bench, const std::shared_ptr<const Work>& work,
                std::vector<std::string>& notes) {
  if (work->example >= 0) {
    const auto data = onDevice(bench.cpu, *work);
    addCompiled(ways, bench.cpu, work->example, true, data);
    addCompiled(ways, bench.cpu, work->example, false, data);
  }
  if (!bench.cuda) {
    notes.push_back("No CUDA device, so nothing is compiled just in time: " + bench.no_cuda);
    return;
  }
  const auto data = onDevice(bench.cuda, *work);
  addTyped(ways, bench, *work, data, notes);
  if (work->example >= 0) addCompiled(ways, bench.cuda, work->example, false, data);
}

}  // namespace simscope::lab::just_in_time
