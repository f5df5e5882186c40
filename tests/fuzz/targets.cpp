#include "tests/fuzz/targets.h"
#include "sims/foreign/npy.h"

#include <sys/mman.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/export/embedded.h"
#include "app/export/reading/film_reader.h"
#include "app/lab/comparison.h"
#include "app/lab/lesson_text.h"
#include "app/lab/stored_run.h"
#include "app/live/message.h"
#include "app/scene/scene.h"
#include "app/scene/snapshot.h"
#include "sims/compute/error.h"
#include "sims/core/timeline/stepper.h"
#include "sims/foreign/words.h"
#include "sims/image/image.h"

namespace simscope::fuzzing {

namespace {

void require(bool condition, const char* claim) {
  if (!condition) throw std::logic_error(claim);
}

// A refusal, or what is told of a field that was ignored: why, in words that any terminal can show.
void requireTold(std::string_view words) {
  constexpr std::size_t kLongest = 4096;
  require(!words.empty(), "a refusal says why");
  require(foreign::findControl(words) == std::string_view::npos, "nothing foreign reaches the terminal as it is");
  require(words.size() <= kLongest, "a refusal is short");
}

// What was read is a scene like any other: its values are valid, and it survives being written.
void requireScene(const Scene& read) {
  for (std::size_t i = 0; i < read.parameters.size(); ++i) {
    checkedValue(read.parameters.infos()[i], read.parameters[i]);
  }
  read.timeline.check(*read.description);
  const std::string written = toJson(read);
  std::vector<std::string> ignored;
  const Scene again = sceneFromJson(written, &ignored);
  require(toJson(again) == written, "a scene that was written reads back the same");
  require(again.parameters == read.parameters && again.seed == read.seed && again.timeline == read.timeline,
          "the run is the same");
  require(again.first_step == read.first_step && again.first_frame == read.first_frame && again.frames == read.frames &&
              again.steps_per_frame == read.steps_per_frame && again.fps == read.fps && again.loop == read.loop &&
              again.max_bytes == read.max_bytes,
          "the recording is the same");
  // Objects that this run does not have are told again; nothing else is.
  require(ignored == read.timeline.missingObjects(*read.description, read.parameters),
          "what the program writes it knows");
}

// The archive with these members; empty where they make none.
std::string archiveOf(std::string_view members) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* target = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_t* archive = zip_open_from_source(target, ZIP_TRUNCATE, &error);
  require(archive != nullptr, "an empty archive can be begun");
  zip_source_keep(target);
  constexpr std::string_view kMark = "@@";
  for (std::size_t begin = members.find(kMark); begin != std::string_view::npos;) {
    begin += kMark.size();
    const std::size_t next = members.find(kMark, begin);
    const std::string_view member = members.substr(begin, next - begin);
    const std::size_t line = std::min(member.find('\n'), member.size());
    const std::string_view content = member.substr(std::min(line + 1, member.size()));
    zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
    const zip_int64_t index =
        zip_file_add(archive, std::string(member.substr(0, line)).c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) zip_source_free(source);
    if (index >= 0) zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
    begin = next;
  }
  if (zip_close(archive) != 0) zip_discard(archive);
  std::string bytes;
  zip_stat_t stat;
  if (zip_source_stat(target, &stat) == 0 && zip_source_open(target) == 0) {
    bytes.resize(stat.size);
    require(zip_source_read(target, bytes.data(), stat.size) == static_cast<zip_int64_t>(stat.size), "it can be read");
    zip_source_close(target);
  }
  zip_source_free(target);
  return bytes;
}

}  // namespace

bool scene(std::string_view bytes) {
  Scene read;
  try {
    std::vector<std::string> ignored;
    read = sceneFromJson(std::string(bytes), &ignored);
    for (const std::string& each : ignored) requireTold(each);
  } catch (const UsageError& refusal) {
    requireTold(refusal.what());
    return false;
  }
  requireScene(read);
  return true;
}

bool lab_run(std::string_view bytes) {
  lab::StoredRun run;
  try {
    run = lab::runOf(bytes, "run.json");
  } catch (const UsageError& refusal) {
    requireTold(refusal.what());
    return false;
  }
  // What the program does with it: its tables, itself beside itself, and one chart over the other.
  for (const lab::StoredLesson& each : run.lessons) {
    for (const auto& row : lab::cellsOf(each.result)) {
      for (const std::string& cell : row) {
        require(foreign::findControl(cell) == std::string_view::npos, "cells are fit to be shown");
      }
    }
    for (const lab::StoredLesson& other : run.lessons) {
      const lab::Chart both = lab::withOther(each.result.chart, other.result.chart, "other");
      for (const lab::Curve& curve : both.curves) {
        require(curve.values.size() == both.curves.front().values.size() || !both.names.empty(), "places are the same");
      }
    }
  }
  const auto joined = [](const std::vector<std::vector<std::string>>& cells) { return std::to_string(cells.size()); };
  require(!lab::comparisonText(run, run, "", joined).empty(), "a run has its own lessons");
  return true;
}

bool embedded(std::string_view bytes) {
  try {
    const std::string text = exporting::readEmbeddedBytes(bytes);
    require(!text.empty() && text.size() <= exporting::kMaximumSceneBytes, "the text is as long as it may be");
    return true;
  } catch (const UsageError& refusal) {
    requireTold(refusal.what());
    return false;
  }
}

namespace {

// A file in memory, for what reads files.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    require(descriptor_ >= 0, "a file can be made in memory");
    require(write(descriptor_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "it takes the bytes");
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

bool film(std::string_view bytes) {
  constexpr int kMostSide = 2048, kMostPictures = 64;
  try {
    const MemoryFile file(bytes);
    const auto film = exporting::openFilm(file.path());
    require(film->pictures() >= 0 && film->width() > 0 && film->height() > 0, "a film has a size");
    if (film->width() > kMostSide || film->height() > kMostSide) return true;
    std::int64_t seen = 0;
    while (seen < kMostPictures && film->next()) {
      ++seen;
      require(film->rgb().size() == std::size_t{3} * film->width() * film->height(), "a picture is whole");
      require(film->seconds() >= 0, "it is shown for some time");
    }
    require(seen == kMostPictures || seen == film->pictures(), "there are as many pictures as were counted");
    return true;
  } catch (const UsageError& refusal) {
    requireTold(refusal.what());
    return false;
  }
}

bool array(std::string_view bytes) {
  try {
    const MemoryFile file(bytes);
    foreign::NpySource source(file.path());
    require(source.elements().size() == foreign::npyDataBytes(source.header()), "an array has its elements");
    return true;
  } catch (const UsageError& refusal) {
    requireTold(refusal.what());
    return false;
  }
}

bool picture(std::string_view bytes) {
  constexpr float kRounding = 1e-5f;
  try {
    const MemoryFile file(bytes);
    const image::GreyImage read = image::readGreyImage(file.path());
    require(read.width > 0 && read.height > 0, "a picture has a size");
    require(read.values.size() == static_cast<std::size_t>(read.width) * static_cast<std::size_t>(read.height),
            "a picture is whole");
    for (const float value : read.values) {
      require(value >= -kRounding && value <= 1 + kRounding, "grey lies between black and white");
    }
    return true;
  } catch (const UsageError& refusal) {
    requireTold(refusal.what());
    return false;
  }
}

namespace {

// A layout that is taken has no element outside, whatever its numbers are; looked at one by one.
void requireWithin(const live::DeviceUpdateMessage& lent) {
  require(lent.update.slot < static_cast<std::uint32_t>(live::kMostSlots), "an update on a device has its slot");
  require(live::bytesOf(lent.type) <= 16, "elements have a size");
  constexpr std::int64_t kWidth = 5, kHeight = 3, kCount = 64;
  if (!live::fits(lent.layout, kWidth, kHeight, kCount)) return;
  for (std::int64_t i = 0; i < kWidth * kHeight; ++i) {
    const std::int64_t at =
        lent.layout.first + i / kWidth * lent.layout.row_step + i % kWidth * lent.layout.column_step;
    require(at >= 0 && at < kCount, "every element lies in its slot");
  }
}

}  // namespace

bool message(std::string_view bytes) {
  live::ScriptMessage read;
  try {
    read = live::readMessage(bytes);
  } catch (const UsageError& refusal) {
    requireTold(refusal.what());
    return false;
  }
  if (const auto* update = std::get_if<live::UpdateMessage>(&read)) {
    require(update->slot < static_cast<std::uint32_t>(live::kMostSlots) && update->number > 0,
            "an update has its slot");
    return true;
  }
  if (const auto* slots = std::get_if<live::SlotsMessage>(&read)) {
    const std::size_t count = slots->offer.written.size();
    require(count >= 1 && count <= static_cast<std::size_t>(live::kMostSlots), "slots on a device are few");
    require(slots->offer.slot_bytes >= 1 && slots->offer.slot_bytes <= live::kMostSlotBytes, "a slot has its bounds");
    return true;
  }
  if (const auto* lent = std::get_if<live::DeviceUpdateMessage>(&read)) {
    requireWithin(*lent);
    return true;
  }
  // What it would take, without taking it; and everything that is shown of it.
  const auto& [array, slots] = std::get<live::ArrayMessage>(read);
  require(array.elements() >= 1 && array.elements() <= live::kMostElements, "an array is as large as it may be");
  require(slots >= 1 && slots <= live::kMostSlots, "there are slots");
  require(live::slotBytes(array) >= static_cast<std::size_t>(array.elements()) * sizeof(float),
          "an array fits its slot");
  require(array.x.low < array.x.high && array.y.low < array.y.high, "axes have an extent");
  require(!array.range || array.range->first < array.range->second, "a range has one, too");
  for (const std::string* each : {&array.title, &array.symbol, &array.unit, &array.x.title, &array.x.unit,
                                  &array.y.title, &array.y.unit, &array.source}) {
    require(foreign::findControl(*each) == std::string_view::npos, "words are fit to be shown");
  }
  return true;
}

namespace {

// Goes on from the state for a step and shows it, as the program does; where that is little work. False: refused.
bool goesOn(const Snapshot& snapshot) {
  constexpr double kMostBytes = 64e6;
  const Description& description = *snapshot.scene.description;
  static const compute::DevicePtr device = compute::Device::open("cpu", 1);
  if (description.memory && description.memory(snapshot.state.parameters, compute::Backend::Cpu) > kMostBytes) {
    return true;
  }
  try {
    Stepper stepper(description, device, snapshot.state.parameters, 1);
    const State before = stepper.save();
    try {
      stepper.load(snapshot.state);
    } catch (const UsageError&) {
      const State after = stepper.save();
      require(after.steps == before.steps && after.arrays.size() == before.arrays.size(), "the former state stays");
      for (std::size_t i = 0; i < before.arrays.size(); ++i) {
        require(after.arrays[i].bytes == before.arrays[i].bytes, "the former state stays as it was");
      }
      throw;
    }
    Frame frame;
    stepper.present(frame);
    (void)stepper.findings();
    stepper.step(1);
    stepper.present(frame);
    (void)stepper.findings();
  } catch (const UsageError& refusal) {
    requireTold(refusal.what());
    return false;
  }
  return true;
}

}  // namespace

bool snapshot(std::string_view bytes) {
  const std::string archive = bytes.starts_with("PK") ? std::string(bytes) : archiveOf(bytes);
  Snapshot read;
  try {
    read = readSnapshot(std::as_bytes(std::span(archive)));
  } catch (const UsageError& refusal) {
    requireTold(refusal.what());
    return false;
  }
  requireScene(read.scene);
  require(read.state.simulation == read.scene.description->id && read.state.steps >= 0, "the state is the scene's");
  require(!read.state.arrays.empty(), "there is a state");
  for (const StateArray& each : read.state.arrays) {
    std::size_t elements = 1;
    for (const std::size_t extent : each.shape) elements *= extent;
    require(elements == 0 ? each.bytes.empty() : each.bytes.size() % elements == 0, "an array has its shape");
  }
  return goesOn(read);
}

}  // namespace simscope::fuzzing
