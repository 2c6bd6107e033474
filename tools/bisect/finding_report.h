// Says in words what bisection found, and saves what reproduces it. Stateless.
#ifndef BURIN_TOOLS_BISECT_FINDING_REPORT_H_
#define BURIN_TOOLS_BISECT_FINDING_REPORT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "tools/bisect/search.h"

namespace burin::bisect {

// Prints the outcome; of a rewrite: its number, pass and node, the user's operations that the node stands for, how
// outputs part, and the nodes that it concerned with a ring around them, before and after.
std::string Describe(const Finding& finding);

// Makes the reproducer (reproducer.h) and returns what there is to say of it. With a `folder`, writes there
// reproducer.txt (reproducer.bin where constants are large) and test_data_set_0 with its inputs and the reference's
// outputs. Says so, without an error, where no pass can be named or none reproduces alone.
absl::StatusOr<std::string> WriteReproducer(const Finding& finding, const ir::PassContext& context,
                                            const std::vector<ir::Tensor>& inputs, const BisectOptions& options,
                                            const std::string& folder);

}  // namespace burin::bisect

#endif  // BURIN_TOOLS_BISECT_FINDING_REPORT_H_
