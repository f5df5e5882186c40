#include "app/gui/gallery/gallery_page.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/session/stored/recent.h"
#include "sims/core/registry.h"

namespace simscope::gui {

using namespace gallery;

namespace {

constexpr double kRest = 0.1;              // seconds that a card is chosen before it plays
constexpr double kLiveFrames = 30;         // a second, of a card that plays
constexpr double kLargeFrames = 60;        // of what is shown large
constexpr double kLiveSeconds = 120;       // without input for so long, a card stops
constexpr std::uint64_t kMoves = 3;        // frames that a preset must reach within kPatience to be shown
constexpr float kMouseReach = 3;           // at a scale of 1; smaller movements of the mouse do not count as input
constexpr std::size_t kLongestQuery = 60;  // bytes

}  // namespace

GalleryPage::GalleryPage(GalleryOptions options)
    : options_(std::move(options)),
      settings_(readSettings(options_.state_folder)),
      preview_(options_.device, options_.threads),
      attract_(showOrder(simulations()), settings_.attract ? settings_.attract_after : 0) {}

void GalleryPage::open(const Session& session) {
  std::vector<RecentFile> recent;
  if (!options_.last_session.empty()) recent.push_back({options_.last_session, true});
  const Recent files(options_.state_folder);
  for (const std::filesystem::path& each : files.files()) recent.push_back({each});
  all_ = sectionsOf(simulations(), recent);
  search_.reset();
  if (!thumbnails_) {
    thumbnails_ = std::make_unique<Thumbnails>(options_.device, options_.threads, options_.state_folder);
  }
  shown_ = true;
  query_.clear();
  list();
  const bool first = session.status.steps == 0 && session.file().empty();
  const Subject present{session.scene.description, session.scene.preset, {}};
  const auto here = std::find(subjects_.rbegin(), subjects_.rend(), present);
  const bool there = !first && here != subjects_.rend();
  const auto simulation =
      std::find_if(subjects_.begin(), subjects_.end(), [](const Subject& s) { return !s.isFile(); });
  choose(there ? static_cast<std::size_t>(subjects_.rend() - here) - 1
               : static_cast<std::size_t>(simulation - subjects_.begin()),
         true);
  chosen_at_ = now_ - kRest;  // it plays at once
  touch();
}

void GalleryPage::close() {
  shown_ = false;
  attract_.touch(now_);
  preview_.close();
  if (thumbnails_) thumbnails_->rest();
}

// The cards of all sections, or of what was found.
void GalleryPage::list() {
  found_.clear();
  if (!query_.empty()) {
    if (!search_) search_.emplace(all_);
    std::vector<Item> items = search_->find(query_);
    offer_ = items.empty() ? search_->nearest(query_) : "";
    std::string title = items.empty() ? fmt::format("No results for \"{}\"", query_)
                                      : fmt::format("{} for \"{}\"", items.size(), query_);
    found_.push_back({std::move(title), offer_.empty() ? "" : fmt::format("did you mean \"{}\"?  Press Enter", offer_),
                      std::move(items)});
  }
  const std::vector<Section>& sections = query_.empty() ? all_ : found_;
  cards_.clear();
  subjects_.clear();
  counts_.clear();
  for (const Section& section : sections) {
    counts_.push_back(section.items.size());
    for (const Item& item : section.items) {
      const bool simulation = item.subject.description && item.title == item.subject.description->title;
      std::string mark;
      if (item.subject.isFile()) {
        mark = fmt::format("recent_card:{}", cards_.size());
      } else {
        mark = simulation ? "simulation_card:" + item.subject.description->id : "card:" + item.subject.key();
      }
      cards_.push_back({&item, std::move(mark)});
      subjects_.push_back(item.subject);
    }
  }
}

void GalleryPage::choose(std::size_t card, bool seen) {
  if (card != chosen_) chosen_at_ = now_;
  chosen_ = cards_.empty() ? 0 : std::min(card, cards_.size() - 1);
  scroll_ = scroll_ || seen;
}

void GalleryPage::setQuery(std::string query) {
  if (query == query_) return;
  query_ = std::move(query);
  list();
  choose(0, true);
  chosen_at_ = now_;
}

void GalleryPage::touch() {
  touched_at_ = now_;
  if (attract_.touch(now_)) {
    large_drawn_ = false;
    chosen_at_ = now_;
  }
}

void GalleryPage::handleKey(const Key& key) {
  const bool showing = attract_.showing();
  touch();
  swallow_ = swallow_ || showing;
  if (swallow_) return;  // the key only ended the slide show
  const auto go = [&](Way way) { choose(grid_.move(chosen_, way, page_), true); };
  switch (key.key) {
    case GLFW_KEY_LEFT:
      return go(Way::Left);
    case GLFW_KEY_RIGHT:
      return go(Way::Right);
    case GLFW_KEY_UP:
      return go(Way::Up);
    case GLFW_KEY_DOWN:
      return go(Way::Down);
    case GLFW_KEY_PAGE_UP:
      return go(Way::PageUp);
    case GLFW_KEY_PAGE_DOWN:
      return go(Way::PageDown);
    case GLFW_KEY_HOME:
      return go(Way::First);
    case GLFW_KEY_END:
      return go(Way::Last);
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
      if (cards_.empty() && !offer_.empty()) return setQuery(offer_);
      enter_ = true;
      return;
    case GLFW_KEY_ESCAPE:
      if (query_.empty()) {
        escape_ = true;
      } else {
        setQuery("");
      }
      return;
    case GLFW_KEY_BACKSPACE: {
      std::string shorter = key.control ? std::string() : query_;
      while (!shorter.empty() && (static_cast<unsigned char>(shorter.back()) & 0xC0) == 0x80) shorter.pop_back();
      if (!shorter.empty()) shorter.pop_back();
      return setQuery(std::move(shorter));
    }
  }
  if (key.control && key.letter == 'v') {
    if (const char* text = ImGui::GetClipboardText()) setQuery(query_ + std::string(text).substr(0, kLongestQuery));
  }
}

// Typing works wherever the mouse is, since the page has one field.
void GalleryPage::typed() {
  const ImGuiIO& io = ImGui::GetIO();
  std::string query = query_;
  for (const ImWchar c : io.InputQueueCharacters) {
    if (c < 0x20 || c == 0x7F || (c == ' ' && query.empty()) || query.size() >= kLongestQuery) continue;
    if (c < 0x80) {
      query += static_cast<char>(c);
    } else if (c < 0x800) {
      query += static_cast<char>(0xC0 | c >> 6);
      query += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0xD800 || c > 0xDFFF) {
      query += static_cast<char>(0xE0 | (c >> 12 & 0x0F));
      query += static_cast<char>(0x80 | (c >> 6 & 0x3F));
      query += static_cast<char>(0x80 | (c & 0x3F));
    }
  }
  setQuery(std::move(query));
}

bool GalleryPage::touched() const {
  const ImGuiIO& io = ImGui::GetIO();
  const float reach = kMouseReach;
  const bool moved = ImGui::IsMousePosValid(&io.MousePos) &&
                     (std::abs(io.MousePos.x - mouse_.x) > reach || std::abs(io.MousePos.y - mouse_.y) > reach);
  return moved || io.MouseWheel != 0 || ImGui::IsAnyMouseDown() || !io.InputQueueCharacters.empty();
}

// Plays the chosen card.
void GalleryPage::follow() {
  if (cards_.empty() || chosen_ >= cards_.size()) return preview_.hold(true);
  const Subject& subject = subjects_[chosen_];
  preview_.hold(now_ - touched_at_ > kLiveSeconds);
  if (preview_.showing(subject) || now_ - chosen_at_ < kRest) return;
  if (!subject.isFile()) return preview_.show(subject, resolve(subject), kLiveFrames);
  const Thumbnails::Thumbnail* thumbnail = thumbnails_->find(subject);
  if (thumbnail && thumbnail->resolved && !thumbnail->resolved->still && thumbnail->failure.empty()) {
    preview_.show(subject, *thumbnail->resolved, kLiveFrames);
  } else {
    preview_.close();
  }
}

bool GalleryPage::poll(double now) {
  now_ = now;
  if (!shown_) return false;
  bool changed = thumbnails_->advance();
  const bool was = attract_.showing();
  if (attract_.advance(now, large_drawn_ && preview_.frames() >= kMoves, !preview_.failure().empty())) {
    large_drawn_ = large_drawn_ && was;
    preview_.show(attract_.current(), resolve(attract_.current()), kLargeFrames);
    thumbnails_->rest();
    changed = true;
  } else if (!attract_.showing()) {
    follow();
  }
  return preview_.poll() || changed;
}

GalleryState GalleryPage::state() const {
  GalleryState state;
  state.shown = shown_;
  if (!shown_) return state;
  state.attract = attract_.showing();
  state.query = query_;
  state.cards = cards_.size();
  if (thumbnails_) {
    state.done = thumbnails_->count(Stage::Done) + thumbnails_->count(Stage::Stored);
  }
  if (chosen_ < cards_.size()) {
    state.chosen = subjects_[chosen_].key();
    if (preview_.showing(subjects_[chosen_])) state.live = state.chosen;
  }
  if (attract_.showing()) state.shown_large = attract_.current().key();
  state.live_frames = preview_.frames();
  return state;
}

}  // namespace simscope::gui
