#include "transformations/fuzz/attribute_values.h"

#include <gtest/gtest.h>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/ops/convert.h"
#include "ir/ops/ops.h"
#include "ir/ops/pad.h"
#include "ir/ops/strided_slice.h"

namespace burin::transformations {
namespace {

TEST(AttributeValuesTest, SetsAttributesOfEachKindByName) {
  const auto convert = MakeAttributesOf(ir::ConvertOp(), {{"destination_type", ElementType::kI8}, {"saturate", false}});
  EXPECT_EQ(ir::AttributesAs<ir::ConvertAttributes>(*convert)->destination_type, ElementType::kI8);
  EXPECT_FALSE(ir::AttributesAs<ir::ConvertAttributes>(*convert)->saturate);
  const auto pad = MakeAttributesOf(ir::PadOp(), {{"pad_mode", "reflect"}});
  EXPECT_EQ(ir::AttributesAs<ir::PadAttributes>(*pad)->pad_mode, ir::PadMode::kReflect);
  const auto slice = MakeAttributesOf(ir::StridedSliceOp(), {{"end_mask", std::vector<int64_t>{1, 0}}});
  EXPECT_EQ(ir::AttributesAs<ir::StridedSliceAttributes>(*slice)->end_mask, (std::vector<int64_t>{1, 0}));
}

TEST(AttributeValuesTest, RefusesWhatTheOperationDoesNotHave) {
  EXPECT_DEATH(MakeAttributesOf(ir::PadOp(), {{"axis", 1}}), "no attribute axis");
  EXPECT_DEATH(MakeAttributesOf(ir::PadOp(), {{"pad_mode", "round"}}), "no value round");
  EXPECT_DEATH(MakeAttributesOf(ir::PadOp(), {{"pad_mode", 1}}), "of another type");
}

}  // namespace
}  // namespace burin::transformations
