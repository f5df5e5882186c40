#include "app/live/receiver.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace simscope::live {

namespace {

constexpr std::size_t kMostDescriptions = 1000;

[[noreturn]] void breakOff(const std::string& why) {
  throw UsageError("show: " + why);
}

std::string reason() {
  return std::strerror(errno);
}

}  // namespace

// The socket. Loans that outlive the receiver still return their slots over it.
class Receiver::Line {
 public:
  // A descriptor that is closed at the end.
  class Descriptor {
   public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
      if (number_ >= 0) close(number_);
    }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
      std::swap(number_, other.number_);
      return *this;
    }
    int number() const noexcept { return number_; }

   private:
    int number_ = -1;
  };

  struct Packet {
    std::string bytes;
    Descriptor memory;
  };

  explicit Line(int socket) : socket_(socket) {
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_SEQPACKET) {
      breakOff(
          fmt::format("descriptor {} is not a socket of packets; simscope.show() in Python opens one and starts this "
                      "command",
                      socket));
    }
    ucred other{};
    size = sizeof other;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &other, &size) != 0 || other.uid != geteuid()) {
      breakOff("the other end of the socket belongs to another user");
    }
    fcntl(socket, F_SETFD, FD_CLOEXEC);
  }

  void send(const std::string& bytes) const noexcept {
    // A script that does not read may have ended; the receiver does not wait for it.
    (void)!::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  void shut() const noexcept { shutdown(socket_.number(), SHUT_RDWR); }

  // Nothing: the other end is closed. UsageError: nothing came, or more than a message may be.
  std::optional<Packet> receive(std::chrono::milliseconds patience) const {
    pollfd ready{socket_.number(), POLLIN, 0};
    int found = 0;
    do {
      found = poll(&ready, 1, static_cast<int>(patience.count()));
    } while (found < 0 && errno == EINTR);
    if (found == 0) breakOff("no array came from the script");
    if (found < 0) breakOff("the socket cannot be read: " + reason());
    std::optional<Packet> packet = read();
    // The script ended without reading our messages. Its own earlier messages can still be read.
    if (!packet && errno == ECONNRESET) packet = read();
    if (!packet) breakOff("the socket cannot be read: " + reason());
    if (packet->bytes.empty()) return std::nullopt;
    return packet;
  }

 private:
  // Nothing: errno says why.
  std::optional<Packet> read() const {
    Packet packet{std::string(kMostBytes + 1, '\0'), {}};
    iovec data{packet.bytes.data(), packet.bytes.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostSlots * sizeof(int))> control{};
    msghdr header{};
    header.msg_iov = &data;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    const ssize_t got = recvmsg(socket_.number(), &header, MSG_CMSG_CLOEXEC);
    if (got < 0) return std::nullopt;
    takeFiles(header, packet);
    if (header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) breakOff("a message is too long");
    packet.bytes.resize(static_cast<std::size_t>(got));
    return packet;
  }

  // The first is taken, any other closed.
  static void takeFiles(msghdr& header, Packet& packet) {
    for (cmsghdr* each = CMSG_FIRSTHDR(&header); each != nullptr; each = CMSG_NXTHDR(&header, each)) {
      if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
      const std::size_t count = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (std::size_t i = 0; i < count; ++i) {
        int number = -1;
        std::memcpy(&number, CMSG_DATA(each) + i * sizeof(int), sizeof number);
        Descriptor file(number);
        if (packet.memory.number() < 0) packet.memory = std::move(file);
      }
    }
  }

  Descriptor socket_;
};

// The slots, mapped.
class Receiver::Memory {
 public:
  Memory(const LiveArray& array, int slots, int file)
      : width_(array.width),
        height_(array.height),
        slot_bytes_(slotBytes(array)),
        values_(static_cast<std::size_t>(array.elements()) * static_cast<std::size_t>(array.components())),
        slots_(static_cast<std::size_t>(slots)) {
    const int seals = fcntl(file, F_GET_SEALS);
    if (seals < 0) breakOff("the arrays must come in a memory file (memfd_create)");
    if (!(seals & F_SEAL_SHRINK))
      breakOff("the memory file must be sealed, so that it cannot become shorter (F_SEAL_SHRINK)");
    struct stat about {};
    if (fstat(file, &about) != 0) breakOff("the memory file cannot be examined: " + reason());
    const std::size_t needed = slot_bytes_ * slots_;
    if (about.st_size < 0 || static_cast<std::size_t>(about.st_size) < needed) {
      breakOff(
          fmt::format("the memory file has {} bytes; {} slots of this array take {}", about.st_size, slots, needed));
    }
    void* const mapped = mmap(nullptr, needed, PROT_READ, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) breakOff("the memory file cannot be mapped: " + reason());
    data_ = static_cast<const std::byte*>(mapped);
  }
  ~Memory() { munmap(const_cast<std::byte*>(data_), slot_bytes_ * slots_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  std::span<const float> slot(std::size_t which) const {
    return {reinterpret_cast<const float*>(data_ + which * slot_bytes_), values_};
  }
  std::size_t slots() const noexcept { return slots_; }
  // Whether arrays of this form lie in it as those do that it was made for.
  bool holds(const LiveArray& array, int slots) const noexcept {
    return array.width == width_ && array.height == height_ && slots == static_cast<int>(slots_) &&
           static_cast<std::size_t>(array.elements() * array.components()) == values_;
  }

 private:
  int width_, height_;
  std::size_t slot_bytes_, values_, slots_;
  const std::byte* data_ = nullptr;
};

Receiver::Receiver(int socket, std::chrono::milliseconds patience)
    : line_(std::make_shared<Line>(socket)),
      device_side_(std::make_shared<DeviceSide>([line = line_](const std::string& bytes) { line->send(bytes); })) {
  try {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (!shown_.mailbox || !shown_.mailbox->waiting()) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
      if (!hear(std::max(left, std::chrono::milliseconds(0)))) breakOff("the script ended before it sent an array");
    }
  } catch (const UsageError& error) {
    line_->send(refusedMessage(error.what()));
    throw;
  }
  thread_ = std::thread([this] { listen(); });
}

Receiver::~Receiver() {
  line_->shut();
  thread_.join();
  shown_.mailbox->retire();  // arrays on a device are released before the device
}

Receiver::Shown Receiver::shown() const {
  const std::lock_guard lock(mutex_);
  return shown_;
}

bool Receiver::hear(std::chrono::milliseconds patience) {
  const std::optional<Line::Packet> packet = line_->receive(patience);
  if (!packet) return false;
  const ScriptMessage message = readMessage(packet->bytes);
  if (const auto* array = std::get_if<ArrayMessage>(&message)) {
    announce(*array, packet->memory.number());
  } else if (const auto* news = std::get_if<UpdateMessage>(&message)) {
    update(*news);
  } else if (const auto* slots = std::get_if<SlotsMessage>(&message)) {
    device_side_->open(*slots);
  } else {
    update(std::get<DeviceUpdateMessage>(message));
  }
  return true;
}

void Receiver::announce(const ArrayMessage& message, int memory_file) {
  if (memory_file >= 0) {
    memory_ = std::make_shared<Memory>(message.array, message.slots, memory_file);
  } else if (!memory_ || !memory_->holds(message.array, message.slots)) {
    breakOff("a description must come with the memory file of its arrays, where their form is another one");
  }
  ++forms_;
  array_ = std::make_shared<const LiveArray>(message.array);
  const Shown next = describedBy(message.array);
  if (next.mailbox == shown_.mailbox) return;
  if (shown_.mailbox) next.mailbox->resume();
  Shown former;
  {
    const std::lock_guard lock(mutex_);
    former = std::exchange(shown_, next);
  }
  if (former.mailbox) former.mailbox->retire();
}

Receiver::Shown Receiver::describedBy(const LiveArray& array) {
  for (const Known& each : known_) {
    if (isDescribedAlike(each.array, array)) return each.shown;
  }
  if (known_.size() == kMostDescriptions) {
    breakOff(
        fmt::format("the array has had {} different titles, units, symbols, kinds, or colours; no more are possible. "
                    "Shape, axes, and range may change as often as they will",
                    kMostDescriptions));
  }
  auto mailbox = std::make_shared<Mailbox>(array.components());
  mailbox->watchUse([side = device_side_](const compute::DeviceInfo& device) { side->usedOn(device); });
  const Description& description = describe(array, mailbox);
  known_.push_back({array, {&description, std::move(mailbox)}});
  return known_.back().shown;
}

void Receiver::requireForm(const UpdateMessage& message) const {
  if (!memory_) breakOff("an update came before the description of its array");
  if (message.form != forms_)
    breakOff(fmt::format("the update is of description {}, the last was {}", message.form, forms_));
}

void Receiver::update(const UpdateMessage& message) {
  requireForm(message);
  if (message.slot >= memory_->slots()) breakOff(fmt::format("there is no slot {}", message.slot));
  Loan loan;
  loan.values = memory_->slot(message.slot);
  loan.number = message.number;
  loan.time = message.time;
  loan.form = array_;
  loan.lost = message.lost;
  loan.end = [line = line_, memory = memory_, slot = message.slot, form = message.form](std::chrono::microseconds) {
    line->send(freeMessage(slot, form));
  };
  shown().mailbox->offer(std::move(loan));
}

void Receiver::update(const DeviceUpdateMessage& message) {
  const UpdateMessage& update = message.update;
  requireForm(update);
  Loan loan;
  loan.number = update.number;
  loan.time = update.time;
  loan.form = array_;
  loan.on_device = device_side_->loan(message, *array_);
  loan.end = [line = line_, slot = update.slot, form = update.form, slots = message.slots](
                 std::chrono::microseconds reading) { line->send(freeMessage(slot, form, slots, reading)); };
  if (!loan.on_device) return loan.end({});
  shown().mailbox->offer(std::move(loan));
}

void Receiver::listen() {
  try {
    constexpr std::chrono::milliseconds kForEver(-1);
    while (hear(kForEver)) {
    }
    end("the script has ended");
  } catch (const std::exception& error) {
    line_->send(refusedMessage(error.what()));
    line_->shut();
    end(std::string("the connection was closed (") + error.what() + ")");
  }
}

void Receiver::end(const std::string& why) {
  shown().mailbox->finish(why);
}

}  // namespace simscope::live
