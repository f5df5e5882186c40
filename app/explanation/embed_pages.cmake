# cmake -DOUTPUT=file.cpp -DDIRECTORY=sims -DNAMES="tunneling,heat" -P embed_pages.cmake
# Writes a C++ file with the README.md of every simulation, found by the simulation's folder.
string(REPLACE "," ";" names "${NAMES}")
set(entries "")
foreach(name ${names})
  file(READ "${DIRECTORY}/${name}/README.md" text)
  string(APPEND entries "    {\"${name}\", R\"page(${text})page\"},\n")
endforeach()
list(LENGTH names count)
file(WRITE "${OUTPUT}.new" "// Generated from sims/*/README.md by app/explanation/embed_pages.cmake.
#include <string_view>
#include <utility>

#include \"app/explanation/page.h\"

namespace simscope::detail {

std::string_view embeddedReadme(std::string_view simulation) {
  static constexpr std::pair<std::string_view, std::string_view> pages[${count}] = {
${entries}  };
  for (const auto& [id, text] : pages) {
    if (id == simulation) return text;
  }
  return {};
}

}  // namespace simscope::detail
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
