#include "examples/text_generation/cached_decoder.h"

#include <cmath>
#include <numeric>

#include "absl/strings/str_cat.h"

namespace burin::text_generation {
namespace {

// Returns integers as a port takes them: a list, or a batch of one list.
absl::StatusOr<Tensor> Integers(const Port& port, const std::vector<int64_t>& values) {
  const auto count = static_cast<int64_t>(values.size());
  absl::StatusOr<Tensor> tensor =
      Tensor::Create(port.element_type, port.shape.rank() == 2 ? Shape{1, count} : Shape{count});
  if (!tensor.ok()) return tensor;
  for (size_t i = 0; i < values.size(); ++i) {
    if (port.element_type == ElementType::kI64) {
      tensor->mutable_data_as<int64_t>()[i] = values[i];
    } else {
      tensor->mutable_data_as<int32_t>()[i] = static_cast<int32_t>(values[i]);
    }
  }
  return tensor;
}

// Returns a cache without tokens, of one text.
absl::StatusOr<Tensor> EmptyCache(const CachePorts& cache) {
  Shape shape;
  for (int64_t axis = 0; axis < cache.past.shape.rank(); ++axis) {
    const Dimension& dimension = cache.past.shape[axis];
    shape.push_back(axis == cache.time_axis ? 0 : dimension.is_static() ? dimension.value() : 1);
  }
  return Tensor::Create(cache.past.element_type, shape);
}

// Maps the bits of f16 or bf16 to integers in the same order; NaNs (exponent and more) to -1.
int32_t OrderOf(uint16_t bits, uint16_t infinity) {
  if ((bits & 0x7fff) > infinity) return -1;
  return (bits & 0x8000) != 0 ? 0xffff - bits : bits + 0x8000;
}

}  // namespace

absl::StatusOr<int64_t> LargestOfLast(const Tensor& tensor, int64_t count) {
  if (count < 1 || tensor.element_count() < count) {
    return absl::InvalidArgumentError(absl::StrCat("Too few scores: ", tensor.element_count(), " of ", count));
  }
  const int64_t skipped = tensor.element_count() - count;
  int64_t best = -1;
  if (tensor.element_type() == ElementType::kF32) {
    const float* const values = tensor.data_as<float>() + skipped;
    for (int64_t i = 0; i < count; ++i) {
      if (!std::isnan(values[i]) && (best < 0 || values[i] > values[best])) best = i;
    }
  } else {
    const uint16_t* const values = tensor.data_as<uint16_t>() + skipped;
    const uint16_t infinity = tensor.element_type() == ElementType::kF16 ? 0x7c00 : 0x7f80;
    int32_t largest = -1;
    for (int64_t i = 0; i < count; ++i) {
      const int32_t order = OrderOf(values[i], infinity);
      if (order <= largest) continue;
      largest = order;
      best = i;
    }
  }
  if (best < 0) return absl::InvalidArgumentError("No score is a number");
  return best;
}

absl::StatusOr<CachedDecoder> CachedDecoder::Create(const CompiledModel& compiled) {
  absl::StatusOr<DecoderPorts> ports = FindDecoderPorts(compiled.inputs(), compiled.outputs());
  if (!ports.ok()) return ports.status();
  absl::StatusOr<InferRequest> last = compiled.CreateInferRequest();
  if (!last.ok()) return last.status();
  absl::StatusOr<InferRequest> next = compiled.CreateInferRequest();
  if (!next.ok()) return next.status();
  return CachedDecoder(*std::move(ports), *std::move(last), *std::move(next));
}

absl::Status CachedDecoder::SetInputs(const std::vector<int64_t>& tokens) {
  const auto set = [this](const Port& port, const absl::StatusOr<Tensor>& tensor) {
    return tensor.ok() ? next_.SetTensor(port, *tensor) : tensor.status();
  };
  absl::Status status = set(ports_.tokens, Integers(ports_.tokens, tokens));
  if (ports_.positions.has_value()) {
    std::vector<int64_t> positions(tokens.size());
    std::iota(positions.begin(), positions.end(), length_);
    status.Update(set(*ports_.positions, Integers(*ports_.positions, positions)));
  }
  if (ports_.mask.has_value()) {
    const std::vector<int64_t> ones(static_cast<size_t>(length_) + tokens.size(), 1);
    status.Update(set(*ports_.mask, Integers(*ports_.mask, ones)));
  }
  for (const CachePorts& cache : ports_.caches) {
    status.Update(set(cache.past, length_ == 0 ? EmptyCache(cache) : last_.GetTensor(cache.present)));
  }
  return status;
}

absl::StatusOr<int64_t> CachedDecoder::Append(const std::vector<int64_t>& tokens) {
  if (tokens.empty()) return absl::InvalidArgumentError("No tokens to append");
  absl::Status status = SetInputs(tokens);
  if (!status.ok()) return status;
  status = next_.Infer();
  if (!status.ok()) return status;
  absl::StatusOr<Tensor> logits = next_.GetTensor(ports_.logits);
  if (!logits.ok()) return logits.status();
  absl::StatusOr<Tensor> dense = logits->ToDense();
  if (!dense.ok()) return dense.status();
  const absl::StatusOr<int64_t> best = LargestOfLast(*dense, dense->shape().empty() ? 1 : dense->shape().back());
  if (!best.ok()) return best;
  std::swap(last_, next_);
  length_ += static_cast<int64_t>(tokens.size());
  return best;
}

absl::StatusOr<Tensor> CachedDecoder::Scores() {
  if (length_ == 0) return absl::FailedPreconditionError("No token was appended yet");
  return last_.GetTensor(ports_.logits);
}

}  // namespace burin::text_generation
