#include "snippets/anchor/anchored_body.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "snippets/decompose/decompose.h"
#include "snippets/decompose/primitive.h"

namespace burin::snippets {
namespace {

using ir::OpCode;

// Along which axes of the matrix a value varies.
struct Form {
  bool rows = false;
  bool columns = false;
};

absl::Status Unsupported(absl::string_view what, const ir::Node& node) {
  return absl::UnimplementedError(absl::StrCat(what, ": '", node.name(), "' (", node.op().name, ")"));
}

// Finds the forms of values that stand against the anchor's result.
class MatrixView {
 public:
  MatrixView(const ir::PartialShape& shape, int64_t column_axis) : shape_(shape), column_axis_(column_axis) {}

  // Unimplemented where the operand has none of the forms.
  absl::StatusOr<Form> FormOf(const ir::PartialShape& operand) const {
    const absl::Status refused = absl::UnimplementedError(
        absl::StrCat("An operand that is neither full nor of one value a column, a row or in all: ", operand.ToString(),
                     ", where columns are axis ", column_axis_, " of ", shape_.ToString()));
    if (!operand.has_rank() || operand.rank() > shape_.rank()) return refused;
    Form form;
    bool lacks_rows = false;
    for (int64_t axis = 0; axis < shape_.rank(); ++axis) {
      const int64_t own = axis - (shape_.rank() - operand.rank());
      const bool is_one = own < 0 || operand[own] == ir::Dimension(1);
      if (!is_one && !operand[own].MustEqual(shape_[axis])) return refused;
      // Whether there are rows or columns says nothing of an axis that is none.
      if (shape_[axis] == ir::Dimension(1)) continue;
      if (axis == column_axis_) {
        form.columns = !is_one;
      } else {
        (is_one ? lacks_rows : form.rows) = true;
      }
    }
    if (form.rows && lacks_rows) return refused;
    return form;
  }

  // Returns a constant of that form as a matrix.
  absl::StatusOr<ir::Tensor> Reshaped(const ir::Tensor& constant, const Form& form) const {
    if (form.rows && form.columns && column_axis_ + 1 != shape_.rank()) {
      return absl::UnimplementedError(
          absl::StrCat("A constant of the whole shape, whose columns do not lie side by "
                       "side: ",
                       constant.ToString()));
    }
    const int64_t count = constant.element_count();
    if (!form.columns || !form.rows) return constant.Reshaped({form.rows ? count : 1, form.rows ? 1 : count});
    // That of a constant is known, and so is what it equals.
    const int64_t columns = shape_[column_axis_].value();
    return constant.Reshaped({columns == 0 ? 0 : count / columns, columns});
  }

 private:
  const ir::PartialShape& shape_;
  const int64_t column_axis_;
};

// Writes an epilogue of the primitive operations on the anchor's result.
class EpilogueWriter {
 public:
  // `rest` is the decomposed body with the parameter `accumulators` in place of its anchor.
  EpilogueWriter(const ir::Model& rest, ir::Value accumulators, const MatrixView& view)
      : rest_(rest), view_(view), epilogue_(std::make_unique<ir::Model>(rest.name())) {
    accumulators_ = accumulators;
  }

  absl::Status Write() {
    const ir::Node& node = rest_.node(accumulators_.node);
    BURIN_ASSIGN_OR_RETURN(
        const ir::Value accumulators,
        epilogue_->AddParameter(node.name(), node.output(0).type, ShapeOf({/*rows=*/true, /*columns=*/true})));
    values_[accumulators_] = {accumulators, {/*rows=*/true, /*columns=*/true}};
    for (size_t i = 0; i < rest_.parameters().size(); ++i) {
      parameter_of_[rest_.parameters()[i]] = static_cast<int32_t>(i);
    }
    BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, rest_.TopologicalOrder());
    for (const ir::NodeId id : order) {
      if (rest_.node(id).op().Has(ir::kElementwise)) BURIN_RETURN_IF_ERROR(AddElementwise(rest_.node(id)));
    }
    for (const ir::NodeId id : rest_.results()) BURIN_RETURN_IF_ERROR(AddResult(rest_.node(id)));
    return absl::OkStatus();
  }

  std::unique_ptr<ir::Model> TakeEpilogue() { return std::move(epilogue_); }
  std::vector<int32_t> TakeInputs() { return std::move(inputs_); }

 private:
  struct MatrixValue {
    ir::Value value;
    Form form;
  };

  static ir::PartialShape ShapeOf(const Form& form) {
    return {form.rows ? ir::Dimension::Symbol("rows") : ir::Dimension(1),
            form.columns ? ir::Dimension::Symbol("columns") : ir::Dimension(1)};
  }

  // Returns what `reader` reads: something computed, or memory in the form that it is read in.
  absl::StatusOr<MatrixValue> Read(ir::Value value, const ir::Node& reader) {
    const auto computed = values_.find(value);
    if (computed != values_.end()) return computed->second;
    const ir::Node* source = &rest_.node(value.node);
    while (IsReshape(source->code()) && MovesOnlyOnes(rest_, *source)) source = &rest_.node(source->input(0).node);
    const bool is_constant = source->code() == OpCode::kConstant;
    const bool is_operand = is_constant || (source->code() == OpCode::kParameter && source->id() != accumulators_.node);
    if (!is_operand) return Unsupported("An operation that is not element-wise", rest_.node(value.node));
    const absl::StatusOr<Form> form = view_.FormOf(rest_.info(value).shape);
    if (!form.ok()) return Unsupported(form.status().message(), reader);
    // Some operations ask for scalars.
    const bool is_scalar = rest_.info(value).shape.rank() == 0;
    const auto key = std::make_tuple(source->id(), form->rows, form->columns, is_scalar);
    const auto known = operands_.find(key);
    if (known != operands_.end()) return MatrixValue{known->second, *form};
    ir::Value operand;
    if (is_constant) {
      const ir::Tensor& whole = source->output(0).constant;
      absl::StatusOr<ir::Tensor> constant = is_scalar ? whole.Reshaped({}) : view_.Reshaped(whole, *form);
      if (!constant.ok()) return Unsupported(constant.status().message(), reader);
      BURIN_ASSIGN_OR_RETURN(operand, epilogue_->AddConstant(*std::move(constant), source->name()));
    } else {
      BURIN_ASSIGN_OR_RETURN(operand, epilogue_->AddParameter(source->name(), source->output(0).type,
                                                              is_scalar ? ir::PartialShape{} : ShapeOf(*form)));
      inputs_.push_back(parameter_of_.at(source->id()));
    }
    operands_[key] = operand;
    return MatrixValue{operand, *form};
  }

  absl::Status AddElementwise(const ir::Node& node) {
    ir::NodeSpec spec;
    spec.op = &node.op();
    spec.attributes = node.attributes().Clone();
    spec.name = node.name();
    spec.original_names = node.original_names();
    Form form;
    for (const ir::Value& input : node.inputs()) {
      spec.inputs.push_back(ir::Value::None());
      if (!input.exists()) continue;
      BURIN_ASSIGN_OR_RETURN(const MatrixValue read, Read(input, node));
      spec.inputs.back() = read.value;
      form.rows = form.rows || read.form.rows;
      form.columns = form.columns || read.form.columns;
    }
    const absl::StatusOr<ir::NodeId> id = epilogue_->AddNode(std::move(spec));
    if (!id.ok()) return Unsupported(id.status().message(), node);
    values_[{node.id(), 0}] = {{*id, 0}, form};
    return absl::OkStatus();
  }

  absl::Status AddResult(const ir::Node& node) {
    const auto value = values_.find(node.input(0));
    if (value == values_.end()) {
      const ir::Node& source = rest_.node(node.input(0).node);
      const bool is_computed = source.code() != OpCode::kParameter && source.code() != OpCode::kConstant;
      return is_computed ? Unsupported("An operation that is not element-wise", source)
                         : Unsupported("A result that is not computed from the anchor's", node);
    }
    if (!value->second.form.rows || !value->second.form.columns) {
      return Unsupported("A result that is not of the anchor's shape", node);
    }
    return epilogue_->AddResult(value->second.value, node.name()).status();
  }

  const ir::Model& rest_;
  const MatrixView& view_;
  ir::Value accumulators_;
  std::unique_ptr<ir::Model> epilogue_;
  absl::flat_hash_map<ir::NodeId, int32_t> parameter_of_;
  // By value of rest_: what is computed.
  absl::flat_hash_map<ir::Value, MatrixValue> values_;
  // By parameter or constant of rest_, form, and whether it is a scalar.
  std::map<std::tuple<ir::NodeId, bool, bool, bool>, ir::Value> operands_;
  std::vector<int32_t> inputs_;
};

// Returns the one anchor, whose other outputs nobody reads.
absl::StatusOr<const ir::Node*> FindAnchor(const ir::Model& body) {
  const ir::Node* anchor = nullptr;
  for (const ir::NodeId id : body.NodeIds()) {
    if (!IsAnchor(body.node(id).op())) continue;
    if (anchor != nullptr) {
      return absl::InvalidArgumentError(absl::StrCat("More anchors than one: '", anchor->name(), "' and '",
                                                     body.node(id).name(), "' in \"", body.name(), "\""));
    }
    anchor = &body.node(id);
  }
  if (anchor == nullptr) return absl::InvalidArgumentError(absl::StrCat("No anchor: \"", body.name(), "\""));
  for (int32_t i = 1; i < static_cast<int32_t>(anchor->output_count()); ++i) {
    if (!body.UsesOf({anchor->id(), i}).empty()) return Unsupported("A second output of an anchor is read", *anchor);
  }
  return anchor;
}

absl::StatusOr<std::vector<int32_t>> FindAnchorInputs(const ir::Model& body, const ir::Node& anchor) {
  std::vector<int32_t> inputs;
  for (const ir::Value& input : anchor.inputs()) {
    inputs.push_back(-1);
    if (!input.exists()) continue;
    const std::vector<ir::NodeId>& parameters = body.parameters();
    const auto it = std::find(parameters.begin(), parameters.end(), input.node);
    if (it == parameters.end()) return Unsupported("An input of an anchor that is no parameter", anchor);
    inputs.back() = static_cast<int32_t>(it - parameters.begin());
  }
  return inputs;
}

// Returns OK where the anchor's result has columns.
absl::Status CheckColumns(const ir::Model& body, const ir::Node& anchor) {
  if (!anchor.output(0).shape.has_rank()) return Unsupported("An anchor of unknown rank", anchor);
  const bool is_by_vector = anchor.code() == OpCode::kMatMul && body.info(anchor.input(1)).shape.rank() < 2;
  return is_by_vector ? Unsupported("A product with a vector", anchor) : absl::OkStatus();
}

}  // namespace

bool IsAnchor(const ir::OpDef& op) {
  switch (op.code) {
    case OpCode::kMatMul:
    case OpCode::kConvolution:
    case OpCode::kGroupConvolution:
    case OpCode::kConvolutionBackpropData:
    case OpCode::kGroupConvolutionBackpropData:
    case OpCode::kMaxPool:
    case OpCode::kAvgPool:
      return true;
    default:
      return false;
  }
}

const ir::Node* AnchorOf(const ir::Model& body) {
  for (const ir::NodeId id : body.NodeIds()) {
    if (IsAnchor(body.node(id).op())) return &body.node(id);
  }
  return nullptr;
}

int64_t ColumnAxisOf(const ir::Node& anchor) {
  return anchor.code() == OpCode::kMatMul ? anchor.output(0).shape.rank() - 1 : 1;
}

absl::StatusOr<AnchoredBody> SplitAnchored(const ir::Model& body) {
  AnchoredBody split;
  BURIN_ASSIGN_OR_RETURN(split.anchor, FindAnchor(body));
  BURIN_ASSIGN_OR_RETURN(split.anchor_inputs, FindAnchorInputs(body, *split.anchor));
  BURIN_RETURN_IF_ERROR(CheckColumns(body, *split.anchor));
  const ir::ValueInfo& result = split.anchor->output(0);
  const std::unique_ptr<ir::Model> rest = body.Clone();
  BURIN_ASSIGN_OR_RETURN(const ir::Value accumulators,
                         rest->AddParameter(split.anchor->name(), result.type, result.shape));
  rest->ReplaceUses({split.anchor->id(), 0}, accumulators);
  rest->RemoveNode(split.anchor->id());
  // A rule that finds an operation wrong is one more reason why it is not of these forms.
  const absl::Status decomposed = Decompose(*rest);
  if (!decomposed.ok()) return absl::UnimplementedError(decomposed.message());
  const MatrixView view(result.shape, ColumnAxisOf(*split.anchor));
  EpilogueWriter writer(*rest, accumulators, view);
  BURIN_RETURN_IF_ERROR(writer.Write());
  split.epilogue = writer.TakeEpilogue();
  split.epilogue_inputs = writer.TakeInputs();
  return split;
}

}  // namespace burin::snippets
