// The readable form of a model: printed into dumps and bug reports, parsed by pass tests.
//
//   model "toy" {
//     %0 "x" = Parameter() {shape = [?,3]} : f32[?,3]
//     %1 "w" = Constant() {value = f32[3]{1, 2, 0.5}} : f32[3]
//     %2 "y" = Add(%0, %1) : f32[?,3] names("y_out") from("Add_7")
//     %3 "out" = Result(%2) : f32[?,3]
//   }
//
// Each node stands on one line, after the nodes it reads: id, name, op, inputs (`%4.1` is output 1 of node 4, `_` an
// absent input), attributes that differ from their defaults, outputs' types, tensor names per output (`;` between
// outputs), original names, runtime info (`info("layout" = "NCHW", "options/mode" = "fast")`); then bodies as nested
// `model` blocks. An `info` line of its own is the model's. `variable "id" : f32[1]` declares a variable;
// `inputs(%3, %0)`, `results(...)` and `sinks(...)` tell the order of the signature where it is not that of the lines.
// Floats print with as many digits as they need to come back exactly, NaNs as their bits (`0x7fc00000`). Printing then
// parsing gives a model that is equal with names and ids.
//
// A text may leave out names (one is made from the op's), types (those given are checked against inference) and
// attributes, and may hold comments (`//` up to the end of the line). Stateless, thread-safe.
#ifndef BURIN_IR_TEXT_H_
#define BURIN_IR_TEXT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"

namespace burin::ir {

struct PrintOptions {
  // A constant with more elements prints as its type, shape and content hash: readable, but such a text does not parse.
  // Negative: print all elements.
  int64_t max_constant_elements = -1;
};

// Prints the model. InvalidArgument where it has a cycle.
absl::StatusOr<std::string> PrintModel(const Model& model, const PrintOptions& options = {});
// Prints one node as its line, for messages.
std::string PrintNode(const Model& model, NodeId id);

// Parses a text. InvalidArgument with line and column; hostile texts (deep nesting, huge ids, endless shapes) are
// refused before they cost memory.
absl::StatusOr<std::unique_ptr<Model>> ParseModel(absl::string_view text);

}  // namespace burin::ir

#endif  // BURIN_IR_TEXT_H_
