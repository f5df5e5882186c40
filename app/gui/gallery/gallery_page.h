// The gallery: a page of live pictures of every simulation and preset, over the whole window. Typing searches; a click
// or Enter starts the chosen item. After some idle time the page shows one preset after another, enlarged.
//
// Owner: of the pictures and of the run for display, from the first time that it opens. Thread: the UI's, with its GL
// context current.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/gallery/attract.h"
#include "app/gui/gallery/catalogue.h"
#include "app/gui/gallery/gallery_settings.h"
#include "app/gui/gallery/grid.h"
#include "app/gui/gallery/preview.h"
#include "app/gui/gallery/search.h"
#include "app/gui/gallery/thumbnails.h"
#include "app/gui/widgets/widgets.h"
#include "app/gui/window/window.h"
#include "app/gui/window/window_picture.h"
#include "app/session/session.h"

namespace simscope::gui {

struct GalleryOptions {
  std::filesystem::path state_folder = {};  // of pictures, settings and recent scenes; empty: nothing is stored
  std::filesystem::path last_session = {};  // empty: there is none
  std::string device = "auto";              // as Device::open takes it
  int threads = 0;
  bool shown = false;  // at the start
};

// For tests.
struct GalleryState {
  bool shown = false, attract = false;
  std::string query, chosen, live, shown_large;  // keys of subjects
  std::size_t cards = 0, done = 0;               // cards listed; pictures made
  std::uint64_t live_frames = 0;
};

class GalleryPage {
 public:
  explicit GalleryPage(GalleryOptions options);

  struct Actions {
    std::optional<gallery::Subject> start;
    bool back = false, toggle_theme = false, help = false;
  };

  bool shown() const noexcept { return shown_; }
  void open(const Session& session);
  void close();
  // For a key that is not a command of the whole window. The next draw() answers Enter and Esc.
  void handleKey(const Key& key);
  // There was input: the slide show is postponed, or ends.
  void touch();
  // Called regularly; true if the window must be drawn.
  bool poll(double now);
  bool animating() const { return shown_ && preview_.playing(); }
  // Fills the present window of Dear ImGui.
  Actions draw(const Session& session, Ui& ui);
  WindowPicture::Figure takePicture() { return {preview_.texture(), std::exchange(redrawn_, false)}; }
  GalleryState state() const;

 private:
  struct Card {
    const gallery::Item* item;
    std::string mark;
  };
  void list();
  void choose(std::size_t card, bool seen);
  void typed();
  void setQuery(std::string query);
  bool touched() const;
  void follow();
  gallery::GridStyle styleOf(const Ui& ui, float width) const;
  gallery::Look lookOf(const Session& session, const Ui& ui) const;
  void drawHeader(Ui& ui, Actions& actions);
  void drawSearch(Ui& ui, float width);
  void drawGrid(const Session& session, Ui& ui, float height, Actions& actions);
  void drawHeading(const Ui& ui, std::size_t section, ImVec2 origin) const;
  void drawCard(const Session& session, Ui& ui, std::size_t card, ImVec2 origin, Actions& actions);
  void drawPicture(const Session& session, const Ui& ui, const gallery::Subject& subject, const Rect& place);
  void drawFooter(const Session& session, Ui& ui, float height) const;
  void drawLarge(const Session& session, Ui& ui);

  const GalleryOptions options_;
  gallery::Settings settings_;
  bool shown_ = false;
  double now_ = 0, chosen_at_ = 0, touched_at_ = 0;
  std::vector<gallery::Section> all_, found_;  // found_: the result of a query
  std::vector<Card> cards_;                    // only those listed
  std::vector<gallery::Subject> subjects_;     // of the cards
  std::vector<std::size_t> counts_;            // cards in each section
  std::optional<gallery::Search> search_;
  std::unique_ptr<gallery::Thumbnails> thumbnails_;
  gallery::Preview preview_;
  gallery::Attract attract_;
  gallery::Grid grid_;
  gallery::Grid::Range seen_;
  std::string query_, offer_;  // offer_: a similar query with results, if query_ has none
  std::size_t chosen_ = 0;
  bool scroll_ = false;   // to the chosen card, in the next picture
  bool swallow_ = false;  // ignore typed text until the next picture: it ended the slide show
  bool enter_ = false, escape_ = false, redrawn_ = false, large_drawn_ = false;
  float page_ = 0;  // height of the visible part
  ImVec2 mouse_ = {-1, -1};
};

}  // namespace simscope::gui
