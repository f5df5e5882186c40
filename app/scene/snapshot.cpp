#include "app/scene/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/export/embedded.h"
#include "app/export/npy.h"
#include "app/scene/scene_fields.h"
#include "app/scene/zip_file.h"
#include "sims/compute/host_info.h"
#include "sims/core/timeline/timeline.h"
#include "sims/foreign/words.h"

namespace simscope {

namespace {

using nlohmann::json;

constexpr int kStateVersion = 1;
constexpr std::size_t kMostArrays = 64;
constexpr std::size_t kMostDimensions = 8;
constexpr std::uint64_t kMostStateText = 1u << 20;
const char* const kScene = "scene.json";
const char* const kState = "state.json";

std::string arrayMember(const std::string& name) {
  return name + ".npy";
}

std::string textOf(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string stateText(const State& state) {
  nlohmann::ordered_json document;
  document["simscope_state"] = kStateVersion;
  document["simulation"] = state.simulation;
  document["parameters"] = json::object();
  for (std::size_t i = 0; i < state.parameters.size(); ++i) {
    document["parameters"][state.parameters.infos()[i].key] = toText(state.parameters[i]);
  }
  document["seed"] = state.seed;
  document["steps"] = state.steps;
  document["time"] = state.time;
  document["arrays"] = json::array();
  for (const StateArray& array : state.arrays) document["arrays"].push_back(array.name);
  return document.dump(2) + "\n";
}

[[noreturn]] void refuseArray(const std::string& name, const std::string& why) {
  throw UsageError("the array " + foreign::shown(arrayMember(name)) + " " + why);
}

// The header is a literal of Python: {'descr': '<c8', 'fortran_order': False, 'shape': (64, 64), }. Returns what
// follows `key` in it.
std::string_view valueOf(const std::string& name, std::string_view header, std::string_view key) {
  const std::size_t at = header.find("'" + std::string(key) + "':");
  if (at == std::string_view::npos) refuseArray(name, fmt::format("has a header without '{}'", key));
  std::string_view value = header.substr(at + key.size() + 3);
  return value.substr(std::min(value.size(), value.find_first_not_of(' ')));
}

// Bytes of an element: "<c8", "<f4", "<i4", "|u1".
std::size_t elementBytes(const std::string& name, const std::string& dtype) {
  const bool good = (dtype.size() == 3 || dtype.size() == 4) && (dtype[0] == '<' || dtype[0] == '|') &&
                    std::string_view("fciub").find(dtype[1]) != std::string_view::npos &&
                    std::all_of(dtype.begin() + 2, dtype.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  const std::size_t bytes = good ? static_cast<std::size_t>(std::stoul(dtype.substr(2))) : 0;
  if (bytes == 0 || bytes > 16)
    refuseArray(name, fmt::format("has elements of an unknown type {}", foreign::quoted(dtype)));
  return bytes;
}

std::vector<std::size_t> shapeOf(const std::string& name, std::string_view text) {
  std::vector<std::size_t> shape;
  const std::size_t end = text.find(')');
  if (text.empty() || text[0] != '(' || end == std::string_view::npos) refuseArray(name, "has no shape");
  for (std::size_t at = 1; at < end;) {
    std::size_t extent = 0, digits = 0;
    for (; std::isdigit(static_cast<unsigned char>(text[at])); ++at, ++digits) {
      extent = extent * 10 + static_cast<std::size_t>(text[at] - '0');
    }
    if (digits > 18 || (digits == 0 && text[at] != ',' && text[at] != ' ' && at != end)) {
      refuseArray(name, "has a shape that is none");
    }
    if (digits > 0) shape.push_back(extent);
    if (shape.size() > kMostDimensions) refuseArray(name, "has too many dimensions");
    if (at < end) ++at;
  }
  return shape;
}

StateArray arrayOf(const std::string& name, std::vector<std::byte> bytes) {
  constexpr std::size_t kFixed = 10;  // magic, version, header length
  const auto byte = [&](std::size_t i) { return std::to_integer<std::size_t>(bytes[i]); };
  if (bytes.size() < kFixed || std::memcmp(bytes.data(), "\x93NUMPY\x01", 7) != 0) {
    refuseArray(name, "is no NumPy array of version 1");
  }
  const std::size_t head = kFixed + byte(8) + 256 * byte(9);
  if (bytes.size() < head) refuseArray(name, "is cut short");
  const std::string header(reinterpret_cast<const char*>(bytes.data()) + kFixed, head - kFixed);

  StateArray array;
  array.name = name;
  const std::string_view descr = valueOf(name, header, "descr");
  const std::size_t quote = descr.find('\'', 1);
  if (descr.empty() || descr[0] != '\'' || quote == std::string_view::npos) refuseArray(name, "has no type");
  array.dtype = descr.substr(1, quote - 1);
  if (valueOf(name, header, "fortran_order").rfind("False", 0) != 0) refuseArray(name, "is not in C order");
  array.shape = shapeOf(name, valueOf(name, header, "shape"));
  std::size_t expected = elementBytes(name, array.dtype);
  for (const std::size_t extent : array.shape) {
    if (__builtin_mul_overflow(expected, extent, &expected)) refuseArray(name, "has a shape that overflows");
  }
  if (expected != bytes.size() - head) {
    refuseArray(name, fmt::format("has {} bytes; its shape takes {}", bytes.size() - head, expected));
  }
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(head));
  array.bytes = std::move(bytes);
  return array;
}

State stateOf(const std::string& text, const Description& description, const ZipReader& archive) {
  const json document = parseDocument(text);
  SceneFields fields(document, kState, nullptr);
  State state;
  int version = 0;
  fields.integer("simscope_state", 0, INT32_MAX, version);
  if (version != kStateVersion) {
    throw UsageError(fmt::format("the state has the format version {}; this program reads {}", version, kStateVersion));
  }
  fields.text("simulation", state.simulation);
  if (state.simulation != description.id) {
    throw UsageError(fmt::format("the state is one of {}, the scene one of '{}'", foreign::quoted(state.simulation),
                                 description.id));
  }
  state.parameters = description.defaults();
  if (const json* parameters = fields.field("parameters"); parameters && parameters->is_object()) {
    std::map<std::string, std::string> former;  // what they mean stands in the scene
    const auto known = state.parameters.infos();
    for (const auto& [key, value] : parameters->items()) {
      if (!value.is_string()) throw UsageError(fields.pathOf("parameters." + foreign::shown(key)) + " is not a text");
      const bool is_known = std::any_of(known.begin(), known.end(),
                                        [&name = key](const ParameterInfo& info) { return info.key == name; });
      if (is_known || !description.upgrade) {
        state.parameters.setText(key, value.get<std::string>());
      } else {
        former[key] = value.get<std::string>();
      }
    }
    std::vector<Track> tracks;
    if (!former.empty()) description.upgrade(former, "", state.parameters, tracks);
    if (!former.empty()) state.parameters.find(former.begin()->first);
  }
  fields.seed("seed", state.seed);
  fields.integer("steps", 0, Timeline::kLastStep, state.steps);
  fields.real("time", -kFarthestTarget, kFarthestTarget, state.time);
  std::uint64_t room = compute::hostMemory().available;
  const json* arrays = fields.list("arrays", kMostArrays);
  if (!arrays || arrays->empty()) throw UsageError(std::string(kState) + " names no arrays");
  for (const json& each : *arrays) {
    if (!each.is_string()) throw UsageError(std::string(kState) + ": the name of an array is not a text");
    const auto name = each.get<std::string>();
    if (state.find(name)) refuseArray(name, "is named twice");
    state.arrays.push_back(arrayOf(name, archive.read(arrayMember(name), room)));
    room -= std::min<std::uint64_t>(room, state.arrays.back().bytes.size());
  }
  return state;
}

Snapshot snapshotOf(const ZipReader& archive, std::vector<std::string>* ignored) {
  if (!archive.has(kScene) || !archive.has(kState)) {
    throw UsageError("this is no snapshot: simscope writes one with a scene and a state in it");
  }
  Snapshot snapshot;
  snapshot.scene = sceneFromJson(textOf(archive.read(kScene, exporting::kMaximumSceneBytes)), ignored);
  snapshot.state = stateOf(textOf(archive.read(kState, kMostStateText)), *snapshot.scene.description, archive);
  return snapshot;
}

}  // namespace

bool isSnapshotName(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".npz";
}

void writeSnapshot(const std::filesystem::path& target, const Snapshot& snapshot, bool overwrite) {
  exporting::requireRegular(target, "a snapshot");
  exporting::PendingFile file(target, overwrite);
  writeSnapshot(file, snapshot);
  file.commit();
}

void writeSnapshot(exporting::PendingFile& file, const Snapshot& snapshot) {
  ZipWriter archive(file);
  archive.add(kScene, toJson(snapshot.scene, true));
  archive.add(kState, stateText(snapshot.state));
  for (const StateArray& array : snapshot.state.arrays) {
    archive.add(arrayMember(array.name), exporting::npyHeader(array.dtype, array.shape, array.bytes.size()),
                array.bytes);
  }
  archive.complete();
}

Snapshot readSnapshot(const std::filesystem::path& file, std::vector<std::string>* ignored) {
  try {
    return snapshotOf(ZipReader(file), ignored);
  } catch (const UsageError& error) {
    throw UsageError(foreign::shownFile(file) + ": " + error.what());
  }
}

Snapshot readSnapshot(std::span<const std::byte> bytes, std::vector<std::string>* ignored) {
  return snapshotOf(ZipReader(bytes), ignored);
}

}  // namespace simscope
