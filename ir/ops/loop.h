// Loop: evaluates a body graph again and again.
//
// The body is closed: the port maps below say what its parameters take in each iteration and what becomes of its
// results. `LoopPortMap` is the same in a form that is quick to look up. Plain data.
#ifndef BURIN_IR_OPS_LOOP_H_
#define BURIN_IR_OPS_LOOP_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/attributes.h"

namespace burin::ir {

class Model;

// The attributes of Loop (opset5). Parameters and results of the body are named by their positions in its signature;
// inputs 0 and 1 of the node are the trip count and the condition.
struct LoopAttributes final : AttributesOf<LoopAttributes> {
  using AttributesOf::VisitAttributes;

  // For each parameter of the body: the input of the node that it takes (2 or above; for a parameter with a back edge:
  // in the first iteration), or -1 for the parameter that takes the number of the iteration.
  std::vector<int64_t> parameter_inputs;
  // For each parameter of the body: the result whose value it takes in the next iteration, or -1. Empty: none.
  std::vector<int64_t> back_edges;
  // The parameters that take a slice of their input in each iteration, six numbers each: parameter, axis, start,
  // stride, part_size, end. Iteration i takes part_size elements along the axis: from start + i * stride on where the
  // stride is positive, else up to start + i * stride, both in rising order. `start` and `end` (the last element that
  // iterations may touch) count from the end of the axis where negative.
  std::vector<int64_t> slices;
  // The result that says whether to go on after an iteration.
  int64_t condition_result = 0;
  // For each output of the node: the result that gives it, as of the last iteration.
  std::vector<int64_t> output_results;
  // The outputs that are joined from all iterations instead, three numbers each: output, axis, direction. A positive
  // direction appends each iteration's result, a negative one puts it in front.
  std::vector<int64_t> concatenations;

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("parameter_inputs", parameter_inputs);
    visitor.Visit("back_edges", back_edges);
    visitor.Visit("slices", slices);
    visitor.Visit("condition_result", condition_result);
    visitor.Visit("output_results", output_results);
    visitor.Visit("concatenations", concatenations);
  }
};

// One entry of LoopAttributes::slices.
struct LoopSlice {
  int64_t axis = 0;
  int64_t start = 0;
  int64_t stride = 1;     // Not zero.
  int64_t part_size = 1;  // Positive.
  int64_t end = -1;

  // Returns where the slice of that iteration begins along an axis of `size` elements. InvalidArgument, without a
  // label, where it does not lie inside.
  absl::StatusOr<int64_t> Begin(int64_t iteration, int64_t size) const;
};

// One entry of LoopAttributes::concatenations.
struct LoopConcatenation {
  int64_t axis = 0;
  bool in_front = false;  // Each iteration's result is put in front of those before.
};

// What LoopAttributes say, checked against the body.
struct LoopPortMap {
  std::vector<int64_t> inputs;                                   // By parameter; -1 for the iteration's number.
  std::vector<int64_t> back_edges;                               // By parameter; -1 for none.
  std::vector<std::optional<LoopSlice>> slices;                  // By parameter.
  std::vector<int64_t> results;                                  // By output.
  std::vector<std::optional<LoopConcatenation>> concatenations;  // By output.
  int64_t condition = 0;

  // Returns the parameter that keeps that result from one iteration to the next, or -1. Where no iteration runs, its
  // initial value is the output.
  int64_t MergedParameter(int64_t result) const;
};

// Reads the attributes of a Loop with that body. InvalidArgument, with label Loop_c2 or Loop_c6, where they name no
// parameters and results of the body or contradict each other. The inputs named are not checked against the node.
absl::StatusOr<LoopPortMap> ReadLoopPortMap(const LoopAttributes& attributes, const Model& body);

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_LOOP_H_
