#include "runtime/dev/sync_infer_request.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/shape.h"

namespace burin {

namespace {

const char* KindName(Slot::Kind kind) { return kind == Slot::Kind::kInput ? "Input" : "Output"; }

absl::Status CheckTensor(Slot slot, const Port& port, const ir::Tensor& tensor) {
  if (!tensor.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(KindName(slot.kind), " ", ToString(port), ": the tensor is empty"));
  }
  if (tensor.element_type() != port.element_type) {
    return absl::InvalidArgumentError(absl::StrCat(KindName(slot.kind), " ", ToString(port), ": expected element type ",
                                                   Name(port.element_type), ", given ", Name(tensor.element_type())));
  }
  if (!port.shape.Accepts(tensor.shape())) {
    return absl::InvalidArgumentError(absl::StrCat(KindName(slot.kind), " ", ToString(port), ": expected shape ",
                                                   port.shape.ToString(), ", given ", ir::ToString(tensor.shape())));
  }
  if (slot.kind == Slot::Kind::kOutput && tensor.read_only()) {
    return absl::FailedPreconditionError(
        absl::StrCat(KindName(slot.kind), " ", ToString(port), ": the tensor's memory is read-only"));
  }
  return absl::OkStatus();
}

// The addresses that a tensor's elements lie between.
struct AddressRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;
};

AddressRange AddressesOf(const ir::Tensor& tensor) {
  AddressRange range;
  if (tensor.element_count() == 0) return range;
  range.begin = reinterpret_cast<uintptr_t>(tensor.data());
  if (tensor.is_dense()) {
    range.end = range.begin + tensor.byte_size();
    return range;
  }
  range.end = range.begin + static_cast<uintptr_t>(BitWidth(tensor.element_type()) / 8);
  for (size_t i = 0; i < tensor.shape().size(); ++i) {
    // Unsigned arithmetic wraps: a negative stride moves the begin down.
    const uintptr_t reach = static_cast<uintptr_t>((tensor.shape()[i] - 1) * tensor.byte_strides()[i]);
    (tensor.byte_strides()[i] < 0 ? range.begin : range.end) += reach;
  }
  return range;
}

bool MayOverlap(const ir::Tensor& a, const ir::Tensor& b) {
  const AddressRange range_a = AddressesOf(a);
  const AddressRange range_b = AddressesOf(b);
  return range_a.begin < range_b.end && range_b.begin < range_a.end;
}

}  // namespace

ISyncInferRequest::ISyncInferRequest(const std::vector<Port>* inputs, const std::vector<Port>* outputs)
    : inputs_(inputs),
      outputs_(outputs),
      input_tensors_(inputs->size()),
      batches_(inputs->size()),
      output_tensors_(outputs->size()),
      user_outputs_(outputs->size(), false) {}

absl::Status ISyncInferRequest::SetTensor(Slot slot, const ir::Tensor& tensor) {
  const bool is_input = slot.kind == Slot::Kind::kInput;
  const Port& port = is_input ? (*inputs_)[slot.index] : (*outputs_)[slot.index];
  BURIN_RETURN_IF_ERROR(CheckTensor(slot, port, tensor));
  if (is_input) {
    input_tensors_[slot.index] = tensor;
    batches_[slot.index].reset();
  } else {
    output_tensors_[slot.index] = tensor;
    user_outputs_[slot.index] = true;
  }
  return absl::OkStatus();
}

absl::Status ISyncInferRequest::SetTensors(Slot slot, absl::Span<const ir::Tensor> tensors) {
  if (slot.kind != Slot::Kind::kInput) {
    return absl::InvalidArgumentError(absl::StrCat("Output ", ToString((*outputs_)[slot.index]),
                                                   ": only an input can be a batch of separate tensors"));
  }
  if (tensors.size() == 1) return SetTensor(slot, tensors[0]);
  BURIN_ASSIGN_OR_RETURN(BatchedTensor batch, BatchedTensor::Create((*inputs_)[slot.index], tensors));
  input_tensors_[slot.index] = batch.tensor();
  batches_[slot.index] = std::move(batch);
  return absl::OkStatus();
}

absl::StatusOr<ir::Tensor> ISyncInferRequest::GetTensor(Slot slot) {
  const bool is_input = slot.kind == Slot::Kind::kInput;
  const Port& port = is_input ? (*inputs_)[slot.index] : (*outputs_)[slot.index];
  ir::Tensor& tensor = is_input ? input_tensors_[slot.index] : output_tensors_[slot.index];
  if (is_input && batches_[slot.index].has_value()) {
    return absl::FailedPreconditionError(
        absl::StrCat(KindName(slot.kind), " ", ToString(port), " has been set as a batch of separate tensors"));
  }
  if (tensor.has_value()) return tensor;
  if (port.shape.is_dynamic()) {
    return absl::FailedPreconditionError(
        absl::StrCat(KindName(slot.kind), " ", ToString(port), " has a dynamic shape and no memory yet: ",
                     is_input ? "set a tensor first" : "it is there after the first inference"));
  }
  BURIN_ASSIGN_OR_RETURN(tensor, ir::Tensor::CreateZeroed(port.element_type, port.shape.ToShape()));
  if (!is_input) user_outputs_[slot.index] = true;  // The user may hold it: results must arrive there.
  return tensor;
}

absl::Status ISyncInferRequest::PrepareInputs() {
  for (size_t i = 0; i < input_tensors_.size(); ++i) {
    if (batches_[i].has_value()) {
      BURIN_RETURN_IF_ERROR(batches_[i]->Gather());
    } else if (!input_tensors_[i].has_value()) {
      const Port& port = (*inputs_)[i];
      if (port.shape.is_dynamic()) {
        return absl::InvalidArgumentError(absl::StrCat("Input ", ToString(port), " has not been set"));
      }
      BURIN_RETURN_IF_ERROR(GetTensor(Slot{Slot::Kind::kInput, i}).status());
    }
  }
  return absl::OkStatus();
}

absl::Status ISyncInferRequest::DeliverOutputs(std::vector<ir::Tensor> results) {
  // All that can fail comes first, so that a request that fails leaves every output as it was.
  for (size_t i = 0; i < results.size(); ++i) {
    // Static outputs keep one memory, so that a tensor obtained once shows every later result.
    if (outputs()[i].shape.is_static()) BURIN_RETURN_IF_ERROR(GetTensor(Slot{Slot::Kind::kOutput, i}).status());
    if (!IsUserOutput(i)) continue;
    const ir::Tensor& target = output_tensor(i);
    if (target.shape() != results[i].shape()) {
      return absl::InvalidArgumentError(
          absl::StrCat("Output ", ToString(outputs()[i]), ": the tensor that was set has shape ",
                       ir::ToString(target.shape()), ", the result has ", ir::ToString(results[i].shape())));
    }
  }
  for (size_t i = 0; i < results.size(); ++i) {
    // A result may share memory with an input or a constant. What the user does not have yet becomes a copy of its own,
    // to be written to at will; so does what lies where some output is written.
    bool needs_copy = !IsUserOutput(i);
    for (size_t j = 0; j < results.size() && !needs_copy; ++j) {
      needs_copy = IsUserOutput(j) && MayOverlap(results[i], output_tensor(j));
    }
    if (!needs_copy) continue;
    BURIN_ASSIGN_OR_RETURN(results[i], results[i].Copy());
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (IsUserOutput(i)) {
      BURIN_RETURN_IF_ERROR(results[i].CopyTo(output_tensor(i)));
    } else {
      SetOutputTensor(i, std::move(results[i]));
    }
  }
  return absl::OkStatus();
}

}  // namespace burin
