#include "ir/ops/family/elementwise.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/element_access.h"
#include "base/status_macros.h"
#include "ir/tensor.h"

namespace burin::ir {
namespace {

// Elements per block: small enough for the first-level cache, large enough that the cost per block does not count.
constexpr int64_t kBlock = 512;
constexpr size_t kMaxOperands = 8;
// Elements between two looks at the cancel flag.
constexpr int64_t kCancelInterval = int64_t{1} << 18;

absl::string_view Describe(TypeClass types) {
  switch (types) {
    case TypeClass::kAny:
      return "not string";
    case TypeClass::kNumeric:
      return "numeric";
    case TypeClass::kFloat:
      return "floating-point";
    case TypeClass::kInteger:
      return "integer";
    case TypeClass::kIntegerOrBoolean:
      return "integer or boolean";
    case TypeClass::kBoolean:
      return "boolean";
  }
  return "";
}

bool Belongs(ElementType type, TypeClass types) {
  const bool boolean = type == ElementType::kBoolean;
  switch (types) {
    case TypeClass::kAny:
      return boolean || IsFloat(type) || IsInteger(type);
    case TypeClass::kNumeric:
      return IsFloat(type) || IsInteger(type);
    case TypeClass::kFloat:
      return IsFloat(type);
    case TypeClass::kInteger:
      return IsInteger(type);
    case TypeClass::kIntegerOrBoolean:
      return boolean || IsInteger(type);
    case TypeClass::kBoolean:
      return boolean;
  }
  return false;
}

absl::StatusOr<PartialShape> InferBroadcast(const InferContext& context, absl::string_view op,
                                            const BroadcastRule& rule, TypeClass types) {
  const std::string c1 = absl::StrCat(op, "_c1");
  BURIN_RETURN_IF_ERROR(context.SameType(c1, 0, 1).status());
  BURIN_RETURN_IF_ERROR(RequireTypeClass(context, c1, 0, types));
  absl::StatusOr<PartialShape> shape = BroadcastOperands(rule, context.input_shape(0), context.input_shape(1));
  if (!shape.ok()) return absl::InvalidArgumentError(absl::StrCat(op, "_c2: ", shape.status().message()));
  return shape;
}

// One loop of the iteration space, and by how many elements each operand advances in it.
struct Loop {
  int64_t size = 1;
  int64_t strides[kMaxOperands] = {};
};

// Returns the loops over `shape`, innermost first, as few as possible; at least one.
std::vector<Loop> MakeLoops(const Shape& shape, absl::Span<const Operand> operands) {
  std::vector<Loop> loops;
  int64_t distance[kMaxOperands];
  std::fill_n(distance, kMaxOperands, 1);
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1) continue;
    Loop loop;
    loop.size = shape[i];
    bool merges = !loops.empty();
    for (size_t k = 0; k < operands.size(); ++k) {
      const int64_t dim = operands[k].shape[i];
      BURIN_CHECK(dim == shape[i] || dim == 1) << "operand " << k << " does not broadcast at " << i;
      if (dim != 1) loop.strides[k] = distance[k];
      distance[k] *= dim;
      if (merges) merges = loop.strides[k] == loops.back().strides[k] * loops.back().size;
    }
    if (merges) {
      loops.back().size *= loop.size;
    } else {
      loops.push_back(loop);
    }
  }
  if (loops.empty()) loops.emplace_back();
  return loops;
}

// The elements of one operand, or of the output, for one block.
struct Block {
  double reals[kBlock];
  int64_t integers[kBlock];

  void* data(Domain domain) { return domain == Domain::kReal ? static_cast<void*>(reals) : integers; }
};

// Loads `count` elements from `index` on, or that one element `count` times where `stride` is 0.
void LoadBlock(const Tensor& tensor, Domain domain, int64_t index, int64_t stride, int64_t count, Block* block) {
  const ElementType type = tensor.element_type();
  const int64_t loaded = stride == 0 ? 1 : count;
  if (domain == Domain::kReal) {
    LoadRangeAsDouble(type, tensor.data(), index, loaded, block->reals);
    if (stride == 0) std::fill_n(block->reals + 1, count - 1, block->reals[0]);
  } else {
    LoadRangeAsInt64(type, tensor.data(), index, loaded, block->integers);
    if (stride == 0) std::fill_n(block->integers + 1, count - 1, block->integers[0]);
  }
}

}  // namespace

absl::Status RequireTypeClass(const InferContext& context, absl::string_view label, int64_t input, TypeClass types) {
  const ElementType type = context.input_type(input);
  if (Belongs(type, types)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(label, ": type of input ", input, " must be ", Describe(types), "; got ", Name(type)));
}

Dimension FitContent(ElementType type, const Dimension& content) {
  const int bits = BitWidth(type);
  const bool is_signed = IsSignedInteger(type);
  if (content.is_static()) {
    const int64_t value = content.value();
    if (value == Dimension::kInfinite || value == -Dimension::kInfinite) return Dimension::AnyValue();
    if (bits == 64) return content;
    const uint64_t low = static_cast<uint64_t>(value) & ((uint64_t{1} << bits) - 1);
    const bool negative = is_signed && (low >> (bits - 1)) != 0;
    const int64_t wrapped = static_cast<int64_t>(low) - (negative ? int64_t{1} << bits : 0);
    return wrapped == value ? content : Dimension(wrapped);
  }
  if (bits == 64) {
    return !is_signed && content.min() < 0 ? Dimension::AnyValue() : content;
  }
  const int64_t min = is_signed ? -(int64_t{1} << (bits - 1)) : 0;
  const int64_t max = min + (int64_t{1} << bits) - 1;
  const bool low_fits = content.min() >= min || (is_signed && content.min() == -Dimension::kInfinite);
  const bool high_fits = content.max() <= max || content.max() == Dimension::kInfinite;
  return low_fits && high_fits ? content : Dimension::AnyValue();
}

bool ForEachContent(const InferContext& context, const PartialShape& shape, absl::Span<const int64_t> inputs,
                    absl::FunctionRef<void(int64_t, absl::Span<const Dimension> elements)> set) {
  if (!shape.is_static() || shape.rank() > 1) return false;
  const int64_t count = shape.rank() == 0 ? 1 : shape[0].value();
  if (count > kMaxPropagatedElements) return false;
  std::vector<PartialValue> contents;
  for (const int64_t input : inputs) {
    std::optional<PartialValue> content = context.Content(input);
    if (!content.has_value()) return false;
    const int64_t size = static_cast<int64_t>(content->size());
    if (size != count && size != 1) return false;
    contents.push_back(*std::move(content));
  }
  std::vector<Dimension> elements(inputs.size());
  for (int64_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < contents.size(); ++k) {
      elements[k] = contents[k][contents[k].size() == 1 ? 0 : static_cast<size_t>(i)];
    }
    set(i, elements);
  }
  return true;
}

absl::Status InferUnary(InferContext& context, absl::string_view op, TypeClass types, UnaryContent content) {
  BURIN_RETURN_IF_ERROR(RequireTypeClass(context, absl::StrCat(op, "_c1"), 0, types));
  const ElementType type = context.input_type(0);
  context.SetOutput(0, type, context.input_shape(0));
  if (content == nullptr || !IsInteger(type)) return absl::OkStatus();
  PartialValue values;
  if (ForEachContent(context, context.output(0).shape, {0}, [&](int64_t, absl::Span<const Dimension> elements) {
        const bool unknown = type == ElementType::kU64 && elements[0].min() < 0;  // Stands for a value from 2^63 on.
        values.push_back(unknown ? Dimension::AnyValue() : FitContent(type, content(elements[0])));
      })) {
    context.SetContent(0, std::move(values));
  }
  return absl::OkStatus();
}

absl::Status InferPredicate(InferContext& context, absl::string_view op, TypeClass types) {
  BURIN_RETURN_IF_ERROR(RequireTypeClass(context, absl::StrCat(op, "_c1"), 0, types));
  context.SetOutput(0, ElementType::kBoolean, context.input_shape(0));
  return absl::OkStatus();
}

absl::Status InferBinary(InferContext& context, absl::string_view op, const BroadcastRule& rule, TypeClass types,
                         BinaryContent content) {
  BURIN_ASSIGN_OR_RETURN(PartialShape shape, InferBroadcast(context, op, rule, types));
  const ElementType type = context.input_type(0);
  context.SetOutput(0, type, std::move(shape));
  if (content == nullptr || !IsInteger(type)) return absl::OkStatus();
  PartialValue values;
  if (ForEachContent(context, context.output(0).shape, {0, 1}, [&](int64_t, absl::Span<const Dimension> elements) {
        const bool negative = elements[0].min() < 0 || elements[1].min() < 0;
        const bool unknown = type == ElementType::kU64 && negative;  // Stands for a value from 2^63 on.
        values.push_back(unknown ? Dimension::AnyValue() : FitContent(type, content(elements[0], elements[1])));
      })) {
    context.SetContent(0, std::move(values));
  }
  return absl::OkStatus();
}

absl::Status InferComparison(InferContext& context, absl::string_view op, const BroadcastRule& rule, TypeClass types,
                             ComparisonContent content) {
  BURIN_ASSIGN_OR_RETURN(PartialShape shape, InferBroadcast(context, op, rule, types));
  context.SetOutput(0, ElementType::kBoolean, std::move(shape));
  if (content == nullptr || !IsInteger(context.input_type(0))) return absl::OkStatus();
  std::vector<int64_t> values;
  bool decided = true;
  const bool known =
      ForEachContent(context, context.output(0).shape, {0, 1}, [&](int64_t, absl::Span<const Dimension> elements) {
        const bool negative = elements[0].min() < 0 || elements[1].min() < 0;
        values.push_back(context.input_type(0) == ElementType::kU64 && negative ? -1
                                                                                : content(elements[0], elements[1]));
        decided = decided && values.back() >= 0;
      });
  if (!known || !decided) return absl::OkStatus();
  BURIN_ASSIGN_OR_RETURN(const Tensor constant,
                         Tensor::Create(ElementType::kBoolean, context.output(0).shape.ToShape()));
  StoreRangeFromInt64(ElementType::kBoolean, constant.mutable_data(), 0, constant.element_count(), values.data());
  context.SetConstant(0, constant);
  return absl::OkStatus();
}

Domain DomainOf(ElementType type) {
  if (IsFloat(type)) return Domain::kReal;
  return type == ElementType::kU64 ? Domain::kUnsigned : Domain::kSigned;
}

Operand OperandOf(const ReferenceContext& context, int64_t input, const BroadcastRule& rule) {
  const Tensor& tensor = context.input(input);
  return {input, DomainOf(tensor.element_type()),
          AlignShape(rule, tensor.shape(), static_cast<int64_t>(context.output(0).shape().size()))};
}

Operand ScalarOperandOf(const ReferenceContext& context, int64_t input) {
  return {input, DomainOf(context.input(input).element_type()), Shape(context.output(0).shape().size(), 1)};
}

absl::Status ComputeByBlocks(
    ReferenceContext& context, absl::Span<const Operand> operands, Domain out_domain,
    absl::FunctionRef<void(absl::Span<const void* const> in, void* out, int64_t count)> compute) {
  BURIN_CHECK(operands.size() <= kMaxOperands);
  const Tensor& output = context.output(0);
  if (output.element_count() == 0) return absl::OkStatus();
  const std::vector<Loop> loops = MakeLoops(output.shape(), operands);
  std::vector<Block> blocks(operands.size() + 1);
  Block& out = blocks.back();
  std::vector<const void*> in;
  for (size_t k = 0; k < operands.size(); ++k) in.push_back(blocks[k].data(operands[k].domain));

  std::vector<int64_t> position(loops.size(), 0);  // Of the outer loops; position[0] is not used.
  int64_t row_begin[kMaxOperands] = {};
  const int64_t row = loops[0].size;
  int64_t since_check = 0;
  for (int64_t done = 0; done < output.element_count(); done += row) {
    for (int64_t begin = 0; begin < row; begin += kBlock) {
      const int64_t count = std::min(kBlock, row - begin);
      for (size_t k = 0; k < operands.size(); ++k) {
        const int64_t stride = loops[0].strides[k];
        LoadBlock(context.input(operands[k].input), operands[k].domain, row_begin[k] + begin * stride, stride, count,
                  &blocks[k]);
      }
      compute(in, out.data(out_domain), count);
      if (out_domain == Domain::kReal) {
        StoreRangeFromDouble(output.element_type(), output.mutable_data(), done + begin, count, out.reals);
      } else {
        StoreRangeFromInt64(output.element_type(), output.mutable_data(), done + begin, count, out.integers);
      }
      since_check += count;
      if (since_check >= kCancelInterval) {
        BURIN_RETURN_IF_ERROR(context.CheckCancelled());
        since_check = 0;
      }
    }
    for (size_t level = 1; level < loops.size(); ++level) {
      for (size_t k = 0; k < operands.size(); ++k) row_begin[k] += loops[level].strides[k];
      if (++position[level] < loops[level].size) break;
      for (size_t k = 0; k < operands.size(); ++k) row_begin[k] -= loops[level].strides[k] * loops[level].size;
      position[level] = 0;
    }
  }
  return absl::OkStatus();
}

}  // namespace burin::ir
