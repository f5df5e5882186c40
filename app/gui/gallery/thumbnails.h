// The gallery's pictures as textures: draws what the maker computes, little by little, and keeps as many as are near.
//
// Owner: the textures, a figure, and the maker. Thread: the one whose GL context is current; nothing waits for a
// device, but the destructor for a batch of steps. Errors: none; a picture that cannot be had says why.
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
  // Null: nothing of it yet.
  const Thumbnail* find(const Subject& subject) const;
  Stage stage(const Subject& subject) const;

  // What is wanted now: all subjects in order, those that are seen, and the chosen one.
  void want(const std::vector<Subject>& all, Grid::Range seen, std::size_t chosen, const Look& look);
  void rest();  // nothing is wanted any more
  // One thing at most: a picture is drawn, or one that was drawn is taken. True where a picture has changed.
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
  std::optional<Made> drawing_;  // its picture is being read
  std::vector<ThumbnailMaker::Order> asked_;
  std::uint64_t now_ = 0;  // counts requests
};

}  // namespace simscope::gallery
