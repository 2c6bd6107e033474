#include <cstdint>
#include <string>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::F32;
using ir::I32;
using ir::I8;
using ir::U8;

SingleNode Microsoft(const std::string& op) { return SingleNode(op).Domain("com.microsoft"); }

ir::Tensor Scale(double value) { return F32({}, {value}); }

TEST(QuantizedTest, ElementByElement) {
  // (12 - 10) * 0.5 = 1 and 5; 3 * 2 = 6.
  const ir::Tensor a = U8({2}, {12, 20});
  const ir::Tensor b = U8({2}, {3, 3});
  const auto with = [&](const std::string& op) {
    return Microsoft(op)
        .Inputs({a, Scale(0.5), U8({}, {10}), b, Scale(2), ir::Tensor(), Scale(0.25), U8({}, {100})})
        .Outputs({kUint8});
  };
  ExpectComputes(with("QLinearAdd"), {U8({2}, {128, 144})});
  ExpectComputes(with("QLinearMul"), {U8({2}, {124, 220})});
  ExpectComputes(Microsoft("QLinearSigmoid")
                     .Inputs({I8({1}, {5}), Scale(1), I8({}, {5}), Scale(0.01), I8({}, {-100})})
                     .Outputs({kInt8}),
                 {I8({1}, {-50})});
  ExpectComputes(Microsoft("QLinearLeakyRelu")
                     .Inputs({I8({2}, {-40, 40}), Scale(1), I8({}, {0}), Scale(1), I8({}, {0})})
                     .Outputs({kInt8})
                     .With([](::onnx::NodeProto& node) { SetFloat(node, "alpha", 0.25F); }),
                 {I8({2}, {-10, 40})});
}

TEST(QuantizedTest, Chooses) {
  ExpectComputes(Microsoft("QLinearWhere")
                     .Inputs({ir::Bool({2}, {1, 0}), U8({2}, {12, 12}), Scale(0.5), U8({}, {10}), U8({2}, {3, 3}),
                              Scale(2), U8({}, {0}), Scale(0.25), U8({}, {100})})
                     .Outputs({kUint8}),
                 {U8({2}, {104, 124})});
}

TEST(QuantizedTest, MeansAndJoins) {
  ExpectComputes(Microsoft("QLinearGlobalAveragePool")
                     .Inputs({U8({1, 2, 2}, {1, 3, 10, 20}), Scale(1), U8({}, {0}), Scale(0.5), U8({}, {1})})
                     .Outputs({kUint8}),
                 {U8({1, 2, 1}, {5, 31})});
  ExpectComputes(
      Microsoft("QLinearConcat")
          .Inputs({Scale(1), U8({}, {0}), U8({1}, {10}), Scale(2), U8({}, {5}), U8({1}, {7}), Scale(3), U8({}, {0})})
          .Variable(8)
          .Outputs({kUint8}),
      {U8({2}, {10, 21})});
  EXPECT_THAT(ReadBytes(FileOf(Microsoft("QLinearConcat").Inputs({Scale(1), U8({}, {0}), U8({1}, {10}), Scale(2)}))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("three inputs")));
}

TEST(QuantizedTest, Products) {
  // (1, 2) times columns (3, 5) and (-1, 0), less zero points: 13 and -1.
  const ir::Tensor a = U8({1, 2}, {11, 12});
  const ir::Tensor b = I8({2, 2}, {3, -1, 5, 0});
  ExpectComputes(Microsoft("MatMulIntegerToFloat")
                     .Inputs({a, b, Scale(2), F32({2}, {0.5, 10}), U8({}, {10}), I8({2}, {0, 0}), F32({2}, {1, 1})}),
                 {F32({1, 2}, {14, -19})});
  ExpectComputes(Microsoft("QGemm").Inputs({a, Scale(2), U8({}, {10}), b, Scale(0.5), I8({}, {0}), I32({2}, {7, 1})}),
                 {F32({1, 2}, {20, 0})});
  ExpectComputes(Microsoft("QGemm")
                     .Inputs({a, Scale(2), U8({}, {10}), I8({2, 2}, {3, 5, -1, 0}), Scale(0.5), I8({}, {0}),
                              ir::Tensor(), Scale(0.5), U8({}, {100})})
                     .Outputs({kUint8})
                     .With([](::onnx::NodeProto& node) { SetInt(node, "transB", 1); }),
                 {U8({1, 2}, {126, 98})});
}

TEST(QuantizedTest, AProductOfWhatIsQuantisedAtRunTime) {
  // The range of 0 to 255 makes a scale of 1.
  ExpectComputes(Microsoft("DynamicQuantizeMatMul").Inputs({F32({1, 2}, {0, 255}), I8({2, 1}, {3, -2}), Scale(0.5)}),
                 {F32({1, 1}, {-255})}, 1e-6);
}

}  // namespace
}  // namespace burin::onnx
