// Renames complete files to their final names: one, or several together.
//
// At every moment each name refers to the whole old file or to the whole new one. If one of several cannot be placed,
// the earlier renames are undone, and the old files are restored. A process killed within these milliseconds leaves
// some names old and some new; the old files then lie beside them, under hidden names that end in .part. The folders
// are synced before placeAll() returns: after a power failure each file is the old or the new one.
// Thread: any; never two for the same names. Errors: Error, and nothing was placed.
#pragma once

#include <span>
#include <string>

namespace simscope::exporting {

struct Placement {
  std::string temporary, target;  // on the same file system
  bool overwrite = false;         // else an existing target is an error
};

void placeAll(std::span<const Placement> files);

}  // namespace simscope::exporting
