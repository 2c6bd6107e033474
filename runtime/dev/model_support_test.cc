#include "runtime/dev/model_support.h"

#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/partial_shape.h"

namespace burin {
namespace {

using ::testing::ElementsAre;

TEST(ModelSupportTest, ANodeAnswersForTheUsersOperationsOrForItself) {
  ir::Model model;
  const ir::Value x = *model.AddParameter("x", ElementType::kF32, ir::PartialShape{1});
  EXPECT_THAT(OriginalNames(model.node(x.node)), ElementsAre("x"));
  model.AddOriginalNames(x.node, {"a", "b"});
  EXPECT_THAT(OriginalNames(model.node(x.node)), ElementsAre("a", "b"));
}

}  // namespace
}  // namespace burin
