#include "app/gui/window/clipboard.h"

#include <fmt/format.h>
#include <imgui.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "app/export/child_process.h"
#include "app/export/files.h"
#include "app/export/signals.h"
#include "sims/compute/error.h"
#include "sims/compute/fault.h"
#include "sims/foreign/file.h"
#include "sims/foreign/words.h"

namespace simscope::gui {

namespace {

constexpr std::size_t kMostCopied = 256u << 20;  // bytes of a file; larger ones are copied as files alone

// "file:///home/ann/talbot%201.gif" and the line's end, as RFC 3986 and RFC 2483 have it.
std::string uriOf(const std::filesystem::path& file) {
  std::string uri = "file://";
  for (const char c : file.string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
                       c == '-' || c == '_' || c == '.' || c == '~';
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri + "\r\n";
}

std::vector<std::uint8_t> bytesOf(const std::string& text) {
  return {text.begin(), text.end()};
}

std::vector<ClipboardForm> formsOf(const std::filesystem::path& file, const std::string& type) {
  const std::string path = file.string(), uri = uriOf(file);
  std::vector<ClipboardForm> forms;
  std::error_code unknown;
  if (!type.empty() && std::filesystem::file_size(file, unknown) <= kMostCopied && !unknown) {
    forms.push_back({type, bytesOf(foreign::readFile(file, kMostCopied))});
  }
  forms.push_back({"text/uri-list", bytesOf(uri)});
  forms.push_back({"x-special/gnome-copied-files", bytesOf("copy\n" + uri.substr(0, uri.size() - 2))});
  for (const char* const text : {"UTF8_STRING", "text/plain;charset=utf-8", "STRING"}) {
    forms.push_back({text, bytesOf(path)});
  }
  return forms;
}

// Hands the bytes to a program that serves them from then on. False: it is not there, or fails.
bool handTo(const char* name, const std::vector<std::string>& arguments, const std::vector<std::uint8_t>& bytes) {
  const auto program = exporting::findProgram(name);
  if (!program) return false;
  exporting::ChildProcess child(*program, arguments);
  const bool whole = child.write(bytes.data(), bytes.size());
  child.closeInput();
  return child.wait().empty() && whole;
}

bool onWayland() {
  const char* const wayland = std::getenv("WAYLAND_DISPLAY");
  return wayland != nullptr && *wayland != '\0';
}

}  // namespace

Clipboard::~Clipboard() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  const std::uint64_t one = 1;
  while (::write(wake_, &one, sizeof one) < 0 && errno == EINTR) {
  }
  thread_.join();
  ::close(wake_);
}

void Clipboard::copyPicture(std::string what, std::filesystem::path instead,
                            std::function<std::vector<std::uint8_t>()> make) {
  give({std::move(what), exporting::shownName(instead), "image/png", std::move(make)});
}

void Clipboard::copyFile(std::filesystem::path file, std::string type) {
  std::string what = foreign::shownFile(file.filename());
  give({std::move(what), exporting::shownName(file), std::move(type), nullptr});
}

void Clipboard::give(Job job) {
  {
    const std::lock_guard lock(mutex_);
    job_ = std::move(job);
  }
  if (!thread_.joinable()) {
    wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wake_ < 0) throw Error("cannot copy: too many files are open");
    const exporting::SignalsElsewhere signals;
    thread_ = std::thread([this] { serve(); });
  }
  const std::uint64_t one = 1;
  while (::write(wake_, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

bool Clipboard::answered() const {
  const std::lock_guard lock(mutex_);
  return outcome_.has_value();
}

std::optional<Clipboard::Answer> Clipboard::poll() {
  std::optional<Outcome> outcome;
  {
    const std::lock_guard lock(mutex_);
    outcome = std::exchange(outcome_, std::nullopt);
  }
  if (!outcome) return std::nullopt;
  if (!outcome->as_text.empty()) ImGui::SetClipboardText(outcome->as_text.c_str());
  return std::move(outcome->answer);
}

// The thread.
void Clipboard::serve() {
  std::optional<SelectionOwner> owner;
  for (;;) {
    std::array<pollfd, 2> waited{pollfd{wake_, POLLIN, 0}, pollfd{owner ? owner->descriptor() : -1, POLLIN, 0}};
    if (::poll(waited.data(), waited.size(), -1) < 0 && errno != EINTR) return;
    std::uint64_t woken = 0;
    while (::read(wake_, &woken, sizeof woken) < 0 && errno == EINTR) {
    }
    std::optional<Job> job;
    {
      const std::lock_guard lock(mutex_);
      if (quit_) return;
      job = std::exchange(job_, std::nullopt);
    }
    try {
      if (owner) owner->handle();
    } catch (const std::exception&) {
      owner.reset();  // the window is about to end, too
    }
    if (!job) continue;
    Outcome outcome;
    try {
      outcome = carryOut(*job, owner);
    } catch (const std::exception& error) {
      outcome.answer = {false, fmt::format("Cannot copy {}: {}", job->what, error.what()), {}};
    }
    const std::lock_guard lock(mutex_);
    outcome_ = std::move(outcome);
  }
}

Clipboard::Outcome Clipboard::carryOut(const Job& job, std::optional<SelectionOwner>& owner) const {
  std::vector<std::uint8_t> picture;
  if (job.make) picture = job.make();
  const bool none = compute::faultAt(compute::FaultPlace::Clipboard);
  const Outcome copied{{true, "Copied " + job.what, {}}, {}};
  const auto whole = [&] { return job.make ? picture : formsOf(job.file, job.type).front().bytes; };
  const std::string of_file = job.type.empty() ? "text/uri-list" : job.type;
  const std::string type = job.make ? "image/png" : of_file;
  if (!none && onWayland() && handTo("wl-copy", {"--type", type}, whole())) return copied;
  try {
    if (none) throw Error("no clipboard, for a test");
    if (!owner) owner.emplace();
    owner->offer(job.make ? std::vector<ClipboardForm>{{"image/png", picture}} : formsOf(job.file, job.type));
    return copied;
  } catch (const Error&) {
    owner.reset();
  }
  if (!none && handTo("xclip", {"-selection", "clipboard", "-t", type, "-i"}, whole())) return copied;

  if (job.make) {
    exporting::PendingFile file(job.file, false);
    file.write(picture.data(), picture.size());
    file.commit();
  }
  const std::string shown = foreign::shownFile(job.file);
  const std::string said =
      job.make
          ? fmt::format("The clipboard takes no pictures here (Wayland needs wl-copy): wrote {} and copied its path",
                        shown)
          : fmt::format("The clipboard takes no files here (Wayland needs wl-copy): copied the path {}", shown);
  return {{true, said, job.make ? job.file.string() : std::string()}, job.file.string()};
}

}  // namespace simscope::gui
