// A judgement as text for users and as JSON for scripts (its keys are stable). Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/judge/judge.h"

namespace simscope::judge {

// Rows of cells for a table, the head first.
std::vector<std::vector<std::string>> rows(const Judgement& judgement);
// Lines before the table, naming what is judged; and the verdict after it.
std::string head(const Judgement& judgement, const std::string& name);
std::string verdict(const Judgement& judgement);
nlohmann::ordered_json json(const Judgement& judgement, const std::string& name);

}  // namespace simscope::judge
