// Documents of scenes, and what is said of them.
#pragma once

#include <string>

#include "app/scene/scene.h"
#include "sims/core/registry.h"
#include "sims/core/testing/refusal.h"

namespace simscope::scene_test {

inline const Description& tunneling() {
  return simulationById("tunneling");
}

// Why a document is refused.
inline std::string message(const std::string& text) {
  return tests::refusal([&] { sceneFromJson(text); });
}

// A document with `field` added to the least that a scene needs.
inline std::string with(const std::string& field) {
  return R"({"simscope": 1, "simulation": "tunneling", )" + field + "}";
}

}  // namespace simscope::scene_test
