// The stationary states in ψ at t = 0, for the simulations that solve for them: parameters, their description, and
// coefficients c_n on the host, n < K. Each simulation defines its own Gaussian packet.
//
// Thread: any.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sims/compute/complex.h"
#include "sims/core/describe.h"

namespace simscope::superposition {

using Coefficients = std::vector<compute::Complex<double>>;

enum class Kind { Packet, Single, Two, Equal, Dials };
inline constexpr int kMostStates = 64, kDials = 6;

// A base of the simulation's own parameters.
struct Superposition {
  Kind superposition = Kind::Packet;
  int state = 0, partner = 1, equal_states = 4;
  double dial_0 = 1, dial_1 = 1, dial_2 = 0, dial_3 = 0, dial_4 = 0, dial_5 = 0;

  double dial(int n) const;
  bool packet() const { return superposition == Kind::Packet; }
};

// Σ|c_n|² = 1; for a packet all 0, because its overlaps are computed elsewhere. A state number beyond the last is the
// last.
Coefficients coefficientsOf(const Superposition& made_of, int states);
void normalise(Coefficients& coefficients);  // Σ|c_n|² = 1; state 0 where there is nothing
// State n becomes the only one, or is added to the others. If it is already present, it is removed, unless it is the
// only one: then its neighbour is added. Returns which one was added or removed, and whether it was removed. At least
// two states.
struct Taken {
  std::size_t state = 0;
  bool left = false;
};
Taken take(Coefficients& coefficients, std::size_t n, bool alone);

// The keys of all parameters that `describe` describes, except "state".
std::vector<std::string> keys();

ParameterNotes stateNotes(const char* what);
ParameterNotes partnerNotes();
ParameterNotes equalStatesNotes();
PlainNotes kindNotes();
ParameterNotes dialNotes(int n);
std::vector<Choice> kinds();

// The rows of the panel; `packet` adds the packet's between them, `state_is` begins the help of "state".
template <class P, class Packet>
void describe(Binding<P>& b, const char* state_is, const Packet& packet) {
  b.choice(static_cast<Kind P::*>(&Superposition::superposition), "superposition", kindNotes(), kinds());
  packet();
  b.integer(&P::state, "state", stateNotes(state_is));
  b.integer(&P::partner, "partner", partnerNotes());
  b.integer(&P::equal_states, "equal_states", equalStatesNotes());
  using Member = double P::*;
  const Member dials[] = {&P::dial_0, &P::dial_1, &P::dial_2, &P::dial_3, &P::dial_4, &P::dial_5};
  for (int n = 0; n < kDials; ++n) b.real(dials[n], "dial_" + std::to_string(n), dialNotes(n));
}

}  // namespace simscope::superposition
