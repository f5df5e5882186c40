// A run with its state: the scene and the simulation's arrays, to go on from there on the same backend with the bits of
// the run that was there.
//
// A NumPy .npz archive: "scene.json" (app/scene/scene.h), "state.json", and each array of the state as NAME.npy, so
// that numpy.load(file)["psi"] has it. state.json: {"simscope_state": 1, "simulation": "tunneling", "parameters": {key:
// "text"}, "seed": 1, "steps": 1200, "time": 12, "arrays": ["psi", …]}. The parameters are those that the run had then;
// of the scene's timeline, all that belongs to a step up to `steps` has happened. Whole or not there; equal snapshots
// are equal files.
// Ranks that hold a state in parts write one archive together, the same one: rank 0 writes what the others send, chunk
// by chunk. Each opens it, and reads of an array its own rows. Thread: any; of ranks all together. Errors:
// readSnapshot: UsageError, with the file, for anything that is not whole and consistent; whether the arrays fit the
// simulation is found by Simulation::load. NaN is a value. writeSnapshot: as PendingFile.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/export/files.h"
#include "app/scene/scene.h"
#include "sims/compute/ranks/ranks.h"
#include "sims/core/state.h"

namespace simscope {

struct Snapshot {
  Scene scene;
  State state;
};

// By its name: ".npz".
bool isSnapshotName(const std::filesystem::path& file);
void writeSnapshot(const std::filesystem::path& target, const Snapshot& snapshot, bool overwrite);
// Completes `file`, which then waits for its name. ranks: that have the state in parts, of which this is rank 0.
void writeSnapshot(exporting::PendingFile& file, const Snapshot& snapshot, compute::Ranks* ranks = nullptr);
// What the other ranks do meanwhile.
void sendSnapshot(const State& own, compute::Ranks& ranks);
// Fields of the scene that were ignored go to `ignored`. AsNeeded: arrays of two axes and more stay in the file, which
// must stay as it is, until they are asked for (StateArray::source); each time it is read through, for its checksum.
enum class ReadArrays { AtOnce, AsNeeded };
Snapshot readSnapshot(const std::filesystem::path& file, std::vector<std::string>* ignored = nullptr,
                      ReadArrays arrays = ReadArrays::AtOnce);
Snapshot readSnapshot(std::span<const std::byte> bytes, std::vector<std::string>* ignored = nullptr);

}  // namespace simscope
