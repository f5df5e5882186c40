#include "sims/schrodinger2d/advisor.h"

namespace simscope::schrodinger2d {

std::int64_t powerOfTwoAbove(double least) {
  std::int64_t power = 1;
  while (static_cast<double>(power) < least && power < (std::int64_t{1} << 40)) power *= 2;
  return power;
}

}  // namespace simscope::schrodinger2d
