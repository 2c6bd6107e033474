#include "jit/kernels/panels/panel_packer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/panels/panel_layout.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

struct Strides {
  int64_t depth = 0;
  int64_t column = 0;
};

// Packs in pieces of `items_at_once`, from memory at whose ends lie inaccessible pages, and compares each element.
void Check(int64_t depth, int64_t columns, const Strides& strides, int64_t items_at_once, GuardedEnd end) {
  SCOPED_TRACE(absl::StrCat(depth, " x ", columns, ", strides ", strides.depth, ", ", strides.column));
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ASSERT_OK_AND_ASSIGN(const PanelLayout layout, PanelLayout::Create(ElementType::kF32, depth, columns));
  ASSERT_OK_AND_ASSIGN(const PanelPacker packer,
                       PanelPacker::Create(layout, strides.depth, strides.column, target, CodeCache::Process()));
  const int64_t bytes =
      depth * columns == 0 ? 0 : (depth - 1) * std::abs(strides.depth) + (columns - 1) * std::abs(strides.column) + 4;
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer source, GuardedBuffer::Create(static_cast<size_t>(bytes), end));
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer packed, GuardedBuffer::Create(static_cast<size_t>(layout.bytes()), end));
  for (size_t i = 0; i < source.size() / 4; ++i) source.As<float>()[i] = static_cast<float>(i + 1);
  std::fill(packed.data(), packed.data() + packed.size(), uint8_t{0xff});
  const int64_t origin =
      (strides.depth < 0 ? (1 - depth) * strides.depth : 0) + (strides.column < 0 ? (1 - columns) * strides.column : 0);
  for (int64_t item = 0; item < packer.work_items(); item += items_at_once) {
    packer.Run(source.data() + origin, packed.data(), item, std::min(item + items_at_once, packer.work_items()));
  }
  for (int64_t panel = 0; panel < layout.panels(); ++panel) {
    for (int64_t k = 0; k < depth; ++k) {
      for (int64_t i = 0; i < PanelLayout::kColumns; ++i) {
        const int64_t column = panel * PanelLayout::kColumns + i;
        const float expected =
            column < columns ? source.As<float>()[(origin + k * strides.depth + column * strides.column) / 4] : 0;
        ASSERT_EQ(packed.As<float>()[layout.Offset(panel, k) / 4 + i], expected) << k << ", " << column;
      }
    }
  }
}

TEST(PanelPackerTest, PacksAnyStrides) {
  for (const int64_t depth : {0, 1, 3, 17, 300}) {
    for (const int64_t columns : {0, 1, 16, 63, 64, 65, 200, 320}) {
      for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
        // As it is, transposed, with gaps, and backwards.
        Check(depth, columns, {4 * std::max<int64_t>(columns, 1), 4}, 1, end);
        Check(depth, columns, {4, 4 * std::max<int64_t>(depth, 1)}, 3, end);
        Check(depth, columns, {4 * (columns + 3), 4}, 1000, end);
        Check(depth, columns, {8, 8 * (depth + 1)}, 1000, end);
        Check(depth, columns, {-4 * std::max<int64_t>(columns, 1), 4}, 2, end);
      }
    }
  }
}

// The weights of a convolution, [columns][channels][window], have their steps in the order window, channels.
TEST(PanelPackerTest, StepsMayHaveSeveralDimensions) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  constexpr int64_t kColumns = 70;
  constexpr int64_t kChannels = 5;
  constexpr int64_t kWindow = 9;
  ASSERT_OK_AND_ASSIGN(const PanelLayout layout, PanelLayout::Create(ElementType::kF32, kChannels * kWindow, kColumns));
  const PanelDim dims[] = {{kWindow, 4}, {kChannels, 4 * kWindow}};
  ASSERT_OK_AND_ASSIGN(const PanelPacker packer,
                       PanelPacker::Create(layout, dims, 4 * kChannels * kWindow, target, CodeCache::Process()));
  std::vector<float> source(kColumns * kChannels * kWindow);
  for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<float>(i);
  std::vector<float> packed(static_cast<size_t>(layout.bytes() / 4));
  packer.Run(source.data(), packed.data(), 0, packer.work_items());
  for (int64_t column = 0; column < kColumns; ++column) {
    for (int64_t step = 0; step < layout.depth(); ++step) {
      const int64_t from = (column * kChannels + step % kChannels) * kWindow + step / kChannels;
      const int64_t to = layout.Offset(column / 64, step) / 4 + column % 64;
      ASSERT_EQ(packed[static_cast<size_t>(to)], source[static_cast<size_t>(from)]) << column << ", " << step;
    }
  }
  EXPECT_THAT(PanelPacker::Create(layout, {PanelDim{3, 4}}, 4, target, CodeCache::Process()).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::jit
