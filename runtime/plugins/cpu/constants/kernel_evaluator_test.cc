#include "runtime/plugins/cpu/constants/kernel_evaluator.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/op_testlib.h"
#include "ir/tensor.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/mlp_testlib.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/constant_evaluator.h"

namespace burin::cpu {
namespace {

// Computes the one operation of a model, and counts the kernels that it made.
class KernelEvaluatorTest : public testing::Test {
 protected:
  // Returns the outputs; with `least_bytes` 0 everything is large.
  absl::StatusOr<std::vector<ir::Tensor>> Evaluate(absl::string_view text, absl::Span<const ir::Tensor> inputs,
                                                   int64_t least_bytes = 0) {
    model_ = ModelOf(text);
    const NodeContext context{jit::Target::Host().value(), &cache_};
    return KernelEvaluator(context, least_bytes).Evaluate(Operation(), inputs);
  }

  const ir::Node& Operation() const {
    for (const ir::NodeId id : model_->NodeIds()) {
      const ir::Node& node = model_->node(id);
      if (node.code() != ir::OpCode::kParameter && node.code() != ir::OpCode::kResult &&
          node.code() != ir::OpCode::kConstant) {
        return node;
      }
    }
    return model_->node(model_->results()[0]);
  }

  std::vector<ir::Tensor> Expected(absl::Span<const ir::Tensor> inputs) const {
    return transformations::ReferenceConstantEvaluator().Evaluate(Operation(), inputs).value();
  }

  size_t kernels() const { return cache_.GetStats().kernels; }

  jit::CodeCache cache_{size_t{1} << 20};
  std::unique_ptr<ir::Model> model_;
};

constexpr char kScale[] = R"(model "" {
  %0 "w" = Parameter() {element_type = f32, shape = [6, 5, 3, 3]}
  %1 "s" = Parameter() {element_type = f32, shape = [6, 1, 1, 1]}
  %2 "scaled" = Multiply(%0, %1)
  %3 "y" = Result(%2)
})";

TEST_F(KernelEvaluatorTest, AKernelComputesWhatIsLarge) {
  const std::vector<ir::Tensor> inputs = {Varied({6, 5, 3, 3}), Varied({6, 1, 1, 1}, 2)};
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> outputs, Evaluate(kScale, inputs));
  EXPECT_EQ(kernels(), 1U);
  ASSERT_EQ(outputs.size(), 1U);
  // One rounding, in whatever type the reference computes.
  ir::ExpectTensorEq(outputs[0], Expected(inputs)[0]);
}

TEST_F(KernelEvaluatorTest, TheReferenceComputesWhatIsSmall) {
  const std::vector<ir::Tensor> inputs = {Varied({6, 5, 3, 3}), Varied({6, 1, 1, 1}, 2)};
  const int64_t bytes = (270 + 6 + 270) * 4;
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> outputs, Evaluate(kScale, inputs, bytes + 1));
  EXPECT_EQ(kernels(), 0U);
  ir::ExpectTensorEq(outputs[0], Expected(inputs)[0]);
  ASSERT_OK(Evaluate(kScale, inputs, bytes).status());
  EXPECT_EQ(kernels(), 1U);
}

TEST_F(KernelEvaluatorTest, StridedInputsAreReadAsTheyAre) {
  const ir::Tensor wide = Varied({6, 5, 3, 5});
  ASSERT_OK_AND_ASSIGN(const ir::Tensor region, wide.Region({0, 0, 0, 1}, {6, 5, 3, 4}));
  const std::vector<ir::Tensor> inputs = {region, Varied({6, 1, 1, 1}, 2)};
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> outputs, Evaluate(kScale, inputs));
  ir::ExpectTensorEq(outputs[0], Expected(inputs)[0]);
}

TEST_F(KernelEvaluatorTest, OneNodeServesAllShapes) {
  const KernelEvaluator evaluator({jit::Target::Host().value(), &cache_}, 0);
  const auto check = [&](absl::string_view text, const std::vector<ir::Tensor>& inputs) {
    model_ = ModelOf(text);
    const absl::StatusOr<std::vector<ir::Tensor>> outputs = evaluator.Evaluate(Operation(), inputs);
    ASSERT_OK(outputs.status());
    ir::ExpectTensorEq((*outputs)[0], Expected(inputs)[0]);
  };
  check(kScale, {Varied({6, 5, 3, 3}), Varied({6, 1, 1, 1}, 2)});
  EXPECT_EQ(evaluator.nodes_made(), 1);
  constexpr char kLarger[] = R"(model "" {
    %0 "w" = Parameter() {element_type = f32, shape = [8, 20, 3, 2]}
    %1 "s" = Parameter() {element_type = f32, shape = [8, 1, 1, 1]}
    %2 "scaled" = Multiply(%0, %1)
    %3 "y" = Result(%2)
  })";
  check(kLarger, {Varied({8, 20, 3, 2}), Varied({8, 1, 1, 1}, 2)});
  EXPECT_EQ(evaluator.nodes_made(), 1);
  EXPECT_GE(kernels(), 1U);
  // What is broadcast otherwise, or is another operation, is another one.
  constexpr char kInner[] = R"(model "" {
    %0 "w" = Parameter() {element_type = f32, shape = [6, 5, 1, 1]}
    %1 "s" = Parameter() {element_type = f32, shape = [6, 1, 1, 1]}
    %2 "scaled" = Multiply(%0, %1)
    %3 "y" = Result(%2)
  })";
  check(kInner, {Varied({6, 5, 1, 1}), Varied({6, 1, 1, 1}, 2)});
  EXPECT_EQ(evaluator.nodes_made(), 2);
  constexpr char kSum[] = R"(model "" {
    %0 "w" = Parameter() {element_type = f32, shape = [6, 5, 3, 3]}
    %1 "s" = Parameter() {element_type = f32, shape = [6, 1, 1, 1]}
    %2 "sum" = Add(%0, %1)
    %3 "y" = Result(%2)
  })";
  check(kSum, {Varied({6, 5, 3, 3}), Varied({6, 1, 1, 1}, 2)});
  EXPECT_EQ(evaluator.nodes_made(), 3);
  // Moving elements depends on more than such a pattern.
  constexpr char kTurn[] = R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [7, 9, 4]}
    %1 "order" = Constant() {value = i64[3]{2, 0, 1}}
    %2 "t" = Transpose(%0, %1)
    %3 "y" = Result(%2)
  })";
  check(kTurn, {Varied({7, 9, 4}), ir::I64({3}, {2, 0, 1})});
  check(kTurn, {Varied({7, 9, 4}), ir::I64({3}, {2, 0, 1})});
  EXPECT_EQ(evaluator.nodes_made(), 5);
}

TEST_F(KernelEvaluatorTest, MovesToo) {
  const std::vector<ir::Tensor> inputs = {Varied({7, 9, 4}), ir::I64({3}, {2, 0, 1})};
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> outputs, Evaluate(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [7, 9, 4]}
    %1 "order" = Constant() {value = i64[3]{2, 0, 1}}
    %2 "t" = Transpose(%0, %1)
    %3 "y" = Result(%2)
  })",
                                                                       inputs));
  EXPECT_GE(kernels(), 1U);
  ir::ExpectTensorEq(outputs[0], Expected(inputs)[0]);
}

TEST_F(KernelEvaluatorTest, WidensHalves) {
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> halves, Evaluate(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [50]}
    %1 "narrow" = Convert(%0) {destination_type = f16}
    %2 "y" = Result(%1)
  })",
                                                                      {Varied({50})}));
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> outputs, Evaluate(R"(model "" {
    %0 "x" = Parameter() {element_type = f16, shape = [50]}
    %1 "wide" = Convert(%0) {destination_type = f32}
    %2 "y" = Result(%1)
  })",
                                                                       halves));
  EXPECT_EQ(kernels(), 2U);
  ir::ExpectTensorEq(outputs[0], Expected(halves)[0]);
}

TEST_F(KernelEvaluatorTest, TheReferenceComputesWhatHasNoKernel) {
  const std::vector<ir::Tensor> inputs = {ir::F64({1, 3}, {1, 2, 3}), ir::F64({3, 1}, {4, 5, 6})};
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> outputs, Evaluate(R"(model "" {
    %0 "a" = Parameter() {element_type = f64, shape = [1, 3]}
    %1 "b" = Parameter() {element_type = f64, shape = [3, 1]}
    %2 "product" = MatMul(%0, %1)
    %3 "y" = Result(%2)
  })",
                                                                       inputs));
  EXPECT_EQ(kernels(), 0U);
  ir::ExpectTensorEq(outputs[0], ir::F64({1, 1}, {32}));
}

TEST_F(KernelEvaluatorTest, FailsAsTheReferenceDoes) {
  const std::vector<ir::Tensor> inputs = {Varied({6, 5, 3, 3}), Varied({4, 1, 1, 1}, 2)};
  EXPECT_THAT(Evaluate(kScale, inputs), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::cpu
