// How far a scene's own run is from the solution of its equation: ‖u - u_own‖/‖u_own‖, from runs of another resolution.
//
// Half the time step: a scheme of second order is wrong by 4/3 of the distance. Half as many cells along each side of a
// grid, of twice the length: by a third of it; where there is no such grid, twice as many cells: by 4/3 of it.
// (Richardson's extrapolation: P. J. Roache, Verification and Validation in Computational Science and Engineering,
// Hermosa 1998, chapter 5.) A scheme of higher order is wrong by less. By naming, the time step's parameter begins with
// "time_step", a grid's size is "grid_points", and a cell's edge "spacing".
//
// Thread: any, one at a time, inside the device's run(). Errors: as the stepper, and exceptions of `between`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "sims/compute/device.h"
#include "sims/core/timeline/stepper.h"

namespace simscope::judge {

// To the step that is nearest to the time.
void stepToTime(Stepper& stepper, double time, const std::function<void()>& between);

// Of these arrays of the state. `own`: the run's state, at the time that is judged. Where another grid makes another
// start (random numbers for each cell), the coarse run starts from the means of the fine one's cells. Nothing where the
// error is not known: the scene has no resolution, or it cannot be changed.
std::optional<double> ownError(const Scene& scene, const compute::DevicePtr& device, const State& own,
                               const std::vector<std::string>& arrays, const std::function<void()>& between);

}  // namespace simscope::judge
