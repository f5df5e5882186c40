#include "app/cli/report_file.h"

#include <vector>

#include "app/cli/output.h"

namespace simscope::cli {

ReportFile::ReportFile(const Text& target, bool overwrite) : printed(target == "-") {
  if (target && !printed) file.emplace(*target, overwrite);
}

void ReportFile::write(const Json& document) {
  document_ = pretty(document);
  if (!file) return;
  file->write(document_.data(), document_.size());
  file->complete();
}

void ReportFile::print(const std::string& text) const {
  cli::print(printed ? document_ : text);
}

void ReportFile::finish(const Json& document, const std::string& text) {
  write(document);
  placeTogether({&file});
  print(text);
}

void placeTogether(std::initializer_list<std::optional<exporting::PendingFile>*> files) {
  std::vector<exporting::Placement> placements;
  for (auto* each : files) {
    if (const auto one = *each ? (*each)->placement() : std::nullopt) placements.push_back(*one);
  }
  exporting::placeAll(placements);
  for (auto* each : files) {
    if (*each) (*each)->placed();
  }
}

}  // namespace simscope::cli
