// Snapshots: a run goes on from one bit for bit, and what is not whole is refused.
#include "app/scene/snapshot.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "app/scene/zip_file.h"
#include "sims/core/registry.h"
#include "sims/core/testing/folder.h"
#include "sims/core/testing/refusal.h"
#include "sims/core/timeline/stepper.h"

namespace simscope {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Scene drawnScene(const Description& description) {
  Scene scene = Scene::fromPreset(description, "");
  if (!description.size_key.empty()) {
    const ParameterInfo& size = scene.parameters.infos()[scene.parameters.find(description.size_key)];
    scene.parameters.set(description.size_key, std::max(std::int64_t{64}, static_cast<std::int64_t>(size.minimum)));
  }
  if (!description.tools.empty()) {
    const std::string tool = description.tools.front().key;
    scene.timeline.strokes = {{tool, {{3, {.tool = tool, .radius = 0.5, .begins = true}}}},
                              {tool, {{9, {.tool = tool, .dx = 0.1, .radius = 0.5, .begins = true}}}}};
  }
  return scene;
}

Stepper begun(const Scene& scene) {
  Stepper stepper(*scene.description, compute::Device::open("cpu", 1), scene.parameters, scene.seed);
  stepper.setTimeline(scene.timeline);
  return stepper;
}

void expectEqual(const State& a, const State& b) {
  EXPECT_EQ(a.simulation, b.simulation);
  EXPECT_EQ(a.parameters, b.parameters);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.time, b.time);
  ASSERT_EQ(a.arrays.size(), b.arrays.size());
  for (std::size_t i = 0; i < a.arrays.size(); ++i) {
    EXPECT_EQ(a.arrays[i].name, b.arrays[i].name);
    EXPECT_EQ(a.arrays[i].dtype, b.arrays[i].dtype);
    EXPECT_EQ(a.arrays[i].shape, b.arrays[i].shape);
    EXPECT_TRUE(a.arrays[i].bytes == b.arrays[i].bytes) << a.arrays[i].name;
  }
}

class SnapshotFile : public tests::InFolder {
 protected:
  static Snapshot sample() {
    Snapshot snapshot{drawnScene(simulationById("heat")), {}};
    Stepper stepper = begun(snapshot.scene);
    stepper.step(5);
    snapshot.state = stepper.save();
    return snapshot;
  }
  std::vector<std::byte> bytesOf(const std::filesystem::path& file) const {
    const std::string text = tests::contentOf(file);
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
  }
  static std::string refusal(std::span<const std::byte> bytes) {
    return tests::refusal([&] { readSnapshot(bytes); });
  }
  // A copy of the sample's archive with one member in another form; an empty text leaves it out.
  std::string refusalWith(const std::string& changed, const std::string& text) const {
    writeSnapshot(folder_ / "whole.npz", sample(), true);
    const ZipReader whole(folder_ / "whole.npz");
    std::vector<std::string> names = {"scene.json", "state.json"};
    for (const StateArray& array : sample().state.arrays) names.push_back(array.name + ".npy");
    exporting::PendingFile file(folder_ / "changed.npz", true);
    ZipWriter writer(file);
    for (const std::string& name : names) {
      const std::vector<std::byte> bytes = whole.read(name, UINT64_MAX);
      if (name != changed) {
        writer.add(name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      } else if (!text.empty()) {
        writer.add(name, text);
      }
    }
    writer.complete();
    file.commit();
    return refusal(bytesOf(folder_ / "changed.npz"));
  }
};

TEST_F(SnapshotFile, EverySimulationGoesOnFromItBitForBit) {
  for (const Description* description : simulations()) {
    const Scene scene = drawnScene(*description);
    Stepper whole = begun(scene);
    whole.step(6);
    const std::filesystem::path file = folder_ / (description->id + ".npz");
    writeSnapshot(file, {scene, whole.save()}, false);
    std::vector<std::string> ignored;
    const Snapshot read = readSnapshot(file, &ignored);
    EXPECT_TRUE(ignored.empty());
    expectEqual(read.state, whole.save());
    EXPECT_EQ(toJson(read.scene), toJson(scene));

    Stepper continued = begun(read.scene);
    continued.load(read.state);
    continued.step(6);
    whole.step(6);
    expectEqual(continued.save(), whole.save());
    writeSnapshot(folder_ / "again.npz", read, true);
    EXPECT_TRUE(bytesOf(folder_ / "again.npz") == bytesOf(file)) << "equal snapshots are equal files";
  }
}

// As ranks open it: what has two axes stays in the file.
TEST_F(SnapshotFile, EverySimulationGoesOnFromWhatIsReadAsNeeded) {
  std::size_t there = 0;
  for (const Description* description : simulations()) {
    const Scene scene = drawnScene(*description);
    Stepper whole = begun(scene);
    whole.step(6);
    const std::filesystem::path file = folder_ / (description->id + ".npz");
    writeSnapshot(file, {scene, whole.save()}, false);
    const Snapshot read = readSnapshot(file, nullptr, ReadArrays::AsNeeded);
    EXPECT_EQ(read.state.bytes(), whole.save().bytes());
    for (const StateArray& each : read.state.arrays) {
      EXPECT_EQ(each.source != nullptr, each.shape.size() > 1) << each.name;
      if (!each.source) continue;
      ++there;
      EXPECT_TRUE(each.source->read({0, each.shape[0]}) == whole.save().find(each.name)->bytes) << each.name;
    }
    Stepper continued = begun(read.scene);
    continued.load(read.state);
    expectEqual(continued.save(), whole.save());
  }
  EXPECT_GT(there, 5u);
}

TEST_F(SnapshotFile, WhatIsReadAsNeededMustStayAndBeWhole) {
  const std::filesystem::path file = folder_ / "a.npz";
  const auto refusalOf = [](const StateSource& source) -> std::string {
    return tests::refusal([&] { (void)source.read({1, 2}); });
  };
  writeSnapshot(file, sample(), false);
  Snapshot read = readSnapshot(file, nullptr, ReadArrays::AsNeeded);
  const StateSource& source = *read.state.arrays.at(0).source;
  EXPECT_EQ(refusalOf(source), "");
  EXPECT_EQ(readSnapshot(file, nullptr, ReadArrays::AsNeeded).state.arrays[0].source->digest(), source.digest());

  Snapshot other = sample();
  other.state.arrays[0].bytes[5] ^= std::byte{1};
  writeSnapshot(file, other, true);
  EXPECT_THAT(refusalOf(source), AllOf(HasSubstr("a.npz"), HasSubstr("changed since")));
  EXPECT_NE(readSnapshot(file, nullptr, ReadArrays::AsNeeded).state.arrays[0].source->digest(), source.digest());

  // A byte of another row than those that are read: the checksum is the whole array's.
  std::vector<std::byte> bytes = bytesOf(file);
  const auto& cells = other.state.arrays[0].bytes;
  const auto at = std::search(bytes.begin(), bytes.end(), cells.begin(), cells.end());
  ASSERT_NE(at, bytes.end());
  *(at + static_cast<std::ptrdiff_t>(cells.size()) - 1) ^= std::byte{1};
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  read = readSnapshot(file, nullptr, ReadArrays::AsNeeded);
  EXPECT_THAT(refusalOf(*read.state.arrays[0].source), AllOf(HasSubstr("a.npz"), HasSubstr("damaged")));
  std::filesystem::remove(file);
  EXPECT_THAT(refusalOf(*read.state.arrays[0].source), HasSubstr("no such file"));
}

TEST_F(SnapshotFile, HoldsWhatIsNotANumberAndEmptyArrays) {
  Snapshot snapshot = sample();
  const float nan = std::nanf("");
  snapshot.state.arrays[0].bytes.resize(sizeof nan);
  std::memcpy(snapshot.state.arrays[0].bytes.data(), &nan, sizeof nan);
  snapshot.state.arrays[0].dtype = "<f4";
  snapshot.state.arrays[0].shape = {1};
  snapshot.state.arrays.push_back({"nothing", "<f8", {0, 3}, {}});
  snapshot.state.arrays.push_back({"one", "<i4", {}, std::vector<std::byte>(4)});
  writeSnapshot(folder_ / "nan.npz", snapshot, false);
  expectEqual(readSnapshot(folder_ / "nan.npz").state, snapshot.state);
}

TEST_F(SnapshotFile, ExistingFilesStayUnlessForced) {
  writeSnapshot(folder_ / "a.npz", sample(), false);
  const std::vector<std::byte> before = bytesOf(folder_ / "a.npz");
  EXPECT_THROW(writeSnapshot(folder_ / "a.npz", sample(), false), UsageError);
  Snapshot broken = sample();
  broken.state.arrays[0].dtype = "no type";
  EXPECT_THROW(writeSnapshot(folder_ / "a.npz", broken, true), Error);
  EXPECT_TRUE(bytesOf(folder_ / "a.npz") == before);
  EXPECT_EQ(folder_.names().size(), 1u) << "nothing else is left";
}

TEST_F(SnapshotFile, IsNamedWhereItCannotBeRead) {
  const auto refusalOf = [](const std::filesystem::path& file) -> std::string {
    return tests::refusal([&] { readSnapshot(file); });
  };
  EXPECT_THAT(refusalOf(folder_ / "missing.npz"), AllOf(HasSubstr("missing.npz"), HasSubstr("no such file")));
  EXPECT_THAT(refusalOf(folder_), HasSubstr("folder"));
  std::ofstream(folder_ / "text.npz") << "{\"simscope\": 1}";
  EXPECT_THAT(refusalOf(folder_ / "text.npz"), AllOf(HasSubstr("text.npz"), HasSubstr("not a snapshot")));
  std::ofstream(folder_ / "empty.npz").close();
  EXPECT_THAT(refusalOf(folder_ / "empty.npz"), HasSubstr("not a snapshot"));
}

TEST_F(SnapshotFile, CutOrDamagedItIsRefused) {
  writeSnapshot(folder_ / "a.npz", sample(), false);
  const std::vector<std::byte> whole = bytesOf(folder_ / "a.npz");
  ASSERT_EQ(refusal(whole), "");
  for (std::size_t left = 0; left < whole.size(); left += std::max<std::size_t>(1, whole.size() / 50)) {
    EXPECT_NE(refusal(std::span(whole).first(left)), "") << left;
  }
  // Anywhere in the members, the checksums tell.
  std::vector<std::byte> damaged = whole;
  damaged[whole.size() / 2] ^= std::byte{1};
  EXPECT_NE(refusal(damaged), "");
}

TEST_F(SnapshotFile, MembersThatDoNotFitAreRefused) {
  EXPECT_EQ(refusalWith("nothing", ""), "");
  EXPECT_THAT(refusalWith("scene.json", ""), HasSubstr("not a snapshot"));
  EXPECT_THAT(refusalWith("state.json", ""), HasSubstr("not a snapshot"));
  EXPECT_THAT(refusalWith("scene.json", R"({"simscope": 1, "simulation": "tunneling"})"),
              HasSubstr("belongs to 'heat'"));
  EXPECT_THAT(refusalWith("scene.json", "{"), HasSubstr("scene: "));
  const auto state = [&](const std::string& fields) {
    return refusalWith("state.json", R"({"simscope_state": 1, "simulation": "heat", )" + fields + "}");
  };
  EXPECT_THAT(refusalWith("state.json", "[]"), HasSubstr("must be an object"));
  EXPECT_THAT(refusalWith("state.json", "no"), HasSubstr("not JSON"));
  EXPECT_THAT(refusalWith("state.json", R"({"simscope_state": 2})"), HasSubstr("version 2"));
  EXPECT_THAT(state(R"("arrays": [])"), HasSubstr("names no arrays"));
  EXPECT_THAT(state(R"("arrays": [1])"), HasSubstr("not a text"));
  EXPECT_THAT(state(R"("arrays": ["ghost"])"), HasSubstr("no member 'ghost.npy'"));
  EXPECT_THAT(state(R"("steps": -1, "arrays": ["u"])"), HasSubstr("steps"));
  EXPECT_THAT(state(R"("time": "late", "arrays": ["u"])"), HasSubstr("time"));
  EXPECT_THAT(state(R"("parameters": {"grid_point": "64"}, "arrays": ["u"])"), HasSubstr("grid_points"));
  EXPECT_THAT(state(R"("parameters": {"grid_points": 64}, "arrays": ["u"])"), HasSubstr("not a text"));
  EXPECT_THAT(refusalWith("state.json", std::string(500'000, '[')), HasSubstr("nested"));

  const std::string first = sample().state.arrays[0].name;
  const auto array = [&](const std::string& header, std::size_t bytes) {
    std::string text("\x93NUMPY\x01\x00", 8);
    text += static_cast<char>(header.size() & 0xff);
    text += static_cast<char>(header.size() >> 8);
    return refusalWith(first + ".npy", text + header + std::string(bytes, '\0'));
  };
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  EXPECT_EQ(array(good, 24), "");
  EXPECT_THAT(array(good, 23), HasSubstr("its shape takes 24"));
  EXPECT_THAT(array("{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }", 8), HasSubstr("C order"));
  EXPECT_THAT(array("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", 8), HasSubstr("unknown type"));
  EXPECT_THAT(array("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 8),
              HasSubstr("too large"));
  EXPECT_THAT(array("{'descr': '<f4', 'fortran_order': False, 'shape': (2", 8),
              HasSubstr("does not describe an array"));
  EXPECT_THAT(array("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)", 8),
              HasSubstr("does not describe an array"));
  EXPECT_THAT(array("{'fortran_order': False}", 0), HasSubstr("without 'descr'"));
  EXPECT_THAT(array("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,), }", 8),
              HasSubstr("has named fields; save one of them: np.save(file, array['x'])"));
  EXPECT_THAT(refusalWith(first + ".npy", "no array"), HasSubstr("not a NumPy array"));
}

// What does not fit the simulation is told by the simulation, and the run stays as it was.
TEST_F(SnapshotFile, StateOfAnotherSizeChangesNothing) {
  Snapshot snapshot = sample();
  Stepper stepper = begun(snapshot.scene);
  stepper.step(2);
  const State before = stepper.save();
  snapshot.state.arrays[0].bytes.resize(16);
  snapshot.state.arrays[0].shape = {4};
  writeSnapshot(folder_ / "small.npz", snapshot, false);
  EXPECT_THROW(stepper.load(readSnapshot(folder_ / "small.npz").state), UsageError);
  expectEqual(stepper.save(), before);
}

}  // namespace
}  // namespace simscope
