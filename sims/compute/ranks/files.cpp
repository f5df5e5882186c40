#include "sims/compute/ranks/files.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <string>
#include <tuple>

namespace simscope::compute {

namespace {

constexpr std::chrono::seconds kPatience(5);

// A socket of datagrams with a name that the kernel finds, beyond the file system. Who sends is told with each.
class Box {
 public:
  Box() : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    const int yes = 1;
    sockaddr_un any{};
    any.sun_family = AF_UNIX;
    const bool open = socket_ && setsockopt(socket_.get(), SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) == 0 &&
                      bind(socket_.get(), reinterpret_cast<const sockaddr*>(&any), sizeof any.sun_family) == 0;
    sockaddr_un own{};
    socklen_t size = sizeof own;
    if (open && getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&own), &size) == 0) {
      name_.assign(reinterpret_cast<const char*>(&own), size);
    }
  }
  const std::string& name() const { return name_; }  // empty: there is no box

  // Now or not at all.
  bool send(const std::string& to, int rank, int file) const {
    Letter letter(rank);
    cmsghdr* const head = letter.header(CMSG_SPACE(sizeof file));
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof file);
    std::memcpy(CMSG_DATA(head), &file, sizeof file);
    std::string address = to;
    letter.message.msg_name = address.data();
    letter.message.msg_namelen = static_cast<socklen_t>(address.size());
    return sendmsg(socket_.get(), &letter.message, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
  }
  // What has come, of this user: the rank that sent it (-1: nothing, yet) and its file.
  std::pair<int, UniqueFile> received() const {
    Letter letter(-1);
    (void)letter.header(sizeof letter.beside);
    const ssize_t size = recvmsg(socket_.get(), &letter.message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (size < 0) return {-1, UniqueFile()};
    UniqueFile file;
    bool ours = false;
    for (cmsghdr* each = CMSG_FIRSTHDR(&letter.message); each; each = CMSG_NXTHDR(&letter.message, each)) {
      if (each->cmsg_level != SOL_SOCKET) continue;
      if (each->cmsg_type == SCM_RIGHTS) {
        for (std::size_t at = 0; CMSG_LEN(at + sizeof(int)) <= each->cmsg_len; at += sizeof(int)) {
          int passed = -1;
          std::memcpy(&passed, CMSG_DATA(each) + at, sizeof passed);
          file = UniqueFile(passed);  // surplus ones are closed
        }
      } else if (each->cmsg_type == SCM_CREDENTIALS) {
        ucred sender{};
        std::memcpy(&sender, CMSG_DATA(each), sizeof sender);
        ours = sender.uid == getuid();
      }
    }
    if (size != sizeof letter.rank || !ours || !file) return {-1, UniqueFile()};
    return {letter.rank, std::move(file)};
  }

 private:
  struct Letter {
    explicit Letter(int from) : rank(from) {
      message.msg_iov = &text;
      message.msg_iovlen = 1;
    }
    cmsghdr* header(std::size_t bytes) {
      message.msg_control = beside;
      message.msg_controllen = bytes;
      return CMSG_FIRSTHDR(&message);
    }
    int rank;
    iovec text{&rank, sizeof rank};
    alignas(cmsghdr) char beside[CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(ucred))] = {};
    msghdr message{};
  };

  UniqueFile socket_;
  std::string name_;
};

bool onAll(Ranks& ranks, bool here) {
  double all = here ? 1 : 0;
  ranks.minimum({&all, 1});
  return all > 0;
}

}  // namespace

UniqueFile::~UniqueFile() {
  if (file_ >= 0) (void)close(file_);
}

std::vector<UniqueFile> swapFiles(Ranks& ranks, const UniqueFile& own) {
  const Box box;
  if (!onAll(ranks, own && !box.name().empty() && ranks.localSize() == ranks.size())) return {};
  const std::vector<std::string> names = ranks.gatherToAll(box.name());
  std::vector<UniqueFile> files(names.size());
  std::vector<int> unsent;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    if (rank != ranks.rank()) unsent.push_back(rank);
  }
  std::size_t missing = unsent.size();
  const auto until = std::chrono::steady_clock::now() + kPatience;
  ranks.waitFor(
      [&] {
        std::erase_if(unsent,
                      [&](int to) { return box.send(names[static_cast<std::size_t>(to)], ranks.rank(), own.get()); });
        for (auto [from, file] = box.received(); from >= 0; std::tie(from, file) = box.received()) {
          if (from >= ranks.size() || from == ranks.rank() || files[static_cast<std::size_t>(from)]) continue;
          files[static_cast<std::size_t>(from)] = std::move(file);
          --missing;
        }
        return (unsent.empty() && missing == 0) || std::chrono::steady_clock::now() > until;
      },
      "files of other ranks", Ranks::Look::Soon);
  if (!onAll(ranks, unsent.empty() && missing == 0)) return {};
  return files;
}

}  // namespace simscope::compute
