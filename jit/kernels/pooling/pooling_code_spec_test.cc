#include "jit/kernels/pooling/pooling_code_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/element_type.h"
#include "base/hash.h"
#include "jit/kernels/pooling/pooling_spec.h"

namespace burin::jit {
namespace {

TEST(PoolingCodeSpecTest, EveryFieldIsPartOfTheKey) {
  std::vector<PoolingCodeSpec> specs(16);
  specs[1].kind = PoolingKind::kLp;
  specs[2].p = 1;
  specs[3].index_type = ElementType::kI64;
  specs[4].strip_windows = 3;
  specs[5].strip_vectors = 2;
  specs[6].strip_taps = 3;
  specs[7].strip_tap_step = 64;
  specs[8].strip_window_step = 64;
  specs[9].strip_output_step = 64;
  specs[10].first_begin = 64;
  specs[11].last_windows = 3;
  specs[12].last_end = 64;
  specs[13].is_one_strip = true;
  specs[14].single_vectors = 4;
  specs[15].tail_channels = 3;
  std::set<Hash128> keys;
  for (const PoolingCodeSpec& spec : specs) keys.insert(spec.ContentKey());
  EXPECT_EQ(keys.size(), specs.size());
}

TEST(PoolingCodeSpecTest, WindowsShareColumns) {
  PoolingCodeSpec spec;
  spec.strip_taps = 3;
  spec.strip_tap_step = 64;
  spec.strip_window_step = 64;
  EXPECT_EQ(spec.StripColumns(8), 10);
  spec.strip_window_step = 128;
  EXPECT_EQ(spec.StripColumns(8), 17);
  EXPECT_THAT(spec.ColumnsOf(2), testing::ElementsAre(0, 64, 128, 192, 256));
  spec.strip_window_step = 256;
  EXPECT_EQ(spec.StripColumns(8), 24);
}

TEST(PoolingCodeSpecTest, NamesSayWhatTheCodeIs) {
  PoolingCodeSpec spec;
  spec.index_type = ElementType::kI64;
  spec.single_vectors = 2;
  EXPECT_EQ(spec.Name(), "pool_max_indices_v2");
  EXPECT_EQ(spec.index_bytes(), 8);
  spec.index_type = ElementType::kUndefined;
  spec.kind = PoolingKind::kLp;
  spec.strip_taps = 3;
  spec.strip_windows = 4;
  spec.tail_channels = 5;
  EXPECT_EQ(spec.Name(), "pool_lp2_k3_w4x1_v2_t5");
}

}  // namespace
}  // namespace burin::jit
