// FFTW's wisdom: a text file with a first line that names it, then a part for each precision:
//   <"float" or "double"> <bytes>\n<that many bytes of FFTW's own text>\n
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <system_error>

#include "sims/compute/detail/fftw_api.h"

namespace simscope::compute {

namespace {

using detail::Direction;
using detail::Fftw;

constexpr const char* kHeader = "simscope fftw wisdom 1";
constexpr std::size_t kLongest = std::size_t{16} << 20;  // bytes; a file beyond this is not ours

template <class T>
std::string wisdomText() {
  char* const text = Fftw<T>::exportWisdom();
  if (!text) return {};
  const std::string copy = text;
  std::free(text);
  return copy;
}

template <class T>
void restore(const std::string& before) {
  Fftw<T>::forgetWisdom();
  if (!before.empty()) Fftw<T>::importWisdom(before);
}

template <class T>
std::string part() {
  const std::string text = wisdomText<T>();
  return fmt::format("{} {}\n{}\n", Fftw<T>::kName, text.size(), text);
}

// The part called `name` at the front of `in`; false where it is not as written above.
bool readPart(std::istream& in, const std::string& name, std::string& text) {
  std::string word;
  std::size_t bytes = 0;
  if (!(in >> word >> bytes) || word != name || bytes > kLongest || in.get() != '\n') return false;
  text.resize(bytes);
  return in.read(text.data(), static_cast<std::streamsize>(bytes)) && in.get() == '\n';
}

template <class T>
void tune(const FftShape& shape, int threads) {
  const DevicePtr device = Device::open("cpu", threads);
  const detail::FftLayout layout = detail::layoutOf(shape, sizeof(Complex<T>), device->info().threads);
  for (const detail::LineSpec& spec : {layout.chunk, layout.last_chunk, layout.tile, layout.last_tile}) {
    if (spec.lines == 0) continue;
    Buffer<Complex<T>> scratch(device, spec.extent());  // measuring overwrites it
    device->run([&] {
      const auto lock = detail::lockPlanner();
      for (const Direction direction : {Direction::Forward, Direction::Inverse}) {
        const auto plan = Fftw<T>::plan(spec, scratch.data(), detail::fftwSign(direction), FFTW_MEASURE);
        if (plan) Fftw<T>::destroy(plan);
      }
    });
  }
  detail::replanWithWisdom();
}

}  // namespace

void tuneFft(const FftShape& shape, bool double_precision, int threads) {
  if (double_precision) {
    tune<double>(shape, threads);
  } else {
    tune<float>(shape, threads);
  }
}

bool saveWisdom(const std::filesystem::path& file) {
  std::string text;
  {
    const auto lock = detail::lockPlanner();
    text = fmt::format("{}\n{}{}", kHeader, part<float>(), part<double>());
  }
  // Written beside the file and renamed, so that a reader never meets half of it.
  std::filesystem::path temporary = file;
  temporary += fmt::format(".{}.part", getpid());
  std::error_code error;
  std::ofstream out(temporary, std::ios::binary);
  out << text;
  out.close();
  if (out) std::filesystem::rename(temporary, file, error);
  if (!out || error) {
    std::filesystem::remove(temporary, error);
    return false;
  }
  return true;
}

bool loadWisdom(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string header;
  std::string in_float;
  std::string in_double;
  if (!std::getline(in, header) || header != kHeader) return false;
  if (!readPart(in, Fftw<float>::kName, in_float) || !readPart(in, Fftw<double>::kName, in_double)) return false;
  {
    const auto lock = detail::lockPlanner();
    const std::string float_before = wisdomText<float>();
    const std::string double_before = wisdomText<double>();
    if (!Fftw<float>::importWisdom(in_float) || !Fftw<double>::importWisdom(in_double)) {
      restore<float>(float_before);
      restore<double>(double_before);
      return false;
    }
  }
  detail::replanWithWisdom();
  return true;
}

}  // namespace simscope::compute
