// lab fourier_filters --field: a frame of a run, filtered as the window filters the running one.
#pragma once

#include "app/cli/lab_command.h"

namespace simscope::cli {

void filterField(const LabArguments& arguments);

}  // namespace simscope::cli
