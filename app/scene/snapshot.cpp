#include "app/scene/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/export/embedded.h"
#include "app/export/npy.h"
#include "app/export/reading/file_kind.h"
#include "app/scene/gathered_rows.h"
#include "app/scene/no_scene.h"
#include "app/scene/scene_fields.h"
#include "app/scene/zip_file.h"
#include "sims/compute/host_info.h"
#include "sims/core/timeline/timeline.h"
#include "sims/foreign/file.h"
#include "sims/foreign/npy.h"
#include "sims/foreign/words.h"

namespace simscope {

namespace {

using nlohmann::json;

constexpr int kStateVersion = 1;
constexpr std::size_t kMostArrays = 64;
constexpr std::uint64_t kMostStateText = 1u << 20, kMostNpyHeader = 1u << 16;
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

// With the array's name.
struct RefusedArray : UsageError {
  using UsageError::UsageError;
};

[[noreturn]] void refuseArray(const std::string& name, const std::string& why) {
  throw RefusedArray("the array " + foreign::shown(arrayMember(name)) + " " + why);
}

// The rows of an array in a file, which is opened for each reading.
class FileRows final : public StateSource {
 public:
  FileRows(std::filesystem::path file, std::string name, ZipReader::Member member, const foreign::NpyHeader& header)
      : file_(std::move(file)),
        member_name_(std::move(name)),
        member_(member),
        before_(header.bytes),
        row_(header.shape.front() == 0 ? 0 : bytes() / header.shape.front()) {}

  std::size_t bytes() const override { return member_.bytes - before_; }
  std::vector<std::byte> read(StateRows rows) const override {
    try {
      const ZipReader archive(file_);
      const ZipReader::Member now = archive.member(member_name_);
      if (now.bytes != member_.bytes || now.checksum != member_.checksum) {
        throw UsageError("it has changed since it was opened");
      }
      const std::uint64_t room = compute::hostMemory().available;
      if (rows.count * row_ > room) {
        throw UsageError(fmt::format("the rows of {} need {} bytes of memory; {} are free",
                                     foreign::shown(member_name_), rows.count * row_, room));
      }
      return archive.read(member_name_, before_ + rows.first * row_, rows.count * row_);
    } catch (const UsageError& error) {
      throw UsageError(foreign::shownFile(file_) + ": " + error.what());
    }
  }
  std::string digest() const override { return fmt::format("{} {:08x}", member_.bytes, member_.checksum); }

 private:
  std::filesystem::path file_;
  std::string member_name_;
  ZipReader::Member member_;
  std::uint64_t before_, row_;
};

// member: of all of which `front` is the beginning, or all.
foreign::NpyHeader headerOf(const std::string& name, std::span<const std::byte> front, std::uint64_t member) {
  const foreign::NpyHeader header = foreign::npyHeaderOf(front);
  if (header.fortran_order) refuseArray(name, "is not in C order");
  const std::size_t expected = foreign::npyDataBytes(header), there = member - header.bytes;
  if (header.dtype[0] != '<' && header.dtype[0] != '|') {
    refuseArray(name, fmt::format("has elements of an unknown type {}", foreign::quoted(header.dtype)));
  }
  if (expected != there) refuseArray(name, fmt::format("has {} bytes; its shape takes {}", there, expected));
  return header;
}

// What stays in memory of an archive: nothing of its large arrays where it is in a file that can be read again.
struct Place {
  const ZipReader& archive;
  std::optional<std::filesystem::path> again = {};
};

StateArray arrayOf(const std::string& name, const Place& place, std::uint64_t room) {
  try {
    const std::string member_name = arrayMember(name);
    if (place.again) {
      const ZipReader::Member member = place.archive.member(member_name);
      const std::vector<std::byte> front = place.archive.front(member_name, kMostNpyHeader);
      const foreign::NpyHeader header = headerOf(name, front, member.bytes);
      if (header.shape.size() > 1) {
        StateArray array{name, header.dtype, header.shape, {}};
        array.source = std::make_shared<FileRows>(*place.again, member_name, member, header);
        return array;
      }
    }
    std::vector<std::byte> bytes = place.archive.read(member_name, room);
    const foreign::NpyHeader header = headerOf(name, bytes, bytes.size());
    StateArray array{name, header.dtype, header.shape, {}};
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(header.bytes));
    array.bytes = std::move(bytes);
    return array;
  } catch (const RefusedArray&) {
    throw;
  } catch (const UsageError& error) {
    refuseArray(name, error.what());
  }
}

State stateOf(const std::string& text, const Description& description, const Place& place) {
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
    throw UsageError(
        fmt::format("the state belongs to {}, the scene to '{}'", foreign::quoted(state.simulation), description.id));
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
    state.arrays.push_back(arrayOf(name, place, room));
    room -= std::min<std::uint64_t>(room, state.arrays.back().bytes.size());
  }
  return state;
}

Snapshot snapshotOf(const Place& place, std::vector<std::string>* ignored) {
  const ZipReader& archive = place.archive;
  if (!archive.has(kScene) || !archive.has(kState)) {
    throw UsageError("this is not a snapshot: a snapshot holds a scene and a state");
  }
  Snapshot snapshot;
  snapshot.scene = sceneFromJson(textOf(archive.read(kScene, exporting::kMaximumSceneBytes)), ignored);
  snapshot.state = stateOf(textOf(archive.read(kState, kMostStateText)), *snapshot.scene.description, place);
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

void writeSnapshot(exporting::PendingFile& file, const Snapshot& snapshot, compute::Ranks* ranks) {
  ZipWriter archive(file);
  archive.add(kScene, toJson(snapshot.scene, true));
  archive.add(kState, stateText(snapshot.state));
  for (const StateArray& array : snapshot.state.arrays) {
    const auto rows = std::make_shared<GatheredRows>(array, ranks);
    archive.add(arrayMember(array.name), exporting::npyHeader(array.dtype, array.shape, rows->bytes()), rows->bytes(),
                [rows] { return rows->next(); });
  }
  archive.complete();
}

void sendSnapshot(const State& own, compute::Ranks& ranks) {
  for (const StateArray& array : own.arrays) GatheredRows(array, &ranks).send();
}

Snapshot readSnapshot(const std::filesystem::path& file, std::vector<std::string>* ignored, ReadArrays arrays) {
  try {
    std::string front(exporting::kFrontBytes, '\0');
    front.resize(foreign::File(file).read(front.data(), front.size()));
    const exporting::FileKind kind = exporting::fileKind(front);
    if (!*kind.what) throw UsageError("this is not a snapshot, but a text; a scene has the ending .json");
    if (!front.starts_with("PK")) throw UsageError("not a snapshot: " + noSceneText(file, kind));
    const ZipReader archive(file);
    if (kind.use == exporting::FileUse::Table && !archive.has(kScene)) {
      throw UsageError("not a snapshot: " + noSceneText(file, kind));
    }
    return snapshotOf({archive, arrays == ReadArrays::AsNeeded ? std::optional(file) : std::nullopt}, ignored);
  } catch (const UsageError& error) {
    throw UsageError(foreign::shownFile(file) + ": " + error.what());
  }
}

Snapshot readSnapshot(std::span<const std::byte> bytes, std::vector<std::string>* ignored) {
  return snapshotOf({ZipReader(bytes)}, ignored);
}

}  // namespace simscope
