// How complete files get their names: one, or several of them together.
//
// Each name leads at every moment to the whole old file or to the whole new one. Where one of several cannot be placed,
// the renames before it are undone, and the old files are again what they were. A process that is killed
// within these milliseconds leaves some names old and some new; the old files then lie beside them, under the hidden
// names that end in .part. The folders are synced before placeAll() returns: after a power cut what was there before
// is there, or what is there now.
// Thread: any; no two for the same names. Errors: Error, and nothing was placed.
#pragma once

#include <span>
#include <string>

namespace simscope::exporting {

struct Placement {
  std::string temporary, target;  // on one file system
  bool overwrite = false;         // else an existing target is an error
};

void placeAll(std::span<const Placement> files);

}  // namespace simscope::exporting
