// Loop: evaluates a body graph again and again.
//
// The body is closed: the port maps below say what its parameters take in each iteration and what becomes of its
// results. Plain data.
#ifndef BURIN_IR_OPS_LOOP_H_
#define BURIN_IR_OPS_LOOP_H_

#include <cstdint>
#include <vector>

#include "ir/attributes.h"

namespace burin::ir {

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

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_LOOP_H_
