// The session's files: scenes, snapshots, and files dropped on the window.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <mutex>
#include <utility>

#include "app/export/files.h"
#include "app/scene/snapshot.h"
#include "app/session/dropped_file.h"
#include "app/session/recording.h"
#include "app/session/session.h"
#include "sims/foreign/words.h"
#include "sims/table/table.h"

namespace simscope {

namespace {

void refuseWhileRecording(bool recording, const std::string& what) {
  if (recording) throw UsageError("a recording is running: cancel it, or wait until it ends, before " + what);
}

}  // namespace

struct Session::Mailbox {
  std::mutex mutex;
  std::vector<Message> messages;
  std::vector<std::string> files;  // written

  void put(Message::Level level, std::string text, std::string file = {}) {
    const std::lock_guard lock(mutex);
    messages.push_back({level, std::move(text)});
    if (!file.empty()) files.push_back(std::move(file));
  }
};

void Session::load(Scene wanted, std::shared_ptr<const State> state, Origin origin, const std::string& what) {
  forgetPast();
  commitEdits(false);
  select(std::move(wanted));
  if (state) load_command_ = runner_->load(state);
  origin.lost = state && state->bytes() > Undo::kStateBytes;
  if (!origin.lost) origin.start = std::move(state);
  origin_ = std::move(origin);
  change_ = what;
}

void Session::open(const std::filesystem::path& file) {
  refuseWhileRecording(recording(), "opening a scene");
  std::vector<std::string> ignored;
  const std::filesystem::path whole = exporting::shownName(file);
  const std::string what = "Open " + foreign::shownFile(file.filename());
  if (isSnapshotName(file)) {
    Snapshot snapshot = readSnapshot(file, &ignored);
    load(std::move(snapshot.scene), std::make_shared<const State>(std::move(snapshot.state)), {.file = whole}, what);
  } else {
    load(readScene(file, &ignored), nullptr, {.file = whole}, what);
  }
  used_files_.push_back(whole);
  for (std::string& each : ignored) each = fmt::format("{}: {}", foreign::shownFile(file.filename()), each);
  warn(ignored);
}

void Session::restore(const std::filesystem::path& file) {
  refuseWhileRecording(recording(), "opening another scene");
  load(readScene(file), nullptr, {}, "Restore the last session");
}

void Session::drop(const std::filesystem::path& file) {
  const bool picture = isPicture(file);
  std::optional<Taker> taker;
  if (picture) taker = imageTaker(scene.parameters);
  if (table::isTable(file)) taker = tableTaker(scene.parameters);
  if (!taker || carriesScene(file)) {
    open(file);
    return;
  }
  refuseWhileRecording(recording(), picture ? "loading another image" : "loading another table");
  ParameterSet wanted = scene.parameters;
  std::vector<std::size_t> changed{taker->text};
  wanted.set(taker->text, file.string());
  if (taker->choice) {
    wanted.set(*taker->choice, taker->chosen);
    changed.push_back(*taker->choice);
  }
  setParameters(std::move(wanted), std::move(changed));
  say(Message::Level::Info, fmt::format("The {} is now {}", picture ? "image" : "table", foreign::shownFile(file)));
}

void Session::refuseLive() const {
  if (hasPast()) return;
  throw UsageError(
      "a script computes this array, so a scene cannot reproduce it: record it (Ctrl+R) as GIF, PNG, video, or NPY");
}

void Session::save(const std::filesystem::path& file, bool overwrite) {
  refuseLive();
  exporting::writeText(file, toJson(scene, true), overwrite);
  recordUndo();
  origin_.file = exporting::shownName(file);
  origin_.saved_state = undo_->state();
  undo_->setOrigin(origin_);
  used_files_.push_back(origin_.file);
  last_file = origin_.file.string();
  say(Message::Level::Info, "Saved " + foreign::shownFile(last_file));
}

void Session::saveSnapshot(const std::filesystem::path& file, bool overwrite) {
  refuseLive();
  refuseWhileReplaying("saving its state");
  if (!overwrite && std::filesystem::exists(file)) throw UsageError(foreign::shownFile(file) + " exists");
  const std::filesystem::path whole = exporting::shownName(file);
  runner_->save([whole, overwrite, kept = scene, mailbox = mailbox_](State state) {
    try {
      writeSnapshot(whole, {kept, std::move(state)}, overwrite);
      mailbox->put(Message::Level::Info, "Saved " + foreign::shownFile(whole), whole.string());
    } catch (const std::exception& error) {
      mailbox->put(Message::Level::Error, error.what());
    }
  });
}

bool Session::takeMail() {
  const std::lock_guard lock(mailbox_->mutex);
  const bool any = !mailbox_->messages.empty();
  for (const Message& message : std::exchange(mailbox_->messages, {})) say(message.level, message.text);
  for (std::string& file : std::exchange(mailbox_->files, {})) last_file = std::move(file);
  return any;
}

std::shared_ptr<Session::Mailbox> Session::openMailbox() {
  return std::make_shared<Mailbox>();
}

std::vector<std::filesystem::path> Session::takeUsedFiles() {
  return std::exchange(used_files_, {});
}

}  // namespace simscope
