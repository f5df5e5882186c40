#include "app/gui/gallery/attract.h"

namespace simscope::gallery {

bool Attract::touch(double now) {
  touched_ = now;
  const bool was = showing_;
  showing_ = false;
  return was;
}

bool Attract::advance(double now, bool drawn, bool failed) {
  if (order_.empty() || after_ <= 0) return false;
  if (!showing_) {
    if (now - touched_ < after_) return false;
    showing_ = true;
    if (begun_) current_ = (current_ + 1) % order_.size();
    begun_ = true;
    since_ = now;
    return true;
  }
  const double shown = now - since_;
  if (!failed && shown < (drawn ? kShown : kPatience)) return false;
  current_ = (current_ + 1) % order_.size();
  since_ = now;
  return true;
}

}  // namespace simscope::gallery
