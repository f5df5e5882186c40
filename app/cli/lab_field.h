// lab fourier_filters --field: a frame of a run, filtered in the same way as in the window.
#pragma once

#include "app/cli/lab_command.h"

namespace simscope::cli {

void filterField(const LabArguments& arguments);

}  // namespace simscope::cli
