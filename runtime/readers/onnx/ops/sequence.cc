// Sequences and optionals, which are resolved while the file is read: the model knows tensors alone.
//
// The length of a sequence and all positions must be known. An optional that holds something is that itself.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "runtime/readers/onnx/binding.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

using Elements = std::vector<ir::Value>;

// A sequence so long is split along an axis that nobody splits.
constexpr int64_t kMaxLength = int64_t{1} << 16;

// Returns the sequence that an input is; fails, and returns an empty one, where it is none.
Elements SequenceInput(NodeContext& node, int64_t input) {
  const std::shared_ptr<const Container> container = node.ContainerInput(input);
  if (container != nullptr && container->kind == Container::Kind::kSequence) return container->elements;
  node.Fail(absl::InvalidArgumentError(absl::StrCat("A sequence is needed: input ", input)));
  return {};
}

absl::Status FinishWithSequence(NodeContext& node, Elements elements) {
  auto container = std::make_shared<Container>();
  container->elements = std::move(elements);
  Binding binding;
  binding.container = std::move(container);
  node.SetBinding(0, std::move(binding));
  return node.status();
}

// Returns the position that an input gives among `count`, or `fallback` where it is absent.
size_t Position(NodeContext& node, int64_t input, size_t count, size_t fallback) {
  if (!node.HasInput(input)) return fallback;
  const std::optional<std::vector<int64_t>> position = node.IntsOf(node.Input(input));
  if (!position.has_value()) {
    node.Fail(absl::UnimplementedError("a position that is computed"));
    return 0;
  }
  const int64_t size = static_cast<int64_t>(count);
  const int64_t given = position->size() == 1 ? (*position)[0] : size;
  if (given < -size || given >= size) {
    node.Fail(absl::InvalidArgumentError(absl::StrCat("A position lies outside the sequence: ", given, " of ", size)));
    return 0;
  }
  return static_cast<size_t>(given < 0 ? given + size : given);
}

// Returns the lengths of the pieces into which SplitToSequence cuts an axis of `size` elements.
std::vector<int64_t> PieceLengths(NodeContext& node, const ir::Dimension& size) {
  std::optional<std::vector<int64_t>> given = std::vector<int64_t>{1};
  bool is_list = false;
  if (node.HasInput(1)) {
    given = node.IntsOf(node.Input(1));
    is_list = node.RankOf(node.Input(1)) != 0;
  }
  if (!given.has_value()) {
    node.Fail(absl::UnimplementedError("a split that is computed"));
    return {};
  }
  if (is_list) return *given;
  if (!size.is_static()) {
    node.Fail(absl::UnimplementedError("an axis of a size that is not known"));
    return {};
  }
  const int64_t length = given->front();
  if (length < 1) {
    node.Fail(absl::InvalidArgumentError(absl::StrCat("A piece must have elements: ", length)));
    return {};
  }
  if ((size.value() - 1) / length >= kMaxLength) {
    node.Fail(absl::UnimplementedError(absl::StrCat("a sequence of more tensors than ", kMaxLength)));
    return {};
  }
  std::vector<int64_t> lengths;
  for (int64_t left = size.value(); left > 0; left -= length) lengths.push_back(left < length ? left : length);
  return lengths;
}

// Returns what an input of SequenceMap gives to iteration `i`: an element, or the tensor itself.
Binding OperandOf(NodeContext& node, int64_t input, size_t i) {
  Binding operand;
  if (node.ContainerInput(input) == nullptr) {
    operand.value = node.Input(input);
    return operand;
  }
  const Elements elements = SequenceInput(node, input);
  if (i < elements.size()) {
    operand.value = elements[i];
  } else {
    node.Fail(absl::InvalidArgumentError(absl::StrCat("A sequence is shorter than the first: input ", input)));
  }
  return operand;
}

}  // namespace

absl::Status TranslateConcatFromSequence(NodeContext& node) {
  Elements elements = SequenceInput(node, 0);
  if (!node.ok()) return node.status();
  if (elements.empty()) return node.Invalid("A sequence without tensors cannot be concatenated");
  int64_t axis = node.IntAttribute("axis", 0);
  if (node.IntAttribute("new_axis", 0) != 0) {
    axis = node.NormalizeAxis(axis, node.KnownRank(elements[0]) + 1);
    for (ir::Value& element : elements) element = node.Unsqueeze(element, {axis});
  }
  return node.Finish({node.Concat(std::move(elements), axis)});
}

absl::Status TranslateOptional(NodeContext& node) {
  Binding binding;
  binding.container = node.ContainerInput(0);
  if (node.HasInput(0)) {
    binding.value = node.Input(0);
  } else if (binding.container == nullptr) {
    auto none = std::make_shared<Container>();
    none->kind = Container::Kind::kNone;
    binding.container = std::move(none);
  }
  node.SetBinding(0, std::move(binding));
  return node.status();
}

absl::Status TranslateOptionalGetElement(NodeContext& node) {
  Binding binding;
  binding.container = node.ContainerInput(0);
  if (binding.container == nullptr) return node.Finish({node.Input(0)});
  if (binding.container->kind == Container::Kind::kNone) return node.Invalid("The optional holds nothing");
  node.SetBinding(0, std::move(binding));
  return node.status();
}

absl::Status TranslateOptionalHasElement(NodeContext& node) {
  const std::shared_ptr<const Container> container = node.ContainerInput(0);
  const bool is_none = container != nullptr && container->kind == Container::Kind::kNone;
  const bool has_element = node.HasInput(0) || (container != nullptr && !is_none);
  return node.Finish({node.Scalar(ElementType::kBoolean, has_element ? 1 : 0)});
}

absl::Status TranslateSequenceAt(NodeContext& node) {
  const Elements elements = SequenceInput(node, 0);
  node.Input(1);
  const size_t position = Position(node, 1, elements.size(), 0);
  if (!node.ok()) return node.status();
  return node.Finish({elements[position]});
}

absl::Status TranslateSequenceConstruct(NodeContext& node) {
  Elements elements;
  for (int64_t i = 0; i < node.input_count(); ++i) elements.push_back(node.Input(i));
  if (elements.empty()) return node.Invalid("SequenceConstruct needs a tensor");
  for (const ir::Value element : elements) {
    if (node.TypeOf(element) != node.TypeOf(elements[0])) return node.Invalid("A sequence has one element type");
  }
  return FinishWithSequence(node, std::move(elements));
}

absl::Status TranslateSequenceEmpty(NodeContext& node) { return FinishWithSequence(node, {}); }

absl::Status TranslateSequenceErase(NodeContext& node) {
  Elements elements = SequenceInput(node, 0);
  if (!node.ok()) return node.status();
  if (elements.empty()) return node.Invalid("There is nothing to erase");
  const size_t position = Position(node, 1, elements.size(), elements.size() - 1);
  if (!node.ok()) return node.status();
  elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(position));
  return FinishWithSequence(node, std::move(elements));
}

// A position may be the end.
absl::Status TranslateSequenceInsert(NodeContext& node) {
  Elements elements = SequenceInput(node, 0);
  const ir::Value tensor = node.Input(1);
  if (!node.ok()) return node.status();
  size_t position = elements.size();
  if (node.IntsOf(node.OptionalInput(2)) != std::vector<int64_t>{static_cast<int64_t>(elements.size())}) {
    position = Position(node, 2, elements.size(), elements.size());
  }
  if (!node.ok()) return node.status();
  if (!elements.empty() && node.TypeOf(elements[0]) != node.TypeOf(tensor)) {
    return node.Invalid("A sequence has one element type");
  }
  elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(position), tensor);
  return FinishWithSequence(node, std::move(elements));
}

absl::Status TranslateSequenceLength(NodeContext& node) {
  const Elements elements = SequenceInput(node, 0);
  return node.Finish({node.Int(static_cast<int64_t>(elements.size()))});
}

// The body becomes part of the graph once for each element of the first sequence.
absl::Status TranslateSequenceMap(NodeContext& node) {
  const GraphMessage* const body = node.GraphAttribute("body");
  const size_t length = SequenceInput(node, 0).size();
  if (!node.ok()) return node.status();
  std::vector<Elements> outputs(static_cast<size_t>(node.output_count()));
  for (size_t i = 0; i < length; ++i) {
    std::vector<Binding> operands;
    for (int64_t k = 0; k < node.input_count(); ++k) operands.push_back(OperandOf(node, k, i));
    if (!node.ok()) return node.status();
    const absl::StatusOr<std::vector<Binding>> results =
        node.bodies().InlineBody(*body, std::move(operands), absl::StrCat(node.name(), "/", i));
    if (!results.ok()) {
      node.Fail(results.status());
      return node.status();
    }
    if (results->size() < outputs.size()) return node.Invalid("The body of a SequenceMap has too few outputs");
    for (size_t k = 0; k < outputs.size(); ++k) {
      if (!(*results)[k].value.exists()) return node.Invalid("The body of a SequenceMap gives no tensor");
      outputs[k].push_back((*results)[k].value);
    }
  }
  for (size_t k = 0; k < outputs.size(); ++k) {
    auto container = std::make_shared<Container>();
    container->elements = std::move(outputs[k]);
    Binding binding;
    binding.container = std::move(container);
    node.SetBinding(static_cast<int64_t>(k), std::move(binding));
  }
  return node.status();
}

// The axis goes where the pieces are single slices and keepdims is 0.
absl::Status TranslateSplitToSequence(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const int64_t axis = node.NormalizeAxis(node.IntAttribute("axis", 0), node.KnownRank(x));
  if (!node.ok()) return node.status();
  const std::vector<int64_t> lengths = PieceLengths(node, node.ShapeOf(x)[axis]);
  if (!node.ok()) return node.status();
  Elements pieces;
  if (!lengths.empty()) pieces = node.AddAll(ir::VariadicSplitOp(), {x, node.Int(axis), node.Ints(lengths)});
  if (!node.HasInput(1) && node.IntAttribute("keepdims", 1) == 0) {
    for (ir::Value& piece : pieces) piece = node.Squeeze(piece, {axis});
  }
  return FinishWithSequence(node, std::move(pieces));
}

}  // namespace burin::onnx
