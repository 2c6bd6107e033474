// Runs one operation on tensors without a model: for op tests, constant folding and value propagation.
//
// Stateless, thread-safe.
#ifndef BURIN_IR_EVALUATE_OP_H_
#define BURIN_IR_EVALUATE_OP_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/aligned_buffer.h"
#include "ir/attributes.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/reference_context.h"
#include "ir/tensor.h"

namespace burin::ir {

// Infers the outputs from what is known of the inputs (null: absent), and completes what the op's own `infer` leaves
// to the driver: arity and size checks; `content` for every small integer output with a `constant`, and the reverse
// where each element is exactly known; and, where every input's content is exactly known and small (for kShapeOnly ops:
// its shape is static) and the op is pure and has no bodies, `constant` of small outputs by running the reference.
// InvalidArgument that names the op and the constraint's label; Internal where an output is left without a type.
absl::StatusOr<std::vector<ValueInfo>> InferOp(const OpDef& op, const Attributes& attributes,
                                               absl::Span<const ValueInfo* const> inputs,
                                               absl::Span<const std::unique_ptr<Model>> bodies = {});

// Evaluates the op by its reference implementation on dense or strided inputs (an empty tensor is an absent input):
// infers with the actual shapes and values, allocates the outputs, runs, and checks that every output is there with the
// inferred type and a shape that inference accepts (Internal otherwise). Unimplemented where the op has no reference.
// Takes back all that `environment.scratch` lent, so a body runner must use scratch memory of its own.
absl::StatusOr<std::vector<Tensor>> EvaluateOp(const OpDef& op, const Attributes& attributes,
                                               absl::Span<const Tensor> inputs,
                                               const ReferenceContext::Environment& environment,
                                               absl::Span<const std::unique_ptr<Model>> bodies = {});

// As above, with scratch memory of its own and no cancel flag, body runner or variables.
absl::StatusOr<std::vector<Tensor>> EvaluateOp(const OpDef& op, const Attributes& attributes,
                                               absl::Span<const Tensor> inputs);

// Allocates scratch blocks from the heap and keeps them for the next lease. Not thread-safe.
class HeapScratchAllocator final : public ScratchAllocator {
 public:
  absl::StatusOr<void*> Lend(size_t bytes) override;
  void ReleaseAll() override;

 private:
  std::vector<AlignedBuffer> blocks_;
  size_t lent_ = 0;  // blocks_[0, lent_) are in use.
};

}  // namespace burin::ir

#endif  // BURIN_IR_EVALUATE_OP_H_
