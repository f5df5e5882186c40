// Whether files that are to be written are different ones, whatever their names look like.
//
// Thread: any. Errors: UsageError; nothing has been opened by then.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace simscope::exporting {

struct NamedFile {
  std::string option;  // that names it: "--out"
  std::filesystem::path file;
};

// UsageError if two of them are one file: by another spelling, a link, or another way to its folder. Character devices
// (/dev/null) may be named again.
void requireDistinct(const std::vector<NamedFile>& files);

}  // namespace simscope::exporting
