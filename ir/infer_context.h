// What shape and type inference sees and says.
//
// An `InferContext` holds what is known of a node's inputs and receives what follows for its outputs. It is also the
// way in which values travel through ShapeOf arithmetic: an output may carry its exact content (`constant`) or, for
// small integer tensors, an interval per element (`content`). Not thread-safe; lives for one call.
#ifndef BURIN_IR_INFER_CONTEXT_H_
#define BURIN_IR_INFER_CONTEXT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"

namespace burin::ir {

class Model;

// Values of at most this many elements travel through inference.
inline constexpr int64_t kMaxPropagatedElements = 256;

// What is known of one value (an output of a node) before the model runs.
struct ValueInfo {
  ElementType type = ElementType::kUndefined;
  PartialShape shape = PartialShape::DynamicRank();
  // The exact content: of a Constant of any size, or of a small tensor computed from constants. Empty if unknown.
  Tensor constant;
  // For a rank-0 or rank-1 integer tensor of at most kMaxPropagatedElements elements: what is known of each element.
  // Set also where `constant` is, by the driver. nullopt if the element count is unknown.
  std::optional<PartialValue> content;

  friend bool operator==(const ValueInfo& a, const ValueInfo& b);
};

class InferContext {
 public:
  // `inputs[i]` is null for an absent input. Everything referred to outlives the context.
  InferContext(const Attributes& attributes, absl::Span<const ValueInfo* const> inputs, int32_t output_count,
               absl::Span<const std::unique_ptr<Model>> bodies = {});

  // Returns the op's attributes; T is the op's own struct.
  template <class T>
  const T& attributes() const {
    const T* typed = AttributesAs<T>(attributes_);
    BURIN_CHECK(typed != nullptr) << "attributes of another op";
    return *typed;
  }

  int64_t input_count() const { return static_cast<int64_t>(inputs_.size()); }
  // Returns whether input `i` is there at all.
  bool has_input(int64_t i) const { return i < input_count() && inputs_[static_cast<size_t>(i)] != nullptr; }
  const ValueInfo& input(int64_t i) const { return *inputs_[static_cast<size_t>(i)]; }
  ElementType input_type(int64_t i) const { return input(i).type; }
  const PartialShape& input_shape(int64_t i) const { return input(i).shape; }
  // Returns the exact content of input `i`, or null where it is not known (or absent).
  const Tensor* constant(int64_t i) const {
    return has_input(i) && input(i).constant.has_value() ? &input(i).constant : nullptr;
  }
  // Returns the elements of integer input `i` where all are known exactly (a scalar gives one), else nullopt.
  std::optional<std::vector<int64_t>> ConstantInts(int64_t i) const;
  // Returns the elements of integer input `i`, of rank 0 or 1, as intervals where their count is known and at most
  // kMaxPropagatedElements (elements of which nothing is known: the range of the type), else nullopt.
  std::optional<PartialValue> Content(int64_t i) const;

  absl::Span<const std::unique_ptr<Model>> bodies() const { return bodies_; }

  int64_t output_count() const { return static_cast<int64_t>(outputs_.size()); }
  // For ops whose number of outputs depends on attributes or bodies.
  void SetOutputCount(int64_t count) { outputs_.resize(static_cast<size_t>(count)); }
  void SetOutput(int64_t i, ElementType type, PartialShape shape);
  // Says what is known of output `i`'s elements, after SetOutput. Kept only for integer outputs of rank 0 or 1 and at
  // most kMaxPropagatedElements; the number of elements must be one that the shape allows.
  void SetContent(int64_t i, PartialValue content);
  // Says the exact content of output `i`; type and shape must agree with SetOutput.
  void SetConstant(int64_t i, Tensor value);
  ValueInfo& output(int64_t i) { return outputs_[static_cast<size_t>(i)]; }
  const ValueInfo& output(int64_t i) const { return outputs_[static_cast<size_t>(i)]; }
  std::vector<ValueInfo>& outputs() { return outputs_; }

  // Constraint checks. Each returns InvalidArgument that begins with `label` ("Softmax_c1") and tells what it saw.
  // Absent inputs and inputs of kUndefined type are skipped.
  // Returns the one element type of inputs [first, last]; kUndefined where none has one.
  absl::StatusOr<ElementType> SameType(absl::string_view label, int64_t first, int64_t last) const;
  absl::Status RequireIntegerType(absl::string_view label, int64_t input) const;
  absl::Status RequireFloatType(absl::string_view label, int64_t input) const;
  absl::Status RequireType(absl::string_view label, int64_t input, ElementType type) const;
  // Fails where the rank is known and another.
  absl::Status RequireRank(absl::string_view label, int64_t input, int64_t rank) const;
  // Fails where the rank is known and outside [min, max].
  absl::Status RequireRankBetween(absl::string_view label, int64_t input, int64_t min, int64_t max) const;

 private:
  const Attributes& attributes_;
  std::vector<const ValueInfo*> inputs_;
  std::vector<ValueInfo> outputs_;
  absl::Span<const std::unique_ptr<Model>> bodies_;
};

// What a cost function sees: attributes, inputs and outputs with static shapes, and body graphs.
class CostContext {
 public:
  CostContext(const Attributes& attributes, absl::Span<const ValueInfo* const> inputs,
              absl::Span<const ValueInfo> outputs, absl::Span<const std::unique_ptr<Model>> bodies = {})
      : attributes_(attributes), inputs_(inputs), outputs_(outputs), bodies_(bodies) {}
  template <class T>
  const T& attributes() const {
    const T* typed = AttributesAs<T>(attributes_);
    BURIN_CHECK(typed != nullptr) << "attributes of another op";
    return *typed;
  }
  int64_t input_count() const { return static_cast<int64_t>(inputs_.size()); }
  bool has_input(int64_t i) const { return i < input_count() && inputs_[static_cast<size_t>(i)] != nullptr; }
  const ValueInfo& input(int64_t i) const { return *inputs_[static_cast<size_t>(i)]; }
  int64_t output_count() const { return static_cast<int64_t>(outputs_.size()); }
  const ValueInfo& output(int64_t i) const { return outputs_[static_cast<size_t>(i)]; }
  // Return elements and bytes; 0 where the shape is not static.
  double InputElements(int64_t i) const;
  double OutputElements(int64_t i) const;
  double InputBytes() const;   // Of all inputs together.
  double OutputBytes() const;  // Of all outputs together.
  absl::Span<const std::unique_ptr<Model>> bodies() const { return bodies_; }

 private:
  const Attributes& attributes_;
  absl::Span<const ValueInfo* const> inputs_;
  absl::Span<const ValueInfo> outputs_;
  absl::Span<const std::unique_ptr<Model>> bodies_;
};

}  // namespace burin::ir

#endif  // BURIN_IR_INFER_CONTEXT_H_
