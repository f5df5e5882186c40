// Failures on request, so that tests cover errors that cannot be provoked otherwise: SIMSCOPE_FAULT, a list of
// "place:n" (the n-th pass of that place fails) or "place:n+" (from the n-th on), separated by commas.
//
//   device    a batch of steps of the runner finds its device lost (DeviceLost)
//   memory    a batch of steps of the runner finds no memory (OutOfMemory)
//   library   a library that Fourier transforms need cannot be loaded (LibraryMissing)
//   result    the result of a lesson of the lab is wrong
//   interop   OpenGL's buffer cannot be registered with CUDA, or cannot be mapped
//   clipboard no clipboard takes a picture or a file
//   picture   the doctor draws an older frame
//   rank      the last of several devices of a run is lost before an operation of all (DeviceLost)
//   rank_memory  it finds no memory (OutOfMemory)
//
// Any thread. Without the variable a pass costs one read of an atomic.
#pragma once

#include <string_view>

namespace simscope::compute {

enum class FaultPlace { Device, Memory, Interop, Result, Clipboard, Picture, Library, Rank, RankMemory };

// Passes the place; true if it must fail now.
bool faultAt(FaultPlace place) noexcept;
// Whether any fault was requested.
bool anyFault() noexcept;
// Replaces the environment's list and sets all counts to 0. UsageError for a text that is not such a list.
void setFaults(std::string_view faults);

}  // namespace simscope::compute
