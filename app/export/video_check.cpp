// MP4: ISO/IEC 14496-12. MKV and WebM: RFC 8794 (EBML) and RFC 9559. WebP: RFC 9649.
#include "app/export/video_check.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

struct Flaw {
  std::string what;
};

// A part of the file, and what can be read at any place of it.
class Source {
 public:
  explicit Source(const std::filesystem::path& file) : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat status {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) throw Flaw{"cannot be read back"};
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
  ~Source() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  std::uint64_t size() const { return size_; }
  std::vector<std::uint8_t> read(std::uint64_t at, std::uint64_t bytes) const {
    if (at > size_ || bytes > size_ - at) throw Flaw{"is truncated"};
    std::vector<std::uint8_t> data(bytes);
    for (std::size_t done = 0; done < bytes;) {
      const ssize_t got = ::pread(descriptor_, data.data() + done, bytes - done, static_cast<off_t>(at + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) throw Flaw{"cannot be read back"};
      done += static_cast<std::size_t>(got);
    }
    return data;
  }
  std::uint64_t bigEndian(std::uint64_t at, int bytes) const {
    std::uint64_t value = 0;
    for (const std::uint8_t each : read(at, static_cast<std::uint64_t>(bytes))) value = value << 8 | each;
    return value;
  }
  std::uint64_t littleEndian(std::uint64_t at, int bytes) const {
    const auto data = read(at, static_cast<std::uint64_t>(bytes));
    std::uint64_t value = 0;
    for (std::size_t i = data.size(); i-- > 0;) value = value << 8 | data[i];
    return value;
  }

 private:
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

struct Part {
  std::uint64_t kind = 0, at = 0, end = 0;  // of its contents
};

constexpr std::uint64_t fourLetters(const char (&name)[5]) {
  std::uint64_t kind = 0;
  for (int i = 0; i < 4; ++i) kind = kind << 8 | static_cast<std::uint8_t>(name[i]);
  return kind;
}

void expectFrames(std::int64_t found, std::int64_t wanted) {
  if (found != wanted) throw Flaw{fmt::format("has {} of {} frames", found, wanted)};
}

// Times are rounded to the container's clock.
void expectSeconds(double found, std::int64_t frames, double fps) {
  const double wanted = static_cast<double>(frames) / fps;
  if (!(std::abs(found - wanted) <= 1.5 / fps + 0.002)) {
    throw Flaw{fmt::format("lasts {:.3g} of {:.3g} seconds", found, wanted)};
  }
}

// The boxes of an MP4 within [at, end), which they must fill.
std::vector<Part> boxes(const Source& file, std::uint64_t at, std::uint64_t end) {
  std::vector<Part> all;
  while (at < end) {
    std::uint64_t length = file.bigEndian(at, 4), head = 8;
    const std::uint64_t kind = file.bigEndian(at + 4, 4);
    if (length == 1) {
      length = file.bigEndian(at + 8, 8);
      head = 16;
    }
    if (length < head || length > end - at) throw Flaw{"is truncated"};
    all.push_back({kind, at + head, at + length});
    at += length;
  }
  return all;
}

Part boxNamed(const std::vector<Part>& all, std::uint64_t kind) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Part& each) { return each.kind == kind; });
  if (found == all.end()) throw Flaw{"has no index"};
  return *found;
}

void checkMp4(const Source& file, std::int64_t frames, double fps) {
  const std::vector<Part> top = boxes(file, 0, file.size());
  const Part data = boxNamed(top, fourLetters("mdat"));
  Part at = boxNamed(top, fourLetters("moov"));
  const auto enter = [&](const char(&name)[5]) { at = boxNamed(boxes(file, at.at, at.end), fourLetters(name)); };
  enter("trak");
  enter("mdia");
  const Part clock = boxNamed(boxes(file, at.at, at.end), fourLetters("mdhd"));
  const bool wide = file.bigEndian(clock.at, 1) == 1;
  const auto ticks = static_cast<double>(file.bigEndian(clock.at + (wide ? 20 : 12), 4));
  enter("minf");
  enter("stbl");
  const std::vector<Part> tables = boxes(file, at.at, at.end);
  const Part sizes = boxNamed(tables, fourLetters("stsz")), times = boxNamed(tables, fourLetters("stts"));
  const std::uint64_t each = file.bigEndian(sizes.at + 4, 4), count = file.bigEndian(sizes.at + 8, 4);
  expectFrames(static_cast<std::int64_t>(count), frames);
  std::uint64_t bytes = each * count;
  if (each == 0) {
    if (count > (sizes.end - sizes.at - 12) / 4) throw Flaw{"has a truncated index"};
    const auto list = file.read(sizes.at + 12, 4 * count);
    for (std::size_t i = 0; i < list.size(); i += 4) {
      bytes += static_cast<std::uint32_t>(list[i] << 24 | list[i + 1] << 16 | list[i + 2] << 8 | list[i + 3]);
    }
  }
  if (bytes > data.end - data.at) throw Flaw{"lacks some of its frames"};
  double last = 0;
  const std::uint64_t runs = file.bigEndian(times.at + 4, 4);
  if (runs > (times.end - times.at - 8) / 8) throw Flaw{"has a truncated index"};
  for (std::uint64_t i = 0; i < runs; ++i) {
    const std::uint64_t run = times.at + 8 + 8 * i;
    last += static_cast<double>(file.bigEndian(run, 4)) * static_cast<double>(file.bigEndian(run + 4, 4));
  }
  expectSeconds(last / ticks, frames, fps);
}

// An EBML element at `at`: its number with the length marker, its contents.
Part element(const Source& file, std::uint64_t at, std::uint64_t end) {
  const auto width = [&](std::uint64_t where, int most) {
    const int zeros = std::countl_zero(static_cast<std::uint8_t>(file.bigEndian(where, 1)));
    if (zeros >= most) throw Flaw{"is damaged"};
    return zeros + 1;
  };
  Part part;
  const int head = width(at, 4);
  part.kind = file.bigEndian(at, head);
  const int digits = width(at + static_cast<std::uint64_t>(head), 8);
  const std::uint64_t mask = (std::uint64_t{1} << (7 * digits)) - 1;
  const std::uint64_t length = file.bigEndian(at + static_cast<std::uint64_t>(head), digits) & mask;
  part.at = at + static_cast<std::uint64_t>(head + digits);
  if (length == mask) throw Flaw{"is incomplete"};  // as it is written before the length is known
  if (part.at > end || length > end - part.at) throw Flaw{"is truncated"};
  part.end = part.at + length;
  return part;
}

template <typename Action>
void forElements(const Source& file, const Part& parent, Action&& action) {
  for (std::uint64_t at = parent.at; at < parent.end;) {
    const Part part = element(file, at, parent.end);
    action(part);
    at = part.end;
  }
}

double real(const Source& file, const Part& part) {
  const auto bytes = static_cast<int>(part.end - part.at);
  if (bytes == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(file.bigEndian(part.at, 4)));
  if (bytes == 8) return std::bit_cast<double>(file.bigEndian(part.at, 8));
  throw Flaw{"is damaged"};
}

void checkMatroska(const Source& file, std::int64_t frames, double fps) {
  constexpr std::uint64_t kSegment = 0x18538067, kInfo = 0x1549a966, kDuration = 0x4489, kScale = 0x2ad7b1,
                          kCluster = 0x1f43b675, kSimpleBlock = 0xa3, kBlockGroup = 0xa0;
  std::int64_t found = 0;
  double duration = -1, scale = 1e6;  // nanoseconds
  Part segment;
  forElements(file, {0, 0, file.size()}, [&](const Part& part) {
    if (part.kind == kSegment) segment = part;
  });
  if (segment.kind == 0) throw Flaw{"is empty"};
  forElements(file, segment, [&](const Part& part) {
    if (part.kind == kInfo) {
      forElements(file, part, [&](const Part& each) {
        if (each.kind == kDuration) duration = real(file, each);
        if (each.kind == kScale && each.end - each.at <= 8) {
          scale = static_cast<double>(file.bigEndian(each.at, static_cast<int>(each.end - each.at)));
        }
      });
    } else if (part.kind == kCluster) {
      forElements(file, part,
                  [&](const Part& each) { found += each.kind == kSimpleBlock || each.kind == kBlockGroup; });
    }
  });
  expectFrames(found, frames);
  expectSeconds(duration * scale * 1e-9, frames, fps);
}

// Equal pictures one after the other are one that lasts longer; nothing but equal ones is a still picture.
void checkWebp(const Source& file, std::int64_t frames, double fps) {
  constexpr std::uint64_t kHead = 12;
  if (file.size() < kHead || file.bigEndian(0, 4) != fourLetters("RIFF")) throw Flaw{"is empty"};
  if (file.littleEndian(4, 4) + 8 != file.size()) throw Flaw{"is incomplete"};
  std::int64_t pictures = 0, stills = 0;
  double milliseconds = 0;
  for (std::uint64_t at = kHead; at < file.size();) {
    const std::uint64_t kind = file.bigEndian(at, 4), length = file.littleEndian(at + 4, 4);
    if (length > file.size() - at - 8) throw Flaw{"is truncated"};
    if (kind == fourLetters("ANMF")) {
      ++pictures;
      milliseconds += static_cast<double>(file.littleEndian(at + 8 + 12, 3));
    }
    stills += kind == fourLetters("VP8L") || kind == fourLetters("VP8 ");
    at += 8 + length + length % 2;
  }
  if (pictures == 0) {
    if (stills != 1) throw Flaw{"has no frame"};
    return;
  }
  if (pictures > frames) expectFrames(pictures, frames);
  expectSeconds(milliseconds * 1e-3, frames, fps);
}

}  // namespace

std::string flawOf(const std::filesystem::path& video, VideoFormat format, std::int64_t frames, double fps) {
  try {
    const Source file(video);
    switch (format) {
      case VideoFormat::Mp4:
        checkMp4(file, frames, fps);
        break;
      case VideoFormat::Webm:
      case VideoFormat::Mkv:
        checkMatroska(file, frames, fps);
        break;
      case VideoFormat::Webp:
        checkWebp(file, frames, fps);
        break;
    }
    return {};
  } catch (const Flaw& flaw) {
    return flaw.what;
  }
}

}  // namespace simscope::exporting
