#include "tools/check/tolerance.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "base/file.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/ops/convert.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::check {
namespace {

ir::Value Convert(ir::Model& model, ir::Value value, ElementType to) {
  auto attributes = std::make_unique<ir::ConvertAttributes>();
  attributes->destination_type = to;
  return model.Add(ir::ConvertOp(), {value}, std::move(attributes)).value();
}

TEST(ToleranceTest, FloatModels) {
  ir::Model model;
  ir::Value x = model.AddParameter("x", ElementType::kF32, ir::PartialShape({4})).value();
  EXPECT_EQ(ClassifyArithmetic(model), Arithmetic::kFloat32);
  Convert(model, x, ElementType::kF16);
  EXPECT_EQ(ClassifyArithmetic(model), Arithmetic::kFloat16);
}

TEST(ToleranceTest, ByteInputsAreDataAndNotQuantisedValues) {
  ir::Model model;
  ir::Value bytes = model.AddParameter("x", ElementType::kU8, ir::PartialShape({4})).value();
  ir::Value floats = Convert(model, bytes, ElementType::kF32);
  EXPECT_EQ(ClassifyArithmetic(model), Arithmetic::kFloat32);
  Convert(model, floats, ElementType::kI8);
  EXPECT_EQ(ClassifyArithmetic(model), Arithmetic::kQuantized);
}

TEST(ToleranceTest, IntegerWeightsAndIntegerProducts) {
  ir::Model weights;
  ir::Value w = weights.AddConstant(ir::Tensor::CreateZeroed(ElementType::kU4, {4}).value()).value();
  Convert(weights, w, ElementType::kF32);
  EXPECT_EQ(ClassifyArithmetic(weights), Arithmetic::kQuantized);

  ir::Model product;
  ir::Value a = product.AddParameter("a", ElementType::kI32, ir::PartialShape({2, 2})).value();
  ASSERT_OK(product.Add(ir::MatMulOp(), {a, a}).status());
  EXPECT_EQ(ClassifyArithmetic(product), Arithmetic::kQuantized);
}

TEST(ToleranceTest, SensitivityOfAMetaFile) {
  const std::string folder = ::testing::TempDir() + "/meta";
  std::filesystem::create_directories(folder);
  EXPECT_EQ(ReadSensitivity(folder).value(), std::nullopt);
  const auto read = [&](const std::string& text) {
    EXPECT_OK(WriteFileAtomically(folder + "/meta.json", text));
    return ReadSensitivity(folder);
  };
  EXPECT_EQ(read("{\"ort_optdiff_rel\": 0.25}").value(), 0.25);
  EXPECT_EQ(read("{\"other\": 1}").value(), std::nullopt);
  EXPECT_EQ(read("{\"ort_optdiff_rel\": null}").value(), std::nullopt);
  EXPECT_THAT(read("{").status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(read("{\"ort_optdiff_rel\": -1}").status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(read("{\"ort_optdiff_rel\": \"x\"}").status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::check
