#include "ir/ops/family/scatter.h"

#include <type_traits>

#include "absl/numeric/int128.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/wrapping_arithmetic.h"

namespace burin::ir {
namespace {

// Combines two elements; kNone and kMean are not among the cases.
template <class T>
T Combine(ScatterReduction reduction, T old_value, T update) {
  switch (reduction) {
    case ScatterReduction::kSum:
      return WrapAdd(old_value, update);
    case ScatterReduction::kSub:
      return WrapSubtract(old_value, update);
    case ScatterReduction::kProd:
      return WrapMultiply(old_value, update);
    case ScatterReduction::kMin:
      return Smaller(old_value, update);
    case ScatterReduction::kMax:
      return Larger(old_value, update);
    case ScatterReduction::kNone:
    case ScatterReduction::kMean:
      break;
  }
  return update;
}

// Booleans, held as 0 and 1.
int64_t CombineBooleans(ScatterReduction reduction, int64_t old_value, int64_t update) {
  switch (reduction) {
    case ScatterReduction::kSum:
    case ScatterReduction::kMax:
      return old_value | update;
    case ScatterReduction::kProd:
    case ScatterReduction::kMin:
      return old_value & update;
    case ScatterReduction::kSub:
      return old_value ^ update;
    case ScatterReduction::kNone:
    case ScatterReduction::kMean:
      break;
  }
  return update;
}

// Applies all updates to `values` by `combine`. The first update of an element replaces it without `use_initial`.
template <class T, class F>
void ApplyAll(bool use_initial, const std::vector<T>& updates, const std::vector<int64_t>& targets,
              std::vector<T>& values, const F& combine) {
  std::vector<bool> started(values.size(), use_initial);
  for (size_t i = 0; i < targets.size(); ++i) {
    const size_t target = static_cast<size_t>(targets[i]);
    values[target] = started[target] ? combine(values[target], updates[i]) : updates[i];
    started[target] = true;
  }
}

// The sum of all that has met an element is divided by their number. `Sum` is wide enough not to overflow.
template <class Sum, class T>
void ApplyMean(bool use_initial, const std::vector<T>& updates, const std::vector<int64_t>& targets,
               std::vector<T>& values) {
  std::vector<Sum> sums(values.size(), Sum(0));
  std::vector<int64_t> counts(values.size(), 0);
  for (size_t i = 0; i < values.size() && use_initial; ++i) {
    sums[i] = Sum(values[i]);
    counts[i] = 1;
  }
  for (size_t i = 0; i < targets.size(); ++i) {
    sums[static_cast<size_t>(targets[i])] += Sum(updates[i]);
    ++counts[static_cast<size_t>(targets[i])];
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (counts[i] == 0) continue;
    if constexpr (std::is_same_v<Sum, double>) {
      values[i] = sums[i] / static_cast<double>(counts[i]);
    } else {
      const Sum count(counts[i]);
      const bool rounds_up = sums[i] < 0 && sums[i] % count != 0;  // Division truncates; the mean rounds down.
      values[i] = static_cast<T>(sums[i] / count - Sum(rounds_up ? 1 : 0));
    }
  }
}

// Applies the updates to numbers held as T: double, int64_t, or uint64_t for u64.
template <class T>
void ApplyToNumbers(ScatterReduction reduction, bool use_initial, const std::vector<T>& updates,
                    const std::vector<int64_t>& targets, std::vector<T>& values) {
  if (reduction == ScatterReduction::kMean) {
    ApplyMean<std::conditional_t<std::is_same_v<T, double>, double, absl::int128>>(use_initial, updates, targets,
                                                                                   values);
    return;
  }
  ApplyAll(use_initial, updates, targets, values,
           [reduction](T old_value, T update) { return Combine(reduction, old_value, update); });
}

std::vector<int64_t> IntsOf(const Tensor& tensor) {
  std::vector<int64_t> values(static_cast<size_t>(tensor.element_count()));
  LoadRangeAsInt64(tensor.element_type(), tensor.data(), 0, tensor.element_count(), values.data());
  return values;
}

}  // namespace

absl::Status ApplyUpdates(ReferenceContext& context, ScatterReduction reduction, bool use_initial,
                          const Tensor& updates, const std::vector<int64_t>& targets) {
  const ElementType type = context.input(0).element_type();
  if (reduction == ScatterReduction::kNone) {
    const Tensor& output = context.output(0);
    CopyAll(context.input(0), output);
    for (size_t i = 0; i < targets.size(); ++i) {
      CopyElements(type, updates.data(), static_cast<int64_t>(i), output.mutable_data(), targets[i], 1);
    }
    return absl::OkStatus();
  }
  if (IsFloat(type)) {
    std::vector<double> values = context.InputAsDoubles(0);
    std::vector<double> update_values(static_cast<size_t>(updates.element_count()));
    LoadRangeAsDouble(type, updates.data(), 0, updates.element_count(), update_values.data());
    ApplyToNumbers(reduction, use_initial, update_values, targets, values);
    context.StoreDoubles(0, values);
    return absl::OkStatus();
  }
  std::vector<int64_t> values = context.InputAsInts(0);
  const std::vector<int64_t> update_values = IntsOf(updates);
  if (type == ElementType::kBoolean) {
    ApplyAll(use_initial, update_values, targets, values,
             [reduction](int64_t old_value, int64_t update) { return CombineBooleans(reduction, old_value, update); });
  } else if (type == ElementType::kU64) {
    std::vector<uint64_t> unsigned_values(values.begin(), values.end());
    const std::vector<uint64_t> unsigned_updates(update_values.begin(), update_values.end());
    ApplyToNumbers(reduction, use_initial, unsigned_updates, targets, unsigned_values);
    values.assign(unsigned_values.begin(), unsigned_values.end());
  } else {
    ApplyToNumbers(reduction, use_initial, update_values, targets, values);
  }
  context.StoreInts(0, values);
  return absl::OkStatus();
}

Cost ScatterCost(const CostContext& context, int64_t updates_input, ScatterReduction reduction) {
  const double flops = reduction == ScatterReduction::kNone ? 0 : context.InputElements(updates_input);
  return Cost{flops, context.InputBytes(), context.OutputBytes()};
}

}  // namespace burin::ir
