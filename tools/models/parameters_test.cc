#include "tools/models/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/gtest/status_matchers.h"

namespace burin::models {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Sample final : Parameters {
  int64_t image = 8;
  double width = 1;
  void VisitParameters(ParameterVisitor& visitor) override {
    Parameters::VisitParameters(visitor);
    visitor.Visit("image", image, 1, 64);
    visitor.Visit("width", width, 0.1, 2);
  }
};

TEST(ParametersTest, SetsWhatIsNamed) {
  Sample sample;
  ASSERT_OK(ParseParameters("image=32, width=0.5,batch=2", &sample));
  EXPECT_EQ(sample.image, 32);
  EXPECT_EQ(sample.width, 0.5);
  EXPECT_EQ(sample.batch, 2);
  EXPECT_EQ(ToString(sample), "batch=2,seed=1,image=32,width=0.5");
  ASSERT_OK(ParseParameters("", &sample));
}

TEST(ParametersTest, RefusesWithTheNames) {
  Sample sample;
  EXPECT_THAT(ParseParameters("depth=3", &sample),
              StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr("\"depth\""), HasSubstr("image=8"))));
  EXPECT_THAT(ParseParameters("image=32,image=32", &sample),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("twice: image")));
  EXPECT_THAT(ParseParameters("image=32,", &sample),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Unknown")));
}

TEST(ParametersTest, RefusesValuesOutsideTheRange) {
  for (const char* text : {"image=0", "image=65", "image=x", "image=", "image", "image=1.5",
                           "image=99999999999999999999", "width=3", "width=nan", "width=inf"}) {
    Sample sample;
    EXPECT_THAT(ParseParameters(text, &sample),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Expected a number in [")))
        << text;
    EXPECT_EQ(ToString(sample), "batch=1,seed=1,image=8,width=1") << text;
  }
}

}  // namespace
}  // namespace burin::models
