// Reads the inputs of a node that must be known before its kernel is generated: axes, orders, patterns, scalars.
//
// For rules and checks on a Subgraph's body. Stateless, thread-safe.
#ifndef BURIN_SNIPPETS_DECOMPOSE_CONSTANT_INPUT_H_
#define BURIN_SNIPPETS_DECOMPOSE_CONSTANT_INPUT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"

namespace burin::snippets {

// Returns the elements of integer input `input`, or nullopt where they are not known or the input is absent.
std::optional<std::vector<int64_t>> ConstantIntegers(const ir::Model& model, const ir::Node& node, int64_t input);

// Returns whether the content of the input is known.
bool IsConstant(const ir::Model& model, const ir::Node& node, int64_t input);

// Returns the axes that input 1 names of input 0, sorted and not negative. Unimplemented where they or the rank are not
// known, InvalidArgument where one lies outside of the rank.
absl::StatusOr<std::vector<int64_t>> ConstantAxes(const ir::Model& model, const ir::Node& node);

// Returns Unimplemented that says `reason` of the node.
absl::Status CannotDecompose(absl::string_view reason, const ir::Node& node);

// Returns the rank of the value. Unimplemented, naming `node` which reads it, where it is not known.
absl::StatusOr<int64_t> KnownRank(const ir::Model& model, ir::Value value, const ir::Node& node);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_DECOMPOSE_CONSTANT_INPUT_H_
