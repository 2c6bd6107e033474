#include "tools/models/builtin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "ir/model.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"
#include "tools/models/network_testlib.h"

namespace burin::models {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(BuiltinTest, NamesAndParametersAreRead) {
  EXPECT_TRUE(IsBuiltin("builtin:resnet50"));
  EXPECT_FALSE(IsBuiltin("resnet50.onnx"));
  ASSERT_OK_AND_ASSIGN(Builtin plain, Builtin::Parse("builtin:resnet50"));
  EXPECT_EQ(plain.ToString(), "resnet50(batch=1,seed=1,image=224,width=1,classes=1000)");
  ASSERT_OK_AND_ASSIGN(Builtin sized, Builtin::Parse("resnet50(image=64,width=0.5)"));
  EXPECT_EQ(sized.ToString(), "resnet50(batch=1,seed=1,image=64,width=0.5,classes=1000)");
}

TEST(BuiltinTest, UnknownNamesAndParametersAreRefusedWithWhatThereIs) {
  EXPECT_THAT(Builtin::Parse("builtin:resnet5"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"resnet5\""), HasSubstr("\nresnet50(batch"), HasSubstr("\nllama("))));
  EXPECT_THAT(Builtin::Parse("builtin:resnet50(image=64"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Expected \")\"")));
  EXPECT_THAT(Builtin::Parse("builtin:resnet50(size=64)"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("network resnet50"), HasSubstr("\"size\""), HasSubstr("image=224"))));
}

TEST(BuiltinTest, ErrorsOfTheNetworkNameIt) {
  EXPECT_THAT(BuildBuiltinModel("builtin:vit_b16(heads=7)"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("network vit_b16")));
}

TEST(BuiltinTest, SeedChangesTheWeightsAlone) {
  const std::string text = "mobilenet_v2(image=32,width=0.1,classes=7,seed=";
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ir::Model> one, BuildBuiltinModel(text + "1)"));
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ir::Model> again, BuildBuiltinModel(text + "1)"));
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ir::Model> two, BuildBuiltinModel(text + "2)"));
  EXPECT_TRUE(ir::BitwiseEqual(Evaluate(*one, 1).front(), Evaluate(*again, 1).front()));
  EXPECT_FALSE(ir::BitwiseEqual(Evaluate(*one, 1).front(), Evaluate(*two, 1).front()));
  EXPECT_EQ(one->node_count(), two->node_count());
}

}  // namespace
}  // namespace burin::models
