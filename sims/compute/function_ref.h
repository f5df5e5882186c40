// A reference to a callable, for parameters that are called before the function returns: two pointers, nothing is
// copied or allocated, and no header of the standard library is needed. The callable must outlive the call; null is not
// allowed. Any thread.
#pragma once

#include <type_traits>

namespace simscope::compute {

template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <class Callable>
  requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef> &&
           std::is_invocable_r_v<Result, Callable&, Arguments...>)
      FunctionRef(Callable&& callable)  // not explicit: a lambda is passed directly
      : object_(const_cast<void*>(static_cast<const void*>(&callable))),
        call_([](void* object, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<Callable>*>(object))(static_cast<Arguments&&>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(object_, static_cast<Arguments&&>(arguments)...); }

 private:
  void* object_;
  Result (*call_)(void*, Arguments...);
};

}  // namespace simscope::compute
