#include "snippets/tokenize/tokenize_testlib.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/evaluator.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "ir/verifier.h"
#include "snippets/anchor/anchored_body.h"
#include "snippets/testing/random_inputs.h"
#include "snippets/tokenize/anchor/checked_epilogues.h"
#include "snippets/tokenize/legality.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

// Writes a graph as text, line by line.
class GraphWriter {
 public:
  GraphWriter(std::mt19937_64& random, const RandomGraphOptions& options) : random_(random), options_(options) {}

  std::string Write() {
    for (int i = 0; i < 3; ++i) AddParameter();
    for (int i = 0; i < options_.ops; ++i) AddOp();
    // What nobody reads is a result, and so is some of the rest.
    const size_t count = values_.size();
    bool any = false;
    for (size_t i = 0; i < count; ++i) {
      if (values_[i].reads > 0 && (Below(20) != 0 || values_[i].is_parameter)) continue;
      any = true;
      Line("Result", {values_[i].id});
    }
    if (!any) Line("Result", {values_.back().id});
    return absl::StrCat("model \"random\" {\n", text_, "}\n");
  }

 private:
  struct GraphValue {
    int id = 0;
    // Of each of the three dimensions, whether its extent is 1.
    bool one[3] = {false, false, false};
    bool is_parameter = false;
    int reads = 0;
  };

  size_t Below(size_t count) { return static_cast<size_t>(random_() % count); }

  int Line(const std::string& op, const std::vector<int>& inputs, const std::string& attributes = "") {
    const int id = next_++;
    absl::StrAppend(&text_, "  %", id, " \"n", id, "\" = ", op, "(",
                    absl::StrJoin(inputs, ", ", [](std::string* out, int input) { absl::StrAppend(out, "%", input); }),
                    ")", attributes.empty() ? "" : absl::StrCat(" {", attributes, "}"), "\n");
    return id;
  }

  int Integers(const std::string& list, int count) {
    return Line("Constant", {}, absl::StrCat("value = i64[", count, "]{", list, "}"));
  }

  void AddParameter() {
    static constexpr const char* kStatic[] = {"3", "4", "5"};
    static constexpr const char* kDynamic[] = {"a", "4", "c"};
    static constexpr const char* kUnknown[] = {"?", "4", "?"};
    const auto& extents = !options_.dynamic ? kStatic : options_.unknown ? kUnknown : kDynamic;
    GraphValue value;
    value.is_parameter = true;
    std::vector<std::string> dims;
    for (size_t i = 0; i < 3; ++i) {
      value.one[i] = !values_.empty() && Below(3) == 0;
      dims.push_back(value.one[i] ? "1" : extents[i]);
    }
    value.id = Line("Parameter", {}, absl::StrCat("element_type = f32, shape = [", absl::StrJoin(dims, ", "), "]"));
    values_.push_back(value);
  }

  // Mostly one of the last, so that chains come about.
  size_t Pick() {
    const size_t back = Below(3) == 0 ? Below(values_.size()) : Below(std::min<size_t>(values_.size(), 4));
    const size_t index = values_.size() - 1 - back;
    ++values_[index].reads;
    return index;
  }

  void Push(int id, const GraphValue& like) {
    GraphValue value = like;
    value.id = id;
    value.is_parameter = false;
    value.reads = 0;
    values_.push_back(value);
  }

  void AddOp() {
    if (Below(100) < static_cast<size_t>(options_.percent_outside)) return AddOutside();
    const bool draws_anchors = options_.percent_anchors > 0;
    if (draws_anchors && Below(100) < static_cast<size_t>(options_.percent_anchors)) return AddAnchor();
    switch (Below(12)) {
      case 0:
      case 1:
      case 2:
        return AddUnary();
      case 3:
        return AddReduction();
      case 4:
        return AddNormalisation();
      case 5:
        return AddSelect();
      case 6:
        return AddConversion();
      case 7:
        return AddViews();
      case 8:
        return Below(4) == 0 ? AddParameter() : AddUnary();
      default:
        return AddBinary();
    }
  }

  void AddOutside() {
    const GraphValue value = values_[Pick()];
    const int axis = Line("Constant", {}, absl::StrCat("value = i64[]{", Below(3), "}"));
    Push(Line("CumSum", {value.id, axis}), value);
  }

  // Products with a matrix on the left, and convolutions and poolings along the last dimension, which keep the shape.
  void AddAnchor() {
    static constexpr const char* kWindow = "strides = [1], pads_begin = [1], pads_end = [1]";
    const GraphValue value = values_[Pick()];
    GraphValue result = value;
    const int channels = value.one[1] ? 1 : 4;
    switch (Below(4)) {
      case 0:
        result.one[1] = false;
        return Push(Line("MatMul", {Weights({4, channels}), value.id}), result);
      case 1:
        result.one[1] = false;
        return Push(
            Line("Convolution", {value.id, Weights({4, channels, 3})}, absl::StrCat(kWindow, ", dilations = [1]")),
            result);
      case 2:
        return Push(Line("MaxPool", {value.id}, absl::StrCat(kWindow, ", kernel = [3]")), result);
      default:
        return Push(Line("AvgPool", {value.id}, absl::StrCat(kWindow, ", kernel = [3], exclude_pad = true")), result);
    }
  }

  int Weights(const std::vector<int>& shape) {
    int count = 1;
    for (const int extent : shape) count *= extent;
    std::vector<std::string> values;
    for (int i = 0; i < count; ++i) values.push_back(absl::StrCat(static_cast<int>(Below(9)) - 4, ".25"));
    return Line("Constant", {},
                absl::StrCat("value = f32[", absl::StrJoin(shape, ", "), "]{", absl::StrJoin(values, ", "), "}"));
  }

  void AddUnary() {
    static constexpr const char* kOps[] = {"Abs", "Relu", "Sigmoid", "Tanh", "Negative", "Sqrt", "Exp", "Floor"};
    const GraphValue value = values_[Pick()];
    Push(Line(kOps[Below(std::size(kOps))], {value.id}), value);
  }

  void AddBinary() {
    static constexpr const char* kOps[] = {"Add", "Multiply", "Subtract", "Maximum", "SquaredDifference", "Divide"};
    const GraphValue a = values_[Pick()];
    const GraphValue b = values_[Pick()];
    Push(Line(kOps[Below(std::size(kOps) - (options_.divide ? 0 : 1))], {a.id, b.id}), Together(a, b));
  }

  static GraphValue Together(const GraphValue& a, const GraphValue& b) {
    GraphValue both;
    for (size_t i = 0; i < 3; ++i) both.one[i] = a.one[i] && b.one[i];
    return both;
  }

  void AddReduction() {
    static constexpr const char* kOps[] = {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceL2"};
    const GraphValue value = values_[Pick()];
    const size_t axis = Below(3);
    const int axes = Integers(absl::StrCat(axis), 1);
    GraphValue reduced = value;
    reduced.one[axis] = true;
    const bool keep = Below(2) == 0;
    int id = Line(kOps[Below(std::size(kOps))], {value.id, axes}, keep ? "keep_dims = true" : "");
    if (!keep) id = Line("Unsqueeze", {id, axes});
    Push(id, reduced);
  }

  void AddNormalisation() {
    const GraphValue value = values_[Pick()];
    if (Below(2) == 0) {
      Push(Line("Softmax", {value.id}, absl::StrCat("axis = ", Below(3))), value);
    } else {
      Push(Line("MVN", {value.id, Integers("2", 1)}, "normalize_variance = true, eps = 1e-05"), value);
    }
  }

  void AddSelect() {
    const GraphValue a = values_[Pick()];
    const GraphValue b = values_[Pick()];
    const int condition = Line(Below(2) == 0 ? "Greater" : "LessEqual", {a.id, b.id});
    Push(Line("Select", {condition, a.id, b.id}), Together(a, b));
  }

  void AddConversion() {
    const GraphValue value = values_[Pick()];
    const bool is_half = Below(2) == 0;
    const int half = Line("Convert", {value.id}, is_half ? "destination_type = f16" : "destination_type = i32");
    const int there = Line(is_half ? "Relu" : "Abs", {half});
    Push(Line("Convert", {there}, "destination_type = f32"), value);
  }

  // Transposes, computes, and transposes back.
  void AddViews() {
    const GraphValue value = values_[Pick()];
    const int order = Integers("2, 0, 1", 3);
    const int back = Integers("1, 2, 0", 3);
    const int there = Line("Transpose", {value.id, order});
    const int inner = Below(2) == 0 ? Line("Tanh", {there}) : there;
    Push(Line("Transpose", {inner, back}), value);
  }

  std::mt19937_64& random_;
  const RandomGraphOptions& options_;
  std::string text_;
  std::vector<GraphValue> values_;
  int next_ = 0;
};

// Returns a copy with sizes for what is dynamic; null where the model refuses them.
std::unique_ptr<ir::Model> WithRandomSizes(const ir::Model& model, std::mt19937_64& random) {
  absl::flat_hash_map<std::string, int64_t> symbols;
  absl::flat_hash_map<int64_t, ir::PartialShape> shapes;
  for (size_t i = 0; i < model.parameters().size(); ++i) {
    const ir::PartialShape& shape = model.node(model.parameters()[i]).output(0).shape;
    ir::PartialShape sized;
    if (!shape.has_rank()) {
      for (int k = static_cast<int>(random() % 4); k > 0; --k) sized.Append(static_cast<int64_t>(random() % 4));
    }
    for (const ir::Dimension& dim : shape.dims()) {
      int64_t size = std::clamp(static_cast<int64_t>(random() % 7), dim.min(), dim.max());
      if (!dim.symbol().empty()) size = symbols.try_emplace(dim.symbol(), size).first->second;
      sized.Append(size);
    }
    shapes.emplace(static_cast<int64_t>(i), std::move(sized));
  }
  std::unique_ptr<ir::Model> sized = model.Clone();
  if (!sized->Reshape(shapes).ok()) return nullptr;
  return sized;
}

absl::StatusOr<std::vector<ir::Tensor>> Run(const ir::Model& model, const std::vector<ir::Tensor>& inputs) {
  BURIN_ASSIGN_OR_RETURN(const ir::Evaluator evaluator, ir::Evaluator::Create(model));
  return evaluator.Run(inputs);
}

void ExpectSameResults(const ir::Model& before, const ir::Model& after, uint64_t seed) {
  constexpr int kSamples = 3;
  std::mt19937_64 random(seed);
  for (int sample = 0; sample < kSamples; ++sample) {
    const std::unique_ptr<ir::Model> sized = WithRandomSizes(before, random);
    if (sized == nullptr) continue;
    const absl::StatusOr<std::vector<ir::Tensor>> inputs = RandomInputs(*sized, {}, random);
    if (!inputs.ok()) continue;
    const absl::StatusOr<std::vector<ir::Tensor>> expected = Run(before, *inputs);
    const absl::StatusOr<std::vector<ir::Tensor>> actual = Run(after, *inputs);
    ASSERT_EQ(actual.ok(), expected.ok()) << "seed " << seed << ": " << expected.status() << " / " << actual.status();
    if (!expected.ok()) continue;
    ASSERT_EQ(actual->size(), expected->size());
    for (size_t i = 0; i < expected->size(); ++i) {
      EXPECT_TRUE(ir::BitwiseEqual((*actual)[i], (*expected)[i]))
          << "seed " << seed << ", result " << i << ": " << (*actual)[i].ToString() << " instead of "
          << (*expected)[i].ToString();
    }
  }
}

// Expects of every Subgraph that was not there before that its body can be compiled.
void ExpectCompilable(const ir::Model& before, const ir::Model& after) {
  for (const ir::NodeId id : after.NodeIds()) {
    const ir::Node& node = after.node(id);
    const bool is_old = ir::Index(id) < before.id_bound() && before.Contains(id);
    if (!is_old && node.code() == ir::OpCode::kSubgraph) {
      const ir::Model& body = *node.bodies()[0];
      CheckedEpilogues checked;
      EXPECT_OK(AnchorOf(body) != nullptr ? CheckAnchoredBody(body, &checked).status() : CheckBody(body).status())
          << node.name();
    }
    for (size_t i = 0; is_old && i < node.bodies().size(); ++i) {
      ExpectCompilable(*before.node(id).bodies()[i], *node.bodies()[i]);
    }
  }
}

}  // namespace

std::unique_ptr<ir::Model> RandomGraph(std::mt19937_64& random, const RandomGraphOptions& options) {
  const std::string text = GraphWriter(random, options).Write();
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  BURIN_CHECK_OK(model.status()) << text;
  return *std::move(model);
}

Tokenized ExpectTokenizes(const ir::Model& model, uint64_t seed, const TokenizeOptions& options) {
  Tokenized tokenized;
  tokenized.model = model.Clone();
  absl::StatusOr<FusionReport> report = Tokenize(*tokenized.model, options);
  EXPECT_OK(report) << "seed " << seed;
  if (!report.ok()) return tokenized;
  tokenized.report = *std::move(report);
  EXPECT_OK(ir::Verify(*tokenized.model)) << "seed " << seed;
  ExpectCompilable(model, *tokenized.model);
  ExpectSameResults(model, *tokenized.model, seed);
  const absl::StatusOr<std::string> once = ir::PrintModel(*tokenized.model);
  const absl::StatusOr<FusionReport> again = Tokenize(*tokenized.model, options);
  EXPECT_OK(again);
  EXPECT_TRUE(again.ok() && again->subgraphs.empty()) << "seed " << seed << ": " << again->ToString();
  const absl::StatusOr<std::string> twice = ir::PrintModel(*tokenized.model);
  EXPECT_TRUE(once.ok() && twice.ok() && *once == *twice) << "seed " << seed;
  return tokenized;
}

std::unique_ptr<ir::Model> WithSizes(const ir::Model& graph, std::mt19937_64& random) {
  int64_t extents[3];
  for (int64_t& extent : extents) extent = 1 + static_cast<int64_t>(random() % 40);
  absl::flat_hash_map<int64_t, ir::PartialShape> shapes;
  for (size_t i = 0; i < graph.parameters().size(); ++i) {
    const ir::PartialShape& shape = graph.node(graph.parameters()[i]).output(0).shape;
    ir::PartialShape sized;
    for (int64_t k = 0; k < shape.rank(); ++k) {
      const bool is_one = shape[k].is_dynamic() && shape[k].symbol().empty() && random() % 4 == 0;
      sized.Append(shape[k].is_static() ? shape[k] : ir::Dimension(is_one ? 1 : extents[k]));
    }
    shapes.emplace(static_cast<int64_t>(i), std::move(sized));
  }
  std::unique_ptr<ir::Model> sized = graph.Clone();
  BURIN_CHECK_OK(sized->Reshape(shapes));
  return sized;
}

int64_t CountOps(const ir::Model& model, const ir::OpDef& op) {
  int64_t count = 0;
  for (const ir::NodeId id : model.NodeIds()) {
    const ir::Node& node = model.node(id);
    if (&node.op() == &op) ++count;
    if (node.code() == ir::OpCode::kSubgraph) continue;
    for (const std::unique_ptr<ir::Model>& body : node.bodies()) count += CountOps(*body, op);
  }
  return count;
}

}  // namespace burin::snippets
