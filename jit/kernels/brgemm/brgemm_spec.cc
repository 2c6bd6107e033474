#include "jit/kernels/brgemm/brgemm_spec.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/status_macros.h"

namespace burin::jit {
namespace {

constexpr int kMostUnroll = 16;
constexpr int kMostPrefetchLines = 16;

// What a displacement from a pointer may be, with room for the steps of one pass.
constexpr int64_t kMostOffset = int64_t{1} << 28;

absl::Status OutOfRange(absl::string_view field, int64_t value) {
  return absl::InvalidArgumentError(absl::StrCat("BrgemmSpec: a field is out of range: ", field, " = ", value));
}

absl::Status CheckRange(absl::string_view field, int64_t value, int64_t least, int64_t most) {
  return value < least || value > most ? OutOfRange(field, value) : absl::OkStatus();
}

absl::Status CheckRows(absl::string_view field, absl::Span<const int64_t> offsets, int rows) {
  if (!offsets.empty() && offsets.size() != static_cast<size_t>(rows)) {
    return absl::InvalidArgumentError(
        absl::StrCat("BrgemmSpec: not one offset for each row: ", field, ", ", offsets.size(), " for ", rows));
  }
  for (const int64_t offset : offsets) BURIN_RETURN_IF_ERROR(CheckRange(field, offset, -kMostOffset, kMostOffset));
  return absl::OkStatus();
}

void AppendOptional(Hasher& hasher, const std::optional<int64_t>& value) {
  hasher.UpdateInt(value.has_value());
  hasher.UpdateInt(value.value_or(0));
}

}  // namespace

absl::Status BrgemmSpec::Validate(const IsaSet& isa) const {
  if (type != ElementType::kF32) {
    return absl::UnimplementedError(absl::StrCat("Products of elements of this type: ", burin::Name(type)));
  }
  BURIN_RETURN_IF_ERROR(CheckRange("rows", rows, 1, kMaxRows));
  BURIN_RETURN_IF_ERROR(CheckRange("vectors", vectors, 1, kMaxRows));
  BURIN_RETURN_IF_ERROR(CheckRange("unroll", unroll, 1, kMostUnroll));
  BURIN_RETURN_IF_ERROR(CheckRange("prefetch_lines", prefetch_lines, 0, kMostPrefetchLines));
  BURIN_RETURN_IF_ERROR(CheckRange("depth", depth.value_or(0), 0, std::numeric_limits<int32_t>::max()));
  const int64_t most_step = kMostOffset / kMostUnroll / 2;
  BURIN_RETURN_IF_ERROR(CheckRange("a_step", a_step.value_or(0), -most_step, most_step));
  BURIN_RETURN_IF_ERROR(CheckRange("b_step", b_step.value_or(0), -most_step, most_step));
  BURIN_RETURN_IF_ERROR(CheckRows("a_rows", a_rows, rows));
  BURIN_RETURN_IF_ERROR(CheckRows("c_rows", c_rows, rows));
  for (const BrgemmTap& tap : taps) {
    BURIN_RETURN_IF_ERROR(CheckRange("a_offset", tap.a_offset, -kMostOffset, kMostOffset));
    BURIN_RETURN_IF_ERROR(CheckRange("b_offset", tap.b_offset, -kMostOffset, kMostOffset));
    BURIN_RETURN_IF_ERROR(CheckRange("tap.depth", tap.depth.value_or(0), 0, std::numeric_limits<int32_t>::max()));
  }
  if (repeated && partial) return absl::InvalidArgumentError("BrgemmSpec: repeated and partial exclude each other");
  const int registers = isa.Supports(IsaLevel::kAvx512) ? 32 : 16;
  if (VectorRegisters(isa) > registers) {
    return absl::InvalidArgumentError(absl::StrCat(
        "BrgemmSpec: the tile takes more vector registers than there are: ", VectorRegisters(isa), " of ", registers));
  }
  return absl::OkStatus();
}

int BrgemmSpec::VectorRegisters(const IsaSet& isa) const {
  const bool wide = isa.Supports(IsaLevel::kAvx512);
  const bool masked = partial && !b_padded;
  const int mask = masked && !wide ? 1 : 0;
  const int accumulators = rows * vectors;
  // Of one row, B is an operand in memory, where it can be read whole.
  if (rows == 1) return accumulators + 1 + (masked ? 1 : 0) + mask;
  const bool embedded = wide && (broadcast == BroadcastForm::kEmbedded || vectors == 1);
  return accumulators + vectors + (embedded ? 0 : 1) + mask;
}

std::string BrgemmSpec::Name() const {
  std::string name = absl::StrCat("brgemm_", rows, "x", vectors);
  if (depth.has_value()) absl::StrAppend(&name, "_k", *depth);
  if (taps.size() > 1) absl::StrAppend(&name, "_t", taps.size());
  if (partial) absl::StrAppend(&name, b_padded ? "_partial" : "_masked");
  if (start == BrgemmStart::kAddToC) absl::StrAppend(&name, "_add");
  if (repeated) absl::StrAppend(&name, "_repeated");
  return name;
}

Hash128 BrgemmSpec::ContentKey() const {
  Hasher hasher;
  hasher.UpdateInt(type);
  hasher.UpdateInt(rows);
  hasher.UpdateInt(vectors);
  hasher.UpdateInt(partial);
  hasher.UpdateInt(b_padded);
  AppendOptional(hasher, depth);
  hasher.UpdateInt(taps.size());
  for (const BrgemmTap& tap : taps) {
    hasher.UpdateInt(tap.a_offset);
    hasher.UpdateInt(tap.b_offset);
    hasher.UpdateInt(tap.rows);
    AppendOptional(hasher, tap.depth);
  }
  for (const std::vector<int64_t>* const offsets : {&a_rows, &c_rows}) {
    hasher.UpdateInt(offsets->size());
    for (const int64_t offset : *offsets) hasher.UpdateInt(offset);
  }
  AppendOptional(hasher, a_step);
  AppendOptional(hasher, b_step);
  hasher.UpdateInt(start);
  hasher.UpdateInt(broadcast);
  hasher.UpdateInt(unroll);
  hasher.UpdateInt(repeated);
  hasher.UpdateInt(prefetch_c);
  hasher.UpdateInt(prefetch_lines);
  return hasher.Finish();
}

}  // namespace burin::jit
