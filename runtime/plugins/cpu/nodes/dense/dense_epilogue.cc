#include "runtime/plugins/cpu/nodes/dense/dense_epilogue.h"

#include <algorithm>

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "snippets/linear/in_place.h"
#include "snippets/linear/linear_ir.h"

namespace burin::cpu {

namespace {

bool IsFullOperand(const jit::EpilogueOperand& operand) { return operand.per_row && operand.per_column; }

// Returns the bytes from row to row of a dense operand.
int64_t RowStride(const jit::EpilogueOperand& operand, int64_t columns) {
  return (operand.per_column ? columns : 1) * static_cast<int64_t>(BitWidth(operand.type) / 8);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const DenseEpilogue>> DenseEpilogue::Create(const ir::Model& body,
                                                                           std::vector<int> inputs) {
  BURIN_ASSIGN_OR_RETURN(std::unique_ptr<snippets::Epilogue> epilogue, snippets::Epilogue::Create(body));
  for (const jit::EpilogueOperand& operand : epilogue->operands()) {
    if (!operand.is_output || IsFullOperand(operand)) continue;
    return absl::UnimplementedError(
        absl::StrCat("A result without an element for each row and column: ", epilogue->linear_ir().name));
  }
  return std::shared_ptr<const DenseEpilogue>(new DenseEpilogue(std::move(epilogue), std::move(inputs)));
}

bool DenseEpilogue::Reads(int input) const { return std::count(inputs_.begin(), inputs_.end(), input) > 0; }

bool DenseEpilogue::IsFull(int input) const {
  bool full = false;
  ForEachOperandOf(input, [&](size_t i) { full |= IsFullOperand(epilogue_->operands()[i]); });
  return full;
}

bool DenseEpilogue::MayRunInPlace(int input, int output) const {
  const snippets::LinearIr& ir = epilogue_->linear_ir();
  const auto count = static_cast<int32_t>(ir.operands.size());
  bool may = false;
  for (int32_t from = 0; from < count; ++from) {
    const snippets::LinearOperand& read = ir.operands[static_cast<size_t>(from)];
    // Port 0 are the accumulators.
    if (read.kind != snippets::OperandKind::kInput || read.port == 0) continue;
    const auto operand = static_cast<size_t>(read.port - 1);
    if (operand >= inputs_.size() || inputs_[operand] != input) continue;
    for (int32_t to = 0; to < count; ++to) {
      const snippets::LinearOperand& written = ir.operands[static_cast<size_t>(to)];
      if (written.kind != snippets::OperandKind::kOutput || written.port != output) continue;
      if (read.type != written.type || !snippets::MayShareMemory(ir, from, to)) return false;
      may = true;
    }
  }
  return may && IsFull(input);
}

int DenseEpilogue::SumsOutput() const {
  const absl::Span<const jit::EpilogueOperand> operands = epilogue_->operands();
  for (size_t i = FirstOutput(); i < operands.size(); ++i) {
    if (operands[i].type == ElementType::kF32) return static_cast<int>(i - FirstOutput());
  }
  return -1;
}

void DenseEpilogue::Resolve(absl::Span<const void* const> inputs, absl::Span<void* const> outputs, int64_t columns,
                            jit::EpiloguePlace* places) const {
  const absl::Span<const jit::EpilogueOperand> operands = epilogue_->operands();
  const size_t first_output = FirstOutput();
  for (size_t i = 0; i < operands.size(); ++i) {
    const void* data = nullptr;
    if (i < inputs_.size()) {
      data = inputs[static_cast<size_t>(inputs_[i])];
    } else if (i < first_output) {
      data = epilogue_->constants()[i - inputs_.size()].data();
    } else {
      data = outputs[i - first_output];
    }
    // The code writes to outputs alone.
    places[i] = {const_cast<void*>(data), RowStride(operands[i], columns)};
  }
}

}  // namespace burin::cpu
