#include "ir/reference_context.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/attributes.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::ir {

ReferenceContext::ReferenceContext(const Attributes& attributes, absl::Span<const Tensor> inputs,
                                   absl::Span<Tensor> outputs, absl::Span<const ElementType> output_types,
                                   const Environment& environment, absl::Span<const std::unique_ptr<Model>> bodies)
    : attributes_(attributes),
      inputs_(inputs),
      outputs_(outputs),
      output_types_(output_types),
      environment_(environment),
      bodies_(bodies) {
  BURIN_DCHECK_EQ(outputs.size(), output_types.size());
}

absl::Status ReferenceContext::AllocateOutput(int64_t i, const Shape& shape) {
  Tensor& output = outputs_[static_cast<size_t>(i)];
  if (output.has_value()) {
    if (output.shape() == shape) return absl::OkStatus();
    return absl::InternalError(absl::StrCat("Evaluation gives another shape than inference for output ", i, ": ",
                                            ToString(shape), ", not ", ToString(output.shape())));
  }
  BURIN_ASSIGN_OR_RETURN(output, Tensor::Create(output_type(i), shape));
  return absl::OkStatus();
}

void ReferenceContext::SetOutput(int64_t i, Tensor tensor) { outputs_[static_cast<size_t>(i)] = std::move(tensor); }

std::vector<double> ReferenceContext::InputAsDoubles(int64_t i) const {
  BURIN_DCHECK(input(i).is_dense());
  std::vector<double> values(static_cast<size_t>(input(i).element_count()));
  LoadRangeAsDouble(input(i).element_type(), input(i).data(), 0, input(i).element_count(), values.data());
  return values;
}

std::vector<int64_t> ReferenceContext::InputAsInts(int64_t i) const {
  BURIN_DCHECK(input(i).is_dense());
  std::vector<int64_t> values(static_cast<size_t>(input(i).element_count()));
  LoadRangeAsInt64(input(i).element_type(), input(i).data(), 0, input(i).element_count(), values.data());
  return values;
}

void ReferenceContext::StoreDoubles(int64_t i, absl::Span<const double> values) {
  BURIN_CHECK_EQ(static_cast<int64_t>(values.size()), output(i).element_count());
  StoreRangeFromDouble(output_type(i), output(i).mutable_data(), 0, output(i).element_count(), values.data());
}

void ReferenceContext::StoreInts(int64_t i, absl::Span<const int64_t> values) {
  BURIN_CHECK_EQ(static_cast<int64_t>(values.size()), output(i).element_count());
  StoreRangeFromInt64(output_type(i), output(i).mutable_data(), 0, output(i).element_count(), values.data());
}

absl::Status ReferenceContext::CheckCancelled() const {
  if (environment_.cancelled != nullptr && environment_.cancelled->load(std::memory_order_relaxed)) {
    return absl::CancelledError("Evaluation was cancelled");
  }
  return absl::OkStatus();
}

}  // namespace burin::ir
