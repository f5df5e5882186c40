#include "app/scene/zip_file.h"

#include <fmt/format.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

#include "sims/compute/error.h"
#include "sims/foreign/file.h"
#include "sims/foreign/words.h"

namespace simscope {

// What libzip writes to: the pending file. It goes back in it to complete the header of a member.
struct ZipWriter::Sink {
  explicit Sink(exporting::PendingFile& pending) : file(pending) { zip_error_init(&error); }
  ~Sink() { zip_error_fini(&error); }

  static zip_int64_t answer(void* sink, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    return static_cast<Sink*>(sink)->answer(data, length, command);
  }

  zip_int64_t answer(void* data, zip_uint64_t length, zip_source_cmd_t command) {
    switch (command) {
      case ZIP_SOURCE_SUPPORTS:
        return ZIP_SOURCE_SUPPORTS_WRITABLE;
      case ZIP_SOURCE_STAT:
      case ZIP_SOURCE_OPEN:
        zip_error_set(&error, ZIP_ER_READ, ENOENT);  // nothing is there yet
        return -1;
      case ZIP_SOURCE_WRITE:
        return write(static_cast<const std::byte*>(data), length);
      case ZIP_SOURCE_SEEK_WRITE: {
        const zip_int64_t to = zip_source_seek_compute_offset(at, file.bytes(), data, length, &error);
        if (to < 0) return -1;
        at = static_cast<std::uint64_t>(to);
        return 0;
      }
      case ZIP_SOURCE_TELL_WRITE:
        return static_cast<zip_int64_t>(at);
      case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&error, data, length);
      case ZIP_SOURCE_BEGIN_WRITE:
      case ZIP_SOURCE_COMMIT_WRITE:
      case ZIP_SOURCE_ROLLBACK_WRITE:
      case ZIP_SOURCE_REMOVE:
      case ZIP_SOURCE_CLOSE:
      case ZIP_SOURCE_FREE:
        return 0;
      default:
        zip_error_set(&error, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
  }

  zip_int64_t write(const std::byte* data, zip_uint64_t length) {
    try {
      const std::uint64_t over = std::min<std::uint64_t>(length, file.bytes() - at);
      if (over > 0) file.rewrite(at, data, over);
      if (length > over) file.write(data + over, length - over);
      at += length;
      return static_cast<zip_int64_t>(length);
    } catch (...) {
      failure = std::current_exception();  // through C code: thrown by complete()
      zip_error_set(&error, ZIP_ER_WRITE, EIO);
      return -1;
    }
  }

  exporting::PendingFile& file;
  std::uint64_t at = 0;
  std::exception_ptr failure;
  zip_error_t error;
};

void ZipWriter::Discard::operator()(zip* archive) const noexcept {
  zip_discard(archive);
}

ZipWriter::ZipWriter(exporting::PendingFile& file) : sink_(std::make_unique<Sink>(file)) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_function_create(&Sink::answer, sink_.get(), &error);
  if (!source) throw std::bad_alloc();
  archive_.reset(zip_open_from_source(source, ZIP_CREATE, &error));
  if (!archive_) {
    zip_source_free(source);
    throw Error(fmt::format("cannot begin the archive '{}': {}", file.target().string(), zip_error_strerror(&error)));
  }
}

ZipWriter::~ZipWriter() = default;

// What libzip reads from: a member that comes piece by piece.
struct ZipWriter::Stream {
  Stream(std::string first, std::uint64_t more, Next from, std::exception_ptr& failed)
      : head(std::move(first)), bytes(head.size() + more), next(std::move(from)), failure(failed) {
    zip_error_init(&error);
  }
  ~Stream() { zip_error_fini(&error); }

  static zip_int64_t answer(void* stream, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    return static_cast<Stream*>(stream)->answer(data, length, command);
  }

  zip_int64_t answer(void* data, zip_uint64_t length, zip_source_cmd_t command) {
    switch (command) {
      case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                              ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
      case ZIP_SOURCE_STAT: {
        auto* const stat = static_cast<zip_stat_t*>(data);
        zip_stat_init(stat);
        stat->valid = ZIP_STAT_SIZE;
        stat->size = bytes;
        return sizeof *stat;
      }
      case ZIP_SOURCE_READ:
        return read(static_cast<std::byte*>(data), length);
      case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&error, data, length);
      case ZIP_SOURCE_OPEN:
      case ZIP_SOURCE_CLOSE:
      case ZIP_SOURCE_FREE:
        return 0;
      default:
        zip_error_set(&error, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
  }

  zip_int64_t read(std::byte* to, zip_uint64_t length) {
    try {
      zip_uint64_t filled = 0;
      while (filled < length && given < bytes) {
        if (piece.empty()) piece = given == 0 ? std::as_bytes(std::span<const char>(head)) : next();
        if (piece.empty() || piece.size() > bytes - given + taken) throw Error("a member has the wrong length");
        const std::size_t now = std::min<std::size_t>(piece.size() - taken, length - filled);
        std::memcpy(to + filled, piece.data() + taken, now);
        filled += now, given += now, taken += now;
        if (taken == piece.size()) piece = {}, taken = 0;
      }
      return static_cast<zip_int64_t>(filled);
    } catch (...) {
      failure = std::current_exception();  // through C code: thrown by complete()
      zip_error_set(&error, ZIP_ER_READ, EIO);
      return -1;
    }
  }

  std::string head;
  std::uint64_t bytes, given = 0;
  Next next;
  std::span<const std::byte> piece;
  std::size_t taken = 0;  // of the piece
  std::exception_ptr& failure;
  zip_error_t error;
};

void ZipWriter::add(const std::string& name, std::string head, std::span<const std::byte> data) {
  heads_.push_back(std::move(head));
  zip_buffer_fragment_t parts[2] = {};
  parts[0].data = reinterpret_cast<zip_uint8_t*>(heads_.back().data());
  parts[0].length = heads_.back().size();
  parts[1].data = reinterpret_cast<zip_uint8_t*>(const_cast<std::byte*>(data.data()));  // libzip only reads it
  parts[1].length = data.size();
  zip_error_t error;
  zip_error_init(&error);
  place(name, zip_source_buffer_fragment_create(parts, data.empty() ? 1 : 2, 0, &error));
}

void ZipWriter::add(const std::string& name, std::string head, std::uint64_t bytes, Next next) {
  Stream& stream = streams_.emplace_back(std::move(head), bytes, std::move(next), sink_->failure);
  zip_error_t error;
  zip_error_init(&error);
  place(name, zip_source_function_create(&Stream::answer, &stream, &error));
}

void ZipWriter::place(const std::string& name, zip_source* source) {
  if (!source) throw std::bad_alloc();
  const zip_int64_t index = zip_file_add(archive_.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    throw Error(fmt::format("cannot add '{}' to the archive: {}", name, zip_strerror(archive_.get())));
  }
  const auto member = static_cast<zip_uint64_t>(index);
  constexpr zip_uint16_t kFirstDay = 0x21;  // of 1980: when it was written shall not change the file
  zip_set_file_compression(archive_.get(), member, ZIP_CM_STORE, 0);
  zip_file_set_dostime(archive_.get(), member, 0, kFirstDay, 0);
}

void ZipWriter::complete() {
  if (zip_close(archive_.get()) != 0) {
    if (sink_->failure) std::rethrow_exception(sink_->failure);
    throw Error(fmt::format("cannot write '{}': {}", sink_->file.target().string(), zip_strerror(archive_.get())));
  }
  (void)archive_.release();  // closed, it is gone
  sink_->file.complete();
}

void ZipReader::Close::operator()(zip* archive) const noexcept {
  zip_discard(archive);
}

namespace {

[[noreturn]] void refuseArchive(const std::string& why) {
  throw UsageError("this is not a snapshot, or it is damaged: " + why);
}

}  // namespace

ZipReader::ZipReader(const std::filesystem::path& file) {
  foreign::File opened(file);
  size_ = opened.size();
  int code = 0;
  const int descriptor = opened.release();
  archive_.reset(zip_fdopen(descriptor, ZIP_CHECKCONS, &code));
  if (!archive_) ::close(descriptor);
  if (archive_) return;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string why = zip_error_strerror(&error);
  zip_error_fini(&error);
  refuseArchive(why);
}

ZipReader::ZipReader(std::span<const std::byte> bytes) : size_(bytes.size()) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  if (!source) throw std::bad_alloc();
  archive_.reset(zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error));
  if (archive_) return;
  zip_source_free(source);
  const std::string why = zip_error_strerror(&error);
  zip_error_fini(&error);
  refuseArchive(why);
}

bool ZipReader::has(const std::string& name) const {
  return zip_name_locate(archive_.get(), name.c_str(), 0) >= 0;
}

struct ZipReader::Found {
  std::string name;  // as it is shown
  Member member;
  zip_uint64_t index;
};

ZipReader::Found ZipReader::find(const std::string& name) const {
  Found found{foreign::quoted(name), {}, 0};
  zip_stat_t stat;
  zip_stat_init(&stat);
  if (zip_stat(archive_.get(), name.c_str(), 0, &stat) != 0) refuseArchive("it has no member " + found.name);
  constexpr zip_uint64_t kNeeded = ZIP_STAT_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_INDEX | ZIP_STAT_CRC;
  if ((stat.valid & kNeeded) != kNeeded || stat.comp_method != ZIP_CM_STORE) {
    refuseArchive("its member " + found.name + " is compressed");
  }
  // Of a stored member its own length is the bound; the length that the archive states may be anything.
  if (stat.size > size_) refuseArchive("its member " + found.name + " is longer than the archive");
  found.member = {stat.size, stat.crc};
  found.index = stat.index;
  return found;
}

namespace {

// The bytes of a member from its beginning: all of them, checked, unless `take` has had enough.
class Reading {
 public:
  Reading(zip* archive, zip_uint64_t index, std::string member)
      : name_("its member " + std::move(member)), file_(zip_fopen_index(archive, index, 0), &zip_fclose) {
    if (!file_) refuseArchive(name_ + " cannot be read: " + zip_strerror(archive));
  }

  // Fills `to`, or skips as many where it is null.
  void take(std::byte* to, std::uint64_t count) {
    std::byte skipped[1 << 14];
    while (count > 0) {
      const std::uint64_t most = to ? count : std::min<std::uint64_t>(count, sizeof skipped);
      const zip_int64_t got = zip_fread(file_.get(), to ? to : skipped, most);
      if (got < 0) fail();
      if (got == 0) refuseArchive(name_ + kOtherLength);
      if (to) to += got;
      count -= static_cast<std::uint64_t>(got);
    }
  }

  // The read at the end compares the checksum.
  void end() {
    std::byte beyond;
    const zip_int64_t got = zip_fread(file_.get(), &beyond, 1);
    if (got < 0) fail();
    if (got > 0) refuseArchive(name_ + kOtherLength);
  }

 private:
  static constexpr const char* kOtherLength = " does not have its stated length";
  [[noreturn]] void fail() const { refuseArchive(name_ + ": " + zip_file_strerror(file_.get())); }

  std::string name_;
  std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file_;
};

}  // namespace

ZipReader::Member ZipReader::member(const std::string& name) const {
  return find(name).member;
}

std::vector<std::byte> ZipReader::read(const std::string& name, std::uint64_t most) const {
  const Found found = find(name);
  if (found.member.bytes > most) {
    refuseArchive(fmt::format("its member {} has {} bytes, over {}", found.name, found.member.bytes, most));
  }
  return read(name, 0, found.member.bytes);
}

std::vector<std::byte> ZipReader::read(const std::string& name, std::uint64_t first, std::uint64_t count) const {
  const Found found = find(name);
  if (first > found.member.bytes || count > found.member.bytes - first) {
    refuseArchive(fmt::format("its member {} has {} bytes, not {}", found.name, found.member.bytes, first + count));
  }
  std::vector<std::byte> bytes(count);
  Reading reading(archive_.get(), found.index, found.name);
  reading.take(nullptr, first);
  reading.take(bytes.data(), count);
  reading.take(nullptr, found.member.bytes - first - count);
  reading.end();
  return bytes;
}

std::vector<std::byte> ZipReader::front(const std::string& name, std::uint64_t most) const {
  const Found found = find(name);
  std::vector<std::byte> bytes(std::min(found.member.bytes, most));
  Reading(archive_.get(), found.index, found.name).take(bytes.data(), bytes.size());
  return bytes;
}

}  // namespace simscope
