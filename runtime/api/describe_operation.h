// Makes the copy of an operation that users see.
//
// For the facade alone. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_API_DESCRIBE_OPERATION_H_
#define BURIN_RUNTIME_API_DESCRIBE_OPERATION_H_

#include "ir/model.h"
#include "runtime/api/operation.h"

namespace burin {

// Returns what the model says of a node; requires model.Contains(id).
Operation DescribeOperation(const ir::Model& model, ir::NodeId id);

}  // namespace burin

#endif  // BURIN_RUNTIME_API_DESCRIBE_OPERATION_H_
