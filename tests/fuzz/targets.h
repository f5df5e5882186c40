// What is fuzzed: each function takes any bytes, as a file could hold them, and tells whether the program read them;
// false where it refused them with a UsageError. Anything else ends the process or throws.
// The same functions run under libFuzzer (fuzzer.cpp) and over the kept inputs (replay_test.cpp). Thread: any.
#pragma once

#include <string_view>

namespace simscope::fuzzing {

bool scene(std::string_view bytes);     // the JSON of a scene
bool lab_run(std::string_view bytes);   // measurements of the lab
bool embedded(std::string_view bytes);  // a GIF or a PNG with a scene in it
bool film(std::string_view bytes);      // the pictures of a GIF, a PNG, or an APNG
bool array(std::string_view bytes);     // a NumPy array
bool picture(std::string_view bytes);   // a picture of an aperture or of walls
bool message(std::string_view bytes);   // of a script that shows an array
// A snapshot: an archive as it lies on disk, or, since checksums would refuse whatever was changed in one, its members,
// each "@@" name, line feed, content; the archive is made of them. Where it is little work, a run goes on from the
// state for a step, and is shown.
bool snapshot(std::string_view bytes);

}  // namespace simscope::fuzzing
