#include "app/cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "app/export/unfinished.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

namespace {

std::atomic<bool> speaks{true};

}  // namespace

void speakAs(int rank) noexcept {
  speaks = rank == 0;
}

void print(std::string_view text) {
  if (!speaks) return;
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      if (errno == EPIPE) throw PipeClosed();
      const char* const files = exporting::unfinished::placed() > 0 ? " The files of the command are complete." : "";
      throw Error(
          fmt::format("standard output cannot be written: {}.{} Choose another place for it, or free some space.",
                      std::strerror(errno), files));
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void note(std::string_view text) noexcept {
  if (speaks) noteFromAny(text);
}

void noteFromAny(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void noteAll(const std::vector<std::string>& notes) {
  for (const std::string& each : notes) note(foreign::harmless("simscope: note: " + each + "\n"));
}

std::size_t displayWidth(std::string_view text) noexcept {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool continuation = (byte & 0xC0) == 0x80;
    // Combining diacritical marks, U+0300 to U+036F, are CC 80 to CD AF.
    const bool combining =
        byte == 0xCC || (byte == 0xCD && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) <= 0xAF);
    if (!continuation && !combining) ++width;
  }
  return width;
}

std::string Table::text(std::string_view indent) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], displayWidth(row[i]));
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line(indent);
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line += std::string(widths[i] - displayWidth(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string Table::markdown() const {
  std::string out;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    out += "|";
    for (const std::string& cell : rows_[r]) {
      out += ' ';
      for (const char each : cell) {
        if (each == '|') out += '\\';
        out += each;
      }
      out += " |";
    }
    out += "\n";
    if (r == 0) {
      out += "|";
      for (std::size_t i = 0; i < rows_[r].size(); ++i) out += "---|";
      out += "\n";
    }
  }
  return out;
}

ProgressLine::ProgressLine() : shown_(isatty(STDERR_FILENO) == 1) {}

bool ProgressLine::due() {
  if (!shown_ || Clock::now() < next_) return false;
  next_ = Clock::now() + std::chrono::milliseconds(100);
  return true;
}

void ProgressLine::show(const std::string& text) {
  note("\r" + text + "\x1b[K");
  drawn_ = true;
}

void ProgressLine::clear() noexcept {
  if (drawn_) note("\r\x1b[K");
  drawn_ = false;
}

double ProgressLine::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

std::string barText(double share) {
  constexpr std::size_t kCells = 30;
  const auto filled = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * kCells);
  return "[" + std::string(filled, '#') + std::string(kCells - filled, '.') + "]";
}

std::string rateText(double per_second, const std::string& unit) {
  static constexpr std::array<const char*, 6> kPrefixes = {"", "k ", "M ", "G ", "T ", "P "};
  std::size_t i = 0;
  while (std::abs(per_second) >= 999.5 && i + 1 < kPrefixes.size()) {
    per_second /= 1000;
    ++i;
  }
  return fmt::format("{:.3g} {}{}", per_second, kPrefixes[i], unit);
}

}  // namespace simscope::cli
