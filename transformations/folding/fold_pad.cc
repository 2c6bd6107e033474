// f(Pad(x, ...)) => f(x) with more padding of its own, where that is the same:
//
//   Convolution, GroupConvolution   the pad value is 0 (or -0: sums begin at 0 and so never are -0)
//   AvgPool                         likewise; padding counts in the divisor. Where it did not (exclude_pad), Pad's
//                                   elements did, so that the pool must have had no padding; then it counts from now on
//   MaxPool                         the pad value is minus infinity, of integers the smallest number, as padding is;
//                                   the positions are not read
//
// Exact where every weight is finite: an infinite one makes NaN of the zeros that Pad adds, nothing of padding; so the
// pass is one that rounds. Guards: the pads are known, none is negative (it would cut x), and there is none along batch
// and channels; their sums are amounts that f takes; f's own padding does not depend on the size (same_upper,
// same_lower); its number of windows does not depend on where padding begins (ceil_torch).
//
// Pad stays for its other readers. The number of readers of Pads decreases.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/avg_pool.h"
#include "ir/ops/convolution.h"
#include "ir/ops/family/window.h"
#include "ir/ops/group_convolution.h"
#include "ir/ops/max_pool.h"
#include "ir/ops/op_code.h"
#include "ir/ops/pad.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "transformations/folding/channel_constant.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/facts.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

// What Pad adds along the spatial axes.
struct SpatialPads {
  std::vector<int64_t> begin;
  std::vector<int64_t> end;
};

// Returns the pads along the spatial axes, or null and why there are none to fold.
std::optional<SpatialPads> SpatialPadsOf(const ir::Model& model, const ir::Node& pad, const char** why) {
  const std::optional<std::vector<int64_t>> begin = ExactIntegers(model.info(pad.input(1)));
  const std::optional<std::vector<int64_t>> end = ExactIntegers(model.info(pad.input(2)));
  *why = "the pads are not known";
  if (!begin.has_value() || !end.has_value() || begin->size() < 3 || begin->size() != end->size()) return std::nullopt;
  SpatialPads pads;
  for (size_t d = 0; d < begin->size(); ++d) {
    *why = "a pad is negative, or larger than a window takes";
    for (const int64_t amount : {(*begin)[d], (*end)[d]}) {
      if (amount < 0 || amount > ir::kMaxWindowParameter) return std::nullopt;
    }
    if (d >= 2) {
      pads.begin.push_back((*begin)[d]);
      pads.end.push_back((*end)[d]);
      continue;
    }
    *why = "batch or channels are padded";
    if ((*begin)[d] != 0 || (*end)[d] != 0) return std::nullopt;
  }
  return pads;
}

bool PadsWithZero(const ir::Model& model, const ir::Node& pad) {
  if (pad.input_count() < 4 || !pad.input(3).exists()) return true;
  const ir::Tensor& value = model.info(pad.input(3)).constant;
  return value.has_value() && LoadAsDouble(value.element_type(), value.data(), 0) == 0;
}

int64_t SmallestInteger(ElementType type) {
  return IsUnsignedInteger(type) ? 0 : std::numeric_limits<int64_t>::min() >> (64 - BitWidth(type));
}

bool PadsWithSmallest(const ir::Model& model, const ir::Node& pad) {
  const ElementType type = pad.output(0).type;
  if (pad.input_count() < 4 || !pad.input(3).exists()) return IsUnsignedInteger(type);
  const ir::Tensor& value = model.info(pad.input(3)).constant;
  if (!value.has_value()) return false;
  if (IsFloat(type)) {
    return IsWideFloat(type) && LoadAsDouble(type, value.data(), 0) == -std::numeric_limits<double>::infinity();
  }
  return IsInteger(type) && LoadAsInt64(type, value.data(), 0) == SmallestInteger(type);
}

bool HasPadding(const ir::WindowParameters& window) {
  if (window.auto_pad != ir::AutoPad::kExplicit) return window.auto_pad != ir::AutoPad::kValid;
  for (const std::vector<int64_t>* pads : {&window.pads_begin, &window.pads_end}) {
    for (const int64_t amount : *pads) {
      if (amount != 0) return true;
    }
  }
  return false;
}

// Adds the pads to those of the window; returns why that is impossible, or null.
const char* AddPads(const SpatialPads& pads, ir::WindowParameters* window) {
  if (window->auto_pad == ir::AutoPad::kSameUpper || window->auto_pad == ir::AutoPad::kSameLower) {
    return "the reader's padding depends on the size of its data";
  }
  if (window->auto_pad == ir::AutoPad::kValid) {
    window->pads_begin.clear();
    window->pads_end.clear();
  }
  window->auto_pad = ir::AutoPad::kExplicit;
  const auto add = [](const std::vector<int64_t>& amounts, std::vector<int64_t>* own) {
    own->resize(amounts.size(), 0);
    for (size_t i = 0; i < amounts.size(); ++i) {
      (*own)[i] += amounts[i];
      if ((*own)[i] > ir::kMaxWindowParameter) return false;
    }
    return true;
  };
  return add(pads.begin, &window->pads_begin) && add(pads.end, &window->pads_end) ? nullptr
                                                                                  : "the padding would be too large";
}

// Returns why the reader does not take the elements that Pad adds for its padding, or null.
const char* WhyNot(const ir::Model& model, const ir::Node& reader, const ir::Node& pad) {
  if (reader.code() == OpCode::kMaxPool) {
    if (!model.UsesOf(ir::Value{reader.id(), 1}).empty()) return "the positions of the largest elements are read";
    return PadsWithSmallest(model, pad) ? nullptr : "the pad value is not known to be the smallest number";
  }
  if (!PadsWithZero(model, pad)) return "the pad value is not known to be 0";
  if (reader.code() != OpCode::kAvgPool) return nullptr;
  const auto& attributes = reader.attributes_as<ir::AvgPoolAttributes>();
  return attributes.exclude_pad && HasPadding(attributes) ? "the pool does not count padding of its own" : nullptr;
}

// Returns the attributes of the reader with the pads added, or null and why that is impossible.
template <class T>
std::unique_ptr<ir::Attributes> Widened(const ir::Node& reader, const SpatialPads& pads, const char** why) {
  auto attributes = std::make_unique<T>(reader.attributes_as<T>());
  if constexpr (std::is_same_v<T, ir::AvgPoolAttributes>) attributes->exclude_pad = false;
  if constexpr (std::is_same_v<T, ir::AvgPoolAttributes> || std::is_same_v<T, ir::MaxPoolAttributes>) {
    *why = "windows may not begin in the padding";
    if (attributes->rounding_type == ir::RoundingType::kCeilTorch) return nullptr;
  }
  *why = AddPads(pads, attributes.get());
  if (*why != nullptr) return nullptr;
  return attributes;
}

std::unique_ptr<ir::Attributes> WidenedAttributes(const ir::Node& reader, const SpatialPads& pads, const char** why) {
  switch (reader.code()) {
    case OpCode::kConvolution:
      return Widened<ir::ConvolutionAttributes>(reader, pads, why);
    case OpCode::kGroupConvolution:
      return Widened<ir::GroupConvolutionAttributes>(reader, pads, why);
    case OpCode::kAvgPool:
      return Widened<ir::AvgPoolAttributes>(reader, pads, why);
    default:
      return Widened<ir::MaxPoolAttributes>(reader, pads, why);
  }
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> FoldPad(const ir::Model& model, ir::NodeId id,
                                                 const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  switch (node.code()) {
    case OpCode::kConvolution:
    case OpCode::kGroupConvolution:
    case OpCode::kAvgPool:
    case OpCode::kMaxPool:
      break;
    default:
      return std::nullopt;
  }
  const ir::Node& pad = model.node(node.input(0).node);
  if (pad.code() != OpCode::kPad) return Decline(context, id, "the data are not padded");
  if (pad.attributes_as<ir::PadAttributes>().pad_mode != ir::PadMode::kConstant) {
    return Decline(context, id, "the data are padded by elements of their own");
  }
  const char* why = nullptr;
  const std::optional<SpatialPads> pads = SpatialPadsOf(model, pad, &why);
  if (!pads.has_value()) return Decline(context, id, why);
  why = WhyNot(model, node, pad);
  if (why != nullptr) return Decline(context, id, why);
  std::unique_ptr<ir::Attributes> attributes = WidenedAttributes(node, *pads, &why);
  if (attributes == nullptr) return Decline(context, id, why);

  ir::Patch patch(model);
  ir::NodeSpec spec;
  spec.op = &node.op();
  spec.attributes = std::move(attributes);
  spec.inputs.assign(node.inputs().begin(), node.inputs().end());
  spec.inputs[0] = pad.input(0);
  spec.runtime_info = node.runtime_info();
  patch.Replace(ir::Value{id, 0}, ir::Value{patch.AddNode(std::move(spec)), 0});
  return patch;
}

}  // namespace burin::transformations
