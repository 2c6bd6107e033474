// Compares and hashes models by structure: what they compute, not how their nodes are numbered.
//
// Stateless, thread-safe.
#ifndef BURIN_IR_STRUCTURAL_H_
#define BURIN_IR_STRUCTURAL_H_

#include "absl/status/status.h"
#include "base/hash.h"
#include "ir/model.h"

namespace burin::ir {

struct StructuralOptions {
  // Node names, output names and original names count too (parameter and result order always counts).
  bool compare_names = false;
  // Constants count by content; otherwise by type and shape alone.
  bool compare_constants = true;
};

// Returns OK where both models compute the same by structure: same ops, attributes, edges, bodies, constants, in the
// order in which results reach them. Otherwise InvalidArgument telling the first difference and both nodes' names.
absl::Status CompareStructure(const Model& a, const Model& b, const StructuralOptions& options = {});

// Returns a hash that is equal for models for which CompareStructure is OK, and stable across processes and builds:
// topology, op names and opsets, attributes, element types, parameter shapes, variables, constants' content.
// Constants' hashes are cached in their Storage. InvalidArgument where the model has a cycle.
absl::StatusOr<Hash128> StructuralHash(const Model& model, const StructuralOptions& options = {});

// Returns a hash of all attributes of one op, values included.
Hash128 HashAttributes(const Attributes& attributes);
// Returns whether both are of one type and all attributes are equal (NaN equals NaN of the same bits).
bool AttributesEqual(const Attributes& a, const Attributes& b);

}  // namespace burin::ir

#endif  // BURIN_IR_STRUCTURAL_H_
