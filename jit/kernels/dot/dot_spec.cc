#include "jit/kernels/dot/dot_spec.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"

namespace burin::jit {
namespace {

// Chains of a sum, each in a lane.
constexpr int kChains = 16;

absl::Status CheckRange(absl::string_view field, int value, int most) {
  if (value >= 1 && value <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("DotSpec: a field is out of range: ", field, " = ", value));
}

}  // namespace

absl::Status DotSpec::Validate(const IsaSet& isa) const {
  if (type != ElementType::kF32) {
    return absl::UnimplementedError(absl::StrCat("Products of elements of this type: ", burin::Name(type)));
  }
  BURIN_RETURN_IF_ERROR(CheckRange("rows", rows, kMaxRows));
  BURIN_RETURN_IF_ERROR(CheckRange("group", group, kMaxGroup));
  const int registers = isa.Supports(IsaLevel::kAvx512) ? 32 : 16;
  if (VectorRegisters(isa) > registers) {
    return absl::InvalidArgumentError(absl::StrCat(
        "DotSpec: the tile takes more vector registers than there are: ", VectorRegisters(isa), " of ", registers));
  }
  return absl::OkStatus();
}

int DotSpec::VectorRegisters(const IsaSet& isa) const {
  const bool wide = isa.Supports(IsaLevel::kAvx512);
  const int parts = kChains / (wide ? 16 : 8);
  // Beside the accumulators: a vector of each row, or of each column if these are fewer; one of the others; a mask.
  return parts * rows * group + std::min(rows, group) + 1 + (wide ? 0 : 1);
}

std::string DotSpec::Name() const {
  return absl::StrCat("dot_", rows, "x", group, add_to_c ? "_add" : "", prefetch ? "_fetching" : "");
}

Hash128 DotSpec::ContentKey() const {
  Hasher hasher;
  hasher.UpdateInt(type);
  hasher.UpdateInt(rows);
  hasher.UpdateInt(group);
  hasher.UpdateInt(add_to_c);
  hasher.UpdateInt(prefetch);
  return hasher.Finish();
}

}  // namespace burin::jit
