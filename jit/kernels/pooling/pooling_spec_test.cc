#include "jit/kernels/pooling/pooling_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::HasSubstr;

PoolingSpec Small() {
  PoolingSpec spec;
  spec.batch = 2;
  spec.channels = 5;
  spec.axes[1].input = 6;
  spec.axes[1].output = 3;
  spec.axes[2].input = 8;
  spec.axes[2].output = 4;
  spec.SetDenseStrides();
  return spec;
}

TEST(PoolingSpecTest, DenseStridesFollowTheAxes) {
  const PoolingSpec spec = Small();
  EXPECT_EQ(spec.axes[2].input_stride, 20);
  EXPECT_EQ(spec.axes[2].output_stride, 20);
  EXPECT_EQ(spec.axes[1].input_stride, 160);
  EXPECT_EQ(spec.axes[1].output_stride, 80);
  EXPECT_EQ(spec.input_batch_stride, 960);
  EXPECT_EQ(spec.output_batch_stride, 240);
  EXPECT_EQ(spec.Windows(), 24);
  EXPECT_OK(spec.Validate());
}

TEST(PoolingSpecTest, FieldsOutOfRangeAreNamed) {
  const auto refused = [](auto change) {
    PoolingSpec spec = Small();
    change(spec);
    return spec.Validate();
  };
  const auto invalid = [](const char* text) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)); };
  EXPECT_THAT(refused([](PoolingSpec& s) { s.batch = -1; }), invalid("batch"));
  EXPECT_THAT(refused([](PoolingSpec& s) { s.channels = -1; }), invalid("channels"));
  EXPECT_THAT(refused([](PoolingSpec& s) { s.axes[1].kernel = 0; }), invalid("kernel of axis 1"));
  EXPECT_THAT(refused([](PoolingSpec& s) { s.axes[2].dilation = 0; }), invalid("dilation of axis 2"));
  EXPECT_THAT(refused([](PoolingSpec& s) { s.axes[0].input = -1; }), invalid("input of axis 0"));
  EXPECT_THAT(refused([](PoolingSpec& s) { s.axes[0].output = int64_t{1} << 40; }), invalid("output of axis 0"));
  EXPECT_THAT(refused([](PoolingSpec& s) { s.axes[2].pad_end = int64_t{1} << 40; }), invalid("pad_end of axis 2"));
  EXPECT_THAT(refused([](PoolingSpec& s) { s.axes[1].input_stride = int64_t{1} << 60; }), invalid("2^62 bytes"));
  EXPECT_THAT(refused([](PoolingSpec& s) { s.input_batch_stride = INT64_MIN; }), invalid("2^62 bytes"));
  EXPECT_THAT(refused([](PoolingSpec& s) {
                s.kind = PoolingKind::kLp;
                s.p = 0;
              }),
              invalid("below 1: 0"));
}

TEST(PoolingSpecTest, PositionsStayBelowTwoToThe31) {
  PoolingSpec spec = Small();
  spec.indices = PoolingIndices{ElementType::kI32, 240, 48, {48, 8, 1}};
  EXPECT_OK(spec.Validate());
  spec.indices->batch_step = INT32_MAX;
  EXPECT_THAT(spec.Validate(), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("2^31")));
  spec.indices->batch_step = -1;
  EXPECT_THAT(spec.Validate(), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("negative")));
  spec.indices = PoolingIndices{ElementType::kF32};
  EXPECT_THAT(spec.Validate(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("not f32")));
}

}  // namespace
}  // namespace burin::jit
