// A unique owner of a foreign object: move-only, released once. `Policy` defines the type of the object's name, its
// null value, and a release() that never throws.
#pragma once

#include <utility>

namespace simscope::render {

template <class Policy>
class UniqueHandle {
 public:
  using Name = typename Policy::Name;

  UniqueHandle() = default;
  explicit UniqueHandle(Name name) noexcept : name_(name) {}
  ~UniqueHandle() { reset(); }
  UniqueHandle(UniqueHandle&& other) noexcept : name_(std::exchange(other.name_, Policy::null())) {}
  UniqueHandle& operator=(UniqueHandle&& other) noexcept {
    if (this != &other) {
      reset();
      name_ = std::exchange(other.name_, Policy::null());
    }
    return *this;
  }

  Name get() const noexcept { return name_; }
  explicit operator bool() const noexcept { return name_ != Policy::null(); }
  void reset() noexcept {
    if (name_ != Policy::null()) Policy::release(std::exchange(name_, Policy::null()));
  }

 private:
  Name name_ = Policy::null();
};

}  // namespace simscope::render
