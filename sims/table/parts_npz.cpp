#include <fmt/format.h>
#include <zip.h>

#include <memory>
#include <new>

#include "sims/compute/error.h"
#include "sims/foreign/words.h"
#include "sims/table/parts.h"

namespace simscope::table {
namespace {

struct Discard {
  void operator()(zip_t* archive) const noexcept { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, Discard>;

Archive opened(std::string_view bytes) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  if (!source) throw std::bad_alloc();
  Archive archive(zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error));
  if (archive) return archive;
  zip_source_free(source);
  const std::string why = zip_error_strerror(&error);
  zip_error_fini(&error);
  refuse("it is not a NumPy archive, or it is damaged: " + why);
}

// A member of no more than so many bytes, whatever its header says of it.
std::string memberOf(zip_t* archive, zip_uint64_t index, const std::string& name, std::uint64_t most) {
  const auto fail = [&](const std::string& why) { refuse("its column " + foreign::quoted(name) + " " + why); };
  zip_stat_t stat;
  zip_stat_init(&stat);
  if (zip_stat_index(archive, index, 0, &stat) != 0 || (stat.valid & ZIP_STAT_SIZE) == 0) fail("cannot be read");
  if (stat.size > most)
    fail(fmt::format("has {} bytes, more than the {} that are left of the memory for a file", stat.size, most));
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen_index(archive, index, 0), &zip_fclose);
  if (!file) fail(std::string("cannot be read: ") + zip_strerror(archive));
  // Grown as it comes: what a few bytes claim to hold need not be there.
  std::string bytes;
  constexpr std::size_t kPiece = 1 << 20;
  for (;;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kPiece);
    const zip_int64_t got = zip_fread(file.get(), bytes.data() + before, kPiece);
    if (got < 0) fail(std::string("is damaged: ") + zip_file_strerror(file.get()));
    bytes.resize(before + static_cast<std::size_t>(got));
    if (bytes.size() > stat.size) fail("is longer than it states");
    if (got == 0) break;
  }
  if (bytes.size() != stat.size) fail("is truncated");
  return bytes;
}

}  // namespace

Table npzTable(std::string_view bytes, const Choose& choose) {
  const Archive archive = opened(bytes);
  const zip_int64_t members = zip_get_num_entries(archive.get(), 0);
  if (members < 0 || static_cast<std::size_t>(members) > kMostColumns) {
    refuse(fmt::format("it has more than {} columns", kMostColumns));
  }
  std::vector<std::string> names;
  for (zip_int64_t i = 0; i < members; ++i) {
    const char* const name = zip_get_name(archive.get(), static_cast<zip_uint64_t>(i), 0);
    names.emplace_back(name ? name : "");
    if (names.back().ends_with(".npy")) names.back().resize(names.back().size() - 4);
  }
  // Of np.savez(file, array): an array that has the columns itself.
  if (members == 1) {
    const std::string member = memberOf(archive.get(), 0, names[0], memoryBeside(bytes.size()));
    if (!isNpyColumn(member)) return npyTable(member, choose);
  }
  const std::vector<std::size_t> chosen = choose(names);
  checkChoice(chosen, names.size());
  Table table;
  std::uint64_t left = memoryBeside(bytes.size());
  for (const std::size_t each : chosen) {
    const std::string member = memberOf(archive.get(), each, names[each], left);
    try {
      table.columns.push_back(npyColumn(member, left - member.size()));
      left -= sizeof(double) * table.columns.back().size();
    } catch (const UsageError& error) {
      refuse(fmt::format("its column {}: {}", foreign::quoted(names[each]), error.what()));
    }
    if (table.columns.size() == 1) table.rows = table.columns[0].size();
    if (table.columns.back().size() != table.rows) {
      refuse(fmt::format("its column {} has {} rows, but the first one has {}", foreign::quoted(names[each]),
                         table.columns.back().size(), table.rows));
    }
  }
  return table;
}

}  // namespace simscope::table
