#include "jit/kernels/dot/dot_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "jit/isa/isa.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

TEST(DotSpecTest, EveryFieldIsPartOfTheKey) {
  const std::vector<std::function<void(DotSpec&)>> changes = {
      [](DotSpec&) {},
      [](DotSpec& spec) { spec.type = ElementType::kBf16; },
      [](DotSpec& spec) { spec.rows = 2; },
      [](DotSpec& spec) { spec.group = 2; },
      [](DotSpec& spec) { spec.add_to_c = true; },
      [](DotSpec& spec) { spec.prefetch = true; },
  };
  std::set<Hash128> keys;
  for (const auto& change : changes) {
    DotSpec spec;
    change(spec);
    keys.insert(spec.ContentKey());
  }
  EXPECT_EQ(keys.size(), changes.size());
}

TEST(DotSpecTest, ErrorsNameTheField) {
  const IsaSet wide = IsaSet::From(IsaLevel::kAvx512);
  DotSpec spec;
  EXPECT_OK(spec.Validate(wide));
  spec.type = ElementType::kBf16;
  EXPECT_THAT(spec.Validate(wide), StatusIs(absl::StatusCode::kUnimplemented, testing::HasSubstr("bf16")));
  spec = DotSpec();
  spec.rows = DotSpec::kMaxRows + 1;
  EXPECT_THAT(spec.Validate(wide), StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("rows = 7")));
  spec = DotSpec();
  spec.group = 0;
  EXPECT_THAT(spec.Validate(wide), StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("group = 0")));
  spec.rows = 6;
  spec.group = 8;
  EXPECT_THAT(spec.Validate(wide), StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("55 of 32")));
}

// Narrow vectors take two for the chains of a sum.
TEST(DotSpecTest, RegistersByWidth) {
  DotSpec spec;
  spec.rows = 2;
  spec.group = 3;
  EXPECT_EQ(spec.VectorRegisters(IsaSet::From(IsaLevel::kAvx512)), 6 + 2 + 1);
  EXPECT_EQ(spec.VectorRegisters(IsaSet::From(IsaLevel::kAvx2)), 12 + 2 + 1 + 1);
}

}  // namespace
}  // namespace burin::jit
