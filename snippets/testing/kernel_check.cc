#include "snippets/testing/kernel_check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "testing/guarded_buffer.h"

namespace burin::snippets {
namespace {

constexpr size_t kScratchAlignment = 64;
// Up to so many pieces.
constexpr int64_t kPieces = 6;
// What outputs and scratch memory hold before: as a float a number, as a truth value none.
constexpr int kFilling = 0xa5;

// Is the memory of one run.
struct Placed {
  std::vector<GuardedBuffer> inputs;
  std::vector<GuardedBuffer> outputs;
  std::vector<GuardedBuffer> scratch;
};

absl::StatusOr<Placed> Place(absl::Span<const ir::Tensor> inputs, absl::Span<const ExpectedOutput> outputs,
                             size_t scratch_bytes, GuardedEnd end) {
  Placed placed;
  for (const ir::Tensor& input : inputs) {
    BURIN_ASSIGN_OR_RETURN(GuardedBuffer buffer, GuardedBuffer::Create(input.byte_size(), end));
    if (input.byte_size() > 0) std::memcpy(buffer.data(), input.data(), input.byte_size());
    placed.inputs.push_back(std::move(buffer));
  }
  for (const ExpectedOutput& output : outputs) {
    BURIN_ASSIGN_OR_RETURN(GuardedBuffer buffer, GuardedBuffer::Create(output.value.byte_size(), end));
    std::memset(buffer.data(), kFilling, buffer.size());
    placed.outputs.push_back(std::move(buffer));
  }
  scratch_bytes = (scratch_bytes + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
  BURIN_ASSIGN_OR_RETURN(GuardedBuffer buffer, GuardedBuffer::Create(scratch_bytes, end));
  placed.scratch.push_back(std::move(buffer));
  return placed;
}

// Returns ranges that together are [0, items), in random order.
std::vector<std::pair<int64_t, int64_t>> RandomPieces(int64_t items, std::mt19937_64& random) {
  std::vector<int64_t> cuts = {0, items};
  const auto count = static_cast<int64_t>(random() % static_cast<uint64_t>(kPieces));
  for (int64_t i = 0; i < count && items > 0; ++i) {
    cuts.push_back(static_cast<int64_t>(random() % static_cast<uint64_t>(items + 1)));
  }
  std::sort(cuts.begin(), cuts.end());
  std::vector<std::pair<int64_t, int64_t>> pieces;
  for (size_t i = 1; i < cuts.size(); ++i) pieces.emplace_back(cuts[i - 1], cuts[i]);
  std::shuffle(pieces.begin(), pieces.end(), random);
  return pieces;
}

// Runs the kernel; `shared`, if not null, is the output that lies in the memory of an input.
void RunPieces(const BodyKernel& kernel, const Placed& placed, const InPlace* shared, std::mt19937_64& random) {
  std::vector<const void*> in;
  std::vector<void*> out;
  for (const GuardedBuffer& buffer : placed.inputs) in.push_back(buffer.data());
  for (const GuardedBuffer& buffer : placed.outputs) out.push_back(buffer.data());
  if (shared != nullptr) {
    out[static_cast<size_t>(shared->output)] = placed.inputs[static_cast<size_t>(shared->input)].data();
  }
  const GuardedBuffer& scratch = placed.scratch.front();
  for (const auto& [begin, end] : RandomPieces(kernel.items(), random)) {
    std::memset(scratch.data(), kFilling, scratch.size());
    kernel.Run(in, out, scratch.data(), begin, end);
  }
}

absl::Status Differs(size_t output, size_t element, double got, const ExpectedOutput& expected, double wanted,
                     double bound) {
  return absl::InvalidArgumentError(
      absl::StrCat(absl::StrFormat("Output %d, element %d: got %.9g, expected %.9g within %.3g", output, element, got,
                                   wanted, bound),
                   "; ", Name(expected.value.element_type()), " of shape ", ir::ToString(expected.value.shape())));
}

// Compares one output of 64-bit integers, all of whose bits count.
absl::Status CompareI64(size_t index, const void* data, const ExpectedOutput& expected) {
  for (int64_t i = 0; i < expected.value.element_count(); ++i) {
    if (!expected.bounds.empty() && expected.bounds[static_cast<size_t>(i)] >= 1) continue;
    int64_t got = 0;
    int64_t wanted = 0;
    LoadRangeAsInt64(ElementType::kI64, data, i, 1, &got);
    LoadRangeAsInt64(ElementType::kI64, expected.value.data(), i, 1, &wanted);
    if (got == wanted) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("Output ", index, ", element ", i, ": got ", got, ", expected ", wanted, "; i64"));
  }
  return absl::OkStatus();
}

// Compares one output, and counts its elements.
absl::Status Compare(size_t index, const void* data, const ExpectedOutput& expected, ComparedElements* compared) {
  // The byte of a truth value is 0 or 1.
  const ElementType type =
      expected.value.element_type() == ElementType::kBoolean ? ElementType::kU8 : expected.value.element_type();
  const int64_t count = expected.value.element_count();
  std::vector<double> got(static_cast<size_t>(count));
  std::vector<double> wanted(got.size());
  LoadRangeAsDouble(type, data, 0, count, got.data());
  LoadRangeAsDouble(expected.value.element_type(), expected.value.data(), 0, count, wanted.data());
  const bool truth = expected.value.element_type() == ElementType::kBoolean;
  if (type == ElementType::kI64) BURIN_RETURN_IF_ERROR(CompareI64(index, data, expected));
  for (size_t i = 0; i < got.size(); ++i) {
    double bound = expected.bounds.empty() ? 0 : expected.bounds[i];
    if (!IsFloat(type)) bound = std::floor(bound);
    const bool unknown = truth ? bound >= 1 : std::isinf(bound);
    if (unknown) {
      ++compared->not_at_all;
      if (truth && got[i] > 1) return Differs(index, i, got[i], expected, wanted[i], bound);
      continue;
    }
    ++(bound <= 1e-3 * std::max(1.0, std::fabs(wanted[i])) ? compared->closely : compared->loosely);
    const bool same =
        std::isnan(wanted[i]) ? std::isnan(got[i]) : got[i] == wanted[i] || std::fabs(got[i] - wanted[i]) <= bound;
    if (!same) return Differs(index, i, got[i], expected, wanted[i], bound);
  }
  return absl::OkStatus();
}

// Checks that no input has changed but that which an output lies in.
absl::Status CompareInputs(const Placed& placed, absl::Span<const ir::Tensor> inputs, const InPlace* shared) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].byte_size() == 0 || (shared != nullptr && shared->input == static_cast<int>(i))) continue;
    if (std::memcmp(placed.inputs[i].data(), inputs[i].data(), inputs[i].byte_size()) != 0) {
      return absl::InvalidArgumentError(absl::StrCat("Input ", i, " has changed"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ComparedElements> CheckKernel(const BodyKernel& kernel, absl::Span<const ir::Tensor> inputs,
                                             absl::Span<const ExpectedOutput> expected,
                                             absl::Span<const InPlace> in_place, uint64_t seed) {
  std::mt19937_64 random(seed);
  BURIN_ASSIGN_OR_RETURN(const Placed first, Place(inputs, expected, kernel.scratch_bytes(), GuardedEnd::kLastByte));
  RunPieces(kernel, first, nullptr, random);
  ComparedElements compared;
  for (size_t k = 0; k < expected.size(); ++k) {
    BURIN_RETURN_IF_ERROR(Compare(k, first.outputs[k].data(), expected[k], &compared));
  }
  BURIN_RETURN_IF_ERROR(CompareInputs(first, inputs, nullptr));
  // All other runs give the same bits.
  for (size_t run = 0; run <= in_place.size(); ++run) {
    const InPlace* const shared = run == 0 ? nullptr : &in_place[run - 1];
    const std::string name = shared == nullptr
                                 ? "Operands behind an inaccessible page"
                                 : absl::StrCat("Output ", shared->output, " in the memory of input ", shared->input);
    BURIN_ASSIGN_OR_RETURN(const Placed placed,
                           Place(inputs, expected, kernel.scratch_bytes(), GuardedEnd::kFirstByte));
    RunPieces(kernel, placed, shared, random);
    for (size_t k = 0; k < expected.size(); ++k) {
      const bool moved = shared != nullptr && shared->output == static_cast<int>(k);
      const uint8_t* const got =
          moved ? placed.inputs[static_cast<size_t>(shared->input)].data() : placed.outputs[k].data();
      if (std::memcmp(got, first.outputs[k].data(), first.outputs[k].size()) == 0) continue;
      ComparedElements ignored;
      BURIN_RETURN_IF_ERROR(WithContext(Compare(k, got, expected[k], &ignored), name));
      return absl::InvalidArgumentError(absl::StrCat(name, ": output ", k, " is right, but of other bits"));
    }
    BURIN_RETURN_IF_ERROR(WithContext(CompareInputs(placed, inputs, shared), name));
  }
  return compared;
}

}  // namespace burin::snippets
