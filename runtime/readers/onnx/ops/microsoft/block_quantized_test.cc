#include <cstdint>
#include <functional>
#include <memory>

#include "base/element_type.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/op_testlib.h"
#include "ir/partial_shape.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::F32;
using ir::I64;
using ir::U8;

std::function<void(::onnx::NodeProto&)> Sizes(int64_t depth, int64_t columns, int64_t bits) {
  return [=](::onnx::NodeProto& node) {
    SetInt(node, "K", depth);
    SetInt(node, "N", columns);
    SetInt(node, "bits", bits);
    SetInt(node, "block_size", 4);
  };
}

TEST(BlockQuantizedTest, ProductsOfWeightsOfFourBits) {
  // Two blocks of four of which the second ends after one: (0, 1, 2, 3) and (9), less 8; scales 1 and 10.
  const ir::Tensor weights = U8({1, 2, 2}, {0x10, 0x32, 0x09, 0x00});
  const ir::Tensor a = F32({1, 5}, {1, 1, 1, 1, 1});
  ExpectComputes(
      SingleNode("MatMulNBits").Domain("com.microsoft").Inputs({a, weights, F32({1, 2}, {1, 10})}).With(Sizes(5, 1, 4)),
      {F32({1, 1}, {-26 + 10})});
  // Zero points 1 and 9 in one byte, and as numbers; a bias.
  ExpectComputes(SingleNode("MatMulNBits")
                     .Domain("com.microsoft")
                     .Inputs({a, weights, F32({1, 2}, {1, 10}), U8({1, 1}, {0x91})})
                     .With(Sizes(5, 1, 4)),
                 {F32({1, 1}, {2})});
  ExpectComputes(SingleNode("MatMulNBits")
                     .Domain("com.microsoft")
                     .Inputs({a, weights, F32({1, 2}, {1, 10}), F32({1, 2}, {0.5, 9}), ir::Tensor(), F32({1}, {100})})
                     .With(Sizes(5, 1, 4)),
                 {F32({1, 1}, {104})});
}

TEST(BlockQuantizedTest, ProductsOfWeightsOfTwoAndOfEightBits) {
  const ir::Tensor a = F32({1, 4}, {1, 10, 100, 1000});
  // 0b11100100 holds 0, 1, 2 and 3, less 2.
  ExpectComputes(SingleNode("MatMulNBits")
                     .Domain("com.microsoft")
                     .Inputs({a, U8({1, 1, 1}, {0xE4}), F32({1, 1}, {1})})
                     .With(Sizes(4, 1, 2)),
                 {F32({1, 1}, {-2 - 10 + 1000})});
  ExpectComputes(SingleNode("MatMulNBits")
                     .Domain("com.microsoft")
                     .Inputs({a, U8({1, 1, 4}, {128, 129, 127, 130}), F32({1, 1}, {2})})
                     .With(Sizes(4, 1, 8)),
                 {F32({1, 1}, {2 * (10 - 100 + 2000)})});
}

TEST(BlockQuantizedTest, RefusesOtherWidths) {
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("MatMulNBits")
                                   .Domain("com.microsoft")
                                   .Inputs({F32({1, 4}, {1, 1, 1, 1}), U8({1, 1, 2}, {0, 0}), F32({1, 1}, {1})})
                                   .With(Sizes(4, 1, 3)))),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("2, 4 and 8")));
}

TEST(BlockQuantizedTest, GathersRowsOfATable) {
  const auto attributes = [](::onnx::NodeProto& node) {
    SetInt(node, "bits", 4);
    SetInt(node, "block_size", 2);
  };
  // Rows (0, 1, 2, 3) and (4, 5, 6, 7), less 8; scales of blocks of two.
  const ir::Tensor table = U8({2, 2}, {0x10, 0x32, 0x54, 0x76});
  const ir::Tensor scales = F32({2, 2}, {1, 2, 3, 4});
  ExpectComputes(SingleNode("GatherBlockQuantized")
                     .Domain("com.microsoft")
                     .Inputs({table, I64({1}, {1}), scales})
                     .Variable(2)
                     .With(attributes),
                 {F32({1, 4}, {-12, -9, -8, -4})});
  ExpectComputes(SingleNode("GatherBlockQuantized")
                     .Domain("com.microsoft")
                     .Inputs({table, I64({1}, {0}), scales, U8({2, 1}, {0x21, 0x00})})
                     .Variable(2)
                     .With(attributes),
                 {F32({1, 4}, {-1, 0, 0, 2})});
}

TEST(BlockQuantizedTest, GathersAlongTheAxisOfPackedNumbersWithAnyShapeOfIndices) {
  const auto attributes = [](::onnx::NodeProto& node) {
    SetInt(node, "bits", 4);
    SetInt(node, "block_size", 2);
    SetInt(node, "gather_axis", 1);
    SetInt(node, "quantize_axis", 0);
  };
  // Rows (0, 1, 2, 3) and (4, 5, 6, 7), less 8; a scale for each column.
  const ir::Tensor table = U8({2, 2}, {0x10, 0x32, 0x54, 0x76});
  const ir::Tensor scales = F32({1, 4}, {1, 2, 3, 4});
  ExpectComputes(SingleNode("GatherBlockQuantized")
                     .Domain("com.microsoft")
                     .Inputs({table, I64({2, 1}, {3, 0}), scales})
                     .Variable(2)
                     .With(attributes),
                 {F32({2, 2, 1}, {-20, -8, -4, -4})});
}

TEST(BlockQuantizedTest, ScalesOnlyWhatIsGathered) {
  const auto attributes = [](::onnx::NodeProto& node) {
    SetInt(node, "bits", 8);
    SetInt(node, "block_size", 2);
  };
  const SingleNode gather = SingleNode("GatherBlockQuantized")
                                .Domain("com.microsoft")
                                .Inputs({U8({3, 2}, {1, 2, 3, 4, 5, 6}), I64({1}, {2}), F32({3, 1}, {1, 2, 3})})
                                .Variable(2)
                                .With(attributes);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ReadBytes(FileOf(gather)));
  int products = 0;
  for (const ir::NodeId id : model->NodeIds()) {
    const ir::Node& node = model->node(id);
    if (node.code() != ir::OpCode::kMultiply || !IsFloat(node.output(0).type)) continue;
    ++products;
    EXPECT_EQ(node.output(0).shape, (ir::PartialShape{1, 2}));
  }
  EXPECT_EQ(products, 1);
}

}  // namespace
}  // namespace burin::onnx
