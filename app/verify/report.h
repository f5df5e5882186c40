// The result of a check, as text for users and as JSON for scripts (its keys are stable). Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/verify/verify.h"

namespace simscope::verify {

// Lines, the verdict first; `name`: the file's.
std::string text(const Report& report, const std::string& name);
nlohmann::ordered_json json(const Report& report, const std::string& name);

}  // namespace simscope::verify
