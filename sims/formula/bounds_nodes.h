// What a formula's tree is made of, between its reader (bounds_read.cpp) and its evaluation (bounds.cpp). Private to
// both. The order counts: comparisons, functions that rise everywhere, and steps are ranges.
#pragma once

namespace simscope::formula {

enum NodeKind {
  kConstant,
  kVariable,
  kNegative,
  kNot,
  kOr,
  kAnd,
  kLess,
  kAtMost,
  kMore,
  kAtLeast,
  kEqual,
  kUnequal,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,
  kChoice,
  kSine,
  kCosine,
  kTangent,
  kAbs,
  kSqrt,
  kCosh,
  kAsin,
  kAcos,
  kAcosh,
  kAtanh,
  kLog,
  kLog2,
  kLog10,
  kExp,
  kAtan,
  kSinh,
  kTanh,
  kAsinh,
  kErf,  // these rise everywhere
  kSign,
  kHeaviside,
  kFloor,
  kCeil,
  kRound,
  kRint,
  kModulus,
  kAtan2,
  kMin,
  kMax,
  kSum,
  kAverage,
  kOther  // a function that is not known here
};

}  // namespace simscope::formula
