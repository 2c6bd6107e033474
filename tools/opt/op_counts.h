// Counts a model's nodes by operation, and tells what became of them.
//
// Bodies count too, and so do constants, parameters and results. Stateless, thread-safe.
#ifndef BURIN_TOOLS_OPT_OP_COUNTS_H_
#define BURIN_TOOLS_OPT_OP_COUNTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "ir/model.h"

namespace burin::opt {

struct OpCounts {
  std::map<std::string, int64_t> by_op;
  int64_t total = 0;
};

// Counts the nodes of the model and of its bodies.
OpCounts CountOps(const ir::Model& model);

// Prints the number of nodes, and a line per operation whose number changed, largest change first:
// `  53 -> 0  BatchNormInference`.
std::string DescribeChanges(const OpCounts& before, const OpCounts& after);

// Prints on one line the operations whose number changed most, at most `limit`: `Constant -12, Reshape -3`; "none"
// where nothing changed.
std::string SummarizeChanges(const OpCounts& before, const OpCounts& after, size_t limit);

}  // namespace burin::opt

#endif  // BURIN_TOOLS_OPT_OP_COUNTS_H_
