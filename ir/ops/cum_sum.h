// The attributes of CumSum. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_CUM_SUM_H_
#define BURIN_IR_OPS_CUM_SUM_H_

#include "ir/ops/family/cumulative.h"

namespace burin::ir {

using CumSumAttributes = CumulativeAttributes;

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_CUM_SUM_H_
