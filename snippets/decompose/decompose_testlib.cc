#include "snippets/decompose/decompose_testlib.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/evaluator.h"
#include "ir/op_def.h"
#include "ir/ops/ops.h"
#include "ir/ops/parameter.h"
#include "ir/ops/subgraph.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/structural.h"
#include "ir/text.h"
#include "ir/tolerance.h"
#include "ir/verifier.h"
#include "snippets/decompose/decompose.h"
#include "snippets/decompose/primitive.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::HasSubstr;

constexpr int kSamples = 8;

// Returns the distance of `value` from the next number of a float type away from 0.
double UlpOf(ElementType type, double value) {
  double above = std::fabs(value);
  // Powers of two below which no type here has another number.
  for (double step = std::ldexp(above == 0 ? 1.0 : above, -60);; step *= 2) {
    double stored = 0;
    StoreFromDouble(type, &stored, 0, above + step);
    const double next = LoadAsDouble(type, &stored, 0);
    if (next > above) return next - above;
  }
}

double LargestMagnitude(const ir::Tensor& tensor) {
  double largest = 0;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    const double value = std::fabs(LoadAsDouble(tensor.element_type(), tensor.data(), i));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest;
}

bool IsNear(ElementType type, double actual, double expected, const ir::Tolerance& tolerance, double scale) {
  if (actual == expected) return true;
  if (std::isnan(expected)) return std::isnan(actual);
  if (!std::isfinite(expected) || !std::isfinite(actual)) return false;
  const double bound = std::max(tolerance.ulp * UlpOf(type, expected), tolerance.relative * scale);
  return std::fabs(actual - expected) <= bound;
}

absl::Status CompareTensors(const ir::Tensor& given, const ir::Tensor& wanted, ir::ToleranceClass tolerance_class) {
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor actual, given.ToDense());
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor expected, wanted.ToDense());
  const ElementType type = expected.element_type();
  const ir::Tolerance tolerance = ir::ToleranceFor(tolerance_class, type);
  const double scale = LargestMagnitude(expected);
  bool same = actual.element_type() == type && actual.shape() == expected.shape();
  for (int64_t i = 0; same && i < expected.element_count(); ++i) {
    same = IsFloat(type) ? IsNear(type, LoadAsDouble(type, actual.data(), i), LoadAsDouble(type, expected.data(), i),
                                  tolerance, scale)
                         : LoadAsInt64(type, actual.data(), i) == LoadAsInt64(type, expected.data(), i);
  }
  if (same) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("A result is ", actual.ToString(64), " instead of ", expected.ToString(64)));
}

absl::Status CompareRuns(const ir::Model& before, const ir::Model& after, const std::vector<ir::Tensor>& inputs) {
  BURIN_ASSIGN_OR_RETURN(const ir::Evaluator old_evaluator, ir::Evaluator::Create(before));
  BURIN_ASSIGN_OR_RETURN(const ir::Evaluator new_evaluator, ir::Evaluator::Create(after));
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::Tensor> expected, old_evaluator.Run(inputs));
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::Tensor> actual, new_evaluator.Run(inputs));
  if (actual.size() != expected.size()) return absl::InvalidArgumentError("The number of results differs");
  const ir::ToleranceClass tolerance = ir::SubgraphTolerance(before);
  for (size_t i = 0; i < actual.size(); ++i) {
    const absl::Status same = CompareTensors(actual[i], expected[i], tolerance);
    if (!same.ok()) {
      std::string texts;
      for (const ir::Tensor& input : inputs) absl::StrAppend(&texts, " ", input.ToString(64));
      return WithContext(same, absl::StrCat("Result ", i, " of inputs", texts));
    }
  }
  return absl::OkStatus();
}

int64_t Between(std::mt19937_64& random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
}

// Returns a dense tensor of the parameter's type and a shape that it accepts.
absl::StatusOr<ir::Tensor> RandomInput(std::mt19937_64& random, const ir::Node& parameter,
                                       absl::flat_hash_map<std::string, int64_t>* symbols) {
  const auto& declared = parameter.attributes_as<ir::ParameterAttributes>();
  ir::Shape shape;
  for (const ir::Dimension& dim : declared.shape.dims()) {
    int64_t size = Between(random, dim.min(), std::min(dim.max(), dim.min() + 6));
    if (!dim.symbol().empty()) size = symbols->try_emplace(dim.symbol(), size).first->second;
    shape.push_back(size);
  }
  BURIN_ASSIGN_OR_RETURN(ir::Tensor tensor, ir::Tensor::Create(declared.element_type, shape));
  const double magnitude = std::ldexp(1.0, static_cast<int>(Between(random, -2, 4)));
  std::normal_distribution<double> normal(Between(random, 0, 2) == 0 ? magnitude : 0.0, magnitude);
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    if (IsFloat(declared.element_type)) {
      StoreFromDouble(declared.element_type, tensor.mutable_data(), i, normal(random));
    } else {
      const bool is_boolean = declared.element_type == ElementType::kBoolean;
      StoreFromInt64(declared.element_type, tensor.mutable_data(), i,
                     is_boolean ? Between(random, 0, 1) : Between(random, -130, 130));
    }
  }
  return tensor;
}

absl::StatusOr<bool> ApplyEverywhere(ir::Rule rule, ir::Model* body) {
  const ir::PassContext none;
  bool changed = false;
  for (int steps = 0;;) {
    bool again = false;
    BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, body->TopologicalOrder());
    for (const ir::NodeId id : order) {
      if (!body->Contains(id)) continue;
      BURIN_ASSIGN_OR_RETURN(std::optional<ir::Patch> patch, rule(*body, id, none));
      if (!patch.has_value()) continue;
      BURIN_RETURN_IF_ERROR(std::move(*patch).Apply(body));
      BURIN_RETURN_IF_ERROR(ir::Verify(*body));
      again = changed = true;
      if (++steps > 100) return absl::InternalError("The rule does not come to an end");
    }
    if (!again) return changed;
  }
}

// Expects result types, ranks, sizes and symbols of `before` in `after`.
void ExpectSameSignature(const ir::Model& before, const ir::Model& after) {
  ASSERT_EQ(before.parameters(), after.parameters());
  ASSERT_EQ(before.results(), after.results());
  for (const ir::NodeId id : before.results()) {
    const ir::ValueInfo& was = before.node(id).output(0);
    const ir::ValueInfo& is = after.node(id).output(0);
    EXPECT_EQ(is.type, was.type);
    EXPECT_EQ(is.shape.ToString(), was.shape.ToString());
  }
}

}  // namespace

absl::Status CheckSameResults(const ir::Model& before, const ir::Model& after) {
  for (uint64_t seed = 0; seed < kSamples; ++seed) {
    std::mt19937_64 random(seed);
    absl::flat_hash_map<std::string, int64_t> symbols;
    std::vector<ir::Tensor> inputs;
    for (const ir::NodeId parameter : before.parameters()) {
      BURIN_ASSIGN_OR_RETURN(ir::Tensor input, RandomInput(random, before.node(parameter), &symbols));
      inputs.push_back(std::move(input));
    }
    BURIN_RETURN_IF_ERROR(WithContext(CompareRuns(before, after, inputs), absl::StrCat("Seed ", seed)));
  }
  return absl::OkStatus();
}

void ExpectRewrites(ir::Rule rule, absl::string_view before, absl::string_view after) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> old_body, ir::ParseModel(before));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> wanted, ir::ParseModel(after));
  const std::unique_ptr<ir::Model> body = old_body->Clone();
  ASSERT_OK_AND_ASSIGN(const bool changed, ApplyEverywhere(rule, body.get()));
  ASSERT_OK_AND_ASSIGN(const std::string text, ir::PrintModel(*body));
  EXPECT_TRUE(changed) << text;
  EXPECT_OK(ir::CompareStructure(*body, *wanted)) << text;
  ExpectSameSignature(*old_body, *body);
  EXPECT_OK(CheckSameResults(*old_body, *body)) << text;
}

void ExpectUnchanged(ir::Rule rule, absl::string_view text) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, ir::ParseModel(text));
  const ir::PassContext none;
  for (const ir::NodeId id : body->NodeIds()) {
    const absl::StatusOr<std::optional<ir::Patch>> patch = rule(*body, id, none);
    ASSERT_OK(patch);
    EXPECT_FALSE(patch->has_value()) << ir::PrintNode(*body, id);
  }
}

void ExpectRefuses(ir::Rule rule, absl::string_view text, const std::string& reason) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, ir::ParseModel(text));
  EXPECT_THAT(ApplyEverywhere(rule, body.get()), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr(reason)));
}

void ExpectDecomposes(absl::string_view text, const std::vector<std::vector<ir::Tensor>>& inputs) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, ir::ParseModel(text));
  const std::unique_ptr<ir::Model> decomposed = body->Clone();
  ASSERT_OK(Decompose(*decomposed)) << text;
  ASSERT_OK_AND_ASSIGN(const std::string after, ir::PrintModel(*decomposed));
  EXPECT_OK(ir::Verify(*decomposed)) << after;
  EXPECT_OK(CheckPrimitive(*decomposed)) << after;
  ExpectSameSignature(*body, *decomposed);
  EXPECT_OK(CheckSameResults(*body, *decomposed)) << after;
  for (const std::vector<ir::Tensor>& given : inputs) EXPECT_OK(CompareRuns(*body, *decomposed, given)) << after;
}

void ExpectDecomposesAll(absl::string_view pattern, const std::vector<std::string>& shapes) {
  for (const char* type : {"f32", "f16", "bf16"}) {
    for (const std::string& shape : shapes) {
      const std::string text = absl::StrReplaceAll(pattern, {{"$T", type}, {"$S", shape}});
      SCOPED_TRACE(text);
      ExpectDecomposes(text);
    }
  }
}

void ExpectCannotDecompose(absl::string_view text, const std::string& reason) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, ir::ParseModel(text));
  ASSERT_OK_AND_ASSIGN(const std::string before, ir::PrintModel(*body));
  EXPECT_THAT(Decompose(*body), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr(reason)));
  ASSERT_OK_AND_ASSIGN(const std::string after, ir::PrintModel(*body));
  EXPECT_EQ(after, before);
}

}  // namespace burin::snippets
