#include "jit/kernels/brgemm/row_addresses.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"

namespace burin::jit {

RowAddresses::RowAddresses(Assembler& code, AbiFrame& frame, absl::Span<const int64_t> offsets, int rows,
                           const ArgField<int64_t>& stride, absl::string_view name)
    : code_(code), frame_(frame), offsets_(offsets.begin(), offsets.end()) {
  if (!offsets_.empty()) {
    pointers_.push_back(code.regs().Gpr(name));
    return;
  }
  for (int row = 0; row < rows; row += kRowsOfPointer) {
    pointers_.push_back(code.regs().Gpr(absl::StrCat(name, "_row", row)));
  }
  const int reached = std::min(rows, kRowsOfPointer);
  constexpr int kMultiples[] = {1, 3, 5};
  for (const int multiple : kMultiples) {
    if (reached > multiple) strides_.push_back(code.regs().Gpr(absl::StrCat(name, "_stride", multiple)));
  }
  if (strides_.empty()) return;
  frame.Load(strides_[0], stride);
  for (size_t i = 1; i < strides_.size(); ++i) {
    code.lea(strides_[i], ptr[strides_[0] + strides_[0] * (2 * static_cast<int>(i))]);
  }
}

void RowAddresses::SpreadPointers() {
  for (size_t i = 1; i < pointers_.size(); ++i) {
    // Seven rows are eight less one.
    code_.lea(pointers_[i], ptr[pointers_[i - 1] + strides_[0] * 8]);
    code_.sub(pointers_[i], strides_[0]);
  }
}

void RowAddresses::Advance(int64_t bytes) {
  if (bytes == 0) return;
  for (const GprReg& pointer : pointers_) code_.add(pointer, static_cast<int>(bytes));
}

void RowAddresses::Advance(const Operand& bytes) {
  for (const GprReg& pointer : pointers_) code_.add(pointer, bytes);
}

RowAddresses::Expression RowAddresses::ExpressionAt(int row, int64_t displacement) const {
  const int bytes = static_cast<int>(displacement);
  if (!offsets_.empty()) {
    return pointers_[0] + static_cast<int>(displacement + offsets_[static_cast<size_t>(row)]);
  }
  const GprReg& pointer = pointers_[static_cast<size_t>(row / kRowsOfPointer)];
  switch (row % kRowsOfPointer) {
    case 0:
      return pointer + bytes;
    case 3:
      return pointer + strides_[1] + bytes;
    case 5:
      return pointer + strides_[2] + bytes;
    case 6:
      return pointer + strides_[1] * 2 + bytes;
    default:
      return pointer + strides_[0] * (row % kRowsOfPointer) + bytes;
  }
}

Address RowAddresses::At(int row, int64_t displacement) const { return ptr[ExpressionAt(row, displacement)]; }

Address RowAddresses::BroadcastAt(int row, int64_t displacement) const {
  return ptr_b[ExpressionAt(row, displacement)];
}

}  // namespace burin::jit
