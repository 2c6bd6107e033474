// Adds loops that go along axes of tensors: what Scan is, and what recurrences are made of.
#ifndef BURIN_RUNTIME_READERS_ONNX_OPS_SCAN_LOOP_H_
#define BURIN_RUNTIME_READERS_ONNX_OPS_SCAN_LOOP_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "ir/model.h"
#include "runtime/readers/onnx/graph_builder.h"

namespace burin::onnx {

// A tensor of which each iteration sees one element along an axis, from the first to the last or the other way.
struct ScanInput {
  ir::Value value;
  int64_t axis = 0;
  bool reversed = false;
};

// How elements of iterations become a tensor: side by side along a new axis, each behind or in front of those before.
struct ScanOutput {
  int64_t axis = 0;
  bool in_front = false;
};

// What a loop's body is connected to. Its parameters are, in this order: the states, an element of each input (without
// the axis), the captures. Its results are the next states and an element of each output.
struct ScanPorts {
  std::vector<ir::Value> states;
  std::vector<ScanInput> inputs;  // At least one, and all of them as long.
  std::vector<ir::Value> captures;
  std::vector<ScanOutput> outputs;
};

// Adds the loop, and returns the last states and the outputs. Negative axes count from the end. Fails where axes are
// outside of their tensors, ranks are not known, or the body does not fit.
std::vector<ir::Value> AddScan(GraphBuilder& builder, std::unique_ptr<ir::Model> body, const ScanPorts& ports);

// A body in the making. Errors are those of graph(), which AddScan() does not see: Take() tells them to the outer one.
class ScanBody {
 public:
  // `outer` outlives it.
  explicit ScanBody(GraphBuilder& outer)
      : outer_(outer),
        model_(std::make_unique<ir::Model>(outer.name())),
        graph_(model_.get(), &outer.budget(), outer.name(), outer.name()) {}

  GraphBuilder& graph() { return graph_; }
  // Adds the next parameter or result.
  ir::Value Parameter(const ir::ValueInfo& info);
  void Result(ir::Value value);
  // Returns the body; graph() is not to be used any more.
  std::unique_ptr<ir::Model> Take();

 private:
  GraphBuilder& outer_;
  std::unique_ptr<ir::Model> model_;
  GraphBuilder graph_;
};

// Returns what is known of an element of `input`: its shape without the axis. Fails as AddScan() does.
ir::ValueInfo InfoOfElement(GraphBuilder& builder, const ScanInput& input);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_OPS_SCAN_LOOP_H_
