#include "app/gui/gallery/thumbnails.h"

#include <algorithm>
#include <utility>

namespace simscope::gallery {

namespace {

render::GlTexture textureOf(const Picture& picture) {
  render::GlTexture texture = render::makeTexture(GL_TEXTURE_2D);
  glTextureStorage2D(texture.get(), 1, GL_RGB8, picture.width, picture.height);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(texture.get(), 0, 0, 0, picture.width, picture.height, GL_RGB, GL_UNSIGNED_BYTE,
                      picture.rgb.data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
    glTextureParameteri(texture.get(), filter, GL_LINEAR);
  }
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
    glTextureParameteri(texture.get(), wrap, GL_CLAMP_TO_EDGE);
  }
  render::checkGl("keeping a picture of the gallery");
  return texture;
}

}  // namespace

Thumbnails::Thumbnails(std::string device, int threads, const std::filesystem::path& folder)
    : maker_(std::move(device), threads, ThumbnailCache(folder.empty() ? folder : folder / "thumbnails", thisBuild())) {
}

Thumbnails::~Thumbnails() {
  if (!drawing_) return;
  try {
    figure_->take();  // OpenGL may still read the frame
  } catch (const std::exception&) {
    // The picture is lost; it had no other use.
  }
  maker_.giveBack(std::move(*drawing_));
}

const Thumbnails::Thumbnail* Thumbnails::find(const Subject& subject) const {
  const auto found = kept_.find(subject.key());
  return found == kept_.end() ? nullptr : &found->second;
}

Stage Thumbnails::stage(const Subject& subject) const {
  const Thumbnail* thumbnail = find(subject);
  return thumbnail ? thumbnail->stage : Stage::None;
}

std::size_t Thumbnails::count(Stage stage) const {
  return static_cast<std::size_t>(
      std::count_if(kept_.begin(), kept_.end(), [&](const auto& each) { return each.second.stage == stage; }));
}

void Thumbnails::want(const std::vector<Subject>& all, Grid::Range seen, std::size_t chosen, const Look& look) {
  if (look != look_) {
    // The former pictures stand until the new ones come.
    for (auto& [key, each] : kept_) each.stage = each.texture ? Stage::Draft : Stage::None;
    look_ = look;
  }
  ++now_;
  std::vector<Stage> stages;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto found = kept_.find(all[i].key());
    stages.push_back(found == kept_.end() ? Stage::None : found->second.stage);
    if (found != kept_.end() && i >= seen.first && i < seen.last) found->second.seen = now_;
  }
  std::vector<ThumbnailMaker::Order> orders;
  for (const ThumbnailRequest& request : thumbnailOrder(stages, seen, chosen)) {
    const ThumbnailMaker::Order order{all[request.index], request.draft};
    const bool twice =
        std::any_of(orders.begin(), orders.end(), [&](const auto& each) { return each.subject == order.subject; });
    const bool under_way = drawing_ && drawing_->subject == order.subject && drawing_->look == look;
    if (!twice && !under_way) orders.push_back(order);
  }
  if (orders == asked_) return;
  asked_ = orders;
  maker_.want(std::move(orders), look);
}

void Thumbnails::rest() {
  asked_.clear();
  maker_.want({}, look_);
}

bool Thumbnails::place(Made& made, const Picture& picture) {
  if (made.look != look_) return false;
  Thumbnail& thumbnail = kept_[made.subject.key()];
  thumbnail.resolved = made.resolved;
  if (made.draft && thumbnail.stage == Stage::Done) return false;
  // Pictures that are not on the screen stay on the disk.
  const bool stored = !made.draft && !made.file.empty() && thumbnail.seen != now_ && !thumbnail.texture;
  const bool room = kept_.size() - count(Stage::Stored) < kMostTextures;
  if (!stored || room) thumbnail.texture = textureOf(picture);
  thumbnail.stage = stored && !room ? Stage::Stored : Stage::Done;
  if (made.draft) thumbnail.stage = Stage::Draft;
  if (thumbnail.seen == 0) thumbnail.seen = 1;
  evict();
  return true;
}

void Thumbnails::fail(const Made& made) {
  Thumbnail& thumbnail = kept_[made.subject.key()];
  thumbnail.resolved = made.resolved;
  thumbnail.stage = thumbnail.texture ? Stage::Done : Stage::Failed;
  thumbnail.failure = made.failure;
}

void Thumbnails::evict() {
  std::vector<Thumbnail*> held;
  for (auto& [key, each] : kept_) {
    if (each.texture && each.seen != now_) held.push_back(&each);
  }
  if (held.size() <= kMostTextures) return;
  const auto surplus = static_cast<std::ptrdiff_t>(held.size() - kMostTextures);
  std::nth_element(held.begin(), held.begin() + surplus, held.end(),
                   [](const Thumbnail* a, const Thumbnail* b) { return a->seen < b->seen; });
  for (auto each = held.begin(); each != held.begin() + surplus; ++each) {
    (*each)->texture.reset();
    (*each)->stage = (*each)->stage == Stage::Done ? Stage::Stored : Stage::None;
  }
}

bool Thumbnails::advance() {
  if (drawing_) {
    Made made = std::move(*drawing_);
    drawing_.reset();
    bool changed = true;
    std::optional<Picture> picture;
    try {
      picture = Picture{made.look.width, made.look.height, figure_->take()};
      changed = place(made, *picture);
    } catch (const std::exception& error) {
      made.failure = error.what();
      fail(made);
    }
    maker_.giveBack(std::move(made), std::move(picture));
    return changed;
  }
  std::optional<Made> made = maker_.take();
  if (!made) return false;
  bool changed = false;
  try {
    if (made->picture) {
      changed = place(*made, *made->picture);
    } else if (made->frame && made->look == look_) {
      if (!figure_) figure_ = std::make_unique<render::Figure>();
      const Scene& scene = made->resolved->scene;
      figure_->draw(*scene.description, made->frame->parameters, *made->frame, figureOf(scene, made->look));
      figure_->startRead();
      drawing_ = std::move(made);
      return false;
    } else if (!made->failure.empty()) {
      fail(*made);
      changed = true;
    }
  } catch (const std::exception& error) {
    made->failure = error.what();
    fail(*made);
    changed = true;
  }
  maker_.giveBack(std::move(*made));
  return changed;
}

}  // namespace simscope::gallery
