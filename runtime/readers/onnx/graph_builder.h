// Adds operations to a model with the first error remembered, so that a translation reads as the formula it stands for.
//
//   Value variance = b.Mean(b.Times(d, d), axes);
//   return b.Over(d, b.Add(ir::SqrtOp(), {b.Plus(variance, epsilon)}));
//
// After an error everything is a no-op that returns Value::None(), and status() tells the first one: check it at the
// end, and before a loop whose bounds come from a file. Every value that is added is charged to the read's budget. Not
// for passes, which return patches (ir/rewrite.h). Not thread-safe.
#ifndef BURIN_RUNTIME_READERS_ONNX_GRAPH_BUILDER_H_
#define BURIN_RUNTIME_READERS_ONNX_GRAPH_BUILDER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "runtime/readers/onnx/message/read_budget.h"

namespace burin::onnx {

class GraphBuilder {
 public:
  // Both outlive the builder. New nodes are named `name`/Op and carry `original_name`.
  GraphBuilder(ir::Model* model, ReadBudget* budget, std::string name, std::string original_name);

  GraphBuilder(const GraphBuilder&) = delete;
  GraphBuilder& operator=(const GraphBuilder&) = delete;

  // ---- Errors ----

  // Returns the first error.
  const absl::Status& status() const { return status_; }
  bool ok() const { return status_.ok(); }
  // Remembers `status` unless it is OK or there was an error before.
  void Fail(absl::Status status);

  // ---- What is known ----

  ir::Model& model() { return *model_; }
  ReadBudget& budget() { return *budget_; }
  const std::string& name() const { return name_; }
  // Return what inference knows; of an absent value: the undefined type and dynamic rank.
  const ir::ValueInfo& Info(ir::Value value) const;
  ElementType TypeOf(ir::Value value) const { return Info(value).type; }
  const ir::PartialShape& ShapeOf(ir::Value value) const { return Info(value).shape; }
  // Returns the rank, or nullopt where it is not known.
  std::optional<int64_t> RankOf(ir::Value value) const;
  // Returns the rank; fails with Unimplemented where it is not known, and returns 0 then.
  int64_t KnownRank(ir::Value value);
  // Returns the axis as a number in [0, rank); fails where it is outside [-rank, rank).
  int64_t NormalizeAxis(int64_t axis, int64_t rank);
  // Returns the content where it is known exactly, or null.
  const ir::Tensor* ConstantOf(ir::Value value) const;
  // Returns the elements of an integer value where they are known exactly.
  std::optional<std::vector<int64_t>> IntsOf(ir::Value value) const;
  // Returns the only element of a floating-point or integer value where it is known exactly.
  std::optional<double> NumberOf(ir::Value value) const;

  // ---- Adding ----

  // Adds an operation and returns its first output, or all outputs.
  ir::Value Add(const ir::OpDef& op, std::vector<ir::Value> inputs,
                std::unique_ptr<ir::Attributes> attributes = nullptr);
  std::vector<ir::Value> AddAll(const ir::OpDef& op, std::vector<ir::Value> inputs,
                                std::unique_ptr<ir::Attributes> attributes = nullptr,
                                std::vector<std::unique_ptr<ir::Model>> bodies = {});

  ir::Value Constant(ir::Tensor value);
  // Adds an i64 vector, an i64 scalar, or a scalar of any numeric type (the number rounded once).
  ir::Value Ints(absl::Span<const int64_t> values);
  ir::Value Int(int64_t value);
  ir::Value Scalar(ElementType type, double value);
  // Adds a scalar of the type that `like` has.
  ir::Value ScalarLike(ir::Value like, double value) { return Scalar(TypeOf(like), value); }

  // Arithmetic with NumPy's broadcasting.
  ir::Value Plus(ir::Value a, ir::Value b);
  ir::Value Minus(ir::Value a, ir::Value b);
  ir::Value Times(ir::Value a, ir::Value b);
  ir::Value Over(ir::Value a, ir::Value b);

  // Returns `value` itself where it has that type already.
  ir::Value Convert(ir::Value value, ElementType type);
  // Returns the sizes as an i64 vector.
  ir::Value SizesOf(ir::Value value);
  // Returns the sizes of axes [begin, end) as an i64 vector.
  ir::Value SizesOf(ir::Value value, int64_t begin, int64_t end);
  // Returns the size of one axis as an i64 scalar.
  ir::Value SizeOf(ir::Value value, int64_t axis);
  // Reshapes to `sizes`, an i64 vector in which -1 stands for the rest (0 is a size of zero).
  ir::Value Reshape(ir::Value value, ir::Value sizes);
  ir::Value Reshape(ir::Value value, absl::Span<const int64_t> sizes);
  // Reshapes one element to a scalar.
  ir::Value ToScalar(ir::Value value);
  ir::Value Squeeze(ir::Value value, absl::Span<const int64_t> axes);
  ir::Value Unsqueeze(ir::Value value, absl::Span<const int64_t> axes);
  ir::Value Transpose(ir::Value value, absl::Span<const int64_t> order);
  ir::Value Concat(std::vector<ir::Value> values, int64_t axis);
  // Broadcasts to `sizes`, an i64 vector, by NumPy's rule.
  ir::Value Broadcast(ir::Value value, ir::Value sizes);
  // Takes elements [begin, end) along one axis; an end past the size stops there.
  ir::Value Slice(ir::Value value, int64_t axis, int64_t begin, int64_t end);
  // Likewise, with bounds that are known at run time only: i64 vectors of one element.
  ir::Value Slice(ir::Value value, int64_t axis, ir::Value begin, ir::Value end);
  // Returns begin, begin + 1, ... up to but not including end, all of them i64; begin and end are scalars.
  ir::Value Range(ir::Value begin, ir::Value end);
  // Multiplies matrices: the last two axes, swapped where they are to be; those before broadcast.
  ir::Value MatMul(ir::Value a, ir::Value b, bool transpose_a = false, bool transpose_b = false);
  // Averages or sums over axes, which stay with size 1.
  ir::Value Mean(ir::Value value, absl::Span<const int64_t> axes);
  ir::Value Sum(ir::Value value, absl::Span<const int64_t> axes);

 private:
  ir::Model* const model_;
  ReadBudget* const budget_;
  const std::string name_;
  const std::string original_name_;
  absl::Status status_;
};

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_GRAPH_BUILDER_H_
