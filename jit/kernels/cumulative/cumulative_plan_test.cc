#include "jit/kernels/cumulative/cumulative_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::HasSubstr;

CumulativeSpec Dense(int64_t outer, int64_t length, int64_t inner) {
  CumulativeSpec spec;
  spec.outer = outer;
  spec.length = length;
  spec.inner = inner;
  spec.SetDenseStrides();
  return spec;
}

Target Make(MicroarchClass id) { return *Target::ForTesting(IsaSet::From(IsaLevel::kAvx512), Microarch::Of(id)); }

TEST(CumulativePlanTest, ItemsReadAboutAsMuch) {
  for (const MicroarchClass id : {MicroarchClass::kZen4, MicroarchClass::kSapphireRapids, MicroarchClass::kUnknown}) {
    const Target target = Make(id);
    CumulativeSpec spec = Dense(100, 1024, 1);
    spec.reverse = true;
    CumulativePlan plan = CumulativePlan::Make(spec, target);
    EXPECT_TRUE(plan.code.along_row);
    EXPECT_TRUE(plan.code.reverse);
    EXPECT_EQ(plan.outer_per_item, 16);
    EXPECT_EQ(plan.WorkItems(spec), 7);
    spec = Dense(2, 100, 4096);
    spec.reverse = true;
    plan = CumulativePlan::Make(spec, target);
    EXPECT_FALSE(plan.code.along_row);
    // The strides tell.
    EXPECT_FALSE(plan.code.reverse);
    EXPECT_EQ(plan.inner_per_item, 128);
    EXPECT_EQ(plan.WorkItems(spec), 64);
    EXPECT_GT(EstimateCumulativeCycles(Dense(100, 1024, 1), target),
              EstimateCumulativeCycles(Dense(10, 1024, 1), target));
  }
}

TEST(CumulativePlanTest, NothingToAddIsNoItem) {
  for (const CumulativeSpec& spec : {Dense(0, 3, 4), Dense(2, 0, 4), Dense(2, 3, 0)}) {
    EXPECT_EQ(CumulativePlan::Make(spec, Make(MicroarchClass::kUnknown)).WorkItems(spec), 0);
  }
}

TEST(CumulativePlanTest, FieldsThatMakeNoSenseAreNamed) {
  const auto refused = [](auto change) {
    CumulativeSpec spec = Dense(2, 3, 1);
    change(spec);
    return spec.Validate();
  };
  const auto invalid = [](const char* text) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)); };
  EXPECT_OK(refused([](CumulativeSpec&) {}));
  EXPECT_THAT(refused([](CumulativeSpec& s) { s.length = -1; }), invalid("length -1"));
  EXPECT_THAT(refused([](CumulativeSpec& s) { s.source_stride = 8; }), invalid("source_stride 8"));
  EXPECT_THAT(refused([](CumulativeSpec& s) { s.outer = INT64_MAX; }), invalid("2^62"));
  EXPECT_THAT(refused([](CumulativeSpec& s) { s.type = ElementType::kI8; }),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("i8")));
}

}  // namespace
}  // namespace burin::jit
