#include "snippets/kernel/dynamic_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "snippets/kernel/fused_kernel.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::HasSubstr;

constexpr absl::string_view kNormalised = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [batch,?,width]}
  %1 "scale" = Parameter() {element_type = f32, shape = [width]}
  %2 = Constant() {value = i64[1]{2}}
  %3 = ReduceMean(%0, %2) {keep_dims = true}
  %4 = Subtract(%0, %3)
  %5 = Multiply(%4, %1)
  %6 "out" = Result(%5)
})";

// Has its own code cache, so that what is generated can be counted.
class DynamicKernelTest : public ::testing::Test {
 protected:
  absl::Status Compile(absl::string_view text) {
    BURIN_ASSIGN_OR_RETURN(body_, ir::ParseModel(text));
    BURIN_ASSIGN_OR_RETURN(const jit::Target target, jit::Target::Host());
    FusedKernel::Options options;
    options.code_cache = &cache_;
    BURIN_ASSIGN_OR_RETURN(kernel_, DynamicKernel::Create(*body_, target, options));
    return absl::OkStatus();
  }

  // Runs the kernel for these shapes and compares it with the reference.
  void Check(const std::vector<ir::Shape>& shapes) {
    ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const DynamicKernel::Sized> sized, kernel_->For(shapes));
    std::vector<ir::Tensor> inputs;
    std::vector<const void*> in;
    for (const ir::Shape& shape : shapes) {
      ir::Tensor tensor = ir::Tensor::Create(ElementType::kF32, shape).value();
      std::vector<double> values(static_cast<size_t>(tensor.element_count()));
      std::uniform_real_distribution<double> distribution(-2, 2);
      for (double& value : values) value = distribution(random_);
      StoreRangeFromDouble(ElementType::kF32, tensor.mutable_data(), 0, tensor.element_count(), values.data());
      inputs.push_back(std::move(tensor));
      in.push_back(inputs.back().data());
    }
    ASSERT_OK_AND_ASSIGN(const ir::Evaluator evaluator, ir::Evaluator::Create(*body_));
    ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> expected, evaluator.Run(inputs));
    ASSERT_EQ(sized->outputs.front(), expected.front().shape());
    std::vector<float> out(static_cast<size_t>(expected.front().element_count()) + 1, -7.0f);
    void* const outputs[] = {out.data()};
    std::vector<char> scratch(sized->kernel.scratch_bytes() + 64);
    sized->kernel.Run(in, outputs, scratch.data(), 0, sized->kernel.items());
    for (size_t i = 0; i + 1 < out.size(); ++i) {
      const float wanted = static_cast<const float*>(expected.front().data())[i];
      ASSERT_NEAR(out[i], wanted, 1e-5 * std::max(1.0f, std::abs(wanted))) << "element " << i;
    }
    EXPECT_EQ(out.back(), -7.0f);
  }

  jit::CodeCache cache_{size_t{1} << 24};
  std::unique_ptr<ir::Model> body_;
  std::unique_ptr<DynamicKernel> kernel_;
  std::mt19937 random_{12345};
};

TEST_F(DynamicKernelTest, RunsAnyShapeWithTheSameCode) {
  ASSERT_OK(Compile(kNormalised));
  const auto draw = [&](int64_t most) { return std::uniform_int_distribution<int64_t>(0, most)(random_); };
  for (int i = 0; i < 60; ++i) {
    const int64_t width = i % 3 == 0 ? draw(20) : draw(400);
    Check({{draw(3), draw(4), width}, {width}});
  }
  EXPECT_EQ(cache_.GetStats().generations, 1);
}

TEST_F(DynamicKernelTest, FindsOutWhatIsBroadcast) {
  ASSERT_OK(Compile(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [?,?]}
    %1 "y" = Parameter() {element_type = f32, shape = [?,?]}
    %2 = Add(%0, %1)
    %3 = Multiply(%2, %0)
    %4 "out" = Result(%3)
  })"));
  Check({{3, 200}, {3, 200}});
  Check({{1, 200}, {3, 200}});
  Check({{3, 1}, {1, 200}});
  Check({{3, 200}, {1, 1}});
  Check({{1, 1}, {1, 1}});
  Check({{5, 1}, {5, 1}});
  Check({{0, 1}, {1, 9}});
  EXPECT_THAT(kernel_->For(std::vector<ir::Shape>{{3, 2}, {3, 5}}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(DynamicKernelTest, KeepsTheLastShapes) {
  ASSERT_OK(Compile(kNormalised));
  ASSERT_OK_AND_ASSIGN(const auto first, kernel_->For(std::vector<ir::Shape>{{1, 2, 300}, {300}}));
  ASSERT_OK_AND_ASSIGN(const auto again, kernel_->For(std::vector<ir::Shape>{{1, 2, 300}, {300}}));
  EXPECT_EQ(first, again);
  for (int64_t i = 0; i < static_cast<int64_t>(DynamicKernel::kMostShapes); ++i) {
    ASSERT_OK(kernel_->For(std::vector<ir::Shape>{{2, 2, 400 + i}, {400 + i}}).status());
  }
  ASSERT_OK_AND_ASSIGN(const auto anew, kernel_->For(std::vector<ir::Shape>{{1, 2, 300}, {300}}));
  EXPECT_NE(first, anew);
}

TEST_F(DynamicKernelTest, RefusesWhatIsNotDeclared) {
  ASSERT_OK(Compile(kNormalised));
  EXPECT_THAT(kernel_->For(std::vector<ir::Shape>{{1, 2, 3}}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("parameters: 1")));
  EXPECT_THAT(kernel_->For(std::vector<ir::Shape>{{2, 3}, {3}}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("parameter 0")));
}

}  // namespace
}  // namespace burin::snippets
