// Owns the work of a case that a body describes: memory for its parameters and results, filled, and what should come
// out.
//
// Use it where what is measured has any number of inputs and outputs; one input shape and one output are CaseBuffers.
// Used by one thread.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_BODY_WORK_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_BODY_WORK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/aligned_buffer.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/family.h"

namespace burin::kernel_bench {

class BodyWork {
 public:
  // Fills the parameters of `body`, which has static shapes, with random numbers, and computes its results by their
  // definition. Of the memory there is one copy, or as many as the cold mode needs. InvalidArgument for shapes that are
  // not static; else fails as ir::Evaluator does.
  static absl::StatusOr<std::shared_ptr<BodyWork>> Create(const ir::Model& body, const CaseOptions& options);

  const ir::Model& body() const { return *body_; }
  int copies() const { return static_cast<int>(inputs_.size()); }

  // Return the addresses of a copy, in the order of the parameters and the results, and their sizes.
  const std::vector<const void*>& inputs(int copy) const { return inputs_[static_cast<size_t>(copy)]; }
  const std::vector<void*>& outputs(int copy) const { return outputs_[static_cast<size_t>(copy)]; }
  const std::vector<int64_t>& input_bytes() const { return input_bytes_; }
  const std::vector<int64_t>& output_bytes() const { return output_bytes_; }

  // Returns the number of elements of the first result, in which work is counted, and the bytes of all operands.
  int64_t elements() const { return expected_.front().element_count(); }
  int64_t bytes() const;

  // Calls what does the work on copy 0, and compares. A result is right within 1e-4 x max(1, |reference|): as far as
  // other libraries' functions are from ours.
  Accuracy Check(const std::function<void()>& call) const;

  // Returns a phrase for reports.
  std::string Describe() const;

 private:
  explicit BodyWork(std::unique_ptr<ir::Model> body) : body_(std::move(body)) {}

  absl::Status Allocate(const CaseOptions& options);
  absl::Status FillAndExpect();

  std::unique_ptr<ir::Model> body_;
  AlignedBuffer memory_;
  std::vector<int64_t> input_bytes_;
  std::vector<int64_t> output_bytes_;
  // By copy.
  std::vector<std::vector<const void*>> inputs_;
  std::vector<std::vector<void*>> outputs_;
  std::vector<ir::Tensor> expected_;
};

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_BODY_WORK_H_
