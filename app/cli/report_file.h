// The report that --report or --json asks for: a file, whole or absent, or "-", standard output in place of the text
// for people.
//
// Thread: main. Errors: as exporting::PendingFile and print().
#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "app/cli/options.h"
#include "app/cli/report.h"
#include "app/export/files.h"

namespace simscope::cli {

class ReportFile {
 public:
  // Opens the file. `target`: as it was typed.
  ReportFile(const Text& target, bool overwrite);

  bool wanted() const noexcept { return file || printed; }
  // The file is then complete, without its name: see placeTogether().
  void write(const Json& document);
  void print(const std::string& text) const;  // or the report
  // All of it.
  void finish(const Json& document, const std::string& text);

  const bool printed;  // to standard output
  std::optional<exporting::PendingFile> file;

 private:
  std::string document_;
};

// Complete files get their names, all or none.
void placeTogether(std::initializer_list<std::optional<exporting::PendingFile>*> files);

}  // namespace simscope::cli
