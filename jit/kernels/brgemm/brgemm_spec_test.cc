#include "jit/kernels/brgemm/brgemm_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

const IsaSet& Narrow() {
  static const IsaSet isa = IsaSet::From(IsaLevel::kAvx2);
  return isa;
}

const IsaSet& Wide() {
  static const IsaSet isa = IsaSet::From(IsaLevel::kAvx512);
  return isa;
}

using Change = std::function<void(BrgemmSpec&)>;

TEST(BrgemmSpecTest, EveryFieldIsPartOfTheKey) {
  const std::vector<Change> changes = {
      [](BrgemmSpec&) {},
      [](BrgemmSpec& spec) { spec.type = ElementType::kBf16; },
      [](BrgemmSpec& spec) { spec.rows = 2; },
      [](BrgemmSpec& spec) { spec.vectors = 2; },
      [](BrgemmSpec& spec) { spec.partial = true; },
      [](BrgemmSpec& spec) { spec.b_padded = false; },
      [](BrgemmSpec& spec) { spec.depth = 0; },
      [](BrgemmSpec& spec) { spec.depth = 4; },
      [](BrgemmSpec& spec) { spec.taps.clear(); },
      [](BrgemmSpec& spec) { spec.taps.emplace_back(); },
      [](BrgemmSpec& spec) { spec.taps[0].a_offset = 4; },
      [](BrgemmSpec& spec) { spec.taps[0].b_offset = 4; },
      [](BrgemmSpec& spec) { spec.taps[0].rows = 1; },
      [](BrgemmSpec& spec) { spec.taps[0].depth = 4; },
      [](BrgemmSpec& spec) { spec.a_rows = {8}; },
      [](BrgemmSpec& spec) { spec.c_rows = {8}; },
      [](BrgemmSpec& spec) { spec.a_step.reset(); },
      [](BrgemmSpec& spec) { spec.a_step = 8; },
      [](BrgemmSpec& spec) { spec.b_step.reset(); },
      [](BrgemmSpec& spec) { spec.b_step = 64; },
      [](BrgemmSpec& spec) { spec.start = BrgemmStart::kAddToC; },
      [](BrgemmSpec& spec) { spec.broadcast = BroadcastForm::kEmbedded; },
      [](BrgemmSpec& spec) { spec.unroll = 2; },
      [](BrgemmSpec& spec) { spec.prefetch_lines = 1; },
      [](BrgemmSpec& spec) { spec.repeated = true; },
      [](BrgemmSpec& spec) { spec.prefetch_c = true; },
  };
  std::set<Hash128> keys;
  for (const Change& change : changes) {
    BrgemmSpec spec;
    change(spec);
    keys.insert(spec.ContentKey());
  }
  EXPECT_EQ(keys.size(), changes.size());
}

TEST(BrgemmSpecTest, WhatHasNoCodeIsAnError) {
  const std::vector<Change> changes = {
      [](BrgemmSpec& spec) { spec.rows = 0; },
      [](BrgemmSpec& spec) { spec.rows = 29; },
      [](BrgemmSpec& spec) { spec.vectors = 0; },
      [](BrgemmSpec& spec) { spec.unroll = 0; },
      [](BrgemmSpec& spec) { spec.unroll = 17; },
      [](BrgemmSpec& spec) { spec.prefetch_lines = -1; },
      [](BrgemmSpec& spec) { spec.depth = -1; },
      [](BrgemmSpec& spec) { spec.a_step = int64_t{1} << 40; },
      [](BrgemmSpec& spec) { spec.taps[0].a_offset = int64_t{1} << 31; },
      [](BrgemmSpec& spec) { spec.taps[0].depth = -1; },
      [](BrgemmSpec& spec) {
        spec.a_rows = {0, 4};
      },
      [](BrgemmSpec& spec) { spec.c_rows = {int64_t{1} << 31}; },
      [](BrgemmSpec& spec) { spec.repeated = spec.partial = true; },
  };
  for (const Change& change : changes) {
    BrgemmSpec spec;
    ASSERT_OK(spec.Validate(Wide()));
    change(spec);
    EXPECT_THAT(spec.Validate(Wide()), StatusIs(absl::StatusCode::kInvalidArgument)) << spec.Name();
  }
  BrgemmSpec spec;
  spec.type = ElementType::kI8;
  EXPECT_THAT(spec.Validate(Wide()), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST(BrgemmSpecTest, CountsVectorRegisters) {
  BrgemmSpec spec;
  spec.rows = 6;
  spec.vectors = 2;
  EXPECT_EQ(spec.VectorRegisters(Narrow()), 15);
  spec.partial = true;
  spec.b_padded = false;
  EXPECT_EQ(spec.VectorRegisters(Narrow()), 16);
  EXPECT_EQ(spec.VectorRegisters(Wide()), 15);
  spec.rows = 7;
  spec.vectors = 4;
  spec.broadcast = BroadcastForm::kEmbedded;
  EXPECT_EQ(spec.VectorRegisters(Wide()), 32);
  spec.broadcast = BroadcastForm::kRegister;
  EXPECT_THAT(spec.Validate(Wide()), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::jit
