#include "tools/check/checker.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/tensor.h"
#include "runtime/dev/port.h"
#include "testing/gtest/status_matchers.h"

namespace burin::check {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

template <class T>
ir::Tensor Make(ElementType type, const std::vector<T>& values) {
  ir::Tensor tensor = ir::Tensor::Create(type, {static_cast<int64_t>(values.size())}).value();
  std::memcpy(tensor.mutable_data(), values.data(), values.size() * sizeof(T));
  return tensor;
}

std::vector<Port> PortOf(ElementType type) {
  Port port;
  port.names = {"y"};
  port.element_type = type;
  return {port};
}

Verdict JudgeFloats(const std::vector<float>& actual, const std::vector<float>& expected, const Bound& bound) {
  std::vector<Verdict> verdicts =
      Judge(PortOf(ElementType::kF32), {Make(ElementType::kF32, actual)}, {Make(ElementType::kF32, expected)}, bound)
          .value();
  EXPECT_THAT(verdicts, SizeIs(1));
  return verdicts[0];
}

TEST(CheckerTest, RelativeBoundIsOfTheLargestMagnitude) {
  Bound bound;
  bound.relative = 0.01;
  EXPECT_TRUE(JudgeFloats({100, 0.9f}, {100, 0}, bound).holds);
  EXPECT_FALSE(JudgeFloats({100, 1.1f}, {100, 0}, bound).holds);
  bound.absolute = 0.2;
  EXPECT_TRUE(JudgeFloats({100, 1.1f}, {100, 0}, bound).holds);
}

TEST(CheckerTest, IntegersAreExactUnlessABoundIsGiven) {
  const std::vector<ir::Tensor> actual = {Make<int32_t>(ElementType::kI32, {100, 7})};
  const std::vector<ir::Tensor> expected = {Make<int32_t>(ElementType::kI32, {100, 8})};
  Bound bound;
  bound.relative = 0.5;
  EXPECT_FALSE(Judge(PortOf(ElementType::kI32), actual, expected, bound).value()[0].holds);
  bound.is_explicit = true;
  EXPECT_TRUE(Judge(PortOf(ElementType::kI32), actual, expected, bound).value()[0].holds);
}

TEST(CheckerTest, CosineAloneDecidesWhereItIsAsked) {
  Bound bound;
  bound.min_cosine = 0.9;
  EXPECT_TRUE(JudgeFloats({2, 2}, {1, 1}, bound).holds);
  EXPECT_FALSE(JudgeFloats({1, -1}, {1, 1}, bound).holds);
}

TEST(CheckerTest, OtherShapesFailWithTheReason) {
  const Verdict verdict = JudgeFloats({1, 2}, {1}, Bound{});
  EXPECT_FALSE(verdict.holds);
  EXPECT_THAT(verdict.ToString(), HasSubstr("FAILED \"y\" f32[]: Shapes differ: [2], expected [1]"));
}

TEST(CheckerTest, NanFails) { EXPECT_FALSE(JudgeFloats({NAN}, {1}, Bound{1e9, 1e9, true, std::nullopt}).holds); }

TEST(CheckerTest, NumberOfOutputsMustAgree) {
  EXPECT_THAT(Judge(PortOf(ElementType::kF32), {Make<float>(ElementType::kF32, {1})}, {}, Bound{}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("0 outputs, the model 1")));
}

}  // namespace
}  // namespace burin::check
