#include "jit/kernels/gather/gather_plan.h"

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

GatherSpec Table(int64_t extent, int64_t row_bytes, int64_t count) {
  GatherSpec spec;
  spec.extent = extent;
  spec.row_bytes = row_bytes;
  spec.count = count;
  spec.SetDenseStrides();
  return spec;
}

Target Make(MicroarchClass id) { return *Target::ForTesting(IsaSet::From(IsaLevel::kAvx512), Microarch::Of(id)); }

TEST(GatherPlanTest, ItemsMoveAboutAsMuch) {
  for (const MicroarchClass id : {MicroarchClass::kZen4, MicroarchClass::kSapphireRapids, MicroarchClass::kUnknown}) {
    const Target target = Make(id);
    GatherSpec spec = Table(30000, 3072, 1000);
    GatherPlan plan = GatherPlan::Make(spec, target);
    EXPECT_EQ(plan.count_per_item, 21);
    EXPECT_EQ(plan.WorkItems(spec), 48);
    EXPECT_GT(plan.code.prefetch_rows, 0);
    // Elements along the last axis: many outer positions of few indices.
    spec = Table(100, 4, 10);
    spec.outer = 10000;
    spec.SetDenseStrides();
    plan = GatherPlan::Make(spec, target);
    EXPECT_EQ(plan.outer_per_item, 1638);
    EXPECT_EQ(plan.WorkItems(spec), 7);
    // A table within the second cache.
    EXPECT_EQ(GatherPlan::Make(Table(100, 64, 10), target).code.prefetch_rows, 0);
    EXPECT_GT(EstimateGatherCycles(Table(30000, 3072, 1000), target),
              EstimateGatherCycles(Table(30000, 3072, 100), target));
  }
}

TEST(GatherPlanTest, FieldsThatMakeNoSenseAreNamed) {
  const auto refused = [](auto change) {
    GatherSpec spec = Table(10, 16, 5);
    spec.batch = spec.outer = 2;
    spec.SetDenseStrides();
    change(spec);
    return spec.Validate();
  };
  const auto invalid = [](const char* text) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)); };
  EXPECT_OK(refused([](GatherSpec&) {}));
  EXPECT_THAT(refused([](GatherSpec& s) { s.count = -1; }), invalid("count is -1"));
  EXPECT_THAT(refused([](GatherSpec& s) { s.extent = -2; }), invalid("extent is -2"));
  EXPECT_THAT(refused([](GatherSpec& s) { s.index_type = ElementType::kF32; }), invalid("not f32"));
  EXPECT_THAT(refused([](GatherSpec& s) { s.destination_stride = 0; }), invalid("more than once"));
  EXPECT_THAT(refused([](GatherSpec& s) { s.source_stride = INT64_MIN; }), invalid("2^62"));
  EXPECT_THAT(refused([](GatherSpec& s) { s.row_bytes = INT64_MAX; }), invalid("2^62"));
}

TEST(GatherPlanTest, NothingToGatherIsNoItem) {
  const Target target = Make(MicroarchClass::kUnknown);
  const GatherSpec spec = Table(10, 16, 0);
  EXPECT_EQ(GatherPlan::Make(spec, target).WorkItems(spec), 0);
}

}  // namespace
}  // namespace burin::jit
