#include "runtime/plugins/cpu/constants/release_constants.h"

#include <sys/mman.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/ops/constant.h"
#include "ir/ops/op_code.h"
#include "ir/runtime_info.h"
#include "ir/storage.h"
#include "ir/tensor.h"

namespace burin::cpu {

namespace {

bool IsReleased(const ir::Tensor& value) {
  return value.byte_size() >= kLeastReleasedBytes && IsFloat(value.element_type());
}

// Returns zeros that take address space alone: what reads them reads one page that the system shares. Null where there
// is none left.
std::shared_ptr<void> Zeros(size_t bytes) {
  void* const zeros = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (zeros == MAP_FAILED) return nullptr;
  return std::shared_ptr<void>(zeros, [bytes](void* gone) { munmap(gone, bytes); });
}

}  // namespace

absl::Status ReleaseConstants(ir::Model* model) {
  std::vector<ir::NodeId> released;
  size_t most_bytes = 0;
  for (const ir::NodeId id : model->NodeIds()) {
    const ir::Node& node = model->node(id);
    if (node.code() != ir::OpCode::kConstant || !IsReleased(node.output(0).constant)) continue;
    released.push_back(id);
    most_bytes = std::max(most_bytes, node.output(0).constant.byte_size());
  }
  if (released.empty()) return absl::OkStatus();
  // All are of the same zeros.
  const std::shared_ptr<void> zeros = Zeros(most_bytes);
  if (zeros == nullptr) return absl::ResourceExhaustedError("No address space is left for released constants");
  for (const ir::NodeId id : released) {
    const ir::Node& node = model->node(id);
    const ir::Tensor& value = node.output(0).constant;
    auto attributes = std::make_unique<ir::ConstantAttributes>();
    BURIN_ASSIGN_OR_RETURN(attributes->value,
                           ir::Tensor::FromStorage(value.element_type(), value.shape(),
                                                   ir::Storage::Borrow(zeros, zeros.get(), value.byte_size())));
    ir::RuntimeInfo info = node.runtime_info();
    info[kContentReleasedKey] = "YES";
    model->SetAttributes(id, std::move(attributes));
    model->SetRuntimeInfo(id, std::move(info));
  }
  return model->InferFrom(released);
}

}  // namespace burin::cpu
