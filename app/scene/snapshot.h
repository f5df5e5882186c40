// A run with its state: the scene and the simulation's arrays. A run continued from it on the same backend gives the
// same bits as the original run.
//
// A NumPy .npz archive: "scene.json" (app/scene/scene.h), "state.json", and each array of the state as NAME.npy, so
// that numpy.load(file)["psi"] returns it. state.json: {"simscope_state": 1, "simulation": "tunneling", "parameters":
// {key: "text"}, "seed": 1, "steps": 1200, "time": 12, "arrays": ["psi", …]}. The parameters are the run's at that
// step; all events of the scene's timeline up to `steps` have been applied. The file is either complete or absent;
// equal snapshots are equal files.
// Ranks that hold a state in parts write one archive together: rank 0 writes the others' rows, chunk by chunk. Each
// opens it, and reads its own rows of an array. Thread: any; of ranks all together. Errors: readSnapshot: UsageError,
// with the file, for anything incomplete or inconsistent; Simulation::load checks whether the arrays fit the
// simulation. NaN is a valid value. writeSnapshot: as PendingFile.
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
// Completes `file`, which is then ready to be renamed. ranks: those that hold the state in parts; this is rank 0.
void writeSnapshot(exporting::PendingFile& file, const Snapshot& snapshot, compute::Ranks* ranks = nullptr);
// Called by the other ranks meanwhile.
void sendSnapshot(const State& own, compute::Ranks& ranks);
// Ignored fields of the scene are added to `ignored`. AsNeeded: arrays of two and more axes are read from the file on
// request (StateArray::source), so the file must not change; each time the whole array is read, for its checksum.
enum class ReadArrays { AtOnce, AsNeeded };
Snapshot readSnapshot(const std::filesystem::path& file, std::vector<std::string>* ignored = nullptr,
                      ReadArrays arrays = ReadArrays::AtOnce);
Snapshot readSnapshot(std::span<const std::byte> bytes, std::vector<std::string>* ignored = nullptr);

}  // namespace simscope
