#include "jit/kernels/top_k/top_k_plan.h"

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

TopKSpec Dense(int64_t outer, int64_t length, int64_t inner, int64_t k) {
  TopKSpec spec;
  spec.outer = outer;
  spec.length = length;
  spec.inner = inner;
  spec.k = k;
  spec.SetDenseStrides();
  return spec;
}

Target Make(MicroarchClass id) { return *Target::ForTesting(IsaSet::From(IsaLevel::kAvx512), Microarch::Of(id)); }

TEST(TopKPlanTest, ItemsReadAboutAsMuch) {
  for (const MicroarchClass id : {MicroarchClass::kZen4, MicroarchClass::kSapphireRapids, MicroarchClass::kUnknown}) {
    const Target target = Make(id);
    const TopKSpec rows = Dense(100, 1024, 1, 5);
    TopKPlan plan = TopKPlan::Make(rows, target);
    EXPECT_TRUE(plan.code.along_row);
    EXPECT_EQ(plan.outer_per_item, 16);
    EXPECT_EQ(plan.WorkItems(rows), 7);
    const TopKSpec columns = Dense(2, 100, 4096, 5);
    plan = TopKPlan::Make(columns, target);
    EXPECT_FALSE(plan.code.along_row);
    EXPECT_EQ(plan.inner_per_item, 160);
    EXPECT_EQ(plan.WorkItems(columns), 52);
    EXPECT_GT(EstimateTopKCycles(rows, target), 5 * EstimateTopKCycles(Dense(10, 1024, 1, 5), target));
    EXPECT_GT(EstimateTopKCycles(Dense(10, 1024, 1, 50), target), EstimateTopKCycles(Dense(10, 1024, 1, 5), target));
  }
}

TEST(TopKPlanTest, NothingToSelectIsNoItem) {
  for (const TopKSpec& spec : {Dense(0, 3, 4, 1), Dense(2, 0, 4, 0), Dense(2, 3, 4, 0), Dense(2, 3, 0, 1)}) {
    EXPECT_EQ(TopKPlan::Make(spec, Make(MicroarchClass::kUnknown)).WorkItems(spec), 0);
  }
}

TEST(TopKPlanTest, FieldsThatMakeNoSenseAreNamed) {
  const auto refused = [](auto change) {
    TopKSpec spec = Dense(2, 100, 1, 5);
    change(spec);
    return spec.Validate();
  };
  const auto status = [](absl::StatusCode code, const char* text) { return StatusIs(code, HasSubstr(text)); };
  constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;
  constexpr absl::StatusCode kLacking = absl::StatusCode::kUnimplemented;
  EXPECT_OK(refused([](TopKSpec&) {}));
  EXPECT_THAT(refused([](TopKSpec& s) { s.outer = -1; }), status(kInvalid, "outer -1"));
  EXPECT_THAT(refused([](TopKSpec& s) { s.k = 101; }), status(kInvalid, "k 101, length 100"));
  EXPECT_THAT(refused([](TopKSpec& s) { s.k = -1; }), status(kInvalid, "k -1"));
  EXPECT_THAT(refused([](TopKSpec& s) { s.k = 65; }), status(kLacking, "k is 65"));
  EXPECT_THAT(refused([](TopKSpec& s) { s.source_stride = 8; }), status(kInvalid, "source_stride 8"));
  EXPECT_THAT(refused([](TopKSpec& s) { s.outer = INT64_MAX; }), status(kInvalid, "2^62"));
  EXPECT_THAT(refused([](TopKSpec& s) { s.length = int64_t{1} << 31; }), status(kLacking, "2^31"));
  EXPECT_THAT(refused([](TopKSpec& s) { s.type = ElementType::kI64; }), status(kLacking, "type i64"));
  EXPECT_THAT(refused([](TopKSpec& s) { s.index_type = ElementType::kF32; }), status(kInvalid, "not f32"));
}

}  // namespace
}  // namespace burin::jit
