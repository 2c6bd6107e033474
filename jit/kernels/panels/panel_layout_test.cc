#include "jit/kernels/panels/panel_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

TEST(PanelLayoutTest, PanelsLieBehindEachOther) {
  ASSERT_OK_AND_ASSIGN(const PanelLayout layout, PanelLayout::Create(ElementType::kF32, 10, 130));
  EXPECT_EQ(layout.panels(), 3);
  EXPECT_EQ(layout.ColumnsOf(1), 64);
  EXPECT_EQ(layout.ColumnsOf(2), 2);
  EXPECT_EQ(layout.panel_bytes(), 2560);
  EXPECT_EQ(layout.bytes(), 7680);
  EXPECT_EQ(layout.Offset(2, 3), 2 * 2560 + 3 * 256);
}

TEST(PanelLayoutTest, SizesMayBeZero) {
  ASSERT_OK_AND_ASSIGN(const PanelLayout flat, PanelLayout::Create(ElementType::kF32, 0, 130));
  EXPECT_EQ(flat.bytes(), 0);
  ASSERT_OK_AND_ASSIGN(const PanelLayout thin, PanelLayout::Create(ElementType::kF32, 10, 0));
  EXPECT_EQ(thin.panels(), 0);
}

TEST(PanelLayoutTest, WhatCannotBeIsAnError) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(PanelLayout::Create(ElementType::kI8, 1, 1).status(), StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_THAT(PanelLayout::Create(ElementType::kF32, -1, 1).status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(PanelLayout::Create(ElementType::kF32, kMost, 1).status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(PanelLayout::Create(ElementType::kF32, 1, kMost).status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::jit
