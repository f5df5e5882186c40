// Common parameters of lessons that set how much is measured: tests set each of them to its minimum.
//
//   using Parameters = knobs::Sizes<1'000'000, 3>;
//   static const Binding<Parameters> all = knobs::sizes<Parameters>({.title = "Most numbers", .minimum = 1'000, …});
#pragma once

#include <string_view>
#include <utility>

#include "sims/core/describe.h"

namespace simscope::lab::knobs {

inline constexpr const char *kLargest = "largest", *kPerDecade = "per_decade", *kRepeats = "repeats";

inline bool saysHowMuch(std::string_view key) {
  return key == kLargest || key == kPerDecade || key == kRepeats;
}

// P::largest, on a logarithmic scale over decades.
template <class P>
Binding<P> largest(ParameterNotes notes) {
  notes.scale = Scale::Log;
  Binding<P> binding;
  binding.integer(&P::largest, kLargest, std::move(notes));
  return binding;
}

// With these initial values: the parameters of a lesson that only measures over sizes.
template <int kInitialLargest, int kInitialPerDecade>
struct Sizes {
  int largest = kInitialLargest;
  int per_decade = kInitialPerDecade;
};

// With P::per_decade: the sizes measured up to it.
template <class P>
Binding<P> sizes(ParameterNotes notes, int most_per_decade = 10) {
  Binding<P> binding = largest<P>(std::move(notes));
  binding.integer(&P::per_decade, kPerDecade,
                  {.title = "Sizes a decade",
                   .minimum = 1,
                   .maximum = static_cast<double>(most_per_decade),
                   .help = "How many sizes are measured"});
  return binding;
}

}  // namespace simscope::lab::knobs
