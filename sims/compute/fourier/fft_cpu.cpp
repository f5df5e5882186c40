#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sims/compute/cpu_device.h"
#include "sims/compute/fourier/detail/fftw_plans.h"

namespace simscope::compute::detail {

namespace {

// One thread's copy of a tile of columns, aligned as FFTW wants it.
template <class T>
class Scratch {
 public:
  explicit Scratch(std::size_t elements)
      : memory_(static_cast<Complex<T>*>(::operator new(elements * sizeof(Complex<T>), kAlignment))) {}
  ~Scratch() {
    if (memory_) ::operator delete(memory_, kAlignment);
  }
  Scratch(Scratch&& other) noexcept : memory_(std::exchange(other.memory_, nullptr)) {}
  Scratch& operator=(Scratch&&) = delete;
  Complex<T>* data() noexcept { return memory_; }

 private:
  static constexpr std::align_val_t kAlignment{64};
  Complex<T>* memory_;
};

template <class T>
class CpuFft final : public FftBackend<T> {
 public:
  CpuFft(Device& device, const FftShape& shape)
      : device_(static_cast<CpuDevice&>(device)),
        layout_(layoutOf(shape, sizeof(Complex<T>), device.info().threads)),
        scratch_([elements = scratchOf(layout_)] { return Scratch<T>(elements); }) {
    for (const Direction direction : {Direction::Forward, Direction::Inverse}) {
      if (layout_.columns > 1) (void)rowPlans(direction, true);
      for (const FftLayout::Columns& down : layout_.down) {
        tiles_[index(direction)].push_back(plansOf(down.tile, down.last_tile, direction, true));
      }
    }
  }

  void execute(Complex<T>* data, Direction direction) override {
    if (layout_.columns > 1) alongRows(data, direction);
    for (std::size_t k = 0; k < layout_.down.size(); ++k) {
      downColumns(data, layout_.down[k], tiles_[index(direction)][k]);
    }
  }

 private:
  using Plan = std::shared_ptr<LinePlan<T>>;
  struct Pair {
    Plan each;
    Plan last;  // null where the last portion is as large as the others
  };

  static std::size_t index(Direction direction) { return direction == Direction::Forward ? 0 : 1; }

  static std::size_t scratchOf(const FftLayout& layout) {
    std::size_t most = 0;
    for (const FftLayout::Columns& down : layout.down) most = std::max(most, down.tile.extent());
    return most;
  }

  static Pair plansOf(const LineSpec& each, const LineSpec& last, Direction direction, bool aligned) {
    return {linePlan<T>(each, direction, aligned), last.lines > 0 ? linePlan<T>(last, direction, aligned) : nullptr};
  }

  const Pair& rowPlans(Direction direction, bool aligned) {
    Pair& pair = rows_[aligned ? 1 : 0][index(direction)];
    if (!pair.each) pair = plansOf(layout_.chunk, layout_.last_chunk, direction, aligned);
    return pair;
  }

  template <class Body>
  void forEach(std::size_t count, const Body& body) {
    if (layout_.parallel && count > 1) {
      device_.arena().execute([&] { tbb::parallel_for(std::size_t{0}, count, body); });
    } else {
      for (std::size_t i = 0; i < count; ++i) body(i);
    }
  }

  void alongRows(Complex<T>* data, Direction direction) {
    const std::size_t stride = static_cast<std::size_t>(layout_.chunk.lines) * layout_.columns;
    // Aligned here and one chunk on is aligned everywhere.
    const bool aligned = Fftw<T>::aligned(data) && (layout_.chunks == 1 || Fftw<T>::aligned(data + stride));
    const Pair& plans = rowPlans(direction, aligned);
    const auto transform = [&](std::size_t chunk) {
      const bool last = plans.last && chunk + 1 == layout_.chunks;
      (last ? plans.last : plans.each)->execute(data + chunk * stride);
    };
    if (layout_.chunk.threads > 1) {  // each row takes all threads
      device_.arena().execute([&] {
        for (std::size_t chunk = 0; chunk < layout_.chunks; ++chunk) transform(chunk);
      });
    } else {
      forEach(layout_.chunks, transform);
    }
  }

  void downColumns(Complex<T>* data, const FftLayout::Columns& down, const Pair& plans) {
    const auto width = static_cast<std::size_t>(down.tile.lines);
    const std::size_t columns = down.columns;
    forEach(down.tiles * down.pictures, [&](std::size_t item) {
      const std::size_t tile = item % down.tiles;
      const bool last = plans.last && tile + 1 == down.tiles;
      const std::size_t here = last ? static_cast<std::size_t>(down.last_tile.lines) : width;
      Complex<T>* const corner = data + item / down.tiles * down.rows * columns + tile * width;
      Complex<T>* const scratch = scratch_.local().data();
      for (std::size_t row = 0; row < down.rows; ++row) {
        std::copy_n(corner + row * columns, here, scratch + row * width);
      }
      (last ? plans.last : plans.each)->execute(scratch);
      for (std::size_t row = 0; row < down.rows; ++row) {
        std::copy_n(scratch + row * width, here, corner + row * columns);
      }
    });
  }

  CpuDevice& device_;  // kept alive by the Fft that owns this
  FftLayout layout_;
  Pair rows_[2][2];             // [aligned][direction]
  std::vector<Pair> tiles_[2];  // [direction], of each way down
  tbb::enumerable_thread_specific<Scratch<T>> scratch_;
};

}  // namespace

template <class T>
std::unique_ptr<FftBackend<T>> makeCpuFft(Device& device, const FftShape& shape) {
  return std::make_unique<CpuFft<T>>(device, shape);
}

template std::unique_ptr<FftBackend<float>> makeCpuFft<float>(Device&, const FftShape&);
template std::unique_ptr<FftBackend<double>> makeCpuFft<double>(Device&, const FftShape&);

}  // namespace simscope::compute::detail
