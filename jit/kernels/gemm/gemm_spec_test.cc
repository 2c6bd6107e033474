#include "jit/kernels/gemm/gemm_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

TEST(GemmSpecTest, DenseOperands) {
  const GemmSpec packed = GemmSpec::Packed(2, 3, 5);
  EXPECT_EQ(packed.a_row_stride, 20);
  EXPECT_EQ(packed.c_row_stride, 12);
  EXPECT_EQ(packed.ToString(), "2x3x5 packed");
  GemmSpec plain = GemmSpec::Plain({}, 3, 5);
  EXPECT_EQ(plain.b_depth_stride, 12);
  plain.batch = {{4, 0, 0, 0}, {2, 0, 0, 0}};
  EXPECT_EQ(plain.ToString(), "8 of ?x3x5 plain");
  EXPECT_OK(packed.Validate());
  EXPECT_OK(plain.Validate());
  EXPECT_OK(GemmSpec::Packed(0, 0, 0).Validate());
}

TEST(GemmSpecTest, WhatCannotBeIsAnError) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const std::vector<std::function<void(GemmSpec&)>> changes = {
      [](GemmSpec& spec) { spec.m = -1; },
      [](GemmSpec& spec) { spec.n = -1; },
      [](GemmSpec& spec) { spec.k = -1; },
      [](GemmSpec& spec) { spec.n = kMost; },
      [](GemmSpec& spec) { spec.k = kMost; },
      [](GemmSpec& spec) { spec.a_row_stride = kMost; },
      [](GemmSpec& spec) { spec.a_row_stride = std::numeric_limits<int64_t>::min(); },
      [](GemmSpec& spec) { spec.a_depth_stride = kMost; },
      [](GemmSpec& spec) { spec.b_depth_stride = kMost; },
      [](GemmSpec& spec) { spec.b_column_stride = kMost; },
      [](GemmSpec& spec) { spec.c_row_stride = kMost; },
      [](GemmSpec& spec) {
        spec.batch = {{-1, 0, 0, 0}};
      },
      [](GemmSpec& spec) {
        spec.batch = {{kMost, 0, 0, 0}};
      },
      [](GemmSpec& spec) {
        spec.batch = {{3, kMost / 2, 0, 0}};
      },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    GemmSpec spec = GemmSpec::Plain(4, 8, 16);
    ASSERT_OK(spec.Validate());
    changes[i](spec);
    EXPECT_THAT(spec.Validate(), StatusIs(absl::StatusCode::kInvalidArgument)) << i;
  }
  GemmSpec spec;
  spec.type = ElementType::kI8;
  EXPECT_THAT(spec.Validate(), StatusIs(absl::StatusCode::kUnimplemented));
}

}  // namespace
}  // namespace burin::jit
