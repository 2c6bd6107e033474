#include "ir/op_def.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/infer_context.h"

namespace burin::ir {
namespace {

struct Fixture {
  NoAttributes attributes;
  ValueInfo input{ElementType::kF32, {2, 3}, {}, {}};
  std::vector<const ValueInfo*> inputs = {&input, nullptr};
  std::vector<ValueInfo> outputs = {{ElementType::kF16, {2, 3}, {}, {}}, {ElementType::kI64, {2}, {}, {}}};
  CostContext context{attributes, inputs, outputs};
};

TEST(OpDefTest, DefaultsDescribeAUnaryOpWithoutAttributes) {
  const OpDef op(static_cast<OpCode>(0), "Test", "internal");
  EXPECT_EQ(op.min_inputs, 1);
  EXPECT_EQ(op.max_inputs, 1);
  EXPECT_EQ(op.outputs, 1);
  EXPECT_EQ(op.bodies, 0);
  EXPECT_FALSE(op.Has(kImpure));
  EXPECT_NE(AttributesAs<NoAttributes>(*op.make_attributes()), nullptr);
}

TEST(OpDefTest, TraitsAreABitMask) {
  OpDef op(static_cast<OpCode>(0), "Test", "internal");
  op.traits = kElementwise | kCommutative;
  EXPECT_TRUE(op.Has(kElementwise));
  EXPECT_TRUE(op.Has(kCommutative));
  EXPECT_FALSE(op.Has(kMovesData));
}

TEST(OpDefTest, DefaultCostIsOneFlopPerOutputElement) {
  const Fixture fixture;
  const OpDef op(static_cast<OpCode>(0), "Test", "internal");
  const Cost cost = CostOf(op, fixture.context);
  EXPECT_EQ(cost.flops, 8);
  EXPECT_EQ(cost.bytes_read, 24);
  EXPECT_EQ(cost.bytes_written, 12 + 16);
}

TEST(OpDefTest, AnOpsOwnCostComesFirst) {
  const Fixture fixture;
  OpDef op(static_cast<OpCode>(0), "Test", "internal");
  op.cost = [](const CostContext& context) {
    Cost cost = ElementwiseCost(context);
    cost.flops *= 10;
    return cost;
  };
  EXPECT_EQ(CostOf(op, fixture.context).flops, 80);
}

}  // namespace
}  // namespace burin::ir
