// The gallery's pictures as textures: draws what the maker computes, one at a time, and keeps those near the visible
// part.
//
// Owner: of the textures, a figure, and the maker. Thread: the one whose GL context is current; nothing waits for a
// device, except the destructor for a batch of steps. Errors: none; a picture that cannot be made has the reason.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/gallery/thumbnail_maker.h"
#include "app/gui/gallery/thumbnail_order.h"
#include "app/render/figure/figure.h"
#include "app/render/gl/gl_objects.h"

namespace simscope::gallery {

class Thumbnails {
 public:
  static constexpr std::size_t kMostTextures = 96;

  Thumbnails(std::string device, int threads, const std::filesystem::path& folder);
  ~Thumbnails();

  struct Thumbnail {
    render::GlTexture texture;
    Stage stage = Stage::None;
    std::string failure;
    std::shared_ptr<const Resolved> resolved;
    std::uint64_t seen = 0;
  };
  // Null: no picture yet.
  const Thumbnail* find(const Subject& subject) const;
  Stage stage(const Subject& subject) const;

  // What is wanted now: all subjects in order, the visible ones, and the chosen one.
  void want(const std::vector<Subject>& all, Grid::Range seen, std::size_t chosen, const Look& look);
  void rest();  // nothing is wanted any more
  // Does at most one thing: draws a picture, or takes a drawn one. True if a picture has changed.
  bool advance();
  std::size_t count(Stage stage) const;

 private:
  bool place(Made& made, const Picture& picture);
  void fail(const Made& made);
  void evict();

  ThumbnailMaker maker_;
  std::unique_ptr<render::Figure> figure_;
  std::map<std::string, Thumbnail> kept_;  // by the subject's key
  Look look_;
  std::optional<Made> drawing_;  // its picture is being read back
  std::vector<ThumbnailMaker::Order> asked_;
  std::uint64_t now_ = 0;  // counts requests
};

}  // namespace simscope::gallery
